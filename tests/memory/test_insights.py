"""Insights: concluded from turns that wait for it, and what becomes of them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.forked import python
from tests.stored import holding, store_of
from thalamus.api import Thalamus
from thalamus.cancel import CancelToken
from thalamus.clock import Clock, format_time, parse_time
from thalamus.engine import Engine
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.memory.jobs import unfinished_jobs
from thalamus.records import Insight, Turn
from thalamus.store.encryption import contents
from thalamus.store.jobs import CRYSTALLIZE

Run = Callable[..., Result]
DAYS = (
    "I signed up for the pottery course at the mill.",
    "I play chess with my uncle on Fridays.",
    "My teacher praised the bowls of my pottery course.",
    "I sold six bowls of the pottery course at the market.",
    "I taught my niece chess with my uncle.",
)


def live(home: Path, messages: tuple[str, ...] = DAYS, **settings: object) -> list[Turn]:
    """One message a day, answered and stored; the turns."""
    told = []
    clock = Clock(parse_time("2026-03-01T10:00:00Z"))
    given = {"model": "scripted", "embedder": "scripted", **settings}
    with Thalamus(home=str(home), clock=clock, **given) as thalamus:
        for number, message in enumerate(messages):
            told.append(thalamus.turn(Turn(message=message, session=f"s{number}")))
            assert clock.fixed is not None
            clock.fixed += timedelta(days=10)
    return told


def concluded(thalamus: Thalamus) -> list[Insight]:
    list(thalamus.insights.crystallize())
    return thalamus.insights.find()


def test_a_turn_that_was_reflected_upon_waits_to_be_crystallized(
    thalamus: Thalamus, home: Path
) -> None:
    live(home)
    assert thalamus.insights.count_jobs() == {"waiting": len(DAYS)}
    assert thalamus.unfinished_turns() == []  # they are jobs of another kind
    done = list(thalamus.insights.crystallize())
    assert len(done) == len(DAYS) and all(one.problem is None for one in done)
    assert thalamus.insights.count_jobs() == {"done": len(DAYS)}
    assert list(thalamus.insights.crystallize()) == []
    found = thalamus.insights.find()
    assert found and all(len(one.sources) >= 2 and len(one.concepts) >= 2 for one in found)
    assert all(one.trust <= 0.6 and one.strength == 1 and one.level == 1 for one in found)
    assert all(thalamus.store.get(id) is not None for one in found for id in one.sources)
    with thalamus.store.verify() as verified:
        assert list(verified.findings()) == []


@pytest.mark.parametrize("settings", [{"crystallize": False}, {"enable_reflection": False}])
def test_others_do_not(thalamus: Thalamus, home: Path, settings: dict[str, object]) -> None:
    live(home, DAYS[:2], **settings)
    assert thalamus.insights.count_jobs() == {}


def test_a_turn_in_two_steps_waits_once_it_is_finished(thalamus: Thalamus) -> None:
    thalamus.answer_turn(DAYS[0])
    assert thalamus.insights.count_jobs() == {}
    list(thalamus.finish_turns())
    assert thalamus.insights.count_jobs() == {"waiting": 1}


def test_the_same_is_concluded_from_the_same(home: Path, tmp_path: Path) -> None:
    found = []
    for place in (home, tmp_path / "again"):
        live(place, store=store_of(place))
        clock = Clock(parse_time("2026-05-08T13:56:00Z"))
        settings = {"home": str(place), "store": store_of(place), "model": "scripted"}
        with Thalamus(clock=clock, embedder="scripted", **settings) as one:
            found.append(concluded(one))
    assert found[0] == found[1] != []


def test_a_small_model_is_not_asked(
    thalamus: Thalamus, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live(home)
    script = tmp_path / "tiny-135m.yaml"
    script.write_text("- role: crystallize\n  error: failed\n")
    with Thalamus(home=str(home), model=f"scripted:{script}", embedder="scripted") as small:
        monkeypatch.setattr(Engine, "too_small", lambda engine, role: True)
        assert list(small.insights.crystallize()) == []
        assert small.insights.too_small_to_crystallize() is not None
    assert thalamus.insights.count_jobs() == {"waiting": len(DAYS)}


def test_a_model_that_fails_is_tried_again_but_not_for_ever(
    thalamus: Thalamus, home: Path, tmp_path: Path
) -> None:
    live(home)
    script = tmp_path / "script.yaml"
    script.write_text("- role: crystallize\n  error: failed\n")
    settings = {"home": str(home), "model": f"scripted:{script}", "embedder": "scripted"}
    with Thalamus(**settings) as broken:
        tried = [list(broken.insights.crystallize()) for _ in range(7)]
    assert any(done.problem is not None for done in tried[0]) and tried[-1] == []
    failed = thalamus.insights.count_jobs()["failed"]
    assert failed >= 1
    left = unfinished_jobs(thalamus.database, CRYSTALLIZE, thalamus.clock.stamp())
    assert [job.error for job in left if job.state == "failed"] == ["ModelFailed"] * failed
    assert list(thalamus.insights.crystallize()) == []
    assert len(list(thalamus.insights.crystallize(failed=True))) == failed
    assert thalamus.insights.count_jobs() == {"done": len(DAYS)} and thalamus.insights.find()


def test_one_that_is_down_is_asked_no_more(thalamus: Thalamus, home: Path, tmp_path: Path) -> None:
    live(home)
    script = tmp_path / "script.yaml"
    script.write_text("- role: crystallize\n  error: unreachable\n")
    settings = {"home": str(home), "model": f"scripted:{script}", "embedder": "scripted"}
    with Thalamus(**settings) as broken:
        for _ in range(7):  # does not count as a try
            done = list(broken.insights.crystallize())
            assert done[-1].problem is not None
    assert (
        "failed" not in thalamus.insights.count_jobs()
        and thalamus.insights.count_jobs()["waiting"] >= 1
    )


def test_a_running_generation_is_cancelled(thalamus: Thalamus, home: Path) -> None:
    live(home)
    cancel = CancelToken()
    heard: list[str] = []
    chat = thalamus.engine.models.chat("crystallize")
    original = chat.chat

    def slow(request, on_token=None):  # type: ignore[no-untyped-def]
        def sink(text: str) -> None:
            heard.append(text)
            if len(heard) == 3:
                cancel.cancel()
            on_token(text)

        return original(request, sink)

    chat.chat = slow  # type: ignore[method-assign]
    done = list(thalamus.insights.crystallize(cancel=cancel))
    chat.chat = original  # type: ignore[method-assign]
    assert done[-1].cancelled and len(heard) == 3
    assert thalamus.insights.find() == [] and thalamus.insights.count_jobs()["waiting"] >= 1
    assert concluded(thalamus)


def test_a_job_of_a_process_that_was_killed_is_done_by_another(
    thalamus: Thalamus, home: Path, environment: dict[str, str]
) -> None:
    live(home)
    kill_while_crystallizing(environment, 3)
    made = concluded(thalamus)
    assert thalamus.insights.count_jobs() == {"done": len(DAYS)}
    other = home.parent / "whole"
    live(other, store=store_of(other))
    clock = thalamus.clock
    settings = {"home": str(other), "store": store_of(other), "model": "scripted"}
    with Thalamus(clock=clock, embedder="scripted", **settings) as whole:
        assert [one.content for one in concluded(whole)] == [one.content for one in made]


KILLED = """
import os, signal, sys
from thalamus import Thalamus
from thalamus.memory.insights import writing as insight_writing
from thalamus.pipeline import crystallize
place, seen = int(sys.argv[1]), 0
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
before = crystallize.crystallize
after = insight_writing.add_insight
def asked(turn, context):
    if place % 3 == 0:
        die()
    made = before(turn, context)
    if place % 3 == 1:
        die()
    return made
