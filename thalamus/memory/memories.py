"""Lookup and changes of memories in a unit of work, in any status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from thalamus.records import Fact, Memory, Turn
from thalamus.records.identity import content_hash, identity_hash
from thalamus.store import memories as memory_rows

if TYPE_CHECKING:
    from thalamus.store.memories import StoredMemory
    from thalamus.store.reader import Reader
    from thalamus.store.values import Vector
    from thalamus.store.writer import Writer


class KnownMemories:
    """Cache of the stored memories that one unit of work has looked up.

    It looks up many at a time (``load``) and is updated with each one added, so that thousands are
    stored without a query for each.
    """

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        # id or hash of a memory -> its id; None when it is not stored
        self._ids: dict[str | bytes, str | None] = {}
        self._by_hash = False  # true once a memory was looked up by content
        self._last: tuple[Memory | None, bytes] = (None, b"")

    def load(self, memories: Sequence[Memory]) -> None:
        """Looks up memories that ``find`` will be called with: together they cost less."""
        ids = [memory.id for memory in memories if memory.id]
        unnamed = [memory for memory in memories if not memory.id]
        hashes = {self.identity(one): self._writer.hash(one, content_hash(one)) for one in unnamed}
        self._by_hash = self._by_hash or bool(hashes)
        self._ids |= dict.fromkeys([*ids, *hashes])
        if ids:
            self._ids |= {id: id for id in self._writer.existing(Memory, ids)}
        if hashes:
            self._ids |= dict(memory_rows.same(self._writer, hashes).items())

    def find(self, memory: Memory) -> str | None:
        """Id of the stored memory that is the same: by id, or by owner, time and content."""
        name = memory.id or self.identity(memory)
        if name not in self._ids:
            self.load([memory])
        return self._ids[name]

    def added(self, memory: Memory) -> bytes | None:
        """Registers a memory that is added. Returns its hash if it was needed."""
        self._ids[memory.stored_id] = memory.id
        if not self._by_hash:
            return None
        identity = self.identity(memory)
        self._ids[identity] = memory.id
        return identity

    def forget(self) -> None:
        """Clears the cache after a deletion."""
        self._ids.clear()

    def identity(self, memory: Memory) -> bytes:
        """Hash by which a memory is found; computed just before it is added."""
        if self._last[0] is not memory:
            self._last = memory, self._writer.hash(memory, identity_hash(memory))
        return self._last[1]


# -- finding ---------------------------------------------------------------------------------------


def with_id(reader: Reader, id: str) -> Memory | None:
    """The memory with this id."""
    return reader.by_id(Memory, id)


def with_same_content(reader: Reader, memory: Memory) -> str | None:
    """Id of an active memory of the same owner with the same content, at any time."""
    return memory_rows.of_content(reader, reader.hash(memory, content_hash(memory)), "active")


def quarantined_like(reader: Reader, memory: Memory) -> str | None:
    """Id of a quarantined memory of the same owner with the same content."""
    return memory_rows.of_content(reader, reader.hash(memory, content_hash(memory)), "quarantined")


# -- changing --------------------------------------------------------------------------------------


def reinforce(writer: Writer, one: StoredMemory, gain: float, at: str, **fields: Any) -> None:
    """Records a repetition of a memory: strength, count, and last time, which never moves back; and
    other changed fields."""
    last = max(one.seen_at or one.created_at, at)
    strength, seen = one.strength + gain, one.seen + 1
    writer.change(Memory, one.id, strength=strength, seen=seen, seen_at=last, **fields)


def before_reinforcement(writer: Writer, one: StoredMemory) -> dict[str, str | None]:
    """Fields that a repetition overwrites, for the ledger: the last time, and the mark, unless that
    quotes a fact, whose words may be forgotten later."""
    found = {"seen_at": one.seen_at}
    if (cause := _cause(one.stale)) and not writer.has(Fact, cause):
        found |= {"stale": one.stale}
        found |= {"valid_to": one.valid_to} if one.valid_to else {}
    return found


def undo_reinforcement(
    writer: Writer, id: str, gain: float, at: str, before: Mapping[str, str | None]
) -> None:
    """Restores a memory to its state ``before`` the repetition at this time; later repetitions
    stay."""
    for one in memory_rows.as_stored(writer, [id]):
        fields: dict[str, object] = {
            "strength": max(one.strength - gain, 0.0),
            "seen": max(one.seen - 1, 1),
        }
        if "seen_at" in before and (one.seen_at or "") <= max(before["seen_at"] or "", at):
            fields["seen_at"] = before["seen_at"]
        mark = before.get("stale")
        if one.stale is None and mark and _exists(_cause(mark), writer):
            fields["stale"] = mark
            fields |= {"valid_to": before["valid_to"]} if before.get("valid_to") else {}
        writer.change(Memory, id, **fields)


def _exists(id: str, writer: Writer) -> bool:
    """True when there is a memory or a turn with this id."""
    return writer.has(Memory, id) or writer.has(Turn, id)


def _cause(mark: str | None) -> str:
    """Id at the end of a mark, with or without brackets."""
    return (mark or "").rpartition(" ")[2].strip("[]")


def end(writer: Writer, id: str, day: str, cause: str) -> bool:
    """Records that a memory ended on a day because of ``cause``; True when that was not known
    before."""
    if not mark_stale(writer, id, f"over since {day} [{cause}]"):
        return False
    writer.change(Memory, id, valid_to=day)
    return True


def mark_stale(writer: Writer, id: str, reason: str | None) -> bool:
    """Marks a memory as perhaps outdated (None removes the mark); True when it was marked or
    unmarked. An existing mark stays, but gets the new reason if that has the same cause: ``[id]``
    at its end."""
    if reason is None:
        return memory_rows.unmark(writer, id)
    if memory_rows.mark(writer, id, reason):
        return True
    if reason.endswith("]"):
        cause = reason[reason.rfind("[") :]
        for one in memory_rows.as_stored(writer, [id]):
            if one.stale and one.stale != reason and one.stale.endswith(cause):
                writer.change(Memory, id, stale=reason)
    return False


# -- quarantine ------------------------------------------------------------------------------------


def put_in_quarantine(writer: Writer, memory: Memory) -> None:
    """Moves an active memory to quarantine, with its ``quarantine`` and expiry."""
    writer.change(
        Memory,
        memory.stored_id,
        status="quarantined",
        quarantine=memory.quarantine,
        released=False,
        expires_at=memory.expires_at,
    )


def release(writer: Writer, memory: Memory, vector: Vector | None = None) -> None:
    """Makes a quarantined memory active, as if it had just been stored."""
    id = memory.stored_id
    key = writer.renumber(id)
    fields = {"status": "active", "quarantine": None, "released": True, "expires_at": None}
    writer.change(Memory, id, **fields)
    if vector is not None:
        writer.put_vector(key, vector)


def clear_quarantine(writer: Writer, now: str) -> int:
    """Drops memories whose time in quarantine is over; returns how many."""
    return sum(writer.remove(id) for id in memory_rows.quarantine_over(writer, now))
