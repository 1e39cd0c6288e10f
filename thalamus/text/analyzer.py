"""The analyzer: from a text in any language to the words by which it is compared and searched.

One definition of a word and of its folded form serves the full-text index, questions, relevance,
duplicates, grounding, ``forget`` and PostgreSQL: what one of them finds, the others find too.

- ``normal``: case, width and invisible characters removed; ``fold``: also accents and spelling
  variants.
- ``words``: folded words. Scripts without spaces between words become overlapping pairs of
  characters, the classic way to index them without a dictionary (as in Lucene's CJKBigramFilter).
- ``search_terms``: words, emoji, and parts of words that their inflected forms share.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from thalamus.text.lazy_regex import lazy_regex

# Ranges of the combining marks that belong to a word: accents, vowels of Hebrew and Arabic, and the
# vowels of the scripts of India and South-East Asia; with some letters between them
MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0"
    "\u08d4-\u08ff\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u0eb1-\u0ecd\u0f18-\u0f84\u102b-\u103e"
    "\u1056-\u109d\u135d-\u135f\u17b4-\u17d3\u1a17-\u1a1b\u1ab0-\u1aff\u1b00-\u1b44\u1dc0-\u1dff"
    "\u3099\u309a"
)
# runs of either kind: letter by letter it takes twice as long
RUN = f"(?:[^\\W_]++|[{MARKS}]++)++"
LETTERS = lazy_regex(RUN)
WORD = lazy_regex(f"{RUN}(?:['’]{RUN})*")

# Written without spaces: Thai, Lao, Burmese, Khmer, Hiragana, Katakana, Han; and Korean, in which
# endings are attached to a word
_UNSPACED = lazy_regex(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17d3\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\U00020000-\U000323af]+"
)
_HAN = lazy_regex("[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U000323af]")
_EMOJI = lazy_regex(
    "[\U0001f1e6-\U0001f1ff]{2}"  # two letters of a flag
    "|[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
)

# Characters that show nothing: control characters, zero-width spaces and joiners, marks of
# direction, variation selectors, skin tones, soft hyphens, tags
INVISIBLE = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a"
    "\U0001f3fb-\U0001f3ff\U000e0000-\U000e0fff"
)
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
# Letters that Unicode does not decompose: ligatures and special letters, final forms of Hebrew,
# spellings of one Arabic letter
_VARIANTS = {
    "ı": "i",
    "æ": "ae",
    "œ": "oe",
    "ð": "d",
    "þ": "th",
    "ŋ": "n",
    "ĸ": "k",
    "ך": "כ",
    "ם": "מ",
    "ן": "נ",
    "ף": "פ",
    "ץ": "צ",
    "ة": "ه",
    "ى": "ي",
    "ی": "ي",
    "ک": "ك",
    "ٱ": "ا",
    "ە": "ه",
    "ۀ": "ه",
    "ہ": "ه",
    "ـ": None,
}
_OTHER = lazy_regex(r"[^\x00-\x7f]+")
# What ``normal`` does to ASCII, in one step, which long answers need
_ASCII = {code: _INVISIBLE.sub("", chr(code)).lower() for code in range(128)}
# the same with spaces in place of everything but letters and digits
_ASCII_WORDS = {code: c if c.isalnum() or not c else " " for code, c in _ASCII.items()}
_APOSTROPHES = "‘’‚‛ʼʹ′׳"
_STROKED = ("LATIN ", "CYRILLIC ")  # scripts whose letters may have a stroke, a hook or a tail

ALIKE = 0.4  # share of parts that two forms of one word have in common, at least
GRAM = 4  # characters of a part of a word
PART = "~"  # begins a term that is a part of a word
_DIGITS = frozenset("0123456789")  # in a folded text there are no others
_DIGIT = lazy_regex(r"\d")
LONGEST_WORD = 64  # characters of a word that are searched; the rest of it is dropped
LONGEST_CUT = 32  # characters of a word up to which its parts are searched
CACHED_WORDS = 65_536  # words of which the terms are kept


# -- folding --------------------------------------------------------------------------------------


def composed(text: str) -> str:
    """A text without invisible characters and with accents as a part of their letters (NFC)."""
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", text))


def normal(text: str) -> str:
    """A text without case, width and invisible characters, on one line with single spaces."""
    if text.isascii():
        return " ".join(text.translate(_ASCII).split())
    text = " ".join(_INVISIBLE.sub("", text).split())
    text = unicodedata.normalize("NFKC", text.replace("´", "'")).casefold()
    return _with_apostrophes(unicodedata.normalize("NFC", text))


def _with_apostrophes(text: str) -> str:
    for other in _APOSTROPHES:  # takes a tenth of the time of ``translate``
        text = text.replace(other, "'")
    return text


def fold(text: str) -> str:
    """A text for comparison: as ``normal``, and without accents and spelling variants of a letter
    (ß and ss, ς and σ, ё and е, أ and ا); digits of all scripts as 0 to 9."""
    if text.isascii():
        return normal(text)
    # in most long texts few characters are not ASCII, and always the same ones
    text = _OTHER.sub(lambda run: _folded_run(run.group()), text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text).lower())
        return " ".join(text.split())
    return " ".join(text.translate(_ASCII).split())


@lru_cache(maxsize=65_536)
def _folded_run(run: str) -> str:
    """Folded characters outside ASCII."""
    run = unicodedata.normalize("NFKC", _INVISIBLE.sub("", run).replace("´", "'")).casefold()
    decomposed = unicodedata.normalize("NFKD", _with_apostrophes(run))
    return unicodedata.normalize("NFC", decomposed.translate(_FOLDED_LETTERS))


def is_accent(letter: str) -> bool:
    """True if a character is an accent or a vowel sign that may be omitted in writing, by its
    combining class; not for the marks of Japanese, Thai and the scripts of India."""
    kind = unicodedata.combining(letter)
    return 10 <= kind < 40 or kind >= 200


class _FoldedLetters(dict[int, str | None]):
    """Folded form of each decomposed character, as ``str.translate`` wants it; found once."""

    def __missing__(self, code: int) -> str | None:
        self[code] = folded = _folded_letter(chr(code))
        return folded


_FOLDED_LETTERS = _FoldedLetters()


def _folded_letter(letter: str) -> str | None:
    if letter in _VARIANTS:
        return _VARIANTS[letter]
    if is_accent(letter):
        return None
    if letter.isdigit():
        return str(unicodedata.digit(letter))
    base, stroke, _ = unicodedata.name(letter, "").partition(" WITH ")
    if not stroke or not base.startswith(_STROKED):
        return letter
    try:
        return unicodedata.lookup(base)
    except KeyError:  # of ʨ, which has a curl, there is none without
        return letter


# -- words ----------------------------------------------------------------------------------------


def words(text: str) -> list[str]:
    """Folded words in order, without possessive 's; runs of scripts without spaces become
    overlapping pairs."""
    return [word.removesuffix("'s") for word in WORD.findall(spaced(fold(text)))]


def spaced(text: str) -> str:
    """A text in which runs of scripts without spaces are split into overlapping pairs; a single
    character stays as it is."""
    if text.isascii():
        return text
    return _UNSPACED.sub(lambda run: f" {' '.join(_pairs(run.group()))} ", text)


def only_letters(text: str) -> str:
    """A folded text with spaces in place of everything but letters."""
    if text.isascii():
        return text.translate(_ASCII_WORDS)
    return " ".join(LETTERS.findall(fold(text)))


def has_unspaced(text: str) -> bool:
    """True if a text contains a script without spaces between words."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def has_digit(text: str) -> bool:
    """True if a text contains a digit of any script."""
    # ten searches for a character take a tenth of the time of one with a pattern
    return any(map(text.__contains__, _DIGITS)) or (
        not text.isascii() and _DIGIT.search(text) is not None
    )


