"""A store whose file is empty or gone, while something else says that there was one: damage, and
never a new store."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.errors import StoreDamaged
from thalamus.records import Memory

pytestmark = pytest.mark.sqlite

Run = Callable[..., Result]
READING = (
    ["memory"],
    ["retrieve", "Where?"],
    ["facts"],
    ["export"],
    ["doctor", "--signatures"],
    ["why"],
)
WRITING = (
    ["turn", "Hello."],
    ["store"],
    ["facts", "add", "Ana", "likes", "tea"],
    ["store", "reindex"],
)
RECORD = '{"record":"memory","content":"The user skis."}'


def engine(home: Path) -> Thalamus:
    return Thalamus(home=str(home), model="scripted", embedder="scripted", store="")


def lives_on(home: Path) -> list[str]:
    """What the store remembers, which verifies, and takes something new."""
    with engine(home) as thalamus:
        thalamus.remember([Memory(content="The user skis.")])
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []
        return [memory.content for memory in thalamus.memories.find()]


class Place:
    """A store with its folder, its key and a backup, to be lost."""

    def __init__(self, run: Run, home: Path) -> None:
        self.run, self.home = run, home
        self.folder = home / "data" / "default"
        self.file = self.folder / "thalamus.db"
        self.index = self.folder / "index"
        self.key = home / "config" / "keys" / "default.key"
        self.backup = home / "copy.db"

    def refuses(self, arguments: list[str]) -> None:
        before = sorted((p, p.stat().st_size) for p in self.folder.rglob("*") if p.is_file())
        done = self.run(*arguments, input=RECORD if arguments == ["store"] else "")
        assert (done.code, "Traceback" in done.stderr) == (10, False), (arguments, done)
        assert "thalamus store restore" in done.stderr and str(self.file) in done.stderr
        assert not self.file.exists() or self.file.stat().st_size == 0
        after = sorted((p, p.stat().st_size) for p in self.folder.rglob("*") if p.is_file())
        assert [found for found in after if found[0].suffix != ".lock"] == [
            found for found in before if found[0].suffix != ".lock"
        ]


@pytest.fixture
def place(run: Run, home: Path) -> Place:
    with engine(home) as thalamus:
        thalamus.remember([Memory(content="The user sails.")])
        thalamus.database.backup(home / "copy.db")
    return Place(run, home)


def emptied(place: Place) -> None:
    place.file.write_bytes(b"")


def emptied_without_index(place: Place) -> None:
    shutil.rmtree(place.index)
    emptied(place)


def emptied_without_key(place: Place) -> None:
    shutil.rmtree(place.key.parent)
    emptied(place)


def gone(place: Place) -> None:
    place.file.unlink()


def gone_without_index(place: Place) -> None:
    shutil.rmtree(place.index)
    gone(place)


def gone_without_key(place: Place) -> None:
    shutil.rmtree(place.key.parent)
    gone(place)


def all_of_the_folder(place: Place) -> None:
    """A disk that is not mounted: only the key knows."""
    shutil.rmtree(place.folder)


WAYS = (
    emptied,
    emptied_without_index,
    emptied_without_key,
    gone,
    gone_without_index,
    gone_without_key,
    all_of_the_folder,
)


@pytest.mark.parametrize("lose", WAYS)
def test_a_lost_store_is_damaged_and_comes_back(
    place: Place, lose: Callable[[Place], None]
) -> None:
    lose(place)
    every = (*READING, *WRITING) if lose in (emptied, gone) else (READING[0], WRITING[1])
    for arguments in every:
        place.refuses(list(arguments))
    restored = place.run("store", "restore", str(place.backup))
    assert restored.code == 0, restored.stderr
    assert "The user sails." in place.run("memory").stdout
    if lose not in (emptied_without_key, gone_without_key):
        assert sorted(lives_on(place.home)) == ["The user sails.", "The user skis."]


def test_through_python(place: Place, home: Path) -> None:
    place.file.write_bytes(b"")
    with engine(home) as thalamus:
        with pytest.raises(StoreDamaged):
            thalamus.recall("Where?")
        with pytest.raises(StoreDamaged):
            thalamus.remember([Memory(content="x")])


def test_a_log_alone_is_kept_for_whoever_can_read_it(place: Place) -> None:
    """SQLite would delete the log of an empty file."""
    emptied_without_index(place)
    shutil.rmtree(place.key.parent)
    log = place.folder / "thalamus.db-wal"
    log.write_bytes(b"committed and not moved yet")
    place.refuses(["memory"])
    place.refuses(["store"])
    assert log.read_bytes() == b"committed and not moved yet"
    assert place.run("store", "restore", str(place.backup)).code == 0
    kept = list(place.folder.glob("*before-restore*-wal"))
    assert [path.read_bytes() for path in kept] == [b"committed and not moved yet"]
    assert "The user sails." in place.run("memory").stdout


def test_a_new_folder_works(run: Run, home: Path, tmp_path: Path) -> None:
    folder = home / "data" / "default"
    for arguments in READING:
        assert run(*arguments).code in (0, 4, 10)
        assert "damaged" not in run(*arguments).stderr and not folder.exists()
    folder.mkdir(parents=True)
    (folder / "thalamus.db").touch()  # killed before the first table was made
    assert run("memory").code == 10  # no store yet
    assert run("store", input=RECORD).code == 0
    # another tenant, another home, and another data folder with the same configuration
    assert run("store", "--tenant", "work", input=RECORD).code == 0
    assert run("store", "--home", str(tmp_path / "second"), input=RECORD).code == 0
    assert run("doctor", "--signatures").code == 0


def test_tenants_may_share_a_key(run: Run, tmp_path: Path) -> None:
    shared = {"THALAMUS_KEY_FILE": str(tmp_path / "shared.key")}
    assert run("store", input=RECORD, env=shared).code == 0
    assert run("store", "--tenant", "work", input=RECORD, env=shared).code == 0
    assert run("doctor", "--signatures", "--tenant", "work", env=shared).code == 0


def test_a_store_that_was_moved_leaves_its_place_free(place: Place, run: Run, home: Path) -> None:
    place.folder.rename(place.folder.with_name("moved"))
    place.key.rename(place.key.with_name("moved.key"))
    assert run("store", "--tenant", "moved", input=RECORD).code == 0
    assert run("store", input=RECORD).code == 0
    assert "The user sails." in run("memory", "--tenant", "moved").stdout


@pytest.mark.parametrize("lose", WAYS)
def test_adopting_what_is_not_there_begins_a_new_store(
    place: Place, lose: Callable[[Place], None]
) -> None:
    lose(place)
    assert place.run("key", "adopt", "--yes").code == 0
    assert lives_on(place.home) == ["The user skis."]
    emptied(place)
    place.refuses(["memory"])


def test_without_keys_the_index_tells(run: Run, home: Path) -> None:
    none = {"THALAMUS_KEY_STORE": "none"}
    assert run("store", input=RECORD, env=none).code == 0
    (home / "data" / "default" / "thalamus.db").write_bytes(b"")
    assert run("memory", env=none).code == 10
    assert run("store", input=RECORD, env=none).code == 10
