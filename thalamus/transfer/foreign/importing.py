"""Import of other systems' exports: conversations become turns with their own dates and sessions,
memories pass the gate as another program's, and are trusted no more than an answer."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field, structs

from thalamus.errors import DocumentError, NothingFound, RecordProblem, UsageError
from thalamus.memory.documents.ingest import IngestSource, ingest, known_document
from thalamus.memory.embeddings import unembedded
from thalamus.memory.imported_turns import add_answers, bring_back, withdraw
from thalamus.memory.user import projects
from thalamus.memory.withdrawn import withdrawn
from thalamus.memory.write import WriteOptions, write_records
from thalamus.records import Document, Memory, Project, Record, Turn
from thalamus.records.base import tag_of
from thalamus.records.identity import content_hash
from thalamus.store import memories as memory_rows
from thalamus.store import turns as turn_rows
from thalamus.text.analyzer import fold
from thalamus.transfer.foreign.formats import Foreign, read_export
from thalamus.transfer.foreign.memories import ExportedDocument
from thalamus.transfer.foreign.report import Report
from thalamus.transfer.foreign.versions import changes, same_exchange, version_id

if TYPE_CHECKING:
    from thalamus.turn_run import TurnRun


class ForeignImport(Struct):
    """Result of an import: the formats, the sessions, and by kind what was ``added``, was ``there``
    before, was ``forgotten`` before and is left out, is ``quarantined``, was ``withdrawn`` since
    the last import, with what was made of it, and has ``returned``; ``answered``: turns whose
    answer came since; ``problem``: reason why embeddings failed, if they did."""

    sources: set[str] = field(default_factory=set)
    sessions: set[str] = field(default_factory=set)
    added: Counter[str] = field(default_factory=Counter)
    there: Counter[str] = field(default_factory=Counter)
    forgotten: Counter[str] = field(default_factory=Counter)
    quarantined: Counter[str] = field(default_factory=Counter)
    withdrawn: Counter[str] = field(default_factory=Counter)
    returned: int = 0
    answered: int = 0
    problem: str = ""


class SourceImporter(ABC):
    """Import of what another program wrote. ``forgotten``: True for a record that was forgotten and
    is to stay so; ``include_forgotten``: also store what was deleted; ``dry_run``: only count."""

    def __init__(
        self,
        run: TurnRun,
        report: Report,
        forgotten: Callable[[Record], bool] | None = None,
        *,
        include_forgotten: bool = False,
        dry_run: bool = False,
    ) -> None:
        self._run = run
        self._report = report
        self._forgotten = forgotten or (lambda record: False)
        self._include_forgotten = include_forgotten
        self._dry_run = dry_run
        self._seen: set[object] = set()
        self.result = ForeignImport()

    @classmethod
    def recognize(cls, path: Path) -> str | None:
        """The source of a file or a folder, as far as it is known without reading all of it. Raises
        ``DocumentError``."""
        return None

    @classmethod
    def folder(cls, source: str) -> Path:
        """The folder of a source on this machine. Raises ``UsageError``."""
        raise UsageError(f"Give the file, archive or folder of the export of {source}.")

    @abstractmethod
    def run(
        self, path: Path, source: str, on_progress: Callable[[int], None] = lambda count: None
    ) -> ForeignImport:
        """Stores what is in a file or a folder; repeating it adds what is new. Raises
        ``DocumentError`` (what was before the error stays stored), ``StoreBusy``, ``StoreFull``."""

    def _write_turns(self, turns: Sequence[Turn]) -> None:
        for stored in write_records(turns, self._run):
            assert isinstance(stored, Turn)
            for issue in stored.issues:
                self.result.problem = issue.message


class ForeignImporter(SourceImporter):
    """Imports one export."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._known: dict[str, bool] = {}  # sessions, and whether they had turns before
        # of these, the turns in the export by id, without their words
        self._current: dict[str, dict[str, Turn]] = {}
        self._new: set[str] = set()  # ids of turns that were not stored before

    def run(
        self, path: Path, source: str, on_progress: Callable[[int], None] = lambda count: None
    ) -> ForeignImport:
        """Stores the records of an export; repeating it adds nothing. Of a conversation that was
        imported before, it adds what is new, and withdraws what it no longer has.

        Raises ``DocumentError`` if the file is not such an export (records before the error stay
        stored), ``StoreBusy`` and ``StoreFull``.
        """
        batch: list[Foreign] = []
        try:
            for record in self._records(path, source):
                batch.append(record)
                if len(batch) == self._run.engine.config.batch_size:
                    ready, batch = batch, []
                    self._store(ready)
                    on_progress(len(ready))
        except DocumentError:
            self._store(batch)
            raise
        self._store(batch)
        for session in self._current:
            self._withdraw(session)
        return self.result

    def _records(self, path: Path, source: str) -> Iterator[Foreign]:
        config = self._run.engine.config
        for name, record in read_export(path, source, self._report):
            self.result.sources.add(name)
            if isinstance(record, Turn):
                self.result.sessions.add(record.session or "")
            if not isinstance(record, ExportedDocument):
                record.user = record.user or config.user or None
                record.agent = record.agent or config.agent or None
            yield record

    def _store(self, batch: Sequence[Foreign]) -> None:
        answered: list[Turn] = []
        news = [record for record in batch if self._is_new(record, answered)]
        self._new.update(record.stored_id for record in news if isinstance(record, Turn))
        self.result.answered += len(answered)
        if self._dry_run:
            self.result.added.update(_kind(record) for record in news)
            return
        if answered:
            add_answers(answered, self._run)
        for kind, group in groupby(news, key=type):
            if kind is Turn:
                turns = [one for one in group if isinstance(one, Turn)]
                self._write_turns(turns)
                self.result.added["turn"] += len(turns)
            elif kind is Memory:
                self._write_memories([one for one in group if isinstance(one, Memory)])
            else:
                for one in group:
                    self._write_other(one)

    def _is_new(self, record: Foreign, answered: list[Turn]) -> bool:
        """True for a record that is neither stored, nor forgotten, nor twice in this export;
        checked before embedding, which costs more. Adds a stored turn to ``answered`` if the export
        has its answer now; another version of one gets an id of its own."""
        kind = _kind(record)
        if isinstance(record, Turn):
            if self._is_answered(record):
                answered.append(record)
                return False
            self._note_current(record)
        if self._is_there(record):
            self.result.there[kind] += 1
        elif self._forgotten(_document(record) if isinstance(record, ExportedDocument) else record):
            self.result.forgotten[kind] += 1
        else:
            return True
        return False

    def _is_answered(self, turn: Turn) -> bool:
        """True for a stored turn whose answer is new. Gives the turn the id of its version."""
        store = self._run.engine.open_store(False)
        stored = store.by_id(Turn, turn.stored_id) if store is not None else None
        if store is None or stored is None or same_exchange(stored, turn):
            return False
        if stored.message == turn.message and not turn.answer:
            return False  # an export from before the answer
        if stored.message == turn.message and not stored.answer:
            self._note_current(turn)
            self._seen.add(turn.id)
            return turn.stored_id not in withdrawn(store, [turn.stored_id])
        turn.id = version_id(turn)
        return False

    def _note_current(self, turn: Turn) -> None:
        """Records a turn of a session that was imported before as one that it still has."""
        session = turn.session or ""
        if session not in self._known:
            store = self._run.engine.open_store(False)
            known = store is not None and turn_rows.is_session(store, session)
            self._known[session] = known
        if self._known[session]:
            light = structs.replace(turn, message="-", answer=None, metadata={})
            self._current.setdefault(session, {})[turn.stored_id] = light

    def _withdraw(self, session: str) -> None:
        """Withdraws the stored turns of a session that the export no longer has, and brings back
        those that it has again."""
        store, version = self._run.engine.open_store(False), self._report.versions.get(session)
        turns = list(self._current[session].values())
        if store is None or version is None:
            return
        found = changes(store, turns, self._new, version)
        if found.returned:
            self.result.returned += len(found.returned)
            if not self._dry_run:
                bring_back(found.returned, self._run)
        if found.replaced:
            done = withdraw(found.replaced, self._run, dry_run=self._dry_run)
            self.result.withdrawn += Counter(turn=done.turns, memory=done.memories, fact=done.facts)

    def _is_there(self, record: Foreign) -> bool:
        store = self._run.engine.open_store(False)
        keys = _keys(record)
        twice = not self._seen.isdisjoint(keys)
        self._seen.update(keys)
        if twice or store is None:
            return twice
        if isinstance(record, ExportedDocument):
            return known_document(store, _document(record).sha256 or "") is not None
        if isinstance(record, Project):
            return any(keys == _keys(one) for one in projects.projects(store, record.user))
        if isinstance(record, Memory) and memory_rows.of_content(
            store, content_hash(record), "active"
        ):
            return True
        return store.get(record.stored_id) is not None

    def _write_memories(self, memories: list[Memory]) -> None:
        try:
            write_records(memories, self._run, WriteOptions(proposed=True))
        except RecordProblem as problem:
            if len(memories) == 1:
                self._report.problem(f"{memories[0].content!r} is not stored: {problem.problem}")
                return
            for memory in memories:  # one must not cost the others
                self._write_memories([memory])
            return
        if (lacking := unembedded(self._run.engine)) is not None:
            self.result.problem = str(lacking)
        for memory in memories:
            stored = self._run.engine.store.get(memory.stored_id)
            if not isinstance(stored, Memory):
                self._report.left_out["memory that is not wanted"] += 1
            elif stored.status == "quarantined":
                self.result.quarantined["memory"] += 1
            else:
                self.result.added["memory"] += 1

    def _write_other(self, record: Foreign) -> None:
        if isinstance(record, Project):
            projects.add(record, self._run)
            self.result.added["project"] += 1
        elif isinstance(record, ExportedDocument):
            document = ingest(_source(record), self._run, False, self._include_forgotten)
            for note in document.issues:
                if note.code == "forgotten":
                    self._report.problem(f"{record.path}: {note.message}")
            if document.id is None:  # nothing else is in it
                self.result.forgotten["document"] += 1
                return
            self.result.added["document"] += 1
            store = self._run.engine.store
            try:
                of = projects.find_project(
                    store, record.project, self._run.engine.config.user or None
                )
            except (NothingFound, UsageError):  # left out
                return
            projects.link(of, [document.stored_id], self._run.engine)


def _keys(record: Foreign) -> list[object]:
    """Keys of which two different records have none in common."""
    if isinstance(record, ExportedDocument):
        return [_document(record).sha256]
    if isinstance(record, Project):
        return [(record.user, fold(record.name))]
    return [record.id, content_hash(record)] if isinstance(record, Memory) else [record.id]


def _kind(record: Foreign) -> str:
    if isinstance(record, ExportedDocument):
        return "document"
    return tag_of(type(record))


def _document(record: ExportedDocument) -> Document:
    digest = hashlib.sha256(record.text.encode()).hexdigest()
    return Document(path=record.path, status="ingested", title=record.title, sha256=digest)


def _source(record: ExportedDocument) -> IngestSource:
    document = _document(record)
    return IngestSource(
        path=record.path,
        sha256=document.sha256 or "",
        title=record.title,
        format="text",
        pages=[(1, record.text)],
        created_at=record.created_at,
        metadata={"source": "claude"},
    )
