"""What a store and a unit of work read in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from thalamus.storage.relational import facts
from thalamus.storage.relational.jobs import Jobs
from thalamus.storage.relational.links import Links
from thalamus.storage.relational.rows import find

if TYPE_CHECKING:
    from thalamus.security.encryption import Cipher
    from thalamus.storage.protocol import FactQuery, FactState, Rows, Where


class RelationalReader:
    """See ``storage.protocol.Reader``."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def _seen(self) -> Rows:
        """The rows as they are to be read."""
        return self._rows

    def _reading_cipher(self) -> Cipher | None:
        """What opens encrypted content; None without keys."""
        return None

    def _open(self, record: Any) -> Any:
        """A record with what is encrypted of it, as far as its key is here."""
        from thalamus.security.encryption import opened  # those who only search need none

        return opened(record, self._reading_cipher())

    @property
    def jobs(self) -> Jobs:
        return Jobs(self)

    @property
    def links(self) -> Links:
        return Links(self)

    def find(
        self,
        kind: type[Any],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
    ) -> list[Any]:
        return [self._open(record) for record in find(self._seen(), kind, where, order, limit)]

    def select(
        self,
        table: str,
        columns: Sequence[str],
        where: Where | None = None,
        order: Sequence[str] = (),
        limit: int | None = None,
        group: Sequence[str] = (),
    ) -> list[Any]:
        return self._seen().select(table, columns, where, order, limit, group)

    def fact_states(self, query: FactQuery) -> list[FactState]:
        return facts.states(self._seen(), self._reading_cipher(), query)
