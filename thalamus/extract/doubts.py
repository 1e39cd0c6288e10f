"""Reasons for a second look at a proposal: it uses the user's own words, but may not mean what they
said."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from thalamus.extract import frames
from thalamus.extract.invented import is_date_word, numbers_of, unsupported_names
from thalamus.extract.proposals import ProposedFact, ProposedMemory
from thalamus.extract.source import FIRST_NAMES, FRAME, STOP, Source, content_words, is_user
from thalamus.extract.verdicts import Checked, Claim
from thalamus.policy.persona import PERSONA_TYPES
from thalamus.text.analyzer import has_unspaced, words
from thalamus.text.names import bare, capitalized, folded_words, is_form_of_name, names, numbers
from thalamus.text.questions import has_question
from thalamus.text.quotes import Span
from thalamus.text.statements import negated
from thalamus.text.tokens import share_found, similar
from thalamus.text.voices import TITLE

AFFIRMS = "it affirms what the assistant said"
QUOTED = "the quote is in quotation marks"
UNRELATED = "it shares no word with the dialogue"
DENIED = "the quote denies what is known"
UNCLEAR = "its words may be another author's"
ASKED = "the message also asks for something"
NAMED = "the message speaks of the user by name"
OTHERS = "its words are another author's"
SPEAKER = frozenset((UNCLEAR, ASKED, NAMED, OTHERS))  # somebody else may be speaking
NOT_USERS_WORDS = SPEAKER | {AFFIRMS, QUOTED}  # the quote may not be the user's own words
SUPPORTED = 0.5  # share of the words in a fact's object that must be supported
UNSUPPORTED = 2  # unsupported content words from which a clause counts as an addition
_CLAUSE_END = re.compile(r"[,;:()—–，、；：（）.!?…。！？\n]")
_CLAUSE = re.compile(r"[,;:()—–，、；：（）]|\.\s")


def doubts(checked: Checked, strange: Collection[str], source: Source) -> Iterator[str]:
    """Reasons for a second look; ``strange`` are the claim's names and numbers that may be
    variants."""
    for word in strange:
        written = "only follows from" if word[0].isdecimal() else "is written differently in"
        yield f"“{word}” {written} the dialogue"
    yield from _answer_doubts(checked, strange, source)
    if _is_quoted(checked, source):
        yield QUOTED
    yield from _speaker_doubts(checked, source)
    if _negation_differs(checked, source):
        yield "only one of claim and quote is negative"
    if _omits_person(checked, source):
        yield "it may be about someone else"
    if _is_miscopied(checked):
        yield "its quote is not an exact copy"
    if _names_another(checked, source):
        yield "it replaces a name"
    if _is_from_elsewhere(checked, source):
        yield "its words come from elsewhere in the message"
    if _adds(checked, source):
        yield "it adds to what was said"
    if _is_unrelated(checked, source):
        yield UNRELATED


def _answer_doubts(checked: Checked, strange: Collection[str], source: Source) -> Iterator[str]:
    """Reasons why a claim may be the assistant's: it affirms what the assistant said, or has a name
    or a number from there, which an earlier answer may have got wrong."""
    if checked.affirmed:
        yield AFFIRMS
        return
    for word in unsupported_names(checked, source.without_answers):
        if word not in strange:
            yield f"only the assistant said “{word}”"


def _speaker_doubts(checked: Checked, source: Source) -> Iterator[str]:
    """Reasons why the speaker of a claim about the user may be somebody else. In a message that
    asks for something, a statement may be what it asks about; how the assistant should be is itself
    requested."""
    claim = checked.item
    of_user = isinstance(claim, ProposedFact) and is_user(claim.subject)
    if not (of_user or _is_about_user(checked, source)):
        return
    unclear = (part for part in source.unclear if checked.span.overlaps(part))
    if any(_may_be_introduced(part, source) for part in unclear):
        yield UNCLEAR
    of_persona = isinstance(claim, ProposedMemory) and claim.type in PERSONA_TYPES
    if not of_persona and (has_question(source.message) or frames.requests(source.message)):
        yield ASKED
    if source.speaks_of_user:
        yield NAMED
    if _is_in_others_words(claim, source):
        yield OTHERS


def _may_be_introduced(part: Span, source: Source) -> bool:
    """True if part of a message may be another author's. A colon in a line introduces the words of
    another only if a person is named before it: not in "other news: …"."""
    line = source.message[: part.start].rpartition("\n")[2].rstrip()
    in_line = source.message[part.start : part.end].partition("\n")[0].strip()
    if not line.endswith((":", "：")) or not in_line:
        return True
    return bool(_people_in(line, source) or _names_in(line, source))


def _is_in_others_words(claim: Claim, source: Source) -> bool:
    """True if most words of a claim stand only in the words of others that a message shows: such a
    claim is theirs, not one about the user."""
    if source.own_words is None:
        return False
    needed = [word for word in content_words(claim.text) if source.message_words.has(word)]
    theirs = [word for word in needed if not source.own_words.has(word)]
    return len(theirs) > len(needed) / 2


def denies(checked: Checked, source: Source) -> bool:
    """True if the quote is negative and the claim is not. A quote is negative with the words before
    it in its clause: "I'm not" before "allergic to nuts"."""
    before = _CLAUSE_END.split(source.message[: checked.span.start])[-1]
    denied = negated(f"{before}{checked.quote} {checked.affirmed}")
    return denied and not negated(checked.item.text.replace("_", " "))


def _negation_differs(checked: Checked, source: Source) -> bool:
    """True if the claim is negative and the quote is not, or the other way round. A predicate such
    as ``allergic_to`` is negative, unless the quote negates that word itself."""
    claim = checked.item
    if isinstance(claim, ProposedMemory):
        positive = not negated(f"{checked.quote} {checked.affirmed}")
        return denies(checked, source) or (positive and negated(claim.content))
    negative = claim.predicate in source.negative and not any(
        similar(word, other)
        for word in content_words(claim.predicate.replace("_", " "))
        for other in folded_words(checked.quote)
    )
    return denies(checked, source) and not negative


def _omits_person(checked: Checked, source: Source) -> bool:
    """True if the quote mentions a relative or another person and the claim is about the user
    alone."""
    claim = checked.item
    if not _is_about_user(checked, source):
        return False
    found_words = [*_people_in(checked.quote, source), *_names_in(checked.quote, source)]
    return any(not has_form(word, claim.text) for word in found_words)


def _is_about_user(checked: Checked, source: Source) -> bool:
    """True if a claim is about the user. A memory is not if it begins with a name, or contains a
    name that the quote replaces by a pronoun."""
    claim = checked.item
    if isinstance(claim, ProposedFact):
        return is_user(claim.subject) and claim.predicate not in source.relations
    first = next(iter(capitalized(claim.content)), "")
    begins = claim.content.startswith(first) and folded_words(first)
    if begins and begins[0] not in FRAME | STOP and source.has_name(first):
        return False
    return all(has_form(bare([name.casefold()])[0], checked.quote) for name in names(claim.content))


def _people_in(quote: str, source: Source) -> list[str]:
    """Words of a quote for people: relatives, known names and given names."""
    cleaned = [re.sub(r"['’]s?$", "", word) for word in words(quote)]
    found = [word for word in cleaned if word in source.kin]
    found += [word for word in folded_words(quote) if word in source.people]
    found += [word for word in folded_words(" ".join(capitalized(quote))) if word in FIRST_NAMES]
    if has_unspaced(quote):
        known = (*source.kin, *source.people)
        found += [word for word in known if has_unspaced(word) and word in quote]
    return bare(found)


def _names_in(quote: str, source: Source) -> list[str]:
    """Folded words of a quote that are names by their capitals, except months and weekdays."""
    found = bare(word.casefold() for word in names(quote)) if source.message_has_names else []
    months, weekdays = source.calendar_words
    return [name for name in found if name not in months and name not in weekdays]


def has_form(word: str, text: str) -> bool:
    """True if a text contains a folded word or an inflected form of it."""
    if has_unspaced(word):
        return word in text
    return any(word in other or is_form_of_name(other, word) for other in folded_words(text))


def _is_miscopied(checked: Checked) -> bool:
    """True if the claim uses a word of the model's quote that the message does not have at that
    place: "I like black tea" for "I like green tea"."""
    found_words = checked.quote
    return any(
        not has_form(word, found_words) and has_form(word, checked.item.text)
        for word in content_words(checked.item.quote)
        if not word.isdecimal()
    )


def _names_another(checked: Checked, source: Source) -> bool:
    """True if a memory has a capitalised word in place of the quote's, in a language where capitals
    do not mark names."""
    if source.capitals_are_names or not checked.is_memory:
        return False
    new = [word for word in names(checked.item.text) if not source.has_name(word)]
    new = [word for word in new if word.casefold() not in FRAME]
    return bool(new) and any(
        not has_form(word, checked.item.text)
        for word in bare(name.casefold() for name in names(checked.quote))
    )


def _is_from_elsewhere(checked: Checked, source: Source) -> bool:
    """True if a claim's number, or all words of a fact's object, come from elsewhere in the message
    than the quote and were not shown otherwise."""
    claim = checked.item
    nearby = f"{checked.quote} {checked.affirmed}"
    elsewhere = (
        source.message_numbers - source.shown_numbers - {*numbers(nearby)} - numbers_of(checked)
    )
    if elsewhere & {*numbers(claim.text)}:
        return True
    if not isinstance(claim, ProposedFact):
        return False
    needed = [word for word in content_words(claim.object) if source.message_words.has(word)]
    return bool(needed) and not any(
        source.shown_words.has(word) or has_form(word, nearby) for word in needed
    )


def _adds(checked: Checked, source: Source) -> bool:
    """True if a claim has an object, a clause or an ending whose words are unsupported."""
    claim = checked.item
    if isinstance(claim, ProposedFact):
        found_words = _supported(claim.object, checked, source)
        return sum(found_words) < SUPPORTED * len(found_words)
    clauses = [_supported(clause, checked, source) for clause in _CLAUSE.split(claim.content)]
    found = [found_words for clause in clauses for found_words in clause]
    ending = next((n for n, found_words in enumerate(reversed(found)) if found_words), len(found))
    added = any(len(clause) >= UNSUPPORTED and not any(clause) for clause in clauses[1:])
    return added or ending >= UNSUPPORTED


def _supported(text: str, checked: Checked, source: Source) -> list[bool]:
    """For each content word of a text (numbers excluded): is it supported?"""
    calendar = source.calendar_words
    return [
        source.says(word) or is_date_word(word, calendar, checked, source)
        for word in content_words(text)
        if not word.isdecimal()
    ]


def _is_unrelated(checked: Checked, source: Source) -> bool:
    """True if a memory shares no word with the dialogue. Then at most the user's own words are
    kept."""
    if not checked.is_memory:
        return False
    needed = content_words(checked.item.text)
    return bool(needed) and not any(source.dialogue_words.has(word) for word in needed)


def _is_quoted(checked: Checked, source: Source) -> bool:
    """True if the quote is in quotation marks, or if everything the claim takes from it does and
    that is more than a title."""
    span = checked.span
    needed = content_words(checked.item.text)
    for quoted in source.quoted_spans:
        if span.within([quoted]):
            return True
        text = folded_words(quoted.of(source.message))
        if span.overlaps(quoted) and len(text) > TITLE and share_found(needed, text) > 0:
            before = source.message[span.start : max(span.start, quoted.start)]
            after = source.message[min(span.end, quoted.end) : span.end]
            if share_found(needed, folded_words(f"{before} {after}")) == 0:
                return True
    return False
