"""What the stages are handed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from msgspec import UNSET, structs

from thalamus.errors import REPORT, ThalamusError
from thalamus.events import ThalamusEvents
from thalamus.models.protocol import (
    Chat,
    ChatReply,
    ChatRequest,
    Embedder,
    Message,
    Role,
    Sized,
    TokenSink,
    YesNo,
)
from thalamus.records import Evidence, Issue, Memory, Step, Turn, Verdict

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.config import Config
    from thalamus.policy.retention import Rules
    from thalamus.storage.protocol import Store
    from thalamus.templates import Templates


class Hooks(Protocol):
    """What plugins may do. ``any``: whether there are plugins at all."""

    @property
    def any(self) -> bool: ...

    def before_write(self, memory: Memory) -> Memory | Verdict: ...

    def after_retrieve(self, evidence: list[Evidence]) -> list[Evidence]: ...

    def on_task_complete(self, task: dict[str, object]) -> None: ...

    def problems(self) -> list[Issue]: ...


class Stopped(BaseException):
    """A turn is being finished in the background, and was asked to stop."""


class ModelSource(Protocol):
    """Gives the models for the roles, made when they are first asked for."""

    def chat(self, role: Role) -> Chat: ...

    def embedder(self) -> Embedder | None: ...


@dataclass
class Context:
    """Store, models, prompts and settings. ``open_store(create)`` gives None when there is no
    store yet and ``create`` is false."""

    config: Config
    clock: Clock
    models: ModelSource
    templates: Templates
    open_store: Callable[[bool], Store | None]
    events: ThalamusEvents = field(default_factory=ThalamusEvents)
    use_memory: bool = True
    # the retention rules, read when they are first asked for
    rules: Callable[[], Rules] = dict
    # what went wrong in stages, for the exit status: (stage, error)
    failures: list[tuple[str, Exception]] = field(default_factory=list)
    turns_begun: int = 0
    # models that turned out to be down or missing in this turn
    down: set[str] = field(default_factory=set)
    plugins: Hooks | None = None
    # why records that are no turns were stored without embeddings, if they were
    unembedded: Exception | None = None
    # the answer so far, while it is streamed: what an interruption leaves
    heard: list[str] = field(default_factory=list)
    # asked at every token of what nobody is waiting for: whether to stop
    stopped: Callable[[], bool] | None = None

    def ask(
        self, role: Role, messages: list[Message], schema: dict[str, object] | None = None
    ) -> ChatReply:
        """One call to the model of a role; an answer is streamed when someone listens."""
        answer = role == "answer"
        request = ChatRequest(
            role=role,
            messages=messages,
            schema=schema,
            max_tokens=self.answer_tokens() if answer else 700,
            temperature=self.config.temperature if answer else 0.0,
        )
        self.heard.clear()
        sink: TokenSink | None = self._hear if answer and self.events.wants_tokens else None
        if self.stopped is not None:
            self._go_on("")
            sink = self._go_on
        return self.models.chat(role).chat(request, sink)

    def dialogue(self, name: str, **values: str) -> list[Message]:
        """A prompt that is a conversation, filled."""
        return [Message(role, text) for role, text in self.templates.dialogue(name, **values)]  # type: ignore[arg-type]

    def yes(self, role: Role, messages: list[Message]) -> float | None:
        """The probability that the role's model answers the question that ``messages`` end with
        with yes rather than no; None when it says neither or cannot be asked this way."""
        chat = self.models.chat(role)
        if not isinstance(chat, YesNo):
            return None
        return chat.yes(ChatRequest(role=role, messages=messages, max_tokens=1))

    def small(self, role: Role) -> bool:
        """Whether the role's model is a small one, or of a size that nobody knows."""
        chat = self.models.chat(role)
        return not isinstance(chat, Sized) or chat.small() is not False

    def answer_tokens(self) -> int:
        """Tokens kept free for an answer: the setting, but at most half of a small context."""
        return min(self.config.max_answer_tokens, self.models.chat("answer").context() // 2)

    def _hear(self, text: str) -> None:
        self.heard.append(text)
        self.events.emit("on_token", text)

    def _go_on(self, _: str) -> None:
        """Raises ``Stopped`` when it is time to."""
        if self.stopped is not None and self.stopped():
            raise Stopped


Stage = Callable[[Turn, Context], Turn]


def step(
    context: Context,
    stage: str,
    tick: float,
    *,
    replies: list[ChatReply] | None = None,
    **fields: object,
) -> Step:
    """A ledger entry for a stage that began at ``tick`` and used these model replies."""
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
    """The turn as it is, with a ledger entry that says why a stage did nothing."""
    entry = step(context, stage, context.clock.tick(), detail={"note": note})
    return structs.replace(turn, trace=[*turn.trace, entry])


def turn_before(turn: Turn, context: Context, store: Store) -> Turn | None:
    """What was said last in the conversation of a turn that may be stored itself by now."""
    recent = store.recent_turns(turn.session or context.config.session, turn.user, 2)
    before = [item for item in recent if item.id != turn.id]
    return before[-1] if before else None


def issue(stage: str, error: Exception) -> Issue:
    """An error as an issue of the turn. Any other exception is a bug, and reported as one."""
    if isinstance(error, ThalamusError):
        return Issue(stage=stage, code=error.name, message=error.message, fix=error.advice)
    message = f"unexpected {type(error).__name__}: {error}"
    return Issue(stage=stage, code=ThalamusError.name, message=message, fix=REPORT)
