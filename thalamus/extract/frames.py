"""Plain frames: what is proposed where there is no capable model.

A frame is a way to say one thing plainly ("I live in {name}"), as data in ``data/frames.json``. It
proposes as a model does, the user's own sentence as the memory, and what it proposes is verified
like any other proposal. It never vetoes. A message that asks or requests something, that has many
lines, a list, quotation marks, code or the words of others, is not read at all. A frame earns its
place on text that nobody wrote for it: one that is wrong now and then is none.
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
from thalamus.extract.source import KnownItem
from thalamus.extract.voices import has_others
from thalamus.policy.entities import fold
from thalamus.policy.time_expressions import intervals, without_times
from thalamus.records import Importance, Sensitivity
from thalamus.text.questions import has_question
from thalamus.text.tokens import sentences

_FILE = Path(__file__).parent.parent / "data" / "frames.json"
LONGEST = 300  # characters of a sentence that is read
MOST_LINES = 3  # of a message; more are a letter, a list or verse
MOST_WORDS = 4  # of a thing
_QUOTATION = re.compile(r"[\"“”„«»「『`]|(?<!\w)['‘]\w")
_NO_PROSE = re.compile(r"^\s*(?:[-–•·+]|\w[.)])\s|[*♪♫]|\s/\s", re.M)  # lists, verse, stage play
_CUT = re.compile(r"(?:^| )(?:\w|St|Mt|Ft|Dr|Mrs?|Ms|Prof|Sra?|Mme)$")  # a full stop was no end
_ENDED = re.compile(r"$|[,;.!(–—-]")  # how the text after a clause begins
_SLOT = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"[^\W_]{4,}")  # long enough to tell that a way to say it is not taken
_CAPITAL = r"(?-i:[^\W\d_a-zß-öø-ÿ])"
_LINKS = "de|da|do|dos|la|le|el|del|of|the|upon|am|an|der|den|von|van|sur|les|&"


class _Frame(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that can be said, and the ways to ``say`` it. ``of``: words for people and pets,
    each with its predicate; ``inside``: it may stand anywhere in a clause; ``over``: it holds no
    more; ``dated``: it began or ended at a time, which alone may follow."""

    say: tuple[str, ...]
    type: str
    importance: Importance
    predicate: str = ""
    of: dict[str, str] = {}
    sensitivity: Sensitivity = "normal"
    inside: bool = False
    over: bool = False
    dated: bool = False


class _Language(Struct, frozen=True, forbid_unknown_fields=True):
    """The frames of a language, and its words, as patterns. ``requests``: how a request, a question
    or a letter begins; ``doubts``: what takes a sentence back; ``openings``: what may stand before
    all that; ``joints``: where a clause begins within a sentence; ``before``: what may stand before
    a frame ``inside`` a clause; ``fillers``: what may stand between the words of a frame;
    ``short``: contractions; ``ends``: where anything ends; ``stops``: where a name ends, too;
    ``both``: what joins two things; ``no_names``, ``no_things``: words that none has in it."""

    frames: tuple[_Frame, ...]
    requests: tuple[str, ...]
    doubts: tuple[str, ...]
    openings: tuple[str, ...]
    joints: tuple[str, ...]
    fillers: tuple[str, ...]
    ends: tuple[str, ...]
    stops: tuple[str, ...]
    both: str
    no_names: tuple[str, ...]
    no_things: tuple[str, ...]
    before: tuple[str, ...] = ()
    short: dict[str, str] = {}


class FrameMatch(NamedTuple):
    """A finding: a predicate and an object, the words that say it, and since or until when."""

    frame: _Frame
    predicate: str
    object: str
    quote: str
    day: str | None


@functools.cache
def _languages() -> Mapping[str, _Language]:
    import msgspec

    return msgspec.json.decode(_FILE.read_bytes(), type=dict[str, _Language])


def propose(message: str, said_on: date, known: Iterable[KnownItem] = ()) -> Proposals:
    """The proposals of the frames for a message that was said on a day. Only what is ``known`` can
    be over."""
    memories: list[ProposedMemory] = []
    facts: list[ProposedFact] = []
    endings: list[ProposedEnding] = []
    there = list(known)
    for sentence in _plain_sentences(message):
        found = list(read(sentence, said_on))
        if found:
            memories.append(_memory(sentence, found[0].frame))
        facts += [_fact(one) for one in found if not one.frame.over]
        endings += [end for one in found if one.frame.over for end in _endings(one, there)]
    return Proposals(memories, facts, endings)


