"""Stages and their context.

A stage is a function from turn to turn, with its declaration for the runner: the role of its model,
and the fields of the turn that it reads and writes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, tzinfo
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from msgspec import UNSET, Struct, field, structs

from thalamus.cancel import CancelToken
from thalamus.clock import time_zone
from thalamus.config import AUTO
from thalamus.errors import MODEL_ERRORS, REPORT, ModelBusy, NoStore, PromptTooLong, ThalamusError
from thalamus.events import (
    ModelCalled,
    StageWaiting,
    ThalamusEvent,
    ThalamusEvents,
    Thinking,
    Token,
)
from thalamus.logs import logger
from thalamus.models.protocol import (
    ChatModel,
    ChatReply,
    ChatRequest,
    Embedder,
    Limited,
    Message,
    Reranker,
    Role,
    Sized,
    Stoppable,
    TokenSink,
    ToolSpec,
    YesNo,
    alternating,
)
from thalamus.policy import window_budget
from thalamus.policy.model_size import ROUTES, billions
from thalamus.policy.retry import ask_patiently
from thalamus.records import (
    Evidence,
    Issue,
    Memory,
    StageLog,
    Step,
    Turn,
    Verdict,
)
from thalamus.text.days import WEEKDAYS, day_in_words
from thalamus.text.local_time import local
from thalamus.text.storable import storable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from thalamus.clock import Clock
    from thalamus.config import Config
    from thalamus.policy.predicates import Registry
    from thalamus.policy.retention import Rules
    from thalamus.policy.standing_context import StandingContext
    from thalamus.records import World
    from thalamus.store.base import Store
    from thalamus.store.values import IndexedRow, Vector
    from thalamus.templates import Templates


log = logger(__name__)
T = TypeVar("T")
FITS = 2  # times that a prompt is made shorter
WAIT_STEP = 0.2  # seconds between looks at whether the work was cancelled


class Stage(Struct, frozen=True):
    """One step of a flow, with field names of ``records.Turn``.

    ``role``: of the chat model it calls, None if none. ``degrades``: it does what it can while that
    model is down, instead of being skipped. ``reads``: fields it reads. ``writes``: fields it may
    change; the runner reverts every other change, except to ``issues`` and ``trace``, to which any
    stage may add.
    """

    name: str
    function: Callable[[Turn, Context], Turn]
    role: Role | None = None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    degrades: bool = False


class PluginHooks(Protocol):
    """Hooks implemented by plugins. ``any``: there are plugins."""

    @property
    def any(self) -> bool: ...

    def before_write(self, memory: Memory) -> Memory | Verdict: ...

    def after_retrieve(self, evidence: list[Evidence]) -> list[Evidence]: ...

    def on_task_complete(self, task: dict[str, object]) -> None: ...

    def stages(self) -> Mapping[str, Stage]: ...

    def tools(self) -> Mapping[str, Any]: ...

    def problems(self) -> list[Issue]: ...


class ModelSource(Protocol):
    """Models by role, loaded on first use."""

    def chat(self, role: Role) -> ChatModel: ...

    def embedder(self) -> Embedder | None: ...

    def reranker(self) -> Reranker | None: ...

    def check_ability(self, role: Role, ability: str, test: Callable[[], bool]) -> bool: ...


# maximum tokens of a reply other than an answer; less for roles that must be short
REPLY_TOKENS = 700
MOST_TOKENS: dict[Role, int] = {"draft": 96, "search_plan": 160, "reflect": 1600}


class WaitingLogs(Struct):
    """Stage logs waiting to be written (``records``), and the state of the store when the first was
    made (``since``). For the current turn: it is logged (``on``), fields already logged
    (``given``), and model ``calls`` of the current stage."""

    records: list[StageLog] = []
    since: dict[str, Any] = {}
    on: bool = True
    given: set[str] = set()
    calls: list[tuple[ChatRequest, ChatReply]] = []


class LaterTurns(Struct):
    """Later turns of the user that speak of facts, as read in a turn (``about``: its id, its user
    and agent). ``facts``: ids of those that a piece of evidence states, by its id; ``turns``: the
    later turn of each fact by the fact's id, None if there is none."""

    about: tuple[str | None, ...]
    facts: dict[str, list[str]] = {}
    turns: dict[str, IndexedRow | None] = {}


