"""A command line that is wrong is told as any other error: for people, or as a record."""

from __future__ import annotations

import json

import pytest

from tests.commands.conftest import Run


@pytest.mark.parametrize(
    ("arguments", "words", "advice"),
    [
        (("memory", "show"), "Missing argument 'id'", "`thalamus memory show -h`"),
        (("memory", "list", "--nope"), "--nope", "`thalamus memory list -h`"),
        (("retreive", "x"), "Did you mean 'retrieve'", "`thalamus -h`"),
        (("retrieve", "x", "-k", "many"), "many", "`thalamus retrieve -h`"),
    ],
)
def test_what_is_wrong_and_where_help_is(run: Run, arguments, words, advice) -> None:
    told = run(*arguments, "--json")
    assert (told.code, told.stdout) == (2, "")
    error = json.loads(told.stderr)
    assert (error["record"], error["name"]) == ("error", "usage")
    assert words in error["message"] and advice in error["fix"]
    plain = run(*arguments)
    assert plain.code == 2 and words in plain.stderr and "Usage: thalamus" in plain.stderr


def test_what_ends_well_with_json_still_does(run: Run) -> None:
    assert run("facts", "--json").code in (0, 10)
    shown = run("facts", "--json", "--help")
    assert shown.code == 0 and "Usage: thalamus facts" in shown.stdout
