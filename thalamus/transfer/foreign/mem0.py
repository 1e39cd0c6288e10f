"""Memories of mem0: the output of ``get_all``, an export, and the backup of OpenMemory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from thalamus.records import Memory
from thalamus.transfer.foreign.archive import Item
from thalamus.transfer.foreign.memories import identified, owners
from thalamus.transfer.foreign.report import Report
from thalamus.transfer.foreign.values import (
    clean,
    identity,
    listed,
    mapped,
    storable_value,
    time_of,
)

_GONE = {"deleted", "archived", "paused"}


def recognize(value: dict[str, Any]) -> bool:
    """True for a memory: one with the field ``memory``, a text and a ``hash``, or a ``state``."""
    if isinstance(value.get("memory"), str):
        return True
    if isinstance(value.get("data"), str) and "hash" in value:  # the payload in a vector store
        return True
    return isinstance(value.get("content"), str) and "state" in value


def read(items: Iterable[Item], report: Report) -> Iterator[Memory]:
    """Memories with their dates. Those of several users keep their user; those that were archived
    or deleted are left out and counted."""
    found = list(items)
    users = owners([item.value.get("user_id") for item in found])
    for item in found:
        raw = item.value
        content = clean(raw.get("memory")) or clean(raw.get("data")) or clean(raw.get("content"))
        state = str(raw.get("state") or "active").lower()
        if state in _GONE or raw.get("event") == "DELETE":
            report.left_out["memory that is no longer active"] += 1
        elif content:
            memory = Memory(
                content=content,
                created_at=time_of(raw.get("created_at"), raw.get("updated_at")),
                topic=_topic(raw),
                user=users.get(identity(raw.get("user_id"))),
                session=f"mem0:{run}" if (run := identity(raw.get("run_id"))) else None,
                metadata=_metadata(raw),
            )
            yield identified(memory, item, "mem0", identity(raw.get("id")))
        else:
            report.problem(f"entry {item.number} of {item.file} has no text; skipped")


def _topic(raw: dict[str, Any]) -> str | None:
    categories = raw.get("categories") or mapped(raw.get("metadata")).get("category")
    names = [clean(name) for name in (listed(categories) or [categories])]
    return next((name for name in names if name), None)


def _metadata(raw: dict[str, Any]) -> dict[str, Any]:
    """The memory's own metadata, and who and what it is about there."""
    names = ("user_id", "agent_id", "app_id", "app", "actor_id", "updated_at")
    kept = {name: raw[name] for name in names if isinstance(raw.get(name), (str, int))}
    found: dict[str, Any] = storable_value({**mapped(raw.get("metadata")), **kept})
    return found
