"""Models served by Ollama, through its Python client."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from msgspec import Struct, structs

from thalamus.errors import (
    BadKey,
    ModelBusy,
    ModelFailed,
    ModelMissing,
    ModelUnreachable,
    PromptTooLong,
    ThalamusError,
)
from thalamus.models.embedding import Measured, embed_batches, prefixed
from thalamus.models.empty_reply import LEAST_ROOM, ask_for_words, is_empty, reason_of
from thalamus.models.incoming import IncomingReply
from thalamus.models.memory import free_memory
from thalamus.models.protocol import Capacity, ChatReply, ChatRequest, EmbedKind, Message, TokenSink
from thalamus.models.quirks import (
    MEMORY,
    NO_PROBABILITIES,
    OPENS_THOUGHTS,
    WINDOW,
    Quirks,
    ServerRefusal,
)
from thalamus.models.retry_after import is_busy, retry_after
from thalamus.models.size_refusals import means_no_memory
from thalamus.models.tool_calls import arguments_object, function_tools
from thalamus.models.transport import (
    Clients,
    client_options,
    connection_errors,
    is_loopback,
    redact,
    shown,
)
from thalamus.models.window import ask_within_window, capacity, prompt_tokens, why_automatic
from thalamus.models.window import window as within
from thalamus.models.yes import ALTERNATIVES, probability, without_probabilities
from thalamus.policy.model_size import billions, is_small
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.policy.window_budget import LARGEST, LEAST, UNKNOWN, cache_bytes, fitting_window

if TYPE_CHECKING:
    from ollama import Client, ShowResponse

_importing = Lock()
_DEFAULT_PORT = "11434"
_START = "Start it with `ollama serve`, or choose another model (`thalamus models` lists them)."
_AGAIN = "Try again; see the log of the server."
_CHOOSE = "Choose another model; `thalamus models` lists them."
_TOO_LONG = "Lower `token_budget`, or choose a model with a longer context."
_PULL_SECONDS = 300.0  # without a sign of life, while the server downloads or verifies
_EMBEDDING_CONTEXT = 2048  # tokens of context for embedding, and up to which it grows
_LONGEST_EMBEDDED = 8192
# Ways of asking for a format, also the names under which they are remembered: some versions ignore
# it while thinking is switched off
_CONTROLLED = "format with thinking off"
_UNCONTROLLED = "format with thinking uncontrolled"
_GENERATE = "format by generate"
_WAYS = (_CONTROLLED, _UNCONTROLLED, _GENERATE)
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


def pull(host: str, model: str, progress: Callable[[int, int | None], None]) -> None:
    """Has the server download a model. ``progress`` gets the bytes that are there and those in all.
    Raises ``ModelUnreachable`` or ``ModelFailed``."""
    layers: dict[str, tuple[int, int]] = {}
    with _errors(f"ollama:{model}", model, host, _PULL_SECONDS):
        for step in _client(host, _PULL_SECONDS).pull(model, stream=True):
            if step.digest and step.total:
                layers[step.digest] = (step.completed or 0, step.total)
                progress(*(sum(sizes) for sizes in zip(*layers.values(), strict=True)))


def _only_embeds(name: str, details: Any) -> bool:
    families = [*(getattr(details, "families", None) or []), getattr(details, "family", "") or ""]
    if any(mark in family.lower() for family in families for mark in _EMBEDDING_FAMILIES):
        return True
    return any(mark in name.lower() for mark in _EMBEDDING_NAMES)


class OllamaChat:
    """A chat model of an Ollama server.

    ``host``: the server's URL (``resolve_host``); ``timeout``: seconds of silence until it is given
    up (0: no limit); ``keep_alive``: how long the model stays loaded; ``context``: the context to
    request (None: what the model has, as far as the memory goes), more only for a longer prompt: by
    default Ollama gives a small window and silently drops the beginning of a longer prompt;
    ``cache``: the directory in which the server's quirks are remembered.
    """

    def __init__(
        self,
        model: str,
        host: str,
        timeout: float,
        keep_alive: str,
        context: int | None = None,
        cache: Path | None = None,
    ) -> None:
        self.name = f"ollama:{model}"
        self._model = model
        self._host = host
        self._timeout = timeout
        self._keep_alive = keep_alive
        self._limit = context
        self._unproven = False  # the window was chosen by an estimate, in this process
        self._quirks = Quirks(f"{host} {self.name}", cache)
        self._way: str | None = None  # of asking for a format, in this process
        self._clients = Clients(lambda options: _client(host, timeout, **options))
        self._shown: ShowResponse | None = None

    def context(self) -> int:
        """Context window in tokens: the model's own, at most the configured one, or less if the
        server has refused as much."""
        return within(self._own_context(), self._quirks)

    def capacity(self) -> Capacity:
        """Its window and reading speed (``Limited``)."""
        most, own = self._own_context(), _own_window(self._show())
        why = "set by hand" if self._limit else why_automatic(most, own, "the model's own")
        return capacity(most, why, self._quirks)

    def _own_context(self) -> int:
        own = _own_window(self._show())
        if self._limit:
            return min(self._limit, _length(self._show()) or self._limit)
        if own is None:
            return UNKNOWN
        if self._quirks.limit(MEMORY) is None:
            # remembered: another window would make the server load the model again
            self._quirks.lower(MEMORY, self._fitting(own))
            self._unproven = True
        return min(own, self._quirks.limit(MEMORY) or UNKNOWN)

    def _fitting(self, own: int) -> int:
        """The window that half of the memory next to the model has room for. On another machine
        only a model that is loaded shows that it has too little (``_learn_memory``)."""
        if not is_loopback(self._host):
            return min(own, LARGEST)
        free = free_memory()
        with suppress(ThalamusError), self._failures():
            wanted = {self._model, f"{self._model}:latest"}
            with self._clients.lease() as client:
                models = client.list().models
            sizes = [m.size or 0 for m in models if m.model in wanted]
            room = None if free is None or not sizes else (free - sizes[0]) // 2
            return fitting_window(own, self._cache_bytes(), room)
        return min(own, UNKNOWN)

    def _cache_bytes(self) -> int | None:
        shown = self._show()
        return cache_bytes((shown.modelinfo if shown else None) or {})

    def _learn_memory(self) -> None:
        """Makes the window smaller if the server had no room for all of the model in the memory of
        its graphics card. The next call loads it again."""
        self._unproven = False
        window, token = self._own_context(), self._cache_bytes()
        with suppress(ThalamusError), self._failures():
            wanted = {self._model, f"{self._model}:latest"}
            with self._clients.lease() as client:
                models = client.ps().models
            for model in models:
                outside = (model.size or 0) - (model.size_vram or 0)
                if model.model in wanted and model.size_vram and outside > 0:
                    room = window * (token or 0) - outside
                    least = min(window, UNKNOWN)
                    self._quirks.lower(MEMORY, max(least, fitting_window(window, token, room)))
                    self._quirks.keep_limits()

    def _window(self, request: ChatRequest) -> int:
        """Tokens of context for a request: those of the model, at most as configured, or doubled up
        to its length, because a different window makes the server load the model again."""
        most = _length(self._show()) or self._limit or UNKNOWN
        return _window_for(
            self._own_context(), prompt_tokens(request) * 5 // 4 + request.max_tokens, most
        )

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
            with self._clients.lease() as client:
                models = client.list().models
            for model in models:
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

    def stopper(self) -> Callable[[], None]:
        """Closes the connection (``Stoppable``)."""
        return self._clients.stopper()

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
            with self._failures(), self._clients.lease() as client:
                self._shown = client.show(self._model)
        return self._shown

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        """Answers. A reply without words, and one in another format than asked for, is asked for
        again.

        Raises ``ModelUnreachable``, ``ModelMissing``, ``BadKey``, ``ModelBusy`` or ``ModelFailed``.
        """

        def ask(request: ChatRequest, thinking_off: bool) -> ChatReply:
            if request.schema is None:
                return self._ask(request, on_token, self._form(request, thinking_off))
            return self._ask_structured(request, on_token, thinking_off)

        while True:
            try:
                reply = ask_for_words(self.name, request, self._window(request), self._quirks, ask)
            except ServerRefusal as refusal:
                half = self._own_context() // 2
                if self._limit or half < LEAST or not means_no_memory(refusal.text):
                    raise
                self._quirks.lower(MEMORY, half)
            else:
                if self._unproven:
                    self._learn_memory()
                return reply

    def _ask_structured(
        self, request: ChatRequest, on_token: TokenSink | None, thinking_off: bool
    ) -> ChatReply:
        """A reply in the format of the request's schema. The first time it is checked whether the
        server obeys the format: some versions ignore it while thinking is switched off."""

        def ask(way: str) -> ChatReply:
            return self._ask(request, on_token, self._form(request, thinking_off, way))

        known = self._way or next((way for way in _WAYS if way in self._quirks), None)
        reply = ask(known or _CONTROLLED)
        if known is not None or is_empty(reply):
            return reply
        self._way = _CONTROLLED
        if conforms(reply, request.schema or {}):
            self._quirks.learn(_CONTROLLED)
            return reply
        for way in (_UNCONTROLLED, _GENERATE):
            with suppress(ThalamusError):
                other = ask(way)
                if conforms(other, request.schema or {}):
                    self._way = way
                    self._quirks.learn(way)
                    return other
        return reply

    def _ask(
        self, request: ChatRequest, on_token: TokenSink | None, call: dict[str, Any]
    ) -> ChatReply:
        """One reply. Raises ``ModelFailed`` for one to a prompt that was cut."""
        window = call["options"]["num_ctx"]
        _check_fits(self.name, prompt_tokens(request), request.max_tokens, window)
        incoming = IncomingReply(request, on_token, OPENS_THOUGHTS in self._quirks)
        stream = on_token is not None
        last = self._quirks.send(call, lambda call: self._take(call, incoming, stream))
        if last is None or not last.done:
            raise ModelFailed(self.name, "the server cut off the reply", fix=_AGAIN)
        if (last.prompt_eval_count or 0) >= window:
            learned = self._quirks.lower(WINDOW, prompt_tokens(request) * 3 // 4)
            words = f"the server cut the prompt at {window:,} tokens"
            raise PromptTooLong(self.name, words, learned)
        arrived = incoming.close(cut=last.done_reason == "length")
        if incoming.orphan:
            self._quirks.learn(OPENS_THOUGHTS)
        return ChatReply(
            text=arrived.text,
            thinking=arrived.thinking,
            calls=arrived.calls,
            model=self.name,
            tokens_in=last.prompt_eval_count,
            tokens_out=last.eval_count,
            # since 0.32, if the client passes it on
            tokens_cached=getattr(last, "prompt_eval_cached_count", None),
            finish="length" if last.done_reason == "length" else "stop",
            reason=reason_of(arrived, last.done_reason, "done_reason"),
            prompt_ms=_milliseconds(last.prompt_eval_duration),
            reply_ms=_milliseconds(last.eval_duration),
        )

    def _take(self, call: dict[str, Any], incoming: IncomingReply, stream: bool) -> Any:
        """Sends a call; returns the last part of the reply, which has its counts."""
        last: Any = None
        with incoming.arrival(), closing(self._parts(call, stream)) as parts:
            for last in parts:
                message = getattr(last, "message", None)
                thinking = last.thinking if message is None else message.thinking
                if thinking:
                    incoming.think(thinking)
                incoming.feed((last.response if message is None else message.content) or "")
                calls = [] if message is None else message.tool_calls or []
                incoming.call(
                    {"function": {"name": call.function.name, "arguments": call.function.arguments}}
                    for call in calls
                )
        return last

    def yes(self, request: ChatRequest) -> float | None:
        """Probability of yes (``YesNo``). Raises the errors of ``chat``.

        Ollama sends probabilities since 0.12.11; an older server is asked for the word instead from
        then on.
        """
        if NO_PROBABILITIES not in self._quirks:
            question = structs.replace(request, schema=None, max_tokens=1, temperature=0.0)
            call = {**self._form(question, False), "logprobs": True, "top_logprobs": ALTERNATIVES}
            _check_fits(self.name, prompt_tokens(question), 1, call["options"]["num_ctx"])
            answer = ask_within_window(
                question,
                self._quirks,
                lambda _: self._quirks.send(call, lambda call: next(self._parts(call, False))),
            )
            with self._failures():
                first = (answer.logprobs or [None])[0]
                if first is not None:
                    top = first.top_logprobs or [first]
                    return probability(token.model_dump() for token in top)
            self._quirks.learn(NO_PROBABILITIES)
        return without_probabilities(self, request)

    def gives_words(self) -> bool:
        """True if the server has sent no probabilities (``MayGiveWords``)."""
        return NO_PROBABILITIES in self._quirks

    def _parts(self, call: dict[str, Any], stream: bool) -> Generator[Any, None, None]:
        with self._failures(), self._clients.lease() as client:
            send = client.generate if "prompt" in call else client.chat
            if stream:
                yield from send(**call, stream=True)
            else:
                yield send(**call)

    def _form(
        self, request: ChatRequest, thinking_off: bool, way: str | None = None
    ) -> dict[str, Any]:
        """Arguments of a call. ``thinking_off``: it must be by all means; ``way``: of asking for a
        format."""
        call: dict[str, Any] = {
            "model": self._model,
            "messages": _messages(request.messages),
            "options": {
                "temperature": request.temperature,
                "seed": request.seed,
                "num_predict": request.max_tokens,
                "num_ctx": self._window(request),
            },
            "keep_alive": _duration(self._keep_alive),
            # thoughts would use up `max_tokens`, which is sized for the reply alone
            "think": "low" if thinking_off and "gpt-oss" in self._model else False,
        }
        if request.schema is not None:
            call["format"] = request.schema
        if request.tools:
            call["tools"] = [_with_types(tool) for tool in function_tools(request.tools)]
        if way in (_UNCONTROLLED, _GENERATE):
            del call["think"]
            room = min(LEAST_ROOM, call["options"]["num_ctx"] // 2)  # for thoughts
            call["options"]["num_predict"] = max(request.max_tokens, room)
        if way == _GENERATE:
            messages = call.pop("messages")
            system = [m["content"] for m in messages if m["role"] == "system"]
            rest = [m for m in messages if m["role"] != "system"]
            call["system"] = "\n\n".join(system)
            call["prompt"] = _as_prompt(rest)
        return call

    def _failures(self) -> AbstractContextManager[None]:
        return _errors(self.name, self._model, self._host, self._timeout)


class OllamaEmbedder(Measured):
    """An embedding model of an Ollama server; arguments as for ``OllamaChat``."""

    def __init__(self, model: str, host: str, timeout: float, keep_alive: str) -> None:
        self.name = f"ollama:{model}"
        self._model = model
        self._host = host
        self._timeout = timeout
        self._keep_alive = keep_alive
        self._quirks = Quirks()
        self._connection: Client | None = None
        self._context: int | None = None

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One packed vector per text; the end of a text that is too long is cut off.

        Raises ``ModelUnreachable``, ``ModelMissing``, ``ModelBusy`` or ``ModelFailed``.
        """
        inputs = [prefixed(self._model, text, kind) for text in texts]
        return embed_batches(self.name, inputs, _BATCH, self._call, self._quirks)

    def _call(self, batch: list[str]) -> Sequence[Sequence[float]]:
        if self._connection is None:
            self._connection = _client(self._host, self._timeout)
        longest = max(estimate_tokens(text) for text in batch)
        with _errors(self.name, self._model, self._host, self._timeout):
            reply = self._connection.embed(
                model=self._model,
                input=batch,
                truncate=True,
                keep_alive=_duration(self._keep_alive),
                options={"num_ctx": self._window(longest)},
            )
        return reply.embeddings

    def _window(self, tokens: int) -> int:
        if self._context is None:
            shown = None
            with (
                suppress(ThalamusError),
                _errors(self.name, self._model, self._host, self._timeout),
            ):
                assert self._connection is not None
                shown = self._connection.show(self._model)
            self._context = _length(shown) or _LONGEST_EMBEDDED
        return _window_for(min(_EMBEDDING_CONTEXT, self._context), tokens, self._context)


