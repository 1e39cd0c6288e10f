"""Cassettes: recordings of real model calls, played back without any model.

A cassette is a file of JSON lines: a header ``{"cassette":1}`` and one entry per call.

- chat: ``{"kind":"chat","model":…,"context":…,"small":…,"calls_tools":…,"request":{…},
  "reply":{…}}``. Replay compares the whole request, with the tools that were given; its nth
  repetition gets the nth recording, and the last one from then on.
- yes: the same with ``"reply"`` the probability of yes, or null.
- embed: ``{"kind":"embed","model":…,"request":{"texts":[…],"kind":…},"reply":{"dimension":n,
  "vectors":[base64…]}}``. Replay looks up each text by itself, so that it does not matter how
  texts are put together in batches.
- rerank: ``{"kind":"rerank","model":…,"request":{"question":…,"texts":[…]},"reply":[score…]}``.
  Replay looks up each text by itself, too.

Recording always calls the model and appends, under a lock, so that the processes of a shell
pipeline can record into one file at once; start from an empty file. Requests hold prompts and so
memories, never a key.
"""

from __future__ import annotations

import base64
import difflib
import fcntl
import json
import os
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import structs

from thalamus.errors import CassetteMiss, ConfigError
from thalamus.models.protocol import (
    ChatModel,
    ChatReply,
    ChatRequest,
    Embedder,
    EmbedKind,
    Presence,
    Reranker,
    Sized,
    Stoppable,
    TokenSink,
    ToolCalling,
    YesNo,
)
from thalamus.models.scripted import split_words
from thalamus.policy.model_size import billions

Mode = Literal["replay", "record"]
HEADER = {"cassette": 1}
_FIX = "Remove the line, or record the cassette again into an empty file."
_WIDTH = 100  # characters per line of a difference
_LINES = 16  # lines shown of a difference


