"""What the full-text index is given of each entry.

Beside its own words an utterance is found by those of the two before it in the same conversation
("What is the kitten called?" – "Miso.") and by the day on which it was said. Both move recall on
conversations more than anything else that was tried; docs/retrieval.md has the figures. Context
goes into the words that are searched only: embeddings and answers are of the entry itself.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from thalamus.policy.when import in_words
from thalamus.records import DOCUMENT_TYPES

CONTEXT = 2  # utterances before
LONGEST = 600  # characters of each of them
SPAN = 500  # keys back within which they are looked for: a store costs the same in any size
PAUSE = timedelta(hours=6)  # what was said longer before belongs to another conversation

Texts = Iterator[tuple[int, str]]

_MEMORIES = (
    "SELECT key, content, content, created_at, session, user, agent,"
    f" type NOT IN {DOCUMENT_TYPES} AND provenance IS NULL FROM memory WHERE status = 'active'"
)
_TURNS = (
    "SELECT key, message, message || coalesce(char(10) || answer, ''), created_at,"
    " session, user, agent, 1 FROM turn WHERE 1"
)
_OF_OWNER = "AND session = ? AND user IS ? AND agent IS ?"
_FACTS = "SELECT key, search_text FROM fact_entry WHERE live"


def texts_after(db: sqlite3.Connection, key: int) -> Texts:
    """(key, text) of all live entries with a greater key, each kind in the order of keys."""
    yield from db.execute(f"{_FACTS} AND key > ?", (key,))
    for query in (_MEMORIES, _TURNS):
        yield from _with_context(db, query, f"{query} AND key > {int(key)} ORDER BY key", key)


def texts_of(db: sqlite3.Connection, keys: Iterable[int]) -> Texts:
    """The same for the live ones among ``keys``."""
    for key in sorted(keys):
        yield from db.execute(f"{_FACTS} AND key = ?", (key,))
        for query in (_MEMORIES, _TURNS):
            yield from _with_context(db, query, f"{query} AND key = {int(key)}", key - 1)


def dependants(db: sqlite3.Connection, key: int) -> list[int]:
    """The keys of the utterances whose indexed text holds words of the one with ``key``: to be
    indexed anew when it goes. Asked before it is deleted."""
    found: list[int] = []
    for table in ("memory", "turn"):
        query = (
            f"SELECT later.key FROM {table} AS gone JOIN {table} AS later"
            " ON later.session = gone.session AND later.user IS gone.user"
            " AND later.agent IS gone.agent AND later.key > gone.key AND later.key <= gone.key + ?"
            " WHERE gone.key = ?"
        )
        found += [row[0] for row in db.execute(query, (SPAN, key))]
    return sorted(found)


def _with_context(db: sqlite3.Connection, query: str, rows: str, start: int) -> Texts:
    """Rows as (key, text). ``start``: what was said up to there is none of them, and is read for
    each conversation that goes on from there."""
    said = _Said()
    for key, words, text, at, session, user, agent, spoken in db.execute(rows):
        parts = [text, in_words(at)]
        if spoken and session is not None:
            owner = (session, user, agent)
            if key - SPAN < start and owner not in said:
                before = f"{query} {_OF_OWNER} AND key > ? AND key <= ? ORDER BY key"
                for k, w, _, a, *_, uttered in db.execute(before, (*owner, key - SPAN, start)):
                    if uttered:
                        said.before(owner, k, a, w)
            parts += said.before(owner, key, at, words)
        yield key, "\n".join(parts)


class _Said:
    """The last utterances of each conversation."""

    def __init__(self) -> None:
        self._last: dict[tuple[str | None, ...], deque[tuple[int, str, str]]] = {}

    def __contains__(self, owner: tuple[str | None, ...]) -> bool:
        return owner in self._last

    def before(self, owner: tuple[str | None, ...], key: int, at: str, words: str) -> list[str]:
        """What was said just before in this conversation; then ``words`` join it."""
        last = self._last.get(owner)
        if last is None:
            if len(self._last) > 2 * SPAN:
                self._forget(key)
            last = self._last[owner] = deque(maxlen=CONTEXT)
        found = [w for k, a, w in last if k > key - SPAN and _together(a, at)]
        last.append((key, at, words[:LONGEST]))
        return found

    def _forget(self, key: int) -> None:
        """Lets go of conversations that nothing can follow any more."""
        self._last = {o: last for o, last in self._last.items() if last[-1][0] > key - SPAN}


def _together(one: str, other: str) -> bool:
    """Whether two moments (ISO 8601) are near enough to be of one conversation."""
    if one == other:
        return True
    try:
        apart = datetime.fromisoformat(other) - datetime.fromisoformat(one)
    except (ValueError, TypeError):
        return False
    return abs(apart) <= PAUSE
