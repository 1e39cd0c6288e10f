"""A deterministic chat model, embedder and reranker that ship in the package, for tests and demos.

``ScriptedChat`` finds the parts of a prompt by their tags (``<profile>``, ``<memories>``,
``<user_message>``, ``<document>``) and answers, reflects, plans and sums up by rules
(``scripted_rules``), and routes and calls tools by others (``scripted_tools``). A script makes it
play any other model: one that talks nonsense, breaks its JSON, or is down.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from thalamus.errors import ConfigError, ModelFailed, ModelMissing, ModelUnreachable, ThalamusError
from thalamus.models import scripted_rules as rules
from thalamus.models import scripted_tools as by_tools
from thalamus.models import yes as yes_or_no
from thalamus.models.protocol import ChatReply, ChatRequest, EmbedKind, Role, TokenSink
from thalamus.models.tool_calls import with_ids
from thalamus.policy.vector import pack

NAME = "scripted"
CONTEXT = 8192
DIMENSION = 64
_TRIGRAM_WEIGHT = 0.3  # a word's trigrams together weigh about as much as the word
_ERRORS: dict[str, type[ThalamusError]] = {
    "unreachable": ModelUnreachable,
    "failed": ModelFailed,
    "missing": ModelMissing,
}


class ScriptCall(Struct, kw_only=True, forbid_unknown_fields=True):
    """A call of a tool: ``arguments`` as a mapping, or as text that need not be JSON."""

    name: Annotated[str, Meta(min_length=1)]
    arguments: dict[str, Any] | str = {}


class ScriptEntry(Struct, kw_only=True, forbid_unknown_fields=True):
    """One entry of a script: the first that fits a call and is not used up is taken.

    ``role`` and ``match`` (a regular expression, searched in the last user message) say which
    calls it fits, without them all do; ``reply`` is text, a mapping or list sent as JSON, or a
    number: the probability of yes for ``verify`` (YAML's ``yes`` and ``no`` are 1 and 0);
    ``calls`` are the tools that it wants called: such an entry fits only where there are tools to
    call; ``error`` is raised instead of a reply; ``times`` is how often the entry serves; ``delay``
    is how many seconds it takes, and ``until`` a file that it waits for; each may stand alone: then
    the rules answer; ``pace`` is how many seconds each word of the ``reply`` takes.
    """

    role: Role | None = None
    match: str = ""
    reply: bool | float | str | dict[str, Any] | list[Any] | None = None
    calls: list[ScriptCall] = []
    error: Literal["unreachable", "failed", "missing"] | None = None
    times: int | None = None
    delay: float = 0.0
    until: str = ""
    pace: float = 0.0


class _ScriptedReply(NamedTuple):
    """What is replied; ``calls`` as (name, arguments). ``whole``: it must not be cut; ``pace``:
    the seconds that a word takes."""

    text: str
    calls: list[tuple[str, str]]
    whole: bool = False
    pace: float = 0.0


class ScriptedChat:
    """The deterministic chat model. ``script`` is a YAML file with a list of ``Entry``.

    Without a script, or where no entry fits, the rules answer. Tokens are counted as words.
    Raises ``ConfigError`` naming the file and the entry when the script is wrong.
    """

    def __init__(self, script: Path | None = None) -> None:
        self.name = NAME if script is None else f"{NAME}:{script}"
        self._entries = [] if script is None else read_script(script)
        self._used: Counter[int] = Counter()

    def context(self) -> int:
        return CONTEXT

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        """Replies by the script or by the rules.

        Text longer than ``max_tokens`` words is cut (``finish`` is ``length``); JSON made by the
        rules is kept whole. Raises the error that the script asks for.
        """
        said = self._from_script(request) or _by_rules(request)
        words = split_words(said.text)
        cut = not said.whole and len(words) > request.max_tokens
        if cut:
            words = words[: request.max_tokens]
        if on_token is not None:
            for word in words:
                on_token(word)
                if said.pace:
                    time.sleep(said.pace)
        return ChatReply(
            text="".join(words),
            model=self.name,
            tokens_in=sum(len(message.content.split()) for message in request.messages),
            tokens_out=len(words),
            finish="length" if cut else "stop",
            calls=with_ids([(None, *call) for call in said.calls], request),
        )

    def calls_tools(self) -> bool:
        """It does (``ToolCalling``)."""
        return True

    def small(self) -> bool | None:
        """A capable model where its script replies to the extraction call (``Sized``); otherwise of
        unknown size."""
        replies = (one for one in self._entries if one.role == "reflect")
        capable = any(one.reply is not None or one.error is not None for one in replies)
        return False if capable else None

    def billions(self) -> float | None:
        """It has no parameters (``Sized``)."""
        return None

    def look_up(self) -> None:
        """It is always there (``Presence``): a script was read when the model was made."""

    def yes(self, request: ChatRequest) -> float | None:
        """The probability of yes (``YesNo``): what the script says. The rules say nothing."""
        said = self._from_script(request)
        if said is None:
            return None
        try:
            return float(said.text)
        except ValueError:
            return yes_or_no.read_yes_or_no(said.text)

    def _from_script(self, request: ChatRequest) -> _ScriptedReply | None:
        said = _last_user_message(request)
        for number, entry in enumerate(self._entries):
            if entry.times is not None and self._used[number] >= entry.times:
                continue
            if entry.role not in (None, request.role) or not re.search(entry.match, said):
                continue
            if entry.calls and not request.tools:
                continue
            self._used[number] += 1
            if entry.delay:
                time.sleep(entry.delay)
            while entry.until and not Path(entry.until).exists():
                time.sleep(0.01)
            if entry.error is not None:
                raise _ERRORS[entry.error](self.name, "its script says so")
            if entry.reply is None and not entry.calls:
                return None
            calls = [_as_call(call) for call in entry.calls]
            return _ScriptedReply(_as_text(entry.reply), calls, pace=entry.pace)
        return None


class ScriptedEmbedder:
    """A deterministic embedder: a hashed bag of word stems and character trigrams.

    Texts that share words, or parts of words, are alike. 64 dimensions.
    """

    name: str = NAME

    def dimension(self) -> int:
        return DIMENSION

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One unit vector per text; a text without words gets the first axis."""
        return [_hashed(text) for text in texts]


class ScriptedReranker:
    """A deterministic reranker: the share of the question's words, by their stems, that a text
    has."""

    name: str = NAME

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        asked = _stems(question)
        return [len(asked & _stems(text)) / len(asked) if asked else 0.0 for text in texts]


def read_script(path: Path) -> list[ScriptEntry]:
    """Reads a script. Raises ``ConfigError`` naming the file and the entry that is wrong."""
    import msgspec
    import yaml

    try:
        loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"script {path}: {error}", fix=_SCRIPT_FIX) from None
    if not isinstance(loaded, list):
        raise ConfigError(f"script {path}: expected a list of entries", fix=_SCRIPT_FIX)
    entries = []
    for number, item in enumerate(loaded, start=1):
        try:
            entries.append(_checked(msgspec.convert(item, ScriptEntry)))
        except (msgspec.ValidationError, ValueError, re.error) as error:
            problem = f"script {path}, entry {number}: {error}"
            raise ConfigError(problem, fix=_SCRIPT_FIX) from None
    return entries


