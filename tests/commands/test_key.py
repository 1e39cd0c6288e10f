"""`thalamus key` and `thalamus doctor --signatures`."""

from __future__ import annotations

import json
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.stored import edit, stored
from thalamus.api import Thalamus
from thalamus.errors import BadKey
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Memory
from thalamus.security.keys import StoreKeys

Run = Callable[..., Result]
SOME = '{"record":"memory","content":"The tide is high."}\n'


def key_file(home: Path) -> Path:
    return home / "config" / "keys" / "default.key"


def held(home: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads(key_file(home).read_text())
    return found


@pytest.fixture
def tide(thalamus: Thalamus) -> None:
    """A store with a key and one memory."""
    thalamus.remember([Memory(content="The tide is high.")])
    thalamus.close()


def test_the_key_is_made_with_the_store(run: Run, home: Path) -> None:
    assert "no key yet" in run("key", "show").stdout and not key_file(home).exists()
    assert run("doctor", "--signatures").code == 10
    run("store", input=SOME)
    assert stat.S_IMODE(key_file(home).stat().st_mode) == 0o600
    shown = run("key", "show")
    assert str(key_file(home)) in shown.stdout and "signed with this key" in shown.stdout
    key = str(held(home)["key"])
    assert key not in shown.stdout + run("key", "show", "--json").stdout
    for name, data in stored(home / "data"):
        assert bytes.fromhex(key) not in data and key.encode() not in data, name


def test_verify_tells_and_ends_with_one(run: Run, tide: None, home: Path) -> None:
    good = run("doctor", "--signatures", "--json")
    assert good.code == 0 and good.records[-1]["data"]["findings"] == 0
    edit(home, "UPDATE memory SET content = 'The tide is low.'")
    bad = run("doctor", "--signatures")
    assert bad.code == 1 and bad.stdout.startswith("memory mem_") and "edited" in bad.stdout
    first, last = run("doctor", "--signatures", "--json").records
    assert first["record"] == "finding" and (first["table"], first["what"]) == ("memory", "edited")
    assert last["name"] == "verified" and last["data"]["findings"] == 1
    told = run("doctor", "--no-model")
    assert told.code == 1 and "signatures: memory mem_" in told.stdout


@pytest.mark.sqlite
def test_a_head_kept_elsewhere(run: Run, tide: None, home: Path, tmp_path: Path) -> None:
    shutil.copytree(home / "data", tmp_path / "older")
    run("store", input=SOME.replace("high", "low"))
    head = run("doctor", "--signatures", "--head").stdout.strip()
    assert run("doctor", "--signatures", "--against", head).code == 0
    shutil.rmtree(home / "data")
    shutil.copytree(tmp_path / "older", home / "data")
    assert run("doctor", "--signatures").code == 0
    rolled = run("doctor", "--signatures", "--against", head)
    assert rolled.code == 1 and "rolled back" in rolled.stdout
    assert run("doctor", "--signatures", "--against", "nonsense").code == 2
    assert run("doctor", "--signatures", "--against", head[:-1] + "x").code == 2


def test_without_the_key_it_reads_and_says_what_to_do(run: Run, tide: None, home: Path) -> None:
    key_file(home).rename(home / "away")
    assert "tide" in run("memory").stdout and "tide" in run("retrieve", "tide").stdout
    lost = run("store", input=SOME.replace("high", "low"))
    assert lost.code == 14 and "thalamus key adopt" in lost.stderr
    assert run("doctor", "--signatures").code == 14
    assert "with another key" in run("key", "show").stdout
    asked = run("key", "adopt")
    assert asked.code == 2 and "will be trusted as it is" in asked.stderr
    assert run("key", "adopt", "--yes").code == 0
    assert run("doctor", "--signatures").code == 0
    assert run("store", input=SOME.replace("high", "low")).code == 0
    assert run("trace", "--last", "1").code in (0, 4)


def test_rotate(run: Run, tide: None, home: Path, tmp_path: Path) -> None:
    run("store", "backup", str(tmp_path / "copy.db"))
    head = run("doctor", "--signatures", "--head").stdout.strip()
    before = held(home)["key"]
    assert run("key", "rotate").code == 0
    after = held(home)
    assert after["key"] != before and after["former"] == [before] and "next" not in after
    assert run("doctor", "--signatures").code == 0 and run("store", input=SOME + SOME).code == 0
    assert run("doctor", "--signatures", "--against", head).code == 2  # of the former key
    run("store", "restore", "--yes", str(tmp_path / "copy.db"))
    told = run("doctor", "--signatures")
    assert told.code == 1 and told.stdout.count("\n") == 1 and "previous key" in told.stdout
    refused = run("store", input=SOME.replace("high", "low"))
    assert refused.code == 14 and "thalamus key rotate" in refused.stderr
    assert run("key", "rotate").code == 0 and held(home)["key"] == after["key"]
    assert run("store", input=SOME.replace("high", "low")).code == 0
    assert run("doctor", "--signatures").code == 0


def test_a_store_that_was_tampered_with_is_not_rotated(run: Run, tide: None, home: Path) -> None:
    before = held(home)
    edit(home, "UPDATE memory SET content = 'The tide is low.'")
    refused = run("key", "rotate", "--json")
    assert refused.code == 1 and '"name":"tampered"' in refused.stderr
    assert held(home) == before


@pytest.mark.parametrize("signed", [False, True])
def test_a_rotation_that_was_killed(
    run: Run, tide: None, home: Path, monkeypatch: pytest.MonkeyPatch, signed: bool
) -> None:
    """Before the store was signed, and after it but before the key file said so."""
    from thalamus.security import store_state

    sign = store_state._sign_again

    def killed(*arguments: object) -> str:
        if signed:
            sign(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(store_state, "_sign_again", killed)
    with Thalamus(home=str(home)) as thalamus, pytest.raises(KeyboardInterrupt):
        thalamus.keys.rotate()
    waiting = held(home)
    assert waiting["next"]
    assert run("doctor", "--signatures").code == 0
    assert run("store", input=SOME.replace("high", "low")).code == 0
    assert run("key", "rotate").code == 0
    assert held(home)["key"] == waiting["next"] and "next" not in held(home)
    assert run("doctor", "--signatures").code == 0


def test_a_backup_verifies_where_the_key_is(
    run: Run, tide: None, home: Path, tmp_path: Path
) -> None:
    run("store", "backup", str(tmp_path / "copy.db"))
    run("store", input=SOME.replace("high", "low"))
    assert run("store", "restore", "--yes", str(tmp_path / "copy.db")).code == 0
    assert (
        run("doctor", "--signatures").code == 0
        and run("store", input=SOME.replace("high", "mid")).code == 0
    )
    other = {"THALAMUS_HOME": str(tmp_path / "other")}
    assert run("store", "restore", str(tmp_path / "copy.db"), env=other).code == 0
    assert run("doctor", "--signatures", env=other).code == 14
    assert (
        run("doctor", "--signatures", env=other | {"THALAMUS_KEY_FILE": str(key_file(home))}).code
        == 0
    )
    assert run("store", input=SOME.replace("high", "x"), env=other).code == 14
    assert run("key", "adopt", "--yes", env=other).code == 0
    assert run("doctor", "--signatures", env=other).code == 0


def test_an_export_is_signed_anew(run: Run, thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.turn("I live in Lisbon.")
    thalamus.close()
    other = {"THALAMUS_HOME": str(tmp_path / "other")}
    exported = run("export").stdout
    for _ in range(2):  # again: everything is there, the ledger too
        assert run("import", "-", input=exported, env=other).code == 0
        assert run("doctor", "--signatures", env=other).code == 0
    assert run("export", env=other).stdout == exported


def test_a_file_that_is_no_key(run: Run, tide: None, home: Path) -> None:
    for text in ("", "nonsense", '{"key":"00ff"}', '{"key":"zz"}'):
        key_file(home).write_text(text)
        result = run("store", input=SOME.replace("high", "low"))
        assert result.code == 14 and str(key_file(home)) in result.stderr, text
        assert "tide" in run("memory").stdout, text


def test_many_make_one_key(home: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from thalamus.config import load

    config = load({"home": str(home)}, {})
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: StoreKeys(config).key(None), range(16)))
    assert len(keys) == 1


def test_in_the_keyring(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a backend that keeps it in memory; where the package is missing that is said."""
    import sys
    import types

    kept: dict[tuple[str, str], str] = {}
    keyring = types.ModuleType("keyring")
    keyring.get_password = lambda service, name: kept.get((service, name))  # type: ignore[attr-defined]
    keyring.set_password = lambda service, name, text: kept.update({(service, name): text})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    with Thalamus(home=str(home), key_store="keyring", embedder="none") as thalamus:
        thalamus.remember([Memory(content="The tide is high.")])
        spray = Memory(content="The spray is cold.", sensitivity="personal")
        [own] = thalamus.remember([spray])
        assert len(json.loads(kept["thalamus", "default"])["subjects"]) == 1
        thalamus.forget(ForgetOptions(ids=(own.stored_id,)))
        assert "subjects" not in json.loads(kept["thalamus", "default"])
    assert list(kept) == [("thalamus", "default")] and not key_file(home).exists()
    monkeypatch.setitem(sys.modules, "keyring", None)
    with Thalamus(home=str(home), key_store="keyring", embedder="none") as thalamus:
        assert len(thalamus.memories.find()) == 1
        with pytest.raises(BadKey, match="keyring is not installed"):
            thalamus.remember([Memory(content="The tide is low.")])


def test_without_any_key(run: Run, home: Path) -> None:
    none = {"THALAMUS_KEY_STORE": "none"}
    assert run("store", input=SOME, env=none).code == 0
    assert not key_file(home).exists() and run("doctor", "--signatures", env=none).code == 1
    assert run("doctor", "--no-model", env=none).code == 0
    assert run("store", input=SOME.replace("high", "low")).code == 0  # now with a key
    assert run("doctor", "--signatures").code == 0
    assert "high" in run("memory", env=none).stdout
    refused = run("store", input=SOME.replace("high", "deep"), env=none)
    assert refused.code == 14 and "key" in refused.stderr
