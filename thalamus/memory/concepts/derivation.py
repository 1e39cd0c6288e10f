"""Concepts: the subjects of every searchable record, computed as it is written.

At the end of each unit of work a store passes the added and changed keys to this module, so that
the concepts of anything written (a turn, an import, a document, an insight) are in the same
transaction. Concepts are an index, not records: nothing is lost with them, and `store reindex
--concepts` rebuilds them. Encrypted records have none, because the names would be stored in plain
text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from thalamus.memory.facts.entities import Names, names
from thalamus.policy.concepts import concept_key
from thalamus.policy.entities import USER, canonical, key_of
from thalamus.records.concepts import Concept, ConceptName
from thalamus.records.kinds import Kind, kind_named, kind_of
from thalamus.store import concepts
from thalamus.store import records as record_rows
from thalamus.store.encrypted import is_hidden
from thalamus.store.encryption import contents

if TYPE_CHECKING:
    from thalamus.records import Alias, Record
    from thalamus.store.base import Store
    from thalamus.store.concepts import ConceptRow
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Follower, Touched, Writer

BATCH = 500  # entries per transaction when all concepts are rebuilt
POSITION = "concepts_position"  # key in meta: progress of a rebuild
About = dict[int, tuple[str, Sequence[ConceptName]]]


def follower(failed: Callable[[Exception], None]) -> Follower:
    """Callback for a store at the end of each unit of work. If concepts cannot be computed, the
    records are stored without them and ``failed`` is called with the error."""

    def follow(writer: Writer, touched: Touched) -> None:
        changed = {key for keys in touched.changed.values() for key in keys}
        added = {key: it for key, it in touched.added.items() if key not in changed}
        records = {key: record for key, record in added.items() if _is_live(record)}
        visible = dict(_records(writer, touched.changed))
        try:
            new, other = _concepts_by_key(records, writer), _concepts_by_key(visible, writer)
        except Exception as error:  # errors of the rules; the database raises its own
            failed(error)
            return
        if new:
            concepts.put(writer, new, new=True)
        if changed:
            concepts.put(writer, {key: other.get(key, ("", ())) for key in sorted(changed)})

    return follow


def recompute(writer: Writer, keys: Mapping[str, Sequence[int]]) -> int:
    """Recomputes the concepts of entries, given their keys by table. Returns how many have any."""
    found = _concepts_by_key(dict(_records(writer, keys)), writer)
    every = sorted(key for some in keys.values() for key in some)
    concepts.put(writer, {key: found.get(key, ("", ())) for key in every})
    return len(found)


def recompute_all(store: Store, progress: Callable[[int], None]) -> int:
    """Recomputes the concepts of all entries, one transaction per batch. Resumes an interrupted
    run. Calls ``progress`` with the number of entries in each batch; returns the number processed
    in this run. Raises ``StoreBusy``, ``StoreFull``."""
    count, position = 0, rebuild_position(store)
    while rows := store.keys_after(position, BATCH):
        keys: dict[str, list[int]] = {}
        for key, table in rows:
            keys.setdefault(table, []).append(key)
        with store.writing() as writer:
            recompute(writer, keys)
            position = rows[-1][0]
            writer.set_value(POSITION, str(position))
        count += len(rows)
        progress(len(rows))
    with store.writing() as writer:
        writer.set_value(POSITION, None)
    return count


def rebuild_position(reader: Reader) -> int:
    """Key up to which an interrupted rebuild came; 0 without one."""
    return int(reader.value(POSITION) or 0)


def missing(store: Store, limit: int) -> tuple[int, int]:
    """(entries that should have concepts and have none, entries examined): the newest ``limit`` of
    those without."""
    keys: dict[str, list[int]] = {}
    for key, table in concepts.missing(store, limit):
        keys.setdefault(table, []).append(key)
    looked_at = sum(map(len, keys.values()))
    return len(_concepts_by_key(dict(_records(store, keys)), store)), looked_at


def concept_id(owner: str, key: str) -> str:
    """Id of a concept, derived from its owner and its key."""
    digest = hashlib.blake2b(f"{owner}\x00{key}".encode(), digest_size=8).hexdigest()
    return f"con_{digest}"


def as_record(row: ConceptRow, seen_at: str | None = None, aliases: Sequence[str] = ()) -> Concept:
    """A concept as the record that is shown."""
    return Concept(
        id=concept_id(row.owner, row.key),
        name=row.name,
        aliases=list(aliases),
        kind=row.kind,
        seen=row.seen,
        seen_at=seen_at,
        user=row.owner or None,
    )


# -- computing -------------------------------------------------------------------------------------


def _is_live(record: Record) -> bool:
    """True for a record that can be found."""
    live = kind_of(type(record)).live
    return live is None or getattr(record, live[0]) == live[1]


def _records(reader: Reader, keys: Mapping[str, Sequence[int]]) -> Iterator[tuple[int, Record]]:
    """Searchable, unencrypted records with these keys."""
    for table, some in keys.items():
        kind = kind_named(table)
        if kind is not None and some:
            yield from _of_kind(reader, kind, some)


def _of_kind(reader: Reader, kind: Kind, keys: Sequence[int]) -> Iterator[tuple[int, Record]]:
    by_id = {id: key for key, id in record_rows.ids_by_key(reader, kind.record, keys).items()}
    hidden = contents.ids(reader, by_id)
    plain = tuple(id for id in by_id if id not in hidden)
    for record in reader.by_ids(kind.record, plain) if plain else ():
        if _is_live(record) and not is_hidden(record):
            yield by_id[record.id], record  # type: ignore[attr-defined]


def _concepts_by_key(records: Mapping[int, Record], reader: Reader) -> About:
    """Concepts of records, by key; records without concepts are left out."""
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
        about = [it for one in named for it in merged_concept(one, merged[owner])]
        if about:
            found[key] = owner, about
    return found


def merged_names(known: Names) -> dict[str, Alias]:
    """Aliases by concept key as well."""
    return {key: a for a in known.values() for key in (concept_key(a.name), key_of(a.name))}


def merged_concept(one: ConceptName, merged: Mapping[str, Alias]) -> Iterator[ConceptName]:
    """The concept that a name was merged into; nothing when that is the user."""
    if not merged or (one.key not in merged and key_of(one.name) not in merged):
        yield one
        return
    targets = {key: concept_key(alias.target) for key, alias in merged.items()}
    first = one.key if one.key in merged else key_of(one.name)
    key = canonical(first, targets)
    if key == USER:
        return
    target_names = [alias.target for alias in merged.values() if concept_key(alias.target) == key]
    yield (
        one
        if key == one.key
        else ConceptName(key, target_names[0] if target_names else one.name, one.kind)
    )
