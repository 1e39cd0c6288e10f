"""The key ring: nobody is named in it, and keys that encrypt nothing any more are dropped."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tests.conftest import NOW, Result
from tests.stored import holding, store_of
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.errors import BadKey
from thalamus.memory.forget.erase import ForgetOptions, ForgetReport
from thalamus.records import Fact, Memory
from thalamus.security.keys import KeyRing, StoreKeys, unwrap, wrap
from thalamus.store.encryption import contents

Run = Callable[..., Result]
NAMES = ("ottilie", "Wendelin", "user")
PHONES = {"Ottilie": "+351 912 345 678", "Korbinian": "+351 912 345 679"}
YES = "--yes"


def engine(home: Path, **settings: object) -> Thalamus:
    given = {"model": "scripted", "embedder": "scripted", "store": store_of(home)}
    clock = Clock(parse_time(NOW))
    return Thalamus(clock=clock, home=str(home), **(given | settings))  # type: ignore[arg-type]


def key_file(home: Path) -> Path:
    return home / "config" / "keys" / "default.key"


def ring(thalamus: Thalamus) -> KeyRing:
    found = StoreKeys(thalamus.config).key_ring()
    assert found is not None
    return found


def forget(thalamus: Thalamus, **target: str) -> ForgetReport:
    report = thalamus.forget(ForgetOptions(**target))  # type: ignore[arg-type]
    assert report.done
    return report


@pytest.fixture
def filled(home: Path) -> Path:
    """A store with personal content of two subjects of facts, of a user, and of nobody."""
    with engine(home) as thalamus:
        thalamus.remember([Fact(name, "phone", number) for name, number in PHONES.items()])
        thalamus.remember([Memory(content="The spare key is at the mill.", sensitivity="personal")])
    with engine(home, user="Wendelin") as thalamus:
        thalamus.remember([Memory(content="My card is 4111 1111 1111 1111.")])
    return home


def phones(thalamus: Thalamus) -> set[str]:
    return {fact.object for fact in thalamus.facts.find()}


def downgrade(home: Path) -> None:
    """Writes the key file as the first format had it."""
    with engine(home) as thalamus:
        held = ring(thalamus)
    [root] = held.keys
    named = {}
    for name in (*NAMES, "korbinian"):
        for tag in held.tags(name):
            named[name] = wrap(root, name, unwrap(root, tag, held.subjects[tag]))
    assert len(named) == len(held.subjects)
    stored = json.loads(key_file(home).read_text())
    first = {name: stored[name] for name in ("key", "stores", "folders")}
    key_file(home).write_text(json.dumps({**first, "subjects": named}))


def test_nobody_is_named(filled: Path) -> None:
    text = key_file(filled).read_text().casefold()
    assert not [name for name in (*NAMES, "korbinian") if f'"{name.casefold()}"' in text]


def test_the_key_of_a_forgotten_subject_is_dropped(filled: Path) -> None:
    with engine(filled) as thalamus:
        before = ring(thalamus).subjects
        report = forget(thalamus, subject="Ottilie")
        assert report.complete and not report.left
        assert not StoreKeys(thalamus.config).has_subject("ottilie")
        assert len(ring(thalamus).subjects) == len(before) - 1
        assert phones(thalamus) == {PHONES["Korbinian"]}


def test_the_key_of_a_user_is_dropped_with_the_last_row(filled: Path) -> None:
    with engine(filled, user="Wendelin") as thalamus:
        [other] = thalamus.remember([Memory(content="My pin is 8812, says the note.")])
        forget(thalamus, query="4111")
        assert StoreKeys(thalamus.config).has_subject("Wendelin")
        assert "8812" in thalamus.memories.get(str(other.id)).content
        forget(thalamus, query="8812")
        assert not StoreKeys(thalamus.config).has_subject("Wendelin")


def test_a_key_stays_while_a_ledger_entry_needs_it(filled: Path) -> None:
    """The reason for a retraction is encrypted under the key of the fact."""
    with engine(filled) as thalamus:
        [fact] = [fact for fact in thalamus.facts.find() if fact.subject == "Korbinian"]
        thalamus.facts.retract(str(fact.id), reason="a slip of the tongue")
        with thalamus.database.writing() as writer:
            used = contents.key_ids(writer)
            writer.delete("encrypted", "kind = ?", "fact")
            assert len(used - contents.key_ids(writer)) == 1  # Ottilie's


def test_a_backup_does_not_open_what_was_forgotten(filled: Path, tmp_path: Path) -> None:
    with engine(filled) as thalamus:
        thalamus.store.backup(tmp_path / "before.db")
        forget(thalamus, subject="Ottilie")
        thalamus.store.restore(tmp_path / "before.db")
    with engine(filled) as thalamus:
        assert phones(thalamus) == {"(encrypted)", PHONES["Korbinian"]}


def test_keys_of_the_first_format(filled: Path) -> None:
    """They open everything as they are, and are upgraded by the first write."""
    downgrade(filled)
    before = key_file(filled).read_text()
    with engine(filled) as thalamus:
        assert phones(thalamus) == set(PHONES.values())
        assert key_file(filled).read_text() == before
        thalamus.remember([Memory(content="A crow hops.")])
        assert not [name for name in NAMES if f'"{name}"' in key_file(filled).read_text()]
        assert phones(thalamus) == set(PHONES.values())
        thalamus.keys.rotate()
    with engine(filled) as thalamus:
        assert phones(thalamus) == set(PHONES.values())
        assert all(map(StoreKeys(thalamus.config).has_subject, NAMES))


def test_an_old_backup_opens_with_an_old_key_file(filled: Path, tmp_path: Path) -> None:
    downgrade(filled)
    shutil.copy(key_file(filled), tmp_path / "old.key")
    with engine(filled) as thalamus:
        thalamus.store.backup(tmp_path / "old.db")
    other = tmp_path / "elsewhere"
    key_file(other).parent.mkdir(parents=True)
    shutil.copy(tmp_path / "old.key", key_file(other))
    with engine(other) as thalamus:
        thalamus.store.restore(tmp_path / "old.db")
    with engine(other) as thalamus:
        assert phones(thalamus) == set(PHONES.values())


def test_forgetting_with_keys_of_the_first_format(filled: Path) -> None:
    downgrade(filled)
    shutil.copy(key_file(filled), f"{key_file(filled)}.bak")
    with engine(filled) as thalamus:
        report = forget(thalamus, subject="Ottilie")
    assert report.complete and report.copies == [f"{key_file(filled)}.bak"]
    assert "ottilie" not in key_file(filled).read_text().casefold()
    assert holding(filled / "config", "ottilie") == ["keys/default.key.bak"]


def test_names_in_two_unicode_forms(filled: Path) -> None:
    """Both keys of the first format open what they did."""
    downgrade(filled)
    held = json.loads(key_file(filled).read_text())
    root = bytes.fromhex(held["key"])
    keys = {"Ren\u00e9": b"1" * 32, "Rene\u0301": b"2" * 32}
    held["subjects"] |= {name: wrap(root, name, key) for name, key in keys.items()}
    key_file(filled).write_text(json.dumps(held))
    with engine(filled) as thalamus:
        found = StoreKeys(thalamus.config)
        found.upgrade()
        tags = ring(thalamus).tags("Rene\u0301")
        assert {unwrap(root, tag, ring(thalamus).subjects[tag]) for tag in tags} == set(
            keys.values()
        )
        assert found.shred("Ren\u00e9") and not found.has_subject("Rene\u0301")


def test_a_newer_format_is_refused_in_plain_words(run: Run, filled: Path) -> None:
    text = key_file(filled).read_text().replace('reads":2', 'reads":3,"seal":true')
    key_file(filled).write_text(text)
    done = run("turn", "Hello.")
    assert done.code == 14 and "newer Thalamus" in done.stderr
    assert "Upgrade Thalamus" in done.stderr and "adopt" not in done.stderr
    assert key_file(filled).read_text() == text


def test_a_program_that_knows_the_first_format_refuses_this_one(filled: Path) -> None:
    """It names the unknown field."""
    fields = ("key", "next", "former", "stores", "folders", "copies", "subjects")
    first = msgspec.defstruct(
        "First",
        [("key", str), *((name, object, None) for name in fields[1:])],
        forbid_unknown_fields=True,
    )
    with pytest.raises(msgspec.ValidationError, match="a newer Thalamus"):
        msgspec.json.decode(key_file(filled).read_text(), type=first)


@pytest.mark.parametrize("first_format", [False, True])
def test_a_typed_name_finds_the_key(run: Run, filled: Path, first_format: bool) -> None:
    if first_format:
        downgrade(filled)
    unknown = run("key", "shred", "Balthasar", YES)
    assert unknown.code == 4 and "ottilie" in unknown.stderr and "Wendelin" in unknown.stderr
    assert run("key", "shred", "OTTILIE", YES).code == 0
    shown = run("facts").stdout
    assert "(encrypted)" in shown and PHONES["Korbinian"] in shown


def test_a_key_that_could_not_be_dropped_is_dropped_later(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a kill between the commit and the change of the key file."""

    def unwritable(*_: object) -> str:
        raise BadKey("cannot write the key file")

    with engine(filled) as thalamus:
        with monkeypatch.context() as patch:
            patch.setattr(StoreKeys, "drop", unwritable)
            report = thalamus.forget(ForgetOptions(subject="Ottilie"))
        assert report.left and StoreKeys(thalamus.config).has_subject("ottilie")
        assert thalamus.database.unfinished()
        assert thalamus.finish_forgetting() == []
        assert not StoreKeys(thalamus.config).has_subject("ottilie")
        assert not thalamus.database.unfinished()


@pytest.mark.sqlite
def test_a_key_that_a_copy_needs_stays(run: Run, filled: Path, tmp_path: Path) -> None:
    copied = run("store", "copy", str(filled / "data" / "default"), str(tmp_path / "copy"))
    assert copied.code == 0, copied.stderr
    done = run("forget", "--subject", "Ottilie", YES)
    assert "the key of what was deleted is kept" in done.stderr
    with engine(filled) as thalamus:
        assert StoreKeys(thalamus.config).has_subject("ottilie")
