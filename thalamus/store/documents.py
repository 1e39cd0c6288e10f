"""The table ``document``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.records import Document
from thalamus.store.tables import REACHED, REACHED_AGENT

if TYPE_CHECKING:
    from thalamus.records.ownership import Owner
    from thalamus.store.reader import Reader

REACHED_BY = f"""
SELECT * FROM document WHERE {REACHED} AND {REACHED_AGENT}
ORDER BY recorded_at DESC, id"""
WITH_HASH = """
SELECT * FROM document WHERE sha256 = ? AND ("user" = ? OR "user" IS NULL)
AND (agent = ? OR agent IS NULL) ORDER BY recorded_at DESC, id"""


def reached(reader: Reader, owner: Owner) -> list[Document]:
    """Documents that an owner reaches, newest first."""
    return reader.read(Document, REACHED_BY, owner.user, owner.agent)


def with_hash(reader: Reader, sha256: str, owner: Owner) -> list[Document]:
    """Documents with these bytes, of the owner alone or shared, newest first."""
    return reader.read(Document, WITH_HASH, sha256, owner.user, owner.agent)
