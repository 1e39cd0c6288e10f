"""Models served by Ollama, through its Python client."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from msgspec import Struct, structs

from thalamus.errors import BadKey, ModelFailed, ModelMissing, ModelUnreachable, ThalamusError
from thalamus.models.embedding import Measured, embed_batches, prefixed
from thalamus.models.incoming import IncomingReply
from thalamus.models.protocol import ChatReply, ChatRequest, EmbedKind, Message, TokenSink
from thalamus.models.tool_calls import arguments_object, function_tools
from thalamus.models.transport import client_options, connection_errors, shown
from thalamus.models.yes import ALTERNATIVES, probability, without_probabilities
from thalamus.policy.model_size import billions, is_small

if TYPE_CHECKING:
    from ollama import ChatResponse, Client, ShowResponse

_DEFAULT_PORT = "11434"
_START = "Start it with `ollama serve`, or choose another model (`thalamus models` lists them)."
_CHOOSE = "Choose another model; `thalamus models` lists them."
_FALLBACK_CONTEXT = 4096
_BATCH = 32
# Families of models that only embed. The list of models does not include capabilities, and asking
# for them would cost one call per model.
_EMBEDDING_FAMILIES = ("bert", "gemma-embedding")
_EMBEDDING_NAMES = ("embed", "minilm", "bge-", "gte-", "e5-", "paraphrase-")


class LocalModel(Struct, frozen=True):
    """A model on the server: ``size`` in bytes; ``embedding`` if it can only embed."""

    name: str
    size: int
    embedding: bool


def resolve_host(configured: str) -> str:
    """The server's URL, by the rules of Ollama's own ``OLLAMA_HOST``.

    ``configured`` takes precedence over the variable; ``host``, ``host:port``, ``:port`` and URLs
    are accepted. The wildcard address of a server becomes the loopback address.
    """
    text = (configured or os.environ.get("OLLAMA_HOST", "")).strip().strip("'\"")
    scheme, separator, rest = text.partition("://")
    if not separator:
        scheme, rest = "http", text
    default = {"http": "80", "https": "443"}.get(scheme, _DEFAULT_PORT)
    authority, slash, path = rest.partition("/")
    user, at, address = authority.rpartition("@")
    host, port = _split_port(address, default if separator else _DEFAULT_PORT)
    return f"{scheme}://{user}{at}{host}:{port}{slash}{path}".rstrip("/")


def _split_port(address: str, default: str) -> tuple[str, str]:
    host, colon, port = address.rpartition(":")
    if not colon or address.endswith("]") or (host.count(":") and not host.startswith("[")):
        host, port = address, default
    if not port.isdecimal() or int(port) > 65535:
        port = default
    if ":" in host and not host.startswith("["):
        host = f"[{host}]"
    return {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(host, host), port


def answers(host: str, timeout: float = 0.5) -> bool:
    """True if an Ollama server answers at this URL within ``timeout`` seconds.

    Uses only the standard library: importing the client takes 0.3 seconds.
    """
    from http.client import HTTPConnection, HTTPException, HTTPSConnection

    parts = urlsplit(host)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    try:
        with closing(kind(parts.hostname or "", parts.port, timeout=timeout)) as connection:
            connection.request("GET", f"{parts.path.rstrip('/')}/api/version")
            response = connection.getresponse()
            return response.status == 200 and b'"version"' in response.read(1000)
    except (OSError, HTTPException, ValueError):
        return False


def list_models(host: str, timeout: float) -> list[LocalModel]:
    """Models on the server. Raises ``ModelUnreachable`` or ``ModelFailed``."""
    with _errors("ollama", "", host, timeout):
        listing = _client(host, timeout).list()
        return [
            LocalModel(
                name=model.model or "",
                size=int(model.size or 0),
                embedding=_only_embeds(model.model or "", model.details),
            )
            for model in listing.models
        ]


def _only_embeds(name: str, details: Any) -> bool:
    families = [*(getattr(details, "families", None) or []), getattr(details, "family", "") or ""]
    if any(mark in family.lower() for family in families for mark in _EMBEDDING_FAMILIES):
        return True
    return any(mark in name.lower() for mark in _EMBEDDING_NAMES)


class OllamaChat:
    """A chat model of an Ollama server.

    ``host``: the server's URL (``resolve_host``); ``timeout``: seconds of silence until it is given
    up (0: no limit); ``keep_alive``: how long the model stays loaded; ``context``: the maximum
    context to request, since by default Ollama gives a small window and silently drops the
    beginning of a longer prompt.
    """

    def __init__(
        self, model: str, host: str, timeout: float, keep_alive: str, context: int = 4096
    ) -> None:
        self.name = f"ollama:{model}"
        self._model = model
        self._host = host
        self._timeout = timeout
        self._keep_alive = keep_alive
        self._limit = context or _FALLBACK_CONTEXT
        self._gives_probabilities = True
        self._connection: Client | None = None
        self._shown: ShowResponse | None = None

    def context(self) -> int:
        """Context window in tokens: the model's own, at most the configured one."""
        shown = self._show()
        info = (shown.modelinfo if shown else None) or {}
        lengths = [v for k, v in info.items() if k.endswith(".context_length")]
        own = lengths[0] if lengths and isinstance(lengths[0], int) else _FALLBACK_CONTEXT
        return min(self._limit, own)

    def small(self) -> bool | None:
        """By the server's description of the model, or else by its name (``Sized``)."""
        return is_small(self._label(), self._model)

    def billions(self) -> float | None:
        """By the server's description of the model, or else by its name (``Sized``)."""
        return billions(self._label(), self._model)

    def _label(self) -> str:
        shown = self._show()
        details = shown.details if shown else None
        return (details.parameter_size if details else None) or ""

    def identity(self) -> str | None:
        """Digest of the model (``Identified``)."""
        with suppress(ThalamusError), _errors(self.name, self._model, self._host, self._timeout):
            wanted = {self._model, f"{self._model}:latest"}
            for model in self._client().list().models:
                if model.model in wanted and model.digest:
                    return f"ollama {model.digest}"
        return None

    def calls_tools(self) -> bool:
        """By the capabilities that the server reports (``ToolCalling``)."""
        shown = self._show()
        if shown is None:
            return False
        if shown.capabilities is None:  # an older server
            return ".Tools" in (shown.template or "")
        return "tools" in shown.capabilities

    def look_up(self) -> None:
        """Raises ``ModelMissing`` if the server does not have the model (``Presence``)."""
        try:
            self._description()
        except ModelMissing:
            raise
        except ThalamusError:
            return

    def _show(self) -> ShowResponse | None:
        """The server's description of the model; None on any error, which the next call reports
        where it matters."""
        with suppress(ThalamusError):
            return self._description()
        return None

    def _description(self) -> ShowResponse:
        if self._shown is None:
            with _errors(self.name, self._model, self._host, self._timeout):
                self._shown = self._client().show(self._model)
        return self._shown

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        """Answers. Raises ``ModelUnreachable``, ``ModelMissing`` or ``ModelFailed``."""
        incoming = IncomingReply(request, on_token)
        last: ChatResponse | None = None
        with closing(self._parts(request, stream=on_token is not None)) as parts:
            for last in parts:
                if last.message.thinking:
                    incoming.think(last.message.thinking)
                incoming.feed(last.message.content or "")
                incoming.call(
                    {"function": {"name": call.function.name, "arguments": call.function.arguments}}
                    for call in last.message.tool_calls or []
                )
        if last is None or not last.done:
            raise ModelFailed(self.name, "the server cut off the reply")
        arrived = incoming.close(cut=last.done_reason == "length")
        return ChatReply(
            text=arrived.text,
            thinking=arrived.thinking,
            calls=arrived.calls,
            model=self.name,
            tokens_in=last.prompt_eval_count,
            tokens_out=last.eval_count,
            finish="length" if last.done_reason == "length" else "stop",
            prompt_ms=_milliseconds(last.prompt_eval_duration),
            reply_ms=_milliseconds(last.eval_duration),
        )

    def yes(self, request: ChatRequest) -> float | None:
        """Probability of yes (``YesNo``). Raises the errors of ``chat``.

        Ollama sends probabilities since 0.12.11; an older server is asked for the word instead from
        then on.
        """
        if self._gives_probabilities:
            question = structs.replace(request, schema=None, max_tokens=1, temperature=0.0)
            call = {**self._call(question), "logprobs": True, "top_logprobs": ALTERNATIVES}
            with _errors(self.name, self._model, self._host, self._timeout):
                first = (self._client().chat(**call).logprobs or [None])[0]
                if first is not None:
                    top = first.top_logprobs or [first]
                    return probability(token.model_dump() for token in top)
            self._gives_probabilities = False
        return without_probabilities(self, request)

    def _parts(self, request: ChatRequest, stream: bool) -> Generator[ChatResponse, None, None]:
        call = self._call(request)
        with _errors(self.name, self._model, self._host, self._timeout):
            if stream:
                yield from self._client().chat(**call, stream=True)
            else:
                yield self._client().chat(**call)

    def _call(self, request: ChatRequest) -> dict[str, Any]:
        call: dict[str, Any] = {
            "model": self._model,
            "messages": _messages(request.messages),
            "options": {
                "temperature": request.temperature,
                "seed": request.seed,
                "num_predict": request.max_tokens,
                "num_ctx": self.context(),
            },
            "keep_alive": _duration(self._keep_alive),
            # thoughts would use up `max_tokens`, which is sized for the reply alone
            "think": False,
        }
        if request.schema is not None:
            call["format"] = request.schema
        if request.tools:
            call["tools"] = [_with_types(tool) for tool in function_tools(request.tools)]
        return call

    def _client(self) -> Client:
        if self._connection is None:
            self._connection = _client(self._host, self._timeout)
        return self._connection


