"""Results of checks, one per line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from thalamus.terminal import jsonl
from thalamus.terminal.streams import say

if TYPE_CHECKING:
    from thalamus.records.installation import Check


def show_checks(checks: Iterable[Check], json: bool) -> int:
    """Prints each check when it is done; returns the number of problems."""
    problems = 0
    for check in checks:
        problems += check.state == "problem"
        if json:
            jsonl.write(check)
            continue
        say(f"{check.state:8}  {check.name}: {' '.join(check.detail.split())}")
        if check.fix:
            say(f"{'':10}{check.fix}")
    return problems
