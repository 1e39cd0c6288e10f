"""The Python API: the same engine that the command line drives.

>>> from thalamus import Thalamus
>>> with Thalamus(model="scripted", home="/tmp/demo") as thalamus:      # doctest: +SKIP
...     thalamus.run_turn("I moved to Lisbon in May.").answer
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.clock import Clock
from thalamus.config import Config, load
from thalamus.errors import MODEL_ERRORS, NoStore, NothingFound, UsageError
from thalamus.records import Document, Evidence, Fact, Instruction, Memory, Turn
from thalamus.storage.protocol import Filter

if TYPE_CHECKING:
    from thalamus.context import Context, ModelSource
    from thalamus.events import ThalamusEvents
    from thalamus.memory.erase import ForgetReport
    from thalamus.memory.prune import PruneOptions, PruneResult
    from thalamus.memory.write import Storable
    from thalamus.models.protocol import Embedder
    from thalamus.pipeline.background import Finished
    from thalamus.policy.retention import Rules
    from thalamus.records import Batch, Verdict
    from thalamus.storage.protocol import Change, Job, Vector
    from thalamus.storage.sqlite.store import SqliteStore


# -- The part of the Python API that answers first, and reflects on what was said afterwards. --


def _failed(done: Finished, passing: tuple[type[Exception], ...]) -> bool:
    """Whether the job itself failed, so that the next one may still go well."""
    return done.problem is not None and not isinstance(done.problem, passing)


# -- The Python API: the same engine that the command line drives. --


class Thalamus:
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
        from thalamus.context import Context
        from thalamus.models.resolve import Models
        from thalamus.plugins import Plugins
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
        """The store, opened once; None if it does not exist and ``create`` is false."""
        if self._store is None:
            from thalamus.security.keys import StoreKeys
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
        """The store. Raises ``NoStore`` if it does not exist yet."""
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
        from thalamus.memory.hooks import after_turn as after
        from thalamus.pipeline import flow as turns

        turn = message if isinstance(message, Turn) else Turn(message=message)
        turn = self.in_session(turn)
        stages = turns.stages_of(flow or self.config.flow, self.config.flows)
        return after(turns.run(turn, stages, self.context), self.context)

    process_user_message = run_turn

    def run_stage(self, name: str, turn: Turn) -> Turn:
        """Runs one stage over a turn record."""
        from thalamus.pipeline.flow import run_stage

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
        from thalamus.memory.hooks import after_retrieve
        from thalamus.memory.search import comparable_models, make_query, recall

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
        from thalamus.pipeline.store import store_records

        return store_records(records, self.context, decide=decide)

    def ingest_document(self, path: str | Path, *, summary: bool = True) -> Document:
        """Reads a file into memory. A failure is told in the result, not raised."""
        from thalamus.transfer.documents import ingest_file

        return ingest_file(Path(path), self.context, summary)

    import_document = ingest_document

    def ingest_bytes(self, data: bytes, name: str, *, summary: bool = True) -> Document:
        """The same for a document in memory; ``name`` stands for its path."""
        from thalamus.transfer.documents import ingest_bytes

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
        from thalamus.memory import facts

        return facts.end(id, at, self.context)

    def retract_fact(self, id: str, reason: str | None = None) -> list[Change]:
        """The fact never was true. Returns what holds otherwise now."""
        from thalamus.memory import facts

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
        from thalamus.memory import facts

        return facts.correct(
            id, self.context, object=object, begin=valid_from, until=valid_to, reason=reason
        )[0]

    def merge_entities(self, name: str, into: str) -> list[Change]:
        """From now on ``name`` means ``into``; ``unmerge_entity`` undoes it."""
        from thalamus.memory import facts

        return facts.merge(name, into, self.context)

    def unmerge_entity(self, name: str) -> list[Change]:
        """``name`` means itself again."""
        from thalamus.memory import facts

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

        from thalamus.memory.embeddings import reembed
        from thalamus.transfer.importer import Importer

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

    # -- keeping the memory true and small --------------------------------------------------------

    @cached_property
    def rules(self) -> Rules:
        """The retention rules by kind. Raises ``ConfigError``."""
        from thalamus.memory.retention import load_rules

        return load_rules(self.config.config_dir)

    def prune(
        self, wish: PruneOptions | None = None, tell: Callable[[Verdict], None] | None = None
    ) -> PruneResult:
        """Retires what the retention rules let go, summed up first; deletes what was retired
        long ago. ``tell`` hears each decision to change something, before it is done. Raises
        ``NoStore``, ``StoreBusy``."""
        from thalamus.memory import prune as stage

        wish = wish or self._wish()
        with self.store.one_prune():
            decided = stage.plan(self.store, self.context, self.rules, wish)
            if tell is not None:
                for verdict in stage.verdicts(decided, self.store, self.rules, wish):
                    if verdict.decision != "keep":
                        tell(verdict)
            return stage.prune(decided, self.store, self.context, self.rules, wish)

    def would_prune(self, wish: PruneOptions | None = None) -> Iterator[Verdict]:
        """What ``prune`` would do: one verdict for each memory. Changes nothing."""
        from thalamus.memory import prune as stage

        wish = wish or self._wish()
        decided = stage.plan(self.store, self.context, self.rules, wish)
        yield from stage.verdicts(decided, self.store, self.rules, wish)

    def batches(self, undoable: bool = False) -> list[Batch]:
        """What was changed together, newest first; ``until`` says when it can no longer be
        undone."""
        from thalamus.clock import days_later

        found = self.store.batches(undoable)
        for batch in found:
            if batch.undone_at is None and batch.purged_at is None:
                batch.until = days_later(batch.at, self.config.undo_days)
        return found

    def undo(self, batch: str | None = None) -> tuple[Batch, dict[str, int]]:
        """Takes back the last batch, or the one whose id begins like this: what it retired is
        active again, what it changed is as before, what it made is gone.

        Returns it with how many were restored, changed and removed. Raises ``NothingFound``, and
        ``UsageError`` when a later batch rests on it.
        """
        from thalamus.memory.staleness import clear_marks
        from thalamus.records import Event

        with self.store.one_prune():
            chosen = self._undoable(batch)
            later = self.store.resting_on(chosen.id)
            if later:
                raise UsageError(
                    f"{later[0]} changed the result of {chosen.id} again.",
                    fix=f"Undo the later one first: `thalamus undo {later[0]}`.",
                )
            now = self.clock.stamp()
            with self.store.writing() as writer:
                changed = writer.changed_by(chosen.id)
                counts = writer.undo_batch(chosen.id, now)
                for id in changed if chosen.action == "edit" else ():
                    clear_marks(writer, id)
                data = {"batch": chosen.id, "action": chosen.action, **counts}
                writer.add_event(Event(name="undone", at=now, data=data))
        chosen.undone_at = now
        return chosen, counts

    def edit_memory(self, id: str, **changes: Any) -> Memory:
        """Changes fields of a memory (content, topic, type, importance, scope, expires_at).

        New content makes a new memory, which is returned. Raises ``NothingFound``,
        ``UsageError``.
        """
        from thalamus.memory.edit import edit

        return edit(self.find_memory(id), changes, self.context, self.store)

    def pin_memory(self, id: str, pinned: bool = True) -> Memory:
        """Pins a memory, so that it is never pruned; with ``pinned`` false no longer."""
        from thalamus.memory.edit import pin

        return pin(self.find_memory(id), pinned, self.context, self.store)

    def promote_memory(self, id: str) -> Memory:
        """Makes a memory core. Raises ``UsageError`` when it may not be, or core is full."""
        from thalamus.memory.edit import promote

        return promote(self.find_memory(id), self.context, self.store)

    def demote_memory(self, id: str) -> Memory:
        """Core becomes archival; anything else loses a step of importance."""
        from thalamus.memory.edit import demote

        return demote(self.find_memory(id), self.context, self.store)

    def _wish(self) -> PruneOptions:
        from thalamus.memory.prune import PruneOptions

        return PruneOptions(most=self.config.max_memories)

    def find_memory(self, id: str) -> Memory:
        """The memory with this id, or the only one whose id begins like this. Raises
        ``NothingFound``, ``UsageError``."""
        from thalamus.memory.explain import resolve
        from thalamus.records import Memory

        full = resolve(self.store, id)
        memory = self.store.get(full)
        if not isinstance(memory, Memory):
            raise UsageError(
                f"{full} is not a memory.", fix=f"`thalamus why {full}` shows what it is."
            )
        return memory

    def _undoable(self, prefix: str | None) -> Batch:
        found = self.store.batches(undoable=True)
        if prefix is None:
            if not found:
                raise NothingFound("a batch that can be undone")
            return found[0]
        chosen = [batch for batch in found if batch.id == prefix] or [
            batch for batch in found if batch.id.startswith(prefix)
        ]
        if not chosen:
            fix = "`thalamus undo --list` lists batches."
            raise NothingFound(f"a batch {prefix!r} that can be undone", fix=fix)
        if len(chosen) > 1:
            names = ", ".join(batch.id for batch in chosen)
            raise UsageError(f"Several batches begin with {prefix!r}: {names}.")
        return chosen[0]

    def forget(
        self,
        *ids: str,
        subject: str | None = None,
        query: str | None = None,
        session: str | None = None,
        source: str | None = None,
        about: str | None = None,
        dry_run: bool = False,
        prove: bool = False,
        confirm: Callable[[ForgetReport], bool] | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> ForgetReport:
        """Deletes something for good with all that rests on it, and looks whether anything is
        left: see ``complete`` and ``residue`` of the report.

        What: ``ids``, or one of ``subject``, ``query`` (words), ``session``, ``source`` (a
        document) and ``about`` (what speaks of something, whatever the form of its words). With
        ``dry_run`` the report only says what would go; ``confirm`` is asked with it. ``prove``
        puts a signed receipt on the report. Raises ``NothingFound``.
        """
        from thalamus.memory.erase import forget

        selected = (ids, subject, query, session, source, about)
        return forget(self, *selected, dry_run, prove, confirm, progress)

    def finish_forgetting(self, progress: Callable[[str], None] = lambda _: None) -> list[str]:
        """Does what an interrupted forget left to be done; what still cannot be done."""
        from thalamus.memory.erase import finish

        return finish(self, progress)

    # -- answering first, finishing later ---------------------------------------------------------

    def answer_turn(self, message: str | Turn, *, flow: str | None = None) -> tuple[Turn, bool]:
        """Like ``run_turn``, but only up to the answer: the turn is stored, and what follows is
        left as a job for ``finish_turns``, of this process or of a later one.

        Returns the turn, and whether anything was left: a flow that does not reflect, or stores
        nothing, is run to its end.
        """
        from thalamus.pipeline.background import answer_first
        from thalamus.pipeline.flow import stages_of
        from thalamus.records import Turn

        turn = message if isinstance(message, Turn) else Turn(message=message)
        stages = stages_of(flow or self.config.flow, self.config.flows)
        return answer_first(self.in_session(turn), stages, self.context)

    def unfinished_turns(self) -> list[Job]:
        """What is left to be done for turns that were answered, oldest first."""
        opened = self.open_store(False) if self._use_memory else None
        return opened.jobs() if opened is not None else []

    def finish_turns(
        self,
        turn: str | None = None,
        *,
        most: int | None = None,
        given_up: bool = False,
        stopped: Callable[[], bool] | None = None,
    ) -> Iterator[Finished]:
        """Reflects on turns that were only answered so far, stores what is found, and plans.

        One ``turn``, or all that no other process is at work on, but at most ``most``; with
        ``given_up`` also those that failed too often. Yields what became of each, and ends after
        one that cannot be done now, because the model is gone or the store is busy. ``stopped`` is
        asked again and again whether to stop. Raises ``StoreBusy``, ``StoreFull``.
        """
        from thalamus.pipeline.background import NOT_THE_JOBS_FAULT, finish

        seen: set[str] = set()
        while most is None or len(seen) < most:
            job = self._take(turn, seen, given_up)
            if job is None:
                return
            seen.add(job.id)
            done = finish(job, self.context, stopped)
            yield done
            if done.turn is None and not _failed(done, NOT_THE_JOBS_FAULT):
                return

    def sibling(self, events: ThalamusEvents | None = None) -> Thalamus:
        """Another object over the same store for another thread, with the same models."""

        return Thalamus(
            config=self.config,
            events=events,
            clock=self.clock,
            use_memory=self._use_memory,
            share_models=self.context.models,
        )

    def _take(self, turn: str | None, seen: set[str], given_up: bool) -> Job | None:
        """Claims the next job for this process. It is looked up first, so that nothing is
        written without one."""
        if not self.config.enable_reflection:
            return None
        if all(job.id in seen for job in self.unfinished_turns()):
            return None
        opened = self.open_store(False)
        assert opened is not None
        with opened.writing() as writer:
            return writer.take_job(turn, seen, given_up)
