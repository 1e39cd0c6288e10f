"""Forgetting in the store: the ledger, what is looked for in which bytes, other processes,
kills, and a disk that is full."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.commands.planted import OTHERS, fill, kept, left, said, word
from tests.forked import Process, python
from tests.store.making import AT, finish, level, open_store, start
from tests.stored import edit, store_of
from tests.torture.driver import ROOT, environment
from tests.torture.rooms import can_mount, small
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Event, Memory
from thalamus.store import ledger, memories
from thalamus.store.erasure import ErasedContent, ResidueReport
from thalamus.store.residue import Probes, read_file
from thalamus.store.sqlite.store import SqliteStore

pytestmark = pytest.mark.sqlite

NAME, MORE = word("cat"), word("music")


def engine(folder: Path, **settings: object) -> Thalamus:
    clock = Clock(parse_time(AT))
    chosen = {"home": str(folder), "model": "scripted", "embedder": "scripted"} | settings
    return Thalamus(clock=clock, store=store_of(folder), **chosen)


def planted(folder: Path, **settings: object) -> Thalamus:
    thalamus = engine(folder, **settings)
    fill(thalamus, "k")
    thalamus.remember(said(NAME, MORE))  # type: ignore[arg-type]
    return thalamus


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with what is planted; it is not to be changed."""
    home = tmp_path_factory.mktemp("original") / "home"
    planted(home).close()
    return home


def copied(original: Path, home: Path) -> Path:
    return Path(shutil.copytree(original, home))


# -- the ledger ---------------------------------------------------------------------------------


def test_an_emptied_entry_must_be_named(tmp_path: Path) -> None:
    thalamus = planted(tmp_path)
    thalamus.forget(ForgetOptions(query=NAME))
    store = thalamus.database
    empty = [event.seq for event in ledger.entries(store) if event.salt is None]
    assert empty and store.check() == []
    whole = next(event.seq for event in ledger.entries(store) if event.salt)
    with sqlite3.connect(store.path) as db:
        db.execute(
            "UPDATE event SET data='{}', turn=NULL, session=NULL, salt=NULL WHERE seq=?", (whole,)
        )
    assert store.check() == [f"ledger entry {whole} was emptied, but no later entry records it"]
    with sqlite3.connect(store.path) as db:
        db.execute("UPDATE event SET turn = 'x' WHERE seq = ?", (empty[0],))
    assert f"ledger entry {empty[0]} does not follow" in store.check()[0]
    thalamus.close()


def test_an_export_with_emptied_entries_is_replayed(tmp_path: Path) -> None:
    thalamus = planted(tmp_path / "one")
    thalamus.forget(ForgetOptions(query=NAME))
    records = list(thalamus.store.export())
    thalamus.close()
    other = engine(tmp_path / "two")
    added = other.store.import_memory(records)
    assert added["event"] == sum(isinstance(record, Event) for record in records)
    assert other.database.check() == []
    hashes = [event.hash for event in ledger.entries(other.database)]
    assert hashes == [record.hash for record in records if isinstance(record, Event)]
    other.close()


# -- what is looked for --------------------------------------------------------------------------


TEXT = f'Her {NAME} said "naïve things" in 1987 at {MORE} road, and nobody laughed at them.'


def forgotten() -> ErasedContent:
    return ErasedContent(
        texts=[("mem_1", "memory", TEXT)], names=[NAME], vectors=[b"\x81Vector" * 9]
    )


