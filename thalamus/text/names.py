"""Names and numbers in a text, by signs that work in any language: capitals inside a sentence, and
digits. A script without capitals shows no names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from difflib import SequenceMatcher
from functools import lru_cache

from thalamus.text.analyzer import fold, words
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.word_lists import NAME_PARTICLES

GERMAN_CAPITALS = 0.2  # share of capitalized words above which capitals mark no names
GERMAN_CAPITALS_IN_FEW = 0.3  # the same for fewer words than
ENOUGH_WORDS = 15
LEAST_WORDS = 3  # inside sentences, required to evaluate capitals at all
_WORD = lazy_regex(r"(?<![^\W_])[^\W\d_](?:[^\W_]|['’\-](?=[^\W_]))*")
_BREAK = r"[.!?:…。！？\n\"“„«(\[]"  # may end a sentence, or begin one inside another
_SENTENCE_START = lazy_regex(
    rf"(?:^|(?<!{_BREAK}){_BREAK})[\W\d_]*+([^\W\d_](?:[^\W_]|['’\-](?=[^\W_]))*)"
)
_NUMBER = re.compile(r"\d+")
HAN_NUMBER = lazy_regex("[〇零一二两兩三四五六七八九十百千万萬]+")
_DIGRAPH = re.compile("([aou])e")  # spelling of ä, ö and ü on a keyboard without them
_ABBREVIATED = lazy_regex(r"(?<![^\W_])(?:[^\W\d_]|[b-df-hj-np-tv-xz]{2,4})$", re.IGNORECASE)
SAME_NAME = 0.75  # share of a name's letters that a form of it has, in order
LONGEST_ENDING = 4  # letters by which a form of a name may be longer or shorter
_NEXT_TO = re.compile(r"[ \u00a0]|&")  # between two words of one name


def names(text: str) -> list[str]:
    """Capitalized words that do not begin a sentence; none in a text that is all capitalized."""
    return [] if text.isupper() else [word for word in inside(text) if word[0].isupper()]


def capitalized(text: str) -> list[str]:
    """Capitalized words at any position."""
    return [word for word in _WORD.findall(text) if word[0].isupper()]


def full_names(text: str) -> list[str]:
    """Names in a text as written there, including those of several words: New York, Rio de Janeiro.
    The first word of a sentence counts if it is a name elsewhere in the text."""
    known = set(names(text))
    found: list[tuple[int, int]] = []
    goes_on, end = False, 0
    for match in _WORD.finditer(text):
        word = match.group()
        goes_on = goes_on and _NEXT_TO.fullmatch(text[end : match.start()]) is not None
        end = match.end()
        if word in known:
            begin = found.pop()[0] if goes_on else match.start()
            found.append((begin, end))
            goes_on = not word.endswith(("'s", "’s"))
        else:
            goes_on = goes_on and word in NAME_PARTICLES
    return [text[begin:end] for begin, end in found]


def inside(text: str) -> Iterator[str]:
    """Words of a text that do not begin a sentence."""
    first = {
        match.start(1)
        for match in _SENTENCE_START.finditer(text)
        if not is_abbreviated(text[max(0, match.start() - 5) : match.start()])
    }
    for match in _WORD.finditer(text):
        if match.start() not in first and not _is_pronoun(match.group()):
            yield match.group()


def capitals_are_names(text: str) -> bool:
    """True if a capital inside a sentence of this text marks a name: not in German, where every
    noun has one. Words in all capitals (USA) are not counted."""
    found = [word for word in inside(text) if len(word) == 1 or not word.isupper()]
    capitals = sum(word[0].isupper() and script(word[0]) == "LATIN" for word in found)
    least = GERMAN_CAPITALS if len(found) >= ENOUGH_WORDS else GERMAN_CAPITALS_IN_FEW
    return len(found) < LEAST_WORDS or capitals / len(found) < least


def numbers(text: str) -> list[str]:
    """Numbers in a text, in ASCII digits."""
    return _NUMBER.findall(ascii_digits(text))


def ascii_digits(text: str) -> str:
    """A text with the digits of all scripts as 0 to 9."""
    return text if text.isascii() else "".join(_digit(letter) for letter in text)


def han_numbers(text: str) -> list[str]:
    """Numbers written in Chinese numerals (二十八, 二〇二四), in ASCII digits."""
    return [str(_han_value(run)) for run in HAN_NUMBER.findall(text)]


def _han_value(run: str) -> int:
    total = below = digit = 0  # below: the value before the next 万
    for numeral in run:
        value = 2 if numeral in "两兩" else int(unicodedata.numeric(numeral))
        if value >= 10_000:
            total, below, digit = total + (below + digit) * value, 0, 0
        elif value >= 10:
            below, digit = below + (digit or 1) * value, 0
        else:
            digit = digit * 10 + value
    return total + below + digit


def is_abbreviated(text: str) -> bool:
    """True if a text ends in an abbreviation that may precede a name: Dr, Mrs, J."""
    return _ABBREVIATED.search(text) is not None


def script(letter: str) -> str:
    """Script of a letter, by the first word of its Unicode name: LATIN, CYRILLIC."""
    found = unicodedata.name(letter, "").split(" ")[0].split("-")[0]
    return "CJK" if found in ("HIRAGANA", "KATAKANA") else found


def folded_words(text: str) -> list[str]:
    """Words of a text as ``words`` has them, with ae, oe and ue as a, o and u."""
    return list(_folded_words(text))


@lru_cache(maxsize=512)  # each claim is compared with the same few texts
def _folded_words(text: str) -> tuple[str, ...]:
    return tuple(_DIGRAPH.sub(r"\1", word) for word in words(text))


def bare(found: Iterable[str]) -> list[str]:
    """Single words as ``folded_words`` has them."""
    return [_bare(word) for word in found]


@lru_cache(maxsize=8192)
def _bare(word: str) -> str:
    return _DIGRAPH.sub(r"\1", re.sub(r"'s?$", "", fold(word)))


def stands(name: str, among: Collection[str]) -> bool:
    """True if a name, or an inflected form of it, is among folded words."""
    return all(
        part in among or any(is_form_of_name(part, other) for other in among)
        for part in folded_words(name)
    )


def unsupported_name(text: str, source: str) -> str | None:
    """First number or name of a text that its source does not contain, in any form; None if there
    is none."""
    known = set(numbers(source))
    number = next((number for number in numbers(text) if number not in known), None)
    if number is not None or not capitals_are_names(f"{text}\n{source}"):
        return number
    source_words = frozenset(folded_words(source))
    return next((name for name in names(text) if not stands(name, source_words)), None)


def is_form_of_name(name: str, other: str, share: float = SAME_NAME) -> bool:
    """True if a word is a form of a name (both folded): it begins alike and has nearly all of its
    letters (Paweł, Pawłem; Turku, Turussa)."""
    if len(name) < 3 or abs(len(name) - len(other)) > LONGEST_ENDING or name[:1] != other[:1]:
        return False
    if share == SAME_NAME and name[:2] != other[:2]:
        return False
    blocks = SequenceMatcher(None, name, other, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) >= share * len(name)


def is_cased(letter: str) -> bool:
    """True if a letter belongs to a script with capitals."""
    return letter.lower() != letter.upper()


def _is_pronoun(word: str) -> bool:
    """True for a capitalized word that is not a name: I, I'm."""
    return word.split("'")[0].split("’")[0] == "I"


def _digit(letter: str) -> str:
    value = unicodedata.digit(letter, None) if letter.isdigit() else None
    return letter if value is None else str(value)
