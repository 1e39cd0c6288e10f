"""Deletion of a planned erasure in one transaction, with what was derived from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.memory.forget.fingerprints import erased_records
from thalamus.memory.forget.world import erase_elements
from thalamus.policy.erasure import ErasurePlan, ScanItem, Shortened, is_given
from thalamus.records import (
    Document,
    Event,
    ExportedFile,
    Insight,
    Memory,
    Provenance,
    Record,
    SessionTitle,
    StageLog,
    Turn,
    WorldChange,
)
from thalamus.records.identity import identity_hash
from thalamus.records.kinds import Kind, kind_named, kind_of, numbered
from thalamus.records.ownership import DEFAULT_USER
from thalamus.store import batches as batch_rows
from thalamus.store import embeddings, insights, ledger, links, memories
from thalamus.store import records as record_rows
from thalamus.store import world as world_rows
from thalamus.store.encryption import contents
from thalamus.store.erasure import ErasedContent
from thalamus.store.ledger import FORGOTTEN

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.store.writer import Writer

PREFIX = 64  # leading bytes that identify a vector or an encrypted value
_FIELDS = {"quote": ("quote", "heading"), "turn": ("turn",)}  # provenance fields that are cut


def forget_rows(
    writer: Writer,
    plan: ErasurePlan,
    names: list[str],
    clock: Clock,
    fingerprints: Callable[[list[Record]], dict[str, Any]],
) -> ErasedContent:
    """Deletes and cuts rows in the current transaction, empties ledger entries and records that in
    the ledger with ``fingerprints`` of the deleted records. Returns the erased content, which
    exists nowhere else."""
    records = erased_records(plan, writer)
    erased = ErasedContent(names=[*names, *plan.sessions], before=_head(writer))
    waiting, batches = _summed_up(writer, plan), _batches_of(writer, plan)
    for (name, id), item in plan.deleted.items():
        erased.counts[name] = erased.counts.get(name, 0) + 1
        erased.texts += [(id, name, text) for text in _searched_texts(name, item)]
        if name != "event" and is_given(id):
            erased.texts.append((id, name, id))
        if name not in ("event", "world"):
            _delete(writer, name, kind_named(name), id, erased)
    for one in plan.shortened.values():
        _shorten(writer, one, erased)
    erased.vectors += [data[:PREFIX] for data in erase_elements(writer, plan, clock)]
    if waiting:  # nothing else records these
        writer.change(Memory, waiting, status="active", batch=None)
    if members := _merged_into(writer, plan):
        writer.change(Insight, members, status="active", merged_into=None, batch=None)
    if batches:
        batch_rows.mark_purged(writer, batches, clock.stamp())
    erased.texts += [("", "quote", text) for text in plan.cut_words]
    for (name, id), parts in plan.cuts.items():
        kind = kind_named(name)
        assert kind is not None  # only records are cut, not auxiliary rows
        _cut(writer, kind, id, parts)
    _release_files(writer, {id for _, id in plan.deleted})
    for session in plan.sessions:
        _rename(writer, session, clock)
    entries = [int(id) for id in plan.ids("event")]
    if entries:
        writer.empty_events(entries)
    data = {"entries": spans(entries), "counts": dict(sorted(erased.counts.items()))}
    data |= fingerprints(records)
    # without the name of a user, which may be what was forgotten
    event = Event(name=FORGOTTEN, at=clock.stamp(), user=DEFAULT_USER, data=data)
    writer.add_event(event)
    erased.after = _head(writer)
    return erased


def _shorten(writer: Writer, one: Shortened, erased: ErasedContent) -> None:
    """Removes sentences and the answer from a turn; records the possible remains."""
    id = one.turn.id
    for name, count in one.counts.items():
        erased.counts[name] = erased.counts.get(name, 0) + count
    erased.texts += [(id, "turn", text) for text in one.texts]
    keys = _note_vectors(writer, "turn", id, erased)
    writer.change(Turn, id, message=one.left, answer=None)
    for key in keys:
        writer.put_vector(key, None)


def _release_files(writer: Writer, deleted: set[str]) -> None:
    """Removes deleted ids from the known contents of data set files."""
    for file in list(writer.each(ExportedFile)):
        left = [id for id in file.holds if id not in deleted]
        if len(left) < len(file.holds):
            writer.change(ExportedFile, file.stored_id, holds=left)


def _searched_texts(name: str, item: ScanItem) -> list[str]:
    """Texts to search files for after a row is deleted. Quotes in a log are searched for
    separately."""
    if name == "stage_log":
        return []
    texts = item.texts if name != "event" else [text for text in item.texts if " " in text]
    return [*texts, *item.quotes]


def spans(numbers: Iterable[int]) -> list[list[int]]:
    """Runs of numbers as [first, last]: 1, 2, 3, 7 -> [[1, 3], [7, 7]]."""
    found: list[list[int]] = []
    for number in sorted(set(numbers)):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def _head(writer: Writer) -> dict[str, object]:
    """Number and hash of the last ledger entry."""
    seq, hash = ledger.end(writer)
    return {"seq": seq, "hash": hash}


def _delete(writer: Writer, name: str, kind: Kind | None, id: str, erased: ErasedContent) -> None:
    """Deletes a record or a row with its words; records the possible remains."""
    if kind is None:
        batch_rows.delete_item(writer, *json.loads(id))
        return
    if not kind.has_id:
        record_rows.delete_identified(writer, kind.record, json.loads(id))
        return
    erased.keys += _note_vectors(writer, name, id, erased)
    writer.remove(id)


def _note_vectors(writer: Writer, name: str, id: str, erased: ErasedContent) -> list[int]:
    """Records the first bytes of a row's embeddings and encrypted values; returns its keys."""
    erased.vectors += [data[:PREFIX] for data in contents.ciphertexts(writer, name, id)]
    kind = kind_named(name)
    if kind is None or not kind.numbered:
        return []
    key = writer.key(kind.record, id)
    keys = [] if key is None else [key]
    for vectors in embeddings.of_keys(writer, keys):
        erased.vectors += [data[:PREFIX] for data in vectors if data]
    return keys


