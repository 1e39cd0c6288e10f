"""Plain frames: proposals for when there is no capable model.

A frame is a plain wording of one statement ("I live in {name}"), stored as data in
``data/frames.json``. Frames propose as a model does, with the user's own sentence as the memory,
and their proposals are verified like any other. They never veto. Frames of a wish about the
assistant ("Be formal with me") have to match every sentence of a message; for the others a message
is skipped entirely if it asks or requests something, or has many lines, quotation marks, code or
words that may be other people's; it is read as far as the frames match, except in a list, since a
sentence that they do not understand may say whose words the rest are. A frame earns its place on
text that was not written to test it; one that is sometimes wrong is removed.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct

from thalamus import data
from thalamus.extract import dates
from thalamus.extract.proposals import (
    Proposals,
    ProposedEnding,
    ProposedFact,
    ProposedMemory,
)
from thalamus.extract.source import KnownItem
from thalamus.policy.mentions import names_all, subject_words
from thalamus.policy.salience import small_talk
from thalamus.records import Importance, Sensitivity
from thalamus.text import places
from thalamus.text.analyzer import fold
from thalamus.text.given_names import GIVEN_NAMES
from thalamus.text.marks import is_item, is_list, without_emoji, without_marks
from thalamus.text.questions import has_question
from thalamus.text.sentences import sentences
from thalamus.text.voices import has_others, unclear_parts

LONGEST = 300  # characters of the longest sentence that is read
MOST_LINES = 3  # longer messages are a letter or verse
MOST_ITEMS = 12  # of a list
MOST_WORDS = 4  # of a {thing}
_QUOTATION = re.compile(r"[\"“”„«»「『`]|(?<!\w)['‘]\w")
# dialogue, headings, names before a text and below it, verse, arrows, stage directions
_NO_PROSE = re.compile(
    r"^\s*(?:[-–•·+]\s|\w[.)]\s|[#\[@]|\S+ ?[>|])|[♪♫→]|\s/\s|[-=]>|[~–—-] ?\w+(?: \w+)?\s*$",
    re.M,
)
_STAGE = re.compile(r"(?:^|[.!?\n]\s*)\*(?!\*)|(?<!\*)\*[a-zß-ÿ(]")
# a full stop that did not end a sentence
_CUT = re.compile(r"(?:^| )(?:\w|St|Mt|Ft|Dr|Mrs?|Ms|Prof|Sra?|Mme)$")
_SLOT = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"[^\W_]{2,}")
_CHOICE = re.compile(r"\([^)]*\)|\[[^]]*\]|\{\w+\}")  # a part of a wording that may differ
_CAPITAL = r"(?-i:[^\W\d_a-zß-öø-ÿ])"
_LINKS = "de|da|do|dos|la|le|el|del|of|the|upon|am|an|der|den|von|van|sur|les|&"


class _Frame(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of statement and its wordings (``say``). ``of``: words for people and pets, each
    with its predicate; ``inside``: the frame may match anywhere in a clause; ``over``: the
    statement no longer holds; ``dated``: only a time expression may follow, naming the beginning or
    the end."""

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
    """Frames of a language and its vocabulary, as patterns. ``wishes``: frames about the assistant,
    ``asking``: what may stand before or after one, and around ``forget``, the words of a request to
    forget what follows; ``requests``: openings of a request, a
    question or a letter; ``retractions``: openings of a sentence that takes back the one before;
    ``unread``: words of a request or of another speaker, anywhere in a message; ``doubts``: words
    that make a sentence unreliable; ``openings``: words skipped at the start; ``joints``: starts of
    a clause within a sentence; ``before``: words that may precede an ``inside`` frame; ``fillers``:
    optional words between those of a frame; ``short``: contractions; ``ends``: words that end any
    slot; ``stops``: words that also end a name; ``both``: the conjunction of two things;
    ``no_names`` and ``no_things``: words that no name or thing contains."""

    frames: tuple[_Frame, ...]
    wishes: tuple[_Frame, ...]
    asking: tuple[str, ...]
    forget: tuple[str, ...]
    requests: tuple[str, ...]
    retractions: tuple[str, ...]
    unread: tuple[str, ...]
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


class Match(Struct, frozen=True):
    """A match: predicate and object, the quote, and the day it began or ended."""

    frame: _Frame
    predicate: str
    object: str
    quote: str
    day: str | None


