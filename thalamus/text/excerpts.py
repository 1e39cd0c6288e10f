"""Excerpts of a text around the words searched for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection
from functools import lru_cache
from operator import itemgetter

from thalamus.text.analyzer import WORD, is_form, words


def marks(text: str, wanted: Collection[str]) -> list[tuple[int, int]]:
    """Positions in a text of the ``wanted`` words or forms of them: from, to (exclusive)."""
    names, known, found = tuple(wanted), dict[str, bool](), []
    for match in WORD.finditer(text):
        word = match.group()
        if word not in known:
            known[word] = _is_wanted(word, names)
        if known[word]:
            found.append(match.span())
    return found


@lru_cache(maxsize=4096)  # a text, or a list of texts, has most of its words many times
def _is_wanted(word: str, wanted: tuple[str, ...]) -> bool:
    return any(is_form(one, other) for one in words(word) for other in wanted)


def excerpt(text: str, wanted: Collection[str], most: int) -> str:
    """At most ``most`` characters of a text on one line, around the densest group of ``wanted``
    words, or its beginning if there is none. Omissions are marked by an ellipsis."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    room = most - 2  # for an ellipsis on either side
    places = [begin for begin, _ in marks(line, wanted)]
    following = (bisect_left(places, at + room) - number for number, at in enumerate(places))
    _, first = max(zip(following, places, strict=True), key=itemgetter(0), default=(0, 0))
    begin = _word_start(line, max(0, min(first - room // 4, len(line) - room)), first)
    end = begin + room
    if end < len(line) and (space := line.rfind(" ", first + 1, end + 1)) > first:
        end = space
    before, after = "…" if begin else "", "…" if end < len(line) else ""
    return f"{before}{line[begin:end]}{after}"


def _word_start(line: str, begin: int, most: int) -> int:
    """Start of the first whole word from ``begin`` on, at most ``most``."""
    if begin == 0 or line[begin - 1] == " ":
        return begin
    space = line.find(" ", begin, most)
    return space + 1 if space >= 0 else begin