PLANTS = {
    "text": TEXT.encode(),
    "utf-16": TEXT.encode("utf-16-le"),
    "json": json.dumps(TEXT).encode(),
    "upper": TEXT.upper().encode(),
    "name": NAME.title().encode(),
    "part": f"xx{NAME}yy".encode(),
    "piece": 'said "naïve things" in 1987 at'.encode() + MORE.encode(),
    "vector": b"\x81Vector" * 9,
}


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which nothing is left of what is forgotten; it is not to be changed."""
    home = tmp_path_factory.mktemp("searched") / "home"
    thalamus = engine(home)
    fill(thalamus, "r", 70)
    assert thalamus.database.residue(forgotten(), [], lambda _: None).found == []
    level(thalamus.database)
    thalamus.close()
    return home


@pytest.mark.parametrize(
    ("where", "what"),
    [
        *(("index/fulltext/x.term", what) for what in PLANTS),
        ("index/vectors-1/x.hbin", "vector"),
        ("thalamus.db-wal", "text"),
        ("free page", "part"),
    ],
)
def test_planted_residue_is_found(searched: Path, tmp_path: Path, where: str, what: str) -> None:
    """Wherever it stands, also across the border of two blocks that are read."""
    plant = PLANTS[what]
    thalamus = engine(copied(searched, tmp_path / "home"))
    store = thalamus.database
    folder = store.folder
    if where == "free page":
        with sqlite3.connect(store.path) as db:
            db.execute("PRAGMA secure_delete = OFF")
            db.execute("CREATE TABLE junk (x)")
            db.execute("INSERT INTO junk VALUES (?)", (b"\x00" * 9000 + plant + b"\x00" * 9000,))
            db.commit()
            db.execute("DROP TABLE junk")
        db.close()
    else:
        path = folder / where
        path.parent.mkdir(exist_ok=True)
        with path.open("ab") as file:
            border = (4 << 20) - path.stat().st_size - len(plant) // 2
            file.write(b"\x00" * (border if where.endswith("term") else 50) + plant + b"\x00" * 50)
    found = store.residue(forgotten(), [], lambda _: None).found
    assert found and all(r.offset >= 0 for r in found)
    names = {Path(r.file).name for r in found}
    assert names <= {Path(where).name, "thalamus.db", "thalamus.db-wal"}
    with (folder / Path(where)).open("rb") if where != "free page" else store.path.open("rb") as f:
        if where != "free page" and Path(where).name in names:
            f.seek(min(r.offset for r in found if Path(r.file).name == Path(where).name))
            assert f.read(4).lower() in plant.lower()
    thalamus.close()


def test_a_short_name_among_random_bytes_is_no_residue(tmp_path: Path) -> None:
    file = tmp_path / "vectors"
    file.write_bytes(random.Random(1).randbytes(4 << 20))
    report, probes = ResidueReport(), Probes(ErasedContent(names=["Xq"]))
    read_file(file, probes, lambda _: False, report, copy=False)
    assert report.found == []
    file.write_bytes("\x00Grüße von Xq, ".encode())
    read_file(file, probes, lambda _: False, report, copy=False)
    assert len(report.found) == 1


def test_what_stays_is_no_residue(tmp_path: Path) -> None:
    thalamus = engine(tmp_path)
    fill(thalamus, "r", 10)
    thalamus.database.rebuild_indexes()
    common = ErasedContent(texts=[("m", "memory", "Somebody grows a garden. Tell me of it.")])
    search = thalamus.database.residue(common, [], lambda _: None)
    assert search.found == [] and search.files > 5 and search.bytes > 10_000
    thalamus.close()


def test_names_of_the_schema_next_to_one_another_are_no_residue(tmp_path: Path) -> None:
    """The index ``stage_log_turn`` stands before its table ``stage_log``: "turns"."""
    thalamus = engine(tmp_path)
    fill(thalamus, "r", 10)
    forgotten = ErasedContent(texts=[("m", "memory", "It turns left, and turns again.")])
    assert thalamus.database.residue(forgotten, [], lambda _: None).found == []
    thalamus.close()


# -- others ------------------------------------------------------------------------------------


def test_a_reader_keeps_it_from_being_finished(tmp_path: Path) -> None:
    thalamus = planted(tmp_path, busy_timeout=0.1)
    reader = sqlite3.connect(thalamus.database.path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM turn").fetchone()
    report = thalamus.forget(ForgetOptions(query=NAME))
    assert report.done and not report.complete and any("log" in left for left in report.left)
    assert thalamus.database.unfinished()
    assert thalamus.finish_forgetting() != [] and thalamus.database.unfinished()
    assert left(tmp_path / "data", NAME)
    reader.close()
    assert thalamus.finish_forgetting() == [] and not thalamus.database.unfinished()
    thalamus.close()
    assert left(tmp_path / "data", NAME) == []
    assert kept(thalamus, "k")


def test_another_process_has_the_store_open(tmp_path: Path) -> None:
    """It searches before and after, through indexes that are exchanged under it."""
    thalamus = planted(tmp_path)
    folder = thalamus.database.folder
    thalamus.close()
    code = f"""
import sys
from pathlib import Path
store = open_store(Path(sys.argv[1]), create=False)
def found():
    hits = store.search_text([{NAME!r}], Filter(), 5)
    return sum({NAME!r} in hit.entry.text for hit in hits)
