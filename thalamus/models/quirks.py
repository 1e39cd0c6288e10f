"""The quirks of servers: parts of a request that a server refuses and what is sent instead, in one
table, and the sizes that it takes.

Refusals are learned once per server and model, and kept in the cache directory for a day, because
servers are updated. The last measurements of how fast it reads are kept with them.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, ValidationError, convert, to_builtins

from thalamus.errors import ModelFailed
from thalamus.files import replacing
from thalamus.models.protocol import ChatReply, ChatRequest
from thalamus.models.reading import Reading, measured
from thalamus.models.size_refusals import CONTENT_TOO_LARGE, means_too_long, reply_limit

FILE = "quirks.json"
EXPIRY = 24 * 3600  # seconds until a server is asked in full again

# Quirks of replies, which their readers learn: the model only writes words if thinking is switched
# off, or only with more room; its template begins the thoughts in the prompt; no probabilities come
THINKS = "thinks"
NEEDS_ROOM = "needs room"
OPENS_THOUGHTS = "opens thoughts in the prompt"
NO_PROBABILITIES = "no probabilities"
NO_WINDOW = "no window"  # it does not report its context window

# Sizes that a server takes: tokens of prompt and reply together, those of a window that its memory
# has room for, tokens of a reply, and texts that are embedded in one call
WINDOW = "context"
MEMORY = "memory"
REPLY = "reply"
BATCH = "batch"

Body = dict[str, Any]
T = TypeVar("T")


class ServerRefusal(ModelFailed):
    """The model {0} failed: {1}"""

    def __init__(
        self, model: str, shown: str, words: str, status: int, fix: str, details: str = ""
    ) -> None:
        super().__init__(model, shown, fix=fix)
        self.words = words  # the server's, which may contain a key; ``shown`` does not
        self.status = status
        self.details = details  # about sizes, in fields of its own (``size_refusals.details``)

    @property
    def text(self) -> str:
        """The server's words and details."""
        return f"{self.words}\n{self.details}"

    @property
    def too_long(self) -> bool:
        """True if the request was refused for its size."""
        return self.status == CONTENT_TOO_LARGE or means_too_long(self.text)


class Quirk(Struct, frozen=True):
    """``complaint``: the words of servers that have it. ``applies``: the request has the part that
    they refuse. ``change``: makes the request that they accept. ``fallback``: tried, too, when a
    server only says that the request is invalid. ``lasting``: remembered after this process; a
    schema may be refused for what is in it."""

    name: str
    complaint: re.Pattern[str]
    applies: Callable[[Body], bool]
    change: Callable[[Body], Body]
    fallback: bool = False
    lasting: bool = True


def _without(*names: str) -> Callable[[Body], Body]:
    return lambda body: {name: value for name, value in body.items() if name not in names}


def _has(name: str) -> Callable[[Body], bool]:
    return lambda body: name in body


def _field(name: str, *, complaint: str | None = None, also: tuple[str, ...] = ()) -> Quirk:
    words = re.compile(complaint or rf"\b{name}\b", re.IGNORECASE)
    return Quirk(f"no {name}", words, _has(name), _without(name, *also))


def _format(kind: str) -> Callable[[Body], bool]:
    def applies(body: Body) -> bool:
        wanted: Body = body.get("response_format", {})
        return str(wanted.get("type")) == kind

    return applies


def _with_limit_renamed(body: Body) -> Body:
    return _without("max_tokens")(body) | {"max_completion_tokens": body["max_tokens"]}


def _with_stream(body: Body) -> Body:
    return {**body, "stream": True}


def _without_stream(body: Body) -> Body:
    return {**_without("stream_options")(body), "stream": False}


def _has_system(body: Body) -> bool:
    return any(message["role"] == "system" for message in body.get("messages", []))


def without_system(body: Body) -> Body:
    """The request with its system messages at the beginning of the first user message."""
    system = [m["content"] for m in body["messages"] if m["role"] == "system"]
    rest = [dict(m) for m in body["messages"] if m["role"] != "system"]
    first = next((m for m in rest if m["role"] == "user"), None)
    if first is None:
        first = {"role": "user", "content": ""}
        rest.insert(0, first)
    first["content"] = "\n\n".join(text for text in (*system, first["content"]) if text)
    return {**body, "messages": rest}


def _alternates(body: Body) -> bool:
    return "messages" in body and bool(list(_by_turns(body["messages"])) != body["messages"])


def strictly_alternating(body: Body) -> Body:
    """The request with one system message, then messages of the user and the assistant by turns,
    the user's first. Calls of tools and their results become text."""
    return {**body, "messages": list(_by_turns(body["messages"]))}


