"""Verification: what of a model's proposals may be kept.

The model proposes, code verifies what code can check in any language: that the quote stands in the
user's own words, that names and numbers were said or are known, that ids were shown, that dates fit
what is written. It never decides what a sentence means. Where code has a doubt, the model is asked
for a second look (``decide``). What was said is not lost over how it was put: a memory whose
sentence cannot be used becomes the user's own words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Literal

from thalamus.extract import dates
from thalamus.extract.dates import Calendar, PartialDate
from thalamus.extract.proposals import Proposals, ProposedEnding, ProposedFact, ProposedMemory
from thalamus.policy.injection import suspicious
from thalamus.policy.negation import negated
from thalamus.policy.novelty import says_same
from thalamus.text.names import (
    bare,
    capitalized,
    capitals_are_names,
    folded_words,
    is_cased,
    names,
    numbers,
    stands,
)
from thalamus.text.quotes import Span, find
from thalamus.text.tokens import content_words, share_found, words

PROBABLE = 0.6  # least probability of yes with which a doubted item is kept
AFFIRMATION = 60  # characters of a message that may only affirm what the assistant said
SHORT = 3  # words of a quote that say something by themselves
RENDERED = 0.5  # share of an item's words in its quote from which the quote says the same
SAME = 0.8  # share of a memory's words in another one from which it says the same
UNSUPPORTED = 2  # content words at the end of a sentence that stand nowhere, from which it adds
# how the user is spoken of, and words that a model adds to make a sentence
UNRELATED = "it has no word of what was said"  # a doubt
_FRAME = frozenset("user user's users the nutzer nutzers nutzerin benutzer benutzers".split())

Claim = ProposedMemory | ProposedFact
Kind = Literal["memory", "fact"]


@dataclass(frozen=True)
class KnownItem:
    """Something that is known and was shown to the model: its ``text`` under a short ``id``; ``ref``
    is its id in the store."""

    id: str
    ref: str
    kind: Kind
    text: str


@dataclass(frozen=True)
class Source:
    """What a message may be understood by. ``own``: its parts in the user's own words; ``before``:
    the last thing that the assistant said; ``shown``: all else that the model was shown, the
    dialogue and what is known; ``kin``: words for relatives, ``relations``: the predicates that say
    who they are; ``negative``: those that deny or dislike something."""

    message: str
    own: Sequence[Span]
    said_on: date
    calendar: Calendar
    before: str = ""
    dialogue: Sequence[str] = ()
    known: Mapping[str, KnownItem] = field(default_factory=dict)
    kin: Collection[str] = ()
    relations: Collection[str] = ()
    negative: Collection[str] = ()

    @cached_property
    def everything(self) -> str:
        """All that was said and shown, as one text."""
        known = (item.text for item in self.known.values())
        return "\n".join([self.message, self.before, *self.dialogue, *known])

    @cached_property
    def said(self) -> frozenset[str]:
        """The words of the message and of the dialogue before it."""
        return frozenset(folded_words("\n".join([self.message, self.before, *self.dialogue])))

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(folded_words(self.everything))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Its numbers, and those of the day on which it was said."""
        day = self.said_on
        return frozenset({*numbers(self.everything), *map(str, (day.year, day.month, day.day))})

    @cached_property
    def capitals_are_names(self) -> bool:
        """Whether a capital inside a sentence is a sign of a name: not in German, and not in text
        without capitals."""
        return capitals_are_names("\n".join([self.message, *self.dialogue]))


@dataclass(frozen=True)
class Checked:
    """A proposal with what code found of it.

    ``quote``: the words of the source that it rests on; ``doubts``: why a second look is needed;
    ``verbatim``: the quote is to be kept in place of the model's sentence; ``begin`` and ``end``:
    its dates, as far as they can be right; ``replaces``: what it takes the place of; ``affirmed``:
    the words of the assistant that the message affirms.
    """

    item: Claim
    quote: str
    span: Span
    doubts: tuple[str, ...] = ()
    verbatim: bool = False
    begin: PartialDate | None = None
    end: PartialDate | None = None
    about: bool = False
    replaces: KnownItem | None = None
    affirmed: str = ""
    trust: float = 1.0


@dataclass(frozen=True)
class Ended:
    """Something known that is over, the words that say it, and its last day where one is given."""

    item: KnownItem
    quote: str
    end: PartialDate | None = None


@dataclass(frozen=True)
class Refused:
    """A proposal that is not kept, with the rule and the reason; ``quarantine``: it is put where
    a person can look at it."""

    text: str
    rule: str
    reason: str
    quarantine: bool = False


@dataclass
class Verified:
    """What of a reply may be kept, what needs a second look, and what is refused."""

    kept: list[Checked] = field(default_factory=list)
    doubted: list[Checked] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)


