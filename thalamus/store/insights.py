"""The table ``insight``."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from thalamus.records import Insight

if TYPE_CHECKING:
    from thalamus.store.reader import Reader

STRONGEST = "SELECT * FROM insight WHERE status = 'active' ORDER BY strength DESC, key"
LIKE = """
SELECT * FROM insight WHERE status IN (SELECT value FROM json_each(?))
AND "user" IS ? AND level = ? ORDER BY key"""
STATE = "SELECT status, merged_into, batch, strength FROM insight WHERE id = ?"
# without a condition on the status: SQLite would read all insights in one along its index
STATUSES = "SELECT id, status FROM insight WHERE id IN (SELECT value FROM json_each(?))"
MERGED_INTO = """
SELECT id, status FROM insight WHERE merged_into IN (SELECT value FROM json_each(?))"""
REASONS = "SELECT quarantine FROM insight WHERE status = 'quarantined'"


class InsightState(NamedTuple):
    """Status of an insight, with the insight and the batch that it was merged into and in, and its
    strength."""

    status: str
    merged_into: str | None
    batch: str | None
    strength: float


def strongest(reader: Reader) -> list[Insight]:
    """Active insights, the strongest first."""
    return reader.read(Insight, STRONGEST)


def like(reader: Reader, statuses: Collection[str], user: str | None, level: int) -> list[Insight]:
    """Insights of one user (None: shared ones) and one level in any of these statuses, in the order
    of storing."""
    return reader.read(Insight, LIKE, statuses, user, level)


def state(reader: Reader, id: str) -> InsightState | None:
    """State of an insight; None when there is none with this id."""
    found = reader.fetch(STATE, id)
    return InsightState(*found[0]) if found else None


def with_status(reader: Reader, ids: Collection[str], status: str) -> list[str]:
    """Those of the ids that an insight of a status has."""
    found = reader.fetch(STATUSES, ids) if ids else []
    return [row[0] for row in found if row[1] == status]


def merged_into(reader: Reader, ids: Collection[str]) -> list[str]:
    """Ids of the archived insights that were merged into any of these."""
    found = reader.fetch(MERGED_INTO, ids) if ids else []
    return [row[0] for row in found if row[1] == "archived"]


def quarantine_reasons(reader: Reader) -> list[str | None]:
    """Reasons for the quarantine of insights, as JSON; None for an encrypted one."""
    return [row[0] for row in reader.fetch(REASONS)]
