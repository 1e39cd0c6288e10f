"""Forgetting: the rows in one transaction, then all that SQLite and the indexes keep of them.

Between the two a marker in ``meta`` says that something is left to be done; it holds no words. A
process that is killed in between leaves it behind: ``doctor`` tells, and whoever forgets next, or
``forget --finish``, does the rest.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.errors import ThalamusError
from thalamus.records import Document, Link
from thalamus.storage.sqlite import rows
from thalamus.storage.sqlite.care import Care
from thalamus.storage.sqlite.database import (
    PAUSE,
    exclusive_within,
    primary_code,
    translated,
    writable,
)

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.policy.forget import Piece
    from thalamus.storage.forgettable import Clean, Forget, Forgotten, Search
    from thalamus.storage.sqlite.sealing import Sealing
    from thalamus.storage.sqlite.writer import SqliteWriter

MARKER = "forgetting"  # in ``meta``
BACKUPS = "backups"
Progress = Callable[[str], None]


class Forgetting(Care):
    """What ``forget`` asks of the store."""

    _clock: Clock

    if TYPE_CHECKING:  # another part of the store

        def _unit(self, blank: bool = False) -> AbstractContextManager[Sealing | None]: ...

    def pieces(self) -> Iterator[Piece]:
        from thalamus.storage.sqlite import pieces

        with translated(self.path, self._busy_timeout):
            yield from pieces.pieces(self._db, self._boxes)

    def event_pieces(self) -> Iterator[Piece]:
        from thalamus.storage.sqlite import pieces

        with translated(self.path, self._busy_timeout):
            yield from pieces.events(self._db, self._open)

    def all_links(self) -> Iterator[Link]:
        for row in self._rows("SELECT * FROM link"):
            yield Link(**dict(row))

    def also_called(self, subject: str) -> list[str]:
        """The other names of a subject, where the store keeps any."""
        if not self._rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'alias'"):
            return []
        table = [dict(row) for row in self._rows("SELECT * FROM alias")]
        names = [[row.get(c) for c in ("alias", "name", "target", "target_name")] for row in table]
        same = [[n for n in row if isinstance(n, str)] for row in names]
        return [n for row in same if subject.casefold() in map(str.casefold, row) for n in row]

    def documents(self) -> list[Document]:
        return [rows.document(row) for row in self._rows("SELECT * FROM document")]

    def mark(self) -> tuple[int, ...]:
        """What is another number after somebody wrote."""
        counted = "SELECT (SELECT value FROM meta WHERE name = 'next_key'), max(seq) FROM event"
        found = self._rows(counted)[0]
        return (self._rows("PRAGMA data_version")[0][0], found[0] or 0, found[1] or 0)

    @contextmanager
    def forgetting(self) -> Iterator[tuple[Forget, SqliteWriter]]:
        """One transaction, in which rows may be judged again before they go."""
        from functools import partial

        from thalamus.storage.sqlite.hard_delete import forget_rows
        from thalamus.storage.sqlite.writer import SqliteWriter

        with translated(self.path, self._busy_timeout):
            self._db.execute("PRAGMA temp_store = MEMORY")  # no journal of theirs on the disk
            try:
                with self._unit(blank=True) as seals:
                    signer, boxes = seals.signer if seals else None, self._boxes
                    writer = SqliteWriter(self._db, self._clock, signer, boxes)
                    forget = partial(
                        forget_rows, self._db, clock=self._clock, signer=signer, boxes=boxes
                    )
                    yield forget, writer
                    writer.finish()
            finally:
                self._db.execute("PRAGMA temp_store = DEFAULT")

    def unfinished(self) -> bool:
        """Whether rows were forgotten and what is left of them in files was not erased yet."""
        return bool(self._rows("SELECT 1 FROM meta WHERE name = ?", (MARKER,)))

    def remind(self) -> None:
        """Says that a forget is not finished, if one is not."""
        try:
            unfinished = self.unfinished()
        except sqlite3.OperationalError:  # a table is gone, which `verify` tells
            return
        if unfinished:
            import logging

            logging.getLogger(__name__).warning(
                "a forget was interrupted, or is under way: what it deleted may still stand in"
                " files of the store; `thalamus forget --finish` does the rest"
            )

    def erase(self, progress: Progress) -> list[str]:
        """Indexes, log and free pages without what was forgotten; what could not be done."""
        left: list[str] = []
        for what, step in (
            ("making the indexes anew", self._erase_indexes),
            ("emptying SQLite's log", self._empty_log),
            ("writing the database anew", self._vacuum),
            ("emptying SQLite's log", self._empty_log),
        ):
            progress(what)
            problem = step()
            if problem and problem not in left:
                left.append(problem)
        return left

    def finished(self) -> None:
        """Takes the marker away."""
        with translated(self.path, self._busy_timeout):
            self._db.execute("DELETE FROM meta WHERE name = ?", (MARKER,))
            self._empty_log()

    def residue(
        self,
        forgotten: Forgotten,
        copies: Iterable[Path],
        progress: Progress,
        beside: Mapping[Path, Clean] | None = None,
    ) -> Search:
        from thalamus.storage.sqlite.residue import search

        files = (beside or {}, copies)
        with translated(self.path, self._busy_timeout):
            return search(self, self._db, self._indexes, forgotten, files, progress)

    def backup(self, target: Path) -> None:
        super().backup(target)
        self.note_backup(target)

    def backups(self) -> list[Path]:
        """Where ``backup`` wrote copies of this store, as far as is known."""
        import json

        row = self._rows("SELECT value FROM meta WHERE name = ?", (BACKUPS,))
        return [Path(name) for name in json.loads(row[0][0])] if row else []

    def note_backup(self, path: Path) -> None:
        """Remembers where a copy is. A store that cannot be written does not."""
        import json

        name = str(path.absolute())
        if writable(self.path) and path.absolute() not in self.backups():
            text = json.dumps([*map(str, self.backups()), name])
            with translated(self.path, self._busy_timeout):
                self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (BACKUPS, text))

    # -- the steps of erasing ------------------------------------------------------------------

    def _erase_indexes(self) -> str:
        """The files are unlinked before new ones are made: also when there is no room for these,
        the words are gone, and the next search makes them."""
        folder = self._indexes.folder
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with exclusive_within(folder / "index.lock", self._busy_timeout) as mine:
                if not mine:
                    return "the indexes: another process is writing to them"
            self._indexes.rebuild()
        except (OSError, ValueError, sqlite3.Error, ThalamusError) as error:
            return f"the indexes: {error}"
        return ""

    def _empty_log(self) -> str:
        give_up = time.monotonic() + self._busy_timeout
        while True:
            try:
                busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            except sqlite3.Error as error:
                if primary_code(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    return f"SQLite's log: {error}"
                busy = 1
            if not busy:
                return ""
            if time.monotonic() > give_up:
                return "SQLite's log: another process is reading the store"
            time.sleep(PAUSE)

    def _vacuum(self) -> str:
        try:
            self._db.execute("VACUUM")
        except sqlite3.Error as error:
            return f"the database's free pages: {error}"
        return ""
