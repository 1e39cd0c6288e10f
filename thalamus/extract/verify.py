"""Verification: decides which of a model's proposals may be kept.

The model proposes; code verifies what can be checked in any language: the quote is in the user's
own words, names and numbers were mentioned or are known (``invented``), ids were shown, dates fit
the text (``dates``). It never decides what a sentence means. In doubt (``doubts``) the model takes
a second look (``decide``). Nothing the user said is lost because of the wording: a memory whose
sentence cannot be used becomes the user's own words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import structs
from msgspec.structs import replace

from thalamus.extract import dates
from thalamus.extract.doubts import (
    DENIED,
    NOT_USERS_WORDS,
    UNRELATED,
    denies,
    doubts,
    has_form,
)
from thalamus.extract.invented import may_be_variant, unsupported_names
from thalamus.extract.proposals import Proposals, ProposedEnding, ProposedFact, ProposedMemory
from thalamus.extract.second_look import LEAST_YES
from thalamus.extract.source import KnownItem, Source, content_words, is_user
from thalamus.extract.verdicts import Checked, Claim, Ended, Refused, Verified
from thalamus.policy.entities import subject_name
from thalamus.policy.injection import injection_verdict
from thalamus.policy.time_expressions import leading_time, may_recur
from thalamus.text.analyzer import fold
from thalamus.text.marks import is_list, name_without_marks, without_marks
from thalamus.text.names import folded_words
from thalamus.text.partial_dates import PartialDate, parse
from thalamus.text.questions import has_question
from thalamus.text.quotes import ENDS, Span, find
from thalamus.text.sentences import sentences
from thalamus.text.statements import says_same
from thalamus.text.tokens import share_found

AFFIRMATION = 60  # characters up to which a message may just affirm what the assistant said
SHORT = 3  # words from which a quote is meaningful by itself
RENDERED = 0.5  # share of an item's words in its quote from which the quote says the same
SAME = 0.8  # share of a memory's words in another from which both say the same


def verify(proposals: Proposals, source: Source) -> Verified:
    """Checks each proposal against its source. A request to forget stores nothing."""
    found = Verified()
    if proposals.forget:
        found.forget = [source.known[id] for id in proposals.forget if id in source.known]
        return found
    contents = [memory.content for memory in proposals.memories]
    subjects = [fact.subject for fact in proposals.facts]
    source = replace(source, contents=contents, subjects=subjects)
    for ending in proposals.no_longer:
        _check_ending(ending, source, found)
    claims: Sequence[Claim] = [*proposals.memories, *proposals.facts]
    over = {ended.item.id for ended in found.ended}
    over |= {claim.replaces for claim in claims if claim.replaces}
    for claim in claims:
        _check(claim, source, over, found)
    _doubt_rivals(found)
    _doubt_inventions(found)
    return found


def _doubt_rivals(found: Verified) -> None:
    """Doubts a fact about the user if the same reply states it of someone else."""
    facts = [checked.item for checked in (*found.kept, *found.doubted)]
    others = {
        (fact.predicate, fold(fact.object))
        for fact in facts
        if isinstance(fact, ProposedFact) and not is_user(fact.subject)
    }
    for checked in [*found.kept]:
        fact = checked.item
        if not isinstance(fact, ProposedFact) or not is_user(fact.subject):
            continue
        if (fact.predicate, fold(fact.object)) in others:
            found.kept.remove(checked)
            found.doubted.append(replace(checked, doubts=("the same is said of someone else",)))


def _doubt_inventions(found: Verified) -> None:
    """Doubts memories that contain a name or number for which another item was refused."""
    invented = [refused.strange for refused in found.refused if refused.strange]
    for checked in [*found.kept] if invented else ():
        content = checked.item.text
        if not checked.is_memory or checked.verbatim:
            continue
        word = next((word for word in invented if has_form(folded_words(word)[0], content)), None)
        if word is not None:
            found.kept.remove(checked)
            found.doubted.append(replace(checked, doubts=(f"“{word}” was never mentioned",)))


def decide(found: Verified, probability: Mapping[Claim, float | None]) -> Verified:
    """Decides on the doubted items after a second look. ``probability``: how likely the model finds
    each one right (None if it cannot be asked)."""
    decided = Verified(refused=list(found.refused), ended=found.ended, forget=found.forget)
    decided.kept += found.kept
    for checked in found.doubted:
        yes = probability.get(checked.item)
        if yes is not None and yes >= LEAST_YES:
            unrelated = UNRELATED in checked.doubts and len(folded_words(checked.quote)) >= SHORT
            decided.kept.append(_verbatim(checked) if unrelated else checked)
        elif _renders(checked, checked.quote) and not NOT_USERS_WORDS & {*checked.doubts}:
            decided.kept.append(_verbatim(checked))
        else:
            reason = ", ".join(checked.doubts)
            item = checked.item
            decided.refused.append(Refused(item.text, "doubted", reason, True, item=item))
    decided.kept = _each_once(decided.kept)
    return decided


def _verbatim(checked: Checked) -> Checked:
    return replace(checked, verbatim=True)


def _each_once(items: Sequence[Checked]) -> list[Checked]:
    """Items without duplicates that rest on the same words. Of two memories the one without doubts
    is kept, then the longer; the user's own words are kept where no other memory rests on them."""
    best: list[Checked] = []
    for item in sorted(items, key=_preference):
        if not (item.is_memory and any(_repeats(item, other) for other in best)):
            best.append(item)
    return [item for item in items if item in best]


