"""When facts hold whose beginning or end a message says, and how that is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.extracting import script
from tests.conftest import Result
from thalamus import Thalamus
from thalamus.extract.known import known_items
from thalamus.pipeline.prompt import build_prompt
from thalamus.records import Fact, Turn
from thalamus.turn_run import TurnRun

Run = Callable[..., Result]
SAID = {"THALAMUS_NOW": "2026-06-02T09:00:00Z"}
NIGHTS = "Jagoda works nights these weeks"


def at(day: str) -> dict[str, str]:
    return {"THALAMUS_NOW": f"{day}T09:00:00Z"}


@pytest.mark.parametrize(
    ("dates", "last", "over", "shown"),
    [
        ({"valid_to": "2026-06"}, "2026-06-30", "2026-07-01", "to 2026-06)"),
        ({"valid_to": "2026-06-12"}, "2026-06-12", "2026-06-13", "to 2026-06-12)"),
        ({"valid_to": "2026"}, "2026-12-31", "2027-01-01", "to 2026)"),
        (
            {"valid_from": "2026-05-04", "valid_to": "2026-06-30"},
            "2026-06-30",
            "2026-07-01",
            "(2026-05-04 to 2026-06-30)",
        ),
    ],
)
def test_what_holds_until_a_day_holds_on_it(
    run: Run, tmp_path: Path, dates: dict[str, str], last: str, over: str, shown: str
) -> None:
    shifts = {"subject": "Jagoda", "predicate": "works_shift", "object": "nights", **dates}
    env = {**SAID, "THALAMUS_MODEL": script(tmp_path / "script.json", {NIGHTS: [shifts]})}
    run("turn", NIGHTS, env=env)
    assert shown in run("facts", env=at(last)).stdout
    assert "nights" not in run("facts", env=at(over)).stdout
    assert shown in run("facts", "--history", env=at(over)).stdout


def test_what_is_over_is_over_although_its_day_is_not_known(run: Run, tmp_path: Path) -> None:
    message = "I was a baker until 1999"
    baker = {"predicate": "worked_as", "object": "baker", "valid_to": "1998"}
    env = {**SAID, "THALAMUS_MODEL": script(tmp_path / "script.json", {message: [baker]})}
    run("turn", message, env=env)
    assert run("facts", env=at("2026-06-02")).stdout == ""


def test_an_end_that_is_reported_is_the_last_day(run: Run, tmp_path: Path) -> None:
    works = "I work at Holm"
    over, leaves = "I was at Holm until March", "I leave Holm on the 12th"
    told = {
        works: [{"predicate": "works_at", "object": "Holm", "valid_from": "2020"}],
        over: [{"id": "f1", "valid_to": "2026-03"}],
        leaves: [{"id": "f1", "valid_to": "2026-06-12"}],
    }
    env = {**SAID, "THALAMUS_MODEL": script(tmp_path / "script.json", told)}
    run("turn", works, env=env)
    run("turn", leaves, env=env)
    assert "to 2026-06-12)" in run("facts", env=at("2026-06-12")).stdout
    assert run("facts", env=at("2026-06-13")).stdout == ""
    run("undo", env=env)
    run("turn", over, env=env)
    assert "to 2026-03-31)" in run("facts", "--history", env=env).stdout


def test_a_last_day_is_shown_in_prompts(thalamus: Thalamus) -> None:
    """Of an answer and of an extraction, with what is known."""
    facts = {
        "nights": {"valid_to": "2026-06"},
        "days": {"valid_from": "2026-07-01", "valid_to": "2026-07-10"},
    }
    shifts = {"subject": "Jagoda", "predicate": "works_shift"}
    thalamus.remember([Fact(**shifts, object=name, **dates) for name, dates in facts.items()])
    asked = "When is Jagoda on nights, and when on days?"
    turn = Turn(message=asked, session="s", evidence=thalamus.recall(asked))
    messages, _, _ = build_prompt(turn, TurnRun(thalamus.engine))
    assert "until 2026-06)" in messages[-1].content
    assert "2026-07-01 to 2026-07-10" in messages[-1].content
    known = known_items(turn, [], TurnRun(thalamus.engine), 1000).lines
    [days, nights] = sorted(known, key=lambda line: "nights" in line)
    assert nights.endswith("works_shift | nights (said 2026-05-08, holds until 2026-06)")
    assert days.endswith("(said 2026-05-08, holds 2026-07-01 to 2026-07-10)")


def test_what_is_to_come_begins_from_a_day(thalamus: Thalamus) -> None:
    said = {"subject": "user", "predicate": "works_at", "valid_from": "2026-07-01"}
    thalamus.facts.add(Fact(object="Holm", **said))  # type: ignore[arg-type]
    for now, shown in (("2026-06-02", "(from 2026-07-01)"), ("2026-07-02", "(since 2026-07-01)")):
        turn = Turn(message="Where do I work?", created_at=f"{now}T09:00:00Z")
        turn = thalamus.turn(turn, flow="retrieve")
        assert shown in build_prompt(turn, TurnRun(thalamus.engine))[0][-1].content, now
