"""Taking an entry out: its row, its embeddings, its links, and its words in the indexes."""

from __future__ import annotations

import sqlite3

from thalamus.storage.sqlite.indexed_text import dependants
from thalamus.storage.sqlite.telling import forget_told


def delete(db: sqlite3.Connection, id: str) -> bool:
    """Deletes a turn, memory or fact in the present transaction; False when there is none.

    The keys of what has to leave the indexes, or to be indexed anew without its words, go into
    the table ``removal``, which the indexes follow.
    """
    for table in ("memory", "fact", "turn"):
        row = db.execute(f"SELECT key FROM {table} WHERE id = ?", (id,)).fetchone()
        if row is None:
            continue
        key = int(row[0])
        changed = [key, *dependants(db, key)]
        db.execute(f"DELETE FROM {table} WHERE key = ?", (key,))
        if table == "fact":
            forget_told(db, key)
        db.execute("DELETE FROM embedding WHERE key = ?", (key,))
        db.execute("DELETE FROM link WHERE source = ?1 OR target = ?1", (id,))
        db.executemany("INSERT INTO removal (key) VALUES (?)", [(k,) for k in changed])
        return True
    return False
