"""The table ``document``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.records import Document

if TYPE_CHECKING:
    from thalamus.records.ownership import Owner
    from thalamus.store.reader import Reader

REACHED = """
SELECT * FROM document WHERE (CAST(? AS TEXT) IS NULL OR "user" = ? OR "user" IS NULL)
AND (CAST(? AS TEXT) IS NULL OR agent = ? OR agent IS NULL)
ORDER BY recorded_at DESC, id"""
WITH_HASH = """
SELECT * FROM document WHERE sha256 = ? AND ("user" = ? OR "user" IS NULL)
AND (agent = ? OR agent IS NULL) ORDER BY recorded_at DESC, id"""


def reached(reader: Reader, owner: Owner) -> list[Document]:
    """Documents that an owner reaches, newest first."""
    user, agent = owner.user, owner.agent
    return reader.read(Document, REACHED, user, user, agent, agent)


def with_hash(reader: Reader, sha256: str, owner: Owner) -> list[Document]:
    """Documents with these bytes, of the owner alone or shared, newest first."""
    return reader.read(Document, WITH_HASH, sha256, owner.user, owner.agent)