print(found(), flush=True)
input()
print(found(), len(store.search_text(["garden"], Filter(), 100)), store.check(), flush=True)
store.close()
"""
    process = start(code, folder)
    assert process.stdout is not None and process.stdin is not None
    assert int(process.stdout.readline()) > 0
    assert thalamus.forget(ForgetOptions(query=NAME)).complete
    thalamus.close()
    process.stdin.write("\n")
    assert finish(process).split() == ["0", str(OTHERS), "[]"]
    assert left(folder, NAME) == []


def test_what_is_left_is_looked_for_while_another_process_makes_the_indexes_anew(
    tmp_path: Path,
) -> None:
    thalamus = planted(tmp_path)
    code = """
import sys
from pathlib import Path
store = open_store(Path(sys.argv[1]), create=False)
print("ready", flush=True)
for _ in range(20):
    store.rebuild_indexes()
store.close()
"""
    process = start(code, thalamus.database.folder)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    nothing = ErasedContent(names=["xylophonist", "zymurgy"], keys=[1 << 40])
    while process.poll() is None:
        assert thalamus.database.residue(nothing, [], lambda what: None).found == []
    finish(process)
    thalamus.close()


def test_two_processes_forget_at_once(tmp_path: Path) -> None:
    thalamus = planted(tmp_path)
    fill(thalamus, "other", 5)
    thalamus.close()
    names = [NAME, word("other1"), word("other2")]
    commands = [("forget", "--query", name, "--yes", "--json") for name in names]
    settings = {"THALAMUS_HOME": str(tmp_path), "THALAMUS_EMBEDDER": "scripted"}
    running = [
        subprocess.Popen(
            [*python(), "-m", "thalamus", *command],
            env=environment() | settings,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
        for command in commands
    ]
    ended = [process.communicate(timeout=100) for process in running]
    assert [process.returncode for process in running] in ([0, 0, 0],), ended
    assert left(tmp_path / "data", *names) == []
    assert kept(thalamus, "k") and thalamus.database.check() == []
    thalamus.close()


# -- kills -------------------------------------------------------------------------------------


STEPS = ("rebuilding the indexes", "emptying SQLite's log", "rewriting the database")
# says when it is about to take a step, and waits there
WAITING = """
import sys
from pathlib import Path
from tests.store.test_forgetting import NAME, ForgetOptions, engine

def progress(what):
    if what == sys.argv[2]:
        print("there", flush=True)
        sys.stdin.readline()

