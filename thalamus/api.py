"""The Python API: the same engine that the command line drives.

>>> from thalamus import Thalamus
>>> with Thalamus(model="scripted", home="/tmp/demo") as thalamus:      # doctest: +SKIP
...     thalamus.run_turn("I moved to Lisbon in May.").answer

Next to ``Thalamus`` this module gives out, on first use, the types that its methods take and
return, and the functions that commands and interfaces need of other folders (``RE_EXPORTS``).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from msgspec import structs

from thalamus.clock import Clock
from thalamus.config import Config, load
from thalamus.errors import MODEL_ERRORS, NoStore, NothingFound, NothingMatches, UsageError
from thalamus.records import Document, Evidence, Fact, Instruction, Memory, Turn, WorldChange
from thalamus.storage.protocol import Filter as Filter

if TYPE_CHECKING:
    from thalamus.cancel import CancelToken
    from thalamus.config import TrustedFolders as TrustedFolders
    from thalamus.context import Context, ModelSource
    from thalamus.diagnostics import check_configuration as check_configuration
    from thalamus.diagnostics import new_problems as new_problems
    from thalamus.evaluation.answers_run import AnswersEvaluation as AnswersEvaluation
    from thalamus.evaluation.answers_run import AnswersRun as AnswersRun
    from thalamus.evaluation.compare import Comparison as Comparison
    from thalamus.evaluation.compare import QuestionChange as QuestionChange
    from thalamus.evaluation.compare import compare_files as compare_files
    from thalamus.evaluation.demo import Demo as Demo
    from thalamus.evaluation.demo import recalled as recalled
    from thalamus.evaluation.formats import LEVELS as LEVELS
    from thalamus.evaluation.memory_run import MemoryEvaluationRun as MemoryEvaluationRun
    from thalamus.evaluation.memory_run import MemoryRun as MemoryRun
    from thalamus.evaluation.retrieval_run import RetrievalEvaluation as RetrievalEvaluation
    from thalamus.evaluation.retrieval_run import RetrievalRun as RetrievalRun
    from thalamus.evaluation.statements import Choice as Choice
    from thalamus.events import ThalamusEvents as ThalamusEvents
    from thalamus.memory.crystallize_jobs import JobState
    from thalamus.memory.draft import RecordProblem as RecordProblem
    from thalamus.memory.draft import Storable as Storable
    from thalamus.memory.embeddings import shrink as shrink
    from thalamus.memory.erase import ForgetOptions as ForgetOptions
    from thalamus.memory.erase import ForgetReport as ForgetReport
    from thalamus.memory.jobs import Job
    from thalamus.memory.prune import PruneOptions as PruneOptions
    from thalamus.memory.prune import PruneResult as PruneResult
    from thalamus.memory.timeline import TimelineQuery as TimelineQuery
    from thalamus.models.catalogue import CATALOGUE as CATALOGUE
    from thalamus.models.protocol import Embedder, Role
    from thalamus.pipeline.background import Finished as Finished
    from thalamus.pipeline.crystallize_jobs import CrystallizedTurn as CrystallizedTurn
    from thalamus.pipeline.reflect_again import ReadAgain
    from thalamus.plugins import Plugins
    from thalamus.policy import predicates, world_operations
    from thalamus.policy import profile as profile_rules
    from thalamus.policy.evidence_text import own_words as own_words
    from thalamus.policy.intents import to_forget as to_forget
    from thalamus.policy.manifest import manifest_lines as manifest_lines
    from thalamus.policy.predicates import Cardinality, Registry
    from thalamus.policy.predicates import PredicateEntry as PredicateEntry
    from thalamus.policy.retention import Rules
    from thalamus.readers import detect
    from thalamus.readers.detect import MAX_BYTES as MAX_BYTES
    from thalamus.readers.detect import format_of_bytes as format_of_bytes
    from thalamus.records import (
        Alias,
        Batch,
        Check,
        Concept,
        ConceptDetails,
        ConceptKind,
        DeepReflection,
        Event,
        GoldenCard,
        Graph,
        Insight,
        Issue,
        Link,
        Manifest,
        Model,
        ModelCheck,
        Origin,
        PersonaAnswers,
        Plan,
        Profile,
        Project,
        ProjectStatus,
        Record,
        Session,
        SessionMatch,
        StageDescription,
        StageLog,
        Statistics,
        TimelineItem,
        ToolDescription,
        ToolResult,
        Verdict,
        World,
        WorldOperation,
    )
    from thalamus.security.keys import StoreKeys
    from thalamus.security.receipts import ReceiptSigner
    from thalamus.security.receipts import covers as covers
    from thalamus.security.receipts import is_own_receipt as is_own_receipt
    from thalamus.security.receipts import verify_receipt as verify_receipt
    from thalamus.security.store_state import finding_line as finding_line
    from thalamus.storage.chat_history import exclusive_access as exclusive_access
    from thalamus.storage.protocol import Change as Change
    from thalamus.storage.protocol import Follower, Touched, Writer
    from thalamus.storage.protocol import HnswResult as HnswResult
    from thalamus.storage.protocol import IndexState as IndexState
    from thalamus.storage.protocol import Space as Space
    from thalamus.storage.protocol import Vector as Vector
    from thalamus.storage.sqlite.audit import Verification as Verification
    from thalamus.storage.sqlite.store import SqliteStore
    from thalamus.transfer.conversations import ImportedConversations
    from thalamus.transfer.export import Selection as Selection
    from thalamus.transfer.golden import PURPOSES as PURPOSES
    from thalamus.transfer.golden import GoldenOptions as GoldenOptions
    from thalamus.transfer.golden import Purpose as Purpose
    from thalamus.transfer.golden import parse_split as parse_split
    from thalamus.transfer.importer import Importable as Importable
    from thalamus.transfer.importer import Importer as Importer
    from thalamus.transfer.importer import importable as importable
    from thalamus.transfer.report import ReportFile as ReportFile
    from thalamus.transfer.report import ReportOptions as ReportOptions
    from thalamus.transfer.reset import ResetReport as ResetReport

    predicate_record = predicates.record
    PROFILE_FIELDS = profile_rules.FIELDS
    find_documents = detect.walk
    operation_in_words = world_operations.in_words
    world_differences = world_operations.changes

log = logging.getLogger(__name__)

TREE = 20  # steps down from an insight
# name -> MODULE:NAME below ``thalamus``, imported when it is asked for
RE_EXPORTS = {
    "CATALOGUE": "models.catalogue:CATALOGUE",
    "Change": "storage.protocol:Change",
    "Choice": "evaluation.statements:Choice",
    "Comparison": "evaluation.compare:Comparison",
    "CrystallizedTurn": "pipeline.crystallize_jobs:CrystallizedTurn",
    "Demo": "evaluation.demo:Demo",
    "Finished": "pipeline.background:Finished",
    "ForgetOptions": "memory.erase:ForgetOptions",
    "ForgetReport": "memory.erase:ForgetReport",
    "GoldenOptions": "transfer.golden:GoldenOptions",
    "PURPOSES": "transfer.golden:PURPOSES",
    "Purpose": "transfer.golden:Purpose",
    "parse_split": "transfer.golden:parse_split",
    "HnswResult": "storage.protocol:HnswResult",
    "Importable": "transfer.importer:Importable",
    "Importer": "transfer.importer:Importer",
    "importable": "transfer.importer:importable",
    "IndexState": "storage.protocol:IndexState",
    "LEVELS": "evaluation.formats:LEVELS",
    "MAX_BYTES": "readers.detect:MAX_BYTES",
    "MemoryEvaluationRun": "evaluation.memory_run:MemoryEvaluationRun",
    "TimelineQuery": "memory.timeline:TimelineQuery",
    "AnswersEvaluation": "evaluation.answers_run:AnswersEvaluation",
    "AnswersRun": "evaluation.answers_run:AnswersRun",
    "MemoryRun": "evaluation.memory_run:MemoryRun",
    "PROFILE_FIELDS": "policy.profile:FIELDS",
    "PredicateEntry": "policy.predicates:PredicateEntry",
    "PruneOptions": "memory.prune:PruneOptions",
    "PruneResult": "memory.prune:PruneResult",
    "QuestionChange": "evaluation.compare:QuestionChange",
    "RecordProblem": "memory.draft:RecordProblem",
    "ReportFile": "transfer.report:ReportFile",
    "ReportOptions": "transfer.report:ReportOptions",
    "ResetReport": "transfer.reset:ResetReport",
    "RetrievalEvaluation": "evaluation.retrieval_run:RetrievalEvaluation",
    "RetrievalRun": "evaluation.retrieval_run:RetrievalRun",
    "Selection": "transfer.export:Selection",
    "Space": "storage.protocol:Space",
    "Storable": "memory.draft:Storable",
    "ThalamusEvents": "events:ThalamusEvents",
    "TrustedFolders": "config:TrustedFolders",
    "Vector": "storage.protocol:Vector",
    "Verification": "storage.sqlite.audit:Verification",
    "check_configuration": "diagnostics:check_configuration",
    "compare_files": "evaluation.compare:compare_files",
    "covers": "security.receipts:covers",
    "exclusive_access": "storage.chat_history:exclusive_access",
    "find_documents": "readers.detect:walk",
    "finding_line": "security.store_state:finding_line",
    "format_of_bytes": "readers.detect:format_of_bytes",
    "is_own_receipt": "security.receipts:is_own_receipt",
    "predicate_record": "policy.predicates:record",
    "recalled": "evaluation.demo:recalled",
    "shrink": "memory.embeddings:shrink",
    "to_forget": "policy.intents:to_forget",
    "manifest_lines": "policy.manifest:manifest_lines",
    "new_problems": "diagnostics:new_problems",
    "operation_in_words": "policy.world_operations:in_words",
    "world_differences": "policy.world_operations:changes",
    "own_words": "policy.evidence_text:own_words",
    "verify_receipt": "security.receipts:verify_receipt",
}
__all__ = ["Filter", "Thalamus", *RE_EXPORTS]


def __getattr__(name: str) -> Any:
    if name not in RE_EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, attribute = RE_EXPORTS[name].split(":")
    return getattr(import_module(f"thalamus.{module}"), attribute)


class Thalamus:
    """A memory and the models that use it.

    ``config``: settings already loaded; otherwise they are loaded from the environment and the
    files, and ``settings`` (any name of ``config.Config``: home, model, user, session …) are put
    on top. ``events``: where events go. With ``memory=False`` turns are neither recalled for nor
    stored. ``share_models``: those of another object, to be shared.

    Nothing is opened or imported until it is used. Not safe for use by several threads at once;
    several processes, or several objects, may share a store.

    Every method that reads the store raises ``StoreDamaged`` or ``StoreTooNew`` for one that
    cannot be read, and every method that writes to it ``StoreBusy``, ``StoreFull``, ``BadKey`` for
    a signed store whose key is not here, and ``Tampered``. What a method raises besides is said
    where it stands; ``ThalamusError`` is the class of them all.
    """

    def __init__(
        self,
        *,
        config: Config | None = None,
        events: ThalamusEvents | None = None,
        clock: Clock | None = None,
        share_models: ModelSource | None = None,
        **settings: Any,
    ) -> None:
        """Raises ``ConfigError`` for settings that are wrong, ``UsageError`` for a bad
        ``THALAMUS_NOW``."""
        self.config = config if config is not None else load(flags=settings)
        if config is None and self.config.ignored is not None:
            self.config.ignored.log()
        self.clock = clock or Clock.from_environment()
        self.session = self.config.session
        self._store: SqliteStore | None = None
        self._sessions: set[str] = set()
        self._models = share_models
        if events is not None:
            self.events = events

    @cached_property
    def events(self) -> ThalamusEvents:
        """The listeners that events are delivered to."""
        from thalamus.events import ThalamusEvents

        return ThalamusEvents(self.clock)

    @cached_property
    def context(self) -> Context:
        """What the stages are handed; made when the first of them is run."""
        from thalamus.context import Context
        from thalamus.models.resolve import Models
        from thalamus.templates import Templates

        return Context(
            config=self.config,
            clock=self.clock,
            models=self._models or Models(self.config),
            templates=Templates(self.config.own_prompts()),
            open_store=self.open_store,
            events=self.events,
            rules=lambda: self.rules,
            plugins=self._plugins() if self.config.plugins else None,
        )

    def _plugins(self) -> Plugins:
        from thalamus.plugins import Plugins

        def taken() -> set[str]:
            from thalamus.pipeline.flow import FLOWS, STAGES

            return {*STAGES, *FLOWS}

        return Plugins(self.events, taken=taken)

    def sibling(
        self,
        events: ThalamusEvents | None = None,
        *,
        config: Config | None = None,
        clock: Clock | None = None,
    ) -> Thalamus:
        """Another object with the same models, for another thread; over the same store unless
        ``config`` names another one."""
        return Thalamus(
            config=config or self.config,
            events=events,
            clock=clock or self.clock,
            share_models=self.context.models,
        )

    def __enter__(self) -> Thalamus:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- the store -----------------------------------------------------------------------------

    def open_store(self, create: bool = False) -> SqliteStore | None:
        """The store, opened once; None when there is none and ``create`` is false.

        Raises ``StoreDamaged``, also when there was one of which nothing is left, ``StoreTooNew``.
        """
        if self._store is None:
            url = os.environ.get("THALAMUS_POSTGRES")
            if url:  # of a database that no option names: it cannot do everything yet
                self._store = self._open_postgres(url, create)
                return self._store
            self._store = self._open_sqlite(create)
            if self._store is not None:
                self._store.remind()
        return self._store

    def _open_postgres(self, url: str, create: bool) -> SqliteStore | None:
        from thalamus.storage.postgres.store import PostgresStore

        timeout, tenant = self.config.busy_timeout, self.config.tenant
        try:
            store = PostgresStore(
                url,
                tenant=tenant,
                create=create,
                busy_timeout=timeout,
                clock=self.clock,
                follow=self._follow(),
            )
        except NoStore:
            return None
        return cast("SqliteStore", store)

    def _open_sqlite(self, create: bool) -> SqliteStore | None:
        from thalamus.memory.personal import subject_of
        from thalamus.security.keys import StoreKeys
        from thalamus.storage.sqlite.store import SqliteStore

        try:
            return SqliteStore(
                self.config.store_dir,
                tenant=self.config.tenant,
                create=create,
                busy_timeout=self.config.busy_timeout,
                clock=self.clock,
                keys=StoreKeys(self.config) if self.config.key_store != "none" else None,
                subject_of=subject_of if self.config.encrypt_personal else None,
                follow=self._follow(),
                hnsw=self.config.hnsw,
            )
        except NoStore:
            return None

    def _follow(self) -> Follower:
        """What works out the concepts of what is written; see ``memory.concepts``, which a process
        that only reads does not load."""

        def failed(error: Exception) -> None:
            from thalamus.errors import ConceptsLag

            self.context.failed("concepts", error)
            self.context.without_concepts = ConceptsLag(f"{type(error).__name__}: {error}")

        def follow(writer: Writer, touched: Touched) -> None:
            from thalamus.memory.concepts import follower

            follower(failed)(writer, touched)

        return follow

    @property
    def store(self) -> SqliteStore:
        """The store. Raises ``NoStore`` when there is none yet, else like ``open_store``."""
        opened = self.open_store(False)
        if opened is None:
            raise NoStore(self.config.store_dir)
        return opened

    def close(self) -> None:
        """Ends the sessions and closes the store."""
        from thalamus.events import SessionEnded

        for session in sorted(self._sessions):
            self.events.emit(SessionEnded(session=session))
        self._sessions.clear()
        self._write_logs(last=True)
        if self._store is not None:
            self._store.close()
            self._store = None
        context = self.__dict__.get("context")  # not one made for this
        if context is not None and context.tools is not None:
            context.tools.close()

    # -- the turn ------------------------------------------------------------------------------

    def run_turn(
        self, message: str | Turn, *, flow: str | None = None, cancel: CancelToken | None = None
    ) -> Turn:
        """Runs a flow over a message (or a turn record that brings more than that).

        Returns the record with what each stage put on it. Never raises for a model or a stage
        that fails: see the record's ``issues`` and ``failures``. A turn that is ended through
        ``cancel`` is stored with what there is, and says in ``interrupted`` how far it came.
        Raises ``UsageError`` or ``ConfigError`` for a flow that is not one, and before the first
        turn as ``look_up_models``.
        """
        from thalamus.pipeline.flow import find_flow, run
        from thalamus.pipeline.models import look_up

        turn = message if isinstance(message, Turn) else Turn(message=message)
        turn = self.in_session(turn)
        chosen = find_flow(flow or self.config.flow, self.config.flows, self.context.plugins)
        look_up(chosen, self.context)
        return run(turn, chosen, self.context, cancel=cancel)

    process_user_message = run_turn

    def answer_only(
        self, message: str | Turn, *, flow: str | None = None, cancel: CancelToken | None = None
    ) -> Turn:
        """Runs a flow up to its answer and no further: the store stays as it is. Raises as
        ``run_turn``, and ``UsageError`` for a flow without an answer."""
        from thalamus.pipeline.flow import find_flow, run, up_to_answer
        from thalamus.pipeline.models import look_up

        turn = message if isinstance(message, Turn) else Turn(message=message)
        found = find_flow(flow or self.config.flow, self.config.flows, self.context.plugins)
        chosen = up_to_answer(found, self.context.plugins)
        look_up(chosen, self.context)
        return run(self.in_session(turn), chosen, self.context, cancel=cancel)

    def look_up_models(self, flow: str | None = None) -> None:
        """Looks up the models of all roles of a flow, once: raises ``ModelMissing``, whose advice
        is the command that gets it, for one that is certainly not there. Raises ``UsageError`` or
        ``ConfigError`` for a flow that is not one."""
        from thalamus.pipeline.flow import find_flow
        from thalamus.pipeline.models import look_up

        chosen = find_flow(flow or self.config.flow, self.config.flows, self.context.plugins)
        look_up(chosen, self.context)

    def run_stage(self, name: str, turn: Turn) -> Turn:
        """Runs one stage over a turn record, by its name. Raises ``UsageError`` when there is
        none with this name; a stage that fails is an issue of the turn."""
        from thalamus.pipeline.flow import all_stages, find_stage, run_stage

        plugins = self.context.plugins
        stage = find_stage(name, plugins)
        if stage is None:
            known = ", ".join(all_stages(plugins))
            raise UsageError(f"Unknown stage {name!r}.", fix=f"Choose {known}.")
        with self.context.running(logged=name == "store" or self.config.log_reads):
            return run_stage(stage, self.in_session(turn), self.context)

    def stages(self) -> list[StageDescription]:
        """The stages that a flow may name, those of plugins last."""
        from thalamus.pipeline.flow import all_stages
        from thalamus.records import StageDescription

        return [
            StageDescription(
                name=stage.name,
                role=stage.role,
                reads=list(stage.reads),
                writes=list(stage.writes),
            )
            for stage in all_stages(self.context.plugins).values()
        ]

    def tools(self, stage: str | None = None) -> list[ToolDescription]:
        """The tools that there are, or those that a stage may use; MCP servers that have some of
        them are started. Raises ``ConfigError`` for servers that cannot be any and skills that name
        what there is not."""
        from thalamus.tools.toolbox import toolbox

        box = toolbox(self.context)
        found = box.tools.values() if stage is None else box.of_stage(stage)
        return [box.describe(tool) for tool in found]

    def tool(self, name: str) -> ToolDescription:
        """A tool by its name. Raises ``UsageError`` when there is none, and as ``tools``."""
        from thalamus.tools.toolbox import toolbox

        box = toolbox(self.context)
        found = box.find(name)
        if found is not None:
            return box.describe(found)
        problems = box.problems()
        if problems:
            said = f"Unknown tool {name!r}: {problems[0].message}."
            raise UsageError(said, fix=problems[0].fix)
        raise UsageError(f"Unknown tool {name!r}.", fix=f"Choose {', '.join(box.tools)}.")

    def tool_problems(self) -> list[Issue]:
        """What is wrong with the MCP servers that were needed since this was asked last. Raises as
        ``tools``."""
        from thalamus.tools.toolbox import toolbox

        return toolbox(self.context).problems()

    def tool_stages(self) -> tuple[str, ...]:
        """The stages that may use tools."""
        from thalamus.tools.skills import STAGES

        return STAGES

    def call_tool(self, name: str, args: dict[str, Any]) -> ToolResult:
        """Calls a tool by hand; what it changes in the world or proposes to remember is done at
        once, as the turn would do it when it is stored. A call that fails has an ``error``. Raises
        ``ConfigError``, and what writing raises."""
        from thalamus.tools.by_hand import call_by_hand

        return call_by_hand(name, args, self.in_session(Turn(message=name)), self.context)

    def in_session(self, turn: Turn) -> Turn:
        """The turn with its session filled in; a session's first turn is an event."""
        from thalamus.events import SessionStarted

        if turn.session is None:
            turn = structs.replace(turn, session=self.session)
        assert turn.session is not None
        if turn.session not in self._sessions:
            self._sessions.add(turn.session)
            self.events.emit(SessionStarted(session=turn.session))
        return turn

    def reset_session(self, session: str | None = None) -> str:
        """Ends the present session and begins another, whose name is returned.

        What was said stays in memory; it is only no longer the recent dialogue.
        """
        from thalamus.events import SessionEnded

        if self.session in self._sessions:
            self._sessions.remove(self.session)
            self.events.emit(SessionEnded(session=self.session))
        self.session = session or self.clock.new_id("session", self.session)
        return self.session

    @property
    def persona(self) -> str:
        """The persona that the assistant has in the next turns; empty when none is chosen."""
        return self.config.persona

    def use_persona(self, name: str) -> None:
        """Chooses the persona of the next turns (empty: none). What is said of the assistant from
        then on belongs to it."""
        self.config = structs.replace(self.config, persona=name.strip())
        self.context.config = self.config

    def tell_assistant(self, text: str) -> list[Memory]:
        """Tells the assistant who it is and how it is to speak, in the user's own words ("You are
        Gwen. Be brief."), kept as core memories; no model is asked. Returns them as they are kept.
        Raises ``UsageError`` for a text without words, one that is too long, and where core is
        full; then nothing is stored."""
        from thalamus.pipeline.tell_assistant import tell_assistant

        return tell_assistant(text, self.context)

    def told_assistant(self) -> list[Memory]:
        """What the assistant was told about itself and holds for the present persona. Raises
        ``StoreDamaged``."""
        from thalamus.memory.core_memories import persona_memories

        opened = self.open_store(False)
        return persona_memories(opened, self.context) if opened is not None else []

    def use_flow(self, name: str) -> None:
        """Runs the next turns through this flow. Raises ``UsageError`` or ``ConfigError`` for one
        that is not one, and as ``look_up_models``; then the flow stays."""
        self.look_up_models(name)
        self.config = structs.replace(self.config, flow=name)
        self.context.config = self.config

    def flow_names(self) -> list[str]:
        """The names of the flows that there are, your own last; raises nothing of its own."""
        from thalamus.pipeline.flow import FLOWS

        return [*FLOWS, *(name for name in self.config.flows if name not in FLOWS)]

    def personas(self) -> list[str]:
        """The names of the personas that the assistant was told something about, and of the one
        that is chosen. Raises ``StoreDamaged``."""
        from thalamus.memory.core_memories import known_personas

        opened = self.open_store(False)
        here = self.here()
        told = known_personas(opened, here.user, here.agent) if opened is not None else []
        return sorted({*told, *filter(None, [self.persona])})

    @property
    def failures(self) -> list[tuple[str, Exception]]:
        """(stage, error) of everything that went wrong since this object was made."""
        return self.context.failures

    # -- recalling -----------------------------------------------------------------------------

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
        it is already there (see ``query_vector``). A failing embedder is reported to ``events`` and
        added to ``failures``; full text then serves alone. So is a failing reranker, as ``rerank``.
        """
        from thalamus.memory.hooks import after_retrieve
        from thalamus.memory.rerank import rerank, to_be_reranked
        from thalamus.memory.search import find
        from thalamus.memory.stage_logs import log_question
        from thalamus.memory.world import read_zone

        store = self.store
        limit = limit or self.config.max_memory_results
        instruction = instruction or Instruction(mode="all", query=question, limit=limit)
        where = where or self.here()
        embedder = self._embedder() if vector is None else None
        read_zone(self.context, None, None)
        wanted = structs.replace(to_be_reranked(instruction, self.context), query=question)
        found, problems = find(wanted, store, where, self.context, embedder, vector=vector)
        for problem in problems:
            self._note("retrieve", problem)
        found, failure = rerank(question, found, instruction.limit, self.context)
        if failure is not None:
            self._note("rerank", failure)
        found = after_retrieve(found, self.context)
        log_question(question, instruction, found, self.context)
        return found

    def query_vector(self, values: Sequence[float], model: str | None = None) -> Vector:
        """The embedding of a question that ``model`` made elsewhere, for ``retrieve``; without its
        name it is compared with the vectors that have as many dimensions.

        Raises ``NoStore``, ``ValueError`` for what is not a vector, and ``UsageError`` when no
        stored vectors, or those of several models, fit it.
        """
        from thalamus.memory.query_vector import query_vector

        return query_vector(values, model, self.config.embedder, self.store.spaces())

    def here(self, as_of: str | None = None, *, timeless: bool = False) -> Filter:
        """The filter for this user and agent at this time."""
        return Filter(
            user=self.config.user or None,
            agent=self.config.agent or None,
            as_of=as_of,
            now=None if timeless else self.clock.stamp(),
        )

    def get(
        self, id: str
    ) -> Turn | Memory | Fact | Document | Project | Insight | Plan | WorldChange | None:
        """The record with this id; None when there is none. Raises ``NoStore``."""
        return self.store.get(id)  # type: ignore[no-any-return]

    def find_id(self, prefix: str, *, deleting: bool = False) -> str:
        """The id that ``prefix`` is, or is the beginning of; for ``deleting`` it must be a long
        one. Raises ``NoStore``, ``NothingFound``, ``UsageError`` when it is not the only one."""
        from thalamus.memory.resolve_id import resolve, resolve_to_delete

        return (resolve_to_delete if deleting else resolve)(self.store, prefix)

    def find_id_or_words(self, typed: str) -> list[str]:
        """The id that ``typed`` is, or begins; or those of the turns in which the user said just
        that; or the ids of what holds all of its words, the newest first. Raises ``NoStore``,
        ``NothingFound``, ``UsageError``."""
        from thalamus.memory.resolve_id import resolve_or_search

        return resolve_or_search(self.store, typed, self.here())

    def why(self, id: str | None = None, depth: int | None = None) -> Origin:
        """Where something came from, ``depth`` steps back; without an id the last turn of the
        session. Raises ``NoStore``, ``NothingFound``, ``UsageError``."""
        from thalamus.memory.explain import DEPTH, trace_back

        full = self.find_id(id) if id is not None else self.last_turn_id()
        if full is None:
            fix = "`thalamus trace --last 10` lists the last turns of all sessions."
            raise NothingMatches(f"There are no turns in the session {self.session!r}.", fix=fix)
        return trace_back(self.store, full, DEPTH if depth is None else depth)

    def describe(self, id: str) -> Origin:
        """A thing by its id, without what it came from. Raises ``NoStore``."""
        from thalamus.memory.explain import describe

        return describe(self.store, id)

    def links(self, id: str) -> list[Link]:
        """The provenance links from and to an id. Raises ``NoStore``."""
        from thalamus.memory.links import links

        return links(self.store, id)

    def last_turn_id(self, *, anywhere: bool = False) -> str | None:
        """The id of the last turn of this session and user, or (``anywhere``) of any session of
        theirs. Raises ``NoStore``."""
        from thalamus.memory.sessions import last_turn_id

        session = None if anywhere else self.session
        return last_turn_id(self.store, session, self.config.user or None)

    def last_turns(self, count: int, session: str | None = None) -> list[str]:
        """The ids of the last turns in the ledger (of one session), oldest first. Raises
        ``NoStore``."""
        from thalamus.memory.trace import last_turns

        return last_turns(self.store, count, session)

    def trace(self, turn: str) -> list[Event]:
        """What the ledger says of a turn. Raises ``NoStore``, and ``NothingFound`` when that is
        nothing."""
        events = list(self.store.events.read(turn))
        if not events:
            fix = (
                "`thalamus trace --last 10` lists turns; `thalamus why ID` explains anything else."
            )
            raise NothingMatches(f"The ledger has no entries about {turn} as a turn.", fix=fix)
        return events

    def stage_logs(self, turn: str) -> list[StageLog]:
        """What each stage of a turn was given and gave, as long as it is kept (``log_days``).
        Raises ``NoStore``, and ``NothingMatches`` when there is nothing."""
        from thalamus.memory.stage_logs import logs_of

        self._write_logs()
        found = logs_of(self.store, turn)
        if not found:
            days = self.config.log_days
            fix = f"Logs are kept for {days:g} days (log_days)." if days else "`log_days` is 0."
            raise NothingMatches(f"There is no stage log of {turn}.", fix=fix)
        return found

    def saved_plan(self) -> Plan | None:
        """What the next turn of this session and user will look up. Raises ``NoStore``."""
        from thalamus.memory.sessions import saved_plan

        return saved_plan(self.store, self.session, self.config.user or None)

    # -- sessions ------------------------------------------------------------------------------

    def sessions(self, limit: int | None = None) -> list[Session]:
        """The sessions, the newest first; with a configured user those of others are left out.
        Raises ``NoStore``."""
        from thalamus.memory.sessions import sessions

        return sessions(self.store, self.config.user or None, limit)

    def session_details(self, id: str) -> Session:
        """The session with this name, or title, or the only one that begins so. Raises ``NoStore``,
        ``NothingMatches``, ``UsageError`` when there are several."""
        from thalamus.memory.sessions import session_details

        return session_details(self.store, id, self.config.user or None)

    def session_turns(self, id: str, limit: int | None = None) -> list[Turn]:
        """The turns of a session, oldest first, or the last ``limit`` of them; without those that
        are encrypted and cannot be decrypted here. Raises as ``session_details``."""
        from thalamus.memory.sessions import session_turns

        session = self.session_details(id).id
        return session_turns(self.store, session, self.config.user or None, limit)

    def search_sessions(self, query: str, limit: int = 20) -> list[SessionMatch]:
        """Where past sessions speak of something, by full text over their turns and titles, best
        first. Raises ``NoStore``."""
        from thalamus.memory.sessions import search_sessions

        where = Filter(kinds=("turn",), user=self.config.user or None)
        return search_sessions(self.store, query, where.user, limit, where)

    def rename_session(self, id: str, title: str) -> Session:
        """Gives a session a title; an empty one takes away the one that it has. Raises as
        ``session_details``, and ``UsageError`` for a title that is too long."""
        from thalamus.memory.sessions import rename

        return rename(self.session_details(id), title, self.context)

    def resume_session(self, id: str) -> Session:
        """Goes on in a session: the next turn is one of it. Raises as ``session_details``."""
        session = self.session_details(id)
        self.reset_session(session.id)
        return session

    def export_session(self, id: str) -> Iterator[str]:
        """The lines of a session as Markdown. Raises as ``session_details``."""
        from thalamus.transfer.markdown import session_markdown

        session = self.session_details(id)
        return session_markdown(session, self.session_turns(session.id), self.context.zone)

    # -- remembering ---------------------------------------------------------------------------

    def remember(
        self, records: Sequence[Storable], *, decide: bool = False, more: bool = False
    ) -> list[Storable]:
        """Stores turns, memories, facts and reflections in one transaction; returns them with
        their ids. ``decide``: memories are compared with what is there and decided about, as those
        of reflections always are; ``more``: others follow at once. Raises ``RecordProblem`` for a
        time or an embedding that is not valid, or for the id of another record; then nothing is
        stored. Without ``config.memory`` turns are given back as they came."""
        from thalamus.memory.write import WriteOptions, write_records

        if not self.config.memory and any(isinstance(record, Turn) for record in records):
            others = [record for record in records if not isinstance(record, Turn)]
            rest = iter(self.remember(others, decide=decide, more=more))
            return [r if isinstance(r, Turn) else next(rest) for r in records]
        return write_records(records, self.context, WriteOptions(more=more, decide=decide))

    def propose(self, memories: Sequence[Memory]) -> list[list[Verdict]]:
        """Decides about memories that another program, such as an agent, wants kept. They are
        compared with what is there; they are trusted no more than what an answer says (0.5), so
        that they are never core and never take the place of the user's own word; what reads like
        an instruction, or waits for consent, is quarantined.

        Returns what was decided about each: the decision about itself first, then what became of
        others. Raises ``RecordProblem`` as ``remember``; then nothing is stored."""
        from thalamus.memory.write import write_proposed

        return write_proposed(memories, self.context)

    @property
    def unembedded(self) -> Exception | None:
        """Why records were stored without embeddings, if they were."""
        return self.context.unembedded

    def ingest_document(
        self, path: str | Path, *, summary: bool = True, project: str | None = None
    ) -> Document:
        """Reads a file into memory, and links it with a ``project`` if one is named. A failure
        stands in the result and is not raised. Raises as ``project``."""
        from thalamus.transfer.documents import ingest_file

        of = self.project(project) if project is not None else None
        return self._of_project(ingest_file(Path(path), self.context, summary), of)

    import_document = ingest_document

    def ingest_bytes(
        self, data: bytes, name: str, *, summary: bool = True, project: str | None = None
    ) -> Document:
        """The same for a document in memory; ``name`` stands for its path."""
        from thalamus.transfer.documents import ingest_bytes

        of = self.project(project) if project is not None else None
        return self._of_project(ingest_bytes(data, name, self.context, summary), of)

    def documents(self) -> list[Document]:
        """The documents that are in memory, the newest first; with a configured user those that
        someone else ingested are left out. Raises ``NoStore``."""
        from thalamus.memory.documents import documents

        return documents(self.store, self.config.user or None)

    def document(self, id: str) -> tuple[Document, list[Memory]]:
        """A document with its pieces, in their order. Raises ``NoStore``, ``NothingFound``."""
        from thalamus.memory.documents import document

        return document(self.store, id, self.config.user or None)

    # -- facts ---------------------------------------------------------------------------------

    def facts(
        self,
        subject: str | None = None,
        *,
        predicate: str | None = None,
        as_of: str | None = None,
        known_at: str | None = None,
        history: bool = False,
    ) -> list[Fact]:
        """The facts that hold now, or held ``as_of``; with ``known_at`` as it was believed then.
        With ``history`` all that ever did, each with its assertions and what was believed about
        it. Raises ``NoStore``."""
        now = None if history else self.clock.stamp()
        where = self.here(as_of or known_at or now, timeless=history)
        entity = None
        if subject is not None:
            from thalamus.memory.entities import asked_entity

            entity = asked_entity(self.store, where.user, subject)
        found = self.store.facts.read(structs.replace(where, known_at=known_at), entity, history)
        if predicate:
            from thalamus.memory.intervals import registry_of

            wanted = registry_of(self.store).name(predicate)
            found = [fact for fact in found if fact.predicate == wanted]
        return found

    def fact(self, id: str) -> Fact:
        """The fact with this id. Raises ``NoStore``, ``NothingFound``."""
        from thalamus.memory.resolve_id import get_fact

        return get_fact(self.store, id)

    def find_fact(self, subject: str, predicate: str, object: str, *, before: str) -> Fact:
        """The fact with these three that began last before a time. Raises ``NoStore``,
        ``NothingFound``."""
        from thalamus.memory.intervals import registry_of
        from thalamus.memory.resolve_id import last_fact

        known = self.facts(subject, history=True)
        named = registry_of(self.store).name(predicate)
        if (found := last_fact(known, named, object, before)) is None:
            raise NothingFound(f"a fact “{subject} {predicate} {object}”")
        return found

    def timeline(self, query: TimelineQuery | None = None) -> list[TimelineItem]:
        """What happened, in order of time: turns, memories, intervals of facts, documents, insights
        and prunes, those of the configured user and agent where the query names none. Raises
        ``NoStore``."""
        from thalamus.memory.timeline import TimelineQuery, timeline

        asked = query or TimelineQuery()
        user = asked.user or self.config.user or None
        agent = asked.agent or self.config.agent or None
        return timeline(self.store, replace(asked, user=user, agent=agent))

    def fact_timeline(self, subject: str | None = None, predicate: str | None = None) -> list[Fact]:
        """All facts that were not retracted, ended ones too. Raises ``NoStore``."""
        found = self.facts(subject, predicate=predicate, history=True)
        return [fact for fact in found if fact.retired_at is None]

    def assert_fact(self, fact: Fact) -> tuple[Fact, list[Verdict]]:
        """Adds a fact; returns it as it is kept, with a verdict for each fact that was ended or
        was there already. Raises ``RecordProblem``, and ``UsageError`` for one that is to be
        encrypted and is there already in plain words."""
        from thalamus.memory.write import write_fact

        written, verdicts = write_fact(fact, self.context)
        kept = self.fact(written.id or "")
        if fact.sensitivity != kept.sensitivity == "normal":
            raise UsageError(
                f"{kept.id} exists already, unencrypted, and cannot be encrypted afterwards.",
                fix=f"Run `thalamus forget {kept.id}`, then add it again.",
            )
        return kept, [verdict for verdict in verdicts if verdict.decision != "add"]

    def end_fact(self, id: str, at: str) -> list[Change]:
        """The fact stopped being true at a time (RFC 3339). Returns what holds otherwise now.
        Raises ``NoStore``, ``UsageError``."""
        from thalamus.memory import facts

        return facts.end(id, at, self.context)

    def retract_fact(self, id: str, reason: str | None = None) -> list[Change]:
        """The fact never was true. Returns what holds otherwise now. Raises ``NoStore``,
        ``UsageError``."""
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
        """The fact was wrong: one with another object or other dates takes its place. Raises
        ``NoStore``, ``UsageError``."""
        from thalamus.memory import facts

        return facts.correct(
            id, self.context, object=object, begin=valid_from, until=valid_to, reason=reason
        )[0]

    def predicates(self) -> list[PredicateEntry]:
        """The predicates that are known, by name."""
        return sorted(self._predicates().entries.values(), key=lambda entry: entry.name)

    def predicate(self, name: str) -> PredicateEntry:
        """A predicate by its name or a spelling. Raises ``NothingFound``."""
        known = self._predicates()
        if (found := known.entries.get(known.name(name))) is None:
            raise NothingFound(f"the predicate {name!r}")
        return found

    def set_predicate(
        self,
        name: str,
        *,
        cardinality: Cardinality | None = None,
        opposite: str | None = None,
        spellings: Sequence[str] = (),
    ) -> tuple[PredicateEntry, list[Change]]:
        """Changes how a predicate is taken (an empty ``opposite`` takes it away); returns it, and
        the facts that hold otherwise because of it. Raises ``NoStore``, ``UsageError``."""
        from thalamus.memory.intervals import registry_of
        from thalamus.memory.predicates import define

        canonical, changes = define(
            name, self.context, cardinality=cardinality, opposite=opposite, spellings=spellings
        )
        return registry_of(self.store).entries[canonical], changes

    def entities(self) -> list[tuple[str, str | None, int]]:
        """(name, owner, how many facts) of all that facts are about. Raises ``NoStore``."""
        from thalamus.memory.entities import entities

        return entities(self.store, self.config.user or None)

    def aliases(self) -> list[Alias]:
        """The names that mean another one, for this user. Raises ``NoStore``."""
        from thalamus.memory.entities import aliases

        owner = self.config.user or None
        return [a for a in aliases(self.store) if owner is None or a.user in (None, owner)]

    def same_entity(self, name: str, other: str) -> bool:
        """Whether two names mean the same."""
        from thalamus.memory.entities import same_entity

        return same_entity(self.open_store(False), self.config.user or None, name, other)

    def merge_entities(self, name: str, into: str) -> list[Change]:
        """From now on ``name`` means ``into``; ``unmerge_entity`` undoes it. Raises ``NoStore``,
        ``UsageError``."""
        from thalamus.memory import facts

        return facts.merge(name, into, self.context)

    def unmerge_entity(self, name: str) -> list[Change]:
        """``name`` means itself again. Raises ``NoStore``, ``UsageError``."""
        from thalamus.memory import facts

        return facts.unmerge(name, self.context)

    # -- concepts ------------------------------------------------------------------------------

    def concepts(
        self,
        *,
        kind: ConceptKind | None = None,
        since: str | None = None,
        limit: int | None = None,
    ) -> list[Concept]:
        """What everything stored is about, what is met most often first; of one ``kind``, met
        ``since`` a time. Raises ``NoStore``."""
        from thalamus.memory.concept_views import Scope, list_concepts

        return list_concepts(self.store, Scope(self.config.user or None), kind, since, limit)

    def concept(self, name: str) -> ConceptDetails:
        """A concept, by its name or its id, with what is about it. Raises ``NoStore``,
        ``NothingFound``, ``UsageError`` when a prefix of an id is not the only one."""
        from thalamus.memory.concept_views import Scope, details

        return details(self.store, name, Scope(self.config.user or None), self.clock.stamp())

    def merge_concepts(self, name: str, into: str) -> Concept:
        """From now on the concept ``name`` is ``into``, and so is the entity of that name. Raises
        ``NoStore``, ``NothingFound``, ``UsageError`` when they are one already."""
        from thalamus.memory.concept_views import merge

        return merge(name, into, self.context, self.store)

    def split_concept(self, name: str) -> Concept | None:
        """``name`` is a concept of its own again, which is returned; None when nothing is about
        it. Raises ``NoStore``, ``UsageError`` when it was not merged."""
        from thalamus.memory.concept_views import split

        return split(name, self.context, self.store)

    def graph(
        self,
        name: str,
        *,
        other: str | None = None,
        depth: int = 2,
        limit: int = 40,
        as_of: str | None = None,
        every: bool = False,
    ) -> Graph:
        """What is connected with a concept (or with "user"): at most ``limit`` concepts, up to
        ``depth`` connections away, by the facts that hold, those that held ``as_of`` a time, or
        ``every`` one; or the shortest path to an ``other`` concept. Raises as ``concept``, and
        ``NothingFound`` when there is no path."""
        from thalamus.memory.concept_views import Scope
        from thalamus.memory.graph import ConceptGraph, GraphOptions

        options = GraphOptions(depth, limit, as_of, every)
        scope = Scope(self.config.user or None)
        graph = ConceptGraph(self.store, scope, options, self.clock.stamp())
        return graph.around(name) if other is None else graph.path(name, other)

    # -- profile and projects ------------------------------------------------------------------

    def profile(self) -> Profile:
        """Who the user is, as far as the store knows now: the lines that stand in prompts and those
        that do not, each with what it rests on. Without a configured user the profile of what
        belongs to nobody in particular. Raises ``NoStore``."""
        from thalamus.memory.profile import profile

        config = self.config
        return profile(self.store, self.context, config.user or None, config.agent or None)

    def profile_values(self) -> dict[str, list[str]]:
        """The present values of each field that ``set_profile`` sets, by its name. Nothing without
        a store; raises nothing of its own."""
        from thalamus.memory.profile import values

        opened = self.open_store(False)
        config = self.config
        if opened is None:
            return {}
        found = values(opened, self.context, config.user or None, config.agent or None)
        return {name: [fact.object for fact in facts] for name, facts in found.items()}

    def set_profile(self, **values: str | Sequence[str] | None) -> Profile:
        """Sets fields of the profile (``PROFILE_FIELDS``): each has the given value or values from
        now on, and none where that is None or empty. They are kept as facts about the user.
        Returns the profile as it is then.

        Raises ``UsageError`` for a name that is not a field's, or a value that cannot be one; then
        nothing was changed.
        """
        from thalamus.memory.profile import set_values

        given = {
            name: [value] if isinstance(value, str) else list(value or ())
            for name, value in values.items()
        }
        set_values(given, self.context)
        return self.profile()

    def projects(self, status: ProjectStatus | None = None) -> list[Project]:
        """The user's projects, oldest first; of one ``status`` or all. Raises ``NoStore``."""
        from thalamus.memory.projects import projects

        return projects(self.store, self.config.user or None, status)

    def project(self, name: str) -> Project:
        """The project with this name, whatever its case, or this id or a prefix of it. Raises
        ``NoStore``, ``NothingFound``, ``UsageError`` when it is not the only one."""
        from thalamus.memory.projects import find_project

        return find_project(self.store, name, self.config.user or None)

    def add_project(self, project: Project) -> Project:
        """Adds a project and links it with the memories that name it; returns it as it is kept.
        Raises ``UsageError`` when there is one with its name."""
        from thalamus.memory.projects import add

        return add(project, self.context)

    def set_project_status(self, name: str, status: ProjectStatus) -> Project:
        """Closes, pauses or reopens a project. Raises as ``project``."""
        from thalamus.memory.projects import set_status

        return set_status(self.project(name), status, self.context)

    def link_project(self, name: str, ids: Sequence[str], *, linked: bool = True) -> list[str]:
        """Links memories, facts, documents or turns with a project, or with ``linked`` false takes
        the links away; returns their full ids. Raises as ``project`` and ``find_id``."""
        from thalamus.memory.projects import link, unlink

        project = self.project(name)
        full = [self.find_id(id) for id in ids]
        (link if linked else unlink)(project, full, self.context)
        return full

    def linked_with(self, project: Project) -> list[Origin]:
        """What is linked with a project, by kind and time. Raises ``NoStore``."""
        from thalamus.memory.explain import describe
        from thalamus.memory.projects import linked

        found = [describe(self.store, id) for id in linked(self.store, project)]
        return sorted(found, key=lambda origin: (origin.kind, origin.at or "", origin.id))

    # -- the world state -----------------------------------------------------------------------

    def world(self) -> World:
        """What the user is busy with at present; what is wrong with what is kept is logged, and the
        default stands in its place. Raises ``NoStore``."""
        from thalamus.memory.world import load_world

        world, issues = load_world(self.store, self.config.user or None)
        for problem in issues:
            log.warning("%s", problem.message)
        return world

    def apply_to_world(
        self, operations: Sequence[WorldOperation], *, dry_run: bool = False
    ) -> WorldChange | None:
        """Applies operations to the user's world state, all of them or none; returns the change,
        which ``undo`` takes back, or None when they change nothing. With ``dry_run`` nothing is
        stored. Raises ``InvalidOperation``."""
        from thalamus.memory.world import apply_operations, change_of

        if dry_run:
            user = self.config.user or None
            return change_of(self.open_store(False), operations, user, self.clock.stamp())
        return apply_operations(operations, self.context)

    def world_history(self, limit: int | None = None) -> list[WorldChange]:
        """The last changes of the user's world state, newest last. Raises ``NoStore``."""
        from thalamus.memory.world import history

        return history(self.store, self.config.user or None, limit)

    def world_change(self, id: str) -> WorldChange:
        """The change with this id, or the only one whose id begins like this. Raises as
        ``find_id``."""
        found = self.store.get(self.find_id(id))
        if not isinstance(found, WorldChange):
            raise NothingFound(f"a change of the world state {id!r}")
        return found

    def manifest(self, project: str | None = None) -> Manifest:
        """The state of a project in short: of the one that is named, or that of the world state.
        The same store always gives the same. Raises as ``project``."""
        from thalamus.memory.manifest import compile_manifest

        config = self.config
        chosen = self.project(project) if project is not None else None
        return compile_manifest(self.store, config.user or None, config.agent or None, chosen)

    # -- memories ------------------------------------------------------------------------------

    def memories(self, where: Filter | None = None, *, limit: int = 100) -> list[Memory]:
        """Memories, newest first; chunks of documents only when ``where`` asks for them. Raises
        ``NoStore``."""
        if where is None:
            where = structs.replace(self.here(), kinds=("memory",))
        return self.store.memories.read(where, limit)

    def memory_types(self) -> dict[str, int]:
        """How many memories there are of each type, whatever became of them. Raises ``NoStore``."""
        from thalamus.memory.counts import memory_types

        return memory_types(self.store, self.config.user or None)

    def memory_topics(self) -> dict[str, int]:
        """How many memories there are of each topic, the one of the most first. Raises
        ``NoStore``."""
        from thalamus.memory.counts import memory_topics

        return memory_topics(self.store, self.config.user or None)

    def count_remembered(self) -> dict[str, int]:
        """How many memories are active and have not expired (``memory``, without the pieces of
        documents), and how many facts hold (``fact``): as many as ``memories`` and ``facts`` list.
        Raises ``NoStore``."""
        from thalamus.memory.counts import remembered

        config = self.config
        now = self.clock.stamp()
        return remembered(self.store, config.user or None, config.agent or None, now)

    def find_memory(self, id: str) -> Memory:
        """The memory with this id, or the only one whose id begins like this. Raises ``NoStore``,
        ``NothingFound``, ``UsageError``."""
        from thalamus.memory.resolve_id import find_memory

        return find_memory(self.store, id)

    def edit_memory(self, id: str, **changes: Any) -> Memory:
        """Changes fields of a memory (content, topic, type, importance, scope, expires_at).

        New content makes a new memory, which is returned. Raises ``NoStore``, ``NothingFound``,
        ``UsageError``.
        """
        from thalamus.memory.edit import edit

        return edit(self.find_memory(id), changes, self.context, self.store)

    def pin_memory(self, id: str, pinned: bool = True) -> Memory:
        """Pins a memory, so that it is never pruned; with ``pinned`` false no longer. Raises
        ``NoStore``, ``NothingFound``, ``UsageError``."""
        from thalamus.memory.edit import pin

        return pin(self.find_memory(id), pinned, self.context, self.store)

    def promote_memory(self, id: str) -> Memory:
        """Makes a memory core. Raises ``NoStore``, ``NothingFound``, and ``UsageError`` when it may
        not be, or core is full."""
        from thalamus.memory.edit import promote

        return promote(self.find_memory(id), self.context, self.store)

    def demote_memory(self, id: str) -> Memory:
        """Core becomes archival; anything else loses a step of importance. Raises ``NoStore``,
        ``NothingFound``, ``UsageError``."""
        from thalamus.memory.edit import demote

        return demote(self.find_memory(id), self.context, self.store)

    def release_memory(self, id: str) -> Verdict:
        """Takes a memory out of quarantine: it is recalled like any other. Raises ``NoStore``,
        ``NothingFound``, and ``UsageError`` when it is not in quarantine."""
        from thalamus.memory.quarantine import release
        from thalamus.memory.resolve_id import find_quarantined

        return release(find_quarantined(self.store, id), self.context, self.store)

    def reject_memory(self, id: str) -> Verdict:
        """Deletes a memory that is in quarantine. Raises as ``release_memory``."""
        from thalamus.memory.quarantine import reject
        from thalamus.memory.resolve_id import find_quarantined

        memory = find_quarantined(self.store, id, deleting=True)
        return reject(memory, self.context, self.store)

    # -- pruning, undoing, forgetting ----------------------------------------------------------

    @cached_property
    def rules(self) -> Rules:
        """The retention rules by kind. Raises ``ConfigError``."""
        from thalamus.memory.retention import load_rules

        return load_rules(self.config.config_dir)

    def prune(
        self,
        options: PruneOptions | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> PruneResult:
        """Retires what the retention rules no longer keep, summed up first; deletes what was
        retired long ago. ``on_verdict`` is called with each decision to change something, before
        it is done. Raises ``NoStore``, ``ConfigError``."""
        from thalamus.memory import prune as stage

        options = options or self._prune_options()
        self._write_logs()
        with self.store.exclusive("prune"):
            decided = stage.plan(self.store, self.context, self.rules, options)
            if on_verdict is not None:
                for verdict in stage.verdicts(decided, self.store):
                    on_verdict(verdict)
            return stage.prune(decided, self.store, self.context, self.rules, options)

    def would_prune(self, options: PruneOptions | None = None) -> Iterator[Verdict]:
        """What ``prune`` would do: one verdict for each memory. Changes nothing. Raises
        ``NoStore``, ``ConfigError``."""
        from thalamus.memory import prune as stage

        options = options or self._prune_options()
        decided = stage.plan(self.store, self.context, self.rules, options, everything=True)
        yield from stage.verdicts(decided, self.store)

    def batches(self, undoable: bool = False) -> list[Batch]:
        """What was changed together, newest first; ``until`` says when it can no longer be
        undone. Raises ``NoStore``."""
        from thalamus.memory import undo

        return undo.batches(self.store, self.config.undo_days, undoable)

    def undo(self, batch: str | None = None) -> tuple[Batch, dict[str, int]]:
        """Takes back the last batch, or the one whose id begins like this: what it retired is
        active again (a fact holds again), what it changed is as before, what it made is gone.

        Returns it with how many were restored, changed and removed. Raises ``NoStore``,
        ``NothingFound``, and ``UsageError`` when a later batch rests on it.
        """
        from thalamus.memory import undo

        return undo.undo(batch, self.clock, self.store, self.context.zone)

    def undo_turn(self, id: str | None = None) -> list[Verdict]:
        """Takes a turn back, without an id the last of the session: it is deleted with what was
        stored because of it, and what it had ended or superseded holds again. Nothing else goes,
        even if it says the same: that is what ``forget`` does.

        Returns what was deleted, the turn first, and what holds again. A turn that is still to be
        finished is not. Raises ``NoStore``, ``NothingFound``, and ``UsageError`` when the world
        state was changed again since.
        """
        from thalamus.memory.undo_turn import undo_turn

        full = self.find_id(id, deleting=True) if id is not None else self.last_turn_id()
        if full is None:
            raise NothingMatches("There are no turns in this session yet.")
        self._write_logs(last=True)
        return undo_turn(full, self.context, self.store)

    def forget(
        self,
        options: ForgetOptions,
        *,
        confirm: Callable[[ForgetReport], bool] | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> ForgetReport:
        """Deletes something for good with all that rests on it, and looks whether anything is
        left: see ``complete`` and ``residue`` of the report.

        ``confirm`` is asked with a report that only says what would go. Raises ``NoStore``,
        ``NothingFound``, ``UsageError`` for options that name nothing or too much, ``ConfigError``
        when the key that signs receipts cannot be read.
        """
        from thalamus.events import Forgotten
        from thalamus.memory.erase import Forgetting
        from thalamus.storage.chat_history import ChatHistory

        self._write_logs(last=True)
        run = Forgetting(
            options,
            self.store,
            self.config,
            self.clock,
            history=ChatHistory(self.config.history_file),
            signer=self._receipt_signer,
            progress=progress,
        )
        report = run.run(confirm)
        if report.done:
            self._embed_shortened(report)
            self.events.emit(Forgotten(counts=report.counts))
        return report

    def _embed_shortened(self, report: ForgetReport) -> None:
        """Embeds what is left of turns; where that fails they are found by their words until
        embeddings are made again."""
        if not report.shortened:
            return
        try:
            self.embed_missing()
        except MODEL_ERRORS as error:
            self._note("forget", error)

    def finish_forgetting(self, progress: Callable[[str], None] = lambda _: None) -> list[str]:
        """Does what an interrupted forget left to be done; returns what still cannot be done.
        Raises ``NoStore``."""
        from thalamus.memory.erase import finish

        return finish(self.store, progress)

    # -- exchange ------------------------------------------------------------------------------

    def export_memory(self, selection: Selection | None = None) -> Iterator[Record]:
        """Every record of the store that ``selection`` takes, in an order in which
        ``import_memory`` takes it. Raises ``NoStore``."""
        from thalamus.transfer.export import Selection, select

        self._write_logs()
        return select(self.store.everything(), selection or Selection())

    def export_lines(
        self, selection: Selection | None = None, *, embeddings: bool = False
    ) -> Iterator[bytes]:
        """The same as JSON lines, with ``embeddings`` those of memories and facts, without what
        is encrypted and cannot be read here. Raises ``NoStore``."""
        from thalamus.transfer.export import export_lines

        self._write_logs()
        return export_lines(self.store, selection, embeddings)

    def report(self, options: ReportOptions | None = None) -> ReportFile:
        """What is remembered as one HTML page that loads nothing, of the configured user; without
        what is personal unless that is asked for. Raises ``NoStore``."""
        from thalamus.transfer.report import ReportOptions, make_report

        return make_report(self.store, self.context, options or ReportOptions())

    def write_report(
        self, path: Path, options: ReportOptions | None = None, *, replace: bool = False
    ) -> ReportFile:
        """The same in a file that only its owner may read, and that `forget` names when something
        goes that it holds. Raises ``NoStore``, and ``UsageError`` for a file that cannot be
        written, or is there and not to be replaced."""
        from thalamus.transfer.report import ReportOptions, write_report

        options = options or ReportOptions()
        return write_report(path, self.store, self.context, options, replace=replace)

    def export_chats(self, selection: Selection | None = None) -> Iterator[bytes]:
        """The messages of each session as role and content, one session a line. Raises
        ``NoStore``."""
        from thalamus.transfer.chats import export_chats

        return export_chats(self.store, selection)

    def golden_lines(self, options: GoldenOptions | None = None) -> Iterator[bytes]:
        """The golden data set as JSON lines: the turns that succeeded, as records or in a form that
        trainers take. Raises ``NoStore``."""
        from thalamus.transfer.golden import GoldenDataset, GoldenOptions

        self._write_logs()
        return GoldenDataset(self.store, self.context, options or GoldenOptions()).lines()

    def export_golden(self, name: Path, options: GoldenOptions | None = None) -> GoldenCard:
        """Writes the golden data set to ``NAME.jsonl``, or to a file for each part of the split,
        with a card next to it; returns the card. The store remembers which file holds what, for
        ``forget``. Raises ``NoStore``, ``UsageError`` where it cannot be written."""
        from thalamus.transfer.golden import GoldenDataset, GoldenOptions, write_dataset

        self._write_logs()
        dataset = GoldenDataset(self.store, self.context, options or GoldenOptions())
        return write_dataset(dataset, name, self.context)

    def personality_lines(
        self,
        *,
        dialogues: int = 20,
        personal: bool = False,
        selection: Selection | None = None,
    ) -> Iterator[bytes]:
        """What makes the assistant's personality, as JSON lines for `thalamus import`: memories of
        who it is and how it speaks, active insights by strength, and the best ``dialogues`` of the
        turns that succeeded. Raises ``NoStore``."""
        from thalamus.transfer.export import Selection
        from thalamus.transfer.personality import personality_lines

        self._write_logs()
        chosen = selection or Selection()
        return personality_lines(self.store, self.clock.stamp(), dialogues, personal, chosen)

    def is_empty(self) -> bool:
        """Whether nothing is remembered yet. Raises ``StoreDamaged``."""
        from thalamus.memory.counts import is_empty

        opened = self.open_store(False)
        return opened is None or is_empty(opened)

    def prompt_block(self, question: str, evidence: Sequence[Evidence]) -> str:
        """A message with the notes above it, as a model sees it in the prompt of an answer. Raises
        ``PromptError``."""
        from thalamus.pipeline.prompt_parts import noted_message

        turn = self.in_session(Turn(message=question, evidence=list(evidence)))
        return noted_message(turn, self.context)

    def export_markdown(self, selection: Selection | None = None) -> Iterator[str]:
        """The same as lines of Markdown, for reading. Raises ``NoStore``."""
        from thalamus.transfer.markdown import export_markdown

        return export_markdown(self.store, selection, self.context.zone)

    def import_memory(self, records: Iterable[Any]) -> dict[str, int]:
        """Stores exported records as they are; those that are there already are skipped.

        Returns how many of each kind were added. Embeddings that are missing are made. Raises
        ``RecordProblem`` for a record that cannot be stored (batches before it are kept), and what
        the embedder raises.
        """
        from itertools import islice

        importer = self.importer()
        rest = iter(records)
        while batch := list(islice(rest, self.config.batch_size)):
            importer.add([importer.check(record) for record in batch])
        importer.finish()
        self.embed_missing()
        return dict(importer.added)

    def importer(self) -> Importer:
        """Takes exported records batch by batch: behind ``import_memory``."""
        from thalamus.transfer.importer import Importer

        return Importer(self.context)

    def import_conversations(
        self,
        source: str,
        path: Path,
        on_problem: Callable[[str], None] = lambda _: None,
        on_progress: Callable[[int], None] = lambda _: None,
    ) -> ImportedConversations:
        """Stores the conversations that ``source`` (chatgpt or claude) exported as turns with
        their own dates, a session each. ``on_problem`` is called for each that cannot be read.
        Raises ``DocumentError`` for a file that is not such an export."""
        from thalamus.transfer.conversations import import_conversations

        return import_conversations(source, path, self.context, on_problem, on_progress)

    # -- answering first, finishing later ---------------------------------------------------------

    def answer_turn(
        self, message: str | Turn, *, flow: str | None = None, cancel: CancelToken | None = None
    ) -> tuple[Turn, bool]:
        """Like ``run_turn``, but only up to the answer: the turn is stored, and what follows is
        left as a job for ``finish_turns``, of this process or of a later one. Raises as
        ``run_turn``.

        Returns the turn, and whether anything was left: a flow that does not reflect, or stores
        nothing, is run to its end. Raises ``UsageError`` or ``ConfigError`` for a flow that is not
        one.
        """
        from thalamus.pipeline.background import answer_first
        from thalamus.pipeline.flow import find_flow
        from thalamus.pipeline.models import look_up

        turn = message if isinstance(message, Turn) else Turn(message=message)
        chosen = find_flow(flow or self.config.flow, self.config.flows, self.context.plugins)
        look_up(chosen, self.context)
        return answer_first(self.in_session(turn), chosen, self.context, cancel)

    def unfinished_turns(self) -> list[Job]:
        """What is left to be done for turns that were answered, oldest first; nothing without a
        store."""
        from thalamus.memory.jobs import jobs

        opened = self.open_store(False) if self.config.memory else None
        return jobs(opened, self.clock.stamp()) if opened is not None else []

    def finish_turns(
        self,
        turn: str | None = None,
        *,
        most: int | None = None,
        given_up: bool = False,
        cancel: CancelToken | None = None,
    ) -> Iterator[Finished]:
        """Reflects on turns that were only answered so far, stores what is found, and plans.

        One ``turn``, or all that no other process is at work on, but at most ``most``; with
        ``given_up`` also those that failed too often. Yields what became of each, and ends after
        one that cannot be done now, because the model is gone or the store is busy, or that was
        stopped by ``cancel``. Raises ``StoreBusy``, ``StoreFull``.
        """
        from thalamus.pipeline.background import NOT_THE_JOBS_FAULT, finish

        seen: set[str] = set()
        while most is None or len(seen) < most:
            job = self._take(turn, seen, given_up)
            if job is None:
                return
            seen.add(job.id)
            done = finish(job, self.context, cancel)
            yield done
            if done.turn is None and not _failed(done, NOT_THE_JOBS_FAULT):
                return
            if cancel is not None and cancel.cancelled:
                return

    # -- insights --------------------------------------------------------------------------------

    def crystallize(
        self,
        limit: int | None = None,
        *,
        failed: bool = False,
        cancel: CancelToken | None = None,
    ) -> Iterator[CrystallizedTurn]:
        """Concludes insights from turns that wait for it, the oldest first, at most ``limit``; with
        ``failed`` also from those that failed too often. Yields what became of each, and ends after
        one that cannot be done now, or that was stopped by ``cancel``. A model that is known to be
        too small is not asked, and the turns wait on. Raises ``StoreBusy``, ``StoreFull``, and
        ``ModelMissing``, ``ModelUnreachable`` or ``UsageError`` when there is no model."""
        from thalamus.memory.crystallize_jobs import next_job
        from thalamus.pipeline.crystallize_jobs import work

        opened = self.open_store(False) if self.config.memory else None
        if opened is None or next_job(opened, self.clock.stamp(), failed=failed) is None:
            return iter(())
        if self.too_small_to_crystallize():
            return iter(())
        return work(self.context, limit, failed=failed, cancel=cancel)

    def crystallize_turn(self, turn: Turn, *, dry_run: bool = False) -> CrystallizedTurn:
        """Concludes insights from one stored turn, unless that was done before; with ``dry_run``
        stores nothing. Raises ``NothingFound`` for a turn that is not stored, and what the model
        raises."""
        from thalamus.pipeline.crystallize_jobs import crystallize_turn

        return crystallize_turn(turn, self.context, dry_run=dry_run)

    def too_small_to_crystallize(self) -> str | None:
        """The name of the model that would conclude insights, if it is known to be too small for
        that and is not asked. Raises what finding the model raises."""
        if not self.context.too_small("crystallize"):
            return None
        return self.context.models.chat("crystallize").name

    def count_jobs(self) -> dict[JobState, int]:
        """How many turns wait to be crystallized, are taken, done or failed; nothing without a
        store."""
        from thalamus.memory.crystallize_jobs import count_jobs

        opened = self.open_store(False) if self.config.memory else None
        return count_jobs(opened, self.clock.stamp()) if opened is not None else {}

    def insights(
        self,
        *,
        status: str | None = "active",
        topic: str | None = None,
        least_strength: float = 0.0,
    ) -> list[Insight]:
        """What was concluded from what the user said, the strongest first; of one ``status`` or
        (None) of any, about a ``topic``. Raises ``NoStore``."""
        from thalamus.memory.insights import insights

        user = self.config.user or None
        return insights(self.store, user, status=status, topic=topic, least=least_strength)

    def insight(self, id: str) -> Insight:
        """The insight with this id, or the only one whose id begins like this. Raises ``NoStore``,
        ``NothingFound``, ``UsageError``."""
        from thalamus.memory.insights import find_insight

        return find_insight(self.store, id)

    def reject_insight(self, id: str) -> Insight:
        """Marks an insight as wrong: it is not recalled any more, and not concluded again; ``undo``
        takes that back. Raises as ``insight``, and ``UsageError`` for one that was merged."""
        from thalamus.memory.reject_insight import reject

        return reject(self.insight(id), self.context, self.store)

    def search_insights(self, query: str, *, limit: int | None = None) -> list[Evidence]:
        """The active insights for a question, best first. Raises as ``retrieve``."""
        limit = limit or self.config.max_memory_results
        where = structs.replace(self.here(), kinds=("insight",))
        instruction = Instruction(mode="all", query=query, limit=limit)
        return self.retrieve(query, limit=limit, instruction=instruction, where=where)

    def insight_tree(self, id: str) -> Origin:
        """What an insight was made of: the insights that were merged into it, and what was said,
        word for word. Raises as ``insight``."""
        from thalamus.memory.explain import trace_back

        return trace_back(self.store, self.insight(id).id or "", TREE)

    def reflect_deeply(self, *, dry_run: bool = False) -> DeepReflection:
        """Merges active insights that share concepts into one each; with ``dry_run`` only says
        which. A second call changes nothing. Raises ``NoStore``, ``StoreBusy`` when another process
        does the same, and what the model raises."""
        from thalamus.pipeline.deep_reflection import reflect_deeply

        return reflect_deeply(self.context, self.store, dry_run=dry_run)

    def reflect_again(self) -> Iterator[ReadAgain]:
        """Reads turns again of which an earlier version made memories by rules; ``undo`` takes all
        of it back. Raises ``NoStore``, ``StoreBusy``, ``StoreFull``."""
        from thalamus.pipeline.reflect_again import reflect_again

        return reflect_again(self.context, self.store)

    def undo_merge(self, batch: str | None = None) -> tuple[Batch, dict[str, int]]:
        """Takes back the last merge of insights, or the one whose id begins like this. Returns and
        raises as ``undo``."""
        from thalamus.pipeline.deep_reflection import undo_reflection

        found = undo_reflection(self.batches(undoable=True)) if batch is None else batch
        if found is None:
            raise NothingMatches("There is no merge of insights to undo.")
        return self.undo(found)

    def one_finishing(self) -> AbstractContextManager[None]:
        """Only one process finishes all turns at a time. Raises ``NoStore``, ``StoreBusy``."""
        return self.store.exclusive("finish", wait=True)

    # -- models --------------------------------------------------------------------------------

    def model_name(self, role: Role = "answer") -> str:
        """The full name of the chat model of a role. Raises ``ModelUnreachable``, ``ModelMissing``,
        ``UsageError`` for a name that is not a model's."""
        return self.context.models.chat(role).name

    def wake_model(self, role: Role = "answer") -> str:
        """The same, after the model was asked for its size: one that is not there raises here and
        not at the first message."""
        chat = self.context.models.chat(role)
        chat.context()
        return chat.name

    def embedder_name(self) -> str:
        """The full name of the embedder, or ``none``. Raises ``ModelMissing``, ``UsageError``."""
        embedder = self.context.models.embedder()
        return embedder.name if embedder else "none"

    def reranker_name(self) -> str:
        """The full name of the reranker, or ``none``. Raises ``ModelMissing``, ``ModelFailed``,
        ``UsageError``."""
        reranker = self.context.models.reranker()
        return reranker.name if reranker else "none"

    def models(self) -> list[Model]:
        """The models of this machine and those that can be pulled, with the roles that they
        have."""
        from thalamus.models.inventory import inventory

        return inventory(self.config)

    def chat_models(self) -> list[Model]:
        """The chat models of this machine, of Ollama and as files in the usual places, then those
        that can be pulled; see ``recommended_model``."""
        from thalamus.models.candidates import candidates

        return candidates(self.config)

    def recommended_model(self, models: Sequence[Model]) -> Model | None:
        """The one of these models that is ready to begin with; None when none is."""
        from thalamus.models.candidates import machine_memory
        from thalamus.policy.model_choice import recommended

        ready = [model for model in models if model.state == "ready"]
        return recommended(ready, machine_memory())

    def pull_model(self, name: str, report: Callable[[str], None] = lambda _: None) -> Path:
        """Fetches a model of the catalogue and verifies its checksum; returns its file. Raises
        ``ModelMissing``, ``ModelFailed``, ``StoreFull``."""
        from thalamus.models.pull import pull

        return pull(name, self.config.cache_dir, report)

    def check_models(self) -> Iterator[ModelCheck]:
        """Asks the chat model of each role, the embedder and the reranker. What goes wrong stands
        in the answers."""
        from thalamus.models.inventory import ask_each

        return ask_each(self.config, self.clock)

    # -- indexes and embeddings ----------------------------------------------------------------

    def index_states(self) -> list[IndexState]:
        """How each index stands, its files verified byte by byte. Raises ``NoStore``."""
        return self.store.index_states()

    def rebuild_indexes(self) -> list[IndexState]:
        """Rebuilds every search index from the tables. Raises ``NoStore``."""
        return self.store.rebuild_indexes()

    def count_vectors(self) -> int:
        """How many vectors there are, of all models. Raises ``NoStore``."""
        return sum(space.count for space in self.store.spaces())

    def build_hnsw(self, progress: Callable[[int], None] = lambda _: None) -> list[HnswResult]:
        """Builds an HNSW index over the vectors of each model that has many; ``progress`` is
        called with how many more rows are done. Raises ``NoStore``, or ``UsageError`` when the
        setting ``hnsw`` is false."""
        if not self.config.hnsw:
            raise UsageError(
                "HNSW indexes are switched off by `hnsw: false`.",
                fix="Set `hnsw: true` to build and use them.",
            )
        return self.store.build_hnsw(progress)

    def keep_hnsw(self, progress: Callable[[int], None] = lambda _: None) -> list[HnswResult]:
        """Builds or extends now the HNSW indexes that a process in the background would, unless
        one is doing so; what was tried. Raises ``NoStore``."""
        keep = getattr(self.store, "keep_hnsw", None)  # not every database has such indexes
        return keep(progress) if keep is not None else []

    def work_out_concepts(self, progress: Callable[[int], None] = lambda _: None) -> int:
        """Works out again what everything stored is about; ``progress`` is called with how many
        more entries were looked at. Returns how many those were; a run that was ended is continued
        by the next. Raises ``NoStore``, ``StoreBusy``, ``StoreFull``."""
        from thalamus.memory.concepts import work_out_all

        return work_out_all(self.store, progress)

    def count_entries(self) -> int:
        """How many turns, memories, facts and other things can be found. Raises ``NoStore``."""
        from thalamus.records.kinds import numbered

        return sum(self.store.counts()[kind.name] for kind in numbered())

    def count_without_concepts(self, limit: int = 2000) -> tuple[int, int]:
        """How many entries have no concepts though they should, and how many were looked at: at
        most ``limit`` of those without any, the newest. Raises ``NoStore``."""
        from thalamus.memory.concepts import missing

        return missing(self.store, limit)

    def count_missing_embeddings(self) -> tuple[str, int]:
        """(the embedder's name, how many entries it has not embedded yet). Raises ``NoStore``,
        ``ModelMissing``, ``UsageError``."""
        from thalamus.memory.embeddings import count_missing

        return count_missing(self.context, self.store)

    def embed_missing(self, progress: Callable[[int], None] = lambda _: None) -> int:
        """Makes the embeddings that the embedder has not made yet; returns how many. 0 without a
        store. Raises what the embedder raises; what is made until then is kept."""
        from thalamus.memory.embeddings import reembed

        opened = self.open_store(False)
        return reembed(self.context, opened, progress) if opened is not None else 0

    # -- backups, signatures and keys ----------------------------------------------------------

    def backup(self, path: Path, *, replace: bool = False) -> dict[str, int]:
        """Copies the store to one file, as it is at one moment, while others may write; returns how
        many rows of each kind the verified copy has. Raises ``NoStore``, and ``UsageError`` for a
        folder, or a file that is there and not to be replaced."""
        from thalamus.storage.sqlite.backup import judge

        if path.is_dir():
            raise UsageError(f"{path} is a directory.", fix="Give the name of a file.")
        if path.exists() and not replace:
            raise UsageError(f"{path} exists already.", fix="Choose another file, or give --force.")
        self.store.backup(path)
        return judge(path)

    @property
    def store_path(self) -> Path:
        """The file of the store, whether it is there or not."""
        from thalamus.storage.sqlite.connection import FILE

        return self.config.store_dir / FILE

    def has_store_file(self) -> bool:
        """Whether the store's file is there and holds anything, sound or not."""
        from thalamus.storage.sqlite.connection import empty

        return not empty(self.store_path)

    def inspect_backup(self, path: Path) -> dict[str, int]:
        """How many rows of each kind a backup has. Raises ``UsageError`` when there is no such
        file, or it is the store itself; ``StoreDamaged``, ``StoreTooNew``."""
        from thalamus.storage.sqlite.backup import judge

        if not path.is_file():
            raise UsageError(f"There is no file {path}.")
        if self.store_path.exists() and self.store_path.samefile(path):
            raise UsageError(f"{path} is the store itself, not a backup.")
        return judge(path)

    def restore(self, path: Path) -> Path | None:
        """Puts a backup in the place of the store; returns where the store that was there is kept.
        Raises as ``inspect_backup``; then the store is as it was."""
        from thalamus.storage.sqlite.backup import restore

        self.inspect_backup(path)
        return restore(
            self.config.store_dir,
            path,
            stamp=self.clock.stamp(),
            tenant=self.config.tenant,
            busy_timeout=self.config.busy_timeout,
        )

    def reset_memory(self, progress: Callable[[str], None] = lambda step: None) -> ResetReport:
        """Erases everything in the tenant's store, and the keys that nothing else needs: what
        backups hold encrypted cannot be read then. Others may keep working, and see an empty
        store.

        Raises ``NoStore``, ``StoreBusy``, ``StoreFull``, ``BadKey``.
        """
        from thalamus.storage.sqlite.backup import empty_out

        self._write_logs(last=True)
        report = self.inspect_reset()
        folder, config, keys = self.config.store_dir, self.config, self._keys

        def destroy() -> None:
            report.key_removed = keys.destroy(folder)

        self.close()
        empty_out(
            folder,
            tenant=config.tenant,
            busy_timeout=config.busy_timeout,
            now=self.clock.stamp(),
            emptied=destroy,
        )
        # without the reminder that an erasure is not finished: this finishes it
        opened = self._store = self._open_sqlite(create=False)
        if opened is None:
            raise NoStore(folder)
        report.left = opened.erase(progress)
        if not report.left:
            opened.finished()
        return report

    def inspect_reset(self) -> ResetReport:
        """What ``reset_memory`` would erase, and which files hold it too. Raises ``NoStore``."""
        from thalamus.transfer.reset import inspect

        return inspect(self.store, self.config)

    def verify(self, against: str | None = None) -> AbstractContextManager[Verification]:
        """A comparison of every row and ledger entry with what the store key signed; ``against``:
        a head that was kept elsewhere. Raises ``NoStore``, ``BadKey``, ``NotSigned``,
        ``UsageError`` for what is not a head."""
        return self.store.verification(self._keys, against)

    def key_state(self) -> dict[str, str]:
        """Where the store key is, its fingerprint, and how it stands to the store. Raises
        ``BadKey``, ``Tampered``."""
        from thalamus.security.store_state import key_state

        return key_state(self._keys, self.open_store())

    def signing_key(self) -> tuple[str, Literal["here", "former", "missing"]]:
        """The fingerprint of the key that signed the store (empty when it is not signed yet), and
        where that key is: the present one, one that it replaced, or none of this machine. Raises
        ``NoStore``, ``BadKey``, ``Tampered``."""
        head = self.store.signed_head()
        if head is None:
            return "", "here"
        if self._keys.held() is not None and self._keys.key(head.key) is not None:
            return head.key, "here"
        return head.key, "missing" if self._keys.former(head.key) is None else "former"

    def count_unreadable(self) -> int:
        """How many encrypted entries cannot be decrypted here. Raises ``NoStore``, ``BadKey``."""
        return self.store.count_encrypted()[1]

    def rotate_key(self) -> dict[str, str]:
        """Makes a new key and signs the store with it, after it was verified. Raises ``NoStore``,
        ``Tampered``, ``NotSigned``, ``BadKey``."""
        from thalamus.security.store_state import rotate_key

        return rotate_key(self._keys, self.store, self.clock)

    @property
    def store_is_lost(self) -> bool:
        """Whether there was a store of which nothing is left."""
        from thalamus.storage.sqlite.connection import witness_of

        keys = self._keys if self.config.key_store != "none" else None
        return witness_of(self.config.store_dir, keys) is not None

    def adopt_store(self) -> dict[str, str]:
        """Signs the store with the present key as it is; begins a new one where one was lost.
        Raises ``NoStore``, ``BadKey``."""
        from thalamus.security.store_state import adopt_store
        from thalamus.storage.sqlite.connection import connect

        if self.store_is_lost:
            config = self.config
            connect(config.store_dir, config.tenant, config.busy_timeout, create=True).close()
        folder = str(self.config.store_dir.resolve())
        return adopt_store(self._keys, self.store, folder, self.clock)

    def subject_keys(self, subject: str) -> list[str]:
        """The names, among those of a subject, that have a key of their own. Raises
        ``NothingFound``, ``BadKey``."""
        from thalamus.memory.entities import names_of

        held = self._keys.held()
        there = list(held.subjects) if held else []
        opened = self.open_store()
        also = names_of(opened, subject) if opened else []
        names = dict.fromkeys([subject, *(name.casefold() for name in (subject, *also))])
        if not (found := [name for name in names if name in there]):
            fix = f"There are keys of {', '.join(there)}." if there else "There are no keys."
            raise NothingFound(f"the key of {subject}", fix=fix)
        return found

    def shred_keys(self, names: Sequence[str]) -> None:
        """Destroys keys that ``subject_keys`` named: what is encrypted under them can never be read
        again. Raises ``BadKey``."""
        for name in names:
            self._keys.shred(name)

    # -- configuration and diagnosis -----------------------------------------------------------

    def paths(self) -> list[tuple[str, Path]]:
        """(what it is, where) of the files and folders that are used."""
        from thalamus.config import FILE, PROJECT_FILE, USER_FILE, find_project_file, user_dir

        config = self.config
        given = config.origin.get("home") in ("flag", "THALAMUS_HOME")
        # a `home` that a file gives does not move these
        own = user_dir(config.home if given else None)
        found = [
            ("user file", own / USER_FILE),
            ("project file", find_project_file(Path.cwd()) or Path.cwd() / PROJECT_FILE),
            ("trusted folders", own / FILE),
            ("own prompts", config.prompts_folder),
            ("retention", config.config_dir / "retention.yaml"),
            ("store", self.store_path),
            ("indexes", config.store_dir / "index"),
            ("models", config.cache_dir / "models"),
            ("state", config.state_dir),
        ]
        return found + ([("log", Path(config.log_file))] if config.log_file else [])

    def settings(self) -> list[tuple[str, Any, str]]:
        """(name, value, where it comes from) of each setting; addresses without a password."""
        from thalamus.config import as_table
        from thalamus.models.transport import shown

        def public(value: Any) -> Any:
            address = isinstance(value, str) and "://" in value and "@" in value
            return shown(value) if address else value

        return [(name, public(value), origin) for name, value, origin in as_table(self.config)]

    def schema(self, name: str) -> dict[str, Any]:
        """The JSON Schema of a record. Raises ``KeyError`` for a name that is not a record's."""
        from thalamus.records import schemas

        return schemas.schema(name)

    def diagnose(self, *, ask_models: bool = True) -> Iterator[Check]:
        """The checks of `thalamus doctor`, one after the other. What goes wrong is a check."""
        from thalamus.diagnostics import examine

        return examine(self.context, self.open_store, ask_models=ask_models)

    # -- measuring and showing -----------------------------------------------------------------

    def stats(self) -> Statistics:
        """What the store holds and how it is used, in figures; texts only of the configured user,
        and none that is encrypted. Days are those of ``config.timezone``. Raises ``NoStore``."""
        from thalamus.clock import time_zone
        from thalamus.memory.statistics import collect

        user, zone = self.config.user or None, time_zone(self.config.timezone)
        return collect(self.store, user, zone, self.clock.stamp())

    def evaluate_retrieval(self, run: RetrievalRun, out: Path | None = None) -> RetrievalEvaluation:
        """A measurement of retrieval on questions with known answers; with ``out`` it is written
        there and can be continued. Raises ``UsageError``, ``BadRecord``, and what keeps the
        embedder from working. ``compare_files`` compares two."""
        from thalamus.evaluation.retrieval_run import RetrievalEvaluation

        return RetrievalEvaluation(run, self, out)

    def evaluate_memory(
        self, file: Path | None, choice: Choice, run: MemoryRun, out: Path | None = None
    ) -> MemoryEvaluationRun:
        """A measurement of what is kept of the statements of a file (None: those that come with
        Thalamus). Raises ``UsageError``, ``BadRecord``, and what keeps a model from working."""
        from thalamus.evaluation.memory_run import MemoryEvaluationRun

        return MemoryEvaluationRun(file, choice, run, self, out)

    def evaluate_answers(self, run: AnswersRun) -> AnswersEvaluation:
        """A measurement of what is answered through several flows. Raises ``UsageError``,
        ``BadRecord``, and what keeps the models from working."""
        from thalamus.evaluation.answers_run import AnswersEvaluation

        return AnswersEvaluation(run, self)

    def compare_personas(
        self,
        questions: Path | None,
        sides: Sequence[tuple[str, Config]],
        progress: Callable[[int], None] = lambda _: None,
    ) -> Iterator[PersonaAnswers]:
        """The answers of several ``sides``, each a name and its settings, to the questions of a
        file, or to those that come with Thalamus; nothing is stored. Raises ``UsageError`` for a
        file that cannot be read, and before the first answer as ``run_turn``."""
        from thalamus.evaluation.persona_run import ask_all, read_questions

        quiet = [(name, structs.replace(config, log_reads=False)) for name, config in sides]
        asked = read_questions(questions)
        return ask_all(asked, quiet, lambda config: Thalamus(config=config), progress)

    def demo(
        self, folder: str, *, scripted: bool = False, report: Callable[[str], None] = lambda _: None
    ) -> Demo:
        """The demo in a store below ``folder``, with the first model that answers, or a tiny one
        that is fetched, or the ``scripted`` one; ``report`` is called with each step."""
        from thalamus.evaluation.demo import SCRIPTED, Demo, find_model

        model = SCRIPTED if scripted else find_model(self.config, report)
        return Demo(self.config, folder, model)

    # -- private -------------------------------------------------------------------------------

    @cached_property
    def _keys(self) -> StoreKeys:
        from thalamus.security.keys import StoreKeys

        return StoreKeys(self.config)

    def _of_project(self, document: Document, project: Project | None) -> Document:
        """A document after it was linked with its project."""
        from thalamus.memory.projects import link

        if project is not None and document.id is not None:
            link(project, [document.id], self.context)
        return document

    def _receipt_signer(self) -> ReceiptSigner:
        from thalamus.security.receipts import ReceiptSigner

        return ReceiptSigner(self.config)

    def _write_logs(self, *, last: bool = False) -> None:
        """Writes the stage logs that wait, if that can be done at once."""
        context = self.__dict__.get("context")  # not one made for this
        if context is None or not context.logs.records:
            return
        from thalamus.memory.stage_logs import write_waiting

        write_waiting(context, last=last)

    def _predicates(self) -> Registry:
        from thalamus.memory.intervals import registry_of

        return registry_of(self.open_store(False))

    def _prune_options(self) -> PruneOptions:
        from thalamus.memory.prune import PruneOptions

        return PruneOptions(most=self.config.max_memories)

    def _embedder(self) -> Embedder | None:
        try:
            return self.context.models.embedder()
        except MODEL_ERRORS as error:
            self._note("retrieve", error)
            return None

    def _note(self, stage: str, error: Exception) -> None:
        self.context.failures.append((stage, error))
        self.events.failed(stage, error)

    def _take(self, turn: str | None, seen: set[str], given_up: bool) -> Job | None:
        """Claims the next job for this process. It is looked up first, so that nothing is
        written without one."""
        from thalamus.memory.jobs import take_job

        if not self.config.enable_reflection:
            return None
        if all(job.id in seen for job in self.unfinished_turns()):
            return None
        opened = self.open_store(False)
        assert opened is not None
        with opened.writing() as writer:
            return take_job(writer, turn, seen, given_up)


def _failed(done: Finished, passing: tuple[type[Exception], ...]) -> bool:
    """Whether the job itself failed, so that the next one may still go well."""
    return done.problem is not None and not isinstance(done.problem, passing)