class CassetteChat:
    """A chat model that records ``inner`` into ``path``, or replays the file.

    Recording needs ``inner``; replay needs only the file. ``model`` is the requested spec. In
    replay it becomes the name if it was recorded or if nothing was; otherwise the name is that of
    the first recording. Raises the errors of ``read``.
    """

    def __init__(
        self, inner: ChatModel | None, path: Path, mode: Mode, model: str | None = None
    ) -> None:
        self._path = path
        self._inner = inner if mode == "record" else None
        self._entries = read(path, "chat", "yes") if mode == "replay" else []
        self._played: Counter[tuple[str, str]] = Counter()
        self.name = _name(inner, path, mode, model, self._entries)

    def context(self) -> int:
        """The recorded model's context window. Raises ``CassetteMiss`` if there is none."""
        if self._inner is not None:
            return self._inner.context()
        own = [entry for entry in self._entries if entry["model"] == self.name]
        if not own:
            raise CassetteMiss(self._path, f"It has no call of the chat model {self.name}.")
        return int(own[0]["context"])

    def small(self) -> bool | None:
        """True if the recorded model is small (``Sized``); None if unknown."""
        if self._inner is not None:
            return self._inner.small() if isinstance(self._inner, Sized) else None
        own = [entry for entry in self._entries if entry["model"] == self.name]
        return own[0].get("small") if own else None

    def billions(self) -> float | None:
        """The recorded model's parameters in billions (``Sized``), or else by its name."""
        if self._inner is not None:
            return self._inner.billions() if isinstance(self._inner, Sized) else None
        own = [entry for entry in self._entries if entry["model"] == self.name]
        known: float | None = own[0].get("billions") if own else None
        return known if known is not None else billions(self.name)

    def calls_tools(self) -> bool:
        """The recorded model's tool support (``ToolCalling``) at the first recording."""
        if self._inner is not None:
            return isinstance(self._inner, ToolCalling) and self._inner.calls_tools()
        own = [entry for entry in self._entries if entry["model"] == self.name]
        return bool(own) and bool(own[0].get("calls_tools"))

    def stopper(self) -> Callable[[], None]:
        """Ends the call that is being recorded (``Stoppable``)."""
        return self._inner.stopper() if isinstance(self._inner, Stoppable) else lambda: None

    def look_up(self) -> None:
        """Looks up the model being recorded (``Presence``); a recording is always present."""
        if isinstance(self._inner, Presence):
            self._inner.look_up()

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        """Records or replays one call; in replay ``on_token`` gets the text word by word.

        Raises ``CassetteMiss`` with the difference to the nearest recording of the same role.
        """
        if self._inner is not None:
            return self._record(self._inner, request, on_token)
        reply = msgspec.convert(self._next("chat", request), ChatReply)
        if on_token is not None:
            for word in split_words(reply.text):
                on_token(word)
        return reply

    def yes(self, request: ChatRequest) -> float | None:
        """Records or replays the probability of yes (``YesNo``). Raises the errors of ``chat``."""
        if self._inner is None:
            probability: float | None = self._next("yes", request)
            return probability
        probability = self._inner.yes(request) if isinstance(self._inner, YesNo) else None
        self._append("yes", self._inner, request, probability)
        return probability

    def _record(
        self, inner: ChatModel, request: ChatRequest, on_token: TokenSink | None
    ) -> ChatReply:
        reply = inner.chat(request, on_token)
        # times are left out: they differ with every recording
        reply = structs.replace(reply, prompt_ms=None, reply_ms=None)
        fields = msgspec.to_builtins(reply).items()
        kept = {k: v for k, v in fields if v is not None and (v or k != "calls")}
        self._append("chat", inner, request, kept)
        return reply

    def _append(self, kind: str, inner: ChatModel, request: ChatRequest, reply: Any) -> None:
        entry = {
            "kind": kind,
            "model": inner.name,
            "context": inner.context(),
            "small": self.small(),
            "billions": self.billions(),
            "calls_tools": self.calls_tools(),
            "request": _brief(request),
            "reply": reply,
        }
        append(self._path, entry)

    def _next(self, kind: str, request: ChatRequest) -> Any:
        """The recorded reply to a call. Raises ``CassetteMiss``."""
        own = [entry for entry in self._entries if entry["kind"] == kind]
        wanted = _canonical(msgspec.to_builtins(request))
        found = [entry for entry in own if _canonical(entry["request"]) == wanted]
        if not found:
            raise CassetteMiss(self._path, _difference(request, own))
        number = min(self._played[kind, wanted], len(found) - 1)
        self._played[kind, wanted] += 1
        return found[number]["reply"]


class CassetteEmbedder:
    """An embedder that records ``inner`` into ``path``, or replays the file. It makes no sentence
    vectors in either mode, so that both store the same.

    Parameters and errors as for ``CassetteChat``.
    """

    def __init__(
        self, inner: Embedder | None, path: Path, mode: Mode, model: str | None = None
    ) -> None:
        self._path = path
        self._inner = inner if mode == "record" else None
        entries = read(path, "embed") if mode == "replay" else []
        self.name = _name(inner, path, mode, model, entries)
        own = [entry for entry in entries if entry["model"] == self.name]
        self._dimension = int(own[0]["reply"]["dimension"]) if own else 0
        self._vectors: dict[tuple[str, str], str] = {}
        for entry in own:
            request, vectors = entry["request"], entry["reply"]["vectors"]
            for text, vector in zip(request["texts"], vectors, strict=True):
                self._vectors[request["kind"], text] = vector

    def dimension(self) -> int:
        """The recorded model's dimension. Raises ``CassetteMiss`` if there is no embedding."""
        if self._inner is not None:
            return self._inner.dimension()
        if not self._dimension:
            raise CassetteMiss(self._path, f"It has no call of the embedder {self.name}.")
        return self._dimension

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """Records or replays. Raises ``CassetteMiss`` for the first text that was not recorded."""
        if self._inner is not None:
            return self._record(self._inner, list(texts), kind)
        for text in texts:
            if (kind, text) not in self._vectors:
                raise CassetteMiss(self._path, self._nearest(text, kind))
        return [base64.b64decode(self._vectors[kind, text]) for text in texts]

    def _record(self, inner: Embedder, texts: list[str], kind: EmbedKind) -> list[bytes]:
        vectors = inner.embed(texts, kind)
        packed = [base64.b64encode(vector).decode() for vector in vectors]
        entry = {
            "kind": "embed",
            "model": inner.name,
            "request": {"texts": texts, "kind": kind},
            "reply": {"dimension": inner.dimension(), "vectors": packed},
        }
        append(self._path, entry)
        return vectors

    def _nearest(self, text: str, kind: str) -> str:
        recorded = [known for of_kind, known in self._vectors if of_kind == kind]
        closest = difflib.get_close_matches(text, recorded, n=1, cutoff=0)
        return _diff(_wrapped(closest[0]) if closest else [], _wrapped(text))


