"""Stages, and the state of a run of them.

A stage is a function from turn to turn, with its declaration for the runner: the role of its model,
and the fields of the turn that it reads and writes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from datetime import date, tzinfo
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import UNSET, Struct, field, structs

from thalamus.cancel import CancelToken
from thalamus.clock import time_zone
from thalamus.engine import Engine
from thalamus.errors import REPORT, ModelBusy, PromptTooLong, ThalamusError
from thalamus.events import (
    ModelCalled,
    StageWaiting,
    ThalamusEvent,
    Thinking,
    Token,
)
from thalamus.logs import logger
from thalamus.models.protocol import (
    ChatModel,
    ChatReply,
    ChatRequest,
    Message,
    Role,
    Stoppable,
    TokenSink,
    ToolSpec,
    YesNo,
    alternating,
)
from thalamus.policy.retry import ask_patiently
from thalamus.records import (
    Issue,
    StageLog,
    Step,
    Turn,
    World,
)
from thalamus.store import world as world_rows
from thalamus.store.encrypted import is_hidden
from thalamus.text.days import WEEKDAYS, day_in_words
from thalamus.text.local_time import local
from thalamus.text.storable import storable

if TYPE_CHECKING:
    from collections.abc import Sequence


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
    function: Callable[[Turn, TurnRun], Turn]
    role: Role | None = None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    degrades: bool = False


# maximum tokens of a reply other than an answer; less for roles that must be short
REPLY_TOKENS = 700
MOST_TOKENS: dict[Role, int] = {"draft": 96, "search_plan": 160, "reflect": 1600}


class RunLog(Struct):
    """The stage logs of a run (``memory.stage_logs``): those waiting to be written (``records``),
    and the state of the store when the first was made (``since``); whether stages are logged
    (``on``), the fields that are logged already (``given``), and the model ``calls`` of the current
    stage."""

    records: list[StageLog] = []
    since: dict[str, Any] = {}
    on: bool = True
    given: set[str] = set()
    calls: list[tuple[ChatRequest, ChatReply]] = []


class TurnRun(Struct):
    """One piece of work with an engine, a turn or any other call: made for it, used by one thread,
    and thrown away.

    ``turn``: the current turn, if any. ``left``: stages for which storing the turn creates a job;
    ``finishing``: such a job is being run. ``cancel``: checked between stages, before every model
    call and at every token. ``down``: models found to be down or missing. ``failures``: of stages,
    as (stage, error). ``heard``: the answer streamed so far, which an interruption keeps.
    ``waiting``: the turns whose extraction waits (``extract.together``), while their jobs are run.
    ``kept``: see ``once``.
    """

    engine: Engine
    turn: Turn | None = None
    left: tuple[str, ...] = ()
    finishing: bool = False
    cancel: CancelToken | None = None
    down: set[str] = set()
    failures: list[tuple[str, Exception]] = []
    heard: list[str] = []
    log: RunLog = field(default_factory=RunLog)
    waiting: Any = None
    kept: dict[Hashable, Any] = {}

    def once(self, name: Hashable, make: Callable[[], T]) -> T:
        """Result of ``make``, called for a name once in this run."""
        if name not in self.kept:
            self.kept[name] = make()
        made: T = self.kept[name]
        return made

    @property
    def zone(self) -> tzinfo:
        """The user's time zone: that of the world state before the turn, or else of the setting."""
        return self.once(("zone", self.user), self._zone)

    def _zone(self) -> tzinfo:
        found: list[World] = []
        try:
            found = self.world_states()
        except Exception as error:  # stages that need the store report it
            log.info("the time zone is that of the setting: %s", error)
        for state in found:
            if state.timezone and not is_hidden(state):
                with suppress(ValueError):  # unknown on this machine
                    return time_zone(state.timezone)
        return time_zone(self.engine.config.timezone)

    def world_states(self) -> list[World]:
        """Stored world states of the user, the newest first, as they were when first read in this
        run: several in an older store, one for each spelling of the name."""
        store = self.engine.memory_store
        if store is None:
            return []
        user = self.user
        return self.once(("world states", user), lambda: world_rows.states(store, user))

    @property
    def user(self) -> str | None:
        """The user of the current turn, or else the configured one."""
        return (self.turn and self.turn.user) or self.engine.config.user or None

    def local_now(self, turn: Turn) -> str:
        """Time of a turn, or else the present, in the user's time zone; ISO 8601 without a zone."""
        return local(turn.created_at or self.engine.clock.stamp(), self.zone)

    def now_in_words(self, turn: Turn) -> str:
        """Time of a turn for a prompt: ``Wednesday, 25 November 2026, 18:00``."""
        now = self.local_now(turn)
        weekday = WEEKDAYS[date.fromisoformat(now[:10]).weekday()]
        return f"{weekday}, {day_in_words(now)}, {now[11:16]}"

    def today(self, turn: Turn) -> str:
        """Day of a turn for a prompt: ``Wednesday, 2026-11-25``."""
        day = date.fromisoformat(self.local_now(turn)[:10])
        return f"{WEEKDAYS[day.weekday()]}, {day.isoformat()}"

    def raise_if_cancelled(self) -> None:
        """Raises ``Cancelled`` if the work has been cancelled."""
        if self.cancel is not None:
            self.cancel.raise_if_cancelled()

    @property
    def _ids(self) -> tuple[str | None, str | None]:
        """Ids of the current turn and of its session, for events."""
        return (self.turn.id, self.turn.session) if self.turn is not None else (None, None)

    def emit(self, kind: type[ThalamusEvent], **content: object) -> None:
        """Emits an event of the current turn."""
        turn, session = self._ids
        self.engine.events.emit(kind(turn=turn, session=session, **content))

    def failed(self, where: str, error: BaseException) -> None:
        """Logs and reports an exception in the current turn."""
        self.engine.events.failed(where, error, *self._ids)

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
                self.engine.answer_tokens() if answer else MOST_TOKENS.get(role, REPLY_TOKENS),
            ),
            temperature=self.engine.config.temperature if answer else 0.0,
        )
        self.heard.clear()
        listened = answer and self.engine.events.wants_tokens
        sink: TokenSink | None = None
        if listened or self.cancel is not None:
            sink = self._on_answer_token if answer else self._on_hidden_token
        chat = self.engine.models.chat(role)
        reply = self._call(role, chat, lambda: chat.chat(request, sink))
        thinking = storable(reply.thinking) if reply.thinking else reply.thinking
        reply = structs.replace(reply, text=storable(reply.text), thinking=thinking)
        self.log.calls.append((request, reply))
        self._log_call(request, reply)
        if reply.thinking:
            self.emit(Thinking, role=role, text=reply.thinking)
        return reply

    def _log_call(self, request: ChatRequest, reply: ChatReply) -> None:
        """Logs a model call if configured, without content that a rule finds personal."""
        if not self.engine.config.log_prompts:
            return
        messages = [(message.role, _redacted(message.content)) for message in request.messages]
        text = _redacted(reply.text)
        self.emit(ModelCalled, role=request.role, model=reply.model, messages=messages, reply=text)
        prompt = "\n".join(f"[{role}] {content}" for role, content in messages)
        log.debug("%s was asked (%s):\n%s\n[reply] %s", reply.model, request.role, prompt, text)

    def yes(self, role: Role, messages: list[Message]) -> float | None:
        """Probability that the role's model answers yes rather than no to the question that ends
        ``messages``; None if it says neither or cannot be asked this way. Raises the errors of
        ``ask``."""
        self.raise_if_cancelled()
        chat = self.engine.models.chat(role)
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
                self.engine.sleep(min(seconds, WAIT_STEP))
                seconds -= WAIT_STEP

        return ask_patiently(call, wait)

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
    engine: Engine,
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
        at=engine.clock.stamp(),
        ms=engine.clock.elapsed(tick),
        model=replies[-1].model if replies else None,
        tokens_in=sum(tokens_in) if tokens_in else None,
        tokens_out=sum(tokens_out) if tokens_out else None,
        tokens_cached=sum(cached) if cached else UNSET,
        **fields,  # type: ignore[arg-type]
    )