class OllamaEmbedder(Measured):
    """An embedding model of an Ollama server; arguments as for ``OllamaChat``."""

    def __init__(self, model: str, host: str, timeout: float, keep_alive: str) -> None:
        self.name = f"ollama:{model}"
        self._model = model
        self._host = host
        self._timeout = timeout
        self._keep_alive = keep_alive
        self._connection: Client | None = None

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One packed vector per text; the end of a text that is too long is cut off.

        Raises ``ModelUnreachable``, ``ModelMissing`` or ``ModelFailed``.
        """
        inputs = [prefixed(self._model, text, kind) for text in texts]
        return embed_batches(self.name, inputs, _BATCH, self._call)

    def _call(self, batch: list[str]) -> Sequence[Sequence[float]]:
        if self._connection is None:
            self._connection = _client(self._host, self._timeout)
        with _errors(self.name, self._model, self._host, self._timeout):
            reply = self._connection.embed(
                model=self._model,
                input=batch,
                truncate=True,
                keep_alive=_duration(self._keep_alive),
            )
        return reply.embeddings


def _client(host: str, timeout: float) -> Client:
    import ollama

    return ollama.Client(host=host, **client_options(host, timeout))


def _messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Messages in Ollama's format: tool results carry the tool's name, and calls have no id."""
    names = {call.id: call.name for message in messages for call in message.calls}
    return [_message(message, names) for message in messages]


