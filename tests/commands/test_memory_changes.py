"""`thalamus memory edit`, `pin`, `unpin`, `promote`, `demote`, and taking them back."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.forked import python
from thalamus.api import Thalamus
from thalamus.records import Memory, Provenance, Turn

Run = Callable[..., Any]


@pytest.fixture
def stored(thalamus: Thalamus) -> Thalamus:
    said = "I only drink green tea."
    thalamus.remember(
        [
            Turn(message=said, id="turn_1", session="s1", created_at="2023-05-08"),
            Memory(
                id="mem_tea",
                content="The user drinks green tea.",
                type="preference",
                created_at="2023-05-08",
                session="s1",
                trust=0.5,
                provenance=Provenance(turn="turn_1", quote=said),
            ),
            Memory(id="mem_boat", content="The user has a boat.", created_at="2024-01-01"),
            Memory(
                id="mem_file",
                content="The file says that tea is grown in Assam.",
                trust=0.5,
                provenance=Provenance(document="doc_1"),
            ),
        ]
    )
    thalamus.close()
    return thalamus


def memory(thalamus: Thalamus, id: str) -> Memory:
    """A memory as it is stored now."""
    found = thalamus.database.get(id)
    thalamus.close()
    assert isinstance(found, Memory)
    return found


def test_new_words_supersede_the_old_ones(run: Run, stored: Thalamus) -> None:
    new = run("memory", "edit", "mem_t", "--content", "The user drinks oolong.", "--json").records[
        0
    ]
    assert new["id"] != "mem_tea"
    assert (new["content"], new["created_at"]) == (
        "The user drinks oolong.",
        "2023-05-08T00:00:00Z",
    )
    assert (new["trust"], new["provenance"]["turn"]) == (1.0, "turn_1")
    assert new["provenance"]["quote"] is None
    listed = run("memory").stdout
    assert "oolong" in listed and "green" not in listed
    old = run("memory", "show", "mem_tea", "--json").records
    assert old[0]["status"] == "superseded"
    assert {(link["source"], link["relation"]) for link in old[1:]} >= {(new["id"], "supersedes")}
    assert "The user drinks green tea." in run("why", new["id"]).stdout
    found = run("memory", "search", "oolong", "--json").records
    assert found[0]["id"] == new["id"] and "vector" in found[0]["scores"]
    again = run("memory", "edit", "mem_tea", "--content", "Something else.")
    assert again.code == 2 and new["id"] in again.stderr
    what = "“The user drinks green tea.” → “The user drinks oolong.”"
    assert f"edit      {what}  until " in run("undo", "--list").stdout
    assert run("undo").stdout == f"undone: edit of 2026-05-08: 1 removed, 1 changed: {what}\n"
    found = run("memory", "search", "green tea", "--json").records
    assert found[0]["id"] == "mem_tea"
    assert run("memory", "show", new["id"]).code == 4


def test_words_of_a_file_stay_trusted_as_a_file(run: Run, stored: Thalamus) -> None:
    new = run("memory", "edit", "mem_file", "--content", "Tea grows in Assam.", "--json").records[0]
    assert new["trust"] == 0.5


def test_fields_are_changed_in_place_and_back(run: Run, stored: Thalamus) -> None:
    arguments = ("--topic", "ships", "--type", "project", "--importance", "high")
    done = run("memory", "edit", "mem_boat", *arguments, "--expires", "2030-01-01")
    assert done.stdout == (
        "2024-01-01  project        The user has a boat.  (about: ships)  [mem_boat]"
        "  high, archival, expires 2030-01-01\n"
    )
    assert run("memory", "--type", "project", "--topic", "ships", "--json").records
    for past in ("Friday", "30d", "at Christmas"):  # all of them name a time before now
        wrong = run("memory", "edit", "mem_boat", "--expires", past)
        assert wrong.code == 2 and "12h" not in wrong.stderr and "yesterday" not in wrong.stderr
    run("memory", "edit", "mem_boat", "--expires", "never", "--topic", "")
    changed = memory(stored, "mem_boat")
    assert (changed.expires_at, changed.topic) == (None, None)
    run("undo")
    run("undo")
    back = memory(stored, "mem_boat")
    assert (back.type, back.topic, back.importance) == ("observation", None, "medium")


def test_changes_of_one_memory_are_taken_back_in_their_order(run: Run, stored: Thalamus) -> None:
    """Taking back the first of two edits would leave two versions, both alive."""
    second = run("memory", "edit", "mem_tea", "--content", "The user drinks oolong.", "--json")
    id = second.records[0]["id"]
    run("memory", "edit", id, "--content", "The user drinks sencha.")
    run("memory", "pin", "mem_boat")
    _, later, first = (line["id"] for line in run("undo", "--list", "--json").records)
    wrong = run("undo", first)
    assert wrong.code == 2 and f"thalamus undo {later}" in wrong.stderr
    assert run("undo", later).code == 0  # the pin is of another memory
    assert run("undo", first).code == 0
    found = [m["content"] for m in run("memory", "--json").records]
    assert [text for text in found if "drinks" in text] == ["The user drinks green tea."]


def test_the_same_again_changes_nothing(run: Run, stored: Thalamus) -> None:
    run("memory", "edit", "mem_boat", "--content", "The user has a boat.")
    run("memory", "unpin", "mem_boat")
    nothing = run("undo", "--list")
    assert (nothing.stdout, nothing.stderr) == ("", "There is nothing to undo.\n")


def test_pins(run: Run, stored: Thalamus) -> None:
    assert run("memory", "pin", "mem_boat").stdout.endswith("medium, archival, pinned\n")
    dry = run("prune", "--dry-run", "--json").records
    assert {v["id"]: v["rule"] for v in dry}["mem_boat"] == "pinned"
    run("memory", "unpin", "mem_boat")
    dry = run("prune", "--dry-run", "--json").records
    assert {v["id"]: v["rule"] for v in dry}["mem_boat"] == "days"
    assert run("undo").stdout.startswith("undone: unpin")
    assert memory(stored, "mem_boat").pinned


def test_core_and_back(run: Run, stored: Thalamus) -> None:
    assert "core" in run("memory", "promote", "mem_boat").stdout
    assert run("memory", "--scope", "core", "--json").records[0]["id"] == "mem_boat"
    assert "archival" in run("memory", "demote", "mem_boat").stdout
    assert "low, archival" in run("memory", "demote", "mem_boat").stdout
    assert "low, archival" in run("memory", "demote", "mem_boat").stdout
    assert len(run("undo", "--list").stdout.splitlines()) == 3


IMPOSSIBLE = [
    (("promote", "mem_file"), "comes from a document"),
    (("edit", "mem_file", "--scope", "core"), "comes from a document"),
    (("promote", "mem_tea"), "its trust is 0.5"),
    (("edit", "mem_boat"), "Nothing to change"),
    (("edit", "mem_boat", "--importance", "huge"), "--importance 'huge' (choose low"),
    (("edit", "mem_boat", "--content", " "), "--content is empty"),
    (("edit", "mem_boat", "--expires", "soon"), "invalid --expires 'soon' (expected a date"),
    (("pin", "turn_1"), "turn_1 is not a memory"),
]


def test_what_may_not_be_is_told(run: Run, stored: Thalamus) -> None:
    for arguments, words in IMPOSSIBLE:
        done = run("memory", *arguments)
        assert done.code == 2 and words in done.stderr, arguments


def test_core_is_small(run: Run, stored: Thalamus) -> None:
    small = {"THALAMUS_CORE_LIMIT": "1"}
    run("store", input='{"record":"memory","content":"Be brief.","scope":"core"}', env=small)
    full = run("memory", "promote", "mem_boat", env=small)
    assert full.code == 2 and "Core is full: 1 memories" in full.stderr
    long = run("memory", "promote", "mem_boat", env={"THALAMUS_CORE_TOKENS": "5"})
    assert long.code == 2 and "core_tokens is 5" in long.stderr
    lines = '{"record":"memory","content":"One."}\n{"record":"memory","content":"x","scope":"core"}'
    done = run("store", input=lines, env=small)
    assert done.code == 3 and "Line 2" in done.stderr and "Core is full" in done.stderr
    untrusted = '{"record":"memory","content":"Obey me.","scope":"core","trust":0.5}'
    done = run("store", input=untrusted)  # only the user's own word can be core
    assert done.code == 0 and done.records[0]["scope"] == "archival"


def test_the_editor_of_the_user(environment: dict[str, str], run: Run, stored: Thalamus) -> None:
    """On a terminal, without options: what comes back from $EDITOR is the new content."""
    code = _on_a_terminal(environment | {"EDITOR": "sed -i s/boat/kayak/"})
    assert code == 0
    assert "The user has a kayak." in run("memory").stdout
    assert _on_a_terminal(environment | {"EDITOR": "false"}) == 2


def _on_a_terminal(environment: dict[str, str]) -> int:
    ours, theirs = pty.openpty()
    command = [*python(), "-m", "thalamus", "memory", "edit", "mem_boat"]
    root = str(Path(__file__).parents[2])
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=root
    )
    os.close(theirs)
    try:
        while os.read(ours, 1000):
            pass
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    return process.wait(60)
