"""One line for each robustness run at the end of a long run: what it did and what it found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

LINES = pytest.StashKey[list[str]]()
Tell = Callable[..., None]


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Iterator[Tell]:
    """``tell(run, cases, seed, found)``: notes the line; the seconds are those of the test."""
    begun = time.monotonic()

    def note(run: str, cases: object, seed: object, found: object) -> None:
        seconds = time.monotonic() - begun
        line = f"{run} | {cases} | {seed} | {seconds:.0f} | {found}"
        request.config.stash.setdefault(LINES, []).append(line)

    yield note


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long runs take half an hour: they are left out of continuous integration."""
    for item in items:
        if "torture" in item.path.parts and item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.torture)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    lines = config.stash.get(LINES, [])
    if lines and config.option.markexpr != "not slow":
        terminalreporter.section("robustness: run | cases | seed | seconds | found")
        for line in lines:
            terminalreporter.write_line(line)
