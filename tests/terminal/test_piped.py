"""The chat in a pipe: messages, slash commands, and questions that nobody can answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.extracting import script
from tests.conftest import Result

Run = Callable[..., Result]
MOVED = "I moved to Lisbon in May."


def test_slash_commands_work(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "garden.md"
    page.write_text("# Garden\n\nHerons come to the pond at dawn.\n")
    lines = ["/facts", MOVED, "/facts", "/plan", "/why", f"/ingest {page}", "/memory Lisbon"]
    done = run("chat", input="\n".join([*lines, "/debug", "/new"]) + "\n")
    assert done.code == 0, done.stderr
    shown = done.stdout
    for text in (
        "There are no memories yet.",
        "user lives_in Lisbon",
        "No plan",
        "answered by scripted",
        "ingested",
        "memory    I moved to Lisbon in May.",
        "debug is on",
        "session session_",
    ):
        assert text in shown, text
    turns = [r["message"] for r in run("export").records if r["record"] == "turn"]
    assert turns == [MOVED]


def test_memory_with_words_searches_memories_only(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "garden.md"
    page.write_text("# Garden\n\nHerons come to Lisbon at dawn.\n")
    run("turn", MOVED)
    run("ingest", str(page), "--no-summary")
    done = run("chat", input="/memory Lisbon\n")
    assert [line.split()[2] for line in done.stdout.splitlines()] == ["memory"]
    assert "I moved to Lisbon" in done.stdout
    words_only = ("chat", "--embedder", "none")
    assert run(*words_only, input="/memory herons\n").stdout == "No memories match.\n"
    assert run("chat", input="/facts Zoe\n").stdout == "There are no facts about “Zoe”.\n"
    shown = run("chat", input="/help memory\n/help facts\n").stdout
    assert "list memories, or search them for WORDS" in shown
    assert "list the current facts, or those about SUBJECT" in shown


def test_two_slashes_begin_a_message(run: Run) -> None:
    assert run("chat", input="//plan is a word I like.\n/etc/hosts is odd.\n").code == 0
    turns = [r["message"] for r in run("export").records if r["record"] == "turn"]
    assert turns == ["/plan is a word I like.", "/etc/hosts is odd."]


def test_an_unknown_command_is_told_and_the_rest_goes_on(run: Run) -> None:
    done = run("chat", input=f"/fact\n{MOVED}\n/facts\n")
    assert "Did you mean /facts" in done.stderr and "lives_in Lisbon" in done.stdout
    assert done.code == 2


def test_a_turn_that_failed_is_in_the_exit_status(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("- {error: unreachable}")
    for lines in (
        f"{MOVED}\n",
        f"{MOVED}\n/quit\n",
        f"{MOVED}\n/facts\n",
        f"/fact\n{MOVED}\n",
        f"{MOVED}\n/model scripted\nI like tea.\n",  # the rest goes on, with another model
    ):
        done = run("chat", "--model", f"scripted:{script}", input=lines)
        assert done.code == 12, lines
        assert f"Cannot reach the model scripted:{script}" in done.stderr
    assert "You like tea." in done.stdout


def test_a_turn_that_was_not_stored_is_in_the_exit_status(run: Run, home: Path) -> None:
    run("facts", "add", "Ana", "likes", "tea")
    (home / "config" / "keys" / "default.key").unlink()
    done = run("chat", input=f"{MOVED}\n")
    assert done.code == 14 and "The message was not stored." in done.stderr


def test_quit_ends_it(run: Run) -> None:
    done = run("chat", input=f"/quit\n{MOVED}\n")
    assert done.code == 0 and done.stdout == ""


def test_nobody_is_asked(run: Run) -> None:
    """The next line is a message, not the answer to a question."""
    done = run("chat", "--session", "s", input=f"{MOVED}\n/forget\ny\n")
    assert "to delete: 1 turn, 1 memory, 1 fact" in done.stdout
    [told] = [line for line in done.stdout.splitlines() if "cannot ask here" in line]
    turns = [r for r in run("export").records if r["record"] == "turn"]
    assert [turn["message"] for turn in turns] == [MOVED, "y"]
    assert told.endswith(f"`thalamus forget {turns[0]['id']} --yes` instead.")
    assert "lives_in Lisbon" in run("facts").stdout


HEART = "dads got a pacemaker now"
ASKED = "can you forget that, he doesnt want it around?"
HAS = {"content": "The user's father has a pacemaker.", "type": "relationship"}
CLAIMED = {"content": "The user's father does not want it around."}


@pytest.fixture
def forgetting(tmp_path: Path) -> dict[str, str]:
    """The environment of a model that also proposes to keep what the request says."""
    told = {HEART: [HAS], MOVED: [], ASKED: [{"forget": "m1"}, {"forget": "m9"}, CLAIMED]}
    return {"THALAMUS_MODEL": script(tmp_path / "script.json", told)}


def stored(run: Run) -> list[str]:
    kinds = {"turn": "message", "memory": "content"}
    found = run("export").records
    return sorted(r[kinds[r["record"]]] for r in found if r["record"] in kinds)


def test_a_request_to_forget_is_proposed_and_keeps_nothing(
    run: Run, forgetting: dict[str, str]
) -> None:
    done = run("chat", input=f"{HEART}\n{MOVED}\n{ASKED}\n", env=forgetting)
    assert "turns: 2" in done.stdout and "memories: 1\n  “The user's father has" in done.stdout
    [line] = [line for line in done.stdout.splitlines() if "cannot ask here" in line]
    command = line.partition("`thalamus ")[2].partition("`")[0].split()
    assert command[0] == "forget" and [id.split("_")[0] for id in command[1:3]] == ["mem", "turn"]
    assert stored(run) == sorted([HEART, MOVED, ASKED, HAS["content"]])
    assert run(*command).code == 0
    assert stored(run) == [MOVED]


def test_a_turn_names_the_command(run: Run, forgetting: dict[str, str]) -> None:
    run("turn", HEART, env=forgetting)
    known = run("export").stdout
    done = run("turn", ASKED, env=forgetting)
    assert "memories: 1\n  “The user's father has" in done.stdout
    assert "`thalamus forget mem_" in done.stdout and "after asking" in done.stdout
    assert "does not want it around." not in run("export").stdout
    [memory] = [r for r in run("memory", "--json").records if r["record"] == "memory"]
    assert memory["id"] in known
    [turn] = run("turn", "--json", ASKED, env=forgetting).records
    assert turn["reflection"]["forget"] == [memory["id"]]
    assert turn["reflection"]["memories_to_store"] == []
    after = run("turn", "--json", "What do you know?", env=forgetting).records
    assert after[0]["reflection"]["forget"] == []


def test_without_a_model_that_can_tell_only_a_plain_request_is_heard(run: Run) -> None:
    run("turn", MOVED)
    assert "thalamus forget" not in run("turn", "The move to Lisbon should go, please.").stdout
    done = run("turn", "Please forget that I moved to Lisbon.")
    assert "`thalamus forget mem_" in done.stdout and "after asking" in done.stdout
    assert MOVED in run("export").stdout


def test_memory_can_be_switched_in_the_chat(run: Run) -> None:
    lines = f"{MOVED}\n/memory off\nI hate olives.\nWhere do I live?\n/ingest x.md\n/memory on\n"
    done = run("chat", "--session", "s", input=f"{lines}/memory on\nWhere do I live?\n/memory\n")
    assert "memory is off: nothing is recalled or stored" in done.stdout
    private, public = done.stdout.split("memory is on\n", 1)
    assert "I do not know that yet." in private
    assert "Lisbon" in public and "olives" not in public
    assert "Memory is off." in done.stderr and "`/memory on` turns it on" in done.stderr
    said = [r["message"] for r in run("export").records if r["record"] == "turn"]
    assert said == [MOVED, "Where do I live?"]


def test_a_line_that_is_not_utf_8_is_refused_and_the_next_are_heard(run: Run) -> None:
    done = run("chat", "--session", "s", input=b"My caf\xe9 is in Faro.\nI like tea.\n")
    assert done.code == 3 and "Line 1: not UTF-8 (byte 7)" in done.stderr
    said = [r["message"] for r in run("export").records if r["record"] == "turn"]
    assert said == ["I like tea."]
