"""Errors and issues on standard error, and the end after a closed pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.errors import BadRecord, ThalamusError
from thalamus.terminal import streams

if TYPE_CHECKING:
    from thalamus.records import Issue


def report(error: ThalamusError, as_json: bool) -> None:
    """Reports an error on standard error: for people, or as an ``error`` record."""
    if as_json:
        from thalamus.records.json_line import to_line
        from thalamus.records.reports import Error

        record = Error(code=error.code, name=error.name, message=error.message, fix=error.advice)
        if isinstance(error, BadRecord):
            record.line, record.field = error.line, error.field or None
        text = to_line(record).decode().rstrip("\n")
    else:
        text = f"thalamus: {error.message}"
        if error.advice:
            text += f"\n  {error.advice}"
    streams.complain(text)


def warn(before: int, issues: Sequence[Issue]) -> None:
    """Reports the issues that a stage added, on standard error."""
    for issue in issues[before:]:
        if issue.code == "plugin":
            continue  # already reported
        text = f"thalamus: {issue.stage}: {issue.message}"
        streams.complain(f"{text}\n  {issue.fix}" if issue.fix else text)


# a turn without these has failed; reflection and planning are made up for by a later command
NEEDED = ("retrieve", "answer", "store")


def exit_code(failures: Sequence[tuple[str, Exception]], stages: Sequence[str] = ()) -> int:
    """The exit code of the last of ``failures`` (stage, error), only of ``stages`` if any are
    named; 0 without any."""
    for stage, error in reversed(failures):
        if not stages or stage in stages:
            return getattr(error, "code", 1)
    return 0


def leave_quietly() -> None:
    """Ends the process without a message, because nobody reads its output any more."""
    streams.give_up()
    sys.exit(0)
