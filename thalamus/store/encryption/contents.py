"""The table ``encrypted``: contents of personal records."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from thalamus.records.kinds import kinds

if TYPE_CHECKING:
    from thalamus.store.collection import RowReader


class EncryptedContents:
    """The encrypted contents of records."""

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows

    def ids(self, ids: Iterable[str] | None = None) -> set[str]:
        """Ids of records with encrypted content: of these or of all."""
        where: dict[str, Any] = {}
        if ids is not None:  # with the kinds the primary key can be used
            names = tuple(kind.name for kind in kinds() if kind.encrypted)
            where = {"kind": names, "id": tuple(ids)}
            if not where["id"]:
                return set()
        return {row[0] for row in self._rows.select("encrypted", ("id",), where)}

    def ciphertexts(self, kind: str, id: str) -> list[bytes]:
        """Ciphertexts of a record: one or none."""
        where = {"kind": kind, "id": id}
        return [bytes(row[0]) for row in self._rows.select("encrypted", ("ciphertext",), where)]

    def key_ids(self) -> set[str]:
        """Ids of the keys with which records and ledger entries are encrypted."""
        found = self._rows.select("encrypted", ("subject",), group=("subject",))
        entries = (json.loads(row[0]) for row in self._rows.select("event", ("data",)))
        return {row[0] for row in found} | {
            str(data.get("subject")) for data in entries if "encrypted" in data
        }

    def count(self) -> dict[str, int]:
        """The number of encrypted records of each kind."""
        found = self._rows.select("encrypted", ("kind", "count(*)"), group=("kind",))
        return {row[0]: int(row[1]) for row in found}
