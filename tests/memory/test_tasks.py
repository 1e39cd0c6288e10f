"""Goals that were reached leave a summary of their turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec import structs

from tests.conftest import NOW
from thalamus import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.records import Memory, Turn
from thalamus.turn_run import TurnRun

GOAL = "build a greenhouse"
MESSAGES = [
    ("Add build a greenhouse to my goals.", "append"),
    ("The frame of the greenhouse build comes from Marta.", None),
    ("I had soup today.", None),
    ("The greenhouse is built.", "remove"),
]
Engine = Callable[..., Any]


@pytest.fixture
def engine(home: Path, tmp_path: Path) -> Engine:
    """An engine whose model changes the goals as the messages of this file say."""

    @contextmanager
    def make(goal: str = GOAL, **settings: Any) -> Iterator[Thalamus]:
        script: list[dict[str, Any]] = [{"role": "answer", "reply": "Noted."}]
        for message, change in MESSAGES:
            route = "world" if change else "answer"
            script.append({"role": "route", "match": message, "reply": {"route": route}})
            if change:
                ops = {"ops": [{"op": change, "path": "goals", "value": goal}]}
                call = {"name": "world_apply_ops", "arguments": ops}
                script.append({"role": "act", "match": message, "calls": [call], "times": 1})
        script.append({"role": "act", "reply": "done"})
        path = tmp_path / "script.yaml"
        path.write_text(yaml.safe_dump(script))
        given: dict[str, Any] = {
            "home": str(home),
            "model": f"scripted:{path}",
            "embedder": "scripted",
            "flow": "routed",
            "summarize_tasks": True,
        }
        with Thalamus(clock=Clock(parse_time(NOW)), **(given | settings)) as made:
            yield made

    return make


def worked(thalamus: Thalamus) -> list[Turn]:
    return [thalamus.turn(message) for message, _ in MESSAGES]


def summaries(thalamus: Thalamus) -> list[Memory]:
    return [memory for memory in thalamus.memories.find() if memory.type == "task_summary"]


def test_a_reached_goal_leaves_a_summary_with_its_turns(engine: Engine) -> None:
    with engine() as thalamus:
        turns = worked(thalamus)
        [found] = summaries(thalamus)
        assert thalamus.projects.world().goals == [] and not any(turn.issues for turn in turns)
        assert found.content.startswith("Goal reached, 8 May 2026: build a greenhouse.")
        assert "Marta" in found.content and "soup" not in found.content
        assert (found.scope, found.metadata["turns"]) == ("episodic", 3)
        links = {link.target for link in thalamus.store.links(found.stored_id)}
        assert links == {turns[0].id, turns[1].id, turns[3].id}


def test_a_turn_of_which_nothing_else_is_kept_leaves_one_too(engine: Engine) -> None:
    with engine(enable_reflection=False) as thalamus:
        turns = worked(thalamus)
        assert turns[3].stored == [] and len(summaries(thalamus)) == 1


def test_a_pipe_leaves_one_too(engine: Engine) -> None:
    with engine() as thalamus:
        for message, _ in MESSAGES:
            turn = Turn(message=message)
            for stage in ("route", "act", "answer", "reflect", "store"):
                turn = thalamus.run_stage(stage, turn)
        [found] = summaries(thalamus)
        assert found.content.startswith("Goal reached, 8 May 2026: build a greenhouse.")


def test_it_can_be_undone_and_goes_with_what_it_rests_on(engine: Engine) -> None:
    with engine() as thalamus:
        turns = worked(thalamus)
        [batch] = [one for one in thalamus.store.batches() if one.action == "summarize"]
        thalamus.undo(batch.id)
        assert summaries(thalamus) == [] and thalamus.store.get(turns[1].stored_id)


def test_it_goes_with_the_turn_that_reached_the_goal(engine: Engine) -> None:
    with engine() as thalamus:
        turns = worked(thalamus)
        thalamus.undo(turns[3].stored_id)
        assert summaries(thalamus) == [] and thalamus.projects.world().goals == [GOAL]


def test_it_is_forgotten_with_its_turn(engine: Engine) -> None:
    from thalamus.memory.forget.erase import ForgetOptions

    with engine() as thalamus:
        turns = worked(thalamus)
        thalamus.forget(ForgetOptions(ids=(turns[1].stored_id,)))
        assert summaries(thalamus) == []


def test_nothing_is_written_unless_asked_for(engine: Engine) -> None:
    with engine(summarize_tasks=False) as thalamus:
        worked(thalamus)
        assert summaries(thalamus) == []


def test_a_goal_that_was_set_by_hand_has_no_turns_to_sum_up(engine: Engine) -> None:
    from thalamus.memory.user.world import apply_operations
    from thalamus.records import WorldOperation

    with engine() as thalamus:
        apply_operations(
            [WorldOperation(op="append", path="goals", value=GOAL)], TurnRun(thalamus.engine)
        )
        turn = thalamus.turn(MESSAGES[3][0])
        assert turn.issues == [] and summaries(thalamus) == []
        assert thalamus.projects.world().goals == []


def test_plugins_are_told_of_the_goal(engine: Engine) -> None:
    tasks: list[dict[str, object]] = []

    class Plugins:
        any = True

        def before_write(self, memory: Memory) -> Memory:
            return memory

        def after_retrieve(self, evidence: list[Any]) -> list[Any]:
            return evidence

        def on_task_complete(self, task: dict[str, object]) -> None:
            tasks.append(task)

        def stages(self) -> dict[str, Any]:
            return {}

        def tools(self) -> dict[str, Any]:
            return {}

        def problems(self) -> list[Any]:
            return []

    with engine() as thalamus:
        thalamus.engine = structs.replace(thalamus.engine, plugins=Plugins())
        worked(thalamus)
        [found] = summaries(thalamus)
    [task] = [task for task in tasks if task["task"] == "goal"]
    assert (task["id"], task["goal"], len(task["turns"])) == (found.id, GOAL, 3)  # type: ignore[arg-type]
