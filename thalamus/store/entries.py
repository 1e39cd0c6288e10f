"""The entries that searches find: views of searchable records in one shape, generated from the
registry of kinds, and the filter of a search as a condition on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from thalamus.names import normal_name
from thalamus.records.history import sortable
from thalamus.records.kinds import Column, Kind, Template, numbered
from thalamus.store.rows import unpacker
from thalamus.store.tables import literal
from thalamus.store.values import IndexedRow

if TYPE_CHECKING:
    from thalamus.store.values import Filter

Condition = tuple[str, list[Any]]  # SQL with its values
BEGINNING = "0001-01-01T00:00:00Z"  # of a fact without a known beginning
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


# -- the filter ------------------------------------------------------------------------------------

# an ended memory is found, and marked where it is shown
UNENDED = "(kind <> 'fact' OR valid_to IS NULL OR valid_to > ?)"
METADATA = "CAST(json_extract(metadata, ?) AS TEXT) = ?"
HELD = """CASE WHEN kind = 'fact' THEN EXISTS (
    SELECT 1 FROM fact_interval AS i WHERE i.fact = key AND i.believed_to IS NULL
    AND i.valid_from <= ? AND (i.valid_to IS NULL OR i.valid_to > ?)
) ELSE created_at <= ? END"""


def views_for(where: Filter) -> list[str]:
    """Views that can contain matches of a filter: the others need not be read."""
    kinds = numbered()
    if where.kinds:
        wanted = set(where.kinds)
        kinds = [kind for kind in kinds if {kind.found_as, *kind.types.values()} & wanted]
    return [f"{kind.name}_entry" for kind in kinds]


def condition(where: Filter, live: str = "live", *, indexed: bool = True) -> Condition:
    """Condition on entries for a filter. ``live``: replacement for the condition that an entry is
    searchable. ``indexed`` false: rows are found by something else, and no index of owners is to be
    used, which would read all rows of an owner."""
    owners = _owners(where)
    parts = [(live, []), *_choices(where), *_times(where)]
    if not indexed:
        parts += [(f"coalesce({column} = ?, true)", [name]) for column, name in owners.items()]
    elif owners:
        text, values = _joined(_combinations(where), " OR ")
        parts.append((f"({text})", values))
    return _joined(parts)


def selection(columns: str, views: Sequence[str], where: Filter, live: str = "live") -> Condition:
    """Query for entries of these views. Unless something in the filter selects few rows, each
    combination of owners is read along an index of its own."""
    if live == "live" and not (where.types or where.ids or where.session or where.scope == "core"):
        rest = [(live, []), *_choices(where), *_times(where)]
        conditions = [_joined([*rest, one]) for one in _combinations(where)]
    else:
        conditions = [condition(where, live, indexed=False)]
    parts = [
        (f"SELECT {columns} FROM {view} WHERE {text}", values)
        for view in views
        for text, values in conditions
    ]
    return _joined(parts, " UNION ALL ")


def newest(columns: str, views: Sequence[str], where: Filter, live: str = "live") -> Condition:
    """Query, without its limit, for entries of these views, newest first: those of each selection
    are in this order already, and are merged."""
    text, values = selection(columns, views, where, live)
    return f"{text} ORDER BY created_at DESC, key DESC", values


def _joined(parts: Sequence[Condition], by: str = " AND ") -> Condition:
    return by.join(text for text, _ in parts), [value for _, values in parts for value in values]


def _choices(where: Filter) -> list[Condition]:
    among = "IN (SELECT value FROM json_each(?))"
    parts = {
        f"kind {among}": where.kinds,
        f"type {among}": where.types,
        f"id {among}": where.ids,
        f"id NOT {among}": where.exclude,
        "lower(topic) = lower(?)": where.topic,
        "scope = ?": where.scope,
        "session = ?": where.session,
    }
    found: list[Condition] = [(text, [value]) for text, value in parts.items() if value]
    return found + [(METADATA, [f'$."{key}"', value]) for key, value in where.metadata]


def _times(where: Filter) -> list[Condition]:
    parts: dict[str, list[Any]] = {}
    # without its zone a bound is before the fractions of its second, which are text too
    if where.since:
        parts["created_at >= ?"] = [sortable(where.since)]
    if where.until:
        parts["created_at < ?"] = [sortable(where.until)]
    if where.now:
        parts["(expires_at IS NULL OR expires_at > ?)"] = [where.now]
    if where.as_of:
        parts[HELD] = [sortable(where.as_of), sortable(where.as_of), where.as_of]
    elif where.now:
        parts[UNENDED] = [where.now]
    return [*parts.items()]


def _owners(where: Filter) -> dict[str, str]:
    owners = {'"user"': where.user, "agent": where.agent}
    return {column: name for column, name in owners.items() if name}


def _combinations(where: Filter) -> list[Condition]:
    """Conditions of which each entry of the owners, or shared with them, satisfies one."""
    choices: list[list[Condition]] = [
        [(f"{column} = ?", [name]), (f"{column} IS NULL", [])]
        for column, name in _owners(where).items()
    ]
    combined = [_joined(parts) for parts in product(*choices)]
    return [(f"({text})", values) for text, values in combined] if choices else [("true", [])]


# -- rows and views --------------------------------------------------------------------------------


def entry(row: Sequence[Any]) -> IndexedRow:
    """Converts a row with the columns ``ENTRY`` to an index entry."""
    values = list(row)
    metadata, provenance = unpacker()
    values[_METADATA] = metadata(values[_METADATA])
    values[_PROVENANCE] = provenance(values[_PROVENANCE])
    for place in _NAMES:
        values[place] = values[place] and normal_name(values[place])
    return IndexedRow(*values)


def definitions() -> Iterator[str]:
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