def added(insight, vector, writer):
    after(insight, vector, writer)
    die()
crystallize.crystallize = asked
if place % 3 == 2:
    insight_writing.add_insight = added
with Thalamus() as thalamus:
    list(thalamus.insights.crystallize())
"""


def kill_while_crystallizing(environment: dict[str, str], times: int) -> None:
    """Kills a worker before it asks, before it writes, and before it commits, again and again."""
    for number in range(times):
        done = subprocess.run(
            [*python(), "-c", KILLED, str(number)],
            env=environment | {"THALAMUS_NOW": f"2026-05-08T14:{number:02}:00Z"},
            capture_output=True,
            text=True,
        )
        assert done.returncode in (-9, 0), done.stderr


def test_two_workers_do_each_turn_once(
    thalamus: Thalamus, home: Path, environment: dict[str, str]
) -> None:
    live(home)
    code = (
        "from thalamus import Thalamus\n"
        "with Thalamus() as thalamus:\n"
        "    print(len(list(thalamus.insights.crystallize())))\n"
    )
    workers = [
        subprocess.Popen(
            [*python(), "-c", code], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    counts = [int(worker.communicate()[0]) for worker in workers]
    assert sum(counts) == len(DAYS) and thalamus.insights.count_jobs() == {"done": len(DAYS)}
    made = thalamus.insights.find()
    assert made and len({one.content for one in made}) == len(made)


def test_what_was_concluded_is_not_concluded_again(thalamus: Thalamus, home: Path) -> None:
    [*turns] = live(home)
    made = concluded(thalamus)
    for turn in turns:
        assert thalamus.insights.crystallize_turn(turn).insights == []
    with thalamus.database.writing() as writer:
        writer.delete("job", "true")
    for turn in turns:  # even where nobody knows that it was done
        assert thalamus.insights.crystallize_turn(turn).insights == []
    assert thalamus.insights.find() == made


def test_a_rejected_one_does_not_come_back(thalamus: Thalamus, home: Path) -> None:
    turns = live(home)
    made = concluded(thalamus)
    for one in made:
        assert thalamus.insights.reject(one.id or "").status == "rejected"
    with thalamus.database.writing() as writer:
        writer.delete("job", "true")
    for turn in turns:
        thalamus.insights.crystallize_turn(turn)
    assert thalamus.insights.find() == []
    assert [e for e in thalamus.recall("pottery course") if e.kind == "insight"] == []


def test_what_rests_on_something_personal_is_encrypted(home: Path) -> None:
    messages = (
        "I signed up for the pottery course, and the PIN for my card is 4821.",
        "My teacher praised the bowls of my pottery course.",
    )
    live(home, messages)
    with Thalamus(home=str(home), model="scripted", embedder="scripted") as thalamus:
        made = concluded(thalamus)
        assert made and all(one.sensitivity == "personal" for one in made)
        assert contents.ids(thalamus.database, [made[0].id or ""])
        [row] = thalamus.database.fetch(
            "SELECT content, concepts FROM insight WHERE id = ?", made[0].id
        )
        assert row[0] == "" and "pottery" not in str(row[1])
        assert any(e.id == made[0].id for e in thalamus.recall("pottery course"))
    assert holding(home / "data", made[0].content) == []


def test_it_loses_its_support_when_a_fact_ends(home: Path) -> None:
    messages = (
        "I live in Porto.",
        "I painted the lighthouse of Porto in blue.",
    )
    live(home, messages)
    clock = Clock(parse_time("2026-05-08T13:56:00Z"))
    with Thalamus(home=str(home), clock=clock, model="scripted", embedder="scripted") as thalamus:
        [made] = concluded(thalamus)
        [fact] = [one for one in thalamus.facts.find() if one.predicate == "lives_in"]
        assert fact.id in made.sources
        thalamus.facts.end(fact.id or "", "2026-05-01T00:00:00Z")
        assert thalamus.insights.get(made.id or "").status == "unsupported"
        assert all(e.id != made.id for e in thalamus.recall("lighthouse of Porto"))


def test_it_goes_with_what_it_rests_on(thalamus: Thalamus, home: Path) -> None:
    turns = live(home)
    made = [one for one in concluded(thalamus) if turns[0].id in one.sources]
    assert made
    report = thalamus.forget(ForgetOptions(ids=(turns[0].id or "",)))
    assert report.complete
    assert all(thalamus.database.get(one.id or "") is None for one in made)
    assert holding(home / "data", "signed up") == []


def test_a_source_that_is_forgotten_meanwhile(thalamus: Thalamus, home: Path) -> None:
    turns = live(home)
    chat = thalamus.engine.models.chat("crystallize")
    original = chat.chat

    def forgetful(request, on_token=None):  # type: ignore[no-untyped-def]
        reply = original(request, on_token)
        with Thalamus(home=str(home), model="scripted", embedder="scripted") as other:
            if other.database.get(turns[0].id or "") is not None:
                other.forget(ForgetOptions(ids=(turns[0].id or "",)))
        return reply

    chat.chat = forgetful  # type: ignore[method-assign]
    made = concluded(thalamus)
    assert all(turns[0].id not in one.sources for one in made)
    assert all("signed up" not in one.content for one in made)


def test_an_export_brings_insights_along(thalamus: Thalamus, home: Path, tmp_path: Path) -> None:
    live(home)
    made = concluded(thalamus)
    records = list(thalamus.store.export())
    place = tmp_path / "other"
    settings = {"home": str(place), "store": store_of(place), "model": "scripted"}
    with Thalamus(embedder="scripted", **settings) as other:
        other.store.import_memory(records)
        assert other.insights.find() == made
        assert [e.id for e in other.recall("pottery course")] == [
            e.id for e in thalamus.recall("pottery course")
        ]
    assert thalamus.database.counts()["insight"] == len(made)


def test_days_and_moments_are_fixed(thalamus: Thalamus, home: Path) -> None:
    live(home)
    [first, *_] = concluded(thalamus)
    assert first.created_at == format_time(thalamus.clock.now())


@pytest.mark.parametrize(("consent", "status"), [("ask", "quarantined"), ("never", None)])
def test_consent_is_asked_for_insights_as_for_memories(
    home: Path, consent: str, status: str | None
) -> None:
    live(home)
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    with Thalamus(**settings, remember={"insight": consent}) as thalamus:
        assert concluded(thalamus) == []
        found = thalamus.insights.find(status=None)
    assert {one.status for one in found} == ({status} if status else set())
    assert all(one.quarantine and one.quarantine.rule == "consent" for one in found)