def _by_turns(messages: list[Body]) -> Iterator[Body]:
    system = [m["content"] for m in messages if m["role"] == "system"]
    if system:
        yield {"role": "system", "content": "\n\n".join(system)}
    last: Body | None = None
    for message in (m for m in messages if m["role"] != "system"):
        plain = _plain(message)
        if last is None and plain["role"] == "assistant":
            last = {"role": "user", "content": "…"}
        if last is not None and last["role"] == plain["role"]:
            last = {**last, "content": f"{last['content']}\n\n{plain['content']}"}
            continue
        if last is not None:
            yield last
        last = plain
    if last is not None:
        yield last


def _plain(message: Body) -> Body:
    calls = [call["function"] for call in message.get("tool_calls", [])]
    if message["role"] == "tool":
        return {"role": "user", "content": f"Result: {message['content']}"}
    if calls:
        text = "\n".join(json.dumps(call, ensure_ascii=False) for call in calls)
        return {"role": "assistant", "content": f"{message['content']}\n{text}".strip()}
    return message


def _with_low_effort(body: Body) -> Body:
    return {**body, "reasoning_effort": "low"}


_ABOUT_STREAMS = re.compile(
    r"\bstream(?:ing)?\b.{0,80}(?:support|only|must|requir|enable|allow|\btrue|\bfalse|parameter)"
    r"|(?:support|only|must|requir|enable|allow|non).{0,60}\bstream(?:ing)?\b",
    re.IGNORECASE | re.DOTALL,
)
# In the order in which they are looked up. The names of the fields are those of OpenAI-compatible
# servers.
QUIRKS: tuple[Quirk, ...] = (
    _field("logprobs", complaint="logprobs", also=("top_logprobs",)),
    _field("stream_options"),
    _field("encoding_format"),
    _field("seed"),
    _field("temperature"),
    _field("chat_template_kwargs"),
    _field("think", complaint=r"\bthink"),  # Ollama
    Quirk(
        "format json",  # Ollama before 0.5
        re.compile(r"invalid format|\bformat\b", re.IGNORECASE),
        lambda body: isinstance(body.get("format"), dict),
        lambda body: {**body, "format": "json"},
        lasting=False,
    ),
    Quirk(
        "low reasoning_effort",
        re.compile(r"reasoning.?effort|\bnone\b", re.IGNORECASE),
        lambda body: body.get("reasoning_effort") == "none",
        _with_low_effort,
    ),
    _field("reasoning_effort", complaint=r"reasoning"),
    Quirk(
        "max_completion_tokens",
        re.compile("max_completion_tokens"),
        _has("max_tokens"),
        _with_limit_renamed,
    ),
    Quirk(
        "alternating",
        re.compile(
            r"alternat|consecutive|same role|must (?:start|begin) with|first message|last message"
            r"|optional system message|unexpected role|role.{0,20}order",
            re.IGNORECASE,
        ),
        _alternates,
        strictly_alternating,
    ),
    # templates of Gemma, older Mistral and others; o1-mini; Gemma at Google
    Quirk(
        "no system",
        re.compile(
            r"\bsystem\b.{0,60}\b(?:roles?|messages?|prompts?|instructions?)\b"
            r"|\broles?\b.{0,120}\bsystem\b|developer instruction|only user.{0,60}\broles?\b"
            r"|should be 'user'",
            re.IGNORECASE | re.DOTALL,
        ),
        _has_system,
        without_system,
    ),
    Quirk(
        "only streams",
        _ABOUT_STREAMS,
        lambda body: body.get("stream") is False,
        _with_stream,
    ),
    Quirk(
        "never streams",
        _ABOUT_STREAMS,
        lambda body: body.get("stream") is True,
        _without_stream,
    ),
    Quirk(
        "no tools",
        re.compile(r"\btools?(?:\b|_)|function.call", re.IGNORECASE),
        _has("tools"),
        _without("tools", "tool_choice"),
    ),
    Quirk(
        "no json_schema",
        re.compile(r"schema|grammar|response.?format|json|guided|structured", re.IGNORECASE),
        _format("json_schema"),
        lambda body: {**body, "response_format": {"type": "json_object"}},
        fallback=True,
        lasting=False,
    ),
    Quirk(
        "no json_object",
        re.compile(r"schema|grammar|response.?format|json|guided|structured", re.IGNORECASE),
        _format("json_object"),
        _without("response_format"),
        fallback=True,
        lasting=False,
    ),
    Quirk("tools refused", re.compile("(?!)"), _has("tools"), _without("tools"), fallback=True),
)


class _Known(Struct):
    """Names of a server's quirks, the most that it takes of each size, and how it reads."""

    names: set[str] = set()
    limits: dict[str, int] = {}
    at: int = 0
    reading: Reading = Reading()


