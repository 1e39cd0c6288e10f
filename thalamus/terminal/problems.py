"""Errors and issues on standard error, and the end after a closed pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.errors import BadRecord, NothingMatches, ThalamusError
from thalamus.terminal import streams

if TYPE_CHECKING:
    from thalamus.records import Issue


class BadLines:
    """Bad lines of the input of a command, which ends it, or is passed over with ``keep_going``.
    ``as_json``: errors are records."""

    def __init__(self) -> None:
        self.as_json = False
        self._keep_going = False
        self._found = False

    def begin(self, *, keep_going: bool) -> None:
        """Called when a command begins."""
        self._keep_going, self._found = keep_going, False

    def add(self, error: BadRecord) -> None:
        """Raises the error of a line, or reports it with ``keep_going``."""
        if not self._keep_going:
            raise error
        report(error)
        self._found = True

    def end(self) -> None:
        """Ends the process with the status of a bad record if there was one."""
        if self._found:
            sys.exit(BadRecord.code)


lines = BadLines()


def leave_empty() -> None:
    """Ends the process with the status of no results, of which a command for people has told."""
    if lines.as_json:
        raise NothingMatches("Nothing was found.")
    sys.exit(NothingMatches.code)


def report(error: ThalamusError) -> None:
    """Reports an error on standard error: for people, or as an ``error`` record."""
    if lines.as_json:
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
        if lines.as_json:
            from thalamus.records.json_line import to_line
            from thalamus.records.reports import Error

            text = f"{issue.stage}: {issue.message}"
            record = Error(code=status_of(issue.code), name=issue.code, message=text, fix=issue.fix)
            streams.complain(to_line(record).decode().rstrip("\n"))
            continue
        text = f"thalamus: {issue.stage}: {issue.message}"
        streams.complain(f"{text}\n  {issue.fix}" if issue.fix else text)


def status_of(name: str) -> int:
    """Exit status of the error with this stable name."""
    kinds = [ThalamusError]
    for kind in kinds:
        if kind.name == name:
            return kind.code
        kinds += kind.__subclasses__()
    return ThalamusError.code


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
