"""Plain frames: what is proposed where there is no capable model.

A frame is a way to say one thing plainly ("I live in {place}"), as data in ``data/frames.json``. It
proposes as a model does, the user's own sentence as the memory, and what it proposes is verified
like any other proposal. It never vetoes. A message that asks or requests something, that holds
quotation marks, code or the words of others, is not read at all.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from thalamus.extract.proposals import (
    Proposals,
    ProposedEnding,
    ProposedFact,
    ProposedMemory,
)
from thalamus.extract.verify import KnownItem
from thalamus.extract.voices import has_others
from thalamus.policy.entities import fold
from thalamus.policy.time_expressions import intervals
from thalamus.records import Importance, Sensitivity
from thalamus.text.tokens import sentences

_FILE = Path(__file__).parent.parent / "data" / "frames.json"
LONGEST = 300  # characters of a sentence that is read
MOST_WORDS = 4  # of a thing
_QUOTATION = re.compile(r"[\"“”„«»「『`]|(?<!\w)['‘]\w")
_SLOT = re.compile(r"\{(\w+)\}")
_NAME = r"(?-i:[^\W\d_a-zß-öø-ÿ][\w'’.&-]*)"
_LINKS = r"(?:de|da|do|la|le|el|del|of|upon|am|an|der|den|von|sur|les)"


class _Frame(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that can be said, and the ways to ``say`` it; ``over``: it holds no more; ``dated``:
    it begins or ends at the time that the clause names; ``words``: what may stand in a slot of one's
    own."""

    predicate: str
    say: tuple[str, ...]
    type: str
    importance: Importance
    sensitivity: Sensitivity = "normal"
    over: bool = False
    dated: bool = False
    words: dict[str, tuple[str, ...]] = {}


class _Language(Struct, frozen=True, forbid_unknown_fields=True):
    """The frames of a language. ``contractions``: short forms with the long ones; ``joints``: where
    a clause begins within a sentence; ``openings``: what may stand before a frame; ``requests``:
    how a request or a question begins; ``stops``: words at which a thing ends; ``verb``: what may
    follow a name."""

    frames: tuple[_Frame, ...]
    contractions: dict[str, str]
    joints: tuple[str, ...]
    openings: tuple[str, ...]
    requests: tuple[str, ...]
    stops: tuple[str, ...]
    verb: tuple[str, ...]


class Said(NamedTuple):
    """What a frame found: the object, and the clause that says it."""

    frame: _Frame
    object: str
    clause: str


@functools.cache
def _languages() -> Mapping[str, _Language]:
    import msgspec

    return msgspec.json.decode(_FILE.read_bytes(), type=dict[str, _Language])


def propose(message: str, said_on: date, known: Iterable[KnownItem] = ()) -> Proposals:
    """What the frames find in a message that was said on a day. What is over ends only what is
    ``known``."""
    memories: list[ProposedMemory] = []
    facts: list[ProposedFact] = []
    endings: list[ProposedEnding] = []
    there = list(known)
    for sentence in _plain_sentences(message):
        found = list(read(sentence))
        if not found:
            continue
        first = found[0].frame
        memories.append(
            ProposedMemory(
                quote=sentence,
                content=sentence,
                type=first.type,
                importance=first.importance,
                sensitivity=first.sensitivity,
            )
        )
        facts += [_fact(one, said_on) for one in found if not one.frame.over]
        endings += [end for one in found if one.frame.over for end in _endings(one, said_on, there)]
    return Proposals(memories, facts, endings)


def read(sentence: str) -> Iterator[Said]:
    """What the frames of any language find in a sentence, each predicate once with an object."""
    seen = set()
    for name, language in _languages().items():
        for clause in _clauses(sentence, language):
            for frame, pattern in _patterns(name):
                match = pattern.match(clause)
                if match is None:
                    continue
                for value in _values(match, frame, language):
                    if (frame.predicate, value) not in seen:
                        seen.add((frame.predicate, value))
                        yield Said(frame, value, clause)
                break


def _plain_sentences(message: str) -> Sequence[str]:
    """The sentences of a message that only states something; none of any other."""
    found = sentences(message)
    if has_others(message) or not all(map(may_state, found)):
        return ()
    return [sentence for sentence in found if len(sentence) <= LONGEST]


def may_state(sentence: str) -> bool:
    """Whether a sentence neither asks nor requests anything by how it begins and ends, and quotes
    nobody."""
    asks = "?" in sentence or "？" in sentence or _QUOTATION.search(sentence) is not None
    return not asks and not _requests(sentence)


def _requests(sentence: str) -> bool:
    """Whether a sentence begins as a request or a question does."""
    text = " ".join(sentence.casefold().replace("’", "'").split())
    return any(_begins(text, word) for one in _languages().values() for word in one.requests)


