"""`thalamus world` and `manifest` on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.conftest import Result

Run = Callable[..., Result]


def test_a_world_is_shown_changed_and_undone(run: Run) -> None:
    assert run("world").code == 10
    done = run("world", "apply", "set", "project", "Herb Garden", "--json")
    [change] = done.records
    assert done.code == 0 and change["record"] == "world_change"
    assert change["operations"] == [{"op": "set", "path": "project", "value": "Herb Garden"}]
    assert run("world", "apply", "merge", "topics", "Herbs", "Tea").code == 0
    run("world", "apply", "set", "entities.Ana", "my sister")
    run("world", "apply", "set", "goals", "plant basil", "sow chives")
    shown = run("world")
    assert shown.stdout == (
        "project   Herb Garden\n"
        "topics    herbs (1.00), tea (1.00)\n"
        "goals     plant basil\n"
        "          sow chives\n"
        "entities  Ana: my sister\n"
        "changed   2026-05-08\n"
    )
    [record] = run("world", "show", "--json").records
    assert record["record"] == "world" and record["topics"] == ["herbs", "tea"]
    listed = run("undo", "--list").stdout.splitlines()
    assert listed[0].startswith("2026-05-08  world     goals = plant basil, sow chives  until ")
    undone = run("undo").stdout
    assert undone == "undone: world of 2026-05-08: goals = plant basil, sow chives\n"
    history = run("world", "history").stdout.splitlines()
    assert [line.partition("  [")[0] for line in history] == [
        "2026-05-08  project = Herb Garden",
        "2026-05-08  topics + Herbs, Tea",
        "2026-05-08  entities = Ana: my sister",
        "2026-05-08  goals = plant basil, sow chives",
    ]
    assert history[-1].endswith("  (undone on 2026-05-08)")
    last = run("world", "history", "--limit", "1", "--json").records
    assert [one["undone_at"] for one in last] == ["2026-05-08T13:56:00Z"]


def test_two_states_are_compared(run: Run) -> None:
    assert run("world", "apply", "set", "project", "Herb Garden").code == 0
    run("world", "apply", "merge", "topics", "herbs")
    run("world", "apply", "merge", "topics", "tea")
    run("world", "apply", "set", "project", "Balcony")
    ids = [change["id"] for change in run("world", "history", "--json").records]
    assert run("world", "diff").stdout == "project: Herb Garden → Balcony\n"
    assert run("world", "diff", ids[2]).stdout == "topics: + tea, herbs 1.00 → 0.80\n"
    both = run("world", "diff", ids[0], ids[3]).stdout
    assert both == "project: Herb Garden → Balcony\ntopics: + tea, + herbs\n"
    before, after = run("world", "diff", ids[0], ids[3], "--json").records
    assert (before["project"], after["project"]) == ("Herb Garden", "Balcony")
    assert run("world", "diff", "mem_x").code == 4
    assert run("project", "status").stdout == "Project: Balcony\nTopics: tea, herbs\n"


def test_operations_come_from_standard_input(run: Run) -> None:
    one = {"op": "set", "path": "project", "value": "Tea"}
    two = {"op": "append", "path": "goals", "value": "drink it"}
    lines = f"{json.dumps(one)}\n\n{json.dumps(two)}\n"
    shown = run("world", "apply", "--dry-run", "--json", input=lines)
    assert shown.code == 0 and shown.records[0]["after"]["goals"] == ["drink it"]
    assert run("world").code == 10  # nothing was stored
    assert run("world", "apply", "--json", input=lines).records[0]["operations"] == [one, two]
    again = run("world", "apply", "--json", input=json.dumps([one, two], indent=2))
    assert (again.code, again.stdout) == (0, "")
    assert again.stderr == "The world state did not change.\n"


BAD = [
    ('{"op":"set","path":"goals","value":[5]}', "Line 1: `goals`: must be text, not a number"),
    ('\n{"op":"sit","path":"goals"}', "Line 2: `op`: invalid 'sit' (choose set, append, "),
    ('{"op":"set"}', "Line 1: Object missing required field `path`"),
    ('{"op":"set","path":"project","vlaue":1}', "Line 1: Object contains unknown field"),
    ('{"op":"set","path":5}', "Line 1: `path`: expected `str`, got `int`"),
    ('[{"op":"set","path":"mood"}]', "Line 1: `mood`: unknown path"),
    (
        '[{"op":"set","path":"goals"},\n{"op":"append","path":"project"}]',
        "Line 1: operation 2: `project`: cannot append",
    ),
    ("{", "Line 1: not JSON: it ends too early"),
    ("[1]", "Line 1: operation 1: Expected `object`, got `int`"),
]


def test_a_bad_operation_on_standard_input(run: Run) -> None:
    for lines, message in BAD:
        done = run("world", "apply", input=lines)
        assert done.code == 3 and done.stdout == "", lines
        assert message in done.stderr
    assert run("world").code == 10 or run("world", "--json").records[0]["project"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sit", "project"], "invalid OP 'sit' (choose set, append, remove or merge)"),
        (["set"], "PATH is missing"),
        (["set", "mood", "x"], "Operation 1 (`mood`): unknown path (choose project, topics, "),
        (["set", "project", "Herb", "Garden"], "too many values for set project: 'Herb Garden'"),
        (["merge", "entities", "Ana"], "invalid VALUE 'Ana': not JSON"),
        (["append", "project", "x"], "Operation 1 (`project`): cannot append: it is not a list"),
    ],
)
def test_a_bad_operation_in_the_arguments(run: Run, words: list[str], message: str) -> None:
    done = run("world", "apply", *words)
    assert done.code == 2 and message in done.stderr


@pytest.mark.parametrize("encrypted", [False, True])
def test_after_undo_days_the_states_of_all_changes_go(run: Run, encrypted: bool) -> None:
    env = {"THALAMUS_ENCRYPT_PERSONAL": str(encrypted)}
    for topic in ("herbs", "tea"):
        run("world", "apply", "merge", "topics", topic, env=env)
    run("world", "apply", "set", "project", "Balcony", env=env)
    assert all(change["after"] for change in run("world", "history", "--json").records)
    later = {"THALAMUS_NOW": "2027-05-08T12:00:00Z"}
    assert run("prune", env=later).code == 0
    changes = run("world", "history", "--json").records
    assert [(c["before"], c["after"]) for c in changes] == [(None, None)] * 3
    assert [c["operations"][0]["value"] for c in changes] == [["herbs"], ["tea"], "Balcony"]
    state = run("world", "show", "--json").records[0]
    assert (state["project"], state["topics"]) == ("Balcony", ["tea", "herbs"])
    assert run("undo", env=later).code == 4
