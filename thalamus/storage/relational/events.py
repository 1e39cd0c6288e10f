"""Reading and emptying of the table ``event``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from thalamus.records.ownership import DEFAULT_USER
from thalamus.storage import ledger
from thalamus.storage.protocol.conditions import at_least
from thalamus.storage.protocol.events import GENESIS

if TYPE_CHECKING:
    from thalamus.records import Event
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.relational.collection import RowReader, RowWriter

_NOTHING = {"turn": None, "session": None, "data": "{}", "salt": None}
_NOTHING |= {"user": DEFAULT_USER, "agent": None}


class Events:
    """See ``storage.protocol.events.Events``."""

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows

    def read(
        self,
        turn: str | None = None,
        limit: int | None = None,
        since: str | None = None,
        *,
        of_all: bool = False,
    ) -> Iterator[Event]:
        where: dict[str, object] = {} if of_all else self._rows.owner.where
        if turn is not None:
            where["turn"] = turn
        if since is not None:
            where["at"] = at_least(since)
        with self._rows.guard():
            for event in ledger.read(self._rows.rows, where, limit):
                yield self._rows.open(event)

    def last(self) -> tuple[int, str]:
        for row in self._rows.select("event", ("seq", "hash"), order=("-seq",), limit=1):
            return row[0], row[1]
        return 0, GENESIS

    def data(self, where: Where, limit: int) -> list[str]:
        found = self._rows.select("event", ("data",), where, ("-seq",), limit)
        return [row[0] for row in found]


class MutableEvents(Events):
    """See ``storage.protocol.events.MutableEvents``."""

    def __init__(self, rows: RowWriter) -> None:
        super().__init__(rows)
        self._target = rows

    def rename(self, column: str, name: str, new: str) -> None:
        self._target.update("event", {column: new}, {column: name})

    def empty(self, numbers: Sequence[int]) -> None:
        self._target.update("event", _NOTHING, {"seq": numbers})