_PASSING = {quirk.name for quirk in QUIRKS if not quirk.lasting}
_INVALID = (400, 422)


class Quirks:
    """The known quirks of one server and model. ``key`` identifies them; ``folder``: the cache
    directory, None to remember nothing after this process."""

    def __init__(self, key: str = "", folder: Path | None = None) -> None:
        self._key = blake2b(key.encode(), digest_size=16).hexdigest()
        self._path = None if folder is None else folder / FILE
        self._known: _Known | None = None
        self._unconfirmed = False

    def __contains__(self, name: str) -> bool:
        return name in self._names()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def learn(self, *names: str) -> None:
        """Remembers quirks."""
        new = set(names) - self._names()
        self._names().update(new)
        if new - _PASSING:
            self._keep()

    def limit(self, size: str) -> int | None:
        """The most that the server is known to take of a size; None if it has refused nothing."""
        return self._load().limits.get(size)

    def lower(self, size: str, limit: int) -> bool:
        """Learns a limit, which is kept once the server has accepted a request (``keep_limits``).
        Returns False if the server is known to take no more anyway."""
        known = self.limit(size)
        if known is not None and known <= limit:
            return False
        self._load().limits[size] = limit
        self._unconfirmed = True
        return True

    def keep_limits(self) -> None:
        """Remembers the limits that were learned: the server has accepted a request within them."""
        if self._unconfirmed:
            self._keep()

    @property
    def reading(self) -> Reading:
        """Measurements of the reading speed."""
        return self._load().reading

    def measure(self, request: ChatRequest, reply: ChatReply) -> None:
        """Remembers how fast the prompt of a reply was read, if that says something."""
        if self._path is not None:  # another process may have measured in the meantime
            self._load().reading = _reading(_read(self._path).get(self._key))
        found = measured(self.reading, request, reply)
        if found != self.reading:
            self._load().reading = found
            self._write()

    def _keep(self) -> None:
        self._unconfirmed = False
        self._load().at = int(time.time())
        self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        known = self._load()
        entry = {
            "quirks": sorted(known.names - _PASSING),
            "limits": known.limits,
            "at": known.at,
            "reading": to_builtins(known.reading),
        }
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            kept = {**_read(self._path), self._key: entry}
            with replacing(self._path, sync=False) as file:
                file.write(json.dumps(kept, indent=1).encode())

    def send(self, body: Body, send: Callable[[Body], T]) -> T:
        """Result of ``send`` for the request as the server accepts it. Raises ``ServerRefusal``
        if it refuses every form."""
        for quirk in QUIRKS:
            if quirk.name in self and quirk.applies(body):
                body = quirk.change(body)
        tried: list[str] = []
        while True:
            try:
                result = send(body)
            except ServerRefusal as refusal:
                quirk = _fitting(body, refusal, tried)  # type: ignore[assignment]
                if quirk is None:
                    raise
                tried.append(quirk.name)
                body = quirk.change(body)
            else:
                self.learn(*tried)
                return result

    def _names(self) -> set[str]:
        return self._load().names

    def _load(self) -> _Known:
        if self._known is None:
            entry = {} if self._path is None else _read(self._path).get(self._key, {})
            fresh = isinstance(entry, dict) and 0 <= time.time() - _time(entry) < EXPIRY
            self._known = _known(entry) if fresh else _Known()
            self._known.reading = _reading(entry)
        return self._known


def _fitting(body: Body, refusal: ServerRefusal, tried: list[str]) -> Quirk | None:
    """The quirk that may explain a refusal."""
    if refusal.too_long or reply_limit(refusal.text, body.get("max_tokens", 0)):
        return None
    candidates = [q for q in QUIRKS if q.name not in tried and q.applies(body)]
    for quirk in candidates:
        if quirk.complaint.search(refusal.words):
            return quirk
    if refusal.status in _INVALID:
        return next((quirk for quirk in candidates if quirk.fallback), None)
    return None


def _known(entry: dict[str, Any]) -> _Known:
    """The quirks of an entry of the file, without what is not one."""
    names, limits = entry.get("quirks"), entry.get("limits")
    return _Known(
        set(map(str, names)) if isinstance(names, list) else set(),
        {size: limit for size, limit in limits.items() if isinstance(limit, int) and limit > 0}
        if isinstance(limits, dict)
        else {},
        _time(entry),
    )


def _reading(entry: Any) -> Reading:
    """The measurements of an entry of the file."""
    with suppress(AttributeError, ValidationError):
        return convert(entry.get("reading", {}), Reading)
    return Reading()


def _read(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        found = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return found
    return {}


def _time(entry: dict[str, Any]) -> int:
    at = entry.get("at")
    return at if isinstance(at, int) else 0
