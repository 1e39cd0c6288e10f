"""The commands inside a chat, given in a pipe: each does what its subcommand does."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.commands.table import COMMANDS as TOP_LEVEL
from thalamus.errors import UsageError
from thalamus.records import Fact, Memory
from thalamus.terminal.editor import edited
from thalamus.terminal.slash_commands import COMMANDS, HELP, help_lines

Run = Callable[..., Result]
MOVED = "I moved to Lisbon in May."


def chat(run: Run, *lines: str, options: tuple[str, ...] = ("--session", "s")) -> Result:
    return run("chat", *options, input="".join(f"{line}\n" for line in lines))


def test_the_help_fits_a_screen_and_names_every_command() -> None:
    wide = list(help_lines("", 80))
    assert len(wide) <= 23 and max(map(len, wide)) <= 80
    narrow = list(help_lines("", 60))
    assert max(map(len, narrow[:-2])) <= 40
    for lines in (wide, narrow):
        assert set(re.findall(r"(?:^| )/([a-z]+)", "\n".join(lines))) >= set(COMMANDS)
    for name in COMMANDS:
        assert list(help_lines(name)) == [
            f"/{usage:17} {what}" for usage, what in HELP.items() if usage.split()[0] == name
        ]


# commands of a chat without one of the shell: they are about the conversation itself, or set what
# an option sets
OF_A_CHAT = "retry compose copy debug new model persona flow quit".split()


def test_chat_and_shell_use_the_same_verbs(run: Run) -> None:
    verbs = set(TOP_LEVEL)
    for group in ("memory", "facts", "session"):
        listed = run(group, "--help").stdout.partition("Commands:\n")[2].partition("\n\n")[0]
        verbs |= set(re.findall(r"^  ([a-z]+)", listed, re.MULTILINE))
    assert set(COMMANDS) - verbs == set(OF_A_CHAT)


def test_every_command_is_described() -> None:
    page = (Path(__file__).parents[2] / "docs" / "chat.md").read_text().replace("\\|", "|")
    found = dict(re.findall(r"^\| `/([^`]+)` \| (.*) \|$", page, re.MULTILINE))
    assert found == HELP


def test_a_turn_is_taken_back(run: Run) -> None:
    done = chat(run, MOVED, "I moved to Porto yesterday.", "/undo", "/facts", "/undo", "/facts")
    out = done.stdout
    assert "undone: “I moved to Porto yesterday.”" in out
    assert "restored: “user lives_in Lisbon”" in out
    assert out.index("lives_in Lisbon  (since") < out.index("undone: “I moved to Lisbon")
    assert out.endswith("There are no facts yet.\n") and done.code == 0
    assert chat(run, "/undo").stderr.startswith("thalamus: There are no turns in this session yet")


def test_a_change_by_hand_is_taken_back_before_the_turn_before_it(run: Run) -> None:
    chat(run, MOVED, options=("--session", "a"))
    [fact] = [one for one in run("facts", "--json").records if one["predicate"] == "lives_in"]
    commands = (f"/correct {fact['id']} Lagos", "/undo", "/facts", "/undo")
    out = chat(run, *commands, options=("--session", "a")).stdout
    undone = out.index("undone: correct of")
    assert out.index("user lives_in Lagos  (since") < undone < out.rindex("user lives_in Lisbon ")
    assert out.rindex("user lives_in Lisbon ") < out.index("undone: “I moved to Lisbon")
    assert "undone: “I like tea.”" in chat(run, MOVED, "I like tea.", "/undo").stdout


def test_the_last_message_is_sent_again(run: Run) -> None:
    done = chat(run, MOVED, "/retry")
    assert done.stdout.count("Noted: You moved to Lisbon") == 2
    turns = [r for r in run("export").records if r["record"] == "turn"]
    assert [turn["message"] for turn in turns] == [MOVED]
    assert "There are no turns" in chat(run, "/retry", options=("--session", "new")).stderr
    private = chat(run, "Hello!", "/retry", options=("--no-memory",))
    assert "again: Hello!" in private.stdout


def test_statements_are_corrected_and_pinned(run: Run) -> None:
    chat(run, MOVED)
    [fact] = [r for r in run("facts", "--json").records if r["predicate"] == "lives_in"]
    [memory] = run("memory", "--json").records
    done = chat(
        run,
        f"/pin {memory['id']}",
        f"/unpin {memory['id']}",
        f"/edit {memory['id']} The user moved to Braga.",
        f"/correct {fact['id']} Porto",
        "/facts porto",
        "/memory",
        "/edit",
        "/correct",
    )
    before, after = done.stdout.split("user lives_in Porto", 1)
    assert "are unchanged until you /correct them:\nuser lives_in Lisbon" in before
    assert "user lives_in Porto" in after and "user lives_in Lisbon" not in after
    assert ", pinned" in done.stdout and "high, archival\n" in done.stdout
    assert "The user moved to Braga." in done.stdout
    assert "/correct fact_… Porto" in done.stderr and "/edit mem_… The user" in done.stderr
    assert done.code == 2


def test_words_are_explained_by_the_newest_that_holds_them(run: Run) -> None:
    chat(run, MOVED, "I live in Lisbon and I love figs.", "My cat is called Fado.")
    [memory] = [m for m in run("memory", "--json").records if "fig" in m["content"]]
    done = chat(run, "/why figs lisbon", "/why lisbon", f"/why {memory['id'][:-1]}", "/why zebra")
    assert run("why", "figs", "Lisbon").stdout in done.stdout
    assert done.stdout.startswith("memory I live in Lisbon and I love figs.")
    assert "(the newest of " in done.stdout and "with “lisbon”; /memory lisbon lists" in done.stdout
    assert done.stdout.count("“I live in Lisbon and I love figs”") == 2
    assert "Nothing is remembered with the id or the words 'zebra'." in done.stderr
    assert "`thalamus memory` and `thalamus facts` list" in run("why", "zebra").stderr
    wrong = run("why", "mem_zebra")
    assert wrong.code == 4 and "mem_zebra" in wrong.stderr


def test_the_words_of_a_message_are_explained_by_its_turn(run: Run) -> None:
    asked = "Which clubs am I in?"
    chat(run, "I joined the Harbour chess club.", asked, "The chess clubs am glad I am in.")
    turn = next(t for t in run("export").records if t.get("message") == asked)
    [first, *_] = run("why", "which", "clubs", "am", "I", "in").stdout.splitlines()
    assert first.startswith(f"turn {turn['id']} ") and asked in first
    done = chat(run, "/why which club am i in", asked, f"/why {asked}")
    assert done.stdout.startswith(first)
    assert f"(the newest of 2 with “{asked}”; /search {asked} lists them)" in done.stdout


def test_a_session_is_renamed(run: Run) -> None:
    early = chat(run, "/rename Too early", "/rename")
    assert "There are no memories yet." in early.stdout
    done = chat(run, MOVED, "/rename Moving house", "/resume", "/rename", "/rename ''")
    assert "\nrenamed: “Moving house”\n" in done.stdout
    assert done.stdout.count("Moving house  [s]") == 1
    assert "/rename Moving house" in done.stderr and done.code == 2
    assert done.stdout.endswith("The title was removed.\n")
    assert "“I moved to Lisbon in May.”  [s]" in run("session").stdout


def test_sessions_are_listed_searched_and_gone_on_in(run: Run, tmp_path: Path) -> None:
    run("turn", "--session", "garden", "I planted a fig tree.")
    file = tmp_path / "talk.md"
    done = chat(
        run,
        "Hello!",
        "/resume",
        "/resume garden",
        "/why",
        "/search fig",
        "/export",
        f"/export {file}",
        f"/export {file}",
        "/resume nowhere",
    )
    assert re.search(r"  1  .*“Hello!”.*  \(this one\)\n  2  .*fig tree", done.stdout)
    assert "session about “I planted a fig tree.”: 1 turn, the last on " in done.stdout
    assert done.stdout.count("I planted a fig tree.") >= 4
    assert "I planted a fig tree." in file.read_text()
    assert f"{file} exists already" in done.stderr and "nowhere" in done.stderr
    numbered = chat(run, "/resume 1", "/resume 9")
    assert "session about “" in numbered.stdout and "9" in numbered.stderr


def test_how_turns_are_run_can_be_changed(run: Run) -> None:
    done = chat(run, "/flow", "/flow routed", "My project is the herb garden.", "/world", "/tools")
    assert "flow classic\nknown: classic, routed, deliberate" in done.stdout
    assert "project   herb garden" in done.stdout and "calculate" in done.stdout
    wrong = chat(run, "/flow sideways", "/flow")
    assert "Unknown flow 'sideways'" in wrong.stderr and "flow classic" in wrong.stdout


def test_a_turn_is_traced(run: Run) -> None:
    done = chat(run, MOVED, "/trace", "/debug")
    assert "answer  scripted" in done.stdout and "reflect" in done.stdout


@pytest.mark.parametrize("command", ["/copy", "/compose"])
def test_what_needs_a_terminal_says_so(run: Run, command: str) -> None:
    done = chat(run, MOVED, command)
    assert f"{command} needs a terminal." in done.stderr and done.code == 2


def test_a_mark_at_the_beginning_is_no_shell_command_in_a_pipe(run: Run, tmp_path: Path) -> None:
    chat(run, f"!touch {tmp_path}/made")
    assert not (tmp_path / "made").exists()


def test_what_matters_stands_last(run: Run, thalamus: Thalamus) -> None:
    days = [f"2026-04-{day:02}T10:00:00Z" for day in range(1, 19)]
    thalamus.remember(
        [Memory(content=f"Note {n} of the harbour.", created_at=at) for n, at in enumerate(days)]
    )
    for n, at in enumerate(days):
        thalamus.facts.add(Fact("user", "likes", f"harbour {n}", created_at=at))
    listed = chat(run, "/memory").stdout.splitlines()
    assert "Note 3 of" in listed[0] and "Note 17 of" in listed[14]
    assert listed[15].startswith("(the newest 15 of 18, the newest last; /memory WORDS searches")
    facts = chat(run, "/facts").stdout.splitlines()
    assert "harbour 3  " in facts[0] and "harbour 17  " in facts[14] and len(facts) == 16
    assert "of 18, the newest last; /facts SUBJECT" in facts[15]
    searched = run("chat", input="/memory note 7\n", env={"THALAMUS_MIN_SCORE": "0"})
    *found, said = searched.stdout.splitlines()
    scores = [float(line.split()[0]) for line in found]
    assert len(scores) == 15 and scores == sorted(scores)
    assert said == "(15 at most are shown, the best last)"


def test_an_error_in_a_chat_names_the_slash_command(run: Run) -> None:
    done = chat(run, MOVED, "/why mem_zebra", "/why zebra", "/resume nowhere", "/pin fact_zebra")
    assert "`/memory`, `/facts` and `/trace` print ids." in done.stderr
    assert "`/memory` and `/facts` list what is remembered." in done.stderr
    assert "`thalamus" not in done.stderr
    [fact] = [f for f in run("facts", "--json").records if f["predicate"] == "lives_in"]
    [memory] = run("memory", "--json").records
    wrong = chat(run, f"/pin {fact['id']}", f"/correct {memory['id']} Porto")
    assert f"shows what it is. `/correct {fact['id']} VALUE` corrects a fact." in wrong.stderr
    assert f"shows what it is. `/edit {memory['id']} TEXT` changes a memory." in wrong.stderr
    pinned = run("memory", "pin", fact["id"])
    assert f"`thalamus facts correct {fact['id']}` corrects a fact." in pinned.stderr


def test_a_change_is_undone_by_its_id(run: Run) -> None:
    chat(run, MOVED)
    [memory] = run("memory", "--json").records
    chat(run, f"/pin {memory['id']}", "I like tea.")
    [batch] = run("undo", "--list", "--json").records
    done = chat(run, f"/undo {batch['id']}")
    assert done.stdout.startswith("undone: pin of 2026-05-08: ")


def test_what_an_editor_saved_may_be_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in (r"printf 'caf\351' > $1", "rm $1"):
        editor = tmp_path / "editor.sh"
        editor.write_text(f"#!/bin/sh\n{command}\n")
        editor.chmod(0o755)
        monkeypatch.setenv("VISUAL", str(editor))
        with pytest.raises(UsageError, match="Cannot read what the editor saved"):
            edited("Hello.")
