"""Content of questions in Chinese, Japanese, Thai and Korean.

Such text is searched by pairs of characters. In a question most pairs belong to function words and
to the seams between them and the content, so these are removed before the text is cut.
"""

from __future__ import annotations

import re
from functools import cache

from thalamus.text.analyzer import normal
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.word_lists import endings, function_words, unspaced_words

_KANA = lazy_regex("[\u3040-\u30ff]")
_HIRAGANA = lazy_regex("[\u3041-\u309f]+")
_RUN = lazy_regex(
    "(?P<th>[\u0e00-\u0e7f]+)|(?P<ko>[\uac00-\ud7af]+)|(?P<zh>[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+)"
)


def content_text(text: str) -> str:
    """A text in lower case with spaces in place of its function words, as far as it is Chinese,
    Japanese, Thai or Korean.

    A single character between two of them is kept with its neighbours, because it is in no pair of
    its own: of 我住在哪里, 我住 and 住在.
    """
    text = normal(text)
    japanese = _KANA.search(text) is not None
    return _RUN.sub(lambda run: f" {_content(run, japanese)} ", text)


def _content(found: re.Match[str], japanese: bool) -> str:
    run, language = found.group(), found.lastgroup or "zh"
    if language == "ko":
        dropped = _korean(run)
    elif language == "zh" and japanese:
        dropped = _japanese(run)
    else:
        dropped = _spans(run, language)
    return " ".join(_parts(run, dropped))


def _parts(run: str, dropped: set[int]) -> list[str]:
    """Parts of a run without the characters at the places ``dropped``."""
    mask = "".join(" " if place in dropped else "x" for place in range(len(run)))
    parts = []
    for part in re.finditer("x+", mask):
        start, end = part.span()
        if end - start > 1 or len(run) == 1:
            parts.append(run[start:end])
        else:
            parts += [run[i : i + 2] for i in (start - 1, start) if 0 <= i < len(run) - 1]
    return parts


def _spans(run: str, language: str) -> set[int]:
    """Places of the function words of a run."""
    pattern, kept = _pattern(language)
    return {
        place
        for found in pattern.finditer(run)
        if found.group() not in kept
        for place in range(*found.span())
    }


@cache
def _pattern(language: str) -> tuple[re.Pattern[str], frozenset[str]]:
    listed, kept = unspaced_words(language)
    if language == "ja":
        listed = tuple(word for word in listed if word not in _hiragana_words())
    return re.compile("|".join(map(re.escape, listed))), kept


@cache
def _hiragana_words() -> frozenset[str]:
    """Japanese function words in hiragana, which are endings as well."""
    return frozenset(word for word in unspaced_words("ja")[0] if _HIRAGANA.fullmatch(word))


def _japanese(run: str) -> set[int]:
    """Words with kanji anywhere; in hiragana, what ends a stretch of it (は in 猫は, ました in
    食べました), and particles behind another function word."""
    dropped = _spans(run, "ja")
    for stretch in _HIRAGANA.finditer(run):
        start, end = stretch.span()
        while start in dropped:
            start += 1
        ending = start + _ending(run[start:end])
        while start < ending and start - 1 in dropped and run[start] in _hiragana_words():
            dropped.add(start)
            start += 1
        dropped.update(range(ending, end))
    return dropped


def _ending(hiragana: str) -> int:
    """Place from which a stretch of hiragana consists of function words."""
    known = _hiragana_words()
    longest = max(map(len, known))
    places = {len(hiragana)}
    for place in range(len(hiragana) - 1, -1, -1):
        ends = range(place + 1, place + longest + 1)
        if any(end in places and hiragana[place:end] in known for end in ends):
            places.add(place)
    return min(places)


def _korean(word: str) -> set[int]:
    """All of a function word, the particle at the end of another one."""
    known = function_words("ko")
    ending = next((one for one in endings("ko") if word.endswith(one)), "")
    begins = len(word) - len(ending)
    if word in known or word[:begins] in known:
        begins = 0
    return set(range(begins, len(word)))