@functools.cache
def _languages() -> Mapping[str, _Language]:
    import msgspec

    return msgspec.json.decode(data.read("frames.json"), type=dict[str, _Language])


def propose(
    message: str, said_on: date, known: Callable[[], Iterable[KnownItem]] = tuple
) -> Proposals:
    """Proposals of the frames for a message sent on ``said_on``. Only ``known`` facts can end."""
    if wishes := _wishes(message):
        return Proposals(wishes, [], [])
    if topic := _to_forget(message):
        texts = {item.id: item.text.replace("_", " ") for item in known()}
        return Proposals(forget=[id for id, text in texts.items() if names_all(topic, text)])
    memories: list[ProposedMemory] = []
    facts: list[ProposedFact] = []
    endings: list[ProposedEnding] = []
    listed = is_list(message)
    for sentence in _plain_sentences(message):
        found = list(read(sentence, said_on)) if _is_readable(sentence) else []
        if found:
            memories.append(_memory(sentence, found[0].frame))
        elif not (listed or small_talk(sentence)):
            break
        facts += [_fact(one) for one in found if not one.frame.over]
        endings += [end for one in found if one.frame.over for end in _endings(one, known())]
    return Proposals(memories, facts, endings)


def read(sentence: str, said_on: date) -> Iterator[Match]:
    """Matches of all languages' frames in a sentence, without duplicates."""
    text = _with_capitals(re.sub(r"\W+$", "", _normalized(sentence)))
    seen = set()
    for name, language in _languages().items():
        if _whole_word(language.doubts).search(text):
            continue
        for clause in _clauses(text, language):
            for match in _matches(clause, name, said_on):
                if (match.predicate, match.object) not in seen:
                    seen.add((match.predicate, match.object))
                    yield match


def _wishes(message: str) -> list[ProposedMemory]:
    """The sentences of a message that only says what the assistant is called or how it shall
    speak; otherwise nothing."""
    found = []
    for sentence in sentences(message):
        frame = _wish(sentence) if _is_readable(sentence) else None
        if frame is None:
            return []
        found.append(_memory(sentence, frame))
    return found


def _wish(sentence: str) -> _Frame | None:
    """The frame of a wish that a whole sentence is."""
    text = re.sub(r"\W+$", "", _normalized(sentence))
    for name, language in _languages().items():
        wish = _without_opening(text, language)
        for place, (frame, say) in enumerate(_wordings(name, wishes=True)):
            if _has_words(say, wish.lower()) and _wish_pattern(name, place).fullmatch(wish):
                return frame
    return None


def _to_forget(message: str) -> list[str]:
    """Words of what a message of one sentence asks to forget; empty for any other."""
    text = re.sub(r"\W+$", "", _normalized(message))
    if len(sentences(message)) == 1 and _is_readable(text):
        for name, language in _languages().items():
            if match := _forget_pattern(name).fullmatch(_without_opening(text, language)):
                return subject_words(match["topic"])
    return []


def may_state(sentence: str) -> bool:
    """True if a sentence, by its beginning, end and punctuation, does not ask, request or quote."""
    asks = has_question(sentence) or _QUOTATION.search(sentence) is not None
    return not asks and not _begins_request(sentence)


def only_states(message: str) -> bool:
    """True if a message, by its words and punctuation, has no request, question, quotation or other
    speaker in it, and takes nothing of it back."""
    parts = sentences(message)
    return (
        not requests(message) and all(map(may_state, parts)) and not any(map(_retracts, parts[1:]))
    )


def requests(message: str) -> bool:
    """True if a message, by its words, requests something, sets a scene or has another speaker."""
    unread = any(_whole_word(one.unread).search(message) for one in _languages().values())
    return unread or any(map(_begins_request, sentences(message)))


def _plain_sentences(message: str) -> Sequence[str]:
    """Sentences of a message that consists of statements only; otherwise nothing."""
    items = message.strip().splitlines()
    listed = len(items) > 1 and all(map(is_item, items))
    if len(items) > (MOST_ITEMS if listed else MOST_LINES):
        return ()
    if not listed and (_NO_PROSE.search(message) or _STAGE.search(message)):
        return ()
    if has_others(message) or unclear_parts(message):
        return ()
    lines = without_marks(message, listed).splitlines()
    text = "\n".join(map(without_emoji, lines))
    if not only_states(text):
        return ()
    return sentences(text)


