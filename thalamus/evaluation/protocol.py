"""What an evaluation is made of: haystacks of records, and questions whose gold is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from thalamus.records import Fact, Memory, Turn

Level = Literal["session", "turn"]
Storable = Memory | Fact | Turn


class Question(Struct, frozen=True, kw_only=True):
    """A question and its ``gold``: the labels of the records, or the sessions, that answer it.

    ``now`` is when it is asked (RFC 3339), None for the present.
    """

    id: str
    text: str
    gold: tuple[str, ...]
    type: str = ""
    now: str | None = None


class Haystack(Struct, kw_only=True):
    """The questions that are asked of one store, and the records that it is filled with.

    ``records`` is None when one's own store is asked. ``labels`` holds, for each record, the names
    by which gold may call it; ``line`` is where in the file it begins.
    """

    line: int
    questions: list[Question]
    records: list[Storable] | None = None
    labels: list[tuple[str, ...]] = []


@dataclass
class LeftOut:
    """``questions`` that do not count, by reason, and how many ``references`` led nowhere."""

    questions: Counter[str] = field(default_factory=Counter)
    references: int = 0


class Reader(Protocol):
    """Reads one format. Raises ``BadRecord`` naming line and field, ``UsageError`` for a file that
    cannot be read. Memory is needed for one haystack, and for the file when it is one list."""

    def __call__(self, path: Path, level: Level, left_out: LeftOut) -> Iterator[Haystack]: ...
