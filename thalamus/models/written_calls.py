"""Calls that a model writes into its reply as text.

Small models know that tools are called with JSON, but not where it belongs: Qwen2.5-Coder writes
the call in a code fence, or bare, instead of between the tags that its template tells it of, and
the server hands it on as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any

from thalamus.models.protocol import TokenSink

_FENCE = r"```[ \t]*(?:json|tool_call|tool_code)?[ \t]*\n"
_OPENER = re.compile(rf"<tool_call>|^[ \t]*(?:{_FENCE}\s*[{{\[]|[{{\[])", re.MULTILINE)
# the end of a text that may yet become an opener
_BEGINNING = re.compile(r"^[ \t]*(?:`{1,3}[ \t]*\w*[ \t]*(?:\n\s*)?)?\Z", re.MULTILINE)
_TAG = "<tool_call>"
_TAGGED = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|(?=<tool_call>)|\Z)", re.DOTALL)
_FENCED = re.compile(rf"^[ \t]*{_FENCE}\s*(.*?)\s*(?:```|\Z)", re.DOTALL | re.MULTILINE)
_BARE = re.compile(r"^[ \t]*(?=[{\[])(.*)\Z", re.DOTALL | re.MULTILINE)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NAME = re.compile(r"""["']name["']\s*:\s*["']([\w.-]+)["']""")
_ARGUMENTS = re.compile(r"""["'](?:arguments|parameters)["']\s*:\s*(.*)\Z""", re.DOTALL)

_Call = tuple[str, str]  # name, arguments


class WrittenCalls:
    """Hands the text of a reply on as it arrives, up to where a call may begin.

    ``names`` are the tools that may be called; ``sink`` gets the text, and an empty text for what
    is held back, so that it can stop it.
    """

    def __init__(self, names: Collection[str], sink: TokenSink | None) -> None:
        self._names = names
        self._sink = sink
        self._text = ""
        self._shown = 0
        self._held = False

    def feed(self, piece: str) -> None:
        """Takes the next piece of the text."""
        self._text += piece
        if not self._held:
            opener = _OPENER.search(self._text, self._shown)
            self._held = opener is not None
            self._show(opener.start() if opener else self._certain(), piece)
        elif self._sink is not None:
            self._sink("")

    def close(self, text: str) -> tuple[str, list[_Call]]:
        """Ends the reply, of which ``text`` is what counts. Returns it without the calls, and
        those; what was held back and is no call is handed on now."""
        rest, calls = read_calls(text, self._names)
        if not calls:
            self._show(len(self._text), "")
        return rest, calls

    def _certain(self) -> int:
        """How much of the text cannot be the beginning of an opener."""
        found = _BEGINNING.search(self._text, self._shown)
        if found is not None:
            return found.start()
        parts = (n for n in range(len(_TAG) - 1, 0, -1) if self._text.endswith(_TAG[:n]))
        return len(self._text) - next(parts, 0)

    def _show(self, end: int, piece: str) -> None:
        text, self._shown = self._text[self._shown : end], max(end, self._shown)
        if self._sink is not None and (text or piece):
            self._sink(text)


def read_calls(text: str, names: Collection[str]) -> tuple[str, list[_Call]]:
    """(the text without calls, the calls in it) of the tools with these ``names``.

    Between tags anything with a name is a call, so that the model can be told what is wrong with
    it; elsewhere only a JSON object with the name of a tool.
    """
    if _TAG in text:
        calls = [call for body in _TAGGED.findall(text) for call in _tagged_calls(body)]
        if calls:
            return _TAGGED.sub("", text).strip(), calls
    for pattern in (_FENCED, _BARE):
        found: list[_Call] = []

        def taken(match: re.Match[str], found: list[_Call] = found) -> str:
            calls = _calls_in(match.group(1), names)
            found += calls
            return "" if calls else match.group()

        rest = pattern.sub(taken, text)
        if found:
            return rest.strip(), found
    return text, []


def _tagged_calls(body: str) -> list[_Call]:
    calls = [call for value in _values(body) if (call := _call(value)) is not None]
    if calls:
        return calls
    name = _NAME.search(body)
    if name is None:
        return []
    arguments = _ARGUMENTS.search(body)
    return [(name.group(1), arguments.group(1).strip() if arguments else "{}")]


def _calls_in(body: str, names: Collection[str]) -> list[_Call]:
    """The calls that a text consists of; none when something else is in it too."""
    calls = [_call(value) for value in _values(body)]
    if not all(call is not None and call[0] in names for call in calls):
        return []
    return [call for call in calls if call is not None]


def _values(body: str) -> Iterator[Any]:
    """The JSON values that a text consists of, one after the other, lists taken apart; up to where
    it is JSON no more."""
    body = body.strip()
    if body.startswith("{{"):  # the example in Qwen2.5's template has its braces doubled
        body = body[1:]
    body += _missing_brackets(body)
    decoder, at = json.JSONDecoder(strict=False), 0
    while at < len(body):
        try:
            value, at = decoder.raw_decode(body, at)
        except ValueError:
            return
        yield from value if isinstance(value, list) else [value]
        at = len(body) - len(body[at:].lstrip(" \t\r\n,;}"))


def _missing_brackets(body: str) -> str:
    """The brackets that a text leaves open, closed: small models lose count at the end. Nothing for
    one that ends within a string, which was cut off."""
    open_ones: list[str] = []
    rest = _STRING.sub("", body)
    if '"' in rest:
        return ""
    for character in rest:
        if character in "{[":
            open_ones.append("}" if character == "{" else "]")
        elif open_ones and character == open_ones[-1]:
            open_ones.pop()
    return "".join(reversed(open_ones))


def _call(value: Any) -> _Call | None:
    """The call that a JSON value is: ``{"name": …, "arguments": …}`` or one of its relatives."""
    if not isinstance(value, dict):
        return None
    inner = value.get("function")
    if isinstance(inner, dict):
        return _call(inner)
    name = next((value[key] for key in ("name", "tool", "function") if key in value), None)
    if not isinstance(name, str) or not name:
        return None
    given = (value[key] for key in ("arguments", "parameters", "args") if key in value)
    arguments: Any = next(given, {})
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return name, arguments or "{}"