def conforms(reply: ChatReply, schema: dict[str, Any]) -> bool:
    """True if a reply is an object with fields of a schema, or the beginning of one. A model that
    leaves out an empty list does not show that the server ignores the schema."""
    text = reply.text.strip()
    try:
        value = json.loads(text)
    except ValueError:
        return reply.finish == "length" and text.startswith("{")
    if not isinstance(value, dict):
        return False
    required = set(schema.get("required", ()))
    known = bool(required & set(value)) and set(value) <= set(schema.get("properties", ()))
    return known or required <= set(value)


def _length(shown: ShowResponse | None) -> int | None:
    """The context that a model was trained for; None if the server does not say."""
    info = (shown.modelinfo if shown else None) or {}
    lengths = (v for k, v in info.items() if k.endswith(".context_length"))
    return next((v for v in lengths if type(v) is int and v > 0), None)


def _own_window(shown: ShowResponse | None) -> int | None:
    """The window of a model: the one set in its Modelfile, or what it was trained for; None if the
    server does not say."""
    for line in ((shown.parameters if shown else None) or "").splitlines():
        name, _, value = line.partition(" ")
        if name == "num_ctx" and value.strip().isdecimal() and int(value) > 0:
            return int(value)
    return _length(shown)


def _window_for(window: int, needed: int, most: int) -> int:
    while window < needed and window < most:
        window *= 2
    return min(window, max(most, 1))


