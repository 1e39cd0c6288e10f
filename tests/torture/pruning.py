"""Stores to be pruned, and what must be true of them at any moment."""

from __future__ import annotations

import functools
import random
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.store import making
from tests.torture.stores import content
from thalamus.records import Event, Memory
from thalamus.store.sqlite.store import SqliteStore

NOW = "2026-05-08T13:56:00Z"  # the clock of the prunes
LATER = "2026-06-20T00:00:00Z"  # when they can no longer be undone
# kind, when it was said, whether it is to stay
_SORTS = [
    ("observation", "2025-0{}-11T00:00:00Z", False),
    ("observation", "2026-04-0{}T00:00:00Z", True),
    ("user_identity", "2019-0{}-01T00:00:00Z", True),
    ("event", "2023-0{}-09T00:00:00Z", False),
    ("preference", "2021-0{}-02T00:00:00Z", True),
    ("topic_of_interest", "2024-0{}-02T00:00:00Z", False),
]


def memory(number: int) -> tuple[Memory, bool]:
    """A memory of one of the sorts, and whether prune must keep it."""
    draw = random.Random(number)
    kind, said, stays = draw.choice(_SORTS)
    name = f"n{number}"
    pinned = draw.random() < 0.05
    record = making.memory(
        name,
        content(name),
        type=kind,
        topic=draw.choice([None, *(f"topic{n}" for n in range(40))]),
        created_at=said.format(1 + number % 9),
        pinned=pinned,
        scope="core" if number in (5, 50) else "archival",
    )
    return record, stays or pinned or record.scope == "core"


def fill(folder: Path, count: int) -> set[str]:
    """Makes a store of ``count`` memories; returns the ids of those that must stay."""
    store = making.open_store(folder)
    staying = set()
    for start in range(0, count, 1000):
        with store.writing() as writer:
            for number in range(start, min(count, start + 1000)):
                record, stays = memory(number)
                writer.add(record, making.vector(record.id or ""))
                if stays:
                    staying.add(record.id or "")
            writer.add_event(Event(name="stored", at=making.AT, data={"first": start}))
    store.close()
    return staying


def problems(store: SqliteStore, count: int, staying: set[str], purging: bool = False) -> list[str]:
    """What is wrong: something that must stay is not active, something went without a summary,
    a summary stands beside what it came from. ``purging``: what was retired may be gone."""
    with closing(sqlite3.connect(store.path, timeout=30)) as connection:
        status = dict(connection.execute("SELECT id, status FROM memory"))
        kinds = dict(connection.execute("SELECT id, type FROM memory"))
        batches = {row[0] for row in connection.execute("SELECT id FROM batch")}
        of = connection.execute("SELECT id, batch FROM memory WHERE batch IS NOT NULL").fetchall()
        links = connection.execute(
            "SELECT source, target FROM link WHERE relation = 'derived_from'"
        ).fetchall()
    found = [f"{id} is {status.get(id)}" for id in sorted(staying) if status.get(id) != "active"]
    made = {id for id, kind in kinds.items() if kind == "summary"}
    stood_for = {target for source, target in links if source in made}
    for number in range(count):
        id = f"mem_n{number}"
        if id not in status:
            if not purging:
                found.append(f"{id} is gone")
            if kinds_of(number) != "topic_of_interest" and id not in stood_for:
                found.append(f"{id} is gone and no summary stands for it")
        elif status[id] == "retired":
            if kinds_of(number) != "topic_of_interest" and id not in stood_for:
                found.append(f"{id} is retired and no summary stands for it")
        elif id in stood_for:
            found.append(f"{id} is {status[id]} beside its summary")
    found += [
        f"{id} was retired by {batch}, which is not there"
        for id, batch in of
        if batch not in batches
    ]
    return found[:5] + store.check()


@functools.cache
def kinds_of(number: int) -> str:
    """The kind of the memory with this number."""
    return memory(number)[0].type
