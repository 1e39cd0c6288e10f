"""Records whose content is encrypted: how they look without their key."""

from __future__ import annotations

from thalamus.records import (
    DiscoverySource,
    Fact,
    Insight,
    Memory,
    Project,
    Record,
    SessionTitle,
    StageLog,
    Turn,
    World,
    WorldChange,
)
from thalamus.store.tables import AMONG

NOBODY = "user"  # subject of unowned records
HIDDEN = "(encrypted)"  # shown instead of content whose key is missing
# encrypted ones of some kinds: with the kinds the primary key can be used
OF_KINDS = f"SELECT id FROM encrypted WHERE kind {AMONG} AND id {AMONG}"


_FIRST: dict[type, str] = {
    Memory: "content",
    Fact: "object",
    Turn: "message",
    Project: "name",
    DiscoverySource: "uri",
    Insight: "content",
    World: "project",
    StageLog: "reply",
    SessionTitle: "title",
}


def is_hidden(record: Record) -> bool:
    """True for an encrypted record that was not decrypted."""
    if isinstance(record, WorldChange):
        return not record.operations  # otherwise it has some
    field = _FIRST.get(type(record))
    return field is not None and getattr(record, field) == HIDDEN