def _is_readable(sentence: str) -> bool:
    """True if a sentence is not too long, and not in capitals, which show no names."""
    return len(sentence) <= LONGEST and sentence != sentence.upper()


def _begins_request(sentence: str) -> bool:
    """True if a sentence begins like a request or a question."""
    text = _normalized(sentence)
    return any(
        _whole_word(words).match(_without_opening(text, one))
        for one in _languages().values()
        for words in (one.requests, one.forget)
    )


def _retracts(sentence: str) -> bool:
    """True if a sentence begins by taking back the one before."""
    return any(
        _whole_word(one.retractions).match(_without_opening(_normalized(sentence), one))
        for one in _languages().values()
    )


def _normalized(text: str) -> str:
    """The text with single spaces and straight apostrophes."""
    return " ".join(text.replace("’", "'").split())


def _with_capitals(text: str) -> str:
    """A text without any capital letter, with one for each given name."""
    if text != text.lower():
        return text
    return _WORD.sub(lambda word: word[0].title() if word[0] in GIVEN_NAMES else word[0], text)


def _clauses(text: str, language: _Language) -> list[str]:
    """The clauses of a sentence, without opening words."""
    parts = re.split(rf",? (?=(?:{_alternation(language.joints)})\b)|; ", text, flags=re.I)
    return [_without_opening(part, language) for part in parts]


def _without_opening(text: str, language: _Language) -> str:
    """The text without opening punctuation and words ("Well, …")."""
    text = re.sub(r"^\W+", "", text)
    while match := _whole_word(language.openings).match(text):
        text = text[match.end() :].lstrip(" ,!")
    return text


def _matches(clause: str, name: str, said_on: date) -> Iterator[Match]:
    """Matches of one language's frames in a clause."""
    both, words = _languages()[name].both, _uncontracted(clause.lower(), name)
    for place, (frame, say) in enumerate(_wordings(name)):
        if not _has_words(say, words):
            continue
        pattern, text = _pattern(name, place), clause
        if "{place}" in say and not pattern.search(clause):
            text = places.with_capitals(clause, name)
        for match in pattern.finditer(text):
            state = not frame.dated
            time = dates.named(text[match.end() :], said_on, state=state, lasting=state)
            if time is None and state:
                time = "", None
            predicate = frame.of.get(match["of"].casefold()) if frame.of else frame.predicate
            if time is None or predicate is None:
                continue
            quote = f"{match['said']} {time[0]}".strip()
            for value in re.split(rf",? {both} |, ", match["value"], flags=re.I):
                if not _CUT.search(value):
                    yield Match(frame, predicate, value, quote, str(time[1]) if time[1] else None)


def _has_words(say: str, text: str) -> bool:
    """True if a text has the words of a wording that cannot differ. Its pattern takes milliseconds
    to compile."""
    return all(word in text for word in _WORD.findall(_CHOICE.sub(" ", say)))


def _uncontracted(text: str, name: str) -> str:
    for full, short in _languages()[name].short.items():
        text = re.sub(rf"\b{_contraction(short)}\b", full, text)
    return text


def _contraction(short: str) -> str:
    """Pattern of a contraction, whose apostrophe may be missing ("im allergic")."""
    return short.replace("'", "'?")


# -- patterns --------------------------------------------------------------------------------------


def _alternation(words: Iterable[str]) -> str:
    """Alternation of words; a pattern that never matches if there are none."""
    return "|".join(words) or "(?!)"


@functools.cache
def _whole_word(words: tuple[str, ...]) -> re.Pattern[str]:
    """Pattern for any of the words as whole words."""
    return re.compile(rf"(?<!\w)(?:{_alternation(words)})(?!\w)", re.I)


@functools.cache
def _wordings(name: str, wishes: bool = False) -> Sequence[tuple[_Frame, str]]:
    """All wordings of a language, or those of its wishes, with their frames."""
    language = _languages()[name]
    return [
        (frame, say)
        for frame in (language.wishes if wishes else language.frames)
        for say in frame.say
    ]


