"""Requests to the memory itself: to forget something.

Whether a message is such a request, and what it means, only the model that extracts can tell. The
one that answers cannot delete anything and is told to name the command that does; so an answer that
names it may belong to a request, whose extraction does not wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.records import Turn

FORGET = "/forget"


def may_ask_to_forget(turn: Turn) -> bool:
    """True if the answer of a turn names the command that forgets."""
    return FORGET in (turn.answer or "")


def to_forget(turn: Turn) -> list[str]:
    """Ids of what a turn asks to forget, and of the turn itself, which says it again; none if it
    asks for nothing of the kind."""
    asked = turn.reflection.forget if turn.reflection is not None else []
    return [*asked, turn.stored_id] if asked else []
