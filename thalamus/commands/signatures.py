"""Verification of the store against its signatures, for `thalamus doctor --signatures`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.config import Config


def verify(config: Config, head: bool, against: str | None, json: bool) -> None:
    """Prints a line for each row that Thalamus did not write, and exits with 1; otherwise a
    summary, with ``head`` the signed head."""
    import sys

    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.security.store_state import finding_line
    from thalamus.terminal import jsonl

    found = 0
    with engine(config) as thalamus, thalamus.store.verify(against) as verified:
        for finding in verified.findings():
            found += 1
            if json:
                jsonl.write(finding)
            else:
                say(finding_line(finding))
        if json:
            data = {**verified.counts, "findings": found, "head": None if found else verified.head}
            jsonl.write(Event(name="verified", at=thalamus.clock.stamp(), data=data))
        elif not found:
            (complain if head else say)(verified.summary)
            if head:
                say(verified.head)
    if found:
        sys.exit(1)
