"""A stage as a value: what it declares is what it does, and what the documentation says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from msgspec import structs

from tests.conftest import Result
from thalamus import Thalamus
from thalamus.errors import UsageError
from thalamus.pipeline.flow import ANY_STAGE, FLOWS, STAGES, STRICT, run_stage
from thalamus.records import Turn
from thalamus.turn_run import Stage, TurnRun

Run = Callable[..., Result]
IDENTITY = ("id", "session", "created_at", "user", "agent")
PAGE = Path(__file__).parent.parent.parent / "docs" / "pipeline.md"
SAID = "My sister Ana keeps bees in Porto and I prefer short answers."


def boastful(turn: Turn, run: TurnRun) -> Turn:
    turn.metadata["seen"] = True  # in place
    return structs.replace(turn, answer="Me!", evidence=[], user="root")


BOASTFUL = Stage("boastful", boastful, reads=("message",), writes=("answer",))


def test_what_a_stage_does_not_declare_is_taken_back(
    thalamus: Thalamus, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = Turn(message="Hello.", user="ana", metadata={"ref": 1})
    with pytest.raises(TypeError, match="boastful writes user, metadata without declaring"):
        run_stage(BOASTFUL, turn, TurnRun(thalamus.engine))
    monkeypatch.delenv(STRICT)
    done = run_stage(BOASTFUL, turn, TurnRun(thalamus.engine))
    assert done.answer == "Me!"
    assert done.user == "ana" and done.metadata == turn.metadata == {"ref": 1}
    [issue] = done.issues
    assert (issue.stage, issue.code) == ("boastful", "undeclared_write")
    assert thalamus.failures == []


class Watched(Turn, tag="turn"):
    """A turn that knows which of its fields were looked at."""

    looked_at: ClassVar[set[str]] = set()

    def __getattribute__(self, name: str) -> Any:
        if name in Turn.__struct_fields__:
            Watched.looked_at.add(name)
        return super().__getattribute__(name)


def watched(turn: Turn) -> Watched:
    Watched.looked_at.clear()
    return Watched(**structs.asdict(turn))


def test_a_stage_reads_all_that_it_declares_and_nothing_else(thalamus: Thalamus) -> None:
    config = structs.replace(thalamus.config, planner="model")
    engine = structs.replace(thalamus.engine, config=config)
    thalamus.turn("I live in Lisbon.")
    read: dict[str, set[str]] = {name: set() for name in STAGES}
    deliberate = ["draft", "search_plan", "retrieve", "answer"]
    routed = ["route", "gather", "act", "answer", "topics", "reflect", "store", "plan"]
    for flow, message in (
        (FLOWS["classic"].names(), SAID),
        (FLOWS["classic"].names(), "Я живу в Лиссабоне, моя сестра Ана."),
        (deliberate, "Where do I live?"),
        (routed, "What does my sister keep?"),
        (routed, "My project is the herb garden."),
        (routed, "How much is 12 * 12?"),
    ):
        turn = thalamus.in_session(Turn(message=message))
        for name in flow:
            done = STAGES[name].function(watched(turn), TurnRun(engine))
            read[name] |= Watched.looked_at - set(ANY_STAGE)
            turn = Turn(**structs.asdict(done))
        assert turn.issues == []
    for stage in STAGES.values():
        declared = {*stage.reads} - {*ANY_STAGE}
        if stage.name in ("act", "topics"):  # read where something is proposed, as it is not here
            declared -= {*IDENTITY, "evidence"}
            read[stage.name] -= {*IDENTITY, "evidence"}
        assert declared <= read[stage.name] <= declared | {*stage.writes}, stage.name


def test_one_that_does_not_exist(thalamus: Thalamus) -> None:
    with pytest.raises(UsageError, match="Unknown stage 'bake'") as raised:
        thalamus.run_stage("bake", Turn(message="Bread."))
    assert "retrieve, answer" in raised.value.advice


def test_the_documentation_has_the_table() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \|", PAGE.read_text(), re.M)
    shown = {name: role.strip("`–") for name, role, _ in rows if name in STAGES}
    assert shown == {stage.name: stage.role or "" for stage in STAGES.values()}
    for name, _, adds in rows:
        if name in STAGES:
            fields = re.findall(r"`(\w+)`", adds)
            assert fields and {*fields} <= {*STAGES[name].writes}, name


def test_the_command_lists_them(run: Run) -> None:
    listed = run("stage", "list", "--json").records
    assert [line["record"] for line in listed] == ["stage"] * len(STAGES)
    assert [line["name"] for line in listed] == list(STAGES)
    [answer] = [line for line in listed if line["name"] == "answer"]
    assert answer["role"] == "answer" and answer["writes"] == [
        *("answer", "dialogue", "profile", "evidence")
    ]
    text = run("stage", "list").stdout
    assert "answer       model answer\n  reads   message, evidence" in text
    assert run("stage", "list", "turn").code == 2
