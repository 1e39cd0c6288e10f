"""Resolution of typed ids and words: ids by prefix, records by their words."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from thalamus.errors import NothingFound, NothingMatches, UsageError
from thalamus.records import Fact, Memory, Turn

if TYPE_CHECKING:
    from thalamus.store.base import Store
    from thalamus.store.values import Filter, IndexedRow

SEARCHED = 200  # entries with some of the words, searched for those with all of them
LEAST = 6  # characters after the kind that are required for a deletion


def reachable(store: Store, id: str) -> Any:
    """The record with this id; None also for one of another owner, which is as unknown as one that
    does not exist."""
    record = store.get(id)
    return record if record is not None and store.owner.reaches(record) else None


def resolve(store: Store, prefix: str) -> str:
    """The id with this prefix, of a record that the store's owner reaches.

    Raises ``NothingFound``, or ``UsageError`` with the ids when several match.
    """
    if reachable(store, prefix) is not None:
        return prefix
    found = _completed(store, prefix)
    if not found:
        fix = "`thalamus memory`, `thalamus facts` and `thalamus trace` print ids."
        raise NothingFound(f"the id {prefix!r}", fix=fix)
    if len(found) > 1:
        raise UsageError(
            f"Ambiguous id {prefix!r}: {', '.join(found)}.", fix="Give a longer prefix."
        )
    return found[0]


def _completed(store: Store, prefix: str) -> list[str]:
    """Ids with this prefix."""
    found = store.complete_id(prefix) if prefix else []
    return [id for id in found if reachable(store, id) is not None]


def resolve_or_search(store: Store, typed: str, where: Filter) -> list[str]:
    """The typed id, as ``resolve`` finds it; or else the ids of the turns whose message is these
    words, newest first; or else the ids of records that contain all of the words, newest first:
    turns only where no memory, fact or insight does.

    Raises ``NothingFound`` with a hint, ``UsageError`` as ``resolve``.
    """
    if "_" in typed or reachable(store, typed) is not None:
        with suppress(NothingFound):
            return [resolve(store, typed)]
    from thalamus.text.analyzer import words
    from thalamus.text.tokens import query_words, share_found

    search_words = query_words(typed)
    hits = store.search_text(search_words, where, SEARCHED) if search_words else []
    found = [hit.entry for hit in hits if share_found(search_words, words(hit.entry.text)) == 1]
    if turns := [entry for entry in found if _is_message(store, entry, words(typed))]:
        found = turns
    else:
        found = [entry for entry in found if entry.record != "turn"] or found
    if found:
        found.sort(key=lambda entry: (entry.created_at or "", entry.record == "fact"), reverse=True)
        return [entry.id for entry in found]
    if len(completed := _completed(store, typed)) == 1:
        return completed
    fix = "`thalamus memory` and `thalamus facts` list what is remembered."
    raise NothingMatches(f"Nothing is remembered with the id or the words {typed!r}.", fix=fix)


def _is_message(store: Store, entry: IndexedRow, typed: Sequence[str]) -> bool:
    """True for a turn whose message consists of these words, or forms of them."""
    from thalamus.text.analyzer import words
    from thalamus.text.tokens import similar

    turn = store.get(entry.id) if entry.record == "turn" else None
    message_words = words(turn.message) if isinstance(turn, Turn) else []
    return len(message_words) == len(typed) and all(map(similar, message_words, typed))


def resolve_to_delete(store: Store, prefix: str) -> str:
    """Resolves an id for an irreversible deletion: a whole id, or at least ``LEAST`` characters
    after the kind (``mem_``). Raises ``UsageError`` for less."""
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
    """The memory with this id or unique id prefix; for ``deleting`` see ``resolve_to_delete``.
    Raises ``NothingFound``, ``UsageError``."""
    full = (resolve_to_delete if deleting else resolve)(store, prefix)
    memory = store.get(full)
    if not isinstance(memory, Memory):
        fix = f"`thalamus why {full}` shows what it is."
        if isinstance(memory, Fact):
            fix += f" `thalamus facts correct {full}` corrects a fact."
        raise UsageError(f"{full} is not a memory.", fix=fix)
    return memory


def find_quarantined(store: Store, prefix: str, *, deleting: bool = False) -> Memory:
    """The quarantined memory with this id or prefix. Raises ``UsageError`` for one that is not in
    quarantine."""
    memory = find_memory(store, prefix, deleting=deleting)
    if memory.status != "quarantined":
        fix = "`thalamus memory --status quarantined` lists those that are."
        raise UsageError(f"{memory.id} is not in quarantine.", fix=fix)
    return memory


def get_fact(store: Store, id: str) -> Fact:
    """The fact with this id. Raises ``NothingFound``."""
    fact = reachable(store, id)
    if not isinstance(fact, Fact):
        raise NothingFound(f"the fact {id!r}", fix="`thalamus facts` shows the ids of facts.")
    return fact


def last_fact(facts: Sequence[Fact], predicate: str, object: str, before: str) -> Fact | None:
    """The latest of a subject's ``facts`` with this predicate and object that began before a time,
    if one is given; None when there is none. Retracted ones are left out."""
    from thalamus.text.analyzer import fold

    found = [
        fact
        for fact in facts
        if fact.predicate == predicate
        and fold(fact.object) == fold(object)
        and fact.retired_at is None
    ]
    earlier = [fact for fact in found if (fact.valid_from or fact.created_at or "") <= before]
    return max(
        earlier or found, key=lambda fact: fact.valid_from or fact.created_at or "", default=None
    )
