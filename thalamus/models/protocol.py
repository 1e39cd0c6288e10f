"""What a model provider promises: two small protocols, and what some of them can do besides.

A provider raises ``ModelUnreachable`` (nothing answers), ``ModelMissing`` (the server or file is
there, the model is not; ``fix`` names the command that gets it) or ``ModelFailed`` (it broke while
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
# the roles of stages that only some flows have
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
    """A call of a tool that a model asks for. ``arguments`` is JSON as the model wrote it, which
    need not be valid; ``id`` is the provider's own, or one that was made up for it."""

    id: str
    name: str
    arguments: str


class Message(Struct, frozen=True):
    """One message of a chat: ``role`` is system, user, assistant, or tool for the result of a call
    (``call_id``); ``calls`` are those that the assistant asked for in it."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    calls: tuple[ToolRequest, ...] = ()
    call_id: str | None = None


def roles_in_use(config: Config) -> list[Role]:
    """The roles of a configuration: those of the routed and the deliberate flow only where its flow
    names them, or a model is set for them."""
    steps = config.flows.get(config.flow, config.flow.split(","))
    used = {str(step).strip() for step in steps} if isinstance(steps, list) else set()
    if config.flow not in config.flows:
        used.update(FLOW_ROLES.get(config.flow, ()))
    optional = {role for roles in FLOW_ROLES.values() for role in roles}
    return [role for role in ROLES if role not in optional or role in used or role in config.models]


def alternating(messages: Sequence[Message]) -> list[Message]:
    """The messages with consecutive ones of one role as one: after an unanswered turn the user
    speaks twice, and the templates of many models refuse that."""
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
    """Whether a message has nothing to do with tools."""
    return message.role != "tool" and not message.calls


class ChatRequest(Struct, kw_only=True, frozen=True):
    """A call to a chat model.

    ``role`` is what the call is for (providers ignore it; the scripted model and cassettes do
    not). ``schema`` is a JSON Schema that the reply must obey, enforced by constrained decoding
    where the provider can. ``tools`` are those that the model may call instead of answering; only
    models that are ``ToolCalling`` are given any, and never together with a schema. ``max_tokens``
    bounds the reply.
    """

    role: Role
    messages: list[Message]
    schema: dict[str, Any] | None = None
    max_tokens: int = 512
    temperature: float = 0.0
    seed: int = 0
    tools: tuple[ToolSpec, ...] = ()


class ChatReply(Struct, kw_only=True, frozen=True):
    """A chat model's reply. Token counts and times are None when the provider does not say them.

    ``finish`` is ``stop``, or ``length`` when ``max_tokens`` cut the reply short. ``tokens_in``
    is the whole prompt; ``tokens_cached`` of them were known from an earlier call, and the rest
    was processed in ``prompt_ms`` milliseconds; the reply was written in ``reply_ms``.
    ``calls`` are the tools that it wants called, in order; ``thinking`` is what it thought aloud
    before, if it does that.
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


class ChatModel(Protocol):
    """A chat model. ``name`` is its full spec (``ollama:qwen3:4b``), kept in the ledger."""

    name: str

    def context(self) -> int:
        """The context window in tokens."""
        ...

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        """Answers; with ``on_token`` the text is handed on as it is made, and an empty text for
        what is made and not shown.

        What ``on_token`` raises, and ``KeyboardInterrupt`` from a signal, stops generation
        cleanly. Calls may come from several threads at once.
        """
        ...


@runtime_checkable
class YesNo(Protocol):
    """A chat model that can say how sure it is of a yes. Every provider here is one."""

    def yes(self, request: ChatRequest) -> float | None:
        """The probability, from 0 to 1, that the reply begins with yes rather than with no.

        The last message of ``request`` is a question that asks for one of these words; its
        ``max_tokens`` and ``schema`` are not looked at. None when the model would say neither.
        Raises as ``chat``.
        """
        ...


@runtime_checkable
class ToolCalling(Protocol):
    """A chat model that may have been taught to call tools."""

    def calls_tools(self) -> bool:
        """Whether it is known to: ``ChatRequest.tools`` may be given to it then."""
        ...


@runtime_checkable
class Presence(Protocol):
    """A chat model that can be looked up before it is needed. Every provider here is one."""

    def look_up(self) -> None:
        """Raises ``ModelMissing``, whose ``fix`` says how to get it, when the model is certainly
        not there. That a server does not answer is left for the call itself to say."""
        ...


@runtime_checkable
class Sized(Protocol):
    """A chat model that may know how large it is."""

    def small(self) -> bool | None:
        """Whether it has fewer parameters than a model needs to keep to the point in a long prompt
        (``policy.model_size``); None when that is not known."""
        ...

    def billions(self) -> float | None:
        """How many billions of parameters it has; None when that is not known."""
        ...


@runtime_checkable
class Identified(Protocol):
    """A chat model that can be told from every other one, also in another process."""

    def identity(self) -> str | None:
        """Text that changes with the model: a digest, or its file's size and date; None when that
        cannot be said."""
        ...


class Embedder(Protocol):
    """An embedding model. ``name`` is its full spec (``wordllama:l2_supercat_256``)."""

    name: str

    def dimension(self) -> int:
        """The number of dimensions of its vectors."""
        ...

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One vector per text: little-endian float32, L2-normalised (``policy.vector.pack``).

        ``kind`` tells questions from stored text, for models that want a prefix.
        """
        ...


class Reranker(Protocol):
    """A model that judges how well texts answer a question. ``name`` is its full spec."""

    name: str

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, from 0 to 1. Of a long text only the beginning
        may count."""
        ...


@runtime_checkable
class SentenceEmbedder(Protocol):
    """An embedder that is fast enough to embed every sentence of a text when it is stored, and
    whose vectors may be cut to their first dimensions."""

    def embed_sentences(self, texts: Sequence[str]) -> list[bytes]:
        """The vectors of each text's sentences, packed as ``text.sentence_vectors`` says; empty for
        a text without words."""
        ...
