"""The chat in a pipe: messages, slash commands, and questions that nobody can answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

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


def test_a_request_to_forget_is_shown_and_not_stored(run: Run) -> None:
    lines = ["My brother Paul keeps bees.", MOVED, "Forget what I said about my brother."]
    done = run("chat", input="\n".join(lines) + "\n")
    assert "My brother Paul keeps bees." in done.stdout
    assert "`thalamus forget --about 'my brother' --yes` instead." in done.stdout
    turns = [r["message"] for r in run("export").records if r["record"] == "turn"]
    assert turns == lines[:2]
    gone = run("forget", "--about", "my brother", "--yes")
    assert gone.code == 0, gone.stderr
    assert "Paul" not in run("export").stdout and "lives_in Lisbon" in run("facts").stdout


def test_a_turn_shows_what_would_go(run: Run) -> None:
    run("turn", MOVED)
    before = run("export").stdout
    asked = "Please forget that I moved to Lisbon."
    done = run("turn", asked)
    assert done.code == 0
    assert "turns: 1" in done.stdout and "memories: 1\n  “I moved to Lisbon in May.”" in done.stdout
    assert "`thalamus forget --about 'I moved to Lisbon'`" in done.stdout
    answered = run("turn", "--json", asked).records
    assert [r["record"] for r in answered] == ["turn"] and "--about" in answered[0]["answer"]
    assert "id" not in answered[0] or answered[0]["id"] is None
    piped = run("turn", "--json", input=json.dumps({"record": "turn", "message": asked}))
    assert piped.records == answered
    nothing = run("turn", "Forget what I said about my sister.")
    assert nothing.stdout == "Nothing is stored about “my sister”.\n" and nothing.code == 0
    assert run("export").stdout == before


def test_a_request_where_there_is_no_store(run: Run, home: Path) -> None:
    done = run("turn", "Forget what I said about my sister.")
    assert "Nothing is stored about" in done.stdout and not (home / "data").exists()


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
