"""OpenAI-compatible servers: llama.cpp's server, vLLM, LM Studio, and hosted services."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from msgspec import Struct, structs

from thalamus.errors import (
    BadKey,
    ConfigError,
    ModelBusy,
    ModelFailed,
    ModelMissing,
    ModelUnreachable,
    ThalamusError,
)
from thalamus.models.embedding import Measured, embed_batches, prefixed
from thalamus.models.empty_reply import ask_for_words, reason_of
from thalamus.models.incoming import IncomingReply
from thalamus.models.protocol import Capacity, ChatReply, ChatRequest, EmbedKind, TokenSink
from thalamus.models.quirks import (
    NO_PROBABILITIES,
    NO_WINDOW,
    OPENS_THOUGHTS,
    THINKS,
    Quirks,
    ServerRefusal,
)
from thalamus.models.retry_after import is_busy, retry_after
from thalamus.models.size_refusals import details
from thalamus.models.tool_calls import function_tools, openai_messages
from thalamus.models.transport import (
    Clients,
    address_of,
    client_options,
    connection_errors,
    is_same_server,
    redact,
    shown,
)
from thalamus.models.window import ask_within_window, capacity, why_automatic, window
from thalamus.models.window_reports import WINDOW_PATHS, window_at, window_in
from thalamus.models.yes import ALTERNATIVES, probability, without_probabilities
from thalamus.policy.model_size import billions, is_small
from thalamus.policy.window_budget import LARGEST, UNKNOWN
from thalamus.text.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from httpx import Client, Response

_START = "Start the server, or fix `openai_base_url` in the configuration."
_ADDRESS = "`openai_base_url` usually ends in /v1."
_AGAIN = "Try again; see the log of the server."
_FOR_NOW = 307
_REDIRECTED = (301, _FOR_NOW, 308)  # to another address with the same method
_MOST_REDIRECTS = 5
# words for a path that a server does not have, some with status 200
_NO_ENDPOINT = lazy_regex(
    r"(?:unexpected|unknown|invalid|no such) (?:endpoint|url|path|route)|cannot post|no route"
    r"|method not allowed",
    re.IGNORECASE,
)
_BATCH = 32
_BODY_CHARACTERS = 300
_QUOTED = 80  # characters of something that is not a reply
_BOM = "\ufeff"
_NAMED = 5  # models listed in an error at most
_DONE = {"choices": [{"finish_reason": "stop"}]}  # equivalent of `data: [DONE]`

_PROBABILITIES: dict[str, Any] = {"logprobs": True, "top_logprobs": ALTERNATIVES}
# fields that switch thinking off: of templates in llama.cpp, vLLM and SGLang; of OpenAI, Ollama,
# OpenRouter and LM Studio. A server refuses or ignores those that it does not know.
_NO_THINKING: dict[str, Any] = {
    "chat_template_kwargs": {"enable_thinking": False, "thinking": False},
    "reasoning_effort": "none",
}


class _Piece(Struct, frozen=True):
    """Content of one event of a reply; ``calls`` in the server's format. ``refusal``: what the
    model says instead of a text; ``empty``: the event has no choice."""

    text: str
    thinking: str
    calls: list[Any]
    finish: str | None
    usage: Mapping[str, Any] | None
    refusal: str
    empty: bool


class _Server:
    """Connection to one server: sends requests, maps refusals to errors, and keeps the key out of
    messages."""

    def __init__(
        self, name: str, model: str, base_url: str, api_key: str | None, timeout: float
    ) -> None:
        self.name = name
        self.model = model
        self._base = address_of(base_url)
        self._key = (api_key or "").strip()
        self._timeout = timeout
        self._clients = Clients(self._client)

    @property
    def address(self) -> str:
        """Base URL."""
        return self._base

    def outside(self, path: str) -> str:
        """Address of a path next to the version part of the base URL."""
        return f"{re.sub(r'/v[0-9]+$', '', self._base)}{path}"

    def get(self, path: str) -> dict[str, Any]:
        """Sends a GET request and returns the decoded reply."""
        return self._send("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Sends ``body`` and returns the decoded reply."""
        return self._send("POST", path, body)

    def _send(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        with (
            connection_errors(self.name, self._base, self._timeout, _START),
            self._open(method, path, body) as response,
        ):
            response.read()
            self._check(response)
            (event,) = self._decode(response.text, response.headers)
            return self._event(event, response.headers)

    def events(self, path: str, body: dict[str, Any]) -> Generator[dict[str, Any], None, None]:
        """Sends ``body`` and yields the events of the reply as they arrive: those of a stream, or a
        single one, whatever was asked for."""
        with (
            connection_errors(self.name, self._base, self._timeout, _START),
            self._open("POST", path, body) as response,
        ):
            if response.status_code != 200:
                response.read()
                self._check(response)
            whole: list[str] = []
            for raw in _lines(response.iter_text()):
                line = raw.removeprefix(_BOM)
                data = line[5:].strip() if line.startswith("data:") else ""
                if data == "[DONE]":
                    yield _DONE
                    return
                if data:
                    for event in self._decode(data, response.headers):
                        yield self._event(event, response.headers)
                elif not line.startswith(("data:", ":", "event:", "id:", "retry:")):
                    whole.append(line)
            for event in self._decode("\n".join(whole), response.headers):
                yield self._event(event, response.headers)

    @contextmanager
    def _open(self, method: str, path: str, body: dict[str, Any] | None) -> Iterator[Response]:
        """The response to a request, which is sent again where the server redirects it to."""
        url = path
        for _ in range(_MOST_REDIRECTS):
            with (
                self._clients.lease() as client,
                client.stream(method, url, json=body) as response,
            ):
                target = response.headers.get("location", "")
                if not target or not response.is_redirect:
                    yield response
                    return
            url = self._redirected(response, path)
        raise self.fail(f"{shown(self._base)} redirects without end")

    def _redirected(self, response: Response, path: str) -> str:
        """The address to send a redirected request to; a permanent redirect changes the server's
        own. Raises ``ModelFailed`` for the address of another server, which must not get the
        key."""
        url = str(response.request.url)
        target = urljoin(url, response.headers["location"])
        named = target.removesuffix("/")
        secured = urlsplit(url).scheme != urlsplit(target).scheme
        followed = response.status_code in _REDIRECTED and is_same_server(url, target)
        if not followed or (secured and not named.endswith(path)):
            words = f"{shown(self._base)} redirects to {shown(target)}"
            fix = "If that is the model's server, set `openai_base_url` to its address."
            raise ModelFailed(self.name, words, fix=fix)
        if secured or (response.status_code != _FOR_NOW and target.endswith(path)):
            self._base, self._clients = named.removesuffix(path), Clients(self._client)
            return path
        return target

    def _decode(self, text: str, headers: Mapping[str, str]) -> list[Any]:
        """The JSON of a reply or an event: a single value, or one per line. Raises
        ``ModelFailed``."""
        text = text.removeprefix(_BOM).strip()
        try:
            return [json.loads(text)] if text else []
        except ValueError:
            with suppress(ValueError):
                return [json.loads(line) for line in text.split("\n") if line.strip()]
        is_page = "html" in headers.get("content-type", "") or text.startswith("<")
        found = "a web page" if is_page else f"“{self._presentable(text)[:_QUOTED]}”"
        words = f"{shown(self._base)} sent an invalid reply: {found}"
        raise ModelFailed(self.name, words, fix=f"Is it the model's server? {_ADDRESS}")

    def fail(self, words: str) -> ModelFailed:
        """The error for something that the server sent."""
        return ModelFailed(self.name, self._presentable(words), fix="See the log of the server.")

    def final(self, refusal: ServerRefusal) -> ThalamusError:
        """The error for a refusal that no other form of the request avoids."""
        if refusal.status != 404:
            return refusal
        reason = f"{shown(self._base)} says: {refusal.args[1]}"
        return ModelMissing(self.name, reason, fix=refusal.fix)

    def missing(self, names: Sequence[str]) -> ModelMissing:
        """The error for a server that has other models (``names``) but not this one."""
        more = ", …" if len(names) > _NAMED else ""
        fix = (
            f"Load or pull it there, or choose one that it has: {', '.join(names[:_NAMED])}{more}."
        )
        reason = f"the server at {shown(self._base)} does not have it"
        return ModelMissing(self.name, reason, fix=fix)

    def _event(self, event: Any, headers: Mapping[str, str]) -> dict[str, Any]:
        """A decoded reply or event. Some servers report an error in one, with status 200."""
        error = event[0] if isinstance(event, list) and len(event) == 1 else event
        if not isinstance(error, dict):
            raise ValueError("not an object")
        found = error.get("error") or (error.get("object") == "error" and error)
        if not found and (found := _choice_error(error)):
            error = {"error": found}
        if found:
            code = found.get("code") if isinstance(found, dict) else None
            status = code if isinstance(code, int) and 400 <= code < 600 else 500
            raise self._refusal(status, _complaint(error), json.dumps(error), headers)
        return error

    def stopper(self) -> Callable[[], None]:
        """A function that ends a request of this thread (``Stoppable``)."""
        return self._clients.stopper()

    def _client(self, options: dict[str, Any]) -> Client:
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
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        options |= client_options(self._base, self._timeout)
        return httpx.Client(base_url=self._base, headers=headers, **options)

    def _check(self, response: Response) -> None:
        """Raises the error for a status other than 200."""
        status = response.status_code
        if status != 200:
            words = _body_words(response) or f"status {status}"
            raise self._refusal(status, words, response.text, response.headers)

    def _refusal(self, status: int, words: str, body: str, headers: Mapping[str, str]) -> Exception:
        """The error for a refusal. ``words``: the server's, ``body``: all that it sent."""
        text = self._presentable(words)
        if status in (401, 403):
            fix = "Set OPENAI_API_KEY to a key that this server accepts."
            return BadKey(f"{shown(self._base)} denies access: {text}", fix=fix)
        if is_busy(status, body, headers):
            return ModelBusy(self.name, text, retry_after(body, headers))
        if status == 402:
            return ModelFailed(self.name, text, fix="See your account with the server.")
        if _NO_ENDPOINT.search(words):
            reason = f"{shown(self._base)} says: {text}"
            return ModelUnreachable(self.name, reason, fix=f"Fix the address. {self._fix()}")
        fix = "See the log of the server."
        if status == 404:
            fix = f"Fix the name of the model, or the address. {self._fix()}"
        return ServerRefusal(self.name, text, words, status, fix, details(body))

    def _fix(self) -> str:
        """The advice for an address at which nothing answers."""
        if re.search(r"/v\d", urlsplit(self._base).path):
            return _ADDRESS
        return f"{_ADDRESS} Try {shown(self._base)}/v1."

    def _presentable(self, words: str) -> str:
        return redact(words, self._key)[:_BODY_CHARACTERS]


class OpenAIChat:
    """A chat model of an OpenAI-compatible server.

    ``base_url``: the address with its version part (``http://127.0.0.1:8080/v1``); ``api_key``:
    None sends no key; ``timeout``: seconds of silence until the server is given up (0: no limit);
    ``context``: the context window in tokens (None: the server is asked, in the ways of those that
    report it); ``cache``: the directory in which the server's quirks are remembered.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        api_key: str | None,
        timeout: float,
        context: int | None = None,
        cache: Path | None = None,
    ) -> None:
        self.name = f"openai:{model}"
        self._server = _Server(self.name, model, base_url, api_key, timeout)
        self._limit = context
        self._rows: list[dict[str, Any]] | None = None  # of the server's list of models
        self._reported: int | None = None
        self._asked = False  # for its window
        self._answered = False  # a request, so that it is there
        self._quirks = Quirks(f"{self._server.address} {self.name}", cache)

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
        """Context window in tokens: as configured, or as the server reports, or its refusals have
        shown."""
        return window(self._own_context(), self._quirks)

    def capacity(self) -> Capacity:
        """Its window and reading speed (``Limited``)."""
        most = self._own_context()
        why = "set by hand" if self._limit else why_automatic(most, self._reported, "the server's")
        return capacity(most, why, self._quirks)

    def _own_context(self) -> int:
        if self._limit:
            return self._limit
        if not self._asked and NO_WINDOW not in self._quirks:
            self._asked = True
            self._reported = self._ask_window()
        return min(self._reported or UNKNOWN, LARGEST)

    def _ask_window(self) -> int | None:
        """The window that the server reports for the model; None if it does not answer, or says
        nothing. If it has no way to say it, that is remembered."""
        try:
            rows = self._models()
        except ThalamusError:
            if not self._answered:
                return None
            rows = []
        found = next((size for row in self._own_rows(rows) if (size := window_in(row))), None)
        replies: dict[str, dict[str, Any]] = {}
        for path in WINDOW_PATHS:
            if found is None:
                with suppress(ThalamusError, ValueError):
                    replies[path] = self._server.get(self._server.outside(path))
                    found = window_at(path, replies[path], self._server.model)
        if found is None and not replies:
            self._quirks.learn(NO_WINDOW)
        return found

    def _models(self) -> list[dict[str, Any]]:
        """The server's list of models, asked for once. Raises the errors of the server."""
        if self._rows is None:
            listed = self._server.get("/models").get("data")
            rows = listed if isinstance(listed, list) else []
            self._rows = [row for row in rows if isinstance(row, dict) and "id" in row]
        return self._rows

    def _own_rows(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The rows of the model, or the only one: a server with a single model answers to any
        name."""
        wanted = {self._server.model, f"{self._server.model}:latest"}
        return [row for row in rows if str(row["id"]) in wanted] or rows[: len(rows) == 1]

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        """Answers.

        If a server rejects a part of the request that not all servers support, the request is sent
        again without it (``quirks``); a reply without words is asked for once more. Raises
        ``ModelUnreachable``, ``ModelMissing``, ``BadKey``, ``ModelBusy`` or ``ModelFailed``.
        """

        def ask(request: ChatRequest, thinking_off: bool) -> ChatReply:
            body = self._body(request, stream=on_token is not None)
            if thinking_off:
                body |= _NO_THINKING
            return self._send(body, request, on_token)

        return ask_for_words(self.name, request, self.context(), self._quirks, ask)

    def _send(
        self, body: dict[str, Any], request: ChatRequest, on_token: TokenSink | None
    ) -> ChatReply:
        try:
            reply = self._quirks.send(body, lambda body: self._ask(body, request, on_token))
        except ServerRefusal as refusal:
            raise self._server.final(refusal) from None
        if not self._answered:
            self._answered, self._asked = True, self._reported is not None
        return reply

    def calls_tools(self) -> bool:
        """True until the server has rejected tools (``ToolCalling``): servers do not report the
        capabilities of their models."""
        return not {"no tools", "tools refused"} & set(self._quirks)

    def stopper(self) -> Callable[[], None]:
        """Closes the connection (``Stoppable``)."""
        return self._server.stopper()

    def look_up(self) -> None:
        """Raises ``ModelMissing`` if the server lists its models without this one (``Presence``).

        A server with a single model answers to any name; one that lists none is not checked.
        """
        try:
            rows = self._models()
        except ThalamusError:
            return
        if rows and not self._own_rows(rows):
            self._rows = None  # it may be loaded in the meantime
            raise self._server.missing([str(row["id"]) for row in rows])

    def yes(self, request: ChatRequest) -> float | None:
        """Probability of yes (``YesNo``). Raises the errors of ``chat``.

        A server that does not send probabilities is asked for the word instead from then on.
        """
        if NO_PROBABILITIES not in self._quirks:
            question = structs.replace(request, schema=None, max_tokens=1, temperature=0.0)
            body = {**self._body(question, stream=False), **_PROBABILITIES}
            if THINKS in self._quirks:
                body |= _NO_THINKING
            try:
                tokens = ask_within_window(
                    question, self._quirks, lambda _: self._quirks.send(body, self._first_tokens)
                )
            except ServerRefusal as refusal:
                raise self._server.final(refusal) from None
            if tokens:
                return self._probability(tokens[0])
            self._quirks.learn(NO_PROBABILITIES)
        return without_probabilities(self, request)

    def gives_words(self) -> bool:
        """True if the server has sent no probabilities (``MayGiveWords``)."""
        return NO_PROBABILITIES in self._quirks

    def _first_tokens(self, body: dict[str, Any]) -> list[Any]:
        """The tokens of a reply with their probabilities; empty if the server sends none."""
        found: list[Any] = []
        with closing(self._server.events("/chat/completions", body)) as events:
            for event in events:
                self._piece(event)
                choice = (event.get("choices") or [{}])[0]
                found += (choice.get("logprobs") or {}).get("content") or []
        return found

    def _probability(self, first: Any) -> float | None:
        try:
            return probability(first.get("top_logprobs") or [first])
        except (AttributeError, KeyError, TypeError):
            words = f"it sent something that is not a probability: {json.dumps(first)[:200]}"
            raise self._server.fail(words) from None

    def _body(self, request: ChatRequest, stream: bool) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._server.model,
            "messages": openai_messages(request.messages),
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "seed": request.seed,
            "stream": False,  # the default of some servers is True
        }
        if stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        if request.schema is not None:
            schema = {"name": request.role, "schema": request.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        if request.tools:
            body["tools"] = function_tools(request.tools)
        return body

    def _ask(
        self, body: dict[str, Any], request: ChatRequest, on_token: TokenSink | None
    ) -> ChatReply:
        incoming = IncomingReply(request, on_token, OPENS_THOUGHTS in self._quirks)
        finish: str | None = None
        usage: Mapping[str, Any] = {}
        timings: Mapping[str, Any] = {}  # of llama.cpp
        refusal, event, has_choices = "", {}, False
        with (
            incoming.arrival(),
            closing(self._server.events("/chat/completions", body)) as events,
        ):
            for event in events:
                piece = self._piece(event)
                self._take(piece, incoming)
                finish = finish or piece.finish
                usage = piece.usage or usage
                timings = _numbers(event.get("timings")) or timings
                refusal += piece.refusal
                has_choices = has_choices or not piece.empty
        # without a word about its end, a reply may have been cut off
        cut = finish in (None, "length")
        arrived = incoming.close(cut)
        if finish is None and not arrived.text.strip():
            if event and not has_choices:
                raise self._invalid_reply(event)
            raise ModelFailed(self.name, "the server cut off the reply", fix=_AGAIN)
        reason = reason_of(arrived, finish, "finish_reason")
        if refusal and not arrived.text.strip():
            reason = f"it refuses: {refusal}"
        if incoming.orphan:
            self._quirks.learn(OPENS_THOUGHTS)
        return ChatReply(
            text=arrived.text,
            thinking=arrived.thinking,
            calls=arrived.calls,
            model=self.name,
            tokens_in=usage.get("prompt_tokens"),
            tokens_out=usage.get("completion_tokens"),
            finish="length" if cut else "stop",
            tokens_cached=timings.get(
                "cache_n", (usage.get("prompt_tokens_details") or {}).get("cached_tokens")
            ),
            prompt_ms=timings.get("prompt_ms"),
            reply_ms=timings.get("predicted_ms"),
            reason=reason,
        )

    def _take(self, piece: _Piece, incoming: IncomingReply) -> None:
        if piece.thinking:
            incoming.think(piece.thinking)
        incoming.feed(piece.text)
        try:
            incoming.call(piece.calls)
        except (AttributeError, TypeError, ValueError):
            raise self._invalid_reply(piece.calls) from None

    def _piece(self, event: dict[str, Any]) -> _Piece:
        """Content of a whole reply, or of an event of a stream."""
        try:
            # the last event of a stream may only hold token counts
            choices = event["choices"] if "usage" not in event else event.get("choices") or [{}]
            choice = choices[0] if choices else {}
            whole = choice.get("message")
            message = whole or choice.get("delta") or {"content": choice.get("text")}
            text, inner = _content(message.get("content"))
            thinking = message.get("reasoning_content") or message.get("reasoning") or inner
            calls = message.get("tool_calls") or []
            usage = event.get("usage")
            finish = choice.get("finish_reason") or ("stop" if whole else None)
            refusal = message.get("refusal") or ""
            if (
                not isinstance(refusal, str)
                or not isinstance(usage, dict | None)
                or not isinstance(calls, list)
            ):
                raise TypeError
            if not isinstance(thinking, str) or not isinstance(finish, str | None):
                raise TypeError
            return _Piece(text, thinking, calls, finish, usage, refusal, not choices)
        except (AttributeError, KeyError, IndexError, TypeError):
            raise self._invalid_reply(event) from None

    def _invalid_reply(self, event: Any) -> ModelFailed:
        words = f"it sent an invalid reply: {json.dumps(event)[:200]}"
        return self._server.fail(words)


class OpenAIEmbedder(Measured):
    """An embedding model of an OpenAI-compatible server; arguments as for ``OpenAIChat``."""

    def __init__(
        self,
        model: str,
        base_url: str,
        api_key: str | None,
        timeout: float,
        cache: Path | None = None,
    ) -> None:
        self.name = f"openai:{model}"
        self._server = _Server(self.name, model, base_url, api_key, timeout)
        self._quirks = Quirks(f"{self._server.address} {self.name} embeddings", cache)

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One packed vector per text; the end of a text that is too long is cut off.

        Raises ``ModelUnreachable``, ``ModelMissing``, ``BadKey`` or ``ModelFailed``.
        """
        inputs = [prefixed(self._server.model, text, kind) for text in texts]
        return embed_batches(self.name, inputs, _BATCH, self._call, self._quirks)

    def _call(self, batch: list[str]) -> list[list[float]]:
        body = {"model": self._server.model, "input": batch, "encoding_format": "float"}
        try:
            answer = self._quirks.send(body, lambda body: self._server.post("/embeddings", body))
            rows = sorted(answer["data"], key=lambda row: row["index"])
            return [row["embedding"] for row in rows]
        except ServerRefusal as refusal:
            raise self._server.final(refusal) from None
        except (KeyError, TypeError):
            raise self._server.fail("it sent something that is not a list of vectors") from None


def _lines(parts: Iterable[str]) -> Iterator[str]:
    """The lines of a reply. Only a line feed ends one: other separators may stand in a text."""
    rest: list[str] = []
    for part in parts:
        first, *more = part.split("\n")
        rest.append(first)
        for line in more:
            yield "".join(rest).removesuffix("\r")
            rest = [line]
    if line := "".join(rest):
        yield line


def _choice_error(event: dict[str, Any]) -> Any:
    """The error in an event's choices, where gateways put that of a provider."""
    choices = event.get("choices")
    if not isinstance(choices, list):
        return None
    return next((c["error"] for c in choices if isinstance(c, dict) and c.get("error")), None)


def _numbers(value: Any) -> dict[str, Any]:
    """The numbers of an object."""
    found = value.items() if isinstance(value, dict) else ()
    return {name: number for name, number in found if isinstance(number, int | float)}


def _content(value: Any) -> tuple[str, str]:
    """Text and thoughts of a message's content, which may be a list of parts."""
    if value is None or isinstance(value, str):
        return value or "", ""
    parts = [value] if isinstance(value, dict) else value
    text, thoughts = [], []
    for part in parts:
        if isinstance(part, str):
            text.append(part)
        elif part.get("type") in ("thinking", "reasoning"):
            inner = part.get("thinking") or part.get("reasoning") or part.get("text") or ""
            thoughts.append(_content(inner)[0])
        elif isinstance(part.get("text"), str):
            text.append(part["text"])
    return "".join(text), "".join(thoughts)


def _body_words(response: Response) -> str:
    try:
        return _complaint(response.json())
    except ValueError:
        return " ".join(re.sub(r"<[^>]*>", " ", response.text).split())  # a proxy's page


def _complaint(answer: Any) -> str:
    """Text of an error, which servers put in different places."""
    if isinstance(answer, list) and len(answer) == 1:
        answer = answer[0]
    error = answer.get("error") or answer.get("detail") if isinstance(answer, dict) else answer
    if isinstance(error, list) and error and all(isinstance(e, dict) and "msg" in e for e in error):
        error = "; ".join(f"{'.'.join(map(str, e.get('loc', ())))}: {e['msg']}" for e in error)
    if error is None or isinstance(error, list):
        error = answer
    if isinstance(error, dict):
        cause = (error.get("metadata") or {}).get("raw")  # what a provider told the gateway
        error = error.get("message") or error.get("msg") or error
        if isinstance(cause, str) and isinstance(error, str):
            error = f"{error}: {cause}"
    return error if isinstance(error, str) else json.dumps(error)
