"""The command line itself: errors in it, its help, and options given before the command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import typer.main
from typer.core import TyperGroup
from typer.testing import CliRunner

from tests.commands.conftest import Run
from thalamus.cli import app
from thalamus.commands.groups import MOVED
from thalamus.commands.options import SHARED
from thalamus.commands.table import GROUPS, MORE


@pytest.mark.parametrize(
    ("arguments", "words", "advice"),
    [
        (("memory", "show"), "Missing argument 'ID'", "`thalamus memory show -h`"),
        (("memory", "list", "--nope"), "--nope", "`thalamus memory list -h`"),
        (("retreive", "x"), "Did you mean 'retrieve'", "`thalamus -h`"),
        (("retrieve", "x", "-n", "many"), "'many' is not a whole number", "`thalamus retrieve -h`"),
    ],
)
def test_what_is_wrong_and_where_help_is(run: Run, arguments, words, advice) -> None:
    told = run(*arguments, "--json")
    assert (told.code, told.stdout) == (2, "")
    error = json.loads(told.stderr)
    assert (error["record"], error["name"]) == ("error", "usage")
    assert words in error["message"] and advice in error["fix"]
    plain = run(*arguments)
    assert plain.code == 2 and plain.stdout == ""
    assert plain.stderr == f"thalamus: {error['message']}\n  {error['fix']}\n"


def test_a_group_alone_shows_its_help(run: Run) -> None:
    shown = run("key")
    assert shown.code == 2 and shown.stderr.startswith("Usage: thalamus key [OPTIONS] COMMAND")


def test_what_ends_well_with_json_still_does(run: Run) -> None:
    assert run("facts", "--json").code in (0, 10)
    shown = run("facts", "--json", "--help")
    assert shown.code == 0 and "Usage: thalamus facts" in shown.stdout


# -- help ------------------------------------------------------------------------------------------


def test_help_groups_the_commands(run: Run) -> None:
    shown = run("--help").stdout
    places = [shown.index(f"\n{title}:\n") for title in GROUPS]
    assert places == sorted(places)
    listed = {name: summary for commands in GROUPS.values() for name, summary in commands.items()}
    width = max(map(len, listed))
    for name, summary in listed.items():
        assert f"  {name:{width}}  {summary}\n" in shown
    for title, commands in MORE.items():
        assert f"{title:{max(map(len, MORE))}}  {', '.join(commands)}\n" in shown
        section = run("help", title.lower()).stdout
        assert all(f"  {name} " in section for name in commands)


def test_help_of_a_command_and_of_the_shared_options(run: Run) -> None:
    assert run("help").stdout == run("--help").stdout
    assert "--force" in run("help", "store", "backup").stdout
    shared = run("help", "options").stdout
    assert all(names[0] in shared for names, _, _ in SHARED.values())
    assert run("help", "retreive").code == 2 and run("help", "turn", "on").code == 2


def test_what_moved_names_its_successor(run: Run) -> None:
    commands = every_command()
    known = {words[:count] for words in commands for count in range(1, len(words) + 1)}
    for before, now in MOVED.items():
        done = run(*before.split())
        assert done.code == 2 and f"`thalamus {before}` is now `thalamus {now}`" in done.stderr
        assert tuple(word for word in now.split() if word[0] != "-") in known


@pytest.mark.parametrize(
    ("group", "default", "options"),
    [
        ("facts", "list", ("--subject", "--as-of", "--json")),
        ("store", "write", ("--decide",)),
        ("memory", "list", ("--type", "--status", "--limit")),
        ("config", "show", ("--json",)),
    ],
)
def test_help_of_a_group_shows_the_options_of_its_default_command(
    run: Run, group: str, default: str, options: tuple[str, ...]
) -> None:
    shown = run(group, "-h").stdout
    assert all(option in shown.split(f"Options of `{default}`")[1] for option in options)


def shown_help(*words: str) -> str:
    """What the program prints for ``-h``, in this process."""
    shown = CliRunner().invoke(app, [*words, "-h"])
    assert shown.exit_code == 0, words
    return shown.output


def test_every_command_has_help_in_words_and_takes_a_home() -> None:
    assert ("schema",) in every_command() and ("eval", "compare") in every_command()
    groups = set()
    for words in every_command():
        home = ("--home", "elsewhere") if words != ("help",) else ()
        shown = shown_help(*home, *words)
        assert not re.search(r"[{<]\w+( range)?[}>]|<=x|x>=", shown.replace("{.", "")), words
        assert "--home" in shown or not home, words
        groups |= {words[:count] for count in range(1, len(words))}
    assert len(groups) > 10
    for group in groups:
        shown = shown_help(*group)
        assert "..." not in shown.partition("\nCommands:")[2], group  # a summary that was cut
        assert "`thalamus help options`" in " ".join(shown.split()), group


# -- options before the command --------------------------------------------------------------------


@pytest.mark.sqlite
def test_shared_options_may_stand_before_the_command(run: Run, tmp_path: Path) -> None:
    other = str(tmp_path / "other")
    assert run("--home", other, "facts", "add", "Ana", "likes", "tea").code == 0
    assert "Ana likes tea" in run("--home", other, "facts").stdout
    assert "Ana likes tea" in run("facts", "list", "--home", other).stdout
    assert run("facts").code == 10
    shown = run("--home", other, "-s", "tea", "-m", "scripted", "config", "show", "--json").records
    found = {record["name"]: (record["value"], record["origin"]) for record in shown}
    assert found["session"] == ("tea", "flag") and found["model"] == ("scripted", "flag")


def test_an_option_after_the_command_goes_before_one_in_front(run: Run, tmp_path: Path) -> None:
    shown = run("-s", "one", "config", "show", "-s", "two", "--json").records
    assert {record["name"]: record["value"] for record in shown}["session"] == "two"


def test_a_filter_of_the_command_itself_may_stand_before_it(run: Run) -> None:
    for owner, content in (("ana", "a"), ("bo", "b")):
        line = {"record": "memory", "content": content, "user": owner}
        run("store", input=json.dumps(line))
    contents = [r["content"] for r in run("--user", "ana", "export").records]
    assert contents == ["a"]


def every_command() -> list[tuple[str, ...]]:
    """The words of each command, those of groups too."""
    found: list[tuple[str, ...]] = []

    def walk(command: object, words: tuple[str, ...]) -> None:
        if not isinstance(command, TyperGroup):
            found.append(words)
            return
        for name in command.list_commands(None):  # type: ignore[arg-type]
            walk(command.get_command(None, name), (*words, name))  # type: ignore[arg-type]

    walk(typer.main.get_command(app), ())
    return found


def test_a_home_and_a_tenant_may_stand_before_a_command_of_no_store(
    run: Run, tmp_path: Path
) -> None:
    other = str(tmp_path / "other")
    assert "writes" in run("--home", other, "stage", "list").stdout
    assert run("--home", other, "--tenant", "t", "schema", "fact").code == 0


def test_an_option_that_the_command_does_not_have_is_refused(run: Run) -> None:
    for arguments, words in (
        (("--user", "ana", "doctor"), "`thalamus doctor` has no option --user"),
        (("-m", "scripted", "facts"), "`thalamus facts list` has no option --model"),
        (("-s", "x", "key", "show"), "`thalamus key show` has no option --session"),
    ):
        done = run(*arguments)
        assert done.code == 2 and words in done.stderr


def test_session_and_model_have_short_options(run: Run) -> None:
    done = run("turn", "-s", "tea", "-m", "scripted", "I have a cat.", "--json")
    assert done.records[0]["session"] == "tea"


@pytest.mark.parametrize(
    "arguments",
    [
        ("retrieve", "x", "--now", "2024-01-01"),
        ("prune", "--kind", "event"),
        ("memory", "--quarantined"),
        ("memory", "--retired"),
        ("memory", "--all"),
        ("facts", "assert", "Ana", "likes", "tea"),
        ("store", "reindex", "--graph"),
        ("eval", "compare", "a", "b", "--k", "1"),
    ],
)
def test_one_thing_has_one_name(run: Run, arguments: tuple[str, ...]) -> None:
    assert run(*arguments).code == 2


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("memory", "fig", "tree"), "thalamus memory search fig tree"),
        (("insights", "tea"), "thalamus insights search tea"),
        (("session", "moving"), "thalamus session search moving"),
        (("facts", "my", "sister"), "thalamus facts list --subject 'my sister'"),
        (("concepts", "tea"), "thalamus concepts show tea"),
        (("project", "boat"), "thalamus project show boat"),
        (("tools", "weather"), "thalamus tools show weather"),
    ],
)
def test_words_in_the_place_of_a_command(run: Run, arguments: tuple[str, ...], meant: str) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert f"Unknown command {arguments[1]!r}. Did you mean `{meant}`?" in done.stderr


def test_a_command_of_a_group_is_named_where_it_is(run: Run) -> None:
    done = run("correct", "x")
    assert (done.code, "Did you mean `facts correct`?" in done.stderr) == (2, True)