def read(sentence: str, said_on: date) -> Iterator[FrameMatch]:
    """All that the frames of any language find in a sentence, each predicate and object once."""
    text = re.sub(r"\W+$", "", _even(sentence))
    seen = set()
    for name, language in _languages().items():
        if _whole(language.doubts).search(text):
            continue
        for clause in _clauses(text, language):
            for said in _said(clause, name, said_on):
                if (said.predicate, said.object) not in seen:
                    seen.add((said.predicate, said.object))
                    yield said


def may_state(sentence: str) -> bool:
    """Tell by its beginning, end and marks that a sentence neither asks nor requests anything, and
    quotes nobody."""
    asks = has_question(sentence) or _QUOTATION.search(sentence) is not None
    return not asks and not _requests(sentence)


def _plain_sentences(message: str) -> Sequence[str]:
    """The sentences of a message that only states something; none of any other, and none in
    capitals, which show no names."""
    found = sentences(message)
    prose = message.strip().count("\n") < MOST_LINES and not _NO_PROSE.search(message)
    if not prose or has_others(message) or not all(map(may_state, found)):
        return ()
    return [one for one in found if len(one) <= LONGEST and one != one.upper()]


def _requests(sentence: str) -> bool:
    """Tell that a sentence begins as a request or a question does."""
    text = _even(sentence)
    return any(_whole(one.requests).match(_opened(text, one)) for one in _languages().values())


def _even(text: str) -> str:
    """A text with single spaces and plain apostrophes."""
    return " ".join(text.replace("’", "'").split())


def _clauses(text: str, language: _Language) -> list[str]:
    """The clauses of a sentence, without what opens them."""
    parts = re.split(rf",? (?=(?:{_any(language.joints)})\b)|; ", text, flags=re.I)
    return [_opened(part, language) for part in parts]


def _opened(text: str, language: _Language) -> str:
    """A text without what opens it ("Well, …")."""
    while match := _whole(language.openings).match(text):
        text = text[match.end() :].lstrip(" ,!")
    return text


def _said(clause: str, name: str, said_on: date) -> Iterator[FrameMatch]:
    """All that the frames of a language find in a clause."""
    both, words = _languages()[name].both, _in_full(clause.lower(), name)
    for place, (frame, say) in enumerate(_ways(name)):
        if not all(word in words for word in _WORD.findall(say.partition("{")[0])):
            continue
        for match in _pattern(name, place).finditer(clause):
            time = _time(clause[match.end() :], said_on) if frame.dated else ("", None)
            predicate = frame.of.get(match["of"].casefold()) if frame.of else frame.predicate
            if time is None or predicate is None:
                continue
            quote = f"{match['said']} {time[0]}".strip()
            for value in re.split(rf",? {both} |, ", match["value"], flags=re.I):
                if not _CUT.search(value):
                    yield FrameMatch(frame, predicate, value, quote, time[1])


def _in_full(text: str, name: str) -> str:
    for full, short in _languages()[name].short.items():
        text = text.replace(short, full)
    return text


def _time(rest: str, said_on: date) -> tuple[str, str | None] | None:
    """The words right after a frame that name one time up to a day, and the time; no words where
    the clause ends there. None where anything else follows."""
    text = rest.strip()
    if _ENDED.match(text):
        return "", None
    left = re.sub(r"^(?:(?:back|on|in|the)\b ?)+", "", _even(without_times(text)))
    time = text[: len(text) - len(left)].strip()
    spans = intervals(time, said_on)
    alone = _ENDED.match(left) and text.casefold().endswith(left)
    if not alone or len(spans) != 1 or spans[0][0] > said_on:
        return None
    return time, _precise(*spans[0])


def _precise(first: date, last: date) -> str | None:
    """A span as the day, the month in which it lies, or the year that it is; None for any other
    one, as a wrong date is worse than none."""
    if first == last:
        return first.isoformat()
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.year:04}-{first.month:02}"
    whole = (first.month, first.day, last.month, last.day) == (1, 1, 12, 31)
    return f"{first.year:04}" if whole and first.year == last.year else None


# -- patterns --------------------------------------------------------------------------------------


def _any(words: Iterable[str]) -> str:
    """One of several words, as a pattern; of none, one that never matches."""
    return "|".join(words) or "(?!)"


@functools.cache
def _whole(words: tuple[str, ...]) -> re.Pattern[str]:
    """One of several words that stands by itself, as a pattern."""
    return re.compile(rf"(?<!\w)(?:{_any(words)})(?!\w)", re.I)


