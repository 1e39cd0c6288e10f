"""Import of an export: records are kept unchanged, existing ones are skipped, and memories pass the
gate for writing like any other."""

from __future__ import annotations

import math
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from typing import TYPE_CHECKING, TypeVar

from msgspec import UNSET, structs

from thalamus.errors import RecordProblem
from thalamus.memory.draft import Draft, NewMemories
from thalamus.memory.facts import assertion as facts
from thalamus.memory.facts.entities import add_alias
from thalamus.memory.forget.scan import identity_of
from thalamus.memory.imported_turns import put_answer
from thalamus.memory.memories import KnownMemories
from thalamus.memory.normalize import (
    check_same_record,
    check_texts,
    check_vector,
    normalize_times,
    own_id,
)
from thalamus.memory.plain_sources import turns_of_personal
from thalamus.memory.user.world import put_imported
from thalamus.memory.write import admit_memories
from thalamus.policy.consent import RULE, forbidden
from thalamus.policy.vector import pack
from thalamus.records import (
    Alias,
    Document,
    Event,
    Fact,
    Link,
    Memory,
    Plan,
    Predicate,
    Record,
    Turn,
    World,
)
from thalamus.records.base import tag_of
from thalamus.records.kinds import kind_of, kinds, known
from thalamus.records.ownership import Owner, common_owner
from thalamus.store import documents, embeddings, ledger
from thalamus.store import records as record_rows
from thalamus.store.base import Store
from thalamus.store.encryption import contents
from thalamus.store.encryption.sources import encrypt
from thalamus.store.values import Vector
from thalamus.store.writer import RollBack, Writer

if TYPE_CHECKING:
    from thalamus.engine import Engine

Importable = Record  # stored kinds of records, or a ledger entry


def importable() -> list[type[Record]]:
    """Classes of records in an export."""
    return [*(kind.record for kind in kinds()), Event]


R = TypeVar("R", bound=Importable)
_OF_A_BATCH = (
    *("added", "there", "forgotten", "refused", "unwanted", "left_out", "_last_hash", "_replayed"),
    *("rehashed", "_last_event", "answered"),
    *("_facts", "_refused_ids", "_made_of", "_turns", "_part_owners"),
)
_OF_A_PIPELINE = (
    "dialogue evidence profile retrieval_instructions reflection stored plan trace".split()
)


