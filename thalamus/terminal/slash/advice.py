"""Advice about an error as a chat gives it: a slash command where there is one."""

from __future__ import annotations

import re

# a command of the shell that an error names -> the slash command that does the same; what has none
# (options, other subcommands) stays as it is
_SAME = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"`thalamus (why|trace|forget|undo) ([a-z]+_\w+)`", r"`/\1 \2`"),
        (r"`thalamus why ID`", "`/why ID`"),
        (r"`thalamus (why|trace|facts|memory|insights|profile|session)`", r"`/\1`"),
        (r"`thalamus memory edit (\w+)`", r"`/correct \1 TEXT`"),
        (r"`thalamus world show`", "`/world`"),
        (r"`thalamus tools list`", "`/tools`"),
        (r"in `(facts|memory|insights)`", r"in `/\1`"),
    )
)


def in_chat(advice: str) -> str:
    """The advice of an error with slash commands in the place of the commands of the shell."""
    for pattern, replacement in _SAME:
        advice = pattern.sub(replacement, advice)
    return advice