@functools.cache
def _ways(name: str) -> Sequence[tuple[_Frame, str]]:
    """The ways to say something in a language."""
    return [(frame, say) for frame in _languages()[name].frames for say in frame.say]


@functools.cache
def _pattern(name: str, place: int) -> re.Pattern[str]:
    """A way to say something, as a pattern: what stands before it, it, and what follows it."""
    frame, say = _ways(name)[place]
    language = _languages()[name]
    slots = _slots(language)
    *parts, rest = _SLOT.split(say)
    made, end = "", ""
    for text, slot in zip(parts[::2], parts[1::2], strict=True):
        made += _literal(text, language)
        if slot == "of":
            made += rf"{_fillers(language)}(?P<of>{_any(frame.of)})"
        else:
            value, end = slots[slot]
            made += rf"(?P<value>{value})"
    begin = rf"(?:^|[,(] ?|\b(?:{_any(language.before)}) )" if frame.inside else "^"
    if rest or frame.dated:
        end = r"(?![\w'&-])"
    return re.compile(rf"{begin}(?P<said>{made}{_literal(rest, language)}){end}", re.I)


def _slots(language: _Language) -> dict[str, tuple[str, str]]:
    """The patterns of what may stand in a slot and of what must follow it."""
    stops, ends, others = map(_any, (language.stops, language.ends, language.no_things))
    both = language.both
    end = rf"$| ?[;.!(]| [-–—] | (?:{ends})\b"
    begins = rf"(?!(?:{stops}|{ends}|{_any(language.no_names)})\b){_CAPITAL}"
    one = rf"{begins}[\w.&-]*(?:'\w+)?"
    name = rf"{one}(?: (?:(?:{_LINKS}) ){{0,2}}{one}){{0,3}}"
    named = rf"(?={end}|,| (?:{stops})\b| {both} (?-i:[a-z]))"
    one = rf"{begins}[\w-]*(?:'{_CAPITAL}\w+)?"
    person = rf"{one}(?: {one}){{0,2}}"
    word = rf"(?!(?:{stops}|{ends}|{others})\b)[^\W_][\w'-]*"
    thing = rf"{word}(?: {word}){{0,{MOST_WORDS - 1}}}"
    thing_ends = rf"(?={end}|, (?:{both}|{ends}|{others})\b| {both} (?:{ends}|{others})\b)"
    return {
        "name": (name, named),
        "job": (thing, named),
        "thing": (thing, thing_ends),
        "things": (rf"{thing}(?:(?:, {thing}){{0,3}},? {both} {thing})?", thing_ends),
        "person": (person, rf"(?='s\b|[ ,;.!()]|$)(?! (?:\d|&|{_CAPITAL}))"),
        "aside": (person, rf"(?=$|,(?! (?:{both}\b|{_CAPITAL}))| [-–—] |[;.!)])"),
    }


def _literal(text: str, language: _Language) -> str:
    """The words of a frame as a pattern, in full or contracted, with fillers between them."""
    ways = [text, *(text.replace(full, short) for full, short in language.short.items())]
    spaced = (re.sub(" (?!$)", f" {_fillers(language)}", way) for way in dict.fromkeys(ways))
    return rf"(?:{'|'.join(spaced)})"


def _fillers(language: _Language) -> str:
    return rf"(?:(?:{_any(language.fillers)}) )*"


# -- proposals -------------------------------------------------------------------------------------


def _memory(sentence: str, frame: _Frame) -> ProposedMemory:
    """The sentence itself, as a memory."""
    return ProposedMemory(
        quote=sentence,
        content=sentence,
        type=frame.type,
        importance=frame.importance,
        sensitivity=frame.sensitivity,
    )


def _fact(said: FrameMatch) -> ProposedFact:
    return ProposedFact(
        quote=said.quote,
        subject="user",
        predicate=said.predicate,
        object=said.object,
        valid_from=said.day,
        sensitivity=said.frame.sensitivity,
    )


def _endings(said: FrameMatch, known: Sequence[KnownItem]) -> Iterator[ProposedEnding]:
    """The known facts that are over by what a frame found."""
    for item in known:
        if item.triple is None:
            continue
        _, predicate, thing = item.triple
        if predicate == said.predicate and fold(thing) == fold(said.object):
            yield ProposedEnding(quote=said.quote, id=item.id, valid_to=said.day)
