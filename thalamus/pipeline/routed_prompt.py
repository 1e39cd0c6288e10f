"""Additions of a routed turn to the prompt: results of its actions, and lookups that are not
evidence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import UNSET

from thalamus.policy.prompts import fence

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import ContextSource, Turn

DONE = "Done just now, for this message:"
FAILED = "It could not be done"
# sources whose texts are notes; a memory has text here if it is another program's
NOTES = ("memories", "facts", "notes", "manifest", "world", "tool")


def results(turn: Turn) -> list[str]:
    """Results of `act` as lines of the prompt; empty if it did nothing."""
    if not turn.route or turn.route != "world":
        return []
    calls = [call for call in turn.tool_calls or () if call.stage == "act"]
    succeeded = {call.name for call in calls if call.error is None}
    lines = _texts(source for source in _sources(turn) if source.tool in succeeded)
    failed = [call for call in calls if call.error is not None and call.name not in succeeded]
    lines += [f"- {FAILED}: {fence(call.error or '')}" for call in failed]
    return [DONE, *lines] if lines else []


def notes(turn: Turn) -> list[str]:
    """Lookups other than evidence as lines of the prompt."""
    if turn.route != "context":
        return []
    return _texts(source for source in _sources(turn) if source.kind in NOTES)


def leaves_out_evidence(turn: Turn, context: Context) -> bool:
    """True if memories about the project stay out of the prompt: a small model would mention them
    in a message that needs none."""
    return turn.status == "routed" and turn.route in ("answer", "world") and context.small("answer")


def _texts(sources: Iterable[ContextSource]) -> list[str]:
    """Texts of sources as lines of the prompt."""
    items = (item for source in sources for item in source.items)
    return [f"- {fence(item.text)}" for item in items if item.text]


def _sources(turn: Turn) -> list[ContextSource]:
    return turn.context.sources if turn.context is not UNSET else []