def verify(proposals: Proposals, source: Source) -> Verified:
    """Checks each proposal against what it was made from."""
    found = Verified()
    for ending in proposals.no_longer:
        _check_ending(ending, source, found)
    claims = (*proposals.memories, *proposals.facts)
    over = {claim.replaces for claim in claims} | {ending.id for ending in proposals.no_longer}
    for claim in claims:
        _check(claim, source, over - {None}, found)
    _doubt_rivals(found)
    return found


def _doubt_rivals(found: Verified) -> None:
    """Doubts what is said of the user where the same is said of somebody else in one reply."""
    others = {
        (fact.predicate, fact.object.casefold())
        for fact in (checked.item for checked in (*found.kept, *found.doubted))
        if isinstance(fact, ProposedFact) and fact.subject.casefold() not in _FRAME
    }
    for checked in list(found.kept):
        fact = checked.item
        if not isinstance(fact, ProposedFact) or fact.subject.casefold() not in _FRAME:
            continue
        if (fact.predicate, fact.object.casefold()) in others:
            found.kept.remove(checked)
            found.doubted.append(replace(checked, doubts=("the same is said of somebody else",)))


def decide(found: Verified, probability: Mapping[Claim, float | None]) -> Verified:
    """What is kept after a second look at the doubted items. ``probability``: that the model finds
    an item right, None where it cannot be asked."""
    decided = Verified(refused=list(found.refused), ended=found.ended)
    decided.kept += found.kept
    for checked in found.doubted:
        yes = probability.get(checked.item)
        if yes is not None and yes >= PROBABLE:
            kept = _verbatim(checked) if UNRELATED in checked.doubts else _trusted(checked, yes)
            decided.kept.append(kept)
        elif isinstance(checked.item, ProposedMemory) and _renders(checked):
            decided.kept.append(_verbatim(checked))
        else:
            reason = ", ".join(checked.doubts)
            decided.refused.append(Refused(checked.item.text, "doubted", reason, quarantine=True))
    decided.kept = _each_once(decided.kept)
    return decided


def _trusted(checked: Checked, yes: float) -> Checked:
    """The item with the trust that the second look gives it."""
    return replace(checked, trust=round(yes, 2))


def _verbatim(checked: Checked) -> Checked:
    return replace(checked, verbatim=True, trust=1.0)


def _each_once(items: Sequence[Checked]) -> list[Checked]:
    """The items without those that say what another one says that rests on the same words: of two
    memories the one without doubts is kept, then the longer; the user's own words, where no other
    memory rests on them."""
    best: list[Checked] = []
    for item in sorted(items, key=_preference):
        if not (_is_memory(item) and any(_repeats(item, other) for other in best)):
            best.append(item)
    return [item for item in items if item in best]


def _preference(checked: Checked) -> tuple[bool, int, float, int]:
    """What is kept of several that say the same comes first."""
    return checked.verbatim, len(checked.doubts), -checked.trust, -len(checked.item.text)


def _repeats(item: Checked, other: Checked) -> bool:
    """Whether a memory says what another one does, rightly or wrongly, of the same words."""
    if not _is_memory(other) or not item.span.overlaps(other.span):
        return False
    if item.verbatim:
        return True
    return share_found(_content(item.item.text), _content(other.item.text)) >= SAME


def _is_memory(checked: Checked) -> bool:
    return isinstance(checked.item, ProposedMemory)


# -- one item --------------------------------------------------------------------------------------


def _check(claim: Claim, source: Source, over: Collection[str], found: Verified) -> None:
    """Adds one claim to what is kept, doubted or refused. ``over``: the ids of what the same reply
    replaces or ends."""
    problem = _not_acceptable(claim)
    if problem is not None:
        found.refused.append(problem)
        return
    place = _placed(claim.quote, source)
    if place is None:
        found.refused.append(Refused(claim.text, "no_quote", "the user did not say these words"))
        return
    span, affirmed = place
    checked = _dated(claim, span, affirmed, source)
    known = _known(claim, source)
    if known is not None:
        if known.id not in over:
            found.kept.append(checked)  # said again
        return
    strange = _strange(checked, source)
    if strange is not None:
        _not_said(checked, strange, found)
        return
    if isinstance(claim, ProposedMemory) and claim.content == " ".join(checked.quote.split()):
        found.kept.append(_verbatim(checked))
        return
    checked = _with_doubts(checked, source)
    (found.doubted if checked.doubts else found.kept).append(checked)


def _not_acceptable(claim: Claim) -> Refused | None:
    """Why a claim may not be kept whatever was said: it is an instruction in disguise."""
    pattern = suspicious(claim.text)
    if pattern is None:
        return None
    reason = f"it reads like an instruction to the assistant: {pattern}"
    return Refused(claim.text, "injection", reason, quarantine=True)


