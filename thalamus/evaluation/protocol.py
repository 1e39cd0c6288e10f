"""Interfaces of an evaluation: haystacks of records, questions with known gold, and the engine that
is measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct, field

from thalamus.records import Fact, Memory, Turn

if TYPE_CHECKING:
    pass

Level = Literal["session", "turn"]
Storable = Memory | Fact | Turn


class Question(Struct, frozen=True, kw_only=True):
    """A question and its ``gold``: labels of the records, or sessions, that answer it.

    ``now``: when it is asked (RFC 3339), None for the present; ``answer``: the expected answer, if
    the file has one; ``unanswerable``: no record answers it.
    """

    id: str
    text: str
    gold: tuple[str, ...]
    type: str = ""
    now: str | None = None
    answer: str | None = None
    unanswerable: bool = False


class Haystack(Struct, kw_only=True):
    """The questions for one store and the records to fill it with.

    ``records``: None for the user's own store. ``labels``: for each record, the names used in gold;
    ``line``: its first line in the file.
    """

    line: int
    questions: list[Question]
    records: list[Storable] | None = None
    labels: list[tuple[str, ...]] = []


class LeftOut(Struct):
    """Skipped ``questions`` by reason, and the number of unresolved ``references``."""

    questions: Counter[str] = field(default_factory=Counter)
    references: int = 0


class DatasetReader(Protocol):
    """Reader of one format; ``unanswerable`` includes questions without an answer. Raises
    ``BadRecord`` with line and field, and ``UsageError`` for an unreadable file. Needs memory for
    one haystack, or for the whole file if it is a single list."""

    def __call__(
        self, path: Path, level: Level, left_out: LeftOut, unanswerable: bool = False
    ) -> Iterator[Haystack]: ...
