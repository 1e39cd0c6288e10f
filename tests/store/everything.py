"""A store with something in nearly every table."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import msgspec

from tests.conftest import NOW
from tests.forked import python
from tests.memory.test_insights import live
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Fact, Memory, Project

AT = Clock(parse_time(NOW))


def engine(home: Path, **settings: str) -> Thalamus:
    """The engine over a store in files, unless ``store`` is given."""
    chosen = {"home": str(home), "model": "scripted", "embedder": "scripted", "store": ""}
    return Thalamus(clock=AT, **(chosen | settings))


def folder(home: Path, tenant: str = "default") -> Path:
    return home / "data" / tenant


def fill(home: Path) -> None:
    """Fills the store of the default tenant, in a file."""
    live(home, store="")
    with engine(home) as thalamus:
        thalamus.turn("My name is Ana and I moved to Lisbon in May.")
        thalamus.turn("I prefer short answers, and my blood type is A+.")
        facts = [
            Fact(subject="Ann", predicate="lives_in", object="Rome", valid_from="2020-01-01"),
            Fact(subject="Ann", predicate="lives_in", object="Oslo", valid_from="2022-01-01"),
            Fact(subject="Ann", predicate="has_cat", object="Fado", sensitivity="personal"),
        ]
        kept = [thalamus.facts.add(fact)[0] for fact in facts]
        thalamus.facts.correct(kept[1].stored_id, "Bergen", reason="a slip")
        thalamus.facts.end(kept[0].stored_id, "2021-06-01T00:00:00Z")
        text = "# Rivers\n\nThe Tejo flows to Lisbon: “água”, 水.\n"
        thalamus.ingest(text.encode(), name="rivers.md")
        thalamus.projects.add(Project(name="Herb Garden", description="herbs"))
        thalamus.sessions.rename("s0", "Pottery")
        list(thalamus.insights.consolidate())
        thalamus.remember([Memory(content="The wombat digs at night.", user="bo")])
        thalamus.forget(ForgetOptions(query="wombat"))
        thalamus.undo()


def rows(file: Path) -> dict[str, int]:
    """Number of rows in each table of a file."""
    with closing(sqlite3.connect(file)) as db:
        names = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for (name,) in names}


def exported(thalamus: Thalamus) -> list[bytes]:
    """The export of a store, line by line."""
    return [msgspec.json.encode(record) for record in thalamus.store.export()]


def sound(thalamus: Thalamus) -> bool:
    """True when every row matches its signature."""
    with thalamus.store.verify() as verification:
        return list(verification.findings()) == []


# copies with batches of a few rows, and dies after some of them
KILLED = """
import os, signal, sys
from pathlib import Path
from tests.store.everything import engine
from thalamus.store import copy

copy.ROWS = 3
home, source, target, left = sys.argv[1:]
left = int(left)

def progress(count):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

with engine(Path(home)) as thalamus:
    thalamus.store.copy(source, target, progress=progress)
"""


def copy_and_die(home: Path, source: object, target: object, batches: int) -> None:
    """Copies in a process that is killed after so many batches."""
    command = [*python(), "-c", KILLED, str(home), str(source), str(target), str(batches)]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, (done.returncode, done.stderr[-2000:])
