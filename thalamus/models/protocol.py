"""The interfaces of model providers: chat and embedding, and optional capabilities.

A provider raises ``ModelUnreachable`` (nothing answers), ``ModelMissing`` (the server or directory
exists, the model does not; ``fix`` has the command to get it) or ``ModelFailed`` (it failed while
answering). It imports its client inside functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args, runtime_checkable

from msgspec import Struct

if TYPE_CHECKING:
    from thalamus.config import Config

Role = Literal[
    "answer",
    "reflect",
    "verify",
    "plan",
    "summary",
    "route",
    "gather",
    "act",
    "topics",
    "draft",
    "search_plan",
    "crystallize",
]
ROLES: tuple[Role, ...] = get_args(Role)
# roles of stages that only some flows have
FLOW_ROLES: dict[str, tuple[Role, ...]] = {
    "routed": ("route", "gather", "act", "topics"),
    "deliberate": ("draft", "search_plan"),
}
EmbedKind = Literal["document", "query"]
TokenSink = Callable[[str], None]


class ToolSpec(Struct, frozen=True):
    """A tool that a model may call; ``parameters`` is the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, Any]


class ToolRequest(Struct, frozen=True):
    """A tool call requested by a model. ``arguments``: JSON text from the model, possibly invalid;
    ``id``: assigned by the provider or made up."""

    id: str
    name: str
    arguments: str


class Message(Struct, frozen=True):
    """One chat message. ``role``: system, user, assistant, or tool for the result of a call
    (``call_id``); ``calls``: the tool calls that an assistant message requests."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    calls: tuple[ToolRequest, ...] = ()
    call_id: str | None = None


def roles_in_use(config: Config) -> list[Role]:
    """Roles that a configuration uses. Those of the routed and the deliberate flow only count if
    its flow includes them or a model is set for them."""
    steps = config.flows.get(config.flow, config.flow.split(","))
    used = {str(step).strip() for step in steps} if isinstance(steps, list) else set()
    if config.flow not in config.flows:
        used.update(FLOW_ROLES.get(config.flow, ()))
    optional = {role for roles in FLOW_ROLES.values() for role in roles}
    return [role for role in ROLES if role not in optional or role in used or role in config.models]


def alternating(messages: Sequence[Message]) -> list[Message]:
    """Merges consecutive messages of the same role: after an unanswered turn the user speaks twice,
    which many models' templates reject."""
    merged: list[Message] = []
    for message in messages:
        last = merged[-1] if merged else None
        if last is not None and last.role == message.role and _plain(last) and _plain(message):
            content = f"{last.content}\n\n{message.content}"
            merged[-1] = Message(message.role, content)
        else:
            merged.append(message)
    return merged


def _plain(message: Message) -> bool:
    """True if a message involves no tools."""
    return message.role != "tool" and not message.calls


class ChatRequest(Struct, kw_only=True, frozen=True):
    """A call to a chat model.

    ``role``: the purpose of the call (only the scripted model and cassettes use it). ``schema``: a
    JSON Schema for the reply, enforced by constrained decoding where the provider supports it.
    ``tools``: tools that the model may call instead of answering; only passed to ``ToolCalling``
    models, and never together with a schema. ``max_tokens``: limit of the reply.
    """

    role: Role
    messages: list[Message]
    schema: dict[str, Any] | None = None
    max_tokens: int = 512
    temperature: float = 0.0
    seed: int = 0
    tools: tuple[ToolSpec, ...] = ()

    @property
    def wants_words(self) -> bool:
        """True if only words are a reply: neither JSON nor a call of a tool."""
        return self.role in ("answer", "draft") and not self.tools and self.schema is None


class ChatReply(Struct, kw_only=True, frozen=True):
    """A chat model's reply. Token counts and times are None if the provider does not report them.

    ``finish``: ``stop``, or ``length`` if ``max_tokens`` cut off the reply. ``tokens_in``: the
    whole prompt, of which ``tokens_cached`` were cached from an earlier call; the rest took
    ``prompt_ms`` milliseconds, and writing the reply ``reply_ms``. ``calls``: requested tool calls,
    in order; ``thinking``: the model's thoughts before the reply; ``reason``: why there is no text,
    if the server says so.
    """

    text: str
    model: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    finish: Literal["stop", "length"] = "stop"
    tokens_cached: int | None = None
    prompt_ms: float | None = None
    reply_ms: float | None = None
    calls: tuple[ToolRequest, ...] = ()
    thinking: str | None = None
    reason: str | None = None


