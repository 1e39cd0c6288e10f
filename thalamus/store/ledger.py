"""The ledger: append-only, each entry with the hash of the one before it.

The content of an entry (its turn, its session, its data) enters the chain only as a salted digest,
its ``body``. An entry can therefore be emptied: words and salt are removed, the digest stays, the
chain remains valid, and nobody can guess the content from the digest. An emptied entry must be
named by a later entry ``forgotten``; otherwise it was tampered with. The signature of an entry
covers its number, its hash and its owner, who is not in the chain: entries from before they had
owners keep their hashes. An entry whose content was encrypted afterwards loses its salt, and a
later entry ``entries_encrypted`` has the digest of its data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.records import Event
from thalamus.records.canonical import pack_json
from thalamus.records.ownership import DEFAULT_USER
from thalamus.store.conditions import at_least

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.store.collection import RowReader, RowWriter
    from thalamus.store.conditions import Where
    from thalamus.store.row_access import Rows

GENESIS = "0" * 64  # hash before the first ledger entry
FORGOTTEN = "forgotten"  # name of the ledger entry that names emptied ones
# name of the entry that names those whose content was encrypted after they were chained
ENTRIES_ENCRYPTED = "entries_encrypted"
_NOTHING = {"turn": None, "session": None, "data": "{}", "salt": None}
_NOTHING |= {"user": DEFAULT_USER, "agent": None}

COLUMNS = tuple("seq at name turn session data prev hash salt body user agent".split())
_CHAINED = COLUMNS[1:]  # of a row without a number
_NO_DATA = ""


def append(rows: Rows, events: Sequence[Event], clock: Clock) -> list[Event]:
    """Appends ``events`` in the current transaction; returns them with seq, prev, hash, body and
    salt. An exported entry comes with its salt, an emptied one with its body, and keeps them."""
    if not events:
        return []
    last = rows.chain_end("event")
    prev = last[1] if last else GENESIS
    appended = []
    for event in events:
        appended.append(_chained(event, prev, clock))
        prev = event.hash or ""
    names, numbered = rows.numbered("event", _CHAINED, appended)
    rows.insert("event", names, numbered)
    for event, row in zip(events, numbered, strict=True):
        event.seq = row[0]
    return [*events]


def _chained(event: Event, prev: str, clock: Clock) -> tuple[Any, ...]:
    """Row, without its number, of an entry that follows the one with the hash ``prev``."""
    data = pack_json(event.data)
    emptied = event.body and not (event.salt or event.data or event.turn or event.session)
    if not emptied:
        event.salt = event.salt or clock.new_salt(prev, event.at, event.name)
        event.body = body_digest(event.salt, event.turn, event.session, data)
    assert event.body is not None
    event.prev, event.hash = prev, chain_hash(prev, event.at, event.name, event.body)
    content = (event.at, event.name, event.turn, event.session, data)
    return (*content, prev, event.hash, event.salt, event.body, event.user, event.agent)


def body_digest(salt: str, turn: str | None, session: str | None, data: str) -> str:
    """HMAC-SHA256, keyed with the entry's salt, over its content."""
    text = pack_json([turn, session, data])
    import hmac  # loads OpenSSL, which readers do not need

    return hmac.digest(bytes.fromhex(salt), text.encode("utf-8", "replace"), "sha256").hex()


def data_digest(data: str) -> str:
    """SHA-256 over the stored data of an entry; nothing for an empty one."""
    if data == "{}":
        return _NO_DATA
    import hashlib

    return hashlib.sha256(data.encode("utf-8", "replace")).hexdigest()


def chain_hash(prev: str, at: str, name: str, body: str) -> str:
    """SHA-256 over the previous hash and the entry, as a JSON list."""
    text = pack_json([prev, at, name, body])
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def read(rows: Rows, where: Where, limit: int | None) -> Iterator[Event]:
    """Entries, oldest first; of all that fit ``where`` the last ``limit``."""
    if limit is None:
        found = rows.each("event", COLUMNS, where, ("seq",))
    else:
        found = iter(rows.select("event", COLUMNS, where, ("-seq",), limit)[::-1])
    for row in found:
        yield event_of(row)


