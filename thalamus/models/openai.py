"""OpenAI-compatible servers: llama.cpp's server, vLLM, LM Studio, and the services that copy it."""

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
# llama.cpp's server, started without templates, has an error of its own (500) for tools
_NO_TEMPLATE = "tools param requires"
_NAMED = 5  # models that an error names at most
_DONE = {"choices": [{"finish_reason": "stop"}]}  # what `data: [DONE]` says

_PROBABILITIES: dict[str, Any] = {"logprobs": True, "top_logprobs": ALTERNATIVES}

_Answer = TypeVar("_Answer")


class _Piece(Struct, frozen=True):
    """What one event says of the reply; ``calls`` as the server sends them."""

    text: str
    thinking: str
    calls: list[Any]
    finish: str | None
    usage: Mapping[str, Any] | None


class _Refused(Exception):
    """The server did not like the request itself (400, 422); ``words`` is its complaint."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


class _Server:
    """One server: sends requests, turns refusals into errors, keeps the key out of them."""

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
        self._opened: Client | None = None

    @property
    def address(self) -> str:
        """Its URL."""
        return self._base

    def get(self, path: str) -> dict[str, Any]:
        """Returns the decoded answer."""
        return self._send("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Sends ``body`` and returns the decoded answer."""
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
        """Sends ``body`` and yields the events of the answer as they arrive."""
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
        """The error that holds the server's words."""
        fix = "See the log of the server."
        if means_too_long(words):
            fix = "Lower `token_budget`, or start the server with a larger context."
        return ModelFailed(self.name, self._without_key(words), fix=fix)

    def missing(self, names: Sequence[str]) -> ModelMissing:
        """The error of a server that has models with these ``names`` and not this one."""
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
        if self._opened is None:
            headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            options = client_options(self._base, self._timeout)
            self._opened = httpx.Client(base_url=self._base, headers=headers, **options)
        return self._opened

    def _check(self, response: Response) -> None:
        """Raises what an answer other than 200 means."""
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
            raise _Refused(words)
        raise self.fail(words)

    def _without_key(self, words: str) -> str:
        text = words.replace(self._key, "***") if self._key else words
        return text[:_BODY_CHARACTERS]


class OpenAIChat:
    """A chat model of an OpenAI-compatible server.

    ``base_url`` is the address with its version part (``http://127.0.0.1:8080/v1``); ``api_key``
    None sends no key; ``timeout`` is how many seconds the server may send nothing (0: no limit);
    ``context`` is the window in tokens: such a server has no standard way to tell it.
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
        """The address of the server and the name (``Identified``)."""
        return f"server {self._server.address} {self.name}"

    def small(self) -> bool:
        """By its name; such servers mostly run large models (``Sized``)."""
        return is_small(self.name) or False

    def billions(self) -> float | None:
        """By its name (``Sized``)."""
        return billions(self.name)

    def context(self) -> int:
        """The context window in tokens, as configured."""
        return self._context

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        """Answers.

        A server that refuses a part of the request that not all servers know is asked again
        without it. Raises ``ModelUnreachable``, ``ModelMissing``, ``BadKey`` or ``ModelFailed``.
        """
        asked = self._body(request, stream=on_token is not None)
        reply, body = self._relaxing(asked, lambda body: self._ask(body, request, on_token))
        if request.schema is not None:
            self._format = body.get("response_format", {}).get("type", "text")
        if "tools" in asked and "tools" not in body:
            self._calls_tools = False
        return reply

    def calls_tools(self) -> bool:
        """Whether it was never refused to give tools to it (``ToolCalling``): no server says
        beforehand what its models can do."""
        return self._calls_tools

    def look_up(self) -> None:
        """Raises ``ModelMissing`` when the server lists its models and this is none of them
        (``Presence``).

        A server with a single model answers by whatever name, and one that lists none is not asked
        further.
        """
        try:
            listed = self._server.get("/models").get("data")
        except (ThalamusError, _Refused):
            return
        rows = listed if isinstance(listed, list) else []
        names = [row["id"] for row in rows if isinstance(row, dict) and "id" in row]
        wanted = self._server.model
        if len(names) > 1 and not {wanted, f"{wanted}:latest"} & set(map(str, names)):
            raise self._server.missing([str(name) for name in names])

    def yes(self, request: ChatRequest) -> float | None:
        """The probability of yes (``YesNo``). Raises as ``chat``.

        A server that does not send probabilities is asked for the word, and this is remembered.
        """
        if self._gives_probabilities:
            question = structs.replace(request, schema=None, max_tokens=1, temperature=0.0)
            asked = {**self._body(question, stream=False), **_PROBABILITIES}
            answer, _ = self._relaxing(
                asked, lambda body: self._server.post("/chat/completions", body)
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

    def _relaxing(
        self, body: dict[str, Any], send: Callable[[dict[str, Any]], _Answer]
    ) -> tuple[_Answer, dict[str, Any]]:
        """Sends ``body``, and again without what the server refuses; (answer, what was sent)."""
        rest: dict[str, Any] | None = body
        while rest is not None:
            try:
                return send(rest), rest
            except _Refused as refusal:
                rest, complaint = _relaxed(rest, refusal.words), refusal.words
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
        arrived = incoming.close()
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
            raise self._no_reply(piece.calls) from None

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
            # The last event of a stream may hold only the token counts.
            choice = choices[0] if choices or part == "message" else {}
            said = choice.get(part) or {}
            text = said.get("content") or ""
            thinking = said.get("reasoning_content") or said.get("reasoning") or ""
            calls = said.get("tool_calls") or []
            usage = event.get("usage")
            if not isinstance(text, str) or not isinstance(usage, dict | None):
                raise TypeError
            if not isinstance(thinking, str) or not isinstance(calls, list):
                raise TypeError
            return _Piece(text, thinking, calls, choice.get("finish_reason"), usage)
        except (AttributeError, KeyError, IndexError, TypeError):
            raise self._no_reply(event) from None

    def _no_reply(self, event: Any) -> ModelFailed:
        words = f"it sent something that is not a reply: {json.dumps(event)[:200]}"
        return self._server.fail(words)


class OpenAIEmbedder(Measured):
    """An embedding model of an OpenAI-compatible server; arguments as for ``OpenAIChat``."""

    def __init__(self, model: str, base_url: str, api_key: str | None, timeout: float) -> None:
        self.name = f"openai:{model}"
        self._server = _Server(self.name, model, base_url, api_key, timeout)

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One packed vector per text, the end of what is too long left out.

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
        except _Refused as refusal:
            raise self._server.fail(refusal.words) from None
        except (KeyError, TypeError):
            raise self._server.fail("it sent something that is not a list of vectors") from None


def _relaxed(body: dict[str, Any], complaint: str) -> dict[str, Any] | None:
    """The request without what the server did not like; None when there is nothing to leave out."""
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
    """The words of an error, which servers put in different places."""
    error = answer.get("error", answer) if isinstance(answer, dict) else answer
    if isinstance(error, dict):
        error = error.get("message") or error
    return error if isinstance(error, str) else json.dumps(error)
