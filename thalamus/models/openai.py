"""OpenAI-compatible servers: llama.cpp's server, vLLM, LM Studio, and hosted services."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, structs

from thalamus.errors import BadKey, ConfigError, ModelFailed, ModelMissing, ThalamusError
from thalamus.models.embedding import Measured, embed_batches, means_too_long, prefixed
from thalamus.models.incoming import IncomingReply
from thalamus.models.protocol import ChatReply, ChatRequest, EmbedKind, TokenSink
from thalamus.models.tool_calls import function_tools, openai_messages
from thalamus.models.transport import client_options, connection_errors, shown
from thalamus.models.yes import ALTERNATIVES, probability, without_probabilities
from thalamus.policy.model_size import billions, is_small

if TYPE_CHECKING:
    from httpx import Client, Response

_START = "Start the server, or fix `openai_base_url` in the configuration."
_FALLBACK_CONTEXT = 4096
_BATCH = 32
_BODY_CHARACTERS = 300
# llama.cpp's server without templates has its own error (500) for tools
_NO_TEMPLATE = "tools param requires"
_NAMED = 5  # models listed in an error at most
_DONE = {"choices": [{"finish_reason": "stop"}]}  # equivalent of `data: [DONE]`

_PROBABILITIES: dict[str, Any] = {"logprobs": True, "top_logprobs": ALTERNATIVES}

_Answer = TypeVar("_Answer")


class _Piece(Struct, frozen=True):
    """Content of one event of a reply; ``calls`` in the server's format."""

    text: str
    thinking: str
    calls: list[Any]
    finish: str | None
    usage: Mapping[str, Any] | None


