"""A ledger whose entries can be emptied without breaking its chain."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils.db import Database


def m_forgettable_ledger(db: Database) -> None:
    """Each entry gets a salt and the digest of what it says; the chain is made over the digests.

    The hashes there were before could be guessed from short texts, so none of them is kept.
    """
    from thalamus.storage.sqlite import ledger

    for column in ("salt", "body"):
        db.execute(f"ALTER TABLE event ADD COLUMN {column} TEXT")
    prev = ledger.GENESIS
    for row in db.execute("SELECT seq, at, name, turn, session, data FROM event ORDER BY seq"):
        seq, at, name, turn, session, data = row
        salt = os.urandom(16).hex()
        body = ledger.body_digest(salt, turn, session, data)
        digest = ledger.chain_hash(prev, at, name, body)
        db.execute(
            "UPDATE event SET salt = ?, body = ?, prev = ?, hash = ? WHERE seq = ?",
            (salt, body, prev, digest, seq),
        )
        prev = digest