class CassetteReranker:
    """A reranker that records ``inner`` into ``path``, or replays the file.

    Parameters and errors as for ``CassetteChat``.
    """

    def __init__(
        self, inner: Reranker | None, path: Path, mode: Mode, model: str | None = None
    ) -> None:
        self._path = path
        self._inner = inner if mode == "record" else None
        entries = read(path, "rerank") if mode == "replay" else []
        self.name = _name(inner, path, mode, model, entries)
        self._scores: dict[tuple[str, str], float] = {}
        for entry in entries:
            if entry["model"] == self.name:
                wanted = entry["request"]["question"]
                for text, score in zip(entry["request"]["texts"], entry["reply"], strict=True):
                    self._scores[wanted, text] = score

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Records or replays. Raises ``CassetteMiss`` for the first text that was not recorded."""
        if self._inner is None:
            for text in texts:
                if (question, text) not in self._scores:
                    raise CassetteMiss(self._path, self._nearest(f"{question}\n{text}"))
            return [self._scores[question, text] for text in texts]
        scores = self._inner.score(question, texts)
        request = {"question": question, "texts": list(texts)}
        entry = {"kind": "rerank", "model": self._inner.name, "request": request, "reply": scores}
        append(self._path, entry)
        return scores

    def _nearest(self, pair: str) -> str:
        recorded = [f"{question}\n{text}" for question, text in self._scores]
        closest = difflib.get_close_matches(pair, recorded, n=1, cutoff=0)
        return _diff(_wrapped(closest[0]) if closest else [], _wrapped(pair))


def append(path: Path, entry: dict[str, Any]) -> None:
    """Appends an entry, after the header in a new file, as whole lines under a file lock.

    Raises ``ConfigError`` if the file cannot be written.
    """
    line = json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            header = "" if os.fstat(handle).st_size else json.dumps(HEADER) + "\n"
            file.write((header + line).encode("utf-8", "surrogatepass"))
    except OSError as error:
        problem = f"cannot write the cassette {path}: {error.strerror}"
        raise ConfigError(problem, fix="Set `cassette` to a writable file.") from None


def read(path: Path, *kinds: Literal["chat", "yes", "embed", "rerank"]) -> list[dict[str, Any]]:
    """Entries of these kinds, in order; every line is validated.

    Raises ``CassetteMiss`` if the file does not exist, and ``ConfigError`` with the number of an
    invalid line.
    """
    try:
        text = path.read_bytes().decode("utf-8", "surrogatepass")
    except FileNotFoundError:
        raise CassetteMiss(path, "There is no such file.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the cassette {path}: {error}", fix=_FIX) from None
    entries = []
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            if number > 1 and line.strip():
                entries.append(_checked(json.loads(line)))
            elif number == 1 and text and json.loads(line) != HEADER:
                raise ValueError(f"the first line must be {json.dumps(HEADER)}")
        except (ValueError, KeyError, TypeError) as error:
            problem = f"the cassette {path}, line {number}: {error!s}"
            raise ConfigError(problem, fix=_FIX) from None
    return [entry for entry in entries if entry["kind"] in kinds]


def _checked(entry: Any) -> dict[str, Any]:
    if not isinstance(entry, dict) or entry.get("kind") not in ("chat", "yes", "embed", "rerank"):
        raise ValueError("neither a chat, a yes, an embed nor a rerank entry")
    missing = [key for key in ("model", "request", "reply") if key not in entry]
    if missing:
        raise ValueError(f"missing {missing[0]}")
    request, reply = entry["request"], entry["reply"]
    if entry["kind"] == "rerank":
        msgspec.convert(reply, list[float])
        if len(request["texts"]) != len(reply) or not isinstance(request["question"], str):
            raise ValueError("texts and scores do not match")
        return entry
    if entry["kind"] != "embed":
        # converted to the class and back, so that fields added in later versions get their defaults
        entry["request"] = msgspec.to_builtins(msgspec.convert(request, ChatRequest))
        msgspec.convert(reply, ChatReply if entry["kind"] == "chat" else float | None)
        int(entry["context"])
        return entry
    size = 4 * int(reply["dimension"])
    if len(request["texts"]) != len(reply["vectors"]) or not request["kind"]:
        raise ValueError("texts and vectors do not match")
    if any(len(base64.b64decode(vector, validate=True)) != size for vector in reply["vectors"]):
        raise ValueError("a vector does not have the given dimension")
    return entry


def _name(
    inner: ChatModel | Embedder | Reranker | None,
    path: Path,
    mode: Mode,
    wanted: str | None,
    entries: list[dict[str, Any]],
) -> str:
    if mode == "record":
        if inner is None:
            raise ValueError("there is no model to record")
        return inner.name
    names = [str(entry["model"]) for entry in entries]
    if wanted is not None and (wanted in names or not names):
        return wanted
    return names[0] if names else f"cassette:{path}"


def _brief(request: ChatRequest) -> dict[str, Any]:
    """A request in recorded form, without empty fields for tools."""
    recorded: dict[str, Any] = msgspec.to_builtins(request)
    recorded["messages"] = [
        {name: value for name, value in message.items() if name in ("role", "content") or value}
        for message in recorded["messages"]
    ]
    return {name: value for name, value in recorded.items() if name != "tools" or value}


def _canonical(request: dict[str, Any]) -> str:
    return json.dumps(request, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _difference(request: ChatRequest, entries: list[dict[str, Any]]) -> str:
    """Difference between a request and the nearest recorded one of its role."""
    wanted = _as_lines(msgspec.to_builtins(request))
    of_role = [entry["request"] for entry in entries if entry["request"]["role"] == request.role]
    if not of_role:
        return f"It has no call of the role {request.role}."
    candidates = [_as_lines(recorded) for recorded in of_role]
    matcher = difflib.SequenceMatcher(b=wanted, autojunk=False)

    def similarity(lines: list[str]) -> float:
        matcher.set_seq1(lines)
        return matcher.ratio()

    return _diff(max(candidates, key=similarity), wanted)


def _as_lines(request: dict[str, Any]) -> list[str]:
    """A request as lines for comparison: one per setting, then the messages' lines."""
    rest = {key: value for key, value in request.items() if key != "messages"}
    lines = [f"{key}: {json.dumps(rest[key], sort_keys=True)}" for key in sorted(rest)]
    for message in request["messages"]:
        lines.append(f"[{message['role']}]")
        lines += _wrapped(message["content"])
        lines += [f"call: {json.dumps(call, sort_keys=True)}" for call in message["calls"]]
        lines += [f"result of: {message['call_id']}"] if message["call_id"] else []
    return [piece for line in lines for piece in _wrapped(line)]


def _wrapped(text: str) -> list[str]:
    lines = text.split("\n")
    return [piece for line in lines for piece in textwrap.wrap(line, _WIDTH) or [""]]


def _diff(recorded: list[str], wanted: list[str]) -> str:
    lines = list(difflib.unified_diff(recorded, wanted, "recorded", "this call", lineterm="", n=1))
    more = len(lines) - _LINES
    return "\n".join(lines[:_LINES] + ([f"… and {more} more lines"] if more > 0 else []))
