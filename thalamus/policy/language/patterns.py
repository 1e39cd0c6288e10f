"""Patterns that are compiled when they are first needed.

A language has hundreds of patterns, and compiling them all takes a second, which a command that
reads one sentence should not wait for. Most of them cannot match without one of a few words, so a
pattern is compiled only when a text has them. These words are worked out beforehand from the parsed
patterns (``prefilter``) and kept in ``prefilter_words``; a pattern that is not there is compiled at
the first text, which is slower and changes nothing. The method is that of RE2's prefilters (Cox,
"Regular Expression Matching with a Trigram Index", 2012). Of a long pattern, only the branches that
the text may need are compiled (``pruning``).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator

from thalamus.policy.language.branch_selection import PrunedPattern
from thalamus.policy.language.prefilter_words import NEEDED

BETWEEN_SETS, BETWEEN_WORDS = "\x1e", "\x1f"
LONG = 1500  # characters of a pattern that is worth cutting down
FEW = 6  # texts for which it is
ALL: list[LazyPattern] = []


class LazyPattern:
    """A regular expression like ``re.compile(text, flags)``, compiled at the first text that it may
    match; a long one only as far as its texts need it. Raises ``re.error`` then, if it is wrong.

    ``listed``: it is made when its module is imported, so that ``prefilter_words`` has it.
    """

    __slots__ = ("_compiled", "_needed", "_pruned", "flags", "pattern")

    def __init__(self, text: str, flags: int = 0, listed: bool = True) -> None:
        self.pattern = text
        self.flags = flags
        self._compiled: re.Pattern[str] | None = None
        self._needed: list[list[str]] | None = None
        self._pruned: PrunedPattern | None = None
        if listed:
            ALL.append(self)

    def compiled(self) -> re.Pattern[str]:
        """The whole pattern, compiled."""
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self.flags)
            self._pruned = None
        return self._compiled

    def match(self, text: str, pos: int = 0) -> re.Match[str] | None:
        pattern = self._for_text(text)
        return pattern.match(text, pos) if pattern is not None else None

    def fullmatch(self, text: str, pos: int = 0) -> re.Match[str] | None:
        pattern = self._for_text(text)
        return pattern.fullmatch(text, pos) if pattern is not None else None

    def search(self, text: str, pos: int = 0) -> re.Match[str] | None:
        pattern = self._for_text(text)
        return pattern.search(text, pos) if pattern is not None else None

    def finditer(self, text: str, pos: int = 0) -> Iterator[re.Match[str]]:
        pattern = self._for_text(text)
        return pattern.finditer(text, pos) if pattern is not None else iter(())

    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        pattern = self._for_text(text)
        return pattern.split(text, maxsplit) if pattern is not None else [text]

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        pattern = self._for_text(text)
        return pattern.sub(new, text, count) if pattern is not None else text

    def _for_text(self, text: str) -> re.Pattern[str] | None:
        """A compiled pattern that finds in a text what the whole one finds; None where that finds
        nothing."""
        if self._needed is None:
            written = NEEDED.get(key_of(self.pattern, self.flags), "")
            self._needed = [s.split(BETWEEN_WORDS) for s in written.split(BETWEEN_SETS) if s]
        lower = text.lower()
        for words in self._needed:
            for word in words:
                if word in lower:
                    break
            else:
                return None
        if self._compiled is None and len(self.pattern) >= LONG:
            return self._as_far_as_needed(lower)
        return self.compiled()

    def _as_far_as_needed(self, lower: str) -> re.Pattern[str] | None:
        """The pattern without the branches that no text needed so far; the whole of it from a few
        texts on, when leaving branches out would cost more than it saves."""
        if self._pruned is None:
            self._pruned = PrunedPattern(self.pattern, self.flags)
        if not self._pruned.understood or self._pruned.texts >= FEW:
            return self.compiled()
        return self._pruned.for_text(lower)


Pattern = re.Pattern[str] | LazyPattern


def key_of(text: str, flags: int) -> str:
    """The key of a pattern in ``prefilter_words``."""
    return hashlib.blake2b(f"{int(flags)}:{text}".encode(), digest_size=6).hexdigest()


def any_of(text: str) -> Pattern:
    """A pattern written over several lines, upper or lower case."""
    return LazyPattern(text, re.I | re.X)


def on_one_line(text: str) -> LazyPattern:
    """A pattern whose blanks count, upper or lower case."""
    return LazyPattern(text, re.I)


def one_of(*patterns: str) -> Pattern:
    """The patterns as alternatives of one."""
    return any_of("|".join(patterns))


def either(words: str) -> str:
    """The words of a list as alternatives, the longest first; "_" stands for a blank."""
    return "|".join(
        word.replace("_", r"\s+") for word in sorted(words.split(), key=len, reverse=True)
    )