def _placed(quote: str, source: Source) -> tuple[Span, str] | None:
    """The part of the message that a quote copies, and the words of the assistant that the message
    only affirms ("yes, that one"); None where the user did not say it."""
    span = find(quote, source.message)
    if span is not None:
        return (span, "") if span.within(source.own) else None
    if source.before and len(source.message.strip()) <= AFFIRMATION and "?" not in source.message:
        affirmed = find(quote, source.before)
        if affirmed is not None:
            return Span(0, len(source.message)), affirmed.of(source.before)
    return None


def _known(claim: Claim, source: Source) -> KnownItem | None:
    """What is known already and says the same."""
    kind = "memory" if isinstance(claim, ProposedMemory) else "fact"
    for item in source.known.values():
        if item.kind != kind or item.id == claim.replaces:
            continue
        if kind == "memory" and says_same(claim.text, item.text):
            return item
        if isinstance(claim, ProposedFact) and claim.valid_from is None and claim.valid_to is None:
            parts = (part.strip().casefold() for part in item.text.split(" | ")[:3])
            if tuple(parts) == tuple(
                part.casefold() for part in (claim.subject, claim.predicate, claim.object)
            ):
                return item
    return None


def _dated(claim: Claim, span: Span, affirmed: str, source: Source) -> Checked:
    """The claim with its dates, as far as they fit the quote, and with what it replaces."""
    quote = span.of(source.message).strip()
    written = f"{quote}\n{affirmed}"
    begin, end = (
        dates.checked(day, written, source.message, source.said_on, source.calendar)
        for day in (claim.valid_from, claim.valid_to)
    )
    stated = dates.parse(claim.valid_to)
    if end is None and stated is not None and stated.first <= source.said_on:
        end = PartialDate.of(source.said_on)  # it is over, whenever that was
    if begin is not None and end is not None and end.first < begin.first:
        begin = None
    about = begin is not None and not dates.is_written(begin, written, source.calendar)
    replaces = source.known.get(claim.replaces or "")
    if replaces is not None and (replaces.kind == "memory") != isinstance(claim, ProposedMemory):
        replaces = None
    return Checked(
        claim, quote, span, (), False, begin, end, about, replaces=replaces, affirmed=affirmed
    )


def _not_said(checked: Checked, strange: str, found: Verified) -> None:
    """A claim with a name or a number that nobody said: its quote is kept in its place, verbatim,
    where it says the same."""
    reason = f"“{strange}” was not said, and is not known"
    found.refused.append(Refused(checked.item.text, "invented", reason, quarantine=True))
    if isinstance(checked.item, ProposedMemory) and _renders(checked):
        found.kept.append(_verbatim(checked))


def _renders(checked: Checked) -> bool:
    """Whether a claim is a rendering of its quote, and that says something by itself."""
    quote = words(checked.quote)
    wanted = _content(checked.item.text)
    return len(quote) >= SHORT and share_found(wanted, quote) >= RENDERED


# -- names and numbers -----------------------------------------------------------------------------


def _strange(checked: Checked, source: Source) -> str | None:
    """A name or a number of a claim that stands nowhere in what was said or is known."""
    claim = checked.item
    allowed = source.numbers | _numbers_of(checked)
    for number in numbers(claim.text):
        if number not in allowed and number.lstrip("0") not in allowed:
            return number
    for name in _names(claim, source):
        if name.casefold() in _FRAME:
            continue
        if not stands(name, source.words) and not _is_date_word(name, checked, source):
            return name
    if isinstance(claim, ProposedFact):
        return _strange_part(claim, source)
    return None


def _names(claim: Claim, source: Source) -> Iterator[str]:
    """The words of a claim that are names by their capitals: any word of a subject and an object,
    and words inside the sentences of a memory."""
    if not source.capitals_are_names:
        return
    if isinstance(claim, ProposedFact):
        for part in (claim.subject, claim.object):
            yield from capitalized(part)
    else:
        yield from names(claim.content)


def _strange_part(fact: ProposedFact, source: Source) -> str | None:
    """The subject or the object of a fact that is written without capitals or spaces, where most of
    it stands nowhere."""
    for part in (fact.subject, fact.object):
        if part.casefold() in _FRAME or any(letter.isupper() for letter in part):
            continue
        if any(is_cased(letter) for letter in part):
            continue
        if share_found(folded_words(part), source.words) < RENDERED:
            return part
    return None


