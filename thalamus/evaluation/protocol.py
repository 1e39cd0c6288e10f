"""What an evaluation is made of: haystacks of records, questions whose gold is known, and the
engine that is measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct

from thalamus.records import Evidence, Fact, Memory, Turn

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.config import Config
    from thalamus.context import Context
    from thalamus.memory.draft import Storable as Stored
    from thalamus.storage.protocol import Filter, Store

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


class DatasetReader(Protocol):
    """Reads one format, with ``unanswerable`` also the questions that have no answer. Raises
    ``BadRecord`` naming line and field, ``UsageError`` for a file that cannot be read. Memory is
    needed for one haystack, and for the file when it is one list."""

    def __call__(
        self, path: Path, level: Level, left_out: LeftOut, unanswerable: bool = False
    ) -> Iterator[Haystack]: ...


class SystemUnderTest(Protocol):
    """What is measured: the part of ``thalamus.Thalamus`` that an evaluation uses."""

    config: Config
    clock: Clock

    @property
    def context(self) -> Context: ...

    @property
    def store(self) -> Store: ...

    @property
    def failures(self) -> list[tuple[str, Exception]]: ...

    def sibling(
        self, *, config: Config | None = None, clock: Clock | None = None
    ) -> AbstractContextManager[SystemUnderTest]: ...

    def run_turn(self, message: str | Turn, *, flow: str | None = None) -> Turn: ...

    def answer_only(self, message: str | Turn, *, flow: str | None = None) -> Turn: ...

    def run_stage(self, name: str, turn: Turn) -> Turn: ...

    def reset_session(self, session: str | None = None) -> str: ...

    def remember(self, records: Sequence[Stored]) -> list[Stored]: ...

    def retrieve(
        self, question: str, *, limit: int | None = None, where: Filter | None = None
    ) -> list[Evidence]: ...

    def facts(self, *, history: bool = False) -> list[Fact]: ...

    def memories(self, *, limit: int = 100) -> list[Memory]: ...
