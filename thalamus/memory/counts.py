"""How much is remembered: what holds, and not what was superseded, retired or retracted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.records import DOCUMENT_TYPES

if TYPE_CHECKING:
    from thalamus.storage.protocol import Reader, Where


def memory_types(store: Reader, user: str | None, status: str | None = None) -> dict[str, int]:
    """How many memories there are of each type, of this user and of nobody in particular, with one
    ``status`` or (None) any."""
    where: Where = {} if user is None else {"user": (None, user)}
    if status is not None:
        where = {**where, "status": status}
    return dict(store.select("memory", ("type", "count(*)"), where, group=("type",)))


def remembered(store: Reader, user: str | None) -> dict[str, int]:
    """How many memories are active, but for those that are pieces of documents, and how many facts
    have not ended."""
    types = memory_types(store, user, "active")
    where: Where = {"retired_at": None, "valid_to": None}
    if user is not None:
        where = {**where, "user": (None, user)}
    return {
        "memory": sum(count for type, count in types.items() if type not in DOCUMENT_TYPES),
        "fact": store.select("fact", ("count(*)",), where)[0][0],
    }
