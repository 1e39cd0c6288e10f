"""Judging of answers: an answer is right if it contains the content words of the right one.

Words are compared by their stems as elsewhere, numbers and dates in a canonical form. For a
question without an answer, the right reply is that it is not known.
"""

from __future__ import annotations

import re
import unicodedata

from thalamus.evaluation.reply_faults import refuses
from thalamus.text.analyzer import words
from thalamus.text.days import MONTHS
from thalamus.text.tokens import content_words, share_found

LEAST_SHARE = 0.5  # share of the right answer's content words

_MONTHS = tuple(month.casefold() for month in MONTHS)
_SHORT = {month[:3]: month for month in _MONTHS} | {"sept": "september"}
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {
    word: number
    for number, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"), 1
    )
}
_NUMBERS = (
    {word: number for number, word in enumerate(_ONES)}
    | {word: 10 * number for number, word in enumerate(_TENS, start=2)}
    | {**_ORDINALS, "once": 1, "twice": 2}
)
_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)(?:T[\d:.]+Z?)?\b", re.I)
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")
_ORDINAL = re.compile(r"(?<!\.)\b0*(\d+)(?:st|nd|rd|th)?\b", re.I)
_GLUED = re.compile(rf"(?<=\d)(?=(?:{'|'.join(_MONTHS)})\b)")  # 23January, as in some data sets
_COMPOUND = re.compile(rf"\b({'|'.join(_TENS)})[- ]({'|'.join([*_ONES[1:10], *_ORDINALS])})\b")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_UNKNOWN = re.compile(
    r"\b(?:do(?:n't| not)|did(?:n't| not)|doesn't|does not|can(?:'t|not)) (?:yet )?(?:know|say|tell"
    r"|find|have|mention|recall|remember)\b"
    r"|\b(?:not|never) (?:been )?(?:mentioned|told|said|specified|stated|provided|known|given)\b"
    r"|\b(?:no|not enough|insufficient) (?:information|mention|record|details?)\b|\bunknown\b"
)


def says_unknown(answer: str) -> bool:
    """True if an answer says that it is not known."""
    text = answer.casefold().replace("’", "'")
    return refuses(answer) or _UNKNOWN.search(text) is not None


def share_of_gold(answer: str, gold: str) -> float:
    """Share of the right answer's content words found in an answer; if it has none, the share of
    all its words."""
    wanted, answered = normalized(gold), normalized(answer)
    return share_found(content_words(wanted) or words(wanted), words(answered))


def is_right(answer: str, gold: str | None) -> tuple[bool, float]:
    """True if an answer is right, and the share of the right answer it contains. ``gold``: None if
    the question has no answer. An answer that lacks one of the right answer's numbers is wrong
    however many words match (except for years, which most answers leave out), and so is "I don't
    know" where there is an answer."""
    unknown = says_unknown(answer)
    if gold is None:
        return unknown, float(unknown)
    share = share_of_gold(answer, gold)
    enough = share >= LEAST_SHARE and _has_numbers(answer, gold)
    return enough and (says_unknown(gold) or not unknown), round(share, 4)


def _has_numbers(answer: str, gold: str) -> bool:
    """True if an answer contains every number of the right one, not counting years."""
    wanted = set(_NUMBER.findall(normalized(gold)))
    years = {number for number in wanted if _YEAR.fullmatch(number)}
    needed = wanted - years or wanted
    return needed <= set(_NUMBER.findall(normalized(answer)))


def normalized(text: str) -> str:
    """A text with numbers in digits, and dates as day, name of the month, and year."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = _ISO.sub(_dated, _GROUPED.sub("", plain))
    plain = _GLUED.sub(" ", plain)
    plain = _COMPOUND.sub(lambda m: str(_NUMBERS[m[1]] + _NUMBERS[m[2]]), plain)
    plain = _ORDINAL.sub(r"\1", plain)
    return re.sub(r"[^\W\d_]+", _named, plain)


def _dated(match: re.Match[str]) -> str:
    year, month, day = (int(part) for part in match.groups())
    return f"{day} {_MONTHS[month - 1]} {year}" if 1 <= month <= 12 else match[0]


def _named(match: re.Match[str]) -> str:
    word = match[0]
    if word in _NUMBERS:
        return str(_NUMBERS[word])
    return _SHORT.get(word, word)
