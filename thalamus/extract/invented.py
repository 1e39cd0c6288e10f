"""Names and numbers in a proposal that were never mentioned."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise, permutations

from thalamus.extract.proposals import ProposedFact
from thalamus.extract.source import FIRST_NAMES, FRAME, Source, hours
from thalamus.extract.verdicts import Checked, Claim
from thalamus.policy.time_expressions import NUMBERS
from thalamus.text.calendar import Calendar
from thalamus.text.names import (
    ascii_digits,
    bare,
    capitalized,
    folded_words,
    han_numbers,
    is_abbreviated,
    is_cased,
    is_form_of_name,
    names,
    numbers,
    script,
)

_NUMERAL = re.compile(r"\d+(?:[.,:]\d+)*")
_TIME = re.compile(r"(\d{1,2})[:.](\d{2})")
LEAST_SUPPORTED = 0.5  # share of an uncapitalised name's words that must be found
LEAST_LETTERS = 0.6  # share of letters in common above which a word may be a form of a name


def unsupported_names(checked: Checked, source: Source) -> Iterator[str]:
    """Names and numbers of a claim that are neither in the dialogue nor known."""
    claim = checked.item
    allowed = source.numbers | numbers_of(checked)
    allowed |= {hour for hour in hours(claim.text) if str((int(hour) + 12) % 24) in allowed}
    if checked.replaces is not None:
        allowed |= _sums(checked.quote, source)
    for written in _NUMERAL.findall(ascii_digits(claim.text)):
        parts = [part for part in numbers(written) if part != "00"]
        unknown = [part for part in parts if not {part, part.lstrip("0")} & allowed]
        if unknown:
            yield from [written] if _follows(written, checked) else unknown
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


def _follows(number: str, checked: Checked) -> bool:
    """True if a number may follow from the numerals in the quote and in the item that it replaces:
    as a time of day by a reading of the clock, or by a calculation with two of them."""
    known = checked.replaces.text if checked.replaces is not None else ""
    words = " ".join((checked.quote, checked.affirmed, known))
    written = [*_NUMERAL.findall(ascii_digits(words)), *han_numbers(words)]
    time = _TIME.fullmatch(number)
    if time is not None:
        hour, minute = int(time[1]), int(time[2])
        whole = {int(part) for numeral in written for part in numbers(numeral)}
        whole |= {NUMBERS[word] for word in folded_words(words) if word in NUMBERS}
        if hour < 25 and minute < 60 and (hour % 12, minute) in _clock_readings(whole):
            return True
    values = {value for numeral in written for value in _values(numeral)}
    return bool(_values(number) & _calculated(values))


def _clock_readings(numerals: Collection[int]) -> set[tuple[int, int]]:
    """Times of day, on a clock of twelve hours, that numerals may stand for in any language: an
    hour, half or a quarter past it or before it, half of it ("halb zwei"), and minutes from
    these."""
    found = set()
    for hour in (n for n in numerals if n < 25):
        found |= {60 * hour + minute for minute in (0, 15, 30, -15, -30, -45)}
        for minutes in (n for n in numerals if 0 < n < 60):
            found |= {60 * hour + minute for minute in (minutes, -minutes)}
            found |= {60 * hour - 30 + minute for minute in (minutes, -minutes) if minutes < 30}
    return {divmod(time % 720, 60) for time in found}


def _values(numeral: str) -> set[float]:
    """Values that a numeral may stand for: 13.50 for 13.5, and 7,450 for 7.45 or 7450."""
    whole = "".join(numbers(numeral))
    first, _, last = numeral.replace(",", ".").rpartition(".")
    found = {float(whole)} if not first or len(last) == 3 else set()
    if first and first.isdecimal():
        found.add(float(f"{first}.{last}"))
    return found


def _calculated(values: Collection[float]) -> set[float]:
    """Results of one calculation with two of the values, or of a percentage."""
    found = set()
    for one, other in permutations(values, 2):
        results = [one + other, one - other, one * other, one * other / 100]
        results += [one / other] if other else []
        found |= {round(result, 2) for result in results if result > 0}
    return found


def may_be_variant(word: str, checked: Checked, source: Source) -> bool:
    """True if an unsupported name may be a variant spelling: in another script, or in a form
    without a capital. A given name at the start of a sentence may be another word. A number may
    follow from others."""
    if word[0].isdecimal():
        return _follows(word, checked)
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
