"""Turns that are stored before they are reflected upon, and the jobs that are left for them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.stored import holding, store_of
from thalamus.api import Thalamus
from thalamus.cancel import CancelToken
from thalamus.clock import Clock
from thalamus.memory.jobs import (
    MOST_TRIES,
    add_job,
    count_jobs,
    finish_job,
    is_done,
    is_gone,
    release_job,
    take_job,
    this_process,
)
from thalamus.records import Memory, Turn
from thalamus.store import embeddings, ledger
from thalamus.store.encryption import contents as encrypted_contents
from thalamus.store.jobs import CRYSTALLIZE, FINISH, JobKind
from thalamus.turn_run import TurnRun

SAID = "I moved to Lisbon in May and I love green tea. I planted a fig by the wall."
Run = Callable[..., Result]


def contents(thalamus: Thalamus) -> tuple[set[str], set[str]]:
    memories = {memory.content for memory in thalamus.memories.find()}
    return memories, {f"{f.subject} {f.predicate} {f.object}" for f in thalamus.facts.find()}


def test_a_turn_in_two_steps_leaves_what_one_in_one_step_does(
    thalamus: Thalamus, tmp_path: Path
) -> None:
    turn, left = thalamus.answer_turn(SAID)
    assert left and turn.answer and [step.stage for step in turn.trace][-1] == "store"
    assert contents(thalamus) == (set(), set())
    [done] = thalamus.finish_turns()
    with Thalamus(
        home=str(tmp_path / "other"),
        store=store_of(tmp_path / "other"),
        clock=thalamus.clock,
        model="scripted",
        embedder="scripted",
    ) as other:
        whole = other.turn(SAID)
        assert contents(thalamus) == contents(other) != (set(), set())
        assert done.result is not None and done.result.reflection == whole.reflection
        assert done.result.stored == whole.stored and done.result.plan == whole.plan
        assert thalamus.recall("Lisbon") == other.recall("Lisbon")
        stages = [
            [e.data["stage"] for e in ledger.of_turn(each.database, turn.id) if e.name == "stage"]
            for each in (thalamus, other)
        ]
    assert stages[0] == ["retrieve", "answer", "store", "reflect", "store"]
    assert stages[1] == ["retrieve", "answer", "reflect", "store"]
    assert thalamus.unfinished_turns() == []
    with thalamus.store.verify() as verified:
        assert list(verified.findings()) == []
    assert all(state.healthy for state in thalamus.database.index_states())
    assert all(state.healthy and not state.behind for state in thalamus.database.rebuild_indexes())


def test_a_turn_is_encrypted_until_it_is_known_whether_it_is_personal(
    thalamus: Thalamus, home: Path
) -> None:
    turn, _ = thalamus.answer_turn(SAID)
    assert (
        encrypted_contents.ids(thalamus.database, [turn.id or ""])
        and holding(home / "data", "green tea") == []
    )
    assert thalamus.recall("green tea")[0].id == turn.id  # and is found all the same
    list(thalamus.finish_turns())
    assert not encrypted_contents.ids(thalamus.database, [turn.id or ""]) and holding(
        home / "data", "green tea"
    )
    assert embeddings.of(thalamus.database, [turn.id or ""])
    events = [e for e in ledger.of_turn(thalamus.database, turn.id) if "encrypted" in e.data]
    assert events == []


def test_one_that_is_personal_stays_so(home: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text(
        "- role: reflect\n  reply: {memories_to_store: [{quote: I love green tea,"
        " content: The user likes green tea.,"
        " type: preference, importance: medium, sensitivity: personal}], facts: []}\n"
    )
    with Thalamus(home=str(home), model=f"scripted:{script}", embedder="scripted") as thalamus:
        turn, _ = thalamus.answer_turn(SAID)
        [done] = thalamus.finish_turns()
        assert done.result is not None and done.result.stored[0].decision == "add"
        assert encrypted_contents.ids(thalamus.database, [turn.id or ""])
        found = thalamus.database.get(turn.id or "")
        assert isinstance(found, Turn) and found.message == SAID
    assert holding(home / "data", "green tea") == []


def test_a_job_is_taken_by_one_process_and_free_when_that_has_ended(
    thalamus: Thalamus, environment: dict[str, str]
) -> None:
    thalamus.answer_turn(SAID)
    code = (
        "from thalamus import Thalamus\n"
        "from thalamus.memory.jobs import take_job\n"
        "from thalamus.store.jobs import FINISH\n"
        "import sys\n"
        "with Thalamus() as thalamus, thalamus.database.writing() as writer:\n"
        "    assert take_job(writer, FINISH)\n"
        "print('taken', flush=True)\n"
        "sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout and process.stdout.readline() == b"taken\n"
    assert thalamus.unfinished_turns()[0].state == "taken"
    assert list(thalamus.finish_turns()) == []
    process.kill()
    process.wait(30)
    [done] = thalamus.finish_turns()
    assert done.result is not None and contents(thalamus)[0]


def test_one_whose_processes_were_all_killed_is_given_up(thalamus: Thalamus) -> None:
    thalamus.answer_turn(SAID)
    for _ in range(5):
        with thalamus.database.writing() as writer:
            assert take_job(writer, FINISH)
            writer.update("job", {"taken_by": "0 0"}, "true")
    assert thalamus.unfinished_turns()[0].state == "failed"
    assert list(thalamus.finish_turns()) == []
    assert len(list(thalamus.finish_turns(failed=True))) == 1


def test_a_process_that_takes_too_long_is_not_waited_for(thalamus: Thalamus, home: Path) -> None:
    thalamus.answer_turn(SAID)
    with thalamus.database.writing() as writer:
        assert take_job(writer, FINISH)
    assert list(thalamus.finish_turns()) == []
    later = Clock(thalamus.clock.now() + timedelta(hours=2))
    with Thalamus(home=str(home), clock=later, model="scripted", embedder="scripted") as other:
        assert len(list(other.finish_turns())) == 1


def test_what_names_a_process() -> None:
    assert not is_gone(this_process())
    number = os.getpid()
    assert is_gone("nobody") and (is_gone(f"{number} 1") or sys.platform != "linux")
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait(30)
    assert is_gone(f"{process.pid} 4711")


def test_what_another_process_has_finished_is_not_stored_twice(thalamus: Thalamus) -> None:
    """One that was thought dead comes to its end after all."""
    from thalamus.pipeline.jobs import run_job

    thalamus.answer_turn(SAID)
    with thalamus.database.writing() as writer:
        job = take_job(writer, FINISH)
    assert job is not None
    first = run_job(job, TurnRun(thalamus.engine))
    before = contents(thalamus), len(list(ledger.entries(thalamus.database)))
    again = run_job(job, TurnRun(thalamus.engine))
    assert first.result and first.result.stored[0].rule == "new"
    assert again.result and again.result.stored[0].rule == "same_id"
    assert (contents(thalamus), len(list(ledger.entries(thalamus.database)))) == before


def test_a_forgotten_turn_does_not_come_back(thalamus: Thalamus, run: Run) -> None:
    from thalamus.pipeline.jobs import run_job

    turn, _ = thalamus.answer_turn(SAID)
    with thalamus.database.writing() as writer:
        job = take_job(writer, FINISH)
    assert job is not None
    assert run("forget", turn.id or "", "--yes").code == 0
    assert thalamus.unfinished_turns() == []
    run_job(job, TurnRun(thalamus.engine))
    assert thalamus.database.get(turn.id or "") is None and contents(thalamus) == (set(), set())
    assert run("doctor", "--signatures").code == 0


def test_no_words_of_a_job_are_taken_for_the_users(thalamus: Thalamus, run: Run) -> None:
    thalamus.answer_turn(SAID)
    thalamus.remember([Memory(content="We reflect on the plan.")])
    done = run("forget", "--query", "reflect", "--yes")
    assert done.code == 0 and len(thalamus.unfinished_turns()) == 1


def test_the_owner_is_that_of_the_turn(thalamus: Thalamus, home: Path) -> None:
    """Whichever process finishes it."""
    thalamus.answer_turn(Turn(message="I love green tea. The kettle is on.", user="ana", agent="a"))
    thalamus.answer_turn(Turn(message="I love red wine. The bottle is open."))
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted", "user": "bob"}
    with Thalamus(clock=thalamus.clock, **settings) as other:
        assert len(list(other.finish_turns())) == 2
    owners = {m.content: (m.user, m.agent) for m in thalamus.memories.find()}
    assert owners == {
        "I love green tea.": ("ana", "a"),
        "I love red wine.": (None, None),
    }


@pytest.mark.parametrize(
    ("error", "counted"), [("failed", True), ("unreachable", False), ("missing", False)]
)
def test_one_that_fails_waits(home: Path, tmp_path: Path, error: str, counted: bool) -> None:
    """What the job cannot help counts as no try, else there are five."""
    script = tmp_path / "script.yaml"
    script.write_text(f"- {{role: reflect, error: {error}}}\n")
    with Thalamus(home=str(home), model=f"scripted:{script}", embedder="scripted") as thalamus:
        thalamus.answer_turn(SAID)
        for number in range(1, 6):
            [done] = thalamus.finish_turns()
            assert done.problem is not None and done.result is None
            assert thalamus.unfinished_turns()[0].tries == (number if counted else 0)
        assert len(list(thalamus.finish_turns())) == (0 if counted else 1)
        assert (thalamus.unfinished_turns()[0].state == "failed") == counted
        assert len(list(thalamus.finish_turns(failed=True))) == 1
        assert contents(thalamus) == (set(), set()) and thalamus.failures == []


def test_the_plan_of_a_turn_that_is_past_is_left_out(thalamus: Thalamus) -> None:
    thalamus.answer_turn("My sister Ana keeps bees in Porto. The hives are old.")
    thalamus.answer_turn("I love green tea. The kettle is on.")
    plans = [done.result.plan for done in thalamus.finish_turns() if done.result]
    assert plans[0] is None and plans[1] is not None


def test_it_stops_when_asked_to(thalamus: Thalamus) -> None:
    thalamus.answer_turn(SAID)
    cancel = CancelToken()
    cancel.cancel()
    [done] = thalamus.finish_turns(cancel=cancel)
    assert done.result is None and done.problem is None
    assert thalamus.unfinished_turns()[0].tries == 0
    assert [d.result is not None for d in thalamus.finish_turns(cancel=CancelToken())] == [True]


def test_a_flow_of_which_nothing_can_be_left_is_run_whole(thalamus: Thalamus) -> None:
    for flow in ("retrieve,answer,store", "retrieve,answer,reflect", "retrieve,reflect,store"):
        assert thalamus.answer_turn("I like tea.", flow=flow)[1] is False
    assert thalamus.unfinished_turns() == []
    said = "I like wine. The bottle is open."
    _, left = thalamus.answer_turn(said, flow="retrieve,answer,plan,reflect,store")
    assert left and thalamus.unfinished_turns()[0].stages == ("plan", "reflect", "store")


@pytest.mark.parametrize("kind", [FINISH, CRYSTALLIZE])
def test_jobs_of_every_kind_go_the_same_way(thalamus: Thalamus, kind: JobKind) -> None:
    id = thalamus.remember([Turn(message=SAID)])[0].id or ""
    clock = thalamus.clock
    with thalamus.database.writing() as writer:
        for _ in range(2):  # a turn has one of each kind
            add_job(writer, kind, id, clock, ("reflect", "store"))
        for _ in range(2):  # what is no fault of the job counts as no attempt
            job = take_job(writer, kind)
            assert job is not None and (job.state, job.tries) == ("taken", 1)
            assert job.stages == ("reflect", "store") and take_job(writer, kind) is None
            release_job(writer, job)
        for _ in range(MOST_TRIES):
            job = take_job(writer, kind, turns=[id])
            assert job is not None
            release_job(writer, job, "ModelFailed")
        assert count_jobs(writer, kind, writer.now) == {"failed": 1}
        assert take_job(writer, kind) is None
        again = take_job(writer, kind, failed=True)
        assert again is not None and again.error == "ModelFailed"
        assert finish_job(writer, kind, id) and not finish_job(writer, kind, id)
        add_job(writer, kind, id, clock)
        assert is_done(writer, kind, id) and take_job(writer, kind, failed=True) is None
        assert count_jobs(writer, kind, writer.now) == {"done": 1}
