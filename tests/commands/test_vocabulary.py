"""One idea has one name on every command."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from tests.conftest import Result
from thalamus.cli import app
from thalamus.commands.groups import FORMER, SYNONYMS
from thalamus.commands.table import COMMANDS

Run = Callable[..., Result]

# what prints no records: conversations, files, help
WITHOUT_JSON = {
    *("init", "chat", "ui", "session resume", "session export", "export", "mcp", "models pull"),
    *("help", "hook run"),
}
FILTERS = {
    *("turn", "retrieve", "answer", "reflect", "store write", "plan", "tools call"),
    *(f"stage {name}" for name in ("route", "gather", "act", "topics", "draft", "search-plan")),
}
# a cut-off, not a number of results
CUTOFFS = {"eval retrieval", "eval compare"}


def leaves() -> Iterator[tuple[str, Any]]:
    """Every command that runs, by its words."""

    def walk(command: Any, words: list[str]) -> Iterator[tuple[str, Any]]:
        if not hasattr(command, "list_commands"):
            yield " ".join(words), command
            return
        for name in command.list_commands(None):
            yield from walk(command.get_command(None, name), [*words, name])

    yield from walk(typer.main.get_command(app), [])


def options(command: Any) -> dict[str, Any]:
    return {name: one for one in command.params for name in one.opts if name.startswith("-")}


OPTIONS = {words: options(command) for words, command in leaves()}


def having(option: str) -> set[str]:
    return {words for words, own in OPTIONS.items() if option in own}


def test_one_option_for_one_idea() -> None:
    assert having("--limit") == having("-n")
    assert having("-k") == CUTOFFS
    assert having("-o") == having("--output")
    assert set(OPTIONS) - having("--json") == WITHOUT_JSON
    assert having("--keep-going") == FILTERS
    for former, name in FORMER.items():
        assert having(former) <= CUTOFFS and having(name)


def test_zero_lifts_a_limit(run: Run) -> None:
    for words in having("--limit"):
        assert OPTIONS[words]["--limit"].type.min == 0, words
    records = [{"record": "memory", "content": f"Heron {n} stood there."} for n in range(101)]
    run("store", input="".join(json.dumps(record) + "\n" for record in records))
    assert len(run("memory").stdout.splitlines()) == 100
    assert len(run("memory", "-n", "0").stdout.splitlines()) == 101
    assert len(run("memory", "--json").records) == 101
    assert len(run("retrieve", "heron", "-n", "0").stdout.splitlines()) == 101


@pytest.mark.parametrize("former", [("-k", "1"), ("-k1",), ("-n1",), ("--limit=1",)])
def test_a_former_spelling_goes_on_working(run: Run, former: tuple[str, ...]) -> None:
    run("store", input='{"record":"memory","content":"Ana keeps bees."}\n' * 2)
    done = run("memory", *former)
    assert (done.code, len(done.stdout.splitlines())) == (0, 1)
    assert ("thalamus: -k is now -n." in done.stderr) == former[0].startswith("-k")
    done = run("memory", "search", "--", "-k")
    assert done.code == 0 and "is now" not in done.stderr


BAD = '{"record":"memory","content":"Ana keeps bees."}\nnonsense\n{"record":"fact","subject":"a"}\n'
GOOD = '{"record":"memory","content":"Ana keeps hens.","created_at":"2024"}\n'


def test_a_bad_line_is_passed_over_where_that_is_asked_for(run: Run) -> None:
    done = run("store", input=BAD + GOOD)
    assert (done.code, len(done.records)) == (3, 1)
    done = run("store", "--keep-going", input=BAD + GOOD)
    assert done.code == 3
    assert [one["content"] for one in done.records] == ["Ana keeps bees.", "Ana keeps hens."]
    assert "Line 2" in done.stderr and "Line 3" in done.stderr
    bad_time = '{"record":"memory","content":"x","created_at":"soon"}\n'
    done = run("store", "--keep-going", input=bad_time * 3 + GOOD)
    assert (done.code, len(done.records), done.stderr.count("`created_at`")) == (3, 1, 3)
    turns = '{"record":"turn","message":"Hi."}\n[]\n{"record":"turn","message":"Tea?"}\n'
    for words in sorted(FILTERS - {"store write", "tools call"}):
        done = run(*words.split(), "--keep-going", "--json", input=turns)
        assert (words, done.code, len(done.records)) == (words, 3, 2)
        error = json.loads(done.stderr.splitlines()[0])
        assert (error["record"], error["name"], error["line"]) == ("error", "bad_record", 2)


def test_a_failed_stage_is_a_record_with_json(run: Run) -> None:
    turn = '{"record":"turn","message":"Hi."}\n'
    done = run("answer", "--json", "-m", "openai:nobody", input=turn)
    [error] = [json.loads(line) for line in done.stderr.splitlines()]
    assert (error["record"], error["code"]) == ("error", done.code)
    assert done.records[0]["issues"][0]["code"] == error["name"]


def test_finding_nothing_can_be_a_status(run: Run) -> None:
    run("store", input='{"record":"memory","content":"Ana keeps bees."}\n')
    for words in sorted(having("--fail-empty") - {"world history"}):
        given = {"facts history": ["nobody"]}.get(words, [])
        given = ["zebra"] if words.endswith("search") or words == "retrieve" else given
        if words in ("memory list", "session list", "tools list", "timeline"):
            continue  # which list something here
        done = run(*words.split(), *given, "--fail-empty")
        assert (words, done.code, done.stdout) == (words, 4, "")
        assert run(*words.split(), *given).code == 0
        done = run(*words.split(), *given, "--fail-empty", "--json")
        assert (words, done.code) == (words, 4)
        assert json.loads(done.stderr)["name"] == "nothing_found"
    assert run("memory", "--fail-empty").code == 0


def test_other_names_lead_home(run: Run) -> None:
    for words, meant in SYNONYMS.items():
        done = run(*words.split(), "x")
        named = " or ".join(f"`thalamus {one}`" for one in meant)
        assert (done.code, f"Did you mean {named}?" in done.stderr) == (2, True), words
        for one in meant:
            command = one.split()[0]
            assert command in COMMANDS or command == "--version"


def test_a_period_is_one_everywhere(run: Run) -> None:
    old, new = "2020-03-01T09:00:00Z", "2026-05-01T09:00:00Z"
    for at, place, session in ((old, "Porto", "old"), (new, "Faro", "new")):
        record = {"message": f"I moved to {place}.", "created_at": at, "session": session}
        run("turn", input=json.dumps({"record": "turn", **record}))
    for words in ("facts --history", "memory", "session list", "timeline", "session search moved"):
        for period, place in (("--since=2026-01-01", "Faro"), ("--until=2021", "Porto")):
            shown = run(*words.split(), period).stdout
            other = {"Faro": "Porto", "Porto": "Faro"}[place]
            # a fact that ends says since when another holds
            assert place in shown and (other not in shown or "timeline" in words), (words, shown)
        assert run(*words.split(), "--since", "3000-01-01", "--fail-empty").code == 4
    assert run("session", "--since", "2w").stdout == run("session", "--since=2026-05-01").stdout


def test_the_text_of_a_memory_follows_its_id(run: Run) -> None:
    run("store", input='{"record":"memory","content":"Ana keeps bees.","id":"mem_bees"}\n')
    assert "Ana keeps hens." in run("memory", "edit", "mem_bees", "Ana keeps hens.").stdout
    done = run("memory", "edit", "mem_bees", "Hens.", "--content", "Bees.")
    assert (done.code, "TEXT and --content cannot be combined" in done.stderr) == (2, True)


def test_words_in_place_of_an_id_are_explained(run: Run) -> None:
    run("store", input='{"record":"memory","content":"Ana keeps bees."}\n')
    done = run("forget", "cargo bike")
    assert (done.code, "`thalamus forget --about 'cargo bike'`" in done.stderr) == (4, True)
    assert "--about" not in run("forget", "mem_nobody").stderr


def test_a_written_file_is_private_and_replacing_it_is_announced(run: Run, tmp_path: Path) -> None:
    run("turn", "I moved to Lisbon.", "--session", "moving")
    for words in (("export",), ("session", "export", "moving")):
        file = tmp_path / words[0]
        assert run(*words, "-o", str(file)).stderr == ""
        assert file.stat().st_mode & 0o777 == 0o600
        assert "is replaced" in run(*words, "-o", str(file)).stderr
        assert run(*words, "-o", str(file), "--force").stderr == ""


@pytest.mark.parametrize("line", ["exit", "quit", "Exit", "/exit", "/quit"])
def test_the_words_that_leave_other_programs_leave_the_chat(run: Run, line: str) -> None:
    done = run("chat", input=f"{line}\nI moved to Lisbon.\n")
    assert (done.code, run("facts").stdout) == (0, "")


@pytest.mark.parametrize(
    "command",
    [
        "facts",
        "memory",
        "session",
        "concepts",
        "export",
        "metrics",
        "retrieve tea",
        "report -o r.html",
    ],
)
def test_a_period_that_ends_before_it_begins(run: Run, command: str) -> None:
    done = run(*command.split(), "--since", "2026-06-01", "--until", "2026-05-01")
    assert done.code == 2 and "--until must be later than --since" in done.stderr


@pytest.mark.parametrize("last", ["9999-12-31", "9999", "9999-12"])
def test_a_time_without_a_next_one(run: Run, last: str) -> None:
    """Others store it for "without an end"."""
    done = run("facts", "add", "Ana", "works_at", "Bosch", "--to", last)
    assert done.code == 2 and "Leave out what has no end" in done.stderr
    fact = {"record": "fact", "subject": "Ana", "predicate": "works_at", "object": "Bosch"}
    lines = [{"record": "memory", "content": "Hello."}, {**fact, "valid_to": last}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = run("store", "--keep-going", input=text)
    assert done.code == 3 and "Line 2: `valid_to`" in done.stderr and len(done.records) == 1


def test_the_latest_time_can_be_shown(run: Run) -> None:
    line = {"record": "memory", "content": "Hello.", "created_at": "9998-12-31"}
    assert run("store", input=json.dumps(line)).code == 0
    assert run("facts", "add", "Ana", "works_at", "Bosch", "--from", "9998-12-31").code == 0
    for command in ("store stats", "timeline", "timeline --facts", "report -o r.html", "memory"):
        assert run(*command.split()).code == 0, command


@pytest.mark.parametrize("group", ["memory", "session", "insights"])
def test_a_search_needs_words(run: Run, group: str) -> None:
    run("turn", "I like tea.")
    done = run(group, "search", " ", "")
    assert done.code == 2 and "no words to search for" in done.stderr
