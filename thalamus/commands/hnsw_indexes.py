"""HNSW indexes that a command builds in the foreground, with progress and results."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from thalamus.store import embeddings
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.store.maintenance import HnswResult

Build = Callable[[Callable[[int], None]], "list[HnswResult]"]


def with_progress(thalamus: Thalamus, build: Build) -> list[HnswResult]:
    """Runs ``build`` with a progress bar; it can be interrupted between two steps."""
    from thalamus.terminal.interrupts import at_safe_points
    from thalamus.terminal.progress import counting

    vectors = sum(space.count for space in embeddings.spaces(thalamus.database))
    with at_safe_points() as stop_if_asked, counting("indexed", "vectors", vectors) as advance:

        def progress(count: int) -> None:
            advance(count)
            stop_if_asked()

        return build(progress)


def keep(thalamus: Thalamus) -> None:
    """Builds or extends the indexes that need it, after a command's own work. A problem is printed
    and does not change the exit status: searches are only slower without the indexes."""
    from thalamus.errors import ThalamusError

    sys.stdout.flush()
    try:
        with_progress(thalamus, thalamus.store.keep_hnsw)
    except ThalamusError as error:
        complain(f"thalamus: the HNSW index was not built: {error}")


def print_results(results: list[HnswResult]) -> None:
    """Prints one line for each index."""
    for result in results:
        kept = f"{result.rows:,} rows, recall@10 {result.recall or 0:.3f}"
        say(f"HNSW index of {result.model}: {kept if result.kept else result.note}")
