"""Facts in time whose objects are encrypted: told again, ended, corrected, merged, and shown."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import NOW, Result
from tests.store.test_encryption import engine, holding
from thalamus.api import Thalamus
from thalamus.clock import parse_time
from thalamus.errors import UsageError
from thalamus.memory.facts import by_hand as stages
from thalamus.memory.write import write_fact
from thalamus.records import Alias, Fact, Predicate
from thalamus.security.store_state import finding_line
from thalamus.store import ledger
from thalamus.turn_run import TurnRun

Run = Callable[..., Result]
GNOME = "behind the gnome"
CARD = "my card is 4111 1111 1111 1111"  # a quote that makes any fact personal


@pytest.fixture
def store(home: Path) -> Iterator[Thalamus]:
    """Whatever was done in it, no file holds the words, and it verifies."""
    with engine(home) as thalamus:
        stages.set_predicate(
            Predicate(name="password", cardinality="one"), TurnRun(thalamus.engine)
        )
        yield thalamus
        assert holding(home, "gnome") == [] and holding(home, "4111 1111") == []
        clean(thalamus)


def clean(thalamus: Thalamus) -> None:
    with thalamus.store.verify() as verified:
        assert [finding_line(found) for found in verified.findings()] == []


def tell(thalamus: Thalamus, object: str, predicate: str = "password", **more: object) -> Fact:
    fact = Fact(subject=str(more.pop("subject", "user")), predicate=predicate, object=object)
    for name, value in more.items():
        setattr(fact, name, value)
    return write_fact(fact, TurnRun(thalamus.engine))[0]


def hold(thalamus: Thalamus, subject: str = "user") -> list[str]:
    return [f"{fact.predicate} {fact.object}" for fact in thalamus.facts.find(subject)]


def test_what_is_said_again_is_known(store: Thalamus) -> None:
    first = tell(store, GNOME)
    assert tell(store, GNOME.upper()).id == first.id
    assert tell(store, GNOME, created_at="2026-05-09T00:00:00Z").id == first.id
    assert hold(store) == [f"password {GNOME}"]


def test_one_value_at_a_time(store: Thalamus) -> None:
    tell(store, GNOME, valid_from="2024-01-01")
    tell(store, "under the gnomes", valid_from="2025-01-01")
    assert hold(store) == ["password under the gnomes"]
    assert [f.object for f in store.facts.find("user", as_of="2024-06-01")] == [GNOME]


def test_many_values(store: Thalamus) -> None:
    first = tell(store, "a@gnome.org", "login_password")
    second = tell(store, "b@gnome.org", "login_password")
    assert tell(store, "A@gnome.org", "login_password").id == first.id != second.id
    assert hold(store) == ["login_password a@gnome.org", "login_password b@gnome.org"]
    store.facts.end(first.id or "", NOW)
    assert hold(store) == ["login_password b@gnome.org"]


@pytest.mark.parametrize("quotes", [(None, CARD), (CARD, None), (CARD, CARD)])
def test_the_same_is_the_same_encrypted_or_not(store: Thalamus, quotes: tuple[str, str]) -> None:
    one, other = (tell(store, "Green tea", "likes", quote=quote) for quote in quotes)
    assert one.id == other.id
    tell(store, "green tea", "dislikes", quote=quotes[0], valid_from="2026-05-08T13:00:00Z")
    assert len(hold(store)) == 1  # its opposite


def test_merged_names(store: Thalamus) -> None:
    tell(store, GNOME, subject="Ana", valid_from="2024-01-01")
    tell(store, GNOME, subject="Anne", valid_from="2025-01-01")
    tell(store, "elsewhere", subject="Anne", valid_from="2026-01-01")
    store.facts.merge("Anne", "Ana")
    assert hold(store, "Ana") == ["password elsewhere"]
    assert [f.object for f in store.facts.find("Ana", as_of="2025-06-01")] == [GNOME]
    clean(store)
    store.facts.unmerge("Anne")
    assert hold(store, "Ana") == [f"password {GNOME}"]
    assert hold(store, "Anne") == ["password elsewhere"]


def test_another_name_of_the_predicate(store: Thalamus) -> None:
    first = tell(store, GNOME, "passphrase")
    new = Predicate(name="password", cardinality="one", spellings=["passphrase"])
    stages.set_predicate(new, TurnRun(store.engine))
    assert tell(store, GNOME).id == first.id


def test_corrected_and_retracted(store: Thalamus, home: Path) -> None:
    first = tell(store, GNOME)
    new = store.facts.correct(first.id or "", object="in the gnome", reason="the gnome fell")
    assert hold(store) == ["password in the gnome"]
    store.facts.correct(new.id or "", valid_from="2024-01-01")
    [dated] = store.facts.find("user", as_of="2024-06-01")
    assert dated.object == "in the gnome"
    store.facts.retract(dated.id or "", "no gnome at all")
    assert hold(store) == []
    reasons = [event.data.get("reason") for event in ledger.entries(store.database)]
    assert "no gnome at all" in reasons and "the gnome fell" in reasons


def test_a_name_that_is_sealed_is_no_other_name(store: Thalamus, home: Path) -> None:
    tell(store, "Gnome", "name", quote=CARD)
    assert list(store.database.each(Alias)) == []


def test_after_rotation_and_with_a_new_key(store: Thalamus, home: Path) -> None:
    first = tell(store, GNOME)
    store.keys.rotate()
    assert tell(store, GNOME).id == first.id
    from thalamus.security.keys import StoreKeys

    StoreKeys(store.config).shred("user")
    store.close()
    with engine(home) as again:
        assert hold(again) == ["password (encrypted)"]
        with pytest.raises(UsageError, match="its key is missing"):
            again.facts.correct(first.id or "", valid_from="2024-01-01")
        again.facts.end(first.id or "", NOW)
        again.clock.fixed = parse_time("2026-05-09")
        tell(again, GNOME)
        assert hold(again) == [f"password {GNOME}"]


def test_commands_with_the_key_and_without(run: Run, home: Path) -> None:
    assert run("facts", "add", "Ana", "password", "ana@gnome.org").code == 0
    shows = (("facts",), ("facts", "history", "Ana"), ("timeline", "--facts", "--subject", "Ana"))
    for show in shows:
        assert "ana@gnome.org" in run(*show).stdout
    shutil.move(home / "config", home / "away")
    for show in shows:
        shown = run(*show)
        assert shown.code == 0 and "gnome" not in shown.stdout and "(encrypted)" in shown.stdout
    assert run("facts", "add", "Ana", "password", "new@gnome.org").code == 14
    shutil.move(home / "away", home / "config")
    assert run("facts", "end", "Ana", "password", "ana@gnome.org", "--at", NOW).code == 0
    assert run("doctor", "--signatures").code == 0 and holding(home, "gnome") == []


def test_a_fact_marked_by_the_user(home: Path, run: Run) -> None:
    secret = ("facts", "add", "user", "hides", "the key behind the gnome", "--personal", "--json")
    [fact] = run(*secret).records
    assert fact["sensitivity"] == "personal" and holding(home, "gnome") == []
    assert "gnome" in run("facts").stdout and "gnome" in run("retrieve", "Where is the key?").stdout
    [exported] = [r for r in run("export").records if r["record"] == "fact"]
    assert exported["sensitivity"] == "personal" and "gnome" in exported["object"]
    plain = ("facts", "add", "user", "likes", "the rose garden")
    assert run(*plain).code == 0
    assert holding(home, "rose garden")
    assert run(*plain, "--personal").code == 0
    assert not holding(home, "rose garden") and "rose garden" in run("facts").stdout


def test_what_the_model_labels_personal(home: Path, tmp_path: Path, run: Run) -> None:
    said = "My confession by the gnome took an hour."
    kept = {"content": "The user's confession by the gnome took an hour."}
    fact = {"subject": "user", "predicate": "goes_to", "object": "confession by the gnome"}
    label = {"quote": said, "sensitivity": "Private"}
    reply = json.dumps({"memories_to_store": [kept | label], "facts": [fact | label]})
    play = tmp_path / "play.yaml"
    play.write_text(json.dumps([{"role": "reflect", "reply": reply}, {"reply": "I see."}]))
    [turn] = run("turn", "--json", said, env={"THALAMUS_MODEL": f"scripted:{play}"}).records
    assert [v["decision"] for v in turn["stored"]] == ["add", "add"]
    assert holding(home, "gnome") == [] and holding(home, "confession") == []
    assert "gnome" in run("retrieve", "What took an hour?").stdout


def test_doctor_counts_what_is_encrypted(home: Path, run: Run) -> None:
    assert run("facts", "add", "user", "hides", "the key", "--personal").code == 0
    assert "1 encrypted rows, all readable" in run("doctor", "--no-model").stdout
    (home / "config" / "keys" / "default.key").rename(home / "elsewhere")
    result = run("doctor", "--no-model")
    assert "the key of 1 of 1 encrypted rows is missing" in result.stdout
