"""The table ``encrypted``: contents of personal records."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import msgspec

from thalamus.records.kinds import kinds
from thalamus.store.encrypted import OF_KINDS

if TYPE_CHECKING:
    from thalamus.store.reader import Reader


def ids(reader: Reader, ids: Collection[str]) -> set[str]:
    """Those of these ids whose records have encrypted content."""
    names = [kind.name for kind in kinds() if kind.encrypted]
    return {row[0] for row in reader.fetch(OF_KINDS, names, list(ids))} if ids else set()


def all_ids(reader: Reader) -> set[str]:
    """Ids of all records with encrypted content."""
    return {row[0] for row in reader.fetch("SELECT id FROM encrypted")}


def ciphertexts(reader: Reader, kind: str, id: str) -> list[bytes]:
    """Ciphertexts of a record: one or none."""
    sql = "SELECT ciphertext FROM encrypted WHERE kind = ? AND id = ?"
    return [bytes(row[0]) for row in reader.fetch(sql, kind, id)]


def key_ids(reader: Reader) -> set[str]:
    """Ids of the keys with which records and ledger entries are encrypted."""
    found = {row[0] for row in reader.fetch("SELECT DISTINCT subject FROM encrypted")}
    for (data,) in reader.stream("SELECT data FROM event"):
        entry = msgspec.json.decode(data)
        if "encrypted" in entry:
            found.add(str(entry.get("subject")))
    return found


def count(reader: Reader) -> dict[str, int]:
    """Number of encrypted records of each kind."""
    found = reader.fetch("SELECT kind, count(*) FROM encrypted GROUP BY kind")
    return {row[0]: int(row[1]) for row in found}


def count_by_key(reader: Reader) -> list[tuple[str, int]]:
    """(id of a key, number of records encrypted with it)."""
    found = reader.fetch("SELECT subject, count(*) FROM encrypted GROUP BY subject")
    return [(row[0], int(row[1])) for row in found]