class Context(Struct):
    """Store, models, prompts and settings. ``open_store(create)`` returns None if there is no store
    and ``create`` is false."""

    config: Config
    clock: Clock
    models: ModelSource
    templates: Templates
    open_store: Callable[[bool], Store | None]
    events: ThalamusEvents = field(default_factory=ThalamusEvents)
    # the retention rules, read on first use
    rules: Callable[[], Rules] = dict
    # failures of stages for the exit status: (stage, error)
    failures: list[tuple[str, Exception]] = []
    turns_begun: int = 0
    # ids of the current turn and session, for events
    turn_id: str | None = None
    session: str | None = None
    # for ``store``: the stages of the job created with the turn; True while such a job is run
    left: tuple[str, ...] = ()
    finishing: bool = False
    # models that were checked before the first turn
    looked_up: set[str] = set()
    # models found to be down or missing in this turn
    down: set[str] = set()
    plugins: PluginHooks | None = None
    # the maker of fingerprints of forgotten records; None without a key
    fingerprints: Callable[[], Any] = lambda: None
    # error because of which records other than turns were stored without embeddings
    unembedded: Exception | None = None
    # verdicts on those of the last written bare memories that plugins refused, by position
    refused: dict[int, Verdict] = {}
    # changes of the embedder that were reported once
    reported: set[str] = set()
    # error because of which the last records were stored without concepts
    without_concepts: Exception | None = None
    # the answer streamed so far, which an interruption keeps
    heard: list[str] = []
    # the last exchanges before the current turn, with their cache key
    recent: tuple[tuple[str | None, ...], list[Turn]] | None = None
    # the standing context of the current turn, with its cache key
    standing: tuple[tuple[str | None, ...], StandingContext] | None = None
    later: LaterTurns | None = None
    # the predicates of the store, with the turn in which they were read
    predicates: tuple[str | None, Registry] | None = None
    # ids of what a redacted view shows, with the state of the store in which they were read
    shown: tuple[object, frozenset[str]] | None = None
    # the vector of the current turn's message as a question, with its turn
    question: tuple[str | None, str, Vector] | None = None
    # the tools, created on first use (``tools.toolbox.toolbox``)
    tools: object | None = None
    # the time zone of the world state, which overrides the setting
    world_timezone: str | None = None
    # turn and user for which the time zone was read
    zone_read_for: tuple[str | None, ...] | None = None
    # the world state of that user as it was then, with its issues
    world: tuple[World, list[Issue]] | None = None
    # stage logs waiting to be written (``memory.stage_logs``)
    logs: WaitingLogs = field(default_factory=WaitingLogs)
    # the turns whose extraction waits (``extract.together``), while their jobs are run
    waiting: Any = None
    # waits that many seconds for a busy model
    sleep: Callable[[float], None] = time.sleep
    # checked between stages, before every model call and at every token
    cancel: CancelToken | None = None

    @property
    def use_memory(self) -> bool:
        """True if turns recall memories and are stored."""
        return self.config.memory

    @property
    def store(self) -> Store:
        """The open store. Raises ``NoStore`` if there is none."""
        opened = self.open_store(False)
        if opened is None:
            raise NoStore(self.config.store_place)
        return opened

    @property
    def memory_store(self) -> Store | None:
        """The store that turns recall from; None if there is none, or memory is off."""
        return self.open_store(False) if self.use_memory else None

    def create_store(self) -> Store:
        """The open store, created if there is none."""
        opened = self.open_store(True)
        assert opened is not None
        return opened

    @property
    def zone(self) -> tzinfo:
        """The user's time zone: that of the world state, or else of the setting."""
        if self.world_timezone:
            with suppress(ValueError):  # unknown on this machine
                return time_zone(self.world_timezone)
        return time_zone(self.config.timezone)

    def local_now(self, turn: Turn) -> str:
        """Time of a turn, or else the present, in the user's time zone; ISO 8601 without a zone."""
        return local(turn.created_at or self.clock.stamp(), self.zone)

    def now_in_words(self, turn: Turn) -> str:
        """Time of a turn for a prompt: ``Wednesday, 25 November 2026, 18:00``."""
        now = self.local_now(turn)
        weekday = WEEKDAYS[date.fromisoformat(now[:10]).weekday()]
        return f"{weekday}, {day_in_words(now)}, {now[11:16]}"

    def today(self, turn: Turn) -> str:
        """Day of a turn for a prompt: ``Wednesday, 2026-11-25``."""
        day = date.fromisoformat(self.local_now(turn)[:10])
        return f"{WEEKDAYS[day.weekday()]}, {day.isoformat()}"

    @contextmanager
    def running(
        self,
        left: tuple[str, ...] = (),
        cancel: CancelToken | None = None,
        logged: bool = True,
    ) -> Iterator[None]:
        """Sets up the state for running one turn, and resets it afterwards. ``logged``: its stages
        are logged."""
        self.left, self.cancel = left, cancel
        if not self.finishing:  # it goes on with a turn
            self.down = set()
        self.logs.on, self.logs.given = logged, set()
        self.heard.clear()
        try:
            yield
        finally:
            self.left, self.cancel, self.logs.on = (), None, True
            self.later = self.predicates = None
            self.turn_id = self.session = None

    def raise_if_cancelled(self) -> None:
        """Raises ``Cancelled`` if the work has been cancelled."""
        if self.cancel is not None:
            self.cancel.raise_if_cancelled()

    def emit(self, kind: type[ThalamusEvent], **content: object) -> None:
        """Emits an event of the current turn."""
        self.events.emit(kind(turn=self.turn_id, session=self.session, **content))

    def failed(self, where: str, error: BaseException) -> None:
        """Logs and reports an exception in the current turn."""
        self.events.failed(where, error, self.turn_id, self.session)

    def ask(
        self,
        role: Role,
        messages: list[Message],
        schema: dict[str, object] | None = None,
        tools: tuple[ToolSpec, ...] = (),
        max_tokens: int | None = None,
    ) -> ChatReply:
        """The reply of a role's model, which may call ``tools`` instead; an answer is streamed if
        anyone listens. ``max_tokens``: more of the reply than is usual for the role. Raises the
        model's errors, and ``Cancelled``."""
        self.raise_if_cancelled()
        answer = role == "answer"
        request = ChatRequest(
            role=role,
            messages=alternating(messages),
            schema=schema,
            tools=tools,
            max_tokens=max(
                max_tokens or 0,
                self.answer_tokens() if answer else MOST_TOKENS.get(role, REPLY_TOKENS),
            ),
            temperature=self.config.temperature if answer else 0.0,
        )
        self.heard.clear()
        listened = answer and self.events.wants_tokens
        sink: TokenSink | None = None
        if listened or self.cancel is not None:
            sink = self._on_answer_token if answer else self._on_hidden_token
        chat = self.models.chat(role)
        reply = self._call(role, chat, lambda: chat.chat(request, sink))
        thinking = storable(reply.thinking) if reply.thinking else reply.thinking
        reply = structs.replace(reply, text=storable(reply.text), thinking=thinking)
        self.logs.calls.append((request, reply))
        self._log_call(request, reply)
        if reply.thinking:
            self.emit(Thinking, role=role, text=reply.thinking)
        return reply

    def _log_call(self, request: ChatRequest, reply: ChatReply) -> None:
        """Logs a model call if configured, without content that a rule finds personal."""
        if not self.config.log_prompts:
            return
        messages = [(message.role, _redacted(message.content)) for message in request.messages]
        text = _redacted(reply.text)
        self.emit(ModelCalled, role=request.role, model=reply.model, messages=messages, reply=text)
        prompt = "\n".join(f"[{role}] {content}" for role, content in messages)
        log.debug("%s was asked (%s):\n%s\n[reply] %s", reply.model, request.role, prompt, text)

    def dialogue(self, name: str, **values: str) -> list[Message]:
        """The messages of a dialogue prompt with its placeholders filled."""
        return [Message(role, text) for role, text in self.templates.dialogue(name, **values)]  # type: ignore[arg-type]

    def yes(self, role: Role, messages: list[Message]) -> float | None:
        """Probability that the role's model answers yes rather than no to the question that ends
        ``messages``; None if it says neither or cannot be asked this way. Raises the errors of
        ``ask``."""
        self.raise_if_cancelled()
        chat = self.models.chat(role)
        if not isinstance(chat, YesNo):
            return None
        request = ChatRequest(role=role, messages=alternating(messages), max_tokens=1)
        return self._call(role, chat, lambda: chat.yes(request))

    def _call(self, role: Role, chat: ChatModel, call: Callable[[], T]) -> T:
        """Result of a call of a chat model, which cancelling ends also while nothing arrives.
        Raises the model's errors, and ``Cancelled``."""
        if self.cancel is None:
            return self.patiently(role, call)
        stop = chat.stopper() if isinstance(chat, Stoppable) else lambda: None
        try:
            with self.cancel.stopped_by(stop):
                result = self.patiently(role, call)
        except ThalamusError:
            self.raise_if_cancelled()  # its connection was closed
            raise
        self.raise_if_cancelled()  # which may look like the end of a reply
        return result

    def fitted(self, ask: Callable[[], T]) -> T:
        """Result of ``ask``, which makes a prompt for a model's context window and sends it.

        If the model refuses the prompt for its size, its window is known to be smaller, and ``ask``
        is called again. Raises ``PromptTooLong`` if that does not help, and the errors of ``ask``.
        """
        for _ in range(FITS):
            try:
                return ask()
            except PromptTooLong as error:
                if self.heard or not error.learned:
                    raise
                log.info("a shorter prompt is sent: %s", error)
        return ask()

    def patiently(self, stage: str, call: Callable[[], T]) -> T:
        """Result of a model call, repeated while the model is busy. Raises the model's errors, and
        ``Cancelled``."""

        def wait(seconds: float, busy: ModelBusy) -> None:
            if self.heard:  # the answer has begun
                raise busy
            reason = str(busy.args[1])
            log.info("%s waits %.3g s: %s", stage, seconds, busy)
            self.emit(StageWaiting, stage=stage, seconds=seconds, reason=reason)
            while seconds > 0:
                self.raise_if_cancelled()
                self.sleep(min(seconds, WAIT_STEP))
                seconds -= WAIT_STEP

        return ask_patiently(call, wait)

    def check_ability(self, role: Role, ability: str, test: Callable[[], bool]) -> bool:
        """Result of an ability test of the role's model, run once per model. Raises the errors of
        ``test``."""
        return self.models.check_ability(role, ability, test)

    def small(self, role: Role) -> bool:
        """True if the role's model is small, or of unknown size."""
        chat = self.models.chat(role)
        return not isinstance(chat, Sized) or chat.small() is not False

    def too_small(self, role: Role) -> bool:
        """True if the role's model is known to be too small to decide what a message needs. Raises
        the errors of ``ModelSource.chat``."""
        chat = self.models.chat(role)
        size = chat.billions() if isinstance(chat, Sized) else billions(chat.name)
        return size is not None and size < ROUTES

    def answer_tokens(self) -> int:
        """Tokens reserved for an answer: the setting, but at most half of a small context."""
        return min(self.config.max_answer_tokens, self.models.chat("answer").context() // 2)

    def notes_budget(self, left: int, role: Role = "answer", fixed: int = 0) -> int:
        """Tokens for notes, by the setting or by what the role's model can take
        (``policy.window_budget``, which has the parameters)."""
        window, reads, setting = window_budget.UNKNOWN, None, self.config.token_budget
        chosen = None if setting == AUTO else setting
        with suppress(*MODEL_ERRORS):
            chat = self.models.chat(role)
            window = chat.context()
            if isinstance(chat, Limited) and not (self.config.deterministic or self.clock.fixed):
                reads = chat.capacity().reads
        return window_budget.notes_budget(window, left, chosen, reads, fixed)

    def _on_answer_token(self, text: str) -> None:
        if text:
            self.heard.append(text)
            self.emit(Token, text=text)
        self.raise_if_cancelled()

    def _on_hidden_token(self, _: str) -> None:
        self.raise_if_cancelled()


def _redacted(text: str) -> str:
    from thalamus.policy.sensitivity import personal  # its patterns take milliseconds to compile

    return "(personal: not logged)" if personal(text) else text


def step(
    context: Context,
    stage: str,
    tick: float,
    *,
    replies: list[ChatReply] | None = None,
    **fields: object,
) -> Step:
    """A ledger entry for a stage that started at ``tick`` and got these model replies."""
    replies = replies or []
    tokens_in = [r.tokens_in for r in replies if r.tokens_in is not None]
    tokens_out = [r.tokens_out for r in replies if r.tokens_out is not None]
    cached = [r.tokens_cached for r in replies if r.tokens_cached is not None]
    return Step(
        stage=stage,
        at=context.clock.stamp(),
        ms=context.clock.elapsed(tick),
        model=replies[-1].model if replies else None,
        tokens_in=sum(tokens_in) if tokens_in else None,
        tokens_out=sum(tokens_out) if tokens_out else None,
        tokens_cached=sum(cached) if cached else UNSET,
        **fields,  # type: ignore[arg-type]
    )


def skip(turn: Turn, context: Context, stage: str, note: str) -> Turn:
    """The unchanged turn with a ledger entry that explains why a stage did nothing."""
    entry = step(context, stage, context.clock.tick(), detail={"note": note})
    return structs.replace(turn, trace=[*turn.trace, entry])


def too_small_issue(context: Context, role: Role, task: str, roles: Sequence[Role]) -> Issue:
    """The issue of a stage whose model is too small for its ``task``; the turn continues as in the
    classic flow. ``roles``: roles for which a larger model can be set."""
    settings = ", ".join(f"{name}: …" for name in roles)
    return Issue(
        stage=role,
        code="model_too_small",
        message=f"{context.models.chat(role).name} is too small to {task};"
        " the turn follows the classic flow",
        fix=f"Set a larger model with `models: {{{settings}}}`, or use `flow: classic`.",
    )


def issue(stage: str, error: Exception) -> Issue:
    """An error as an issue of the turn. Any unexpected exception is reported as a bug."""
    if isinstance(error, ThalamusError):
        return Issue(stage=stage, code=error.name, message=error.message, fix=error.advice)
    message = f"unexpected {type(error).__name__}: {error}"
    return Issue(stage=stage, code=ThalamusError.name, message=message, fix=REPORT)
