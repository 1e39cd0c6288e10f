"""The Python API: the same engine that the command line drives.

>>> from thalamus import Thalamus
>>> with Thalamus(model="scripted", home="/tmp/demo") as thalamus:      # doctest: +SKIP
...     thalamus.run_turn("I moved to Lisbon in May.").answer
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.background import Background
from thalamus.clock import Clock
from thalamus.config import Config, load
from thalamus.errors import MODEL_ERRORS, NoStore
from thalamus.records import Document, Evidence, Fact, Instruction, Memory, Turn
from thalamus.storage.shapes import Filter
from thalamus.upkeep import Upkeep

if TYPE_CHECKING:
    from thalamus.events import ThalamusEvents
    from thalamus.models.protocol import Embedder
    from thalamus.stages.context import Context, ModelSource
    from thalamus.stages.prepare import Storable
    from thalamus.storage.shapes import Change, Vector
    from thalamus.storage.sqlite.store import SqliteStore


class Thalamus(Upkeep, Background):
    """A memory and the models that use it.

    ``config``: settings already loaded; otherwise they are loaded from the environment and the
    files, and ``settings`` (any name of ``config.Config``: home, model, user, session …) are put
    on top. ``events``: whom to tell. ``use_memory=False`` neither reads nor writes.
    ``share_models``: those of another object, to be shared.

    Nothing is opened or imported until it is used. Not safe for use by several threads at once;
    several processes, or several objects, may share a store.
    """

    def __init__(
        self,
        *,
        config: Config | None = None,
        events: ThalamusEvents | None = None,
        clock: Clock | None = None,
        use_memory: bool = True,
        share_models: ModelSource | None = None,
        **settings: Any,
    ) -> None:
        self.config = config if config is not None else load(flags=settings)
        if config is None and self.config.ignored is not None:
            self.config.ignored.log()
        self.clock = clock or Clock.from_environment()
        self.session = self.config.session
        self._store: SqliteStore | None = None
        self._sessions: set[str] = set()
        self._use_memory = use_memory
        self._models = share_models
        if events is not None:
            self.events = events

    @cached_property
    def events(self) -> ThalamusEvents:
        """Who is told what happens."""
        from thalamus.events import ThalamusEvents

        return ThalamusEvents(self.clock)

    @cached_property
    def context(self) -> Context:
        """What the stages are handed; made when the first of them is run."""
        from thalamus.models.choose import Models
        from thalamus.plugins import Plugins
        from thalamus.stages.context import Context
        from thalamus.templates import Templates

        return Context(
            config=self.config,
            clock=self.clock,
            models=self._models or Models(self.config),
            templates=Templates(self.config.config_dir / "prompts"),
            open_store=self.open_store,
            events=self.events,
            use_memory=self._use_memory,
            rules=lambda: self.rules,
            plugins=Plugins(self.events) if self.config.plugins else None,
        )

    def __enter__(self) -> Thalamus:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- the store -----------------------------------------------------------------------------

    def open_store(self, create: bool = False) -> SqliteStore | None:
        """The store, opened once; None when there is none and ``create`` is false."""
        if self._store is None:
            from thalamus.keys import StoreKeys
            from thalamus.storage.sqlite.store import SqliteStore

            try:
                self._store = SqliteStore(
                    self.config.store_dir,
                    tenant=self.config.tenant,
                    create=create,
                    busy_timeout=self.config.busy_timeout,
                    clock=self.clock,
                    keys=StoreKeys(self.config) if self.config.key_store != "none" else None,
                    seal_personal=self.config.seal_personal,
                )
            except NoStore:
                return None
            self._store.remind()
        return self._store

    @property
    def store(self) -> SqliteStore:
        """The store. Raises ``NoStore`` when there is none yet."""
        opened = self.open_store(False)
        if opened is None:
            raise NoStore(self.config.store_dir)
        return opened

    def close(self) -> None:
        """Ends the sessions and lets go of the store."""
        for session in sorted(self._sessions):
            self.events.emit("on_session_ended", session, session=session)
        self._sessions.clear()
        if self._store is not None:
            self._store.close()
            self._store = None

    # -- the turn ------------------------------------------------------------------------------

    def run_turn(self, message: str | Turn, *, flow: str | None = None) -> Turn:
        """Runs a flow over a message (or a turn record that brings more than that).

        Returns the record with what each stage put on it. Never raises for a model or a stage
        that fails: see the record's ``issues`` and ``failures``.
        """
        from thalamus.stages import turn as turns
        from thalamus.stages.extend import after_turn as after

        turn = message if isinstance(message, Turn) else Turn(message=message)
        turn = self.in_session(turn)
        stages = turns.flow(flow or self.config.flow, self.config.flows)
        return after(turns.run(turn, stages, self.context), self.context)

    process_user_message = run_turn

    def run_stage(self, name: str, turn: Turn) -> Turn:
        """Runs one stage over a turn record."""
        from thalamus.stages.turn import run_stage

        return run_stage(name, self.in_session(turn), self.context)

    def in_session(self, turn: Turn) -> Turn:
        """The turn with its session filled in; listeners hear of a session's beginning."""
        if turn.session is None:
            turn = structs.replace(turn, session=self.session)
        assert turn.session is not None
        if turn.session not in self._sessions:
            self._sessions.add(turn.session)
            self.events.emit("on_session_started", turn.session, session=turn.session)
        return turn

    def reset_session(self, session: str | None = None) -> str:
        """Ends the present session and begins another, whose name is returned.

        What was said stays in memory; it is only no longer the recent dialogue.
        """
        if self.session in self._sessions:
            self._sessions.remove(self.session)
            self.events.emit("on_session_ended", self.session, session=self.session)
        self.session = session or self.clock.new_id("session", self.session)
        return self.session

    @property
    def failures(self) -> list[tuple[str, Exception]]:
        """(stage, error) of everything that went wrong since this object was made."""
        return self.context.failures

    # -- recalling and remembering -------------------------------------------------------------

    def retrieve(
        self,
        question: str,
        *,
        limit: int | None = None,
        instruction: Instruction | None = None,
        where: Filter | None = None,
        vector: Vector | None = None,
    ) -> list[Evidence]:
        """Evidence for a question, best first. Raises ``NoStore``.

        ``instruction`` and ``where`` narrow it down; ``vector`` is the question's embedding when
        it is already there. A failing embedder is told to ``events`` and noted in
        ``failures``; full text then serves alone. Raises ``StoreDamaged``, ``StoreBusy``.
        """
        from thalamus.stages.extend import after_retrieve
        from thalamus.stages.recall import comparable_models, make_query, recall

        store = self.store
        limit = limit or self.config.max_memory_results
        instruction = instruction or Instruction(mode="all", query=question, limit=limit)
        where = where or Filter(
            user=self.config.user or None,
            agent=self.config.agent or None,
            now=self.clock.stamp(),
        )
        embedder = self._embedder() if vector is None else None
        query = make_query(question, embedder, vector, comparable_models(store))
        found = recall(store, query, instruction, where)
        for problem in query.problems:
            self._note("retrieve", problem)
        return after_retrieve(found, self.context)

    def remember(self, records: Sequence[Storable], *, decide: bool = False) -> list[Storable]:
        """Stores turns, memories, facts and reflections in one transaction; returns them with
        their ids. ``decide``: memories are compared with what is there and decided about, as those
        of reflections always are. Raises ``RecordProblem`` for a time or an embedding that is
        none, or for the id of another record; then nothing is stored."""
        from thalamus.stages.store import store_records

        return store_records(records, self.context, decide=decide)

    def ingest_document(self, path: str | Path, *, summary: bool = True) -> Document:
        """Reads a file into memory. A failure is told in the result, not raised."""
        from thalamus.documents import ingest_file

        return ingest_file(Path(path), self.context, summary)

    import_document = ingest_document

    def ingest_bytes(self, data: bytes, name: str, *, summary: bool = True) -> Document:
        """The same for a document in memory; ``name`` stands for its path."""
        from thalamus.documents import ingest_bytes

        return ingest_bytes(data, name, self.context, summary)

    def facts(
        self,
        subject: str | None = None,
        *,
        as_of: str | None = None,
        known_at: str | None = None,
        history: bool = False,
    ) -> list[Fact]:
        """The facts that hold now, or held ``as_of``; with ``known_at`` as it was believed then.
        With ``history`` all that ever did, each with what was told of it and believed about it."""
        now = None if history else self.clock.stamp()
        where = self.here(as_of or known_at or now, timeless=history)
        found = self.store.facts(structs.replace(where, known_at=known_at), subject, history)
        return self.store.with_history(found) if history else found

    def end_fact(self, id: str, at: str) -> list[Change]:
        """The fact stopped being true at a time (RFC 3339). Returns what holds otherwise now."""
        from thalamus.stages import facts

        return facts.end(id, at, self.context)

    def retract_fact(self, id: str, reason: str | None = None) -> list[Change]:
        """The fact never was true. Returns what holds otherwise now."""
        from thalamus.stages import facts

        return facts.retract(id, reason, self.context)

    def correct_fact(
        self,
        id: str,
        object: str | None = None,
        *,
        valid_from: str | None = None,
        valid_to: str | None = None,
        reason: str | None = None,
    ) -> Fact:
        """The fact was wrong: one with another object or other dates takes its place."""
        from thalamus.stages import facts

        return facts.correct(
            id, self.context, object=object, begin=valid_from, until=valid_to, reason=reason
        )[0]

    def merge_entities(self, name: str, into: str) -> list[Change]:
        """From now on ``name`` means ``into``; ``unmerge_entity`` undoes it."""
        from thalamus.stages import facts

        return facts.merge(name, into, self.context)

    def unmerge_entity(self, name: str) -> list[Change]:
        """``name`` means itself again."""
        from thalamus.stages import facts

        return facts.unmerge(name, self.context)

    def memories(self, where: Filter | None = None, *, limit: int = 100) -> list[Memory]:
        """Memories, newest first."""
        return self.store.memories(where or self.here(), limit)

    def export_memory(self) -> Iterator[Any]:
        """Every record of the store, in an order in which ``import_memory`` takes it."""
        yield from self.store.everything()

    def import_memory(self, records: Iterable[Any]) -> dict[str, int]:
        """Stores exported records as they are; those that are there already are skipped.

        Returns how many of each kind were added. Embeddings that are missing are made. Raises
        ``RecordProblem`` for a record that cannot be stored; batches before it are kept.
        """
        from itertools import islice

        from thalamus.exchange.importer import Importer
        from thalamus.stages.reembed import reembed

        importer = Importer(self.context)
        rest = iter(records)
        while batch := list(islice(rest, self.config.batch_size)):
            importer.add([importer.check(record) for record in batch])
        importer.finish()
        if (store := self.open_store(False)) is not None:
            reembed(self.context, store)
        return dict(importer.added)

    def here(self, as_of: str | None = None, *, timeless: bool = False) -> Filter:
        """The filter for this user and agent at this time."""
        return Filter(
            user=self.config.user or None,
            agent=self.config.agent or None,
            as_of=as_of,
            now=None if timeless else self.clock.stamp(),
        )

    def _embedder(self) -> Embedder | None:
        try:
            return self.context.models.embedder()
        except MODEL_ERRORS as error:
            self._note("retrieve", error)
            return None

    def _note(self, stage: str, error: Exception) -> None:
        self.context.failures.append((stage, error))
        self.events.failed(stage, error)
