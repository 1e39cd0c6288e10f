"""Filters of searches and listings as SQL over the index entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from thalamus.records.history import sortable
from thalamus.records.kinds import numbered
from thalamus.storage.relational.tables import padded, placeholders

if TYPE_CHECKING:
    from thalamus.storage.protocol.values import Filter

Condition = tuple[str, tuple[Any, ...]]
Source = Callable[[str, str], str]  # (table, alias) -> SQL; see ``tables.Tables.source``
BEGINNING = "0001-01-01T00:00:00Z"  # of a fact without a known beginning


def views(where: Filter) -> list[str]:
    """Views that can contain matches of a filter: the others need not be read."""
    kinds = numbered()
    if where.kinds:
        wanted = set(where.kinds)
        kinds = [kind for kind in kinds if {kind.found_as, *kind.types.values()} & wanted]
    return [f"{kind.name}_entry" for kind in kinds]


def condition(
    source: Source, where: Filter, live: str = "live", *, indexed: bool = True
) -> Condition:
    """SQL condition over the ``entry`` view for a filter, with its values. ``live``: replacement
    for the condition that an entry is searchable. ``indexed`` false: rows are found by something
    else, and no index of owners is to be used, which would read all rows of an owner."""
    times = _times(source, where)
    return _joined([(live, ()), *_choices(where), *_owners(where, indexed), *times])


def selection(
    source: Source, columns: str, views: Sequence[str], where: Filter, live: str = "live"
) -> Condition:
    """SQL query for entries of these views. Unless something in the filter selects few rows, each
    combination of owners is read along an index of its own."""
    rest = [(live, ()), *_choices(where), *_times(source, where)]
    if live == "live" and not (where.types or where.ids or where.session or where.scope == "core"):
        conditions = [_joined([*rest, one]) for one in _combinations(where)]
    else:
        conditions = [condition(source, where, live, indexed=False)]
    parts = [
        (f"SELECT {columns} FROM {source(view, '')} WHERE {sql}", values)
        for view in views
        for sql, values in conditions
    ]
    return _joined(parts, " UNION ALL ")


def newest(
    source: Source, columns: str, views: Sequence[str], where: Filter, live: str = "live"
) -> Condition:
    """SQL query, without its limit, for entries of these views, newest first: those of each
    selection are in this order already, and are merged."""
    sql, values = selection(source, columns, views, where, live)
    return f"{sql} ORDER BY created_at DESC, key DESC", values


def _joined(parts: Sequence[Condition], by: str = " AND ") -> Condition:
    return by.join(sql for sql, _ in parts), tuple(value for _, values in parts for value in values)


def _choices(where: Filter) -> list[Condition]:
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
    for column, value in (("scope", where.scope), ("session", where.session)):
        if value:
            parts.append((f"{column} = ?", (value,)))
    return parts


def _owners(where: Filter, indexed: bool) -> list[Condition]:
    """Conditions for entries of the owners, or shared with them."""
    if not indexed:
        return [(f"coalesce({c}, ?) = ?", (value, value)) for c, value in _given(where)]
    sql, values = _joined(_combinations(where), " OR ")
    return [(f"({sql})", values)] if values else []


def _combinations(where: Filter) -> list[Condition]:
    """Conditions of which each entry of the owners, or shared with them, satisfies one."""
    choices = [[(f"{c} = ?", (value,)), (f"{c} IS NULL", ())] for c, value in _given(where)]
    combined: list[Condition] = []
    for parts in product(*choices):
        sql, values = _joined(parts)
        combined.append((f"({sql})" if parts else "true", values))
    return combined


def _given(where: Filter) -> list[tuple[str, str]]:
    owners = (('"user"', where.user), ("agent", where.agent))
    return [(column, value) for column, value in owners if value]


def _times(source: Source, where: Filter) -> list[Condition]:
    parts: list[Condition] = []
    if where.since:
        parts.append(("created_at >= ?", (where.since,)))
    if where.until:
        parts.append(("created_at < ?", (where.until,)))
    if where.now:
        parts.append(("(expires_at IS NULL OR expires_at > ?)", (where.now,)))
    if where.as_of:
        parts.append(
            (
                f"CASE WHEN kind = 'fact' THEN EXISTS (SELECT 1 FROM {source('fact_interval', 'i')}"
                " WHERE i.fact = key AND i.believed_to IS NULL AND i.valid_from <= ?"
                " AND (i.valid_to IS NULL OR i.valid_to > ?)) ELSE created_at <= ? END",
                (*[sortable(where.as_of)] * 2, where.as_of),
            )
        )
    elif where.now:
        # an ended memory is found, and marked where it is shown
        parts.append(("(kind <> 'fact' OR valid_to IS NULL OR valid_to > ?)", (where.now,)))
    return parts
