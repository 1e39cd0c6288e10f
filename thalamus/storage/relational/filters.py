"""Filters of searches and listings as SQL over the index entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalamus.records.history import sortable
from thalamus.records.kinds import numbered
from thalamus.storage.relational.tables import padded, placeholders

if TYPE_CHECKING:
    from thalamus.storage.protocol.values import Filter

Condition = tuple[str, tuple[Any, ...]]
BEGINNING = "0001-01-01T00:00:00Z"  # of a fact without a known beginning


def views(where: Filter) -> list[str]:
    """Views that can contain matches of a filter: the others need not be read."""
    kinds = numbered()
    if where.kinds:
        wanted = set(where.kinds)
        kinds = [kind for kind in kinds if {kind.found_as, *kind.types.values()} & wanted]
    return [f"{kind.name}_entry" for kind in kinds]


def condition(where: Filter, live: str = "live") -> Condition:
    """SQL condition over the ``entry`` view for a filter, with its values. ``live``: replacement
    for the condition that an entry is searchable."""
    parts = [(live, ()), *_choices(where), *_owners(where), *_times(where)]
    sql = " AND ".join(part for part, _ in parts)
    return sql, tuple(value for _, values in parts for value in values)


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


def _owners(where: Filter) -> list[Condition]:
    owners = (('"user"', where.user), ("agent", where.agent))
    return [(f"({c} = ? OR {c} IS NULL)", (value,)) for c, value in owners if value]


def _times(where: Filter) -> list[Condition]:
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
                "CASE WHEN kind = 'fact' THEN EXISTS (SELECT 1 FROM fact_interval AS i"
                " WHERE i.fact = key AND i.believed_to IS NULL AND i.valid_from <= ?"
                " AND (i.valid_to IS NULL OR i.valid_to > ?)) ELSE created_at <= ? END",
                (*[sortable(where.as_of)] * 2, where.as_of),
            )
        )
    elif where.now:
        # an ended memory is found, and marked where it is shown
        parts.append(("(kind <> 'fact' OR valid_to IS NULL OR valid_to > ?)", (where.now,)))
    return parts
