"""Tool calls in a reply to a request that offers no tools.

Models that were taught to call tools write a call in place of an answer, and servers pass it on as
text. It is ordinary text in code, and in a conversation that is about such calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from thalamus.models.protocol import Message, TokenSink
from thalamus.models.written_calls import read_values
from thalamus.text.lazy_regex import lazy_regex

_TAG = r"(?:\w+:)?(?:tool_?calls?|function_?calls?|tool_use|tools|invoke|function)"
# a call between tags (group ``tag``), or from a mark to the end of the reply
_MARK = lazy_regex(
    rf"<(?P<tag>{_TAG})(?:(?<!function)>|(?:=| name=)[^>\n]{{1,80}}>)"
    r"|<\|(?:tool_calls?|python_tag|python_start)(?:_begin|_section_begin|_start)?\|?>"
    r"|\[TOOL_CALLS?\]|<\|channel\|>\w* to=|(?:\A|\n)[ \t]*+functools\[\s*+\{"
    r"|\A\s*+(?:assistant)?(?:analysis|commentary)?\s*+to=functions\.",
    re.IGNORECASE,
)
# the end of a text that may still become such a mark
_PARTIAL = re.compile(
    r"(?:<[|\w:]{0,40}(?:[= ][\w.=\"-]{0,60})?|(?i:<\|channel\|>\w{0,40}(?: t?o?)?)"
    r"|\[[A-Z_]{0,10})\Z"
    r"|(?:\A\s*+|\n[ \t]*+)[a-z]{1,20}(?:\[\s*+|\s++(?:t|to|to=\w*)?)?\Z"
)
_CALL_FENCES = ("tool_code", "tool_call")
_DATA_FENCES = ("", "json", "javascript", "xml")
_OPENED = rf"```[ \t]*+(?:{'|'.join(filter(None, _DATA_FENCES))})?[ \t]*+\n\s*+"
_DATA_FENCE = re.compile(rf"\s*+{_OPENED}")
_LISTED = re.compile(r"\[\s*+[A-Za-z_][\w.]*+\(\s*+\w+\s*+=.*\)\]\Z", re.DOTALL)
_CUT = re.compile(
    r'[\[{\s]*+"(?:name|tool|function|action)"\s*:\s*"[\w.-]+"\s*,\s*'
    r'"(?:arguments|parameters|args|input|action_input)"\s*:\s*[{"]'
)
_NAMES = ("name", "tool", "tool_name", "function", "action", "recipient_name")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "action_input")
_WRAPPERS = ("function", "function_call", "tool_calls", "tool_call")
_KEYS = {*_NAMES, *_ARGUMENTS, *_WRAPPERS, "id", "type", "index", "call_id"}
_DEEPEST = 3  # wrappers in one another
_IDENTIFIER = re.compile(r"[\w.:/-]+\Z")
# the beginning of a reply that may be a call and nothing else
_BEGINNING = re.compile(
    r"""\s*+(?:
        `{0,3}\Z | ```[ \t]*+\w*+[ \t]*+\Z"""
    rf"| (?:{_OPENED})?"
    r"""  (?: [\[{\s]*+\Z | [\[{\s]*+"(?P<key>\w*+)(?P<end>"?)
            | \[\s*+[A-Za-z_][\w.]*+(?:\(|\Z) | < )
        | ```[ \t]*+tool_(?:code|call)
    )""",
    re.VERBOSE,
)
_ABOUT = lazy_regex(
    r"json|xml|yaml|\{|```|(?:tool|function)[ _-]?(?:call|use)|python_tag", re.IGNORECASE
)
_WORD = re.compile(r"\w+")


class StrayCalls:
    """Passes on the text of a reply as it arrives, up to the possible start of a call.

    ``sink`` gets the text, and an empty text for text held back, so that it can stop the model.
    ``messages``: the request, for what the user asks for.
    """

    def __init__(self, sink: TokenSink | None, messages: Sequence[Message]) -> None:
        self._sink = sink
        self._asked = _words_of_user(messages)
        self._about = bool(_ABOUT.search(self._asked))
        self._text = ""
        self._shown = 0
        self._begun = False

    def feed(self, piece: str) -> None:
        """Adds the next piece of the text."""
        self._text += piece
        self._show(self._text, self._safe_length(), piece)

    def close(self, text: str) -> tuple[str, bool]:
        """Ends the reply, whose visible part is ``text``. Returns it without calls, and True if
        there was one. Text that was held back but is not a call is passed on now."""
        rest = text if self._about else without_calls(text, self._asked)
        self._show(rest, len(rest), "")
        return rest, rest != text

    def _safe_length(self) -> int:
        """Length of the prefix that is safe to show: no call can start in it."""
        text = self._text
        if self._about:
            return len(text)
        if not self._begun:
            if _may_be_call(text):
                return 0
            self._begun = True
        found = _first_mark(text, self._shown) or _PARTIAL.search(text, self._shown)
        return found.start() if found is not None else len(text)

    def _show(self, text: str, end: int, piece: str) -> None:
        shown, self._shown = text[self._shown : end], max(end, self._shown)
        if self._sink is not None and (shown or piece):
            self._sink(shown)


def without_calls(text: str, asked: str = "") -> str:
    """A text without tool calls: empty if it is nothing else. Calls that the user ``asked`` to see,
    by their names or their keys, stay."""
    is_call = _is_call(text.strip(), set(_WORD.findall(asked)))
    return "" if is_call else _without_marked(text)


def _words_of_user(messages: Iterable[Message]) -> str:
    """Words of the user in a request, without the notes above them."""
    lines = [line for m in messages if m.role == "user" for line in m.content.splitlines()]
    return "\n".join(line for line in lines if not line.startswith("- "))


def _may_be_call(text: str) -> bool:
    """True for the beginning of a text that may be a call and nothing else."""
    found = _BEGINNING.match(text)
    if found is None:
        fence = _DATA_FENCE.match(text)
        if fence is not None:
            content = text[fence.end() :]
            return bool(_PARTIAL.match(content) or _MARK.match(content))
        return bool(_PARTIAL.match(text) or _first_mark(text, 0))
    return not found["end"] or found["key"] in _KEYS


def _first_mark(text: str, start: int) -> re.Match[str] | None:
    """The first mark of a call from ``start`` that is not in code."""
    for found in _MARK.finditer(text, start):
        before = text[: found.start()]
        in_line = before.rpartition("\n")[2].count("`") % 2
        if before.count("```") % 2 == 0 and not in_line:
            return found
    return None


def _without_marked(text: str) -> str:
    """A text without the calls that begin with a mark."""
    found = _first_mark(text, 0)
    if found is None:
        return text
    parts, place = [], 0
    while found is not None:
        parts.append(text[place : found.start()])
        place = _end(text, found)
        found = _first_mark(text, place)
    return "".join([*parts, text[place:]]).rstrip()


def _end(text: str, mark: re.Match[str]) -> int:
    """The end of a call between tags, or else of the text."""
    if mark["tag"] is None:
        return len(text)
    closing = re.compile(rf"</{re.escape(mark['tag'])}>", re.IGNORECASE).search(text, mark.end())
    return len(text) if closing is None else closing.end()


def _is_call(text: str, asked: set[str]) -> bool:
    """True for a text that is a call, or several, and nothing else."""
    if text.startswith("```"):
        language, _, content = text.removeprefix("```").partition("\n")
        language, content = language.strip().lower(), content.removesuffix("```").strip()
        if language not in _DATA_FENCES or content.startswith("```"):
            return language in _CALL_FENCES
        text = content
    if not text.startswith(("{", "[")) or _MARK.match(text):
        return bool(text) and not _without_marked(text)
    values, rest = read_values(text)
    if not values or rest:
        return bool(_LISTED.match(text) or (not values and _CUT.match(text)))
    return all(_has_form(value, asked) for value in values)


def _has_form(value: Any, asked: set[str], depth: int = 0) -> bool:
    """True for the JSON value of a call that the user did not ask to see."""
    if not isinstance(value, dict) or not value.keys() <= _KEYS:
        return False
    inner = next((value[key] for key in _WRAPPERS if isinstance(value.get(key), dict | list)), None)
    if inner is not None and depth < _DEEPEST:
        calls = inner if isinstance(inner, list) else [inner]
        return bool(calls) and all(_has_form(call, asked, depth + 1) for call in calls)
    name = next((value[key] for key in _NAMES if key in value), None)
    has_arguments = any(key in value for key in _ARGUMENTS)
    if not isinstance(name, str) or not _IDENTIFIER.match(name) or not has_arguments:
        return False
    return name not in asked and not value.keys() <= asked
