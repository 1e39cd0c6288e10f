"""Concepts: what everything that can be found is about, worked out as it is written.

A store tells this module at the end of each unit of work what was added and changed, so whatever
writes (a turn, an import, a document, an insight), its concepts are in the same transaction. They
are an index and no records: nothing is lost with them, and `store reindex --concepts` makes them
again. What is kept encrypted has none, for their names would stand there in plain words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from thalamus.memory.entities import Names, names
from thalamus.memory.personal import encrypted_ids
from thalamus.policy.concept_names import concept_key
from thalamus.policy.entities import USER, canonical, key_of
from thalamus.records import Concept
from thalamus.records.kinds import Kind, kind_named, kind_of
from thalamus.storage.protocol import ConceptName, is_hidden

if TYPE_CHECKING:
    from thalamus.records import Alias, Record
    from thalamus.storage.protocol import Follower, Reader, Store, Touched, Writer
    from thalamus.storage.protocol.concepts import ConceptRow

BATCH = 500  # entries that are worked out at a time when it is done for all
POSITION = "concepts_position"  # in meta: how far a run over all entries has come
About = dict[int, tuple[str, Sequence[ConceptName]]]


def follower(failed: Callable[[Exception], None]) -> Follower:
    """What a store calls at the end of each unit of work. When concepts cannot be worked out the
    records are stored without, and ``failed`` is told why."""

    def follow(writer: Writer, touched: Touched) -> None:
        changed = {key for keys in touched.changed.values() for key in keys}
        added = {key: it for key, it in touched.added.items() if key not in changed}
        records = {key: record for key, record in added.items() if _is_live(record)}
        again = dict(_records(writer, touched.changed))
        try:
            new, other = _worked_out(records, writer), _worked_out(again, writer)
        except Exception as error:  # of the rules: the database has its own errors
            failed(error)
            return
        if new:
            writer.set_concepts(new, new=True)
        if changed:
            writer.set_concepts({key: other.get(key, ("", ())) for key in sorted(changed)})

    return follow


def work_out(writer: Writer, keys: Mapping[str, Sequence[int]]) -> int:
    """Works out again what entries are about, given their keys by table; how many are about
    anything."""
    found = _worked_out(dict(_records(writer, keys)), writer)
    every = sorted(key for some in keys.values() for key in some)
    writer.set_concepts({key: found.get(key, ("", ())) for key in every})
    return len(found)


def work_out_all(store: Store, progress: Callable[[int], None]) -> int:
    """Works them out for all entries, in batches of a transaction each. A run that was ended goes
    on where it was. ``progress`` is told how many more entries were looked at. How many those were
    in this run. Raises ``StoreBusy``, ``StoreFull``."""
    done, position = 0, reached(store)
    while rows := store.keys_after(position, BATCH):
        keys: dict[str, list[int]] = {}
        for key, table in rows:
            keys.setdefault(table, []).append(key)
        with store.writing(more=True) as writer:
            work_out(writer, keys)
            position = rows[-1][0]
            writer.set_value(POSITION, position)
        done += len(rows)
        progress(len(rows))
    with store.writing() as writer:
        writer.set_value(POSITION, None)
    return done


def reached(reader: Reader) -> int:
    """The key up to which an unfinished run over all entries came; 0 without one."""
    return int(reader.value(POSITION) or 0)


def missing(store: Store, limit: int) -> tuple[int, int]:
    """How many entries have no concepts though they should, and how many were looked at: the
    newest ``limit`` of those without."""
    keys: dict[str, list[int]] = {}
    for key, table, _ in store.concepts.missing(limit):
        keys.setdefault(table, []).append(key)
    looked_at = sum(map(len, keys.values()))
    return len(_worked_out(dict(_records(store, keys)), store)), looked_at


def concept_id(owner: str, key: str) -> str:
    """The id of a concept, which follows from whose it is and what it is compared by."""
    digest = hashlib.blake2b(f"{owner}\x00{key}".encode(), digest_size=8).hexdigest()
    return f"con_{digest}"


def as_record(row: ConceptRow, seen_at: str | None = None, aliases: Sequence[str] = ()) -> Concept:
    """A concept as it is shown."""
    return Concept(
        id=concept_id(row.owner, row.key),
        name=row.name,
        aliases=list(aliases),
        kind=row.kind,
        seen=row.seen,
        seen_at=seen_at,
        user=row.owner or None,
    )


# -- working out -----------------------------------------------------------------------------------


def _is_live(record: Record) -> bool:
    """Whether a record can be found."""
    live = kind_of(type(record)).live
    return live is None or getattr(record, live[0]) == live[1]


def _records(reader: Reader, keys: Mapping[str, Sequence[int]]) -> Iterator[tuple[int, Record]]:
    """The records with these keys that can be found and are not encrypted."""
    for table, some in keys.items():
        kind = kind_named(table)
        if kind is not None and some:
            yield from _of_kind(reader, kind, some)


def _of_kind(reader: Reader, kind: Kind, keys: Sequence[int]) -> Iterator[tuple[int, Record]]:
    where = {"key": tuple(dict.fromkeys(keys))}
    by_id = {id: key for key, id in reader.records(kind.record).ids_by_key(where).items()}
    hidden = encrypted_ids(reader, by_id) if by_id else set()
    plain = tuple(id for id in by_id if id not in hidden)
    for record in reader.find(kind.record, {"id": plain}) if plain else ():
        if _is_live(record) and not is_hidden(record):
            yield by_id[record.id], record  # type: ignore[attr-defined]


def _worked_out(records: Mapping[int, Record], reader: Reader) -> About:
    """What records are about, by their keys; those that are about nothing are left out."""
    from thalamus.policy.concepts import concepts_of

    merged: dict[str, Mapping[str, Alias]] = {}
    found: About = {}
    for key, record in records.items():
        named = concepts_of(record)
        if not named:
            continue
        owner = getattr(record, "user", None) or ""
        if owner not in merged:
            merged[owner] = merged_names(names(reader, owner or None))
        about = [it for one in named for it in meant(ConceptName(*one), merged[owner])]
        if about:
            found[key] = owner, about
    return found


def merged_names(known: Names) -> dict[str, Alias]:
    """The aliases by what concepts are compared by, too."""
    return {key: a for a in known.values() for key in (concept_key(a.name), key_of(a.name))}


def meant(one: ConceptName, merged: Mapping[str, Alias]) -> Iterator[ConceptName]:
    """The concept that a name was merged into; nothing where that is the user."""
    if not merged or (one.key not in merged and key_of(one.name) not in merged):
        yield one
        return
    targets = {key: concept_key(alias.target) for key, alias in merged.items()}
    first = one.key if one.key in merged else key_of(one.name)
    key = canonical(first, targets)
    if key == USER:
        return
    shown = [alias.target for alias in merged.values() if concept_key(alias.target) == key]
    yield one if key == one.key else ConceptName(key, shown[0] if shown else one.name, one.kind)
