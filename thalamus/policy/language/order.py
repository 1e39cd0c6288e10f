"""Words put where the frames expect them, in languages that may say them elsewhere."""

from __future__ import annotations

import re

from thalamus.policy.language.patterns import LazyPattern, Pattern

DASH = " – "  # between what is said and the times that were said with it


def times_last(text: str, times: Pattern) -> tuple[str, str]:
    """The text without its phrases for times, and those phrases: "Seit Mai wohne ich in Rom" is
    "wohne ich in Rom" and "Seit Mai"."""
    found = [match[0].strip(" ,") for match in times.finditer(text)]
    rest = " ".join(times.sub(" ", text).split())
    return re.sub(r"\s+,", ",", rest).strip(" ,"), " ".join(found)


def with_times(text: str, times: str) -> str:
    """The text with its times behind it."""
    return f"{text}{DASH}{times}" if times else text


def any_of(text: str) -> Pattern:
    """A pattern written over several lines, upper or lower case."""
    return LazyPattern(text, re.I | re.X)


def either(words: str) -> str:
    """The words of a list as alternatives, the longest first; "_" stands for a blank."""
    return "|".join(
        word.replace("_", r"\s+") for word in sorted(words.split(), key=len, reverse=True)
    )
