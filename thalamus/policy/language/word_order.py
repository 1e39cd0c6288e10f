"""Words put where the frames expect them, in languages that may say them elsewhere."""

from __future__ import annotations

import re

from thalamus.policy.language.patterns import Pattern

DASH = " – "  # between what is said and the times that were said with it


def split_times(text: str, times: Pattern) -> tuple[str, str]:
    """The text without its phrases for times, and those phrases: "Seit Mai wohne ich in Rom" is
    "wohne ich in Rom" and "Seit Mai"."""
    found = [match[0].strip(" ,") for match in times.finditer(text)]
    rest = " ".join(times.sub(" ", text).split())
    return re.sub(r"\s+,", ",", rest).strip(" ,"), " ".join(found)


def with_times(text: str, times: str) -> str:
    """The text with its times behind it."""
    return f"{text}{DASH}{times}" if times else text
