"""Rows that are measured in turns, so that a noisy moment of the machine hits all of them alike."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from processes import Failed
from results import Results

SLOW = 10_000.0  # milliseconds; a row that takes longer is not repeated


@dataclass
class Row:
    """A row: ``run`` gets the number of the round and returns milliseconds. ``rounds``: at most."""

    who: str
    what: str
    run: Callable[[int], float]
    rounds: int = 1_000


def interleave(rows: Sequence[Row], rounds: int, size: int, results: Results) -> None:
    """Runs every row once per round. A first round warms the caches and does not count, unless a
    row is so slow that it is all there will be."""
    waiting = list(rows)
    for number in range(rounds + 1):
        for row in list(waiting):
            try:
                taken = row.run(number)
            except Failed as error:
                results.add(row.who, row.what, size, note=str(error))
                waiting.remove(row)
                continue
            if number or taken > SLOW:
                results.add(row.who, row.what, size, [taken])
            if taken > SLOW or number >= row.rounds:
                waiting.remove(row)


def say(text: str) -> None:
    """Tells on standard error what is being done."""
    print(f"{time.strftime('%H:%M:%S')}  {text}", file=sys.stderr, flush=True)
