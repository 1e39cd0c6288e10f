"""Regular expressions that are compiled when they are first used.

A run of a command uses few of them, and compiling one takes up to five milliseconds.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _LazyPattern:
    """Looks up each method of the compiled pattern when it is first called."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self.pattern, self.flags), name)
        setattr(self, name, found)
        return found


def lazy_regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """``re.compile`` at the first use. Only for its methods: ``re.sub`` and others do not take it
    as a pattern."""
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))