def emoji(text: str) -> list[str]:
    """Emoji of a folded text, each by itself."""
    return [] if text.isascii() else _EMOJI.findall(text)


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


# -- terms of a search ----------------------------------------------------------------------------


def search_terms(text: str) -> list[str]:
    """Terms by which a text is found, as often as it has them: words by their stems, emoji, and
    parts of words, which begin with ``PART``."""
    return joined_terms(text).split()


def joined_terms(text: str) -> str:
    """The ``search_terms`` of a text, separated by spaces."""
    return " ".join([_joined_terms_of_line(line) for line in text.split("\n")])


@lru_cache(maxsize=2048)  # an utterance is also among the words of those after it
def _joined_terms_of_line(line: str) -> str:
    found, symbols = _words_and_emoji(line)
    return " ".join([*map(_JOINED_TERMS.__getitem__, found), *symbols])


def _words_and_emoji(line: str) -> tuple[list[str], list[str]]:
    """Folded words and emoji of a line."""
    if line.isascii():
        return only_letters(line).split(), []
    folded = fold(line)
    return LETTERS.findall(spaced(folded)), emoji(folded)


class _JoinedTerms(dict[str, str]):
    """Terms of each word, separated by spaces. Few words are most of any text, and looking one up
    takes a third of the time of ``lru_cache``."""

    def __missing__(self, word: str) -> str:
        if len(self) >= CACHED_WORDS:
            self.clear()
        cut = word[:LONGEST_WORD]
        self[word] = joined = " ".join([_stem(cut), *(f"{PART}{part}" for part in parts_of(cut))])
        return joined


