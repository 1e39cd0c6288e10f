"""A deterministic chat model, embedder and reranker, part of the package, for tests and demos.

``ScriptedChat`` finds the parts of a prompt by their tags (``<profile>``, ``<memories>``,
``<user_message>``, ``<document>``) and answers, reflects, plans and summarizes by rules
(``scripted_rules``); other rules route and call tools (``scripted_tools``). A script makes it
behave like any other model: one that talks nonsense, breaks its JSON, or is down.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

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
    """A tool call: ``arguments`` as a mapping, or as text that may be invalid JSON."""

    name: Annotated[str, Meta(min_length=1)]
    arguments: dict[str, Any] | str = {}


class ScriptEntry(Struct, kw_only=True, forbid_unknown_fields=True):
    """One entry of a script. A call takes the first entry that matches and is not used up.

    ``role`` and ``match`` (a regular expression for the last user message) restrict the calls it
    matches. ``reply``: text, a mapping or list sent as JSON, or a number: the probability of yes
    for ``verify`` (YAML's ``yes`` and ``no`` are 1 and 0). ``calls``: tool calls; such an entry
    only matches if there are tools. ``error``: an error raised instead of a reply. ``times``: how
    often the entry can be used. ``delay``: seconds before the reply; ``until``: a file to wait for.
    Either may stand alone; then the rules answer. ``pace``: seconds per word of the ``reply``.
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


class _Reply(Struct, frozen=True):
    """A reply; ``calls`` as (name, arguments). ``whole``: it must not be cut off; ``pace``: seconds
    per word."""

    text: str
    calls: list[tuple[str, str]]
    whole: bool = False
    pace: float = 0.0


class ScriptedChat:
    """The deterministic chat model. ``script`` is a YAML file with a list of ``ScriptEntry``.

    Without a script, or if no entry matches, the rules answer. Tokens are counted as words. Raises
    ``ConfigError`` with the file and the entry if the script is invalid.
    """

    def __init__(self, script: Path | None = None) -> None:
        self.name = NAME if script is None else f"{NAME}:{script}"
        self._entries = [] if script is None else read_script(script)
        self._used: Counter[int] = Counter()

    def context(self) -> int:
        return CONTEXT

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        """Replies by the script or by the rules.

        Text longer than ``max_tokens`` words is cut off (``finish`` is ``length``); JSON made by
        the rules is kept whole. Raises the error that the script specifies.
        """
        text = self._from_script(request) or _by_rules(request)
        words = split_words(text.text)
        cut = not text.whole and len(words) > request.max_tokens
        if cut:
            words = words[: request.max_tokens]
        if on_token is not None:
            for word in words:
                on_token(word)
                if text.pace:
                    time.sleep(text.pace)
        return ChatReply(
            text="".join(words),
            model=self.name,
            tokens_in=sum(len(message.content.split()) for message in request.messages),
            tokens_out=len(words),
            finish="length" if cut else "stop",
            calls=with_ids([(None, *call) for call in text.calls], request),
        )

    def calls_tools(self) -> bool:
        """Always True (``ToolCalling``)."""
        return True

    def small(self) -> bool | None:
        """A capable model if its script has an entry for the extraction call, otherwise of unknown
        size (``Sized``)."""
        return False if any(one.role == "reflect" for one in self._entries) else None

    def billions(self) -> float | None:
        """Always None: it has no parameters (``Sized``)."""
        return None

    def look_up(self) -> None:
        """Always present (``Presence``); the script was read on construction."""

    def yes(self, request: ChatRequest) -> float | None:
        """Probability of yes (``YesNo``) from the script; the rules give none."""
        text = self._from_script(request)
        if text is None:
            return None
        try:
            return float(text.text)
        except ValueError:
            return yes_or_no.read_yes_or_no(text.text)

    def _from_script(self, request: ChatRequest) -> _Reply | None:
        text = _last_user_message(request)
        for number, entry in enumerate(self._entries):
            if entry.times is not None and self._used[number] >= entry.times:
                continue
            if entry.role not in (None, request.role) or not re.search(entry.match, text):
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
            return _Reply(_as_text(entry.reply), calls, pace=entry.pace)
        return None


class ScriptedEmbedder:
    """A deterministic embedder: a hashed bag of word stems and character trigrams.

    Texts that share words or parts of words are similar. 64 dimensions.
    """

    name: str = NAME

    def dimension(self) -> int:
        return DIMENSION

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One unit vector per text; a text without words gets the first axis."""
        return [_hashed(text) for text in texts]


class ScriptedReranker:
    """A deterministic reranker: the share of the question's words, by their stems, found in a
    text."""

    name: str = NAME

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        question_stems = _stems(question)
        return [
            len(question_stems & _stems(text)) / len(question_stems) if question_stems else 0.0
            for text in texts
        ]


def read_script(path: Path) -> list[ScriptEntry]:
    """Reads a script. Raises ``ConfigError`` with the file and the invalid entry."""
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


_SCRIPT_FIX = "Write entries like {role: answer, match: 'regex', reply: 'text'}."
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
    """Splits a text into words with the white space after them; joined, they give the text
    again."""
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


def _by_rules(request: ChatRequest) -> _Reply:
    results = _results(request)
    if results and request.schema is None:
        return _Reply(by_tools.results_text(results), [])
    if request.tools and not results:
        tool_calls = by_tools.calls(_message(request), request.tools)
        if tool_calls:
            return _Reply("", tool_calls)
    whole = request.schema is not None or request.role in _JSON_ROLES
    return _Reply(_text_by_rules(request), [], whole)


def _results(request: ChatRequest) -> list[str]:
    """Results of the last tool calls, unless other messages follow."""
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
    text = _last_user_message(request)
    if request.role == "answer":
        profile, memories = _tagged(request, "profile") or "", _tagged(request, "memories") or ""
        text = rules.answer(text, [*profile.splitlines(), *memories.splitlines()])
        return json.dumps({"answer": text}) if request.schema else text
    if request.role == "summary":
        document = _tagged(request, "document")
        wanted = (request.schema or {}).get("properties", {})
        return _summary(text if document is None else document, tuple(wanted))
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
    return by_tools.minimal_value(request.schema or {})


def _plan(message: str) -> dict[str, list[dict[str, Any]]]:
    """Memories by the content words of a message, and facts by its names."""
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
    """The first sentence, at most 200 characters; as JSON if fields are ``wanted``."""
    sentences = rules.sentences(document)
    first = next((s for s in sentences if len(s.split()) > 2), sentences[0] if sentences else "")
    first = rules.shorten(first, 200)
    if not wanted:
        return first
    counts = Counter(word.lower() for word in rules.content(document) if len(word) > 2)
    topic = counts.most_common(1)[0][0] if counts else None
    fields = {"summary": first, "topic": topic}
    return json.dumps({k: v for k, v in fields.items() if k in wanted}, ensure_ascii=False)


def _last_user_message(request: ChatRequest) -> str:
    """The user's message without the notes and the draft above it."""
    text = [message.content for message in request.messages if message.role == "user"]
    last = text[-1].rpartition("</memories>")[2] if text else ""
    return last.rpartition("</draft>")[2].strip()


def _tagged(request: ChatRequest, tag: str) -> str | None:
    """Text between ``<tag>`` and ``</tag>``, the last occurrence since templates may show examples
    before it; None if there is none."""
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
