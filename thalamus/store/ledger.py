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

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from thalamus.records import Event
from thalamus.records.canonical import pack_json
from thalamus.store.tables import REACHED, REACHED_AGENT
from thalamus.store.values import EVER

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.store.reader import Reader
    from thalamus.store.tables import Tables

GENESIS = "0" * 64  # hash before the first ledger entry
FORGOTTEN = "forgotten"  # name of the ledger entry that names emptied ones
# name of the entry that names those whose content was encrypted after they were chained
ENTRIES_ENCRYPTED = "entries_encrypted"

COLUMNS = tuple("seq at name turn session data prev hash salt body user agent".split())
_CHAINED = COLUMNS[1:]  # of a row without a number
_NO_DATA = ""

ENTRY = """
SELECT seq, at, name, turn, session, data, prev, hash, salt, body, "user", agent FROM event"""
EVERY = f"{ENTRY} ORDER BY seq"
# of the owner (NULL: of all), or shared
REACHED_BY = f"{REACHED} AND {REACHED_AGENT}"
WITHIN = f"{ENTRY} WHERE {REACHED_BY} AND at >= ? AND at < ? ORDER BY seq"
LAST = f"{ENTRY} WHERE {REACHED_BY} ORDER BY seq DESC LIMIT ?"
LAST_OF_TURNS = f"""
SELECT turn, session FROM event WHERE {REACHED_BY} AND turn IS NOT NULL ORDER BY seq DESC LIMIT ?"""
LAST_OF_ALL = f"{ENTRY} ORDER BY seq DESC LIMIT 1"
OF_TURN = f"{ENTRY} WHERE {REACHED_BY} AND turn = ? ORDER BY seq"
OF_TURNS = f"{ENTRY} WHERE turn IN (SELECT value FROM json_each(?)) ORDER BY seq"
TURNS = "SELECT DISTINCT turn FROM event WHERE turn IN (SELECT value FROM json_each(?))"
OF_CHANGED_FACTS = f"{ENTRY} WHERE name IN ('fact_retracted', 'fact_corrected') ORDER BY seq"
END = "SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1"
ERASURES = f"SELECT data FROM event WHERE name = '{FORGOTTEN}' ORDER BY seq DESC"
STAGES = """
SELECT data FROM event WHERE name = 'stage' AND at >= ? AND at < ? ORDER BY seq DESC LIMIT ?"""
STAGES_OF_SESSION = """
SELECT data FROM event WHERE name = 'stage' AND at >= ? AND at < ? AND session = ?
ORDER BY seq DESC LIMIT ?"""


def append(rows: Tables, events: Sequence[Event], clock: Clock) -> list[Event]:
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


def event_of(row: Any) -> Event:
    """Converts a row with the columns ``COLUMNS`` to an entry."""
    values = {name: row[name] for name in COLUMNS}
    return Event(**{**values, "data": msgspec.json.decode(row["data"])})


def problems(tables: Tables) -> list[str]:
    """Descriptions of the places where the chain is broken."""
    emptied, prev = EmptiedEntries(), GENESIS
    found: list[str] = []
    for row in tables.execute(EVERY):
        if not follows(prev, row):
            found.append(f"ledger entry {row['seq']} does not follow from the previous one")
        emptied.see(row)
        prev = row["hash"]
    found += [
        f"ledger entry {seq} was emptied, but no later entry records it" for seq in emptied.left
    ]
    return found


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


# -- reading ---------------------------------------------------------------------------------------


def entries(reader: Reader, since: str | None = None, until: str | None = None) -> Iterator[Event]:
    """Entries that the reader's owner reaches, from ``since`` to before ``until``, oldest first."""
    period = since or "", until or EVER
    for row in reader.stream(WITHIN, reader.owner.user, reader.owner.agent, *period):
        yield reader.open(event_of(row))


def of_turn(reader: Reader, turn: str) -> list[Event]:
    """Entries of a turn that the reader's owner reaches, oldest first."""
    found = reader.fetch(OF_TURN, reader.owner.user, reader.owner.agent, turn)
    return [reader.open(event_of(row)) for row in found]


def last(reader: Reader, limit: int) -> list[Event]:
    """The last entries that the reader's owner reaches, oldest first."""
    found = reader.fetch(LAST, reader.owner.user, reader.owner.agent, limit)
    return [reader.open(event_of(row)) for row in reversed(found)]


def last_of_turns(reader: Reader, limit: int) -> list[tuple[str, str | None]]:
    """(turn, session) of the last entries about turns that the reader's owner reaches, newest
    first: a turn has several."""
    found = reader.fetch(LAST_OF_TURNS, reader.owner.user, reader.owner.agent, limit)
    return [(row[0], row[1]) for row in found]


def everything(reader: Reader) -> Iterator[Event]:
    """Entries of all owners, oldest first."""
    return (reader.open(event_of(row)) for row in reader.stream(EVERY))


def last_of_all(reader: Reader) -> Event | None:
    """The last entry, whoever its owner is; None without any."""
    found = reader.fetch(LAST_OF_ALL)
    return reader.open(event_of(found[0])) if found else None


def end(reader: Reader) -> tuple[int, str]:
    """Number and hash of the last entry."""
    found = reader.fetch(END)
    return (found[0][0], found[0][1]) if found else (0, GENESIS)


def about(reader: Reader, turns: Collection[str]) -> list[Event]:
    """Entries of these turns, and those with the reason for a change of any fact, as stored."""
    found = reader.fetch_each((OF_TURNS, turns), (OF_CHANGED_FACTS,))
    return [event_of(row) for rows in found for row in rows]


def with_turns(reader: Reader, ids: Collection[str]) -> set[str]:
    """Those of the ids of turns that the ledger has an entry about, also if they are gone."""
    return {row[0] for row in reader.fetch(TURNS, [*ids])} if ids else set()


def erasures(reader: Reader) -> list[str]:
    """Data of the entries that name erased rows, as JSON, newest first."""
    return [row[0] for row in reader.fetch(ERASURES)]


def stages(
    reader: Reader, since: str | None, until: str | None, session: str | None, limit: int
) -> list[str]:
    """Data of the last entries of stages from ``since`` to before ``until``, as JSON, newest first:
    of a session or of all."""
    period = since or "", until or EVER
    if session is None:
        found = reader.fetch(STAGES, *period, limit)
    else:
        found = reader.fetch(STAGES_OF_SESSION, *period, session, limit)
    return [row[0] for row in found]
