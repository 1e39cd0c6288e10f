"""Reading from a relational store, whatever the database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.records import Fact, Record
from thalamus.records.kinds import identified, kind_of, kinds, numbered
from thalamus.storage.protocol.values import Filter, IndexedRow
from thalamus.storage.relational import statistics
from thalamus.storage.relational.entry_views import ENTRY, entry
from thalamus.storage.relational.filters import condition, newest, selection, views
from thalamus.storage.relational.reader import RelationalReader
from thalamus.storage.relational.rows import each, find
from thalamus.storage.relational.tables import (
    AT_ONCE,
    COUNTERS,
    ERASING,
    in_parts,
    literal,
    placeholders,
)

if TYPE_CHECKING:
    from thalamus.security.encrypted_search import EncryptedSearch
    from thalamus.storage.options import StoreOptions
    from thalamus.storage.protocol.conditions import Where
    from thalamus.storage.protocol.rows import Rows
    from thalamus.storage.relational.tables import Tables
    from thalamus.storage.relational.unit_of_work import UnitOfWork

BACKUPS = "backups"  # name in ``meta``: locations of copies, as JSON
COUNTED = (
    *("turn", "memory", "fact", "document", "plan", "world", "world_change", "link", "embedding"),
    "event",
)


class RelationalStore(RelationalReader, ABC):
    """See ``storage.protocol.Store``. ``guard``: converts the database's errors to Thalamus's own;
    it is entered around every read."""

    _options: StoreOptions

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables, self._options.owner)
        self._encrypted: EncryptedSearch | None = None
        # whether the last search found encrypted records, or one before did; None: not known
        self._found_encrypted: bool | None = None
        self._found_in: Counter[str] = Counter()  # number of entries found in each view
        self._rewritten: str | None = None  # mark of an erasure that this process still owes

    @abstractmethod
    def guard(self) -> AbstractContextManager[None]: ...

    @abstractmethod
    def _state(self) -> object:
        """A value that changes with every write."""

    # -- records ----------------------------------------------------------------------------------

    def each(self, kind: type[Any], where: Where | None = None) -> Iterator[Any]:
        with self.guard():
            for record in each(self._tables, kind_of(kind), where):
                yield self.open(record)

    def get(self, id: str) -> Any:
        for kind in identified():
            if (record := self.by_id(kind.record, id)) is not None:
                return record
        return None

    def complete_id(self, prefix: str) -> list[str]:
        found: list[str] = []
        for kind in identified():
            query = f"SELECT id FROM {self.source(kind.name)} WHERE id >= ? AND id < ? LIMIT 10"
            found += [row[0] for row in self.query(query, (prefix, prefix + "\U0010ffff"))]
        return sorted(found)[:10]

    def _everything(self, rows: Rows) -> Iterator[Record]:
        """Every record, in an order in which they can be imported."""
        from thalamus.storage import ledger
        from thalamus.storage.relational.facts import with_histories

        for kind in kinds():
            records = map(self.open, each(rows, kind))
            if kind.record is not Fact:
                yield from records
                continue
            while part := list(islice(records, AT_ONCE)):
                yield from with_histories(rows, part)
        for event in ledger.read(rows, {}, None):
            yield self.open(event)

    def counts(self) -> dict[str, int]:
        more = [kind.name for kind in numbered() if kind.name not in COUNTED]
        tables = (*COUNTED, *more)
        counted = {table: f"SELECT count(*) FROM {self.source(table)}" for table in tables}
        return {table: self.query(query)[0][0] for table, query in counted.items()}

    # -- entries ----------------------------------------------------------------------------------

    def entries(self, where: Filter, limit: int) -> list[IndexedRow]:
        self._begin_search()
        if not (chosen := views(where)):
            return []
        if where.only is not None:
            query, values = newest(self, "key, id, created_at", chosen, where)
            keys = [row[0] for row in self.query(query, values) if row[1] in where.only][:limit]
            entries_by_key = self.entries_by_key(keys, where)
            return [entries_by_key[key] for key in keys]
        query, values = newest(self, ENTRY, chosen, where)
        found = self.query(f"{query} LIMIT ?", (*values, limit))
        entries = [entry(row) for row in found]
        return self._encrypted_rows().opened(entries) if self._has_encrypted else entries

    def entries_by_key(self, keys: Sequence[int], where: Filter) -> dict[int, IndexedRow]:
        """Searches kind by kind, the most frequent one first: a key is in one table only, and found
        keys need not be looked up in the others."""
        sql, values = condition(self, where, indexed=False)
        found: dict[int, IndexedRow] = {}
        left = keys
        for view in sorted(views(where), key=lambda view: -self._found_in[view]):
            for part in in_parts(left):
                among = f"key IN ({placeholders(part)})"
                query = f"SELECT {ENTRY} FROM {self.source(view)} WHERE {among} AND {sql}"
                for row in self.query(query, (*part, *values)):
                    found[row[0]] = entry(row)
            self._found_in[view] += len(found) - (len(keys) - len(left))
            left = [key for key in left if key not in found]
        return found

    def _keys(self, where: Filter) -> list[int]:
        if not (chosen := views(where)):
            return []
        query, values = selection(self, "key, id", chosen, where)
        only = where.only
        return [row[0] for row in self.query(query, values) if only is None or row[1] in only]

    def keys_after(self, key: int, limit: int) -> list[tuple[int, str]]:
        entry = self.source("entry")
        sql = f"SELECT key, record FROM {entry} WHERE key > ? ORDER BY key LIMIT ?"
        return [(row[0], row[1]) for row in self.query(sql, (key, limit))]

    def _cut_ledger(self) -> list[str]:
        """Problem when the last ledger entries are missing."""
        last, _ = self.events.last()
        written = int(self.value(COUNTERS["event"]) or 1) - 1
        if written <= last:
            return []
        return [f"the ledger ends at entry {last}, but {written} were written"]

    # -- erasure and copies -----------------------------------------------------------------------

    def note_erasure(self, writer: UnitOfWork) -> None:
        """Marks the store, in a unit of work: what was deleted is not erased yet."""
        from thalamus.storage.protocol.erasure import ERASURES  # not needed by readers

        self._tables.set_value(ERASING, writer.now)
        self._tables.set_value(ERASURES, str(int(writer.value(ERASURES) or 0) + 1))

    def note_rewritten(self, writer: UnitOfWork) -> None:
        """Called after a unit of work: what was encrypted in it is erased when the store closes."""
        if writer.rewrote_plain:
            self._rewritten = writer.now

    def _erase_rewritten(self) -> None:
        """Erases the plain words of rows that were encrypted after they were stored."""
        if self._rewritten is None:
            return
        left = self.erase(lambda _: None)
        if not left and self.value(ERASING) == self._rewritten:
            self.finished()
        self._rewritten = None
        if left:
            self.remind()

    @abstractmethod
    def erase(self, progress: Callable[[str], None]) -> list[str]: ...

    @abstractmethod
    def finished(self) -> None: ...

    def unfinished(self) -> bool:
        """True when something was forgotten and its remains were not erased yet."""
        return bool(self._tables.select("meta", ("name",), {"name": ERASING}))

    def orphans(self) -> dict[str, int]:
        """Number of rows in each table that are derived from records which do not exist."""
        keyed = [kind.name for kind in numbered()]
        found = {
            table: " AND ".join(self._without(kind, "key", f"{table}.key") for kind in keyed)
            for table in ("embedding", "about")
        }
        for table in ("fact_note", "fact_interval"):
            found[table] = self._without("fact", "key", f"{table}.fact")
        found["encrypted"] = " OR ".join(
            f"(kind = {literal(kind.name)} AND {self._without(kind.name, 'id', 'encrypted.id')})"
            for kind in kinds()
            if kind.encrypted and kind.has_id
        )
        return self._counted(found)

    def _without(self, table: str, column: str, value: str) -> str:
        """SQL condition: no row of a table or view has this value."""
        return f"NOT EXISTS (SELECT 1 FROM {self.source(table)} WHERE {table}.{column} = {value})"

    def _counted(self, conditions: Mapping[str, str]) -> dict[str, int]:
        """Number of rows of each table that meet its condition, if there are any."""
        counts = {
            table: int(self.query(f"SELECT count(*) FROM {self.source(table)} WHERE {sql}")[0][0])
            for table, sql in conditions.items()
        }
        return {table: count for table, count in counts.items() if count}

    def remind(self) -> None:
        """Logs a warning about an unfinished erasure, if there is one."""
        if self.unfinished():
            from thalamus.logs import logger

            logger(__name__).warning(
                "a forget was interrupted, or is under way: what it deleted may not be erased yet;"
                " `thalamus forget --finish` does the rest"
            )

    def backups(self) -> list[Path]:
        """Known locations of copies of this store."""
        import json

        text = self.value(BACKUPS)
        return [Path(name) for name in json.loads(text)] if text else []

    def note_backup(self, path: Path) -> None:
        """Records the location of a copy."""
        import json

        if path.absolute() not in self.backups():
            text = json.dumps([*map(str, self.backups()), str(path.absolute())])
            with self.guard():
                self._tables.set_value(BACKUPS, text)

    # -- statistics -------------------------------------------------------------------------------

    def recalls_between(
        self, times: Sequence[str], where: Where | None = None
    ) -> list[tuple[int, int]]:
        return statistics.recalls_between(self, times, where or {})

    def inactive_memories(self) -> dict[str, int]:
        return statistics.inactive_memories(self)

    def quarantined_memories(self) -> list[str | None]:
        return statistics.quarantined_memories(self)

    def most_recalled(self, limit: int) -> list[tuple[str, int]]:
        return statistics.most_recalled(self, limit)

    def count_never_recalled(self, without: Sequence[str]) -> int:
        return statistics.count_never_recalled(self, without)

    def oldest_never_recalled(self, without: Sequence[str], limit: int) -> list[str]:
        return statistics.oldest_never_recalled(self, without, limit)

    def last_stages(self, entries: int) -> list[tuple[str, str]]:
        return statistics.last_stages(self, entries)

    # -- encrypted rows ---------------------------------------------------------------------------

    def count_encrypted(self) -> tuple[int, int]:
        """(encrypted rows, those of them whose key is missing)."""
        found = self.select("encrypted", ("subject", "count(*)"), group=("subject",))
        cipher = self.reading_cipher()
        closed = sum(count for key, count in found if cipher is None or cipher.key_of(key) is None)
        return sum(count for _, count in found), closed

    def _begin_search(self) -> None:
        """Lets a search look for encrypted records again, unless there were any before."""
        self._found_encrypted = self._found_encrypted or None

    @property
    def _has_encrypted(self) -> bool:
        """True when any searchable record was encrypted at the last search, or before."""
        if self._found_encrypted is None:
            self._found_encrypted = bool(self.query(f"SELECT {self._any_encrypted}")[0][0])
        return self._found_encrypted

    @property
    def _any_encrypted(self) -> str:
        """SQL expression for the existence of encrypted searchable records."""
        names = ", ".join(literal(kind.name) for kind in numbered())
        return f"EXISTS (SELECT 1 FROM {self.source('encrypted')} WHERE kind IN ({names}))"

    def _encrypted_rows(self) -> EncryptedSearch:
        """Encrypted rows, decrypted on demand."""
        from thalamus.security.encrypted_search import EncryptedSearch

        if self._encrypted is None:
            raw = partial(find, self._tables)
            self._encrypted = EncryptedSearch(self._tables, self.reading_cipher(), raw)
        return self._encrypted

    def _encrypted_search(self) -> EncryptedSearch:
        """Encrypted rows, all of them decrypted, in their current state."""
        search = self._encrypted_rows()
        search.follow(self._state())
        return search