def event_of(row: Any) -> Event:
    """Converts a row with the columns ``COLUMNS`` to an entry."""
    values = {name: row[name] for name in COLUMNS}
    return Event(**{**values, "data": msgspec.json.decode(row["data"])})


def problems(rows: Rows) -> list[str]:
    """Descriptions of the places where the chain is broken."""
    emptied = EmptiedEntries()
    found = [
        f"ledger entry {seq} does not follow from the previous one" for seq in breaks(rows, emptied)
    ]
    found += [
        f"ledger entry {seq} was emptied, but no later entry records it" for seq in emptied.left
    ]
    return found


def breaks(rows: Rows, emptied: EmptiedEntries) -> Iterator[int]:
    """Entries that do not follow from the one before them."""
    prev = GENESIS
    for row in rows.each("event", COLUMNS, order=("seq",)):
        if not follows(prev, row):
            yield row["seq"]
        emptied.see(row)
        prev = row["hash"]


def follows(prev: str, row: Any) -> bool:
    """True when an entry matches its hash, and has the hash of the one before it."""
    return bool(row["prev"] == prev and _holds(row))


class EmptiedEntries:
    """Tracks entries that were emptied, or encrypted afterwards. ``left``: those seen that no later
    entry has named, with the digest of their data."""

    def __init__(self) -> None:
        self.left: dict[int, str] = {}

    def see(self, row: Any) -> bool:
        """Processes the next entry, in order; True when it names emptied ones."""
        if row["salt"] is None:
            self.left[row["seq"]] = data_digest(row["data"])
        elif row["name"] == FORGOTTEN:
            for first, last in event_of(row).data.get("entries", []):
                for seq in [seq for seq in self.left if first <= seq <= last]:
                    if self.left[seq] == _NO_DATA:
                        del self.left[seq]
            return True
        elif row["name"] == ENTRIES_ENCRYPTED:
            for seq, digest in event_of(row).data.get("entries", []):
                if self.left.get(seq) == digest:
                    del self.left[seq]
        return False


def _holds(row: Any) -> bool:
    """True when an entry matches its digests."""
    content = (row["turn"], row["session"], row["data"])
    if row["salt"] is None:  # then a later entry must name it
        whole = content == (None, None, "{}") or "encrypted" in event_of(row).data
    else:
        whole = row["body"] == body_digest(row["salt"], *content)
    return whole and row["hash"] == chain_hash(row["prev"], row["at"], row["name"], row["body"])


class Events:
    """The entries of the ledger."""

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
        """Entries that the store's owner reaches, or ``of_all`` owners, oldest first: of one turn,
        the last ``limit``, or those ``since`` a time."""
        where: dict[str, object] = {} if of_all else self._rows.owner.where
        if turn is not None:
            where["turn"] = turn
        if since is not None:
            where["at"] = at_least(since)
        with self._rows.guard():
            for event in read(self._rows.rows, where, limit):
                yield self._rows.open(event)

    def last(self) -> tuple[int, str]:
        """Number and hash of the last entry."""
        for row in self._rows.select("event", ("seq", "hash"), order=("-seq",), limit=1):
            return row[0], row[1]
        return 0, GENESIS

    def data(self, where: Where, limit: int) -> list[str]:
        """Data of the last entries, as JSON, newest first."""
        found = self._rows.select("event", ("data",), where, ("-seq",), limit)
        return [row[0] for row in found]


class MutableEvents(Events):
    """The ledger in a unit of work."""

    def __init__(self, rows: RowWriter) -> None:
        super().__init__(rows)
        self._target = rows

    def rename(self, column: str, name: str, new: str) -> None:
        """Gives the entries of a ``user`` or an ``agent`` to another."""
        self._target.update("event", {column: new}, {column: name})

    def empty(self, numbers: Sequence[int]) -> None:
        """Removes the words from entries, whose hashes stay."""
        self._target.update("event", _NOTHING, {"seq": numbers})
