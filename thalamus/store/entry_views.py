"""Views of searchable records: one shape over all kinds, generated from the registry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from thalamus.names import normal_name
from thalamus.records.kinds import Column, Kind, Template, numbered
from thalamus.store.rows import unpacker
from thalamus.store.tables import literal
from thalamus.store.values import IndexedRow

# in the order of the fields of ``IndexedRow``; the views have more, which are slow to compute
ENTRY = (
    'key,id,record,kind,text,type,topic,created_at,session,"user",trust,metadata,provenance,'
    "suspicious,stale,valid_to"
)
_METADATA, _PROVENANCE = map(ENTRY.split(",").index, ("metadata", "provenance"))
_NAMES = tuple(map(ENTRY.split(",").index, ("session", '"user"')))
# defaults for columns that a kind does not have
_DEFAULTS: dict[str, str] = {
    "topic": "NULL",
    "scope": "'archival'",
    "created_at": "NULL",
    "session": "NULL",
    "user": "NULL",
    "agent": "NULL",
    "trust": "CAST(1.0 AS DOUBLE PRECISION)",
    "expires_at": "NULL",
    "metadata": "'{}'",
    "provenance": "NULL",
    "valid_from": "NULL",
    "valid_to": "NULL",
    "suspicious": "NULL",
    "stale": "NULL",
}


def entry(row: Sequence[Any]) -> IndexedRow:
    """Converts a row with the columns ``ENTRY`` to an index entry."""
    values = list(row)
    metadata, provenance = unpacker()
    values[_METADATA] = metadata(values[_METADATA])
    values[_PROVENANCE] = provenance(values[_PROVENANCE])
    for place in _NAMES:
        values[place] = values[place] and normal_name(values[place])
    return IndexedRow(*values)


def views() -> Iterator[str]:
    """Statements that create a view of each searchable kind, and one of all. Each kind has its own
    because a database cannot know that a kind is in one table only."""
    for kind in numbered():
        yield f"CREATE VIEW {kind.name}_entry AS {select_of(kind)}"
    all_kinds = " UNION ALL ".join(select_of(kind) for kind in numbered())
    yield f"CREATE VIEW entry AS {all_kinds}"


def select_of(kind: Kind) -> str:
    """Query for the rows of a kind as entries."""
    values = {
        "record": f"'{kind.name}'",
        "kind": _found_as(kind),
        "text": text_sql(kind.shown),
        "search_text": text_sql(kind.searched),
        "embed_text": text_sql(kind.embedded),
        "sentence_text": text_sql(kind.sentences) or "''",
        "type": _value(kind, "type", f"'{kind.name}'"),
        **{name: _value(kind, name, default) for name, default in _DEFAULTS.items()},
        "live": _live(kind),
    }
    listed = ", ".join(f'{sql} AS "{name}"' for name, sql in values.items())
    return f"SELECT key, id, {listed} FROM {kind.name}"


def text_sql(template: Template) -> str:
    """A text template of a row as an SQL expression."""
    parts = []
    for place, part in enumerate(template):
        value = f"replace({part.field}, '_', ' ')" if part.spaced else part.field
        text = f"{literal(part.before)} || {value}" if part.before else value
        parts.append(text if place == 0 and not part.before else f"coalesce({text}, '')")
    return " || ".join(parts)


def _found_as(kind: Kind) -> str:
    if not kind.types:
        return literal(kind.found_as)
    cases = " ".join(f"WHEN {literal(t)} THEN {literal(k)}" for t, k in kind.types.items())
    return f"CASE type {cases} ELSE {literal(kind.found_as)} END"


def _value(kind: Kind, name: str, default: str) -> str:
    given = kind.entry.get(name)
    if isinstance(given, Column):
        return f'"{given.name}"'
    if given is not None:
        return literal(given) if isinstance(given, str) else str(given)
    return f'"{name}"' if name in kind.stored else default


def _live(kind: Kind) -> str:
    if kind.live is None:
        return "true"
    column, value = kind.live
    return f'"{column}" IS NULL' if value is None else f'"{column}" = {literal(value)}'
