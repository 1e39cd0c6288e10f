"""What was measured: every single timing, and the figures made of them."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

OWN = "thalamus"


@dataclass
class Measurement:
    """All values of one row at one size. ``note`` says why there are none, or what they are."""

    who: str
    what: str
    size: int
    unit: str = "ms"
    values: list[float] = field(default_factory=list)
    note: str = ""

    @property
    def p50(self) -> float:
        return statistics.median(self.values)

    @property
    def p95(self) -> float:
        """The nearest-rank percentile."""
        return sorted(self.values)[math.ceil(len(self.values) * 0.95) - 1]


class Results:
    """The measurements of one run, by (who, what, size)."""

    def __init__(self, about: dict[str, Any] | None = None) -> None:
        self.about = about or {}
        self._all: dict[tuple[str, str, int], Measurement] = {}

    def add(
        self,
        who: str,
        what: str,
        size: int,
        values: Sequence[float] = (),
        unit: str = "ms",
        note: str = "",
    ) -> Measurement:
        """Adds values to a row, which is made when it is not there."""
        row = self._all.setdefault((who, what, size), Measurement(who, what, size, unit))
        row.values += values
        row.note = note or row.note
        return row

    def get(self, who: str, what: str, size: int) -> Measurement | None:
        """A row that has values or a note."""
        return self._all.get((who, what, size))

    def p50(self, who: str, what: str, size: int) -> float | None:
        row = self.get(who, what, size)
        return row.p50 if row is not None and row.values else None

    @property
    def sizes(self) -> list[int]:
        return sorted({size for _, _, size in self._all})

    @property
    def rows(self) -> list[str]:
        """What was measured, in that order."""
        return list(dict.fromkeys(what for _, what, _ in self._all))

    def people(self, what: str) -> list[str]:
        """Who has this row, in the order in which they came; Thalamus first."""
        found = dict.fromkeys(who for who, row, _ in self._all if row == what)
        return sorted(found, key=lambda who: who != OWN)

    def save(self, path: Path) -> None:
        rows = [asdict(row) for row in self._all.values()]
        path.write_text(json.dumps({"about": self.about, "rows": rows}, indent=1) + "\n")

    @classmethod
    def read(cls, path: Path) -> Results:
        """What ``save`` wrote."""
        given = json.loads(path.read_text())
        results = cls(given["about"])
        for row in given["rows"]:
            results._all[row["who"], row["what"], row["size"]] = Measurement(**row)
        return results