def _message(message: Message, names: dict[str, str]) -> dict[str, Any]:
    converted: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.calls:
        converted["tool_calls"] = [
            {"function": {"name": call.name, "arguments": arguments_object(call)}}
            for call in message.calls
        ]
    if message.call_id in names:
        converted["tool_name"] = names[message.call_id]
    return converted


def _with_types(tool: dict[str, Any]) -> dict[str, Any]:
    """The tool with ``type`` added where a parameter has alternatives, which the client would
    drop."""
    function = tool["function"]
    parameters = function["parameters"]
    properties = {
        name: _with_type(schema) for name, schema in parameters.get("properties", {}).items()
    }
    parameters = {**parameters, "properties": properties}
    return {**tool, "function": {**function, "parameters": parameters}}


def _with_type(schema: dict[str, Any]) -> dict[str, Any]:
    types = [choice.get("type") for choice in schema.get("anyOf", [])]
    if "type" in schema or not types or not all(isinstance(name, str) for name in types):
        return schema
    return {**schema, "type": list(dict.fromkeys(types))}


def _milliseconds(nanoseconds: int | None) -> float | None:
    return None if nanoseconds is None else nanoseconds / 1e6


def _duration(keep_alive: str) -> float | str | None:
    """Keep-alive in Ollama's format: ``5m`` as text, but seconds (-1: for ever) as a number."""
    if not keep_alive.strip():
        return None
    try:
        return float(keep_alive)
    except ValueError:
        return keep_alive.strip()


@contextmanager
def _errors(name: str, model: str, host: str, timeout: float) -> Iterator[None]:
    import ollama

    with connection_errors(name, host, timeout, _START):
        try:
            yield
        except ollama.ResponseError as error:
            _raise_refusal(name, model, host, error)


def _raise_refusal(name: str, model: str, host: str, error: Any) -> None:
    words = str(error.error).strip()[:300]
    if error.status_code == 404 and "model" in words:
        fix = f"Pull it with `ollama pull {model}`, or choose another model."
        raise ModelMissing(name, f"the server at {shown(host)} does not have it", fix=fix) from None
    if error.status_code == 404:
        raise ModelUnreachable(name, f"no Ollama server at {shown(host)}", fix=_START) from None
    if error.status_code in (401, 403):
        raise BadKey(f"{shown(host)} denies access: {words}", fix="Set OLLAMA_API_KEY.") from None
    raise ModelFailed(name, words or f"status {error.status_code}", fix=_CHOOSE) from None
