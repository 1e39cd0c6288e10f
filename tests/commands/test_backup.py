"""`thalamus store backup` and `thalamus store restore`."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from msgspec import structs

from tests.conftest import Result
from tests.forked import python
from thalamus.api import Thalamus
from thalamus.records import Fact, Memory

Run = Callable[..., Result]
TEA = Fact(subject="Ana", predicate="likes", object="tea")
PASSWORD = Fact(subject="Ana", predicate="password", object="sesame", sensitivity="personal")


def contents(run: Run) -> list[str]:
    return [record["content"] for record in run("export").records if record["record"] == "memory"]


def test_there_and_back(run: Run, thalamus: Thalamus, home: Path, tmp_path: Path) -> None:
    thalamus.remember([Memory(content="The first.")])
    copy = tmp_path / "copy.db"
    made = run("store", "backup", str(copy))
    assert (made.code, made.stderr) == (0, "")
    assert made.stdout == f"{copy}: 1 memory, 1 embedding, 1 event\n"
    refused = run("store", "backup", str(copy))
    assert refused.code == 2 and "--force" in refused.stderr
    thalamus.remember([Memory(content="The second.")])
    assert run("store", "restore", str(copy)).code == 2  # nobody can be asked
    assert contents(run) == ["The first.", "The second."]

    restored = run("store", "restore", "--yes", "--json", str(copy)).records[0]["data"]
    assert restored["counts"]["memory"] == 1
    assert contents(run) == ["The first."]
    assert [found.text for found in thalamus.recall("second first")] == ["The first."]
    thalamus.remember([Memory(content="The third.")])
    assert "The third." in run("retrieve", "third").stdout
    run("store", "backup", "--force", str(copy))
    assert run("store", "restore", "--yes", restored["kept"]).code == 0
    assert contents(run) == ["The first.", "The second."]


def test_into_a_home_without_a_store(run: Run, thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.remember([Memory(content="The first.")])
    run("store", "backup", str(tmp_path / "copy.db"))
    other = {"THALAMUS_HOME": str(tmp_path / "other")}
    assert run("store", "restore", str(tmp_path / "copy.db"), env=other).code == 0
    assert "The first." in run("retrieve", "first", env=other).stdout


def test_what_is_no_backup(run: Run, thalamus: Thalamus, home: Path, tmp_path: Path) -> None:
    thalamus.remember([Memory(content="The first.")])
    (tmp_path / "junk").write_text("junk")
    result = run("store", "restore", "--yes", str(tmp_path / "junk"))
    assert result.code == 10 and "thalamus store backup" in result.stderr
    assert run("store", "restore", "--yes", str(tmp_path / "nothing")).code == 2
    live = home / "data" / "default" / "thalamus.db"
    assert run("store", "restore", "--yes", str(live)).code == 2
    assert run("store", "backup", str(tmp_path)).code == 2
    assert contents(run) == ["The first."]


def test_it_asks_on_a_terminal(
    run: Run, thalamus: Thalamus, environment: dict[str, str], tmp_path: Path
) -> None:
    thalamus.remember([Memory(content="The first.")])
    run("store", "backup", str(tmp_path / "copy.db"))
    thalamus.remember([Memory(content="The second.")])
    for answer, code, left in ((b"n\n", 130, 2), (b"yes\n", 0, 1)):
        ours, theirs = pty.openpty()
        os.write(ours, answer)
        done = subprocess.run(
            [*python(), "-m", "thalamus", "store", "restore", str(tmp_path / "copy.db")],
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=theirs,
            env=environment,
            cwd=tmp_path,
            timeout=60,
        )
        os.close(theirs)
        os.close(ours)
        assert done.returncode == code and len(contents(run)) == left


# -- without the key ---------------------------------------------------------------------------


def test_a_backup_from_elsewhere_is_restored_with_a_warning(
    run: Run, thalamus: Thalamus, home: Path, tmp_path: Path
) -> None:
    """The key is not in a backup: what it is needed for is said when it is restored."""
    thalamus.facts.add(TEA)
    thalamus.facts.add(PASSWORD)
    thalamus.close()
    copy = str(tmp_path / "copy.db")
    run("store", "backup", copy)
    key = home / "config" / "keys" / "default.key"
    own = {"THALAMUS_HOME": str(tmp_path / "other")}
    place = tmp_path / "other" / "config" / "keys" / "default.key"

    done = run("store", "restore", copy, env=own)
    assert done.code == 0 and done.stdout.startswith("restored to ")
    signed, advice, encrypted, more = done.stderr.splitlines()
    assert signed.startswith("thalamus: The key that signed this store (")
    assert signed.endswith(") is not here: the store can be read, but not written to.")
    assert str(place) in advice and "`thalamus key adopt`" in advice
    assert encrypted == "thalamus: 1 encrypted entry cannot be read without its key."
    assert "same file" in more
    assert run("facts", env=own).code == 0
    assert run("facts", "add", "a", "b", "c", env=own).code == 14
    assert "fingerprint  no key here\n" in run("key", "show", env=own).stdout

    place.parent.mkdir(parents=True)
    shutil.copy(key, place)  # with its mode
    assert run("store", "restore", "--yes", copy, env=own).stderr == ""
    assert "sesame" in run("facts", env=own).stdout
    assert run("facts", "add", "a", "b", "c", env=own).code == 0


def test_another_key_is_not_to_be_overwritten(run: Run, thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.facts.add(TEA)
    thalamus.close()
    copy = str(tmp_path / "copy.db")
    run("store", "backup", copy)
    own = {"THALAMUS_HOME": str(tmp_path / "other")}
    run("facts", "add", "Bo", "likes", "coffee", env=own)
    done = run("store", "restore", "--yes", "--json", copy, env=own)
    [restored] = done.records
    assert restored["data"]["missing_key"] and restored["data"]["unreadable"] == 0
    assert "after moving the other key that is there" in done.stderr
    assert "encrypted" not in done.stderr


def test_a_backup_from_before_the_key_was_rotated(
    run: Run, thalamus: Thalamus, tmp_path: Path
) -> None:
    thalamus.facts.add(TEA)
    thalamus.close()
    copy = str(tmp_path / "copy.db")
    run("store", "backup", copy)
    run("key", "rotate")
    done = run("store", "restore", "--yes", copy)
    assert "signed with a previous key" in done.stderr and "`thalamus key rotate`" in done.stderr
    assert run("key", "rotate").code == 0
    assert run("facts", "add", "a", "b", "c").code == 0


def test_a_key_that_was_shredded_since(run: Run, thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.facts.add(PASSWORD)
    thalamus.facts.add(structs.replace(PASSWORD, predicate="pin", object="1234"))
    thalamus.close()
    copy = str(tmp_path / "copy.db")
    run("store", "backup", copy)
    assert run("store", "restore", "--yes", copy).stderr == ""
    run("key", "shred", "Ana", "--yes")
    told, why = run("store", "restore", "--yes", copy).stderr.splitlines()
    assert told == "thalamus: 2 encrypted entries cannot be read without their keys."
    assert "`thalamus key shred`" in why


def test_where_no_key_is_used(run: Run, thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.facts.add(TEA)
    thalamus.close()
    run("store", "backup", str(tmp_path / "copy.db"))
    own = {"THALAMUS_HOME": str(tmp_path / "other"), "THALAMUS_KEY_STORE": "none"}
    done = run("store", "restore", str(tmp_path / "copy.db"), env=own)
    assert "is not here" in done.stderr and "`key_store: file`" in done.stderr
