"""`consolidate`: the steps of the slow loop, what each changes, and how it is taken back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.memory.test_insights import DAYS, live
from thalamus.api import Thalamus
from thalamus.records import Memory

Run = Callable[..., Result]
EXPIRED = Memory(id="mem_old", content="The code 4821 is valid.", expires_at="2026-05-01T00:00:00Z")


def summaries(thalamus: Thalamus) -> list[Memory]:
    return [memory for memory in thalamus.memories.find() if memory.type == "session_summary"]


def status(thalamus: Thalamus) -> str:
    memory = thalamus.database.get(EXPIRED.id or "")
    assert isinstance(memory, Memory)
    return memory.status


def test_all_steps_run_in_order_and_each_is_taken_back(
    run: Run, thalamus: Thalamus, home: Path
) -> None:
    live(home)
    done = run("consolidate")
    made = thalamus.insights.find()
    assert done.code == 0 and made and len(summaries(thalamus)) == len(DAYS)
    assert done.stderr.startswith(f"consolidate: {len(DAYS)} turns done, ")
    assert f"{len(DAYS)} sessions summarized" in done.stderr
    assert run("consolidate").stderr == "consolidate: nothing to do\n"
    actions = [batch["action"] for batch in run("undo", "--list", "--json").records]
    assert actions[0] == "summarize" and actions[-1] == "crystallize"
    for _ in actions:
        assert run("undo").code == 0
    assert thalamus.insights.find(status=None) == [] and summaries(thalamus) == []
    assert run("consolidate", "crystallize").stderr == "consolidate: nothing to do\n"


def test_only_the_steps_that_are_named_run(run: Run, thalamus: Thalamus, home: Path) -> None:
    live(home, DAYS[:2])
    assert run("consolidate", "summarize").stderr == "consolidate: 2 sessions summarized\n"
    assert thalamus.insights.count_jobs() == {"waiting": 2}
    assert run("consolidate", "crystallize", "--limit", "1").code == 0
    assert thalamus.insights.count_jobs() == {"waiting": 1, "done": 1}


def test_nothing_is_retired_unless_it_is_asked_for(run: Run, thalamus: Thalamus) -> None:
    thalamus.remember([EXPIRED])
    run("consolidate")
    assert status(thalamus) == "active"
    assert "1 dropped" in run("consolidate", "--prune").stderr
    assert status(thalamus) == "retired"
    assert run("undo").code == 0
    assert status(thalamus) == "active"


def test_it_ends_where_the_model_is_gone(
    run: Run, thalamus: Thalamus, home: Path, tmp_path: Path
) -> None:
    """What is left is done with the model, later."""
    live(home)
    script = tmp_path / "script.yaml"
    script.write_text("- {role: crystallize, error: unreachable}\n")
    assert run("consolidate", "--model", f"scripted:{script}").code == 12
    assert summaries(thalamus) == [] and thalamus.insights.count_jobs()["waiting"] >= 1
    assert run("consolidate").code == 0
    assert summaries(thalamus) and thalamus.insights.find()


def test_without_a_store_there_is_nothing_to_do(run: Run) -> None:
    assert run("consolidate").stderr == "consolidate: nothing to do\n"


@pytest.mark.parametrize(
    "words",
    [
        ("sleep",),
        ("-", "merge"),
        ("--dry-run",),
        ("merge", "--limit", "2"),
        ("summarize", "--watch"),
        ("-", "--prune"),
        ("merge", "--dry-run", "--prune"),
    ],
)
def test_what_does_not_go_together(run: Run, words: tuple[str, ...]) -> None:
    assert run("consolidate", *words).code == 2


def test_a_turn_without_an_id_is_named_by_its_line(run: Run) -> None:
    run("turn", "I like tea.")
    done = run("consolidate", "-", input='{"record":"turn","message":"x"}\n')
    assert done.code == 3 and "Line 1: `id`" in done.stderr


def test_what_the_filter_concludes_can_be_undone(run: Run) -> None:
    said = {"2026-03-01": "I play chess with my uncle.", "2026-04-12": "My uncle taught me chess."}
    for day, message in said.items():
        run("turn", message, env={"THALAMUS_NOW": day})
    turns = run("export", "--kind", "turn").stdout
    assert len(run("consolidate", "-", input=turns).records) == 1
    assert run("consolidate", "-", "--dry-run", input=turns).stdout == ""
    assert run("undo").code == 0 and run("insights", "--json").records == []