def _begins(text: str, word: str) -> bool:
    return text.startswith(word) and not text[len(word) : len(word) + 1].isalnum()


def _clauses(sentence: str, language: _Language) -> list[str]:
    """The clauses of a sentence, without what opens them."""
    text = " ".join(sentence.replace("’", "'").split()).strip(" .!;,:…")
    joints = "|".join(re.escape(joint) for joint in language.joints)
    parts = re.split(rf",?\s+(?=(?:{joints})\b)|[,;]\s+|\s+[-–—]\s+", text, flags=re.I)
    openings = "|".join(re.escape(word) for word in language.openings)
    opening = re.compile(rf"(?:(?:{openings})[,!]?\s+)+", re.I)
    return [opening.sub("", part, count=1) if opening.match(part) else part for part in parts]


@functools.cache
def _patterns(name: str) -> Sequence[tuple[_Frame, re.Pattern[str]]]:
    """Each way to say something as a pattern for a whole clause, or its beginning."""
    language = _languages()[name]
    return [
        (frame, re.compile(_pattern(say, frame, language), re.I))
        for frame in language.frames
        for say in frame.say
    ]


def _pattern(say: str, frame: _Frame, language: _Language) -> str:
    stops = "|".join(map(re.escape, language.stops))
    word = rf"(?!(?:{stops})\b)[^\W_][\w'’-]*"
    things = rf"{word}(?:\s+{word}){{0,{MOST_WORDS - 1}}}"
    conjunctions = r"(?:,\s*|\s+(?:and|or|und|oder|y|o|et|ou|e)\s+)"
    slots = {
        "name": rf"(?P<value>{_NAME}(?:\s+{_NAME}){{0,2}})",
        "place": rf"(?P<value>{_NAME}(?:\s+(?:{_LINKS}\s+)?{_NAME}){{0,3}})",
        "thing": rf"(?P<value>{things})",
        "things": rf"(?P<value>{things}(?:{conjunctions}{things}){{0,3}})",
        "verb": rf"(?:{'|'.join(language.verb) or '(?!)'})",
        **{name: rf"(?P<value>{'|'.join(words)})" for name, words in frame.words.items()},
    }
    parts = _SLOT.split(say)
    made = "".join(
        slots[part] if place % 2 else _literal(part, language) for place, part in enumerate(parts)
    )
    return (
        rf"{made}(?=\s*$|\s+(?:{stops})\b|\s*[,;.!(]|\s+\d)"
        if "{verb}" not in say
        else rf"{made}\b"
    )


def _literal(text: str, language: _Language) -> str:
    """The words of a frame as a pattern, in full or contracted."""
    made = re.escape(text)
    for short, full in language.contractions.items():
        made = re.sub(
            rf"(?<!\w){re.escape(re.escape(full))}(?!\w)",
            lambda _, short=short, full=full: rf"(?:{re.escape(full)}|{re.escape(short)})",
            made,
        )
    return made


def _values(match: re.Match[str], frame: _Frame, language: _Language) -> list[str]:
    """The objects that a match names: one, or several in a list of things."""
    said = match["value"].strip(" .'’")
    if "{things}" not in " ".join(frame.say):
        return [said]
    parts = re.split(r",\s*|\s+(?:and|or|und|oder|y|o|et|ou|e)\s+", said)
    return [part.strip() for part in parts if part.strip()]


def _fact(said: Said, said_on: date) -> ProposedFact:
    """The fact that a frame found, since the time that its clause names."""
    return ProposedFact(
        quote=said.clause,
        subject="user",
        predicate=said.frame.predicate,
        object=said.object,
        valid_from=_named_day(said, said_on),
        sensitivity=said.frame.sensitivity,
    )


def _endings(said: Said, said_on: date, known: Sequence[KnownItem]) -> Iterator[ProposedEnding]:
    """What is known and over by what a frame found."""
    for item in known:
        _, predicate, thing, *_ = [*item.text.split(" | "), "", ""]
        if predicate == said.frame.predicate and fold(thing) == fold(said.object):
            yield ProposedEnding(quote=said.clause, id=item.id, valid_to=_named_day(said, said_on))


def _named_day(said: Said, said_on: date) -> str | None:
    """The one time up to that day which a clause names; None for a frame that has no time."""
    spans = intervals(said.clause, said_on) if said.frame.dated else []
    past = len(spans) == 1 and spans[0][0] <= said_on
    return _precise(spans[0]) if past else None


def _precise(span: tuple[date, date]) -> str:
    """A span of days as a date that is as precise: a year, a month or a day."""
    first, last = span
    days = (last - first).days
    if days > 300:
        return f"{first.year:04}"
    return f"{first.year:04}-{first.month:02}" if days > 26 else first.isoformat()
