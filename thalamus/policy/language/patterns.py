"""Patterns that are compiled when they are first needed.

A language has hundreds of patterns, and compiling them all takes a second, which a command that
reads one sentence should not wait for. Most of them cannot match without one of a few words, so a
pattern is compiled only when a text has them. These words are worked out beforehand from the parsed
patterns (``prefilter``) and kept in ``prefilter_words``; a pattern that is not there is compiled at
the first text, which is slower and changes nothing. The method is that of RE2's prefilters (Cox, "Regular
Expression Matching with a Trigram Index", 2012).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator

from thalamus.policy.language.prefilter_words import NEEDED

BETWEEN_SETS, BETWEEN_WORDS = "\x1e", "\x1f"
ALL: dict[str, LazyPattern] = {}


class LazyPattern:
    """A regular expression like ``re.compile(text, flags)``, compiled at the first text that it may
    match. Raises ``re.error`` then, if it is wrong."""

    __slots__ = ("_compiled", "_needed", "_written", "flags", "pattern")

    def __init__(self, text: str, flags: int = 0) -> None:
        self.pattern = text
        self.flags = flags
        self._compiled: re.Pattern[str] | None = None
        key = key_of(text, flags)
        self._written = NEEDED.get(key, "")
        self._needed: list[list[str]] | None = None
        ALL[key] = self

    def compiled(self) -> re.Pattern[str]:
        """The pattern, compiled."""
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self.flags)
        return self._compiled

    def match(self, text: str, pos: int = 0) -> re.Match[str] | None:
        return self.compiled().match(text, pos) if self._may_match(text) else None

    def fullmatch(self, text: str, pos: int = 0) -> re.Match[str] | None:
        return self.compiled().fullmatch(text, pos) if self._may_match(text) else None

    def search(self, text: str, pos: int = 0) -> re.Match[str] | None:
        return self.compiled().search(text, pos) if self._may_match(text) else None

    def finditer(self, text: str, pos: int = 0) -> Iterator[re.Match[str]]:
        return self.compiled().finditer(text, pos) if self._may_match(text) else iter(())

    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        return self.compiled().split(text, maxsplit) if self._may_match(text) else [text]

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        return self.compiled().sub(new, text, count) if self._may_match(text) else text

    def _may_match(self, text: str) -> bool:
        if not self._written:
            return True
        if self._needed is None:
            self._needed = [s.split(BETWEEN_WORDS) for s in self._written.split(BETWEEN_SETS)]
        lower = text.lower()
        return all(any(word in lower for word in words) for words in self._needed)


Pattern = re.Pattern[str] | LazyPattern


def key_of(text: str, flags: int) -> str:
    """The key of a pattern in ``prefilter_words``."""
    return hashlib.blake2b(f"{int(flags)}:{text}".encode(), digest_size=6).hexdigest()


def any_of(text: str) -> Pattern:
    """A pattern written over several lines, upper or lower case."""
    return LazyPattern(text, re.I | re.X)


def either(words: str) -> str:
    """The words of a list as alternatives, the longest first; "_" stands for a blank."""
    return "|".join(
        word.replace("_", r"\s+") for word in sorted(words.split(), key=len, reverse=True)
    )
