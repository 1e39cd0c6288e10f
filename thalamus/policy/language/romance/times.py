"""The Spanish, French and Portuguese words for times as the English ones that the rules for dates
read. They are applied to a case-folded quote.

Only what is plain: a month, a year, a day, how long ago, since when and until when. A weekday or
a season alone, and what comes round every week, gets no date.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from thalamus.policy.language.patterns import LazyPattern

_ENGLISH_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_ENGLISH_NUMBERS = "one two three four five six seven eight nine ten eleven twelve 15 20 30".split()
_MONTH = "|".join(_ENGLISH_MONTHS)
POINT = rf"(?=\d{{1,2}}\s+(?:{_MONTH})|(?:{_MONTH})\b|(?:19|20)\d\d\b)"  # where a date begins
Rule = tuple[str, str]


@dataclass(frozen=True)
class Times:
    """The words for times of one language, as patterns.

    ``units`` has the English word for each; ``numbers`` are those of ``_ENGLISH_NUMBERS``;
    ``about`` may stand before one. ``phrases`` say since when or how long ago, with ``{about}`` and
    ``{unit}``, and ``{english}`` in what they become; ``near`` are "yesterday", "last year" and
    verbs of the past. ``from_to`` has "from … to …" and "between … and …".
    """

    months: Sequence[str]
    units: Mapping[str, str]
    numbers: Sequence[str]
    about: str
    phrases: Sequence[Rule]
    near: Sequence[Rule]
    from_to: tuple[str, str]
    since: str
    until: str
    in_: str


def time_words(times: Times) -> tuple[tuple[LazyPattern, str], ...]:
    """The replacements for a language, in the order in which they are made."""
    return tuple((LazyPattern(pattern), word) for pattern, word in _rules(times))


def _rules(times: Times) -> Iterator[Rule]:
    for word, english in zip(times.months, _ENGLISH_MONTHS, strict=True):
        yield rf"(?<!\w){word}(?!\w)", english
    # "3 de mayo de 1990" is "3 may 1990", "le 1er mai" is "le 1 may"
    yield rf"\b(\d{{1,2}})(?:er|º)?\s+(?:de\s+)?(?=(?:{_MONTH})\b)", r"\1 "
    yield rf"\b({_MONTH})\s+(?:del?\s+)?(?=(?:19|20)\d\d\b)", r"\1 "
    for unit, english in times.units.items():
        for word, number in zip(times.numbers, _ENGLISH_NUMBERS, strict=True):
            yield rf"(?<!\w){word}(?=\s+{unit}\b)", number
        for pattern, made in times.phrases:
            pattern = pattern.replace("{about}", times.about).replace("{unit}", unit)
            yield pattern, made.replace("{english}", english)
    yield from times.near
    from_to, between = times.from_to
    yield from_to, r"from \1 to "
    yield between, r"between \1 and "
    yield times.since, "since "
    yield times.until, "until "
    yield rf"\b(?:{times.in_})\s+{POINT}", "in "