def _summed_up(writer: Writer, plan: ErasurePlan) -> list[str]:
    """Memories retired in favour of a summary that is deleted; they are restored."""
    deleted = plan.ids("memory")
    if not deleted:
        return []
    targets = dict.fromkeys(links.targets(writer, deleted, "derived_from"))
    ids = [id for id in targets if id not in deleted]
    return memories.in_status(writer, ids, "retired")


def _merged_into(writer: Writer, plan: ErasurePlan) -> list[str]:
    """Insights merged into one that is deleted; they are reactivated."""
    deleted = plan.ids("insight")
    return [id for id in insights.merged_into(writer, deleted) if id not in deleted]


def _batches_of(writer: Writer, plan: ErasurePlan) -> list[str]:
    """Batches that changed something that is deleted, because undoing one would delete what it
    created and restore nothing; and batches that are themselves deleted changes of the world state.
    (A batch that was undone has no items left.)"""
    deleted = [*plan.ids("memory"), *plan.ids("fact")]
    found = batch_rows.of(writer, deleted, changed=True)
    found += batch_rows.of(writer, plan.ids("insight"))
    found += world_rows.batches_of(writer, plan.ids("world_change"))
    return list(dict.fromkeys(found))


def _cut(writer: Writer, kind: Kind, id: str, parts: set[str]) -> None:
    """Removes quotes, and the id of a deleted turn, from a record that stays."""
    [record] = writer.by_ids(kind.record, [id])
    if isinstance(record, Document):
        writer.put(structs.replace(record, summary=None, topic=None))
        return
    fields: dict[str, Any] = {}
    if "turn" in parts and isinstance(record, WorldChange):
        fields["turn"] = None
    source: Provenance | None = getattr(record, "provenance", None)
    if source is not None:
        emptied: dict[str, None] = {name: None for cut in parts for name in _FIELDS[cut]}
        fields["provenance"] = structs.replace(source, **emptied)
    if "quote" in parts:
        fields |= {name: [] if name in kind.packed else None for name in kind.quotes}
    if fields:
        writer.change(kind.record, id, **fields)


def _rename(writer: Writer, session: str, clock: Clock) -> None:
    """Renames a session whose name contains the words; its rows stay together."""
    name = clock.new_id("session", _head(writer)["seq"], len(session))
    for memory in filter(writer.owner.reaches, memories.in_session(writer, session)):
        renamed = structs.replace(memory, session=name)
        hidden = contents.ciphertexts(writer, "memory", memory.stored_id)
        marked = structs.replace(renamed, sensitivity="personal") if hidden else renamed
        identity = writer.hash(marked, identity_hash(renamed))
        writer.change(Memory, memory.stored_id, session=name, identity_hash=identity)
    for kind in (*numbered(), kind_of(StageLog), kind_of(SessionTitle)):
        if "session" in kind.columns:
            record_rows.rename_session(writer, kind.record, session, writer.owner, name)