@functools.cache
def _pattern(name: str, place: int) -> re.Pattern[str]:
    """Pattern of one wording with its context on both sides."""
    frame, say = _wordings(name)[place]
    language = _languages()[name]
    slots = _slots(language)
    *parts, rest = _SLOT.split(say)
    pattern, end = "", ""
    for text, slot in zip(parts[::2], parts[1::2], strict=True):
        pattern += _literal(text, language)
        if slot == "of":
            pattern += rf"{_fillers(language)}(?P<of>{_alternation(frame.of)})"
        else:
            value, end = slots[slot]
            pattern += rf"(?P<value>{value})"
    begin = rf"(?:^|[,(] ?|\b(?:{_alternation(language.before)}) )" if frame.inside else "^"
    if rest or frame.dated:
        end = r"(?![\w'&-])"
    return re.compile(rf"{begin}(?P<said>{pattern}{_literal(rest, language)}){end}", re.I)


@functools.cache
def _wish_pattern(name: str, place: int) -> re.Pattern[str]:
    """Pattern of one wording of a wish and of what may stand before and after it."""
    language = _languages()[name]
    text, *slot = _SLOT.split(_wordings(name, wishes=True)[place][1])[:2]
    value = _slots(language)[slot[0]][0] if slot else ""
    return _asked(f"{text}{value}", language)


@functools.cache
def _forget_pattern(name: str) -> re.Pattern[str]:
    """Pattern of a request to forget something."""
    language = _languages()[name]
    return _asked(rf"(?:{_alternation(language.forget)}),? (?P<topic>\S.*?)", language)


def _asked(pattern: str, language: _Language) -> re.Pattern[str]:
    """The pattern with what may stand before and after a wish or a request."""
    asking = _alternation(language.asking)
    return re.compile(rf"(?:(?:{asking}),? )*{pattern}(?:,? (?:{asking}))*", re.I)


def _slots(language: _Language) -> dict[str, tuple[str, str]]:
    """For each slot, the pattern of its value and of the text that must follow."""
    stops, ends, others = map(_alternation, (language.stops, language.ends, language.no_things))
    both = language.both
    end = rf"$| ?[;.!(]| [-–—] | (?:{ends})\b"
    begins = rf"(?!(?:{stops}|{ends}|{_alternation(language.no_names)})\b){_CAPITAL}"
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
        "place": (name, named),  # one of ``places`` also without capitals
        "job": (thing, named),
        "thing": (thing, thing_ends),
        "things": (rf"{thing}(?:(?:, {thing}){{0,3}},? {both} {thing})?", thing_ends),
        "person": (person, rf"(?='s\b|[ ,;.!()]|$)(?! (?:\d|&|{_CAPITAL}))"),
        "aside": (person, rf"(?=$|,(?! (?:{both}\b|{_CAPITAL}))| [-–—] |[;.!)])"),
    }


def _literal(text: str, language: _Language) -> str:
    """Pattern for the words of a frame, in full or contracted, with fillers in between."""
    short = language.short.items()
    wordings = [text, *(text.replace(full, _contraction(way)) for full, way in short)]
    spaced = (re.sub(" (?!$)", f" {_fillers(language)}", way) for way in dict.fromkeys(wordings))
    return rf"(?:{'|'.join(spaced)})"


def _fillers(language: _Language) -> str:
    return rf"(?:(?:{_alternation(language.fillers)}) )*"


# -- proposals -------------------------------------------------------------------------------------


def _memory(sentence: str, frame: _Frame) -> ProposedMemory:
    """The sentence itself as a memory."""
    return ProposedMemory(
        quote=sentence,
        content=sentence,
        type=frame.type,
        importance=frame.importance,
        sensitivity=frame.sensitivity,
    )


def _fact(match: Match) -> ProposedFact:
    return ProposedFact(
        quote=match.quote,
        subject="user",
        predicate=match.predicate,
        object=match.object,
        valid_from=match.day,
        sensitivity=match.frame.sensitivity,
    )


def _endings(match: Match, known: Iterable[KnownItem]) -> Iterator[ProposedEnding]:
    """Known facts that a match ends."""
    for item in known:
        if item.triple is None:
            continue
        _, predicate, thing = item.triple
        if predicate == match.predicate and fold(thing) == fold(match.object):
            yield ProposedEnding(quote=match.quote, id=item.id, valid_to=match.day)
