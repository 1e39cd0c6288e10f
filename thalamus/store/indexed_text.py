"""The text that an entry is found by: its words, its day, and the preceding utterances."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from thalamus.records import DOCUMENT_TYPES
from thalamus.records.kinds import numbered
from thalamus.store.conditions import Both, above, at_most
from thalamus.store.row_access import SelectableRows
from thalamus.store.tables import Tables, in_parts, placeholders
from thalamus.text.days import day_in_words

CONTEXT = 2  # utterances before
LONGEST = 600  # characters of each of them
SPAN = 500  # keys back that are searched for them, so that the cost is bounded
PAUSE = timedelta(hours=6)  # longer silence begins another conversation

Texts = Iterator[tuple[int, str]]


class _Spoken(Struct, frozen=True):
    """A table whose rows are found by preceding ones too, in SQL. ``words``: said by the user;
    ``text``: its own; ``in_conversation``: condition for a row that belongs to a conversation."""

    table: str
    words: str
    text: str
    live: str
    in_conversation: str

    def select(self, source: Callable[[str, str], str], condition: str) -> str:
        columns = f'key, {self.words}, {self.text}, created_at, session, "user", agent'
        columns += f", {self.in_conversation}"
        return f"SELECT {columns} FROM {source(self.table, '')} WHERE {self.live} AND {condition}"


_SPOKEN = (
    _Spoken(
        "memory",
        "content",
        "content",
        "status = 'active'",
        f"(type NOT IN {DOCUMENT_TYPES} AND provenance IS NULL)",
    ),
    _Spoken("turn", "message", "message || coalesce('\n' || answer, '')", "true", "true"),
)


def texts_after(tables: Tables, key: int, kinds: Collection[str] | None = None) -> Texts:
    """(key, text) of all live entries with a greater key, each kind sorted by key. ``kinds``: names
    of those to be read, by default all."""
    spoken = [kind for kind in _SPOKEN if kinds is None or kind.table in kinds]
    queries = [kind.select(tables.source, "key > ? ORDER BY key") for kind in spoken]
    # sent with the others, before the rows of any are read
    found = [tables.connection.execute(query, (key,)) for query in queries]
    yield from _unspoken(tables, "key > ?", (key,), kinds)
    for kind, rows in zip(spoken, found, strict=True):
        yield from _with_context(tables, kind, rows, key)


def texts_of(tables: Tables, keys: Iterable[int]) -> Texts:
    """(key, text) of the live ones among ``keys``."""
    for part in in_parts(sorted(keys)):
        condition = f"key IN ({placeholders(part)})"
        yield from _unspoken(tables, condition, part)
        for kind in _SPOKEN:
            query = kind.select(tables.source, condition)
            for row in tables.connection.execute(query, part).fetchall():
                yield from _with_context(tables, kind, [row], row[0] - 1)


def _unspoken(
    tables: Tables, condition: str, values: Sequence[int], kinds: Collection[str] | None = None
) -> Texts:
    """(key, text) of entries of the kinds that are indexed without context."""
    names = [kind.name for kind in numbered() if not kind.spoken]
    parts = [
        f"SELECT key, search_text FROM {tables.source(f'{name}_entry')} WHERE live AND {condition}"
        for name in names
        if kinds is None or name in kinds
    ]
    if parts:
        for row in tables.connection.execute(" UNION ALL ".join(parts), [*values] * len(parts)):
            yield row[0], row[1]


def dependants(rows: SelectableRows, table: str, key: int) -> list[int]:
    """Keys of the utterances whose indexed text contains words of the one with ``key``, to be
    indexed again when it is deleted. Called before the deletion."""
    owner = ("session", "user", "agent")
    if table not in [kind.table for kind in _SPOKEN]:
        return []
    for row in rows.select(table, owner, {"key": key}):
        if row[0] is not None:
            later = {"key": Both(above(key), at_most(key + SPAN))}
            same = dict(zip(owner, row, strict=True))
            return [found[0] for found in rows.select(table, ("key",), same | later, ("key",))]
    return []


def _with_context(tables: Tables, kind: _Spoken, found: Iterable[Any], start: int) -> Texts:
    """(key, text) of rows of ``_Spoken.select``. ``start``: earlier utterances are not among the
    rows, and are read for each conversation that continues from there."""
    conversations = _Conversations()
    for key, words, text, at, session, user, agent, in_conversation in found:
        parts = [text, day_in_words(at)]
        if in_conversation and session is not None:
            owner = (session, user, agent)
            if key - SPAN < start and owner not in conversations:
                for k, w, a in reversed(_last_said(tables, kind, owner, key - SPAN, start)):
                    conversations.before(owner, k, a, w)
            parts += conversations.before(owner, key, at, words)
        yield key, "\n".join(parts)


def _last_said(
    tables: Tables, kind: _Spoken, owner: tuple[Any, ...], after: int, to: int
) -> list[tuple[int, str, str]]:
    """(key, words, time) of the last utterances of a conversation between two keys, latest
    first."""
    same = f'{kind.in_conversation} AND session = ? AND "user" IS ? AND agent IS ?'
    query = kind.select(tables.source, f"{same} AND key > ? AND key <= ? ORDER BY key DESC LIMIT ?")
    found = tables.connection.execute(query, (*owner, after, to, CONTEXT))
    return [(row[0], row[1], row[3]) for row in found]


class _Conversations:
    """The last utterances of each conversation."""

    def __init__(self) -> None:
        self._last: dict[tuple[str | None, ...], deque[tuple[int, str, str]]] = {}

    def __contains__(self, owner: tuple[str | None, ...]) -> bool:
        return owner in self._last

    def before(self, owner: tuple[str | None, ...], key: int, at: str, words: str) -> list[str]:
        """Utterances just before in this conversation; adds ``words`` to it."""
        last = self._last.get(owner)
        if last is None:
            if len(self._last) > 2 * SPAN:
                self._forget(key)
            last = self._last[owner] = deque(maxlen=CONTEXT)
        found = [w for k, a, w in last if k > key - SPAN and _same_conversation(a, at)]
        last.append((key, at, words[:LONGEST]))
        return found

    def _forget(self, key: int) -> None:
        """Drops conversations that cannot be continued any more."""
        self._last = {o: last for o, last in self._last.items() if last[-1][0] > key - SPAN}


def _same_conversation(one: str, other: str) -> bool:
    """True when two moments (ISO 8601) are close enough to belong to one conversation."""
    if one == other:
        return True
    try:
        distance = datetime.fromisoformat(other) - datetime.fromisoformat(one)
    except (ValueError, TypeError):
        return False
    return abs(distance) <= PAUSE
