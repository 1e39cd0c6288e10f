"""Filters of searches and listings as SQL over the index entries."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Protocol

from thalamus.records.history import sortable
from thalamus.records.kinds import numbered
from thalamus.store.tables import padded, placeholders

if TYPE_CHECKING:
    from thalamus.store.spellings import Spellings
    from thalamus.store.values import Filter

Condition = tuple[str, tuple[Any, ...]]
BEGINNING = "0001-01-01T00:00:00Z"  # of a fact without a known beginning


class FilterReader(Protocol):
    """A reader of the store in which rows are filtered."""

    def source(self, table: str, alias: str = "") -> str: ...

    @property
    def spellings(self) -> Spellings: ...


def views(where: Filter) -> list[str]:
    """Views that can contain matches of a filter: the others need not be read."""
    kinds = numbered()
    if where.kinds:
        wanted = set(where.kinds)
        kinds = [kind for kind in kinds if {kind.found_as, *kind.types.values()} & wanted]
    return [f"{kind.name}_entry" for kind in kinds]


def condition(
    reader: FilterReader, where: Filter, live: str = "live", *, indexed: bool = True
) -> Condition:
    """SQL condition over the ``entry`` view for a filter, with its values. ``live``: replacement
    for the condition that an entry is searchable. ``indexed`` false: rows are found by something
    else, and no index of owners is to be used, which would read all rows of an owner."""
    times = _times(reader, where)
    return _joined([(live, ()), *_choices(reader, where), *_owners(reader, where, indexed), *times])


def selection(
    reader: FilterReader, columns: str, views: Sequence[str], where: Filter, live: str = "live"
) -> Condition:
    """SQL query for entries of these views. Unless something in the filter selects few rows, each
    combination of owners is read along an index of its own."""
    rest = [(live, ()), *_choices(reader, where), *_times(reader, where)]
    if live == "live" and not (where.types or where.ids or where.session or where.scope == "core"):
        conditions = [_joined([*rest, one]) for one in _combinations(reader, where)]
    else:
        conditions = [condition(reader, where, live, indexed=False)]
    parts = [
        (f"SELECT {columns} FROM {reader.source(view)} WHERE {sql}", values)
        for view in views
        for sql, values in conditions
    ]
    return _joined(parts, " UNION ALL ")


def newest(
    reader: FilterReader, columns: str, views: Sequence[str], where: Filter, live: str = "live"
) -> Condition:
    """SQL query, without its limit, for entries of these views, newest first: those of each
    selection are in this order already, and are merged."""
    sql, values = selection(reader, columns, views, where, live)
    return f"{sql} ORDER BY created_at DESC, key DESC", values


def _joined(parts: Sequence[Condition], by: str = " AND ") -> Condition:
    return by.join(sql for sql, _ in parts), tuple(value for _, values in parts for value in values)


def _choices(reader: FilterReader, where: Filter) -> list[Condition]:
    parts: list[Condition] = []
    for column, choices in (("kind", where.kinds), ("type", where.types), ("id", where.ids)):
        if choices:
            values = padded(choices)
            parts.append((f"{column} IN ({placeholders(values)})", tuple(values)))
    if where.exclude:
        values = padded(where.exclude)
        parts.append((f"id NOT IN ({placeholders(values)})", tuple(values)))
    if where.topic:
        parts.append(("lower(topic) = lower(?)", (where.topic,)))
    if where.scope:
        parts.append(("scope = ?", (where.scope,)))
    if where.session:
        parts.append(_is("session", reader.spellings.of(where.session)))
    return parts


def _owners(reader: FilterReader, where: Filter, indexed: bool) -> list[Condition]:
    """Conditions for entries of the owners, or shared with them."""
    if not indexed:
        return [
            _is(f"coalesce({column}, ?)", names, names[0])
            for column, names in _given(reader, where)
        ]
    sql, values = _joined(_combinations(reader, where), " OR ")
    return [(f"({sql})", values)] if values else []


def _combinations(reader: FilterReader, where: Filter) -> list[Condition]:
    """Conditions of which each entry of the owners, or shared with them, satisfies one."""
    choices = [
        [*(_is(column, (name,)) for name in names), (f"{column} IS NULL", ())]
        for column, names in _given(reader, where)
    ]
    combined: list[Condition] = []
    for parts in product(*choices):
        sql, values = _joined(parts)
        combined.append((f"({sql})" if parts else "true", values))
    return combined


def _given(reader: FilterReader, where: Filter) -> list[tuple[str, tuple[str, ...]]]:
    owners = (('"user"', where.user), ("agent", where.agent))
    return [(column, reader.spellings.of(value)) for column, value in owners if value]


def _is(column: str, names: tuple[str, ...], *before: str) -> Condition:
    """Condition for a column with any of these names; ``before``: values of the column's SQL."""
    if len(names) == 1:
        return f"{column} = ?", (*before, *names)
    return f"{column} IN ({placeholders(names)})", (*before, *names)


def _times(reader: FilterReader, where: Filter) -> list[Condition]:
    parts: list[Condition] = []
    if where.since:
        parts.append(("created_at >= ?", (where.since,)))
    if where.until:
        parts.append(("created_at < ?", (where.until,)))
    if where.now:
        parts.append(("(expires_at IS NULL OR expires_at > ?)", (where.now,)))
    if where.as_of:
        intervals = reader.source("fact_interval", "i")
        parts.append(
            (
                f"CASE WHEN kind = 'fact' THEN EXISTS (SELECT 1 FROM {intervals}"
                " WHERE i.fact = key AND i.believed_to IS NULL AND i.valid_from <= ?"
                " AND (i.valid_to IS NULL OR i.valid_to > ?)) ELSE created_at <= ? END",
                (*[sortable(where.as_of)] * 2, where.as_of),
            )
        )
    elif where.now:
        # an ended memory is found, and marked where it is shown
        parts.append(("(kind <> 'fact' OR valid_to IS NULL OR valid_to > ?)", (where.now,)))
    return parts
