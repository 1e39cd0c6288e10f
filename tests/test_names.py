"""A name is one name in every Unicode form, wherever it comes in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.config import load
from thalamus.errors import ConfigError
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.names import normal_name
from thalamus.records import Memory, Turn
from thalamus.store.values import Filter

Run = Callable[..., Result]
COMPOSED, DECOMPOSED = "Zo\u00e9", "Zoe\u0301"


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        (DECOMPOSED, COMPOSED),
        ("\u212bsa", "\u00c5sa"),
        ("Nguye\u0302\u0303n", "Nguy\u1ec5n"),
        ("\u1112\u1161\u11ab", "\ud55c"),
        ("Ida\u200b", "Ida"),
        ("\ufeffIda\u200d", "Ida"),
        (" Ida  \u00a0 Lind ", "Ida Lind"),
        ("ida", "ida"),  # the case is a part of a name
        ("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",) * 2,
        ("\U0001f469\u200d\U0001f4bb",) * 2,
    ],
)
def test_forms(given: str, normal: str) -> None:
    assert normal_name(given) == normal
    assert normal_name(normal) == normal


def test_settings_of_every_layer(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.yaml").write_text(f"agent: {DECOMPOSED}\n")
    (tmp_path / ".thalamus.yaml").write_text(f"persona: {DECOMPOSED}\n")
    config = load(
        {"home": str(home), "session": DECOMPOSED, "tenant": DECOMPOSED},
        {"THALAMUS_USER": DECOMPOSED},
        tmp_path,
    )
    names = (config.user, config.agent, config.persona, config.session, config.tenant)
    assert names == (COMPOSED,) * 5


@pytest.mark.parametrize("setting", ["user", "agent", "persona", "session"])
def test_a_blank_name_is_not_everybodys(setting: str) -> None:
    with pytest.raises(ConfigError, match="blank"):
        load({setting: " \u200b"}, {})


def test_commands(run: Run) -> None:
    run("turn", "My cat is called Sol.", "--user", COMPOSED, "--session", DECOMPOSED)
    run("turn", "My dog is called Rex.", "--user", DECOMPOSED, "--session", COMPOSED)
    for name in (COMPOSED, DECOMPOSED):
        facts = run("facts", "--user", name).stdout
        assert "Sol" in facts and "Rex" in facts
        shown = run("session", "show", name).stdout
        assert "Sol" in shown and "Rex" in shown
        found = run("retrieve", "Which dog do I have?", "--user", name, "--json").records
        assert "Rex" in found[0]["text"]
    [session] = run("session", "--json").records
    assert (session["id"], session["turns"]) == (COMPOSED, 2)


def test_records_on_standard_input(run: Run) -> None:
    lines = [
        {"record": "memory", "content": "The raft is red.", "user": DECOMPOSED, "agent": "b\u0327"},
        {"record": "fact", "subject": "raft", "predicate": "length", "object": "6 m"},
        {"record": "turn", "message": "I paint the raft.", "session": DECOMPOSED},
    ]
    lines[1]["user"] = DECOMPOSED
    result = run("store", input="\n".join(map(json.dumps, lines)))
    assert result.code == 0
    assert [one["user"] for one in result.records[:2]] == [COMPOSED] * 2
    assert "red" in run("memory", "--user", COMPOSED).stdout
    assert "6 m" in run("facts", "--user", COMPOSED).stdout
    world = {"record": "world", "user": DECOMPOSED, "goals": ["Paint"], "updated_at": "2026-05-01"}
    assert run("import", input=json.dumps(world)).code == 0
    assert "Paint" in run("world", "show", "--user", COMPOSED).stdout
    assert "paint the raft" in run("session", "show", COMPOSED).stdout


def test_the_python_interface(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The raft is red.", user=DECOMPOSED)])
    [found] = thalamus.memories.find(Filter(user=DECOMPOSED))
    assert found.user == COMPOSED
    assert thalamus.turn(Turn(message="Hello.", session=DECOMPOSED)).session == COMPOSED
    assert thalamus.new_session(DECOMPOSED) == COMPOSED
    thalamus.sessions.use_persona(DECOMPOSED)
    assert thalamus.config.persona == COMPOSED
    with pytest.raises(ConfigError, match="too long"):
        thalamus.new_session("x" * 201)


def test_a_token_is_of_one_user_and_one_tenant(run: Run, environment: dict[str, str]) -> None:
    hangul = "\u1112\u1161\u11ab"
    run("token", "create", "phone", "--user", DECOMPOSED, "--tenant", hangul)
    [token] = run("token", "--json", "--tenant", normal_name(hangul)).records
    assert (token["user"], token["tenant"]) == (COMPOSED, normal_name(hangul))


def test_a_document_has_one_path(run: Run, tmp_path: Path) -> None:
    composed, decomposed = "\u00dcbersicht.md", "U\u0308bersicht.md"
    (tmp_path / decomposed).write_text("# Rafts\n\nThe raft is red.\n")
    [read] = run("ingest", "--no-summary", "--json", decomposed).records
    assert read["path"].endswith(composed)
    (tmp_path / decomposed).rename(tmp_path / composed)
    [again] = run("ingest", "--no-summary", "--json", composed).records
    assert (again["status"], again["path"]) == ("unchanged", read["path"])
    for name in (decomposed, composed):
        assert run("forget", "--source", name, "--dry-run").code == 0
    (tmp_path / composed).unlink()
    assert run("forget", "--source", decomposed, "--yes").code == 0
    assert run("retrieve", "raft", "--json").records == []


# -- what an older version left ----------------------------------------------------------------


@pytest.mark.sqlite
def test_the_folder_of_a_tenant_is_renamed(run: Run, home: Path) -> None:
    run("turn", "My cat is called Sol.", "--tenant", COMPOSED)
    folder, key = home / "data" / COMPOSED, home / "config" / "keys" / f"{COMPOSED}.key"
    for place in (folder, key):
        place.rename(place.with_name(place.name.replace(COMPOSED, DECOMPOSED)))
    assert "Sol" in run("facts", "--tenant", DECOMPOSED).stdout
    assert folder.is_dir() and key.is_file()
    assert run("doctor", "--tenant", COMPOSED, "--no-model").code == 0


@pytest.mark.parametrize(("stored", "asked"), [(COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED)])
def test_forgetting_a_session(thalamus: Thalamus, stored: str, asked: str) -> None:
    thalamus.turn(Turn(message="My cat is called Sol.", session=stored))
    assert thalamus.forget(ForgetOptions(session=asked)).done
    assert thalamus.sessions.find() == []
