"""`thalamus forget --everything`: nothing is left of a tenant's store."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.forked import python
from tests.stored import holding
from thalamus.api import Thalamus
from thalamus.records import Memory
from thalamus.store.signing.writing import RowSigning

Run = Callable[..., Result]
SECRET = "My card number is 4111 1111 1111 1111."
SAID = "I keep zebrafish in Wuppertal."


@pytest.fixture
def told(run: Run, thalamus: Thalamus) -> Run:
    for message in (SAID, SECRET):
        thalamus.turn(message)
    thalamus.close()
    return run


def remains(home: Path) -> list[str]:
    """The files and tables in which the words still stand."""
    return holding(home / "data", "zebrafish", "Wuppertal", "4111")


def test_everything_goes_with_its_key(told: Run, home: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    assert told("store", "backup", str(backup)).code == 0
    key = home / "config" / "keys" / "default.key"
    before = key.read_text()
    done = told("forget", "--everything", "--confirm", "default")
    assert (done.code, "erased the memory of default" in done.stdout) == (0, True), done.stderr
    assert f"still contains messages, and is kept: {backup}" in done.stderr
    assert "interrupted" not in done.stderr
    assert not key.exists() and remains(home) == []
    assert told("memory").stdout == "" and told("facts").stdout == ""
    # a store as on the first day
    assert told("turn", "I live in Rome.").code == 0
    assert key.read_text() != before
    assert told("doctor", "--signatures").code == 0 and told("doctor").code in (0, 1)
    assert "Rome" in told("retrieve", "Where do I live?").stdout
    # what the backup holds encrypted is lost, the rest is not
    assert told("store", "restore", str(backup), "--yes").code == 0
    found = told("export").stdout
    assert "zebrafish" in found and "4111 1111" not in found


def test_nothing_without_the_name(told: Run) -> None:
    before = told("export").stdout
    for arguments, problem in (
        (["forget", "--everything"], "Cannot ask for the tenant's name. Nothing was erased."),
        (["forget", "--everything", "--confirm", "defualt"], "'defualt' is not the tenant's name"),
        (["forget", "--everything", "--confirm", ""], "'' is not the tenant's name"),
    ):
        done = told(*arguments)
        assert (done.code, problem in done.stderr) == (2, True), done.stderr
    assert told("forget", "--everything", "--query", "tea").code == 2
    assert told("forget", "--everything", "--user", "ana", "--confirm", "default").code == 2
    assert told("forget", "--confirm", "default").code == 2
    assert told("export").stdout == before
    assert told("forget", "--everything", "--tenant", "other", "--confirm", "other").code == 10


def test_as_json(told: Run) -> None:
    [event] = told("forget", "--everything", "--confirm", "default", "--json").records
    assert event["name"] == "reset" and event["data"]["counts"]["turn"] == 2
    assert event["data"]["key_removed"] is True and event["data"]["left"] == []


def test_another_tenant_and_a_shared_key_stay(told: Run, tmp_path: Path) -> None:
    shared = {"THALAMUS_KEY_FILE": str(tmp_path / "shared.key")}
    secret = json.dumps({"record": "turn", "message": SECRET})
    for tenant in ("one", "two"):
        told("store", "--tenant", tenant, input=secret, env=shared)
    done = told("forget", "--everything", "--tenant", "one", "--confirm", "one", env=shared)
    assert done.code == 0 and "key: kept" in done.stdout
    assert "4111" in told("export", "--tenant", "two", env=shared).stdout
    assert "zebrafish" in told("export").stdout
    assert told("doctor", "--signatures", "--tenant", "two", env=shared).code == 0


def test_a_process_that_has_it_open_goes_on(thalamus: Thalamus, run: Run) -> None:
    thalamus.turn(SAID)
    assert thalamus.recall("zebrafish")
    assert run("forget", "--everything", "--confirm", "default").code == 0
    assert thalamus.recall("zebrafish") == [] and thalamus.memories.find() == []
    thalamus.remember([Memory(content="Ana keeps bees.")])
    turn = thalamus.turn("Who keeps bees?")
    assert "bees" in (turn.answer or "") and turn.issues == []
    thalamus.close()
    assert run("doctor", "--signatures").code == 0
    assert "zebrafish" not in run("export").stdout


def test_while_another_process_writes(run: Run, environment: dict[str, str], home: Path) -> None:
    lines = "".join(
        json.dumps({"record": "memory", "content": f"Boat {n} is blue."}) + "\n" for n in range(600)
    )
    run("store", input=lines[: lines.index("\n") + 1])
    writer = subprocess.Popen(
        [*python(), "-m", "thalamus", "store"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env=environment | {"THALAMUS_BATCH_SIZE": "20"},
    )
    assert writer.stdin
    writer.stdin.write(lines.encode())
    writer.stdin.flush()
    time.sleep(0.3)
    assert run("forget", "--everything", "--confirm", "default").code == 0
    writer.stdin.write(b'{"record":"memory","content":"The last boat is red."}\n')
    writer.stdin.close()
    assert writer.wait(60) == 0
    assert run("doctor", "--signatures").code == 0, run("doctor", "--signatures").stdout
    done = run("doctor")
    assert done.code == 0, done.stdout


def test_the_name_is_typed_on_a_terminal(told: Run, environment: dict[str, str]) -> None:
    for typed, code in (("no", 2), ("default", 0)):
        master, slave = pty.openpty()
        process = subprocess.Popen(
            [*python(), "-m", "thalamus", "forget", "--everything"],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
        )
        os.close(slave)
        seen = ""
        while "Type the tenant's name" not in seen:
            assert select.select([master], [], [], 30)[0], seen
            seen += os.read(master, 65536).decode()
        assert "2 turns" in seen
        os.write(master, f"{typed}\n".encode())
        try:
            while data := os.read(master, 65536):
                seen += data.decode()
        except OSError:
            pass
        assert process.wait(30) == code, seen
        os.close(master)


def test_through_python(thalamus: Thalamus, home: Path) -> None:
    thalamus.turn(SAID)
    assert thalamus.store.inspect_erasure().counts["turn"] == 1
    report = thalamus.store.erase()
    assert report.key_removed and report.left == [] and remains(home) == []
    assert thalamus.turn("I live in Rome.").issues == []


def test_a_write_that_was_committed_just_before(
    thalamus: Thalamus, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """is not an error because the key went before it could be told of the store."""
    thalamus.turn(SAID)
    signed = RowSigning.committed

    def meanwhile(self: RowSigning) -> None:
        monkeypatch.undo()
        assert run("forget", "--everything", "--confirm", "default").code == 0
        signed(self)

    monkeypatch.setattr(RowSigning, "committed", meanwhile)
    thalamus.remember([Memory(content="Ana keeps bees.")])
    assert thalamus.memories.find() == []
    thalamus.remember([Memory(content="Ana sings.")])
    thalamus.close()
    assert run("doctor", "--signatures").code == 0