class ChatModel(Protocol):
    """A chat model. ``name`` is its full spec (``ollama:qwen3:4b``), recorded in the ledger."""

    name: str

    def context(self) -> int:
        """Context window in tokens."""
        ...

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        """Answers. ``on_token`` gets the text as it is generated, and an empty text for generated
        text that is not shown.

        An exception in ``on_token``, or ``KeyboardInterrupt`` from a signal, stops generation
        cleanly. May be called from several threads at once.
        """
        ...


@runtime_checkable
class YesNo(Protocol):
    """A chat model that can give the probability of a yes. All providers implement it."""

    def yes(self, request: ChatRequest) -> float | None:
        """Probability, from 0 to 1, that the reply begins with yes rather than no.

        The last message of ``request`` asks for one of these words; ``max_tokens`` and ``schema``
        are ignored. None if the model would say neither. Raises the errors of ``chat``.
        """
        ...


@runtime_checkable
class MayGiveWords(Protocol):
    """A chat model whose server may send no probabilities."""

    def gives_words(self) -> bool:
        """True if its server has sent none, so that a yes counts as 1 and a no as 0."""
        ...


@runtime_checkable
class ToolCalling(Protocol):
    """A chat model that may support tool calls."""

    def calls_tools(self) -> bool:
        """True if the model is known to call tools, so that ``ChatRequest.tools`` may be set."""
        ...


@runtime_checkable
class Presence(Protocol):
    """A chat model whose presence can be checked before it is needed. All providers implement
    it."""

    def look_up(self) -> None:
        """Raises ``ModelMissing``, with a ``fix``, if the model is certainly missing. An
        unreachable server is left to the call itself."""
        ...


@runtime_checkable
class Stoppable(Protocol):
    """A chat model whose calls another thread can end while they wait for the first token."""

    def stopper(self) -> Callable[[], None]:
        """A function that ends the call that the current thread makes, at once; that raises an
        error or returns what has arrived. It may be called from any thread, and does nothing when
        there is no call."""
        ...


@runtime_checkable
class Sized(Protocol):
    """A chat model that may know its size."""

    def small(self) -> bool | None:
        """True if the model has too few parameters to keep to the point in a long prompt
        (``policy.model_size``); None if unknown."""
        ...

    def billions(self) -> float | None:
        """Number of parameters in billions; None if unknown."""
        ...


class Capacity(Struct, frozen=True):
    """Limits of a model: tokens of its context ``window``, and ``why`` as many; the ``speed`` at
    which it reads, in tokens a second, as the median of the last ``readings``; and the tokens that
    it ``reads`` in a few seconds (``policy.window_budget``), None until that is known."""

    window: int
    why: str
    speed: float | None = None
    readings: int = 0
    reads: int | None = None


@runtime_checkable
class Limited(Protocol):
    """A chat model that knows its limits."""

    def capacity(self) -> Capacity:
        """Its window and reading speed, as far as they are known."""
        ...


@runtime_checkable
class Identified(Protocol):
    """A chat model with an identity that is stable across processes."""

    def identity(self) -> str | None:
        """Text that changes with the model, such as a digest or its file's size and date; None if
        unknown."""
        ...


class Embedder(Protocol):
    """An embedding model. ``name`` is its full spec (``wordllama:l2_supercat_256``)."""

    name: str

    def dimension(self) -> int:
        """Number of dimensions of its vectors."""
        ...

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One vector per text: little-endian float32, L2-normalised (``policy.vector.pack``).

        ``kind`` distinguishes questions from stored text, for models that use prefixes.
        """
        ...


class Reranker(Protocol):
    """A model that scores how well texts answer a question. ``name`` is its full spec."""

    name: str

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Score of each text for the question, from 0 to 1. Only the beginning of a long text may
        count."""
        ...


@runtime_checkable
class SentenceEmbedder(Protocol):
    """An embedder fast enough to embed every sentence of a text on storing, whose vectors may be
    truncated to their first dimensions."""

    def embed_sentences(self, texts: Sequence[str]) -> list[bytes]:
        """Vectors of each text's sentences, packed as described in ``text.sentence_vectors``; empty
        for a text without words."""
        ...
