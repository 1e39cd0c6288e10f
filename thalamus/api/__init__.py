"""The Python API: the same engine that the command line drives.

>>> from thalamus import Thalamus
>>> with Thalamus(model="scripted", home="/tmp/demo") as thalamus:      # doctest: +SKIP
...     thalamus.turn("I moved to Lisbon in May.").answer
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from msgspec import structs

from thalamus.api.calls import checked
from thalamus.api.runtime import Runtime
from thalamus.clock import Clock
from thalamus.config import Config
from thalamus.errors import MODEL_ERRORS, BadField, NothingMatches, UsageError
from thalamus.records import (
    Document,
    Evidence,
    Fact,
    Instruction,
    Memory,
    Plan,
    Record,
    Reflection,
    Turn,
)
from thalamus.store.values import Filter
from thalamus.text.storable import rejected

if TYPE_CHECKING:
    from thalamus.api.facts import FactsView
    from thalamus.api.insights import InsightsView
    from thalamus.api.keys import KeysView
    from thalamus.api.memories import MemoriesView
    from thalamus.api.models import ModelsView
    from thalamus.api.projects import ProjectsView
    from thalamus.api.sessions import SessionsView
    from thalamus.api.sources import SourcesView
    from thalamus.api.store import StoreView
    from thalamus.api.tools import ToolsView
    from thalamus.cancel import CancelToken
    from thalamus.events import ThalamusEvents
    from thalamus.memory.draft import Storable
    from thalamus.memory.forget.erase import ForgetOptions, ForgetReport
    from thalamus.memory.jobs import Job
    from thalamus.memory.undo.undo import Undone
    from thalamus.models.protocol import Embedder
    from thalamus.pipeline.jobs import JobResult
    from thalamus.records import Project
    from thalamus.records.activities import Activity
    from thalamus.records.metrics import Metrics
    from thalamus.records.reports import Origin, StageDescription
    from thalamus.store.values import Vector

__all__ = ["Thalamus"]

# attributes for the rest of the package
INTERNAL = frozenset(
    "clock config database engine fingerprints in_session location new_run open_store store_keys"
    " store_options stores unembedded".split()
)

S = TypeVar("S", bound=Turn | Memory | Fact | Reflection | Plan)


@checked
class Thalamus(Runtime):
    """A memory and the models that use it.

    ``config``: settings already loaded; otherwise they are loaded from the environment and the
    files, and ``settings`` (any name of ``config.Config``: home, model, user, session …) override
    them. ``events``: their listeners. With ``memory=False`` turns recall nothing and are not
    stored. ``share_models``: an object whose models are used. ``chat`` and ``embed``: models of
    your own, each a callable or an object with a method of this name (``thalamus.models.handed``).

    The views ``memories``, ``facts``, ``insights``, ``projects``, ``sources``, ``sessions``,
    ``models``, ``tools``, ``keys`` and ``store`` group the operations on each. Types of parameters
    and results are imported from ``thalamus``.

    Nothing is opened or imported until it is used. Several threads may call one object: each has a
    connection of its own, a reader does not wait for a writer, and writers wait for each other.
    Several processes, or several objects, may share a store too.

    Every method that reads the store raises ``StoreDamaged`` or ``StoreTooNew`` for one that cannot
    be read, ``StoreUnreachable`` for one on a server that does not answer, and every method that
    writes to it ``StoreBusy``, ``StoreFull``,
    ``BadKey`` for a signed store whose key is not here, and ``Tampered``. Other exceptions are
    documented per method; all derive from ``ThalamusError``.
    """

    # -- views ---------------------------------------------------------------------------------

    @cached_property
    def memories(self) -> MemoriesView:
        """Memories, documents, concepts, and the timeline of everything stored."""
        from thalamus.api.memories import MemoriesView

        return MemoriesView(self)

    @cached_property
    def facts(self) -> FactsView:
        """Facts, entities, predicates, and the profile of the user."""
        from thalamus.api.facts import FactsView

        return FactsView(self)

    @cached_property
    def insights(self) -> InsightsView:
        """Insights, and the slow loop that makes and merges them."""
        from thalamus.api.insights import InsightsView

        return InsightsView(self)

    @cached_property
    def projects(self) -> ProjectsView:
        """Projects, and the world state."""
        from thalamus.api.projects import ProjectsView

        return ProjectsView(self)

    @cached_property
    def sources(self) -> SourcesView:
        """Sources on the network, from which documents are read."""
        from thalamus.api.sources import SourcesView

        return SourcesView(self)

    @cached_property
    def sessions(self) -> SessionsView:
        """Sessions, their turns, and settings of the next turns."""
        from thalamus.api.sessions import SessionsView

        return SessionsView(self)

    @cached_property
    def models(self) -> ModelsView:
        """Models in use, on this machine, and available to pull."""
        from thalamus.api.models import ModelsView

        return ModelsView(self)

    @cached_property
    def tools(self) -> ToolsView:
        """Tools that stages and the model may use, called by hand."""
        from thalamus.api.tools import ToolsView

        return ToolsView(self)

    @cached_property
    def keys(self) -> KeysView:
        """The store key and the keys of subjects."""
        from thalamus.api.keys import KeysView

        return KeysView(self)

    @cached_property
    def store(self) -> StoreView:
        """The store as a whole: its file, backups, indexes, signatures, export and import."""
        from thalamus.api.store import StoreView

        return StoreView(self)

    def __dir__(self) -> list[str]:
        """The documented names, for completion."""
        found = super().__dir__()
        return [name for name in found if not name.startswith("_") and name not in INTERNAL]

    # -- opening and closing -------------------------------------------------------------------

    def __enter__(self) -> Thalamus:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def sibling(
        self,
        events: ThalamusEvents | None = None,
        *,
        config: Config | None = None,
        clock: Clock | None = None,
    ) -> Thalamus:
        """Another object with the same models, and the same store unless ``config`` names
        another."""
        return Thalamus(
            config=config or self.config,
            events=events,
            clock=clock or self.clock,
            share_models=self.engine.models,
        )

    # -- turns ---------------------------------------------------------------------------------

    def turn(
        self,
        message: str | Turn,
        *,
        flow: str | None = None,
        cancel: CancelToken | None = None,
        on_answer: Callable[[Turn], object] | None = None,
    ) -> Turn:
        """Runs a flow over a message (or a turn record with more than a message).

        Returns the record with the results of all stages. ``on_answer`` is called with the turn as
        soon as that is stored with its answer; what is still to be done is then a job that
        another process takes over if this one is killed. Never raises for a model or a stage that
        fails: see the record's ``issues`` and ``failures``. A turn that is cancelled is stored as
        far as it got; ``interrupted`` names the stage. Raises ``UsageError`` or ``ConfigError`` for
        an unknown flow; the first turn may also raise the errors of ``look_up_models``.
        """
        from thalamus.pipeline.flow import run_flow

        chosen = self.look_up_models(flow)
        run = self.new_run(cancel=cancel)
        if on_answer is None:
            return run_flow(self._begin(message), chosen, run)
        from thalamus.pipeline.background import answer_early

        return answer_early(self._begin(message), chosen, run, on_answer)

    def stream_turn(
        self, message: str | Turn, *, flow: str | None = None, cancel: CancelToken | None = None
    ) -> Iterator[str | Turn]:
        """Runs a turn and yields the text of the answer as the model writes it, then the turn
        record. The turn is run in a thread of its own; it
        is cancelled when the iterator is closed early. Raises as ``turn``."""
        from thalamus.api.streaming import Tee, stream
        from thalamus.cancel import CancelToken
        from thalamus.pipeline.flow import run_flow
        from thalamus.turn_run import TurnRun

        chosen, begun = self.look_up_models(flow), self._begin(message)
        token = cancel or CancelToken()

        def work(hear: Callable[[str], None]) -> Turn:
            engine = structs.replace(self.engine, events=Tee(self.events, hear))
            with self.stores.lent():
                return run_flow(begun, chosen, TurnRun(engine, cancel=token))

        return stream(work, token)

    def answer_only(
        self, message: str | Turn, *, flow: str | None = None, cancel: CancelToken | None = None
    ) -> Turn:
        """Runs a flow only up to its answer, without changing the store. Raises as ``turn``, and
        ``UsageError`` for a flow without an answer."""
        from thalamus.pipeline.flow import run_flow, up_to_answer

        chosen = up_to_answer(self.look_up_models(flow), self.engine.plugins)
        return run_flow(self._begin(message), chosen, self.new_run(cancel=cancel))

    def answer_turn(
        self, message: str | Turn, *, flow: str | None = None, cancel: CancelToken | None = None
    ) -> tuple[Turn, bool]:
        """Like ``turn``, but only up to the answer: the turn is stored, and the rest is left as a
        job for ``finish_turns``, in this process or a later one. Raises as ``turn``.

        Returns the turn, and whether anything was left: a flow that does not reflect, or stores
        nothing, is run completely.
        """
        from thalamus.pipeline.background import answer_first

        chosen = self.look_up_models(flow)
        return answer_first(self._begin(message), chosen, self.new_run(cancel=cancel))

    def unfinished_turns(self) -> list[Job]:
        """Jobs of turns that were only answered, oldest first; none without a store."""
        from thalamus.memory.jobs import unfinished_jobs
        from thalamus.store.jobs import FINISH

        store = self.open_store(False) if self.config.memory else None
        return unfinished_jobs(store, FINISH, self.clock.stamp()) if store is not None else []

    def finish_turns(
        self,
        turn: str | Sequence[str] | None = None,
        *,
        limit: int | None = None,
        failed: bool = False,
        cancel: CancelToken | None = None,
    ) -> Iterator[JobResult[Turn]]:
        """Reflects on turns that were only answered so far, stores what is found, and plans.

        One ``turn`` or several, or at most ``limit`` of those that no other process works on; with
        ``failed`` also those that failed too often. Yields the result of each, and ends after one
        that cannot be done now, because the model is unavailable or the store is busy, or that
        ``cancel`` stopped. Raises ``StoreBusy``, ``StoreFull``.
        """
        from thalamus.pipeline.jobs import work
        from thalamus.store.jobs import FINISH

        if self.config.memory and self.config.enable_reflection:
            turns = [turn] if isinstance(turn, str) else turn
            yield from work(
                FINISH, self.engine, turns=turns, limit=limit, failed=failed, cancel=cancel
            )

    def run_stage(self, name: str, turn: Turn) -> Turn:
        """Runs one stage over a turn record, by its name. Raises ``UsageError`` for an unknown
        name; a stage that fails becomes an issue of the turn."""
        from thalamus.memory.stage_logs import write_waiting
        from thalamus.pipeline.flow import all_stages, find_stage, run_stage, with_task_summaries

        plugins = self.engine.plugins
        stage = find_stage(name, plugins)
        if stage is None:
            known = ", ".join(all_stages(plugins))
            raise UsageError(f"Unknown stage {name!r}.", fix=f"Choose {known}.")
        run = self.new_run()
        done = run_stage(stage, self.in_session(turn), run)
        done = with_task_summaries(done, run) if name == "store" else done
        write_waiting(run)
        self.failures.extend(run.failures)
        return done

    def stages(self) -> list[StageDescription]:
        """The stages that a flow may name; those of plugins come last."""
        from thalamus.pipeline.flow import all_stages
        from thalamus.records.reports import StageDescription

        return [
            StageDescription(
                name=stage.name, role=stage.role, reads=list(stage.reads), writes=list(stage.writes)
            )
            for stage in all_stages(self.engine.plugins).values()
        ]

    # -- recalling and remembering -------------------------------------------------------------

    def recall(
        self,
        question: str,
        *,
        limit: int | None = None,
        instruction: Instruction | None = None,
        where: Filter | None = None,
        vector: Vector | None = None,
        redacted: bool = False,
        explain: bool = False,
        project: Project | None = None,
    ) -> list[Evidence]:
        """Evidence for a question, best first. Raises ``NoStore``.

        ``instruction`` and ``where`` narrow it down; ``vector`` is the question's embedding, if
        known (``memory.embeddings``); ``project`` is the current one, instead of that of the
        setting or the working directory; ``redacted`` leaves out what a redacted view does not
        show; ``explain`` adds what makes up each score, of which a redacted view shows nothing. A
        failing embedder is reported to ``events`` and added to ``failures``; full text is then
        searched alone. A failing reranker is reported in the same way, as ``rerank``."""
        from thalamus.memory.hooks import after_retrieve
        from thalamus.memory.recall.rerank import rerank, to_be_reranked
        from thalamus.memory.recall.search import comparable_models, find, make_query

        limit = limit or self.config.max_memory_results
        instruction = instruction or Instruction(mode="all", query=question, limit=limit)
        where = where or self.here()
        if redacted:
            return self._recall_redacted(question, instruction, where, vector)
        embedder = self._embedder() if vector is None else None
        run = self.new_run()
        wanted = structs.replace(to_be_reranked(instruction, self.engine), query=question)
        known = comparable_models(self.database) if embedder is not None else None
        query = make_query(question, embedder, vector, known, run.zone)
        query.explain, query.project = explain, project
        found, problems = find(wanted, where, run, query=query)
        for problem in problems:
            self._note("retrieve", problem)
        found, failure = rerank(question, found, instruction.limit, run)
        if failure is not None:
            self._note("rerank", failure)
        return after_retrieve(found, self.engine)

    def _recall_redacted(
        self, question: str, instruction: Instruction, where: Filter, vector: Vector | None
    ) -> list[Evidence]:
        """Redacted evidence, found among the records that the view shows: neither its order nor its
        number depends on what the others say."""
        from thalamus.memory.redaction import SHOWN_TYPES, RedactedView

        view = RedactedView(self.engine)
        question = view.text(question)  # a masked name finds nothing, nor does a masked type
        topic = view.text(instruction.topic) if instruction.topic else None
        instruction = structs.replace(instruction, query=question, topic=topic)
        if not set(SHOWN_TYPES).issuperset(instruction.types):
            return []
        where = structs.replace(where, only=view.shown_ids())
        found = self.recall(question, instruction=instruction, where=where, vector=vector)
        return view.evidence(found[: instruction.limit])

    def prompt_block(self, question: str, evidence: Sequence[Evidence]) -> str:
        """A message with the notes above it, as a model sees it in the prompt of an answer. Raises
        ``PromptError``."""
        from thalamus.pipeline.prompt_parts import noted_message

        turn = self.in_session(Turn(message=question, evidence=list(evidence)))
        return noted_message(turn, self.new_run())

    @overload
    def remember(self, records: str, *, decide: bool = False) -> Memory: ...

    @overload
    def remember(self, records: S, *, decide: bool = False) -> S: ...

    @overload
    def remember(self, records: Sequence[S], *, decide: bool = False) -> list[S]: ...

    @overload  # mypy infers a base class for a list of several kinds, which matches no other
    def remember(self, records: Sequence[Storable], *, decide: bool = False) -> list[Storable]: ...  # type: ignore[overload-cannot-match]

    def remember(
        self, records: str | Storable | Sequence[Storable], *, decide: bool = False
    ) -> Any:
        """Stores turns, memories, facts and reflections in one transaction; returns them with their
        ids. One record is returned as one, and a text as the memory that keeps it word for word.
        No chat model is asked. ``decide``: memories are reconciled with stored ones, as those of
        reflections always are. Raises ``RecordProblem`` for a time or an embedding that is not
        valid, or for the id of another record; then nothing is stored. Without ``config.memory``
        turns are returned unchanged."""
        if isinstance(records, str):
            records = Memory(content=records)
        if isinstance(records, Record):
            return self.store.write([records], decide=decide).records[0]
        return self.store.write(records, decide=decide).records

    def observe(self, activity: Activity) -> Turn:
        """Stores what another agent said or did as a turn of that agent, and leaves the extraction
        to ``finish_turns``: memories that name the agent and have its trust, and never a fact.
        Raises ``BadField`` for an activity that says nothing, and otherwise as ``remember``."""
        from thalamus.memory.write import write_records
        from thalamus.policy.activities import as_turn

        turn = self.in_session(as_turn(activity))
        if not self.config.memory:
            return turn
        left = ("reflect", "store") if self.config.enable_reflection else ()
        [stored] = write_records([turn], self.new_run(left=left))
        assert isinstance(stored, Turn)
        return stored

    def ingest(
        self,
        source: str | Path | bytes,
        *,
        name: str | None = None,
        summary: bool = True,
        project: str | None = None,
        include_forgotten: bool = False,
    ) -> Document:
        """Reads a document into memory: a file, a page on the network by its address, or bytes
        under a ``name``; and links it with a ``project`` if one is named. Sentences that were
        forgotten are left out unless ``include_forgotten``. A failure is in the
        result and is not raised. Raises as ``projects.get``."""
        from thalamus.policy.sources import is_address
        from thalamus.transfer.documents import ingest_bytes, ingest_file

        of = self.projects.get(project) if project is not None else None
        if isinstance(source, bytes):
            read = ingest_bytes(
                source, name or "document", self.new_run(), summary, include_forgotten
            )
        elif isinstance(source, str) and is_address(source):
            from thalamus.transfer.web import ingest_address, make_fetcher

            fetcher = make_fetcher(self.config, self.engine.sleep)
            read = ingest_address(source, self.new_run(), fetcher, summary, include_forgotten)
        else:
            read = ingest_file(Path(source), self.new_run(), summary, include_forgotten)
        return self._of_project(read, of)

    # -- forgetting, undoing, explaining -------------------------------------------------------

    def forget(
        self,
        options: ForgetOptions | None = None,
        *,
        ids: Sequence[str] = (),
        confirm: Callable[[ForgetReport], bool] | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> ForgetReport:
        """Deletes something permanently with everything that rests on it, and searches for remains:
        see ``complete`` and ``residue`` of the report. ``ids``: of what is deleted, in place of
        ``options``. ``confirm`` is called with a report of what would be deleted. Raises
        ``NoStore``, ``NothingFound``, ``UsageError`` unless the options select exactly one thing,
        ``ConfigError`` when the key that signs receipts cannot be read.
        """
        from thalamus.events import Forgotten
        from thalamus.memory.forget.erase import ForgetOptions, Forgetting
        from thalamus.security.receipts import ReceiptSigner
        from thalamus.store.chat_history import ChatHistory

        if (options is None) == (not ids):
            raise UsageError("forget takes either options or ids.")
        run = Forgetting(
            options or ForgetOptions(ids=tuple(ids)),
            self.database,
            self.config,
            self.clock,
            keys=self.store_keys,
            place=self.location.key_place,
            history=ChatHistory(self.config.history_file),
            signer=lambda: ReceiptSigner(self.config),
            fingerprints=self.fingerprints,
            progress=progress,
        )
        report = run.run(confirm)
        if report.done:
            self._embed_shortened(report)
            self.events.emit(Forgotten(counts=report.counts))
        return report

    def finish_forgetting(self, progress: Callable[[str], None] = lambda _: None) -> list[str]:
        """Completes an interrupted forget; returns the steps that still fail. Raises
        ``NoStore``."""
        from thalamus.memory.forget.erase import finish

        store, place = self.database, self.location.key_place
        return finish(store, self.store_keys, place, progress)

    def undo(self, id: str | None = None) -> Undone:
        """Undoes the change with this id or prefix, or else the last batch of changes.

        Undoing a batch (see ``store.batches``) reactivates what it retired, reverts what it changed
        and deletes what it created. A turn is deleted with everything stored because of it, and
        what it had ended or superseded holds again; its remaining stages are cancelled. Nothing
        else is deleted, even if it says the same: ``forget`` does that. Raises ``NoStore``,
        ``NothingFound``, and ``UsageError`` when a later change rests on it.
        """
        from thalamus.memory.undo.undo import undo

        return undo(id, self.new_run())

    def why(self, id: str | None = None, depth: int | None = None) -> Origin:
        """The origin of something, ``depth`` steps back; without an id the last turn of the
        session. Raises ``NoStore``, ``NothingFound``, ``UsageError``."""
        from thalamus.memory.views.explain import DEPTH, trace_back

        full = self.store.find_id(id) if id is not None else self.sessions.last_turn()
        if full is None:
            fix = "`thalamus trace --last 10` lists the last turns of all sessions."
            raise NothingMatches(f"There are no turns in the session {self.session!r}.", fix=fix)
        return trace_back(self.database, full, DEPTH if depth is None else depth)

    def metrics(
        self,
        since: str | None = None,
        recall: tuple[float, int] | None = None,
        *,
        until: str | None = None,
    ) -> Metrics:
        """Figures of how well the memory serves, with their targets, from the ledger: ``since`` a
        time and before ``until`` (RFC 3339). ``recall``: that of an evaluation, and the number of
        its questions (``evaluation.compare.mean_recall`` reads both from a results file). Raises
        ``NoStore``."""
        from thalamus.memory.views.metrics import collect

        return collect(self.database, self.clock.stamp(), since, recall, until=until)

    def settings(self) -> list[tuple[str, Any, str]]:
        """Settings as (name, value, origin); addresses without a password."""
        from thalamus.config import as_table
        from thalamus.models.transport import shown

        def public(name: str, value: Any) -> Any:
            address = isinstance(value, str) and "://" in value and "@" in value
            # that of the store has a user and no password
            return shown(value) if address and name != "store" else value

        return [
            (name, public(name, value), origin) for name, value, origin in as_table(self.config)
        ]

    # -- private -------------------------------------------------------------------------------

    def _begin(self, message: str | Turn) -> Turn:
        """The turn record of a message, in its session."""
        turn = message if isinstance(message, Turn) else Turn(message=message)
        if found := rejected(turn.message, "message"):
            raise BadField(*found)
        if not turn.message.strip():
            raise UsageError("The message is empty.", fix="Give a message with words.")
        return self.in_session(turn)

    def _of_project(self, document: Document, project: Project | None) -> Document:
        """A document after it was linked with its project."""
        from thalamus.memory.user.projects import link

        if project is not None and document.id is not None:
            link(project, [document.id], self.engine)
        return document

    def _embed_shortened(self, report: ForgetReport) -> None:
        """Embeds the remains of shortened turns; if that fails they are found by their words until
        they are embedded again."""
        if not report.shortened:
            return
        try:
            self.store.embed_missing()
        except MODEL_ERRORS as error:
            self._note("forget", error)

    def _embedder(self) -> Embedder | None:
        try:
            return self.engine.models.embedder()
        except MODEL_ERRORS as error:
            self._note("retrieve", error)
            return None

    def _note(self, stage: str, error: Exception) -> None:
        self.failures.append((stage, error))
        self.events.failed(stage, error)
