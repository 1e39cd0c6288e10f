"""The user's time zone: what a model is told, what "yesterday" means, and which day is shown.

Three moments within one day of UTC: in Kiritimati (UTC+14) and in Los Angeles midnight lies between
them, at another place each.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.config import load
from thalamus.errors import ConfigError
from thalamus.events import ModelCalled, ThalamusEvents
from thalamus.records import Turn, World, WorldOperation
from thalamus.turn_run import TurnRun

Run = Callable[..., Result]
KIRITIMATI, LOS_ANGELES = "Pacific/Kiritimati", "America/Los_Angeles"
NIGHTS = [
    # now, zone, local day, yesterday's first moment
    ("2026-05-08T09:30:00Z", KIRITIMATI, "2026-05-08", "2026-05-06T10:00:00Z"),
    ("2026-05-08T10:30:00Z", KIRITIMATI, "2026-05-09", "2026-05-07T10:00:00Z"),
    ("2026-05-08T06:30:00Z", LOS_ANGELES, "2026-05-07", "2026-05-06T07:00:00Z"),
    ("2026-05-08T07:30:00Z", LOS_ANGELES, "2026-05-08", "2026-05-07T07:00:00Z"),
    ("2026-05-08T07:30:00Z", "UTC", "2026-05-08", "2026-05-07T00:00:00Z"),
    # the day on which the clocks went forward, told on the next: it begins an hour "later"
    ("2026-03-09T20:00:00Z", LOS_ANGELES, "2026-03-09", "2026-03-08T08:00:00Z"),
    # and back
    ("2026-11-02T20:00:00Z", LOS_ANGELES, "2026-11-02", "2026-11-01T07:00:00Z"),
]


@pytest.fixture(autouse=True)
def no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THALAMUS_TIMEZONE", raising=False)


@pytest.fixture
def open_at(home: Path) -> Iterator[Callable[..., Thalamus]]:
    """Opens the store at a moment and in a time zone."""
    opened: list[Thalamus] = []

    def open_store(now: str, zone: str, **settings: Any) -> Thalamus:
        given = {"home": str(home), "model": "scripted", "embedder": "scripted"} | settings
        engine = Thalamus(clock=Clock(parse_time(now)), timezone=zone, **given)
        opened.append(engine)
        return engine

    yield open_store
    for engine in opened:
        engine.close()


@pytest.mark.parametrize(("now", "zone", "today", "begun"), NIGHTS)
def test_yesterday_is_the_users_yesterday(
    open_at: Callable[..., Thalamus], run: Run, now: str, zone: str, today: str, begun: str
) -> None:
    """In what is stored, and where it is shown."""
    turn = open_at(now, zone).turn("I moved to Lisbon yesterday.")
    assert turn.created_at == now, "what is stored stays in UTC"
    assert turn.reflection is not None
    [fact] = turn.reflection.facts
    assert (fact.predicate, fact.object, fact.valid_from) == ("lives_in", "Lisbon", begun)
    at = {"THALAMUS_NOW": now, "THALAMUS_TIMEZONE": zone}
    yesterday = f"{today[:8]}{int(today[8:]) - 1:02}"
    assert f"(since {yesterday})" in run("facts", env=at).stdout
    assert f"since {yesterday}" in run("export", "--format", "markdown", env=at).stdout


def test_on_the_command_line(run: Run) -> None:
    now, zone, _, begun = NIGHTS[1]
    at = {"THALAMUS_NOW": now, "THALAMUS_TIMEZONE": zone}
    run("turn", "I moved to Lisbon yesterday.", env=at)
    [fact] = run("facts", "--json", env=at).records
    assert (fact["valid_from"], fact["created_at"]) == (begun, now)


@pytest.mark.parametrize(
    ("zone", "begun", "ended"),
    [
        (KIRITIMATI, "2025-12-31T10:00:00Z", "2026-03-31T10:00:00Z"),
        (LOS_ANGELES, "2026-01-01T08:00:00Z", "2026-04-01T07:00:00Z"),
    ],
)
def test_dates_given_as_options_are_the_users(run: Run, zone: str, begun: str, ended: str) -> None:
    env = {"THALAMUS_TIMEZONE": zone}
    given = ("--from", "2026", "--to", "2026-03")
    [fact, *_] = run("facts", "add", "user", "lives_in", "Porto", *given, "--json", env=env).records
    assert (fact["valid_from"], fact["valid_to"]) == (begun, ended)
    history = run("facts", "history", "user", env=env).stdout
    assert "(2026-01-01 to 2026-03-31)" in history
    told = run("facts", "add", "user", "lives_in", "Lisbon", "--from", "2026-02-01", env=env).stdout
    assert "lives_in Lisbon  (since 2026-02-01)" in told
    assert "it held until 2026-01-31" in told
    id = run("facts", "--json", env=env).records[0]["id"]
    wrong = run("facts", "end", id, "--at", "2026-01-31", env=env)
    assert "invalid --at 2026-01-31: the fact began on 2026-02-01" in wrong.stderr
    assert "lives_in Porto" in run("facts", "--as-of", "2026-01-31", env=env).stdout
    assert "lives_in Lisbon" in run("facts", "--as-of", "2026-02-01", env=env).stdout
    own = run("facts", "add", "Ana", "lives_in", "Faro", "--from", "2026-01-01T00:00Z", "--json")
    assert own.records[0]["valid_from"] == "2026-01-01T00:00:00Z", "it names its zone"


@pytest.mark.parametrize(
    ("zone", "now", "headings", "told"),
    [
        (
            KIRITIMATI,
            "2026-05-09T01:00:00Z",
            {"Friday 8 May 2026, yesterday:", "Saturday 9 May 2026, today:"},
            "15:00",
        ),
        (LOS_ANGELES, "2026-05-09T01:00:00Z", {"Friday 8 May 2026, today:"}, "18:00"),
        ("UTC", "2026-05-09T01:00:00Z", {"Friday 8 May 2026, yesterday:"}, "01:00"),
    ],
)
def test_a_model_is_told_the_users_time(
    open_at: Callable[..., Thalamus], zone: str, now: str, headings: set[str], told: str
) -> None:
    open_at("2026-05-08T09:30:00Z", zone, session="a").turn("I own a boat called Nadir.")
    open_at("2026-05-08T10:30:00Z", zone, session="b").turn("My boat Nadir is blue.")
    prompts: dict[str, str] = {}

    def keep(event: object) -> None:
        if isinstance(event, ModelCalled):
            prompts[event.role] = event.messages[-1][1]

    events = ThalamusEvents()
    events.bind("on_event", keep)
    engine = open_at(now, zone, log_prompts=True, planner="model", session="c", events=events)
    engine.turn("What do you still know about my boat Nadir?")
    lines = prompts["answer"].splitlines()
    assert {line for line in lines if line.endswith(":") and "2026" in line} == headings
    day = "Friday, 8 May 2026" if zone == LOS_ANGELES else "Saturday, 9 May 2026"
    assert f"It is {day}, {told}." in lines
    date = "2026-05-08" if zone == LOS_ANGELES else "2026-05-09"
    assert f"said on {date}" in prompts["plan"]


@pytest.mark.parametrize("by", ["setting", "world"])
@pytest.mark.parametrize(
    ("zone", "which"),
    [(KIRITIMATI, "rain"), (LOS_ANGELES, "snow"), ("UTC", None)],
)
def test_a_question_about_yesterday_finds_the_users_yesterday(
    open_at: Callable[..., Thalamus], zone: str, which: str | None, by: str
) -> None:
    """Rain before and snow after local midnight. In Kiritimati it is asked on the day of the snow,
    in Los Angeles on the day after it; in UTC both fell on one day."""
    said = {
        KIRITIMATI: ("2026-05-08T09:30:00Z", "2026-05-08T10:30:00Z", "2026-05-08T12:00:00Z"),
        LOS_ANGELES: ("2026-05-08T06:30:00Z", "2026-05-08T07:30:00Z", "2026-05-09T07:30:00Z"),
        "UTC": ("2026-05-08T06:30:00Z", "2026-05-08T07:30:00Z", "2026-05-09T07:30:00Z"),
    }[zone]
    for at, what in zip(said, ("rain", "snow"), strict=False):
        open_at(at, zone, session=what).turn(f"The {what} damaged my boat.")
    asked = open_at(said[2], zone if by == "setting" else "UTC")
    if by == "world":
        asked.projects.apply([WorldOperation(op="set", path="timezone", value=zone)])
    found = asked.recall("What damaged my boat yesterday?")
    times = {
        word: max((e.scores or {}).get("time", 0.0) for e in found if word in e.text)
        for word in ("rain", "snow")
    }
    if which is None:
        assert times["rain"] == times["snow"]
    else:
        assert max(times, key=lambda word: times[word]) == which


def test_what_a_model_plans_is_of_the_users_days(
    open_at: Callable[..., Thalamus], tmp_path: Path
) -> None:
    script = tmp_path / "play.yaml"
    planned = {"mode": "memory", "query": "boat", "since": "2026-05-08", "limit": 5}
    entry = {"role": "plan", "reply": {"retrieval_instructions": [planned]}}
    script.write_text(json.dumps([entry]), encoding="utf-8")
    model = {"model": f"scripted:{script}", "planner": "model"}
    engine = open_at("2026-05-08T20:00:00Z", LOS_ANGELES, **model)
    turn = engine.turn("My boat needs paint, and a new sail.")
    assert turn.plan is not None
    since = [item.since for item in turn.plan.retrieval_instructions if item.since]
    assert since == ["2026-05-08T07:00:00Z"]


def test_records_without_a_zone_are_in_utc(run: Run) -> None:
    """The meaning of a record does not depend on who reads it."""
    record = {"record": "turn", "v": 1, "message": "Hello.", "created_at": "2026-05-08T13:56"}
    [stored] = run(
        "store", input=json.dumps(record), env={"THALAMUS_TIMEZONE": LOS_ANGELES}
    ).records
    assert stored["created_at"] == "2026-05-08T13:56:00Z"


def test_the_zone_of_the_world_goes_before_the_setting(open_at: Callable[..., Thalamus]) -> None:
    engine, turn = open_at("2026-05-08T06:30:00Z", "UTC").engine, Turn(message="Hello.")
    engine.create_store()

    def local_now(zone: str | None) -> str:
        states = [World(timezone=zone)]
        return TurnRun(engine, kept={("world states", None): states}).local_now(turn)

    assert local_now(None) == "2026-05-08T06:30:00"
    assert local_now(LOS_ANGELES) == "2026-05-07T23:30:00"
    assert local_now("Mars/Olympus") == "2026-05-08T06:30:00"  # of a store from another machine


def test_the_zone_of_the_world_counts_in_a_pipeline_as_in_a_turn(run: Run, tmp_path: Path) -> None:
    env = {"THALAMUS_NOW": "2026-05-08T06:30:00Z", "THALAMUS_TIMEZONE": "UTC"}
    said = json.dumps({"record": "turn", "v": 1, "message": "I moved to Lisbon yesterday."})
    since = []
    for place in ("whole", "piped"):
        here = {**env, "THALAMUS_HOME": str(tmp_path / place)}
        run("world", "apply", "set", "timezone", LOS_ANGELES, env=here)
        line = said
        for command in ["turn"] if place == "whole" else ["reflect", "store"]:
            more = ("--json",) if command == "turn" else ()
            line = run(command, *more, input=line, env=here).stdout
        since.append(run("facts", "--json", env=here).records[0]["valid_from"])
    assert since == ["2026-05-06T07:00:00Z"] * 2


def test_without_a_setting_it_is_the_systems(run: Run) -> None:
    env = {"THALAMUS_NOW": "2026-05-08T06:30:00Z", "THALAMUS_TIMEZONE": "", "TZ": LOS_ANGELES}
    run("turn", "I moved to Lisbon yesterday.", env=env)
    assert run("facts", "--json", env=env).records[0]["valid_from"] == "2026-05-06T07:00:00Z"
    assert "(since 2026-05-06)" in run("facts", env=env).stdout


@pytest.mark.parametrize("name", ["Mars/Olympus", "Lisbon", "../../etc/passwd", "CEST+2"])
def test_a_zone_that_is_none(run: Run, home: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="timezone must be an IANA name"):
        load({"timezone": name}, environ={})
    refused = run("facts", env={"THALAMUS_TIMEZONE": name})
    assert (refused.code, "THALAMUS_TIMEZONE: timezone must be" in refused.stderr) == (2, True)
    folder = home / "config"
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text(f"token_budget: 1000\ntimezone: {name}\n")
    failed = run("config", "check", env={"THALAMUS_TIMEZONE": ""})
    assert failed.code == 2
    assert "config.yaml, line 2: timezone must be an IANA name" in failed.stdout
    assert repr(name) in failed.stdout


def test_config_show_says_it(run: Run) -> None:
    shown = run("config", "show", "--json", env={"THALAMUS_TIMEZONE": LOS_ANGELES}).records
    [setting] = [record for record in shown if record["name"] == "timezone"]
    assert (setting["value"], setting["origin"]) == (LOS_ANGELES, "THALAMUS_TIMEZONE")
    assert "IANA name" in setting["meaning"]
