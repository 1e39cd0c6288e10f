"""Things of a kind in a text: days, months, times, numbers, relations, names. What is right stands
in the place of something of its own kind, or of what is spelled nearly the same."""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass

from thalamus.policy.language.english import word_classes as english
from thalamus.policy.language.english.common_words import is_common
from thalamus.policy.language.french import word_classes as french
from thalamus.policy.language.german import word_classes as german
from thalamus.policy.language.languages import lexicon
from thalamus.policy.language.patterns import LazyPattern, Pattern
from thalamus.policy.language.portuguese import word_classes as portuguese
from thalamus.policy.language.spanish import word_classes as spanish

_LANGUAGES = {"en": english, "de": german, "es": spanish, "fr": french, "pt": portuguese}
MONTHS = tuple(dict.fromkeys(word for one in _LANGUAGES.values() for word in one.MONTHS))
DAYS = tuple(dict.fromkeys(word for one in _LANGUAGES.values() for word in one.DAYS))
_BREEDS = "|".join(one.BREEDS for one in _LANGUAGES.values())
DIFFERENT = 0.4  # how alike two words are that are none but for their spelling
_ANIMALS = frozenset("dog cat horse pet parrot rabbit hamster bird fish chicken".split())
_NAME = r"[^\W\d_a-zà-öø-ÿ][\w'’-]*"
_LINK = r"(?:\s+(?:de|da|do|dos|das|del|la|van|von|of|am)(?=\s+[A-ZÀ-Ý]))*\s+"
_MONTH = "|".join([*MONTHS, "jänner"])
_DAY = "|".join([*DAYS, "sonnabend"])
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th|\.|er|º)?"
_HOUR = r"(?:\d{1,2}|[^\W\d_]{3,8})"
_FIXED: tuple[tuple[str, Pattern], ...] = tuple(
    (kind, LazyPattern(pattern, re.I))
    for kind, pattern in (
        ("email", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
        ("phone", r"(?<![\w+])\+?\d(?:[\s/.()-]?\d){6,}(?!\w)"),
        ("date", rf"(?<!\w){_ORDINAL}\s+(?:of\s+|de\s+)?(?:{_MONTH})\b|\b(?:{_MONTH})\s+{_ORDINAL}(?!\w)"),
        ("day", rf"\b(?:{_DAY})(?:s|-feira)?\b"),
        ("month", rf"\b(?:{_MONTH})\b"),
        ("time", rf"\b(?:half\s+past|quarter\s+(?:past|to)|halb|viertel\s+(?:vor|nach))\s+{_HOUR}\b"
                 r"|(?<![\d.:])\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]\.?m\b\.?|uhr\b|h\b|o'clock\b)|(?<![\d.:])\d{1,2}:\d\d(?!\d)"),
        ("year", r"(?<![\d.,])(?:19|20)\d\d(?![\d])"),
        ("season", r"\b(?:spring|summer|autumn|winter|frühling|frühjahr|sommer|herbst|primavera|verano|otoño|invierno|printemps|"
                   r"automne|hiver|verão|outono|inverno)\b|(?<=en )été\b|(?<=l')été\b|(?<=in the )fall\b"),
        ("ordinal", r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|erste[nrs]?|zweite[nrs]?|dritte[nrs]?|"
                    r"vierte[nrs]?|fünfte[nrs]?|premi(?:er|ère)|deuxième|troisième|quatrième|cinquième|primer[ao]?|tercer[ao]?|"
                    r"cuart[ao]|quint[ao]|primeir[ao]|terceir[ao])\b"),
    )
)  # fmt: skip


@dataclass(frozen=True)
class Slot:
    """A thing of a kind, and where it stands in its text."""

    kind: str
    text: str
    start: int
    end: int


def slots(text: str, code: str, whole: bool = True) -> list[Slot]:
    """The things in a text, in the order of their kinds; no two overlap. ``whole``: it is a
    sentence, so that its first word has a capital for that."""
    found: list[Slot] = []
    for kind, pattern in (*_FIXED, *_of_language(code)):
        for place in pattern.finditer(text):
            free = all(place.end() <= one.start or place.start() >= one.end for one in found)
            if free and not (whole and kind == "name" and _begins(text, place, code)):
                found.append(Slot(_named(kind, place[0], code), place[0], *place.span()))
    return found


def closest(text: str, right: str) -> tuple[float, int, int]:
    """The words of a text that are spelled most like what is right: how much (0 to 1), and where
    they stand."""
    tokens = [found.span() for found in re.finditer(r"[\w@.'’-]*\w", text)]
    length = len(right.split())
    best = (0.0, 0, 0)
    for size in {max(1, length - 1), length, length + 1}:
        for first in range(len(tokens) - size + 1):
            begin, end = tokens[first][0], tokens[first + size - 1][1]
            said = text[begin:end]
            if re.search(r"[,;!?]", said) is None and _word_by_word(said, right):
                best = max(best, (likeness(said, right), begin, end))
    return best


def _word_by_word(one: str, other: str) -> bool:
    """Whether no word of the one is quite another than that of the other: two sentences that differ
    in a word are not two spellings."""
    pairs = list(zip(one.split(), other.split(), strict=False))
    return len(pairs) < 2 or all(likeness(*pair) >= DIFFERENT for pair in pairs)


def likeness(one: str, other: str) -> float:
    """How alike two words are spelled, without regard to accents and to letters that sound alike."""
    one, other = _sound(one), _sound(other)
    return 1.0 - _distance(one, other) / max(len(one), len(other), 1)


def one_of(noun: str | None, text: str, code: str) -> Slot | None:
    """The article of a text before a single one of a noun: the "a" of "a cat", for "cats". Without
    a noun, the only article that there is."""
    places = list(re.finditer(rf"\b(?:{_LANGUAGES[code].ONE})\s+([^\W\d_]+)", text, re.I))
    for place in places:
        if same_noun(place[1], noun) if noun else len(places) == 1:
            return Slot("number", place[0][: -len(place[1])].rstrip(), place.start(), place.start(1) - 1)  # fmt: skip
    return None


def same_noun(one: str, other: str) -> bool:
    """Whether two words are forms of one noun: cat, cats; Katze, Katzen."""
    one, other = one.casefold(), other.casefold()
    shared = max(3, min(len(one), len(other)) - 2)
    return one[:shared] == other[:shared] and abs(len(one) - len(other)) <= 3


@functools.cache
def _of_language(code: str) -> tuple[tuple[str, Pattern], ...]:
    kin = sorted((re.escape(word) for word in lexicon(code).kin), key=len, reverse=True)
    numbers = "|".join(_LANGUAGES[code].NUMBERS)
    before = _LANGUAGES[code].BEFORE_KIN
    return (
        ("breed", LazyPattern(rf"\b(?:{_BREEDS})\b", re.I, listed=False)),
        ("kin", LazyPattern(rf"(?<![\w-]){before}(?:{'|'.join(kin)})(?:-in-law)?(?![\w-])", re.I, listed=False)),
        ("number", LazyPattern(rf"(?<![\w.,@])\d+(?:[.,]\d+)*(?:st|nd|rd|th)?(?![\w@])|\b(?:{numbers})\b", re.I, listed=False)),
        ("name", re.compile(rf"(?<![\w'’-])(?!I\b){_NAME}(?:{_LINK}{_NAME})*")),
    )  # fmt: skip


def _named(kind: str, text: str, code: str) -> str:
    if kind == "kin" and lexicon(code).kin.get(" ".join(text.casefold().split())) in _ANIMALS:
        return "animal"
    return kind


def _begins(text: str, place: re.Match[str], code: str) -> bool:
    """Whether a capital only begins a sentence."""
    if place.start() > 0 and re.search(r"[.!?:“]\s*$", text[: place.start()]) is None:
        return False
    first = place[0].split()[0]
    return code != "en" or is_common(first)


_ALIKE = (("ph", "f"), ("ck", "k"), ("th", "t"), ("ie", "i"), ("ai", "a"), ("ei", "a"), ("ay", "a"),
          ("ey", "a"), ("c", "k"), ("y", "i"), ("j", "i"), ("z", "s"), ("ß", "s"))  # fmt: skip


def _sound(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.casefold())
    text = "".join(letter for letter in text if not unicodedata.combining(letter))
    for letters, sound in _ALIKE:
        text = text.replace(letters, sound)
    return re.sub(r"(.)\1+", r"\1", text) if not any(map(str.isdigit, text)) else text


def _distance(one: str, other: str) -> int:
    """How many letters have to be put in, left out or changed; two that changed places are one."""
    rows = [list(range(len(other) + 1))]
    for i, left in enumerate(one, 1):
        row = [i]
        for j, right in enumerate(other, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]
