"""Advice of errors as a chat gives it, with slash commands."""

from __future__ import annotations

import re

# a shell command in an advice -> the slash command that does the same; others (options, other
# subcommands) are kept
_SAME = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"`thalamus (why|trace|forget|undo) ([a-z]+_\w+)`", r"`/\1 \2`"),
        (r"`thalamus why ID`", "`/why ID`"),
        (r"`thalamus (why|trace|facts|memory|insights|profile)`", r"`/\1`"),
        (r"`thalamus session`", "`/resume`"),
        (r"`thalamus memory edit ([a-z]+_\w+)`", r"`/edit \1 TEXT`"),
        (r"`thalamus facts correct ([a-z]+_\w+)`", r"`/correct \1 VALUE`"),
        (r"`thalamus world show`", "`/world`"),
        (r"`thalamus tools list`", "`/tools`"),
    )
)


def in_chat(advice: str) -> str:
    """The advice of an error with slash commands in place of shell commands."""
    for pattern, replacement in _SAME:
        advice = pattern.sub(replacement, advice)
    return advice