engine(Path(sys.argv[1])).forget(ForgetOptions(query=NAME), progress=progress)
"""


def run(home: Path, *arguments: str) -> Process[str]:
    """Python over the store of this home."""
    settings = {"THALAMUS_HOME": str(home), "THALAMUS_EMBEDDER": "scripted"}
    return Process(
        [*python(), *arguments],
        env=environment() | settings,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def command(home: Path, *arguments: str) -> tuple[str, str, int]:
    """The output of a command, its error output and its exit status."""
    process = run(home, "-m", "thalamus", *arguments)
    return *process.communicate(timeout=100), process.returncode


def state(home: Path) -> str:
    """Where a forget that was killed stands."""
    store = open_store(home / "data" / "default", create=False)
    there, unfinished = store.get(f"turn_{MORE}") is not None, store.unfinished()
    store.close()
    assert not (there and unfinished)
    return "before" if there else "between" if unfinished else "after"


def finish_killed(home: Path) -> None:
    """Everything is as promised after a forget that was killed, whatever had been done of it."""
    found = state(home)
    if found == "before":
        assert len(left(home / "data", NAME)) > 0
    else:
        if found == "between":
            assert "thalamus forget --finish" in command(home, "facts")[1]
            checks, _, code = command(home, "doctor", "--no-model", "--json")
            assert code == 1
            assert "forgetting" in {json.loads(line)["name"] for line in checks.splitlines()}
            assert command(home, "forget", "--finish")[2] == 0
        assert left(home / "data", NAME) == []
        assert command(home, "doctor", "--no-model")[2] == 0
    thalamus = engine(home)
    assert kept(thalamus, "k")
    thalamus.close()


@pytest.mark.parametrize("step", STEPS)
def test_killed_before_each_step(original: Path, tmp_path: Path, step: str) -> None:
    home = copied(original, tmp_path / "home")
    process = run(home, "-c", WAITING, str(home), step)
    assert process.stdout is not None and process.stdout.readline() == "there\n"
    process.kill()
    process.communicate()
    assert state(home) == "between"
    finish_killed(home)


def test_killed_at_some_moment(original: Path, tmp_path: Path) -> None:
    whole = copied(original, tmp_path / "whole")
    begun = time.monotonic()
    assert command(whole, "forget", "--query", NAME, "--yes")[2] == 0
    seconds = time.monotonic() - begun
    for number in range(6):
        home = copied(original, tmp_path / str(number))
        process = run(home, "-m", "thalamus", "forget", "--query", NAME, "--yes", "--json")
        time.sleep(seconds * (number + 0.5) / 6)
        process.kill()
        process.communicate()
        finish_killed(home)


def test_the_next_forget_does_the_rest(tmp_path: Path) -> None:
    thalamus = planted(tmp_path)

    class Stop(BaseException):
        pass

    def progress(what: str) -> None:
        if what == STEPS[1]:
            raise Stop

    with pytest.raises(Stop):
        thalamus.forget(ForgetOptions(query=NAME), progress=progress)
    assert thalamus.database.unfinished() and left(thalamus.database.folder, NAME)
    assert thalamus.forget(ForgetOptions(ids=(f"mem_{word('k1')}",))).complete
    assert not thalamus.database.unfinished()
    thalamus.close()
    assert left(tmp_path / "data", NAME) == []


# -- a disk that is full -------------------------------------------------------------------------


@pytest.mark.skipif(not can_mount(), reason="no mounts here")
@pytest.mark.parametrize("room", [300_000, 1_000_000])
def test_on_a_full_disk(tmp_path: Path, room: int) -> None:
    """There is no room to rewrite the database: what can be erased is, and the rest is reported.
    With little more than the transaction itself needs, SQLite's log may not be emptied either."""
    code = """
import json, os, sys
from pathlib import Path
from tests.commands.planted import left
from tests.store.making import memory
from tests.store.test_forgetting import NAME, ForgetOptions, planted
folder = Path(sys.argv[1])
thalamus = planted(folder)
with thalamus.database.writing() as writer:
    for number in range(200):
        writer.add(memory(f"n{number}", metadata={"filler": "rain" * 2500}))
thalamus.database._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
with (folder / "ballast").open("wb") as file:
    free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
    file.write(b"x" * max(0, free - int(sys.argv[2])))
report = thalamus.forget(ForgetOptions(query=NAME))
thalamus.close()
print(json.dumps([report.left, report.complete, left(folder / "data", NAME)]))
(folder / "ballast").unlink()
done = [thalamus.finish_forgetting(), thalamus.database.check()]
print(json.dumps([*done, left(folder / "data", NAME)]))
"""
    command = [sys.executable, "-c", code, str(tmp_path), str(room)]
    done = subprocess.run(
        small(tmp_path, "12m", command), capture_output=True, text=True, cwd=ROOT, env=environment()
    )
    assert done.returncode == 0, done.stderr[-3000:]
    (problems, complete, found), after = map(json.loads, done.stdout.splitlines())
    assert problems and complete == (found == []), (problems, complete, found)
    assert found == [] or room < 1_000_000, problems
    assert after == [[], [], []]


def test_a_full_text_index_that_only_marks_is_found_out(tmp_path: Path) -> None:
    """Removing an entry leaves its words in the index until segments are merged."""
    thalamus = engine(tmp_path)
    named = [Memory(id=f"mem_{n}", content=f"Somebody grows rice {n}.") for n in range(200)]
    thalamus.remember([*named, Memory(id="mem_cat", content=f"A cat called {NAME}.")])
    store: SqliteStore = thalamus.database
    level(store)
    with store.writing() as writer:
        writer.remove("mem_cat")
    found = store.residue(ErasedContent(names=[NAME]), [], lambda _: None).found
    assert any("postings" in residue.what for residue in found)
    thalamus.close()


def test_it_is_not_finished_while_rows_of_a_deleted_record_are_left(
    thalamus: Thalamus, home: Path
) -> None:
    """As a program leaves them that knows an older form of the tables."""
    birds = ("A wombat.", "A crow.", "A finch.")
    [one, other, third] = thalamus.remember([Memory(content=bird) for bird in birds])
    with thalamus.database.forgetting() as writer:
        [(key, *_)] = memories.as_stored(writer, [str(one.id)])
        writer.remove(str(one.id))
    edit(home, f"INSERT INTO about (key, concept) VALUES ({key}, 77)")
    left = ["the table about holds rows of records that do not exist (1)"]
    assert thalamus.finish_forgetting() == left and thalamus.database.unfinished()
    assert thalamus.forget(ForgetOptions(ids=(str(third.id),))).left == left
    assert thalamus.database.unfinished()
    edit(home, "DELETE FROM about WHERE concept = 77")
    assert thalamus.finish_forgetting() == [] and not thalamus.database.unfinished()
    assert [found.id for found in thalamus.recall("crow")] == [other.id]
