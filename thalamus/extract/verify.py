"""Verification: what of a model's proposals may be kept.

The model proposes, code verifies what code can check in any language: that the quote stands in the
user's own words, that names and numbers were said or are known (``invented``), that ids were shown,
that dates fit what is written (``dates``). It never decides what a sentence means. Where code has a
doubt (``doubts``), the model is asked for a second look (``decide``). What was said is not lost
over how it was put: a memory whose sentence cannot be used becomes the user's own words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from thalamus.extract import dates
from thalamus.extract.dates import PartialDate
from thalamus.extract.doubts import NOT_THEIRS, UNRELATED, doubts, has_form
from thalamus.extract.invented import may_be_meant, strange
from thalamus.extract.proposals import Proposals, ProposedEnding, ProposedFact, ProposedMemory
from thalamus.extract.source import KnownItem, Source, content_words, is_user
from thalamus.extract.verdicts import Checked, Claim, Ended, Refused, Verified
from thalamus.policy.entities import subject_name
from thalamus.policy.injection import suspicious
from thalamus.text.names import folded_words
from thalamus.text.questions import has_question
from thalamus.text.quotes import ENDS, Span, find
from thalamus.text.statements import says_same
from thalamus.text.tokens import sentences, share_found

PROBABLE = 0.6  # least probability of yes with which a doubted item is kept
AFFIRMATION = 60  # characters of a message that may only affirm what the assistant said
SHORT = 3  # words of a quote that say something by themselves
RENDERED = 0.5  # share of an item's words in its quote from which the quote says the same
SAME = 0.8  # share of a memory's words in another one from which it says the same


def verify(proposals: Proposals, source: Source) -> Verified:
    """Checks each proposal against what it was made from."""
    found = Verified()
    contents = [memory.content for memory in proposals.memories]
    subjects = [fact.subject for fact in proposals.facts]
    source = replace(source, contents=contents, subjects=subjects)
    for ending in proposals.no_longer:
        _check_ending(ending, source, found)
    claims: Sequence[Claim] = [*proposals.memories, *proposals.facts]
    over = {ending.id for ending in proposals.no_longer}
    over |= {claim.replaces for claim in claims if claim.replaces}
    for claim in claims:
        _check(claim, source, over, found)
    _doubt_rivals(found)
    _doubt_inventions(found)
    return found


def _doubt_rivals(found: Verified) -> None:
    """Doubts what is said of the user where the same is said of somebody else in one reply."""
    facts = [checked.item for checked in (*found.kept, *found.doubted)]
    others = {
        (fact.predicate, fact.object.casefold())
        for fact in facts
        if isinstance(fact, ProposedFact) and not is_user(fact.subject)
    }
    for checked in [*found.kept]:
        fact = checked.item
        if not isinstance(fact, ProposedFact) or not is_user(fact.subject):
            continue
        if (fact.predicate, fact.object.casefold()) in others:
            found.kept.remove(checked)
            found.doubted.append(replace(checked, doubts=("the same is said of somebody else",)))


def _doubt_inventions(found: Verified) -> None:
    """Doubts the memories with a name or a number for which another item was refused."""
    invented = [refused.strange for refused in found.refused if refused.strange]
    for checked in [*found.kept] if invented else ():
        content = checked.item.text
        if not checked.is_memory or checked.verbatim:
            continue
        word = next((word for word in invented if has_form(folded_words(word)[0], content)), None)
        if word is not None:
            found.kept.remove(checked)
            found.doubted.append(replace(checked, doubts=(f"“{word}” was not said",)))


def decide(
    found: Verified, probability: Mapping[Claim, float | None], least: float = PROBABLE
) -> Verified:
    """Decides what is kept after a second look at the doubted items. ``probability``: that the
    model finds an item right, None where it cannot be asked; ``least``: from which on it is kept.
    """
    decided = Verified(refused=list(found.refused), ended=found.ended)
    decided.kept += found.kept
    for checked in found.doubted:
        yes = probability.get(checked.item)
        if yes is not None and yes >= least:
            unrelated = UNRELATED in checked.doubts and len(folded_words(checked.quote)) >= SHORT
            decided.kept.append(_verbatim(checked) if unrelated else _trusted(checked, yes))
        elif _renders(checked, checked.quote) and not NOT_THEIRS & {*checked.doubts}:
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
        if not (item.is_memory and any(_repeats(item, other) for other in best)):
            best.append(item)
    return [item for item in items if item in best]


def _preference(checked: Checked) -> tuple[bool, int, float, int]:
    """The order of several that say the same: the one that is kept comes first."""
    return checked.verbatim, len(checked.doubts), -checked.trust, -len(checked.item.text)


def _repeats(item: Checked, other: Checked) -> bool:
    """Tells whether a memory says what another one does, rightly or wrongly, of the same words."""
    if not other.is_memory or not item.span.overlaps(other.span):
        return False
    if item.verbatim:
        return True
    return share_found(content_words(item.item.text), content_words(other.item.text)) >= SAME


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
    checked = _dated(claim, span, affirmed or _answered(claim, source), source)
    known = _known(claim, source)
    if known is not None:
        if known.id not in over:
            found.kept.append(checked)  # said again
        return
    unsaid = [*strange(checked, source)]
    invented = next((word for word in unsaid if not may_be_meant(word, checked, source)), None)
    if invented is not None:
        _not_said(checked, invented, source, found)
        return
    checked = replace(checked, doubts=tuple(doubts(checked, unsaid, source)))
    if _is_copied(checked) and not NOT_THEIRS & {*checked.doubts}:
        checked = _verbatim(replace(checked, doubts=()))
    (found.doubted if checked.doubts else found.kept).append(checked)


def _is_copied(checked: Checked) -> bool:
    """Tells whether a memory is its quote, word for word."""
    written = " ".join(checked.quote.split())
    return checked.is_memory and checked.item.text.rstrip(ENDS) == written.rstrip(ENDS)


def _not_acceptable(claim: Claim) -> Refused | None:
    """The refusal of a claim that is an instruction in disguise, whatever was said."""
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
    if (
        source.before
        and len(source.message.strip()) <= AFFIRMATION
        and not has_question(source.message)
    ):
        affirmed = find(quote, source.before)
        if affirmed is not None:
            return Span(0, len(source.message)), affirmed.of(source.before)
    return None


def _answered(claim: Claim, source: Source) -> str:
    """The sentence of the assistant that a claim has words from, where none of its words is in the
    message: "yes", "the first one"."""
    wanted = content_words(claim.object if isinstance(claim, ProposedFact) else claim.content)
    if not source.before or any(source.message_words.has(word) for word in wanted):
        return ""
    wanted = [word for word in wanted if not source.users.has(word)]
    said = [(share_found(wanted, folded_words(one)), one) for one in sentences(source.before)]
    share, sentence = max(said, default=(0.0, ""))
    return sentence if wanted and share > 0 else ""


def _known(claim: Claim, source: Source) -> KnownItem | None:
    """The known item that says the same."""
    others = [item for item in source.known.values() if item.id != claim.replaces]
    if isinstance(claim, ProposedMemory):
        known = (item for item in others if item.kind == "memory")
        return next((item for item in known if says_same(claim.text, item.text)), None)
    if claim.valid_from is not None or claim.valid_to is not None:
        return None
    said = (subject_name(claim.subject), claim.predicate, claim.object)
    return next((item for item in others if _folded(item.triple or ()) == _folded(said)), None)


def _folded(parts: Iterable[str]) -> list[str]:
    return [part.casefold() for part in parts]


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
    if begin is not None and end is not None and str(end) < str(begin)[: len(str(end))]:
        begin = None
    about = begin is not None and not dates.is_written(begin, written, source.calendar)
    replaces = source.known.get(claim.replaces or "")
    if replaces is not None and (replaces.kind == "memory") != isinstance(claim, ProposedMemory):
        replaces = None
    return Checked(
        claim, quote, span, (), False, begin, end, about, replaces=replaces, affirmed=affirmed
    )


def _not_said(checked: Checked, unsaid: str, source: Source, found: Verified) -> None:
    """A claim with a name or a number that nobody said: its quote is kept in its place, verbatim,
    where it says the same; it takes the place of nothing, for what has changed may be told only by
    both."""
    reason = f"“{unsaid}” was not said, and is not known"
    found.refused.append(Refused(checked.item.text, "invented", reason, True, unsaid))
    if not checked.affirmed and _renders(checked, source.everything):
        found.kept.append(replace(_verbatim(checked), replaces=None))


def _renders(checked: Checked, said: str) -> bool:
    """Tells whether a memory is a rendering of its quote by what was ``said``, and the quote says
    something by itself."""
    quote, wanted = folded_words(checked.quote), content_words(checked.item.text)
    rendered = share_found(wanted, folded_words(said)) >= RENDERED
    return checked.is_memory and len(quote) >= SHORT and rendered and share_found(wanted, quote) > 0


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
