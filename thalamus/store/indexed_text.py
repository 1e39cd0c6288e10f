"""The text that an entry is found by: its words, its day, and the preceding utterances."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from thalamus.records import DOCUMENT_TYPES
from thalamus.records.kinds import numbered
from thalamus.store.tables import Tables
from thalamus.text.days import day_in_words

CONTEXT = 2  # utterances before
LONGEST = 600  # characters of each of them
SPAN = 500  # keys back that are searched for them, so that the cost is bounded
PAUSE = timedelta(hours=6)  # longer silence begins another conversation

Texts = Iterator[tuple[int, str]]

IN_CONVERSATION = {"memory": f"type NOT IN {DOCUMENT_TYPES} AND provenance IS NULL", "turn": "true"}
# tables whose rows are found by preceding ones too: what the user said, the text of the row, and
# whether it belongs to a conversation
SPOKEN = {
    "memory": f"""
SELECT key, content, content, created_at, session, "user", agent, {IN_CONVERSATION["memory"]}
FROM memory WHERE status = 'active'""",
    "turn": """
SELECT key, message, message || coalesce('\n' || answer, ''), created_at, session, "user", agent,
    true
FROM turn WHERE true""",
}
AFTER = "key > ?"
AMONG = "key IN (SELECT value FROM json_each(?))"
OF_CONVERSATION = """session = ? AND "user" IS ? AND agent IS ? AND key > ? AND key <= ?"""


def texts_after(tables: Tables, key: int, kinds: Collection[str] | None = None) -> Texts:
    """(key, text) of all live entries with a greater key, each kind sorted by key. ``kinds``: names
    of those to be read, by default all."""
    spoken = [table for table in SPOKEN if kinds is None or table in kinds]
    # sent with the others, before the rows of any are read
    found = [tables.execute(f"{SPOKEN[table]} AND {AFTER} ORDER BY key", key) for table in spoken]
    yield from _unspoken(tables, AFTER, key, kinds)
    for table, rows in zip(spoken, found, strict=True):
        yield from _with_context(tables, table, rows, key)


def texts_of(tables: Tables, keys: Iterable[int]) -> Texts:
    """(key, text) of the live ones among ``keys``."""
    if not (wanted := sorted(keys)):
        return
    yield from _unspoken(tables, AMONG, wanted)
    for table, query in SPOKEN.items():
        for row in tables.execute(f"{query} AND {AMONG}", wanted):
            yield from _with_context(tables, table, [row], row[0] - 1)


def _unspoken(
    tables: Tables, condition: str, value: Any, kinds: Collection[str] | None = None
) -> Texts:
    """(key, text) of entries of the kinds that are indexed without context."""
    names = [kind.name for kind in numbered() if not kind.spoken]
    parts = [
        f"SELECT key, search_text FROM {name}_entry WHERE live AND {condition}"
        for name in names
        if kinds is None or name in kinds
    ]
    if parts:
        for row in tables.execute(" UNION ALL ".join(parts), *[value] * len(parts)):
            yield row[0], row[1]


def dependants(tables: Tables, table: str, key: int) -> list[int]:
    """Keys of the utterances whose indexed text contains words of the one with ``key``, to be
    indexed again when it is deleted. Called before the deletion."""
    if table not in SPOKEN:
        return []
    own = f'SELECT session, "user", agent FROM {table} WHERE key = ? AND session IS NOT NULL'
    later = f"SELECT key FROM {table} WHERE {OF_CONVERSATION} ORDER BY key"
    for owner in tables.fetch(own, key):
        return [row[0] for row in tables.fetch(later, *owner, key, key + SPAN)]
    return []


def _with_context(tables: Tables, table: str, found: Iterable[Any], start: int) -> Texts:
    """(key, text) of rows of ``SPOKEN``. ``start``: earlier utterances are not among the rows, and
    are read for each conversation that continues from there."""
    conversations = _Conversations()
    for key, words, text, at, session, user, agent, in_conversation in found:
        parts = [text, day_in_words(at)]
        if in_conversation and session is not None:
            owner = (session, user, agent)
            if key - SPAN < start and owner not in conversations:
                for k, w, a in reversed(_last_said(tables, table, owner, key - SPAN, start)):
                    conversations.before(owner, k, a, w)
            parts += conversations.before(owner, key, at, words)
        yield key, "\n".join(parts)


def _last_said(
    tables: Tables, table: str, owner: Sequence[str | None], after: int, to: int
) -> list[tuple[int, str, str]]:
    """(key, words, time) of the last utterances of a conversation between two keys, latest
    first."""
    query = f"{SPOKEN[table]} AND {IN_CONVERSATION[table]} AND {OF_CONVERSATION}"
    found = tables.fetch(f"{query} ORDER BY key DESC LIMIT ?", *owner, after, to, CONTEXT)
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
