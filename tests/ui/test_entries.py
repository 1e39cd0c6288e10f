"""A record as a line of a list."""

from __future__ import annotations

import pytest

from thalamus.records import Fact, Memory
from thalamus.ui.entries import of_record
from thalamus.ui.entry_list import _line


@pytest.mark.parametrize(
    ("precision", "when"),
    [("week", "2026-06-01"), ("season", "2026-06"), ("month", "2026-06"), ("year", "2026")],
)
def test_a_day_that_is_not_known_fits_its_column(precision: str, when: str) -> None:
    at = "2026-06-01T00:00:00Z"
    metadata = {"precision": {at: precision}}
    fact = Fact(subject="user", predicate="avoids", object="meat", valid_from=at, metadata=metadata)
    line = of_record(fact)
    assert line.when == when
    assert "2026" in line.marks


def test_a_type_stands_whole_in_its_line() -> None:
    memory = Memory(id="mem_1", content="The assistant is called Gwen.", type="assistant_identity")
    line = _line(of_record(memory), room=40).plain
    assert "assistant_identity" in line.split()