def _is_date_word(name: str, checked: Checked, source: Source) -> bool:
    """Whether a name is that of a month or a weekday of the claim's own dates, or of the day on
    which it was said."""
    word = name.casefold()
    days = [part for part in (checked.begin, checked.end) if part is not None]
    month = source.calendar.months.get(word)
    if month is not None:
        return month == source.said_on.month or any(day.month == month for day in days)
    weekday = source.calendar.weekdays.get(word)
    return weekday is not None and any(day.day and day.first.weekday() == weekday for day in days)


def _numbers_of(checked: Checked) -> set[str]:
    """The numbers of a claim's own dates."""
    found: set[str] = set()
    for part in (checked.begin, checked.end):
        if part is not None:
            found |= {str(number) for number in (part.year, part.month, part.day) if number}
    return found


# -- doubts ----------------------------------------------------------------------------------------


def _with_doubts(checked: Checked, source: Source) -> Checked:
    doubts = [reason for reason, holds in _doubts(checked, source) if holds]
    return replace(checked, doubts=tuple(doubts)) if doubts else checked


def _doubts(checked: Checked, source: Source) -> Iterator[tuple[str, bool]]:
    """The reasons to look twice, each with whether it holds."""
    yield "it affirms what the assistant said", bool(checked.affirmed)
    yield "the quote is in quotation marks", _in_marks(checked.span, source.message)
    yield "one of both denies it", _turned(checked, source)
    yield "it may be about somebody else", _leaves_out(checked, source)
    yield "it says more than was said", _adds(checked, source)
    yield UNRELATED, _is_unrelated(checked, source)


def _turned(checked: Checked, source: Source) -> bool:
    """Whether a claim denies what its quote says, or the other way round."""
    claim = checked.item
    denied = negated(f"{checked.quote} {checked.affirmed}")
    if isinstance(claim, ProposedMemory):
        return denied != negated(claim.content)
    negative = claim.predicate in source.negative or negated(claim.text.replace("_", " "))
    return denied and not negative


def _leaves_out(checked: Checked, source: Source) -> bool:
    """Whether the quote names a relative or somebody else whom a claim about the user leaves out."""
    claim = checked.item
    said = words(claim.text)
    if isinstance(claim, ProposedFact):
        if claim.subject.casefold() not in _FRAME or claim.predicate in source.relations:
            return False
    elif names(claim.content):
        return False  # a name stands for the relative
    there = [word for word in words(checked.quote) if word in source.kin]
    there += _names_in(checked.quote, source)
    return any(share_found([word], said) < 1 for word in there)


def _names_in(quote: str, source: Source) -> list[str]:
    """The words inside a quote that are names by their capitals, in lower case; no days."""
    if not source.capitals_are_names:
        return []
    dates = {**source.calendar.months, **source.calendar.weekdays}
    return [name for word in names(quote) if (name := word.casefold()) not in dates]


def _adds(checked: Checked, source: Source) -> bool:
    """Whether a claim ends in words that stand nowhere."""
    claim = checked.item
    if isinstance(claim, ProposedFact):
        return share_found(_content(claim.object), source.words) < RENDERED
    supported = [share_found([word], source.words) > 0 for word in _content(claim.content)]
    ending = next((n for n, there in enumerate(reversed(supported)) if there), len(supported))
    return ending >= UNSUPPORTED


def _is_unrelated(checked: Checked, source: Source) -> bool:
    """Whether a memory has no word in common with what was said: then the user's own words are
    kept, if anything."""
    claim = checked.item
    if not isinstance(claim, ProposedMemory):
        return False
    wanted = _content(claim.content)
    return bool(wanted) and share_found(wanted, source.said) == 0


def _in_marks(span: Span, message: str) -> bool:
    """Whether a part of a message stands between quotation marks."""
    for match in _MARKED.finditer(message):
        if match.start() < span.start and span.end <= match.end():
            return True
    return False


# -- endings ---------------------------------------------------------------------------------------


def _check_ending(ending: ProposedEnding, source: Source, found: Verified) -> None:
    """Adds what is over, where it was shown and the user says so."""
    item = source.known.get(ending.id)
    if item is None:
        found.refused.append(Refused(ending.quote, "unknown_id", f"{ending.id} was not shown"))
        return
    place = _placed(ending.quote, source)
    if place is None:
        reason = "the user did not say these words"
        found.refused.append(Refused(ending.quote, "no_quote", reason))
        return
    quote = place[0].of(source.message).strip()
    end = dates.checked(ending.valid_to, quote, source.message, source.said_on, source.calendar)
    found.ended.append(Ended(item, quote, end))


# -- words -----------------------------------------------------------------------------------------

_MARKED = re.compile(r"[\"“„«「『‹][^\"”“»」』›]{2,}[\"”“»」』›]")


def _content(text: str) -> list[str]:
    """The content words of a claim, without how the user is spoken of."""
    return [word for word in bare(content_words(text)) if word not in _FRAME]
