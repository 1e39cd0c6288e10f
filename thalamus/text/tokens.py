"""Content words of a text and of a question, and forms of words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache

from thalamus.text.analyzer import (
    WORD,
    emoji,
    fold,
    has_unspaced,
    normal,
    only_letters,
    spaced,
    words,
)
from thalamus.text.unspaced import content_text
from thalamus.text.word_lists import CONTENT, STOP_WORDS, function_words, languages

_SCRIPTS = (
    ("ja", "[\u3040-\u30ff]"),
    ("zh", "[\u4e00-\u9fff]"),
    ("ko", "[\uac00-\ud7af]"),
    ("th", "[\u0e00-\u0e7f]"),
    ("ar", "[\u0600-\u06ff]"),
    ("he", "[\u0590-\u05ff]"),
    ("hi", "[\u0900-\u097f]"),
    ("el", "[\u0370-\u03ff]"),
)
_SCRIPT_SHARE = 0.2  # of all characters of a text
_CYRILLIC = "[\u0400-\u04ff]"
_IN_CYRILLIC = ("ru", "uk")
COMMON = 4  # letters that forms of one word share at their beginning, at least
# Latin, East Asian and Arabic
QUESTION_MARKS = ("?", "？", "؟")


def content_words(text: str) -> list[str]:
    """Like ``words``, without function words."""
    return [word for word in words(text) if word not in STOP_WORDS]


def own_words(text: str) -> list[str]:
    """Distinct content words of a text: without the function words of the language that most of its
    words belong to, unless they may as well be English content words ("car keys", "red hat"). Those
    are compared with their accents: còn (still) is one in Vietnamese, and con (child) is not."""
    return list(_own_words(text))


@lru_cache(maxsize=64)  # those of a question are asked for again at each step of a search
def _own_words(text: str) -> tuple[str, ...]:
    text = content_text(text) if has_unspaced(text) else normal(text)
    distinct = list(dict.fromkeys(WORD.findall(spaced(text))))
    known = function_words(_language(distinct)).intersection(distinct)
    known = frozenset() if known <= CONTENT else known
    content = " ".join(word for word in distinct if word not in known)
    return tuple(dict.fromkeys(word.removesuffix("'s") for word in fold(content).split()))


def language(text: str) -> str:
    """Code of the language whose function words a text has most of; of several, the first known."""
    return _language(set(WORD.findall(normal(text))))


def _language(distinct: Collection[str]) -> str:
    return max(languages(), key=lambda code: len(function_words(code).intersection(distinct)))


def likely_languages(text: str) -> list[str]:
    """Codes of the languages that a text in lower case may be in, by its script and its function
    words: several if it has as many of each."""
    counts = _language_counts(text)
    most = max(counts.values())
    return [code for code, count in counts.items() if count == most]


def is_foreign(text: str, other: str) -> bool:
    """True if a text is in another language than the ``other``: that has at least twice as many
    function words of its own language as of the text's."""
    counts = _language_counts(other)
    near = max(counts.get(code, 0) for code in likely_languages(text))
    return 2 * near <= max(counts.values()) > 0


@lru_cache(256)
def _language_counts(text: str) -> Mapping[str, int]:
    """Number of function words of each language of its script that a text in lower case has."""
    for code, script in () if text.isascii() else _SCRIPTS:
        # a few letters may be those of a name
        if (found := re.findall(script, text)) and len(found) >= _SCRIPT_SHARE * len(text):
            return {code: 1}
    distinct = set(WORD.findall(text))
    own, others = _by_function_word()
    cyrillic = re.search(_CYRILLIC, text) is not None
    counts = dict.fromkeys(_IN_CYRILLIC if cyrillic else others, 0)
    for word in sorted(distinct, key=CONTENT.__contains__):
        for code in own.get(word, ()):
            # those that may as well be English content words count next to others
            if code in counts and (counts[code] or word not in CONTENT):
                counts[code] += 1
    foreign = not text.isascii() and any(w.isalpha() and not w.isascii() for w in distinct)
    if "en" in counts and foreign:
        counts["en"] -= 1  # such words are rare in it
    return counts


@cache
def _by_function_word() -> tuple[Mapping[str, list[str]], list[str]]:
    """The languages that have a function word, by the word; and the languages of Latin letters."""
    found: dict[str, list[str]] = {}
    for code in languages():
        for word in function_words(code):
            found.setdefault(word, []).append(code)
    others = {*_IN_CYRILLIC, *(code for code, _ in _SCRIPTS)}
    return found, [code for code in languages() if code not in others]


def query_words(text: str, limit: int = 64) -> list[str]:
    """Distinct words to search for: content words and emoji, or all words when there are none."""
    found = [*own_words(text), *emoji(fold(text))] or words(text)
    return list(dict.fromkeys(found))[:limit]


def marked_words(text: str) -> dict[str, str]:
    """Words of a text as written, in lower case, by their folded form; empty if none has accents or
    other marks. In a text with marks those without are meant to have none."""
    if text.isascii():
        return {}
    found = {fold(word): word for word in WORD.findall(normal(text)) if not has_unspaced(word)}
    return found if any(folded != word for folded, word in found.items()) else {}


def other_marks(marked: Mapping[str, str], text: str) -> set[str]:
    """The folded forms of ``marked_words`` that a text has, but only with other marks or none."""
    written = set(WORD.findall(normal(text)))
    missing = {folded for folded, word in marked.items() if word not in written}
    # as for most texts, and folding one takes longer
    return missing.intersection(only_letters(text).split()) if missing else missing


def query_text(text: str) -> str:
    """A question for an embedder without context: its content words, or all of it when there are
    none."""
    if has_unspaced(text):
        return content_text(text)
    kept = set(own_words(text))
    return " ".join(w for w in WORD.findall(normal(text)) if kept.intersection(words(w))) or text


def similar(one: str, other: str) -> bool:
    """True if two lower-case words are forms of one: equal, or sharing a long enough beginning.

    Cheap and the same for most languages with suffixes (move, moved, moving; Lissabon, Lissabons).
    """
    if one == other:
        return True
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    if len(shorter) < COMMON or len(longer) - len(shorter) > 4:
        return False
    need = max(COMMON, len(longer) - 4, (len(shorter) * 3 + 3) // 4)
    return one[:need] == other[:need]


class Forms:
    """Words in which forms of other words are searched for: by their beginning, because most words
    are not similar."""

    def __init__(self, words: Iterable[str]) -> None:
        self._begins: dict[str, set[str]] = {}
        for word in words:
            self._begins.setdefault(word[:COMMON], set()).add(word)

    def has(self, word: str) -> bool:
        """True if one of the words is a form of this one."""
        candidates = self._begins.get(word[:COMMON])
        return candidates is not None and (
            word in candidates or any(similar(word, other) for other in candidates)
        )


def share_found(wanted: Sequence[str], where: Collection[str]) -> float:
    """Share of ``wanted`` words of which ``where`` has a form; 1.0 when nothing is wanted."""
    if not wanted:
        return 1.0
    return sum(map(Forms(where).has, wanted)) / len(wanted)


def overlap(one: Collection[str], other: Collection[str]) -> float:
    """Jaccard similarity of two sets of words; 1.0 when both are empty."""
    first, second = set(one), set(other)
    union = first | second
    return len(first & second) / len(union) if union else 1.0
