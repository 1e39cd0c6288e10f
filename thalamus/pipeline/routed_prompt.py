"""Additions of a routed turn to the prompt: results of its actions, and lookups that are not
evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from thalamus.policy.prompts import fence
from thalamus.policy.speakers import AGENT, DOCUMENT, TOOL

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.records import ContextSource, Turn

DONE = "Done just now, for this message:"
FAILED = "It could not be done"
# sources whose texts are notes, with their speaker; a memory has text here if it is another
# program's
NOTES = {
    "memories": AGENT,
    "facts": "",
    "notes": DOCUMENT,
    "manifest": "",
    "world": "",
    "tool": TOOL,
}


def results(turn: Turn) -> list[str]:
    """Results of `act` as lines of the prompt; empty if it did nothing."""
    if not turn.route or turn.route != "world":
        return []
    calls = [call for call in turn.tool_calls or () if call.stage == "act"]
    succeeded = {call.name for call in calls if call.error is None}
    done = (source for source in _sources(turn) if source.tool in succeeded)
    lines = [f"- {text.removeprefix('- ')}" for source in done for text in _texts(source)]
    failed = [call for call in calls if call.error is not None and call.name not in succeeded]
    lines += [f"- {FAILED}: {fence(call.error or '')}" for call in failed]
    return [DONE, *lines] if lines else []


def notes(turn: Turn) -> list[str]:
    """Lookups other than evidence as lines of the prompt."""
    if turn.route != "context":
        return []
    lines = []
    for source in _sources(turn):
        if source.kind in NOTES:
            mark = f"[{speaker}] " if (speaker := NOTES[source.kind]) else ""
            lines += [f"- {mark}{text}" for text in _texts(source)]
    return lines


def leaves_out_evidence(turn: Turn, engine: Engine) -> bool:
    """True if memories about the project stay out of the prompt: a small model would mention them
    in a message that needs none."""
    return turn.status == "routed" and turn.route in ("answer", "world") and engine.small("answer")


def _texts(source: ContextSource) -> list[str]:
    """Texts of a source, fenced."""
    return [fence(item.text) for item in source.items if item.text]


def _sources(turn: Turn) -> list[ContextSource]:
    return turn.context.sources if turn.context is not UNSET else []
