"""The reasons to look twice at a proposal: its words are those of the user, but it may say
something else of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from thalamus.extract.invented import is_date_word, numbers_of
from thalamus.extract.proposals import ProposedFact, ProposedMemory
from thalamus.extract.source import FRAME, GIVEN, STOP, Source, content_words, is_user
from thalamus.extract.verdicts import Checked
from thalamus.text.names import bare, capitalized, folded_words, is_form, names, numbers
from thalamus.text.statements import negated
from thalamus.text.tokens import has_unspaced, share_found, words

AFFIRMS = "it affirms what the assistant said"
QUOTED = "the quote is in quotation marks"
UNRELATED = "it has no word of what was said"
NOT_THEIRS = frozenset((AFFIRMS, QUOTED))  # the quote may not be the user's own words
SHORT = 3  # words between quotation marks that are more than a title
SUPPORTED = 0.5  # share of the words of a fact's object that have to stand somewhere
UNSUPPORTED = 2  # content words of a clause that stand nowhere, from which it adds
_CLAUSE = re.compile(r"[,;:()—–，、；：（）]|\.\s")


def doubts(checked: Checked, strange: Collection[str], source: Source) -> Iterator[str]:
    """The reasons to look twice."""
    for word in strange:
        yield f"“{word}” was not said so"
    if checked.affirmed:
        yield AFFIRMS
    if _in_marks(checked, source):
        yield QUOTED
    if _turned(checked, source):
        yield "one of both denies it"
    if _leaves_out(checked, source):
        yield "it may be about somebody else"
    if _is_miscopied(checked):
        yield "its quote is not copied"
    if _names_another(checked, source):
        yield "it names another than was said"
    if _is_from_elsewhere(checked, source):
        yield "it has words from elsewhere in the message"
    if _adds(checked, source):
        yield "it says more than was said"
    if _is_unrelated(checked, source):
        yield UNRELATED


def _turned(checked: Checked, source: Source) -> bool:
    """Tells whether a claim denies what its quote says, or the other way round."""
    claim = checked.item
    denied = negated(f"{checked.quote} {checked.affirmed}")
    if isinstance(claim, ProposedMemory):
        return denied != negated(claim.content)
    negative = claim.predicate in source.negative or negated(claim.text.replace("_", " "))
    return denied and not negative


def _leaves_out(checked: Checked, source: Source) -> bool:
    """Tells whether the quote names a relative or somebody else, and a claim about the user does
    not."""
    claim = checked.item
    if not _is_about_user(checked, source):
        return False
    there = [*_people_in(checked.quote, source), *_names_in(checked.quote, source)]
    return any(not has_form(word, claim.text) for word in there)


def _is_about_user(checked: Checked, source: Source) -> bool:
    """Tells whether a claim is about the user: a memory is not that begins with a name, or has one
    that its quote has not, for that stands for "she"."""
    claim = checked.item
    if isinstance(claim, ProposedFact):
        return is_user(claim.subject) and claim.predicate not in source.relations
    first = next(iter(capitalized(claim.content)), "")
    begins = claim.content.startswith(first) and folded_words(first)
    if begins and begins[0] not in FRAME | STOP and source.has_name(first):
        return False
    return all(has_form(bare([name.casefold()])[0], checked.quote) for name in names(claim.content))


def _people_in(quote: str, source: Source) -> list[str]:
    """The words of a quote for relatives, the names that are known, and given names."""
    said = [re.sub(r"['’]s?$", "", word) for word in words(quote)]
    found = [word for word in said if word in source.kin]
    found += [word for word in folded_words(quote) if word in source.people]
    found += [word for word in folded_words(" ".join(capitalized(quote))) if word in GIVEN]
    if has_unspaced(quote):
        known = (*source.kin, *source.people)
        found += [word for word in known if has_unspaced(word) and word in quote]
    return bare(found)


def _names_in(quote: str, source: Source) -> list[str]:
    """The words inside a quote that are names by their capitals, folded; no days."""
    found = bare(word.casefold() for word in names(quote)) if source.message_has_names else []
    months, weekdays = source.calendar_words
    return [name for name in found if name not in months and name not in weekdays]


def has_form(word: str, text: str) -> bool:
    """Tells whether a text has a folded word, or a form of it as of a name."""
    if has_unspaced(word):
        return word in text
    return any(word in other or is_form(other, word) for other in folded_words(text))


def _is_miscopied(checked: Checked) -> bool:
    """Tells whether a claim has a word of its quote that does not stand in the words that the quote
    was found to be: "I like black tea", where it was green."""
    there = checked.quote
    return any(
        not has_form(word, there) and has_form(word, checked.item.text)
        for word in content_words(checked.item.quote)
        if not word.isdecimal()
    )


def _names_another(checked: Checked, source: Source) -> bool:
    """Tells whether a memory, where a capital is no sign of a name, has a word with a capital in
    the place of one in its quote."""
    if source.capitals_are_names or not checked.is_memory:
        return False
    new = [word for word in names(checked.item.text) if not source.has_name(word)]
    new = [word for word in new if word.casefold() not in FRAME]
    return bool(new) and any(
        not has_form(word, checked.item.text)
        for word in bare(name.casefold() for name in names(checked.quote))
    )


def _is_from_elsewhere(checked: Checked, source: Source) -> bool:
    """Tells whether a claim has a number, or a fact its object, that stands in the message, but not
    in the quote, nor in anything else that was shown."""
    claim = checked.item
    near = f"{checked.quote} {checked.affirmed}"
    far = source.message_numbers - source.shown_numbers - {*numbers(near)} - numbers_of(checked)
    if far & {*numbers(claim.text)}:
        return True
    if not isinstance(claim, ProposedFact):
        return False
    wanted = [word for word in content_words(claim.object) if source.message_words.has(word)]
    return bool(wanted) and not any(
        source.shown.has(word) or has_form(word, near) for word in wanted
    )


def _adds(checked: Checked, source: Source) -> bool:
    """Tells whether a claim has an object, a clause or an ending whose words stand nowhere."""
    claim = checked.item
    if isinstance(claim, ProposedFact):
        there = _supported(claim.object, checked, source)
        return sum(there) < SUPPORTED * len(there)
    clauses = [_supported(clause, checked, source) for clause in _CLAUSE.split(claim.content)]
    found = [there for clause in clauses for there in clause]
    ending = next((n for n, there in enumerate(reversed(found)) if there), len(found))
    added = any(len(clause) >= UNSUPPORTED and not any(clause) for clause in clauses[1:])
    return added or ending >= UNSUPPORTED


def _supported(text: str, checked: Checked, source: Source) -> list[bool]:
    """For each content word of a text that is no number whether it stands somewhere."""
    calendar = source.calendar_words
    return [
        source.says(word) or is_date_word(word, calendar, checked, source)
        for word in content_words(text)
        if not word.isdecimal()
    ]


def _is_unrelated(checked: Checked, source: Source) -> bool:
    """Tells whether a memory has no word in common with what was said: then the user's own words
    are kept, if anything."""
    if not checked.is_memory:
        return False
    wanted = content_words(checked.item.text)
    return bool(wanted) and not any(source.said.has(word) for word in wanted)


def _in_marks(checked: Checked, source: Source) -> bool:
    """Tells whether a quote stands between quotation marks, or its part there is all that a claim
    has of it, where that is more than a title."""
    span = checked.span
    wanted = content_words(checked.item.text)
    for marked in source.marked:
        if span.within([marked]):
            return True
        text = folded_words(marked.of(source.message))
        if span.overlaps(marked) and len(text) > SHORT and share_found(wanted, text) > 0:
            before = source.message[span.start : max(span.start, marked.start)]
            after = source.message[min(span.end, marked.end) : span.end]
            if share_found(wanted, folded_words(f"{before} {after}")) == 0:
                return True
    return False
