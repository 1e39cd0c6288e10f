"""Consent: what the setting ``remember`` lets be kept, whatever brings it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import NOW, Result
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.records import Memory
from thalamus.store.values import Filter

Run = Callable[..., Result]
SAID = "I love green tea."
ANY = Filter(status="all")


@pytest.fixture
def remember(home: Path) -> Callable[..., None]:
    def write(**consent: str) -> None:
        (home / "config").mkdir(parents=True, exist_ok=True)
        (home / "config" / "config.yaml").write_text(json.dumps({"remember": consent}))

    return write


def engine(home: Path, **consent: str) -> Thalamus:
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    return Thalamus(clock=Clock(parse_time(NOW)), remember=consent, **settings)


def kept(run: Run) -> list[str]:
    """What is stored but for the turns, whatever its status."""
    records = run("export").records
    return [r["record"] for r in records if r["record"] in ("memory", "fact")]


def test_never_keeps_nothing_and_says_so(run: Run, remember: Callable[..., None]) -> None:
    remember(preference="never")
    [turn] = run("turn", "--json", SAID).records
    assert {(v["decision"], v["rule"]) for v in turn["stored"]} == {("refuse", "consent")}
    assert len(turn["stored"]) == 2  # the memory, and the fact that says the same
    assert kept(run) == []
    assert run("memory", "--status", "quarantined", "--json").records == []
    ledger = run("trace").stdout
    assert "`remember` says that preference is never kept" in ledger


def test_a_predicate_is_never_kept(home: Path) -> None:
    with engine(home, likes="never") as thalamus:
        thalamus.turn(SAID)
        assert len(thalamus.memories.find(ANY)) == 1 and thalamus.facts.find() == []


def test_ask_waits_in_quarantine(run: Run, remember: Callable[..., None]) -> None:
    remember(preference="ask")
    [turn] = run("turn", "--json", SAID).records
    [verdict] = turn["stored"]
    assert (verdict["decision"], verdict["rule"]) == ("quarantine", "consent")
    assert "green tea" not in run("retrieve", "--mode", "memory", "green tea").stdout
    [waiting] = run("memory", "--status", "quarantined", "--json").records
    assert waiting["quarantine"]["rule"] == "consent" and waiting["type"] == "preference"
    assert kept(run) == ["memory"]
    assert run("memory", "release", waiting["id"]).code == 0
    assert "green tea" in run("retrieve", "--mode", "memory", "green tea").stdout


def test_a_fact_waits_as_a_memory(home: Path) -> None:
    with engine(home, likes="ask") as thalamus:
        thalamus.turn(SAID)
        [waiting] = thalamus.memories.find(Filter(status="quarantined"))
        assert waiting.content == "user likes green tea"
        assert thalamus.facts.find() == []


def test_always_is_as_without(run: Run, remember: Callable[..., None], tmp_path: Path) -> None:
    remember(preference="always")
    told = run("turn", "--json", SAID).stdout
    other = {"THALAMUS_HOME": str(tmp_path / "other")}
    assert run("turn", "--json", SAID, env=other).stdout == told


def test_what_a_person_brings(run: Run, remember: Callable[..., None], tmp_path: Path) -> None:
    """is consent where it would be asked for, and refused where it is never kept."""
    memory = json.dumps({"record": "memory", "type": "event", "content": "Ana sang on Sunday."})
    remember(event="ask", likes="ask")
    [stored] = run("store", input=memory).records
    assert stored["status"] == "active"
    assert run("facts", "add", "Ana", "likes", "tea").code == 0
    export = run("export").stdout
    remember(event="never", likes="never")
    done = run("store", input=memory)
    assert done.code == 3
    assert "Line 1: `type`: `remember` says that event is never kept" in done.stderr
    done = run("facts", "add", "Ana", "likes", "coffee")
    assert done.code != 0 and "`remember` says that likes is never kept" in done.stderr
    edited = run("memory", "edit", stored["id"], "--content", "Ana sang on Monday.")
    assert edited.code == 2 and "event is never kept" in edited.stderr
    env = {"THALAMUS_HOME": str(tmp_path / "new")}
    (tmp_path / "new" / "config").mkdir(parents=True)
    (tmp_path / "new" / "config" / "config.yaml").write_text("remember: {event: never}")
    done = run("import", input=export, env=env)
    assert done.code == 0 and "never kept, because of `remember`: 1" in done.stderr + done.stdout
    assert "Ana sang" not in run("export", env=env).stdout.replace(export, "")


@pytest.mark.parametrize("value", ["maybe", True, 3])
def test_a_wrong_value_names_the_choices(run: Run, home: Path, value: Any) -> None:
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.yaml").write_text(json.dumps({"remember": {"event": value}}))
    done = run("turn", "Hi.")
    assert done.code == 2
    assert f"remember.event must be ask, never or always, not {value!r}" in done.stderr


def test_through_python(home: Path) -> None:
    with engine(home, preference="ask") as thalamus:
        [verdict] = thalamus.turn(SAID).stored
        released = thalamus.memories.release(verdict.id or "")
        assert released.rule == "released"
        [memory] = thalamus.memories.find()
        assert isinstance(memory, Memory) and memory.status == "active" and memory.trust == 1
