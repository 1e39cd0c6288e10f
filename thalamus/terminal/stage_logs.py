"""The log of a turn's stages as text: full input and output of each."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from thalamus.records import PromptMessage, StageLog
from thalamus.terminal.streams import say, say_text
from thalamus.text.visible import visible

# shown in another form, or part of the prompt
_SHOWN = ("evidence", "used", "answer")


def show(logs: Sequence[StageLog]) -> None:
    """Prints the logs of a turn; on a terminal each below a rule with the name of the stage."""
    for number, log in enumerate(logs):
        if sys.stdout is not None and sys.stdout.isatty():
            _show_rule(_heading(log))
        else:
            if number:
                say()
            say(_heading(log))
        for line in _lines(log):
            say_text(visible(line))


def _show_rule(heading: str) -> None:
    """A rule across the terminal. Respects NO_COLOR and COLUMNS."""
    from rich.console import Console
    from rich.text import Text

    Console(file=sys.stdout, highlight=False).rule(Text(visible(heading), style="bold"))


def _heading(log: StageLog) -> str:
    model = f"  {log.model}" if log.model else ""
    return f"{log.stage}{model}  {log.at}  {log.ms} ms"


def _lines(log: StageLog) -> Iterator[str]:
    for name, value in log.given.items():
        yield f"given {name}: {_value(value)}"
    for call in log.calls:
        yield from _call(call.role, call.messages, call.reply)
    if log.messages:
        yield from _call(log.stage, log.messages, log.reply or "")
    used = log.gave.get("used", ())
    for item in log.gave.get("evidence", ()):
        yield f"gave evidence {_evidence(item)}"
    if "answer" in log.gave:
        yield f"gave answer: {log.gave['answer']}"
        yield f"used evidence: {', '.join(used) or 'none'}"
    for name, value in log.gave.items():
        if name not in _SHOWN:
            yield f"gave {name}: {_value(value)}"


def _call(role: str, messages: Sequence[PromptMessage], reply: str) -> Iterator[str]:
    yield f"asked ({role})"
    for message in messages:
        yield from _block(f"  [{message.role}] ", message.content)
    yield from _block("  [reply] ", reply)


def _block(label: str, text: str) -> Iterator[str]:
    """A text below its label, with its further lines indented."""
    for number, line in enumerate(text.split("\n")):
        yield (label if number == 0 else "    ") + line


def _evidence(item: dict[str, Any]) -> str:
    scores = ", ".join(f"{name} {score:g}" for name, score in item.get("scores", {}).items())
    parts = f" ({scores})" if scores else ""
    return f"{item.get('rank')}. {item.get('score'):g}{parts} {item.get('text')}  [{item['id']}]"


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