def skip(turn: Turn, engine: Engine, stage: str, note: str) -> Turn:
    """The unchanged turn with a ledger entry that explains why a stage did nothing."""
    entry = step(engine, stage, engine.clock.tick(), detail={"note": note})
    return structs.replace(turn, trace=[*turn.trace, entry])


def too_small_issue(engine: Engine, role: Role, task: str, roles: Sequence[Role]) -> Issue:
    """The issue of a stage whose model is too small for its ``task``; the turn continues as in the
    classic flow. ``roles``: roles for which a larger model can be set."""
    settings = ", ".join(f"{name}: …" for name in roles)
    return Issue(
        stage=role,
        code="model_too_small",
        message=f"{engine.models.chat(role).name} is too small to {task};"
        " the turn follows the classic flow",
        fix=f"Set a larger model with `models: {{{settings}}}`, or use `flow: classic`.",
    )


def issue(stage: str, error: Exception) -> Issue:
    """An error as an issue of the turn. Any unexpected exception is reported as a bug."""
    if isinstance(error, ThalamusError):
        return Issue(stage=stage, code=error.name, message=error.message, fix=error.advice)
    message = f"unexpected {type(error).__name__}: {error}"
    return Issue(stage=stage, code=ThalamusError.name, message=message, fix=REPORT)
