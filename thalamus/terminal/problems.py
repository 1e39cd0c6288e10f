"""Errors and issues on standard error, and the end after a closed pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.errors import BadRecord, NothingMatches, ThalamusError
from thalamus.terminal import streams

if TYPE_CHECKING:
    from thalamus.records import Issue


class Reporting:
    """Reporting of the problems of the running command. ``as_json``: as records."""

    def __init__(self) -> None:
        self.as_json = False
        self._keep_going = False
        self._bad_lines = False

    def begin(self, *, keep_going: bool) -> None:
        """Called when a command begins. ``keep_going``: bad lines of its input do not end it."""
        self._keep_going, self._bad_lines = keep_going, False

    def bad_line(self, error: BadRecord) -> None:
        """Raises the error of a line, or reports it and goes on."""
        if not self._keep_going:
            raise error
        report(error)
        self._bad_lines = True

    def end(self) -> None:
        """Ends the process with the status of a bad record if there was one."""
        if self._bad_lines:
            sys.exit(BadRecord.code)


reporting = Reporting()


def leave_empty() -> None:
    """Ends the process with the status of no results, of which a command for people has told."""
    if reporting.as_json:
        raise NothingMatches("Nothing was found.")
    sys.exit(NothingMatches.code)


def report(error: ThalamusError) -> None:
    """Reports an error on standard error: for people, or as an ``error`` record."""
    place = (error.line, error.field or None) if isinstance(error, BadRecord) else ()
    _complain(error.code, error.name, error.message, error.advice, *place)


def warn(before: int, issues: Sequence[Issue]) -> None:
    """Reports the issues that a stage added, on standard error."""
    for issue in issues[before:]:
        if issue.code != "plugin":  # those are already reported
            message = f"{issue.stage}: {issue.message}"
            _complain(_status_of(issue.code), issue.code, message, issue.fix)


def _complain(
    code: int,
    name: str,
    message: str,
    fix: str,
    line: int | None = None,
    field: str | None = None,
) -> None:
    if reporting.as_json:
        from thalamus.records.json_line import to_line
        from thalamus.records.reports import Error

        record = Error(code=code, name=name, message=message, fix=fix, line=line, field=field)
        streams.complain(to_line(record).decode().rstrip("\n"))
        return
    streams.complain(f"thalamus: {message}\n  {fix}" if fix else f"thalamus: {message}")


def _status_of(name: str) -> int:
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
