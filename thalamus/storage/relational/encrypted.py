"""The table ``encrypted``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from thalamus.records.kinds import kinds

if TYPE_CHECKING:
    from thalamus.storage.relational.collection import RowReader


class EncryptedContents:
    """See ``storage.protocol.encrypted.EncryptedContents``."""

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows

    def ids(self, ids: Iterable[str] | None = None) -> set[str]:
        where: dict[str, Any] = {}
        if ids is not None:  # with the kinds the primary key can be used
            names = tuple(kind.name for kind in kinds() if kind.encrypted)
            where = {"kind": names, "id": tuple(ids)}
            if not where["id"]:
                return set()
        return {row[0] for row in self._rows.select("encrypted", ("id",), where)}

    def ciphertexts(self, kind: str, id: str) -> list[bytes]:
        where = {"kind": kind, "id": id}
        return [bytes(row[0]) for row in self._rows.select("encrypted", ("ciphertext",), where)]

    def key_ids(self) -> set[str]:
        found = self._rows.select("encrypted", ("subject",), group=("subject",))
        entries = (json.loads(row[0]) for row in self._rows.select("event", ("data",)))
        return {row[0] for row in found} | {
            str(data.get("subject")) for data in entries if "encrypted" in data
        }

    def count(self) -> dict[str, int]:
        found = self._rows.select("encrypted", ("kind", "count(*)"), group=("kind",))
        return {row[0]: int(row[1]) for row in found}