_JOINED_TERMS = _JoinedTerms()


def _stem(word: str) -> str:
    """A word without its English endings. Words of other languages usually stay as they are, and
    their forms are found by their parts."""
    stemmed = _stemmer().analyze(word)
    return str(stemmed[0]) if stemmed else word


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import tantivy

    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    return analyzer.filter(tantivy.Filter.stemmer("english")).build()


def parts_of(word: str) -> list[str]:
    """Parts of a word that its inflected forms share: each four characters, with ``^`` and ``$``
    for its beginning and end. A pair of Chinese characters has each of the two. Numbers have none:
    other numbers are not forms of them.

    Character n-grams find inflected words without knowing the language (McNamee and Mayfield,
    "Character N-Gram Tokenization for European Language Text Retrieval", 2004).
    """
    if len(word) < GRAM - 1:
        return [] if word.isascii() else _HAN.findall(word)
    if len(word) > LONGEST_CUT or not _DIGITS.isdisjoint(word):
        return []
    bounded = f"^{word}$"
    return list(dict.fromkeys(bounded[i : i + GRAM] for i in range(len(bounded) - GRAM + 1)))


def is_form(word: str, other: str) -> bool:
    """True if two folded words may be forms of one: the same, or with many of their parts in common
    (Dice's coefficient)."""
    if word == other:
        return True
    own, others = part_set(word), part_set(other)
    if len(own) < 2 or len(others) < 2:
        return False
    return alike(len(own & others), len(own), len(others))


def alike(shared: int, own: int, others: int) -> bool:
    """True if so many ``shared`` parts are enough for two words with so many."""
    return 2 * shared >= ALIKE * (own + others)


def has_form(text: str, wanted: Sequence[str]) -> bool:
    """True if a text has a form of one of the folded words, or one of the emoji, and not just parts
    of them. In a script without spaces a word may occur anywhere."""
    folded = fold(text)
    if any(word in folded for word in wanted if has_unspaced(word) or emoji(word)):
        return True
    own = set(words(text))
    return any(is_form(word, one) or _same_stem(word, one) for word in wanted for one in own)


def _same_stem(word: str, other: str) -> bool:
    """True for forms of a short English word, which may share too few parts (run, running)."""
    return word[:2] == other[:2] and _stem(word) == _stem(other)


@lru_cache(maxsize=65_536)
def part_set(word: str) -> frozenset[str]:
    """Parts of a word, none in a script without spaces."""
    return frozenset() if has_unspaced(word) else frozenset(parts_of(word))
