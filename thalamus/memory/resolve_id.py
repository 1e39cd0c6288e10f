"""From what a user types to what it names: ids by their beginning, facts by their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.errors import NothingFound, UsageError
from thalamus.policy.entities import fold
from thalamus.records import Fact, Memory

if TYPE_CHECKING:
    from thalamus.storage.protocol import Store

LEAST = 6  # characters after the kind by which something is deleted


def resolve(store: Store, prefix: str) -> str:
    """The id that ``prefix`` is, or is the beginning of.

    Raises ``NothingFound``, or ``UsageError`` naming the ids when several begin like that.
    """
    if store.get(prefix) is not None:
        return prefix
    found = store.complete_id(prefix) if prefix else []
    if not found:
        fix = "`thalamus memory`, `facts`, `retrieve` and `trace` print ids."
        raise NothingFound(f"the id {prefix!r}", fix=fix)
    if len(found) > 1:
        raise UsageError(
            f"Ambiguous id {prefix!r}: {', '.join(found)}.", fix="Give a longer prefix."
        )
    return found[0]


def resolve_to_delete(store: Store, prefix: str) -> str:
    """The same for what cannot be taken back: a whole id, or at least ``LEAST`` characters after
    the kind (``mem_``). Raises ``UsageError`` for less."""
    id = resolve(store, prefix)
    kind = id[: id.find("_") + 1]
    if id != prefix and len(prefix) < len(kind) + LEAST:
        raise UsageError(
            f"{prefix!r} is too short to select {id} for an irreversible command.",
            fix=f"Give the full id, or at least {LEAST} characters after {kind!r}."
            if kind
            else f"Give the full id, or at least {LEAST} characters of it.",
        )
    return id


def find_memory(store: Store, prefix: str, *, deleting: bool = False) -> Memory:
    """The memory with this id, or the only one whose id begins like this; for ``deleting`` see
    ``resolve_to_delete``. Raises ``NothingFound``, ``UsageError``."""
    full = (resolve_to_delete if deleting else resolve)(store, prefix)
    memory = store.get(full)
    if not isinstance(memory, Memory):
        raise UsageError(f"{full} is not a memory.", fix=f"`thalamus why {full}` shows what it is.")
    return memory


def find_quarantined(store: Store, prefix: str, *, deleting: bool = False) -> Memory:
    """The same for a memory in quarantine. Raises ``UsageError`` for one that is not."""
    memory = find_memory(store, prefix, deleting=deleting)
    if memory.status != "quarantined":
        fix = "`thalamus memory --status quarantined` lists those that are."
        raise UsageError(f"{memory.id} is not in quarantine.", fix=fix)
    return memory


def get_fact(store: Store, id: str) -> Fact:
    """The fact with this id. Raises ``NothingFound``."""
    fact = store.get(id)
    if not isinstance(fact, Fact):
        raise NothingFound(f"the fact {id!r}", fix="`thalamus facts` shows the ids of facts.")
    return fact


def last_fact(facts: Sequence[Fact], predicate: str, object: str, before: str) -> Fact | None:
    """The one of a subject's ``facts`` with this predicate and object that began last before a
    time, or at all; None when there is none. Retracted ones are left out."""
    found = [
        fact
        for fact in facts
        if fact.predicate == predicate
        and fold(fact.object) == fold(object)
        and fact.retired_at is None
    ]
    begun = [fact for fact in found if (fact.valid_from or fact.created_at or "") <= before]
    return max(
        begun or found, key=lambda fact: fact.valid_from or fact.created_at or "", default=None
    )
