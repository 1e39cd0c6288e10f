"""Names and numbers in a proposal that were never mentioned."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from thalamus.extract.proposals import ProposedFact
from thalamus.extract.source import FIRST_NAMES, FRAME, Source, hours
from thalamus.extract.verdicts import Checked, Claim
from thalamus.text.calendar import Calendar
from thalamus.text.names import (
    bare,
    capitalized,
    folded_words,
    is_abbreviated,
    is_cased,
    is_form_of_name,
    names,
    numbers,
    script,
)

LEAST_SUPPORTED = 0.5  # share of an uncapitalised name's words that must be found
LEAST_LETTERS = 0.6  # share of letters in common above which a word may be a form of a name


def unsupported_names(checked: Checked, source: Source) -> Iterator[str]:
    """Names and numbers of a claim that are neither in the dialogue nor known."""
    claim = checked.item
    allowed = source.numbers | numbers_of(checked)
    allowed |= {hour for hour in hours(claim.text) if str((int(hour) + 12) % 24) in allowed}
    if checked.replaces is not None:
        allowed |= _sums(checked.quote, source)
    for number in numbers(claim.text):
        if number != "00" and not {number, number.lstrip("0")} & allowed:
            yield number
    written_apart = {
        part
        for pair in pairwise(folded_words(claim.text))
        if "".join(pair) in source.words
        for part in pair
    }
    for name in _names(claim, source):
        supported = source.has_name(name) or written_apart.issuperset(folded_words(name))
        if not supported and not is_date_word(name.casefold(), source.calendar, checked, source):
            yield name
    if isinstance(claim, ProposedFact):
        yield from _unsupported_parts(claim, source)


def _sums(quote: str, source: Source) -> set[str]:
    """Sums and differences of a number in the quote and another known number: a change may be
    stated by its amount."""
    supported = [int(number) for number in source.numbers if number.isdecimal()]
    new = [int(number) for number in numbers(quote) if number.isdecimal()]
    return {str(abs(one + sign * other)) for one in supported for other in new for sign in (1, -1)}


def may_be_variant(word: str, checked: Checked, source: Source) -> bool:
    """True if an unsupported name may be a variant spelling: in another script, or in a form
    without a capital. A given name at the start of a sentence may be another word."""
    if word.isdecimal():
        return False
    if script(word[0]) not in {script(letter) for letter in checked.quote if letter.isalpha()}:
        return True
    if checked.is_memory and word not in _capitals(checked.item.text, source):
        return True
    return all(
        any(is_form_of_name(part, other) for other in source.by_letter.get(part[:1], ()))
        or any(
            is_form_of_name(part, other, LEAST_LETTERS) for other in source.names.get(part[:1], ())
        )
        for part in folded_words(word)
    )


def _names(claim: Claim, source: Source) -> Iterator[str]:
    """Words of a claim that are names: capitalised words in a fact's subject and object,
    capitalised words inside a memory's sentences, and given names anywhere."""
    if isinstance(claim, ProposedFact):
        found = [*capitalized(claim.subject), *capitalized(claim.object)]
        certain = found if source.capitals_are_names else []
    else:
        found, certain = capitalized(claim.content), _capitals(claim.content, source)
    for word in found:
        folded = bare([word.casefold()])[0]
        if (
            folded not in FRAME
            and not is_abbreviated(word)
            and (word in certain or folded in FIRST_NAMES)
        ):
            yield word


def _capitals(content: str, source: Source) -> list[str]:
    """Words inside the sentences of a text that are names by their capitals."""
    return names(content) if source.capitals_are_names else []


def _unsupported_parts(fact: ProposedFact, source: Source) -> Iterator[str]:
    """Subject and object of a fact where they are written without capitals or spaces and most of
    their words are unsupported."""
    for part in (fact.subject, fact.object):
        letters = [letter for letter in part if letter.isalpha()]
        if letters and not any(is_cased(letter) for letter in letters):
            supported_words = [source.says(word) for word in folded_words(part)]
            if sum(supported_words) < LEAST_SUPPORTED * len(supported_words):
                yield part


def is_date_word(word: str, calendar: Calendar, checked: Checked, source: Source) -> bool:
    """True if a word is the month or weekday of the claim's dates or of the message."""
    days = [part for part in (checked.begin, checked.end) if part is not None]
    month = calendar.months.get(word)
    if month is not None:
        return month == source.said_on.month or any(day.month == month for day in days)
    weekday = calendar.weekdays.get(word)
    return weekday is not None and any(day.day and day.first.weekday() == weekday for day in days)


def numbers_of(checked: Checked) -> set[str]:
    """The numbers of a claim's own dates."""
    found: set[str] = set()
    for part in (checked.begin, checked.end):
        if part is not None:
            found |= {str(number) for number in (part.year, part.month, part.day) if number}
    return found