class _RequestRejected(Exception):
    """The server rejected the request itself (400, 422); ``words`` is its message."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


class _Server:
    """Connection to one server: sends requests, maps refusals to errors, and keeps the key out of
    messages."""

    def __init__(
        self, name: str, model: str, base_url: str, api_key: str | None, timeout: float
    ) -> None:
        self.name = name
        self.model = model
        self._base = base_url.strip().rstrip("/")
        if self._base and "://" not in self._base:
            self._base = f"http://{self._base}"
        self._key = (api_key or "").strip()
        self._timeout = timeout
        self._connection: Client | None = None

    @property
    def address(self) -> str:
        """Base URL."""
        return self._base

    def get(self, path: str) -> dict[str, Any]:
        """Sends a GET request and returns the decoded reply."""
        return self._send("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Sends ``body`` and returns the decoded reply."""
        return self._send("POST", path, body)

    def _send(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        with connection_errors(self.name, self._base, self._timeout, _START):
            response = self._client().request(method, path, json=body)
            self._check(response)
            answer = response.json()
            if not isinstance(answer, dict):
                raise ValueError("not an object")
        return answer

    def stream(self, path: str, body: dict[str, Any]) -> Generator[dict[str, Any], None, None]:
        """Sends ``body`` and yields the events of the reply as they arrive."""
        with (
            connection_errors(self.name, self._base, self._timeout, _START),
            self._client().stream("POST", path, json=body) as response,
        ):
            if response.status_code != 200:
                response.read()
                self._check(response)
            for line in response.iter_lines():
                data = line[5:].strip() if line.startswith("data:") else ""
                if data == "[DONE]":
                    yield _DONE
                    return
                if data:
                    yield self._event(json.loads(data))

    def fail(self, words: str) -> ModelFailed:
        """The error for a message of the server."""
        fix = "See the log of the server."
        if means_too_long(words):
            fix = "Lower `token_budget`, or start the server with a larger context."
        return ModelFailed(self.name, self._without_key(words), fix=fix)

    def missing(self, names: Sequence[str]) -> ModelMissing:
        """The error for a server that has other models (``names``) but not this one."""
        more = ", …" if len(names) > _NAMED else ""
        fix = (
            f"Load or pull it there, or choose one that it has: {', '.join(names[:_NAMED])}{more}."
        )
        reason = f"the server at {shown(self._base)} does not have it"
        return ModelMissing(self.name, reason, fix=fix)

    def _event(self, event: Any) -> dict[str, Any]:
        if not isinstance(event, dict):
            raise ValueError("not an object")
        if event.get("error"):
            raise self.fail(_complaint(event))
        return event

    def _client(self) -> Client:
        import httpx

        if not self._base:
            raise ConfigError(
                "openai_base_url is not set",
                fix="Set it to the server's address, such as http://127.0.0.1:8080/v1.",
            )
        if not self._key.isascii() or not self._key.isprintable():
            raise BadKey(
                "it contains characters that are invalid in a key", fix="Set OPENAI_API_KEY."
            )
        if self._connection is None:
            headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            options = client_options(self._base, self._timeout)
            self._connection = httpx.Client(base_url=self._base, headers=headers, **options)
        return self._connection

    def _check(self, response: Response) -> None:
        """Raises the error for a status other than 200."""
        status = response.status_code
        if status == 200:
            return
        words = self._without_key(_body_words(response)) or f"status {status}"
        if status in (401, 403):
            fix = "Set OPENAI_API_KEY to a key that this server accepts."
            raise BadKey(f"{shown(self._base)} denies access: {words}", fix=fix)
        if status == 404:
            fix = "Fix the name of the model, or `openai_base_url` (it usually ends in /v1)."
            raise ModelMissing(self.name, f"{shown(self._base)} says: {words}", fix=fix)
        if status in (400, 422) or _NO_TEMPLATE in words:
            raise _RequestRejected(words)
        raise self.fail(words)

    def _without_key(self, words: str) -> str:
        text = words.replace(self._key, "***") if self._key else words
        return text[:_BODY_CHARACTERS]


class OpenAIChat:
    """A chat model of an OpenAI-compatible server.

    ``base_url``: the address with its version part (``http://127.0.0.1:8080/v1``); ``api_key``:
    None sends no key; ``timeout``: seconds of silence until the server is given up (0: no limit);
    ``context``: the context window in tokens, which such a server has no standard way to report.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        api_key: str | None,
        timeout: float,
        context: int = _FALLBACK_CONTEXT,
    ) -> None:
        self.name = f"openai:{model}"
        self._server = _Server(self.name, model, base_url, api_key, timeout)
        self._context = context or _FALLBACK_CONTEXT
        self._format = "json_schema"
        self._gives_probabilities = True
        self._calls_tools = True

    def identity(self) -> str | None:
        """Address of the server and name of the model (``Identified``)."""
        return f"server {self._server.address} {self.name}"

    def small(self) -> bool:
        """By the model's name; unknown ones count as large, as most are on such servers
        (``Sized``)."""
        return is_small(self.name) or False

    def billions(self) -> float | None:
        """By the model's name (``Sized``)."""
        return billions(self.name)

    def context(self) -> int:
        """Context window in tokens, as configured."""
        return self._context

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        """Answers.

        If a server rejects a part of the request that not all servers support, the request is sent
        again without it. Raises ``ModelUnreachable``, ``ModelMissing``, ``BadKey`` or
        ``ModelFailed``.
        """
        full_body = self._body(request, stream=on_token is not None)
        reply, body = self._send_relaxed(full_body, lambda body: self._ask(body, request, on_token))
        if request.schema is not None:
            self._format = body.get("response_format", {}).get("type", "text")
        if "tools" in full_body and "tools" not in body:
            self._calls_tools = False
        return reply

    def calls_tools(self) -> bool:
        """True until the server has rejected tools (``ToolCalling``): servers do not report the
        capabilities of their models."""
        return self._calls_tools

    def look_up(self) -> None:
        """Raises ``ModelMissing`` if the server lists its models without this one (``Presence``).

        A server with a single model answers to any name; one that lists none is not checked.
        """
        try:
            listed = self._server.get("/models").get("data")
        except (ThalamusError, _RequestRejected):
            return
        rows = listed if isinstance(listed, list) else []
        names = [row["id"] for row in rows if isinstance(row, dict) and "id" in row]
        wanted = self._server.model
        if len(names) > 1 and not {wanted, f"{wanted}:latest"} & set(map(str, names)):
            raise self._server.missing([str(name) for name in names])

    def yes(self, request: ChatRequest) -> float | None:
        """Probability of yes (``YesNo``). Raises the errors of ``chat``.

        A server that does not send probabilities is asked for the word instead from then on.
        """
        if self._gives_probabilities:
            question = structs.replace(request, schema=None, max_tokens=1, temperature=0.0)
            full_body = {**self._body(question, stream=False), **_PROBABILITIES}
            answer, _ = self._send_relaxed(
                full_body, lambda body: self._server.post("/chat/completions", body)
            )
            self._piece(answer, "message")
            tokens = (answer["choices"][0].get("logprobs") or {}).get("content")
            if tokens:
                return self._probability(tokens[0])
            self._gives_probabilities = False
        return without_probabilities(self, request)

    def _probability(self, first: Any) -> float | None:
        try:
            return probability(first.get("top_logprobs") or [first])
        except (AttributeError, KeyError, TypeError):
            words = f"it sent something that is not a probability: {json.dumps(first)[:200]}"
            raise self._server.fail(words) from None

    def _send_relaxed(
        self, body: dict[str, Any], send: Callable[[dict[str, Any]], _Answer]
    ) -> tuple[_Answer, dict[str, Any]]:
        """Sends ``body``, if necessary without the parts that the server rejects. Returns the reply
        and the body sent last."""
        rest: dict[str, Any] | None = body
        while rest is not None:
            try:
                return send(rest), rest
            except _RequestRejected as refusal:
                rest, complaint = _without_rejected(rest, refusal.words), refusal.words
        raise self._server.fail(complaint)

    def _body(self, request: ChatRequest, stream: bool) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._server.model,
            "messages": openai_messages(request.messages),
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "seed": request.seed,
        }
        if stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        if request.schema is not None and self._format == "json_schema":
            schema = {"name": request.role, "schema": request.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif request.schema is not None and self._format == "json_object":
            body["response_format"] = {"type": "json_object"}
        if request.tools and self._calls_tools:
            body["tools"] = function_tools(request.tools)
        return body

    def _ask(
        self, body: dict[str, Any], request: ChatRequest, on_token: TokenSink | None
    ) -> ChatReply:
        incoming = IncomingReply(request, on_token)
        finish: str | None = None
        usage: Mapping[str, Any] = {}
        with closing(self._events(body)) as events:
            for piece in events:
                self._take(piece, incoming)
                finish = finish or piece.finish
                usage = piece.usage or usage
        if finish is None:
            raise ModelFailed(self.name, "the server cut off the reply")
        arrived = incoming.close(cut=finish == "length")
        return ChatReply(
            text=arrived.text,
            thinking=arrived.thinking,
            calls=arrived.calls,
            model=self.name,
            tokens_in=usage.get("prompt_tokens"),
            tokens_out=usage.get("completion_tokens"),
            finish="length" if finish == "length" else "stop",
            tokens_cached=(usage.get("prompt_tokens_details") or {}).get("cached_tokens"),
        )

    def _take(self, piece: _Piece, incoming: IncomingReply) -> None:
        if piece.thinking:
            incoming.think(piece.thinking)
        incoming.feed(piece.text)
        try:
            incoming.call(piece.calls)
        except (AttributeError, TypeError, ValueError):
            raise self._invalid_reply(piece.calls) from None

    def _events(self, body: dict[str, Any]) -> Generator[_Piece, None, None]:
        """The pieces of the reply."""
        if not body.get("stream"):
            piece = self._piece(self._server.post("/chat/completions", body), "message")
            yield structs.replace(piece, finish=piece.finish or "stop")
            return
        with closing(self._server.stream("/chat/completions", body)) as events:
            for event in events:
                yield self._piece(event, "delta")

    def _piece(self, event: dict[str, Any], part: str) -> _Piece:
        try:
            choices = event.get("choices") or []
            # the last event of a stream may only hold token counts
            choice = choices[0] if choices or part == "message" else {}
            message = choice.get(part) or {}
            text = message.get("content") or ""
            thinking = message.get("reasoning_content") or message.get("reasoning") or ""
            calls = message.get("tool_calls") or []
            usage = event.get("usage")
            if not isinstance(text, str) or not isinstance(usage, dict | None):
                raise TypeError
            if not isinstance(thinking, str) or not isinstance(calls, list):
                raise TypeError
            return _Piece(text, thinking, calls, choice.get("finish_reason"), usage)
        except (AttributeError, KeyError, IndexError, TypeError):
            raise self._invalid_reply(event) from None

    def _invalid_reply(self, event: Any) -> ModelFailed:
        words = f"it sent an invalid reply: {json.dumps(event)[:200]}"
        return self._server.fail(words)


class OpenAIEmbedder(Measured):
    """An embedding model of an OpenAI-compatible server; arguments as for ``OpenAIChat``."""

    def __init__(self, model: str, base_url: str, api_key: str | None, timeout: float) -> None:
        self.name = f"openai:{model}"
        self._server = _Server(self.name, model, base_url, api_key, timeout)

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One packed vector per text; the end of a text that is too long is cut off.

        Raises ``ModelUnreachable``, ``ModelMissing``, ``BadKey`` or ``ModelFailed``.
        """
        inputs = [prefixed(self._server.model, text, kind) for text in texts]
        return embed_batches(self.name, inputs, _BATCH, self._call)

    def _call(self, batch: list[str]) -> list[list[float]]:
        body = {"model": self._server.model, "input": batch, "encoding_format": "float"}
        try:
            answer = self._server.post("/embeddings", body)
            rows = sorted(answer["data"], key=lambda row: row["index"])
            return [row["embedding"] for row in rows]
        except _RequestRejected as refusal:
            raise self._server.fail(refusal.words) from None
        except (KeyError, TypeError):
            raise self._server.fail("it sent something that is not a list of vectors") from None


def _without_rejected(body: dict[str, Any], complaint: str) -> dict[str, Any] | None:
    """The request without the part that the server rejected; None if nothing can be left out."""
    if means_too_long(complaint):
        return None
    if "logprobs" in complaint and "logprobs" in body:
        return {name: value for name, value in body.items() if name not in _PROBABILITIES}
    for field in ("stream_options", "seed", "temperature"):
        if field in complaint and field in body:
            return {name: value for name, value in body.items() if name != field}
    if _is_about_tools(complaint) and "tools" in body:
        return _without_tools(body)
    if "max_completion_tokens" in complaint and "max_tokens" in body:
        rest = {name: value for name, value in body.items() if name != "max_tokens"}
        return {**rest, "max_completion_tokens": body["max_tokens"]}
    wanted = body.get("response_format", {}).get("type")
    if wanted == "json_schema":
        return {**body, "response_format": {"type": "json_object"}}
    if wanted == "json_object":
        return {name: value for name, value in body.items() if name != "response_format"}
    return _without_tools(body) if "tools" in body else None


def _is_about_tools(complaint: str) -> bool:
    return re.search(r"\btools?(?:\b|_)|function.call", complaint, re.IGNORECASE) is not None


def _without_tools(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name != "tools"}


def _body_words(response: Response) -> str:
    try:
        return _complaint(response.json())
    except ValueError:
        return " ".join(response.text.split())


def _complaint(answer: Any) -> str:
    """Text of an error, which servers put in different places."""
    error = answer.get("error", answer) if isinstance(answer, dict) else answer
    if isinstance(error, dict):
        error = error.get("message") or error
    return error if isinstance(error, str) else json.dumps(error)