def _check_fits(name: str, prompt: int, reply: int, window: int) -> None:
    """Raises ``ModelFailed`` for a prompt of which the server would drop the beginning."""
    if prompt > window - min(reply, window // 4):
        raise ModelFailed(
            name,
            f"its context of {window:,} tokens is too short for a prompt of about {prompt:,}",
            fix=_TOO_LONG,
        )


def _as_prompt(messages: Sequence[dict[str, Any]]) -> str:
    """A dialogue as one text."""
    if len(messages) == 1:
        return str(messages[0]["content"])
    return "\n\n".join(f"{m['role'].capitalize()}: {m['content']}" for m in messages)


def _library() -> Any:
    """The client's package. Importing it makes a client with the proxies of the environment, which
    fails for one that httpx cannot read; those of this module are chosen by ``client_options``."""
    with _importing:
        if "ollama" in sys.modules:
            return sys.modules["ollama"]
        hidden = {name: os.environ[name] for name in os.environ if name.lower().endswith("_proxy")}
        for name in hidden:
            del os.environ[name]
        os.environ["NO_PROXY"] = "*"
        try:
            import ollama
        finally:
            del os.environ["NO_PROXY"]
            os.environ.update(hidden)
        return ollama


def _client(host: str, timeout: float, **options: Any) -> Client:
    options |= client_options(host, timeout)
    client: Client = _library().Client(host=host, **options)
    return client


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
    with connection_errors(name, host, timeout, _START):
        try:
            yield
        except _library().ResponseError as error:
            _raise_refusal(name, model, host, error)


def _raise_refusal(name: str, model: str, host: str, error: Any) -> None:
    status = error.status_code
    words = redact(str(error.error).strip(), os.environ.get("OLLAMA_API_KEY", ""))[:300]
    if status == 404 and "model" in words:
        fix = f"Pull it with `ollama pull {model}`, or choose another model."
        raise ModelMissing(name, f"the server at {shown(host)} does not have it", fix=fix) from None
    if status == 404:
        raise ModelUnreachable(name, f"no Ollama server at {shown(host)}", fix=_START) from None
    if status in (401, 403):
        raise BadKey(f"{shown(host)} denies access: {words}", fix="Set OLLAMA_API_KEY.") from None
    response = getattr(error.__context__, "response", None)  # the client does not pass it on
    headers = response.headers if response is not None else {}
    if is_busy(status, words, headers):
        raise ModelBusy(name, words, retry_after(words, headers)) from None
    raise ServerRefusal(name, words or f"status {status}", words, status, _CHOOSE) from None