_SCRIPT_FIX = "Write entries like {{role: answer, match: 'regex', reply: 'text'}}."
_JSON_ROLES = ("reflect", "plan", "route", "gather", "topics", "crystallize", "search_plan")


def _checked(entry: ScriptEntry) -> ScriptEntry:
    replies = entry.reply is not None or bool(entry.calls)
    if replies and entry.error is not None:
        raise ValueError("expected either a reply or an error")
    if not replies and entry.error is None and entry.delay <= 0 and not entry.until:
        raise ValueError("expected a reply, calls, an error, a delay or until")
    if entry.times is not None and entry.times < 1:
        raise ValueError("times must be at least 1")
    if isinstance(entry.reply, float) and not 0 <= entry.reply <= 1:
        raise ValueError("a numeric reply is a probability, from 0 to 1")
    re.compile(entry.match)
    return entry


def split_words(text: str) -> list[str]:
    """The text in pieces of one word with the white space after it; joined, it is the same."""
    return [piece for piece in re.split(r"(?<=\s)(?=\S)", text) if piece]


def _as_text(reply: bool | float | str | dict[str, Any] | list[Any] | None) -> str:
    if isinstance(reply, bool):
        return "yes" if reply else "no"
    if isinstance(reply, str) or reply is None:
        return reply or ""
    return json.dumps(reply, ensure_ascii=False)


def _as_call(call: ScriptCall) -> tuple[str, str]:
    if isinstance(call.arguments, str):
        return call.name, call.arguments
    return call.name, json.dumps(call.arguments, ensure_ascii=False)


def _by_rules(request: ChatRequest) -> _ScriptedReply:
    results = _results(request)
    if results and request.schema is None:
        return _ScriptedReply(by_tools.told(results), [])
    if request.tools and not results:
        called = by_tools.calls(_message(request), request.tools)
        if called:
            return _ScriptedReply("", called)
    whole = request.schema is not None or request.role in _JSON_ROLES
    return _ScriptedReply(_text_by_rules(request), [], whole)