def _preference(checked: Checked) -> tuple[bool, int, int]:
    """Sort key of duplicates: the one to keep comes first."""
    return checked.verbatim, len(checked.doubts), -len(checked.item.text)


def _repeats(item: Checked, other: Checked) -> bool:
    """True if a memory repeats another that rests on the same words."""
    if not other.is_memory or not item.span.overlaps(other.span):
        return False
    if item.verbatim:
        return True
    return share_found(content_words(item.item.text), content_words(other.item.text)) >= SAME


# -- one item --------------------------------------------------------------------------------------


def _check(claim: Claim, source: Source, over: Collection[str], found: Verified) -> None:
    """Adds a claim to the kept, doubted or refused items. ``over``: ids that the same reply
    replaces or ends."""
    disguised = injection_verdict(claim.text)
    if disguised is not None:
        rule, reason = disguised.rule, disguised.reason
        found.refused.append(Refused(claim.text, rule, reason, True, item=claim))
        return
    claim = _without_marks(claim, source)
    place = _locate(claim.quote, source)
    if place is None:
        reason = "the user did not say these words"
        found.refused.append(Refused(claim.text, "no_quote", reason, item=claim))
        return
    span, affirmed = place
    checked = _with_dates(claim, span, affirmed or _affirmed_sentence(claim, source), source)
    known = _same_known_item(claim, source)
    denied = known is not None and denies(checked, source)
    if known is not None and (known.id in over or not denied):
        if known.id not in over:
            found.kept.append(checked)  # reinforces the known item
        return
    unsupported = [*unsupported_names(checked, source)]
    invented = next(
        (word for word in unsupported if not may_be_variant(word, checked, source)), None
    )
    if invented is not None:
        _refuse_invention(checked, invented, source, found)
        return
    reasons = [*doubts(checked, unsupported, source), *([DENIED] if denied else [])]
    checked = replace(checked, doubts=tuple(reasons))
    if _is_copied(checked) and not NOT_USERS_WORDS & {*checked.doubts}:
        checked = _verbatim(replace(checked, doubts=()))
    (found.doubted if checked.doubts else found.kept).append(checked)


def _without_marks(claim: Claim, source: Source) -> Claim:
    """The claim without marks of writing in its sentence or names."""
    if isinstance(claim, ProposedMemory):
        content = without_marks(claim.content, is_list(source.message))
        return structs.replace(claim, content=content or claim.content)
    subject, object = map(name_without_marks, (claim.subject, claim.object))
    return structs.replace(claim, subject=subject, object=object)


def _is_copied(checked: Checked) -> bool:
    """True if a memory is its quote word for word."""
    written = " ".join(checked.quote.split())
    return checked.is_memory and checked.item.text.rstrip(ENDS) == written.rstrip(ENDS)


def _locate(quote: str, source: Source) -> tuple[Span, str] | None:
    """The span of the message that a quote copies, and the assistant's words that the message only
    affirms ("yes, that one"); None if the user did not say it."""
    span = find(quote, source.message)
    if span is not None:
        return (span, "") if span.within(source.own) else None
    if (
        source.before
        and 0 < len(source.message.strip()) <= AFFIRMATION
        and not has_question(source.message)
    ):
        affirmed = find(quote, source.before)
        if affirmed is not None:
            return Span(0, len(source.message)), affirmed.of(source.before)
    return None


def _affirmed_sentence(claim: Claim, source: Source) -> str:
    """The assistant's sentence that a claim takes its words from when the message has none of them:
    "yes", "the first one"."""
    wanted = content_words(claim.object if isinstance(claim, ProposedFact) else claim.content)
    if not source.before or any(source.message_words.has(word) for word in wanted):
        return ""
    wanted = [word for word in wanted if not source.users.has(word)]
    scored = [(share_found(wanted, folded_words(one)), one) for one in sentences(source.before)]
    share, sentence = max(scored, default=(0.0, ""))
    return sentence if wanted and share > 0 else ""


