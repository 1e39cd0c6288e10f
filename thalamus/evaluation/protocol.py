"""What an evaluation is made of: haystacks of records, questions whose gold is known, and the
engine that is measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct

from thalamus.records import Fact, Memory, Turn

if TYPE_CHECKING:
    pass

Level = Literal["session", "turn"]
Storable = Memory | Fact | Turn


class Question(Struct, frozen=True, kw_only=True):
    """A question and its ``gold``: the labels of the records, or the sessions, that answer it.

    ``now`` is when it is asked (RFC 3339), None for the present; ``answer`` what the answer should
    say, where the file has that; ``unanswerable``: nothing in the records answers it.
    """

    id: str
    text: str
    gold: tuple[str, ...]
    type: str = ""
    now: str | None = None
    answer: str | None = None
    unanswerable: bool = False


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
    """Reads one format, with ``unanswerable`` also the questions that have no answer. Raises
    ``BadRecord`` naming line and field, ``UsageError`` for a file that cannot be read. Memory is
    needed for one haystack, and for the file when it is one list."""

    def __call__(
        self, path: Path, level: Level, left_out: LeftOut, unanswerable: bool = False
    ) -> Iterator[Haystack]: ...
