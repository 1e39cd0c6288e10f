"""Decoration for people, always on standard error: progress, tables, colour.

Nothing here is imported, and nothing printed, when standard error is no terminal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

Advance = Callable[[int], None]


def console() -> Console:
    """A rich console on standard error. It knows NO_COLOR and COLUMNS."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


@contextmanager
def counting(verb: str, things: str, total: int | None = None) -> Iterator[Advance]:
    """A progress bar that appears once the work takes long enough to want one.

    ``verb`` and ``things`` are what it says (stored 1,200 records); ``total`` how many there are.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from thalamus.terminal.progress import Bar

    bar = Bar(verb, things, total)
    try:
        yield bar.advance
    finally:
        bar.close()
