"""Tool calls that a model writes into its reply as text.

Small models know that tools are called with JSON, but not where: Qwen2.5-Coder writes the call in a
code fence, or bare, instead of between the tags described in its template, and the server passes it
on as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

from thalamus.models.protocol import TokenSink

_FENCE = r"```[ \t]*(?:json|tool_call|tool_code)?[ \t]*\n"
_OPENER = re.compile(rf"<tool_call>|^[ \t]*(?:{_FENCE}\s*[{{\[]|[{{\[])", re.MULTILINE)
# end of a text that may still become an opening tag
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
    """Passes on the text of a reply as it arrives, up to the possible start of a call.

    ``names``: tools that may be called; ``sink`` gets the text, and an empty text for text held
    back, so that it can stop the model.
    """

    def __init__(self, names: Collection[str], sink: TokenSink | None) -> None:
        self._names = names
        self._sink = sink
        self._text = ""
        self._shown = 0
        self._held = False

    def feed(self, piece: str) -> None:
        """Adds the next piece of the text."""
        self._text += piece
        if not self._held:
            opener = _OPENER.search(self._text, self._shown)
            self._held = opener is not None
            self._show(opener.start() if opener else self._safe_length(), piece)
        elif self._sink is not None:
            self._sink("")

    def close(self, text: str) -> tuple[str, list[_Call]]:
        """Ends the reply, whose visible part is ``text``. Returns it without calls, and the calls.
        Text that was held back but is not a call is passed on now."""
        rest, calls = read_calls(text, self._names)
        if not calls:
            self._show(len(self._text), "")
        return rest, calls

    def _safe_length(self) -> int:
        """Length of the prefix that is safe to show: no opening tag can start in it."""
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
    """The text without calls, and the calls of tools with these ``names``.

    Between tags anything with a name is a call, so that the model can be told about its mistake;
    elsewhere only a JSON object with the name of a tool.
    """
    if _TAG in text:
        calls = [call for body in _TAGGED.findall(text) for call in _tagged_calls(body)]
        if calls:
            return _TAGGED.sub("", text).strip(), calls
    for pattern in (_FENCED, _BARE):
        found: list[_Call] = []

        def remove_calls(match: re.Match[str], found: list[_Call] = found) -> str:
            calls = _calls_in(match.group(1), names)
            found += calls
            return "" if calls else match.group()

        rest = pattern.sub(remove_calls, text)
        if found:
            return rest.strip(), found
    return text, []


def _tagged_calls(body: str) -> list[_Call]:
    calls = [call for value in read_values(body)[0] if (call := _call(value)) is not None]
    if calls:
        return calls
    name = _NAME.search(body)
    if name is None:
        return []
    arguments = _ARGUMENTS.search(body)
    return [(name.group(1), arguments.group(1).strip() if arguments else "{}")]


def _calls_in(body: str, names: Collection[str]) -> list[_Call]:
    """Calls that make up a text; empty if it contains anything else."""
    calls = [_call(value) for value in read_values(body)[0]]
    if not all(call is not None and call[0] in names for call in calls):
        return []
    return [call for call in calls if call is not None]


def read_values(body: str) -> tuple[list[Any], str]:
    """Consecutive JSON values of a text, with lists flattened, up to the first invalid one; and the
    rest of the text."""
    body = body.strip()
    if body.startswith("{{"):  # the example in Qwen2.5's template has doubled braces
        body = body[1:]
    body += _missing_brackets(body)
    decoder, at = json.JSONDecoder(strict=False), 0
    values: list[Any] = []
    while at < len(body):
        try:
            value, at = decoder.raw_decode(body, at)
        except (ValueError, RecursionError):
            break
        values += value if isinstance(value, list) else [value]
        at = len(body) - len(body[at:].lstrip(" \t\r\n,;}"))
    return values, body[at:]


def _missing_brackets(body: str) -> str:
    """Closing brackets missing at the end of a text: small models lose count there. Empty if the
    text ends within a string, since it was cut off."""
    expected: list[str] = []
    rest = _STRING.sub("", body)
    if '"' in rest:
        return ""
    for character in rest:
        if character in "{[":
            expected.append("}" if character == "{" else "]")
        elif expected and character == expected[-1]:
            expected.pop()
    return "".join(reversed(expected))


def _call(value: Any) -> _Call | None:
    """The call in a JSON value: ``{"name": …, "arguments": …}`` or a variant."""
    if not isinstance(value, dict):
        return None
    inner = value.get("function")
    if isinstance(inner, dict):
        return _call(inner)
    name = next((value[key] for key in ("name", "tool", "function") if key in value), None)
    if not isinstance(name, str) or not name:
        return None
    arguments_found = (value[key] for key in ("arguments", "parameters", "args") if key in value)
    arguments: Any = next(arguments_found, {})
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return name, arguments or "{}"
