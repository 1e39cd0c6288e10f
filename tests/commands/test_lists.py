"""Lists: whole in JSON, and never cut in silence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]


TURNS = 130


def fill(run: Run) -> None:
    lines = []
    for n in range(TURNS):
        said = {"content": f"The heron number{n} stands by the mill pond."}
        at = {"created_at": f"2026-03-01T10:{n // 60:02}:{n % 60:02}Z"}
        lines.append(
            {
                "record": "memory",
                "topic": f"pool {chr(97 + n // 26)}o{chr(97 + n % 26)}am",
                **said,
                **at,
            }
        )
        lines.append({"record": "turn", "message": said["content"], "session": f"s{n % 30}", **at})
    assert run("store", input="\n".join(map(json.dumps, lines))).code == 0
    for n in range(25):
        run(
            "world",
            "apply",
            "-",
            input=json.dumps({"op": "set", "path": "project", "value": f"Weir {n}"}),
        )


@pytest.fixture
def store(shared: Callable[[Callable[[Run], None]], Run]) -> Run:
    return shared(fill)


LISTS = [
    (("memory",), 100),
    (("concepts",), 50),
    (("world", "history"), 20),
    (("session", "search", "heron"), 20),
    (("timeline",), 100),
]


@pytest.mark.parametrize(("command", "usual"), LISTS)
def test_whole_in_json_and_counted_for_people(
    store: Run, command: tuple[str, ...], usual: int
) -> None:
    every = store(*command, "--json").records
    assert len(every) > usual
    assert store(*command, "--json").stderr == ""
    said = store(*command).stderr
    assert f"{len(every) - usual:,} " in said and "left out; --limit N lists more" in said
    assert store(*command, "--limit", str(len(every))).stderr == ""
    few = store(*command, "--limit", "3", "--json")
    last = command[0] in ("world", "timeline")
    assert few.records == (every[-3:] if last else every[:3]) and few.stderr == ""


def test_lists_without_a_usual_length(store: Run) -> None:
    assert store("session").stderr == ""
    assert store("session", "-n", "10").stderr == "20 left out; --limit N lists more.\n"
    shown = store("session", "show", "s1", "-n", "2")
    assert shown.stderr == "3 earlier left out; --limit N lists more.\n"
    assert "number121 " in shown.stdout and "number61 " not in shown.stdout


def test_metadata_selects(run: Run) -> None:
    """In a listing and in a search; numbers as they are written."""
    for number, colour in enumerate(("red", "blue", "red")):
        given = {"colour": colour, "shelf no": number, "nested": {"a": 1}}
        record = {"record": "memory", "content": f"Box {number} holds figs.", "metadata": given}
        run("store", input=json.dumps(record))
    listed = run("memory", "--metadata", "colour=red", "--json").records
    assert {one["content"] for one in listed} == {"Box 0 holds figs.", "Box 2 holds figs."}
    both = run("memory", "--metadata", "colour=red", "--metadata", "shelf no=2", "--json").records
    assert [one["content"] for one in both] == ["Box 2 holds figs."]
    found = run("retrieve", "figs", "--metadata", "colour=blue", "--json").records
    assert [one["text"] for one in found] == ["Box 1 holds figs."]
    assert run("memory", "--metadata", "colour=green", "--fail-empty").code == 4
    for wrong in ("colour", "=red", "colour=", 'a"b=c'):
        assert run("memory", "--metadata", wrong).code == 2
    assert run("memory", "--metadata", "colour=red", "--redacted").code == 2