def _results(request: ChatRequest) -> list[str]:
    """What the tools gave that were called last, if nothing was said since."""
    results: list[str] = []
    for message in reversed(request.messages):
        if message.role != "tool":
            break
        results.insert(0, message.content)
    return results


def _message(request: ChatRequest) -> str:
    tagged = _tagged(request, "user_message")
    return _last_user_message(request) if tagged is None else tagged


def _text_by_rules(request: ChatRequest) -> str:
    said = _last_user_message(request)
    if request.role == "answer":
        profile, memories = _tagged(request, "profile") or "", _tagged(request, "memories") or ""
        text = rules.answer(said, [*profile.splitlines(), *memories.splitlines()])
        return json.dumps({"answer": text}) if request.schema else text
    if request.role == "summary":
        document = _tagged(request, "document")
        wanted = (request.schema or {}).get("properties", {})
        return _summary(said if document is None else document, tuple(wanted))
    if request.role == "verify":
        return "yes"
    if request.role == "draft":
        return rules.answer(_message(request), [])
    if request.role == "act" and request.schema is None:
        return "There is nothing to do."
    return json.dumps(_record_by_rules(request), ensure_ascii=False)


def _record_by_rules(request: ChatRequest) -> Any:
    message = _message(request)
    if request.role == "reflect":
        return {"memories_to_store": [], "facts": [], "no_longer": []}
    if request.role in ("plan", "search_plan"):
        return _plan(message)
    if request.role == "route":
        return by_tools.route(message)
    if request.role == "gather":
        return by_tools.gather()
    if request.role == "topics":
        return by_tools.topics(message)
    if request.role == "crystallize":
        notes, wanted = _tagged(request, "notes") or "", (request.schema or {}).get("properties")
        return rules.crystallize(notes) if "insights" in (wanted or ()) else rules.join(notes)
    return by_tools.least(request.schema or {})


def _plan(message: str) -> dict[str, list[dict[str, Any]]]:
    """Memories by the words that carry meaning, and facts by the names among them."""
    words = list(dict.fromkeys(rules.content(message)))[:12]
    names = list(dict.fromkeys(rules.proper_nouns(message)))[:5]
    return {
        "retrieval_instructions": [
            {"mode": mode, "query": " ".join(query), "topic": None, "limit": 5}
            for mode, query in (("memory", words), ("facts", names))
            if query
        ]
    }


def _summary(document: str, wanted: tuple[str, ...]) -> str:
    """The first sentence, of at most 200 characters; as JSON when fields are ``wanted``."""
    sentences = rules.sentences(document)
    first = next((s for s in sentences if len(s.split()) > 2), sentences[0] if sentences else "")
    first = rules.shorten(first, 200)
    if not wanted:
        return first
    counts = Counter(word.lower() for word in rules.content(document) if len(word) > 2)
    topic = counts.most_common(1)[0][0] if counts else None
    made = {"summary": first, "topic": topic}
    return json.dumps({k: v for k, v in made.items() if k in wanted}, ensure_ascii=False)


def _last_user_message(request: ChatRequest) -> str:
    """What the user says now, without the notes and the draft that stand above it."""
    said = [message.content for message in request.messages if message.role == "user"]
    last = said[-1].rpartition("</memories>")[2] if said else ""
    return last.rpartition("</draft>")[2].strip()


def _tagged(request: ChatRequest, tag: str) -> str | None:
    """What stands between ``<tag>`` and ``</tag>``: the last such place, because templates may
    show examples before it; None when there is none."""
    for message in reversed(request.messages):
        _, opening, rest = message.content.rpartition(f"<{tag}>")
        inner, closing, _ = rest.rpartition(f"</{tag}>")
        if opening and closing:
            return inner.strip()
    return None


def _stems(text: str) -> set[str]:
    return {rules.stem(word.lower()) for word in rules.content(text)}


def _hashed(text: str) -> bytes:
    values = [0.0] * DIMENSION
    for word in re.findall(r"\w+", text.lower()):
        _add(values, rules.stem(word), 1.0)
        for start in range(len(word)):
            _add(values, "#" + f" {word} "[start : start + 3], _TRIGRAM_WEIGHT)
    if not any(values):
        values[0] = 1.0
    return pack(values)


def _add(values: list[float], feature: str, weight: float) -> None:
    digest = hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=2).digest()
    values[digest[0] % DIMENSION] += weight if digest[1] & 1 else -weight
