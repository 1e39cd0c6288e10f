"""Acts on one fact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from thalamus.errors import UsageError
from thalamus.operations import OWNER, Act, Nothing
from thalamus.terminal.dates import read_date
from thalamus.terminal.lines import fact_line

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records import Fact


class End(Struct, frozen=True):
    """The fact that ended, and when."""

    what: Annotated[
        list[str], Meta(title="ID", description="The id of a fact, or SUBJECT PREDICATE OBJECT.")
    ]
    at: Annotated[str, Meta(title="--at DATE", description="No longer true since DATE.")]


class Retract(Struct, frozen=True):
    """The fact that never was true, and why."""

    id: Annotated[str, Meta(title="ID", description="The id of a fact, or a prefix of it.")]
    reason: Annotated[
        str | None, Meta(title="TEXT", description="The reason, recorded in the ledger.")
    ] = None


def _end(thalamus: Thalamus, given: End) -> list[Fact]:
    when = read_date(given.at, "--at")
    if when is None:
        raise UsageError("--at is empty")
    if len(given.what) not in (1, 3):
        raise UsageError("Give the id of a fact, or SUBJECT PREDICATE OBJECT.")
    if len(given.what) == 1:
        id = thalamus.store.find_id(given.what[0])
    else:
        id = thalamus.facts.last(*given.what, before=when).stored_id
    return _present(thalamus, id, thalamus.facts.end(id, when))


def _retract(thalamus: Thalamus, given: Retract) -> list[Fact]:
    id = thalamus.store.find_id(given.id, deleting=True)
    return _present(thalamus, id, thalamus.facts.retract(id, given.reason))


def _present(thalamus: Thalamus, id: str, changes: Sequence[Any]) -> list[Fact]:
    """The fact as it is now, then the other facts whose intervals changed."""
    ids = dict.fromkeys([id, *(change.id for change in changes)])
    return [thalamus.facts.get(name) for name in ids]


def _lines(facts: Sequence[Fact]) -> Iterator[str]:
    for number, fact in enumerate(facts):
        yield f"{'  now ' if number else ''}{fact_line(fact)}"


def _conflicts(thalamus: Thalamus, _: Nothing) -> list[Fact]:
    return [fact for group in thalamus.facts.conflicts() for fact in group]


def _settle(facts: Sequence[Fact]) -> str:
    if not facts:
        return "No facts contradict each other."
    name = facts[0].predicate
    return (
        f"`thalamus facts predicate {name} --one` lets the newest hold alone, `--many` says that"
        " all may; `thalamus facts end ID --at DATE` ends one."
    )


CONFLICTS = Act(Nothing, _conflicts, lambda found: map(fact_line, found), OWNER, _settle)
END = Act(End, _end, _lines, OWNER)
RETRACT = Act(Retract, _retract, _lines, OWNER)
