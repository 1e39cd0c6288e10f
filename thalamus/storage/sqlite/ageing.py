"""Reading what prune and undo need, a page at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from thalamus.errors import StoreBusy
from thalamus.records import Batch, Memory, Turn
from thalamus.storage.sealing import is_hidden
from thalamus.storage.sqlite import rows
from thalamus.storage.sqlite.database import exclusive, exclusive_within, translated
from thalamus.storage.sqlite.opened import Opened

if TYPE_CHECKING:
    from thalamus.policy.retention import Signals
    from thalamus.storage.batches import Subject

PAGE = 1000
_AGEING = """
    SELECT m.*,
           (SELECT count(*) FROM link WHERE source = m.id AND relation = 'evidence_of')
               AS recalled,
           (SELECT max(turn.created_at) FROM link JOIN turn ON turn.id = target
             WHERE source = m.id AND relation = 'evidence_of') AS recalled_at
      FROM memory AS m WHERE m.status = 'active' AND m.key > ?"""
_NOT_SUMMED_UP = """
    NOT EXISTS (SELECT 1 FROM link JOIN memory ON memory.id = link.source
                 WHERE link.target = turn.id AND link.relation = 'derived_from'
                   AND memory.type = 'session_summary')"""


class Ageing(Opened):
    """See ``storage.batches.BatchReader``."""

    @contextmanager
    def one_prune(self) -> Iterator[None]:
        timeout, lock = self._busy_timeout, self.folder / "prune.lock"
        with translated(self.path, timeout), exclusive_within(lock, timeout) as mine:
            if not mine:
                raise StoreBusy(self.path, f"{timeout:g}")
            yield

    @contextmanager
    def one_finishing(self) -> Iterator[None]:
        """Only one process does nothing but finish turns; others wait for it, without a limit."""
        with translated(self.path, self._busy_timeout), exclusive(self.folder / "finish.lock"):
            yield

    def ageing(self, kinds: Sequence[str] = ()) -> Iterator[tuple[Memory, Signals]]:
        from thalamus.policy.retention import Signals  # 2 ms that other readers need not pay

        active = self._activity()
        some = f" AND m.type IN ({','.join('?' * len(kinds))})" if kinds else ""
        query = f"{_AGEING}{some} ORDER BY m.key LIMIT {PAGE}"
        key = 0
        while found := self._rows(query, (key, *kinds)):
            for row in found:
                memory = self._open(rows.memory(row))
                at = active.get(_subject(memory.type, memory.topic, memory.user, memory.agent))
                yield memory, Signals(row["recalled"], row["recalled_at"], at)
            key = found[-1]["key"]

    def _activity(self) -> dict[Subject, str]:
        """When anything of a kind, topic and owner was said last; without a topic nothing ties
        one memory to another."""
        found = self._rows(
            "SELECT type, topic, user, agent, max(created_at) FROM memory"
            " WHERE status = 'active' AND topic IS NOT NULL GROUP BY type, topic, user, agent"
        )
        active: dict[Subject, str] = {}
        for kind, topic, user, agent, at in found:
            subject = _subject(kind, topic, user, agent)
            active[subject] = max(at, active.get(subject, ""))
        return active

    def active_memories(self, ids: Sequence[str]) -> list[Memory]:
        marks = ",".join("?" * len(ids))
        query = f"SELECT * FROM memory WHERE id IN ({marks}) AND status = 'active'"
        found = self._rows(f"{query} ORDER BY created_at, key", ids)
        memories = [self._open(rows.memory(row)) for row in found]
        return [memory for memory in memories if not is_hidden(memory)]

    def count_active(self) -> int:
        return int(self._rows("SELECT count(*) FROM memory WHERE status = 'active'")[0][0])

    def batches(self, undoable: bool = False) -> list[Batch]:
        some = " WHERE undone_at IS NULL AND purged_at IS NULL" if undoable else ""
        found = self._rows(
            "SELECT id, at, action, undone_at, purged_at,"
            " (SELECT count(*) FROM memory WHERE memory.batch = batch.id) AS retired,"
            " (SELECT count(before) FROM batch_item AS i WHERE i.batch = batch.id) AS changed,"
            " (SELECT count(*) - count(before) FROM batch_item AS i WHERE i.batch = batch.id)"
            f" AS made FROM batch{some} ORDER BY n DESC"
        )
        counted = ("retired", "changed", "made")
        return [
            Batch(
                id=row["id"],
                at=row["at"],
                action=row["action"],
                undone_at=row["undone_at"],
                purged_at=row["purged_at"],
                counts={name: row[name] for name in counted if row[name]},
            )
            for row in found
        ]

    def retired_by(self, batch: str) -> list[str]:
        query = "SELECT id FROM memory WHERE batch = ? AND status = 'retired' ORDER BY key"
        return [row[0] for row in self._rows(query, (batch,))]

    def resting_on(self, batch: str) -> list[str]:
        touched = (
            "SELECT id, batch FROM batch_item"
            " UNION ALL SELECT id, batch FROM memory WHERE batch IS NOT NULL"
        )
        found = self._rows(
            "SELECT DISTINCT later.id FROM batch AS this"
            " JOIN batch_item AS item ON item.batch = this.id"
            f" JOIN ({touched}) AS touched ON touched.id = item.id"
            " JOIN batch AS later ON later.id = touched.batch"
            " WHERE this.id = ? AND later.n > this.n"
            " AND later.undone_at IS NULL AND later.purged_at IS NULL ORDER BY later.n DESC",
            (batch,),
        )
        return [row[0] for row in found]

    def idle_sessions(self, before: str) -> list[str]:
        found = self._rows(
            "SELECT session FROM turn WHERE session IS NOT NULL GROUP BY session"
            " HAVING max(created_at) < ? ORDER BY max(key)",
            (before,),
        )
        query = f"SELECT 1 FROM turn WHERE session = ? AND {_NOT_SUMMED_UP} LIMIT 1"
        return [row[0] for row in found if self._rows(query, (row[0],))]

    def turns_to_sum_up(self, session: str) -> list[Turn]:
        query = f"SELECT * FROM turn WHERE session = ? AND {_NOT_SUMMED_UP} ORDER BY key"
        turns = [self._open(rows.turn(row)) for row in self._rows(query, (session,))]
        return [turn for turn in turns if not is_hidden(turn)]

    def distilled(self, turns: Sequence[str]) -> set[str]:
        marks = ",".join("?" * len(turns))
        found = self._rows(
            "SELECT link.target FROM link JOIN memory ON memory.id = link.source"
            f" WHERE link.target IN ({marks}) AND link.relation = 'derived_from'"
            " AND memory.type = 'exchange'",
            turns,
        )
        return {row[0] for row in found}


def _subject(kind: str, topic: str | None, user: str | None, agent: str | None) -> Subject:
    return kind, topic.casefold() if topic else None, user, agent