def _same_known_item(claim: Claim, source: Source) -> KnownItem | None:
    """The known item that says the same."""
    others = [item for item in source.known.values() if item.id != claim.replaces]
    if isinstance(claim, ProposedMemory):
        known = (item for item in others if item.kind == "memory")
        return next((item for item in known if says_same(claim.text, item.text)), None)
    if claim.valid_from is not None or claim.valid_to is not None:
        return None
    triple = (subject_name(claim.subject), claim.predicate, claim.object)
    return next((item for item in others if _folded(item.triple or ()) == _folded(triple)), None)


def _folded(parts: Iterable[str]) -> list[str]:
    return [fold(part) for part in parts]


def _with_dates(claim: Claim, span: Span, affirmed: str, source: Source) -> Checked:
    """The claim with the dates that fit the quote and the item that it replaces."""
    quote = span.of(source.message).strip()
    written = f"{quote}\n{affirmed}"
    begin, end = (
        dates.checked(day, written, source.message, source.said_on, source.calendar)
        for day in (claim.valid_from, claim.valid_to)
    )
    begin = begin or dates.counted(claim.valid_from, end, written, source.calendar)
    end = end or dates.counted(claim.valid_to, begin, written, source.calendar)
    stated = parse(claim.valid_to)
    today = PartialDate.of(source.said_on)
    if isinstance(claim, ProposedFact) and begin in (None, today) and stated is None:
        begin = _named_date(claim.object, span, source) or begin
    over = end is None and stated is not None and stated.first <= source.said_on
    if over:
        end = today
    if begin is not None and end is not None and str(end) < str(begin)[: len(str(end))]:
        begin = None
    about = isinstance(claim, ProposedFact) and _is_middle(begin, claim.object, span, source)
    replaces = source.known.get(claim.replaces or "")
    if replaces is not None and (replaces.kind == "memory") != isinstance(claim, ProposedMemory):
        replaces = None
    return Checked(
        claim,
        quote,
        span,
        begin=begin,
        end=end,
        over=over,
        about=about,
        replaces=replaces,
        affirmed=affirmed,
    )


def _named_date(object: str, span: Span, source: Source) -> PartialDate | None:
    """The date of a time expression right after an object in the message, or at the beginning of
    its quote: no fact is dated by the day of a message that names another time for it."""
    found = dates.named(_behind(object, span, source), source.said_on, state=True)
    if found is not None and found[1] is not None:
        return found[1]
    time, interval = leading_time(span.of(source.message), source.said_on)
    if interval is None or interval[0] > source.said_on or may_recur(time):
        return None
    return dates.of_span(*interval)


def _behind(object: str, span: Span, source: Source) -> str:
    """The rest of the line behind an object in the message; empty if it is not there."""
    place = re.search(re.escape(object), source.message[span.start :], re.IGNORECASE)
    if place is None:
        return ""
    return source.message[span.start + place.end() :].partition("\n")[0].lstrip(" ,")


def _is_middle(begin: PartialDate | None, object: str, span: Span, source: Source) -> bool:
    """True if a day stands for a longer time that is named: "three years ago"."""
    texts = _behind(object, span, source), span.of(source.message)
    times = (leading_time(text, source.said_on, lasting=True)[1] for text in texts)
    return any(
        time is not None and time[0] != time[1] and dates.of_span(*time) == begin for time in times
    )


def _refuse_invention(checked: Checked, invented: str, source: Source, found: Verified) -> None:
    """Refuses a claim with an invented name or number. Its quote is kept verbatim if it says the
    same, but replaces nothing: what changed may only be clear from both."""
    reason = f"“{invented}” was never mentioned and is not known"
    item = checked.item
    found.refused.append(Refused(item.text, "invented", reason, True, invented, item))
    if not checked.affirmed and _renders(checked, source.everything):
        found.kept.append(replace(_verbatim(checked), replaces=None))


def _renders(checked: Checked, text: str) -> bool:
    """True if a memory paraphrases its quote, using the words in ``text``, and the quote is
    meaningful by itself."""
    quote, wanted = folded_words(checked.quote), content_words(checked.item.text)
    rendered = share_found(wanted, folded_words(text)) >= RENDERED
    return checked.is_memory and len(quote) >= SHORT and rendered and share_found(wanted, quote) > 0


# -- endings ---------------------------------------------------------------------------------------


def _check_ending(ending: ProposedEnding, source: Source, found: Verified) -> None:
    """Adds an ending if the item was shown and the user's words support it."""
    item = source.known.get(ending.id)
    if item is None:
        found.refused.append(Refused(ending.quote, "unknown_id", f"{ending.id} was not shown"))
        return
    place = _locate(ending.quote, source)
    if place is None or place[0].within(source.quoted_spans):
        reason = "the user did not say these words"
        found.refused.append(Refused(ending.quote, "no_quote", reason))
        return
    quote = place[0].of(source.message).strip()
    end = dates.checked(ending.valid_to, quote, source.message, source.said_on, source.calendar)
    if end is None and item.triple is not None:
        end = _named_date(item.triple[2], place[0], source)
    found.ended.append(Ended(item, quote, end))