class Importer:
    """Imports records in batches, without those that ``is_forgotten``.

    ``added``, ``there`` and ``forgotten``: counts by kind; ``refused``: memories refused by a
    plugin; ``unwanted``: excluded by the setting ``remember``; ``left_out``: ledger entries that
    could not be replayed because this store has its own ledger; ``answered``: stored turns that had
    no answer and have one now; ``rehashed``: those with another
    hash than in the export, because they are encrypted here, or follow such a one. With ``dry_run``
    it only counts.
    """

    def __init__(
        self,
        engine: Engine,
        is_forgotten: Callable[[Record], bool] | None = None,
        *,
        dry_run: bool = False,
    ) -> None:
        self._engine = engine
        self._is_forgotten = is_forgotten
        self._dry_run = dry_run
        self.added: Counter[str] = Counter()
        self.there: Counter[str] = Counter()
        self.forgotten: Counter[str] = Counter()
        self.refused = self.unwanted = 0
        self.left_out = self.rehashed = self.answered = 0
        self._sizes: dict[str, int] | None = None
        self._known_events: set[str] | None = None
        self._last_hash: str | None = None
        self._last_event: str | None = None
        self._replayed: str | None = None
        self._facts: list[str] = []
        self._refused_ids: set[str] = set()
        self._made_of: dict[str, str] = {}  # turns of imported memories and facts
        self._turns: set[str] = set()  # imported turns
        self._part_owners: dict[str, frozenset[tuple[str | None, str | None]]] = {}  # by document

    def check(self, record: R) -> R:
        """The record with normalized times, recorded now unless it says when. Raises
        ``RecordProblem`` with the field."""
        check_texts(record)
        kind = known(type(record))
        for name in kind.required if kind is not None else ():
            if (own_id(record) if name == "id" else getattr(record, name)) is None:
                raise RecordProblem(
                    name, "is missing; use `thalamus store` for records that are not from an export"
                )
        if isinstance(record, Turn):
            for name in _OF_A_PIPELINE:
                if getattr(record, name):
                    problem = "is not part of an export; use `thalamus store` for such turns"
                    raise RecordProblem(name, problem)
        elif isinstance(record, (Memory, Fact)):
            self._check_vector(record)
        if isinstance(record, Event):
            return record
        if getattr(record, "recorded_at", "") is None:
            record = structs.replace(record, recorded_at=self._engine.clock.stamp())
        return normalize_times(record)

    def add(self, records: Sequence[Importable]) -> None:
        """Stores checked records in one transaction. Raises ``StoreBusy``, ``StoreFull``, and
        ``RecordProblem`` for an id that another record has; then none is stored."""
        if self._dry_run and self._engine.open_store(False) is None:
            self.added.update(tag_of(type(record)) for record in records)
            return
        store = self._store()
        before = {name: copy(getattr(self, name)) for name in _OF_A_BATCH}
        drafts = self._admitted(records)
        try:
            with suppress(RollBack), store.writing() as writer:
                if any(isinstance(record, Event) for record in records):
                    self._read_ledger(store)
                known = KnownMemories(writer)
                known.load([draft.record for draft in drafts.values()])
                # where memories came from is said by the links of the export
                new = NewMemories(writer, self._engine, known, linked=False)
                for index, record in enumerate(records):
                    self._add(drafts.get(index, record), index, writer, store, known, new)
                new.save()
                if self._dry_run:
                    raise RollBack
        except BaseException:
            vars(self).update(before)
            raise

    def _admitted(self, records: Sequence[Importable]) -> dict[int, Draft[Memory]]:
        """The memories that pass the gate for writing, by position."""
        places = [n for n, record in enumerate(records) if isinstance(record, Memory)]
        memories = [record for record in records if isinstance(record, Memory)]
        drafts = admit_memories(memories, self._engine)
        for draft in drafts:
            if draft.record.status != "quarantined":
                draft.vector = _vector(draft.record)
        return dict(zip(places, drafts, strict=True))

    def _add(
        self,
        item: Importable | Draft[Memory],
        index: int,
        writer: Writer,
        store: Store,
        known: KnownMemories,
        new: NewMemories,
    ) -> None:
        record = item.record if isinstance(item, Draft) else item
        name = tag_of(type(record))
        if isinstance(record, Memory):
            self._note_document(record)
        if self._stays_forgotten(record, writer):
            self.forgotten[name] += 1
            self._refused_ids.add(getattr(record, "id", None) or "")
            return
        try:
            if isinstance(item, Draft):
                added = self._put_memory(item, writer, known, new)
                if added is not None:
                    (self.added if added else self.there)[name] += 1
                return
            new.save()
            if isinstance(item, Event):
                self._replay(item, writer)
                return
            added = self._put(item, writer, store)
            if added is not None:
                (self.added if added else self.there)[name] += 1
        except RecordProblem as found:
            found.index = index
            raise

    def _stays_forgotten(self, record: Importable, writer: Writer) -> bool:
        """True for a record that was forgotten and is not stored again."""
        if self._is_forgotten is None or not self._is_forgotten(record):
            return False
        identity = identity_of(kind_of(type(record)), record)
        return not record_rows.with_identity(writer, type(record), [*identity.values()])

    def finish(self, complete: bool = True) -> None:
        """Adds a ledger entry about the import, unless the export's ledger was replayed.

        After an incomplete import an empty ledger stays empty, so that the next try can replay the
        export's.
        """
        if self._dry_run:
            return
        if self._facts or self._made_of or self._turns:
            with self._store().writing() as writer:
                if self._facts:  # they may exclude existing facts
                    facts.resolve_imported(self._facts, writer)
                self._encrypt_turns(writer)
        records = {name: n for name, n in self.added.items() if name != "event"}
        if not records or (self.added["event"] and not self.left_out):
            return
        store = self._store()
        if not complete and ledger.last_of_all(store) is None:
            return
        with store.writing() as writer:
            data = {"added": records, "events_left_out": self.left_out}
            writer.add_event(Event(name="imported", at=self._engine.clock.stamp(), data=data))

    def _encrypt_turns(self, writer: Writer) -> None:
        """Encrypts turns from which something personal was made, where the export has no links:
        those of imported records, and imported turns of any record."""
        turns = {self._made_of[id] for id in contents.ids(writer, self._made_of)}
        if self._turns:
            turns |= turns_of_personal(writer) & self._turns
        if turns:
            found = writer.existing(Turn, turns)
            encrypt(writer, dict.fromkeys(found, tag_of(Turn)))

    def _store(self) -> Store:
        return self._engine.create_store()

    def _put_memory(
        self, draft: Draft[Memory], writer: Writer, known: KnownMemories, new: NewMemories
    ) -> bool | None:
        """Writes a memory. Returns False if it exists, None if it was refused. Its provenance is in
        the export's links."""
        memory = draft.record
        if known.find(memory) is not None:
            new.save()
            check_same_record(memory, writer)
            return False
        if draft.refused:
            assert draft.verdict is not None
            if draft.verdict.rule == RULE:
                self.unwanted += 1
            else:
                self.refused += 1
            self._refused_ids.add(memory.stored_id)
            return None
        self._note_turn(new.take(draft))
        return True

    def _put(self, record: Importable, writer: Writer, store: Store) -> bool | None:
        """Writes another record. Returns False if it exists, None for a fact that is never kept and
        for a link of a refused record."""
        if isinstance(record, Link) and not self._refused_ids.isdisjoint(
            (record.source, record.target)
        ):
            return None
        if isinstance(record, Alias):
            return add_alias(writer, record)
        if isinstance(record, Predicate):
            return facts.add_predicate(record, writer)
        if isinstance(record, Fact):
            if forbidden(self._engine.config.remember, record.predicate) is not None:
                self.unwanted += 1
                self._refused_ids.add(record.stored_id)
                return None
            if facts.find(record, writer) is not None:
                check_same_record(record, writer)
                return False
            facts.add(record, writer, _vector(record))
            self._facts.append(record.stored_id)
            self._note_turn(record)
            return True
        if isinstance(record, Document):
            record = self._with_owner(record)
            owner = Owner(record.user, record.agent)  # a document is stored once for each
            known = documents.with_hash(store, record.sha256 or "", owner)
            if known or store.get(record.stored_id):
                return False
        elif isinstance(record, World):
            return put_imported(record, writer)
        elif isinstance(record, Plan):
            record = _with_user(record, store)
        elif isinstance(record, Turn):
            return self._put_turn(record, writer)
        return writer.add(record)

    def _put_turn(self, turn: Turn, writer: Writer) -> bool | None:
        """Writes a turn, or the answer of a stored one that had none (then it returns None)."""
        if writer.add(turn):
            self._turns.add(turn.stored_id)
            return True
        stored = writer.by_id(Turn, turn.stored_id)
        if not turn.answer or stored is None or stored.answer or stored.message != turn.message:
            return False
        put_answer(turn, writer)
        self.answered += 1
        return None

    def _note_document(self, memory: Memory) -> None:
        """Records the owner of a part of a document."""
        id = memory.provenance.document if memory.provenance is not None else None
        if id and memory.is_document:
            known = self._part_owners.get(id, frozenset())
            self._part_owners[id] = known | {(memory.user, memory.agent)}

    def _with_owner(self, document: Document) -> Document:
        """A document from an export made before documents had an owner: it gets its parts'."""
        owners = self._part_owners.get(document.stored_id)
        if document.user is not None or document.agent is not None or not owners:
            return document
        owner = common_owner([*owners])
        return structs.replace(document, user=owner.user, agent=owner.agent)

    def _note_turn(self, record: Memory | Fact) -> None:
        if record.provenance is not None and record.provenance.turn:
            self._made_of[record.stored_id] = record.provenance.turn

    def _read_ledger(self, store: Store) -> None:
        """Reads the whole ledger once, then only its end: others may write between batches."""
        if self._known_events is None:
            self._known_events = {_identity(event) for event in ledger.everything(store)}
        if (last := ledger.last_of_all(store)) is not None:
            self._last_hash, self._last_event = last.hash, _identity(last)

    def _replay(self, event: Event, writer: Writer) -> None:
        assert self._known_events is not None
        first = self._last_hash is None and not (event.prev or "").strip("0")
        if _identity(event) in self._known_events:
            self.there["event"] += 1
            if _identity(event) == self._last_event:
                self._replayed = event.hash
        elif first or event.prev in (self._last_hash, self._replayed):
            # an entry that is encrypted here has another hash than at its origin
            self._replayed = event.hash
            self._last_hash = writer.add_event(structs.replace(event)).hash
            self.added["event"] += 1
            self.rehashed += self._last_hash != event.hash
        else:
            self.left_out += 1

    def _check_vector(self, record: Memory | Fact) -> None:
        check_vector(record)
        if record.embedding is UNSET or record.embedding_model is UNSET:
            return
        if self._sizes is None:
            store = self._engine.open_store(False)
            self._sizes = {s.model: s.dimension for s in embeddings.spaces(store)} if store else {}
        size = self._sizes.setdefault(record.embedding_model, len(record.embedding))
        if size != len(record.embedding):
            problem = f"{record.embedding_model} has {size} dimensions in this store"
            raise RecordProblem("embedding", problem)


def _identity(event: Event) -> str:
    """Name of a ledger entry in every store; its hash differs where it is encrypted."""
    return event.salt or event.body or event.hash or ""


def _with_user(plan: Plan, store: Store) -> Plan:
    """A plan from an export made before plans had a user: it gets its turn's."""
    turn = store.get(plan.turn) if plan.user is None and plan.turn else None
    return structs.replace(plan, user=turn.user) if isinstance(turn, Turn) else plan


def _vector(record: Memory | Fact) -> Vector | None:
    """The embedding in a record; one of length 1 keeps its exact bits."""
    if record.embedding is UNSET or record.embedding_model is UNSET:
        return None
    values = array("f", record.embedding)
    if abs(math.fsum(x * x for x in values) - 1) > 1e-5:
        return Vector(record.embedding_model, pack(values))
    if sys.byteorder == "big":
        values.byteswap()
    return Vector(record.embedding_model, values.tobytes())
