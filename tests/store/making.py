"""Records and vectors for the storage tests; also run in processes of their own."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path
from typing import cast

from msgspec.structs import replace

from tests.forked import Process, python
from thalamus.clock import Clock, parse_time
from thalamus.policy.vector import pack
from thalamus.records import Event, Memory
from thalamus.store.options import StoreOptions
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter, Vector

AT = "2024-05-01T10:00:00Z"
WORDS = "alpha beta gamma delta lisbon paris tokyo cat dog bird tree house car boat river".split()
DIMENSION = 8


def open_store(folder: Path, create: bool = True, busy_timeout: float = 30) -> SqliteStore:
    clock = Clock(parse_time(AT))
    options = StoreOptions(create=create, busy_timeout=busy_timeout, clock=clock)
    if url := os.environ.get("THALAMUS_STORE"):
        from thalamus.store.postgres.store import PostgresStore
        from thalamus.store_url import parse_store_url

        tenant = folder.name.lower()  # a folder of one's own is a schema of one's own there
        return cast(
            "SqliteStore", PostgresStore(parse_store_url(url), replace(options, tenant=tenant))
        )
    return SqliteStore(folder, options)


def memory(name: str, content: str | None = None, **more: object) -> Memory:
    """A memory whose id and last word are ``name``."""
    words = " ".join(random.Random(name).choices(WORDS, k=8))
    values: dict[str, object] = {
        "id": f"mem_{name}",
        "content": content or f"{words} {name}",
        "created_at": AT,
        "recorded_at": AT,
    }
    return Memory(**(values | more))


def vector(name: str, model: str = "m", dimension: int = DIMENSION) -> Vector:
    draw = random.Random(name)
    return Vector(model, pack(draw.gauss(0, 1) for _ in range(dimension)))


def fill(store: SqliteStore, names: list[str], batch: int = 50) -> None:
    """Stores a memory with its vector for each name, and one ledger entry per batch; all of it is
    in the indexes then, which would have waited for more."""
    for start in range(0, len(names), batch):
        part = names[start : start + batch]
        with store.writing() as writer:
            for name in part:
                writer.add(memory(name), vector(name))
            writer.add_event(Event(name="stored", at=AT, data={"first": part[0]}))
    level(store)


def level(store: SqliteStore) -> None:
    """Brings the indexes up to date, where there are any of their own."""
    if isinstance(store, SqliteStore):
        if (process := store._upkeep._process) is not None:
            process.wait()
        store._indexes.fold()


def in_words(store: SqliteStore, name: str) -> bool:
    """Whether the words find the memory ``name``."""
    return any(hit.entry.id == f"mem_{name}" for hit in store.search_text([name], Filter(), 10))


def found(store: SqliteStore, name: str, where: Filter | None = None) -> bool:
    """Whether both searches find the memory ``name`` first."""
    where = where or Filter()
    text = store.search_text([name], where, 3)
    near = store.search([], vector(name), where, 3).vector
    wanted = f"mem_{name}"
    return [h.entry.id for h in text[:1]] == [wanted] == [h.entry.id for h in near[:1]]


def start(code: str, *arguments: object, **options: object) -> Process[str]:
    """A Python process running ``code`` (which may import this module) with ``sys.argv[1:]``."""
    command = [*python(), "-c", f"import sys\nfrom tests.store.making import *\n{code}"]
    return Process(
        [*command, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        **options,  # type: ignore[call-overload]
    )


def finish(process: subprocess.Popen[str], timeout: float = 60) -> str:
    """What the process printed; it must end well."""
    out, err = process.communicate(timeout=timeout)
    assert process.returncode == 0, (process.returncode, out[-2000:], err[-2000:])
    return out
