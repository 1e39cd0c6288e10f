"""`thalamus facts`: what holds, what held, and a new statement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from thalamus.api import Thalamus
from thalamus.records import Fact

Run = Callable[..., Any]


@pytest.fixture
def stored(thalamus: Thalamus) -> None:
    """Someone who moved from Porto to Lisbon and likes two things."""
    thalamus.remember(
        [
            Fact(subject="user", predicate="lives_in", object="Porto", valid_from="2020-01-01"),
            Fact(subject="user", predicate="lives_in", object="Lisbon", valid_from="2026-05-01"),
            Fact(subject="user", predicate="likes", object="tea", valid_from="2021-03-04"),
            Fact(subject="Ana", predicate="likes", object="coffee", valid_from="2022-01-01"),
        ]
    )
    thalamus.close()


def test_without_a_store_listing_fails_and_adding_makes_one(run: Run) -> None:
    none = run("facts")
    assert none.code == 10
    assert none.stdout == ""
    assert "There is no store" in none.stderr
    assert run("facts", "add", "user", "likes", "tea").code == 0
    assert run("facts").stdout.startswith("user likes tea  (since 2026-05-08)  [fact_")


def test_lists_what_holds_now(run: Run, stored: None) -> None:
    lines = run("facts").stdout.splitlines()
    assert [line.split("  [")[0] for line in lines] == [
        "Ana likes coffee  (since 2022-01-01)",
        "user likes tea  (since 2021-03-04)",
        "user lives_in Lisbon  (since 2026-05-01)",
    ]


def test_filters_narrow_the_list(run: Run, stored: None) -> None:
    only = run("facts", "list", "--predicate", "lives in", "--history", "--json").records
    assert [(fact["object"], fact["valid_to"]) for fact in only] == [
        ("Porto", "2026-05-01T00:00:00Z"),
        ("Lisbon", None),
    ]
    then = run("facts", "--as-of", "2025-01-01", "--subject", "USER", "--json").records
    assert {fact["object"] for fact in then} == {"Porto", "tea"}
    assert len(run("facts", "--limit", "1").stdout.splitlines()) == 1
    assert {fact["record"] for fact in then} == {"fact"}


def test_history_is_in_the_order_of_the_world(run: Run, stored: None) -> None:
    lines = run("facts", "history", "the user").stdout.splitlines()
    assert [line.split("  [")[0] for line in lines] == [
        "user lives_in Porto  (2020-01-01 to 2026-04-30)",
        "user likes tea  (since 2021-03-04)",
        "user lives_in Lisbon  (since 2026-05-01)",
    ]
    assert all(line.endswith("recorded 2026-05-08") for line in lines)
    then = run("facts", "history", "user", "--as-of", "2020-06-01", "--json").records
    assert [fact["object"] for fact in then] == ["Porto"]


def test_history_says_what_was_believed_before(run: Run) -> None:
    def at(now: str) -> dict[str, str]:
        return {"THALAMUS_NOW": now}

    lives = ("facts", "add", "user", "lives_in")
    run(*lives, "Porto", "--from", "2020-01-01", env=at("2023-01-10"))
    run(*lives, "Lisbon", "--from", "2022-01-01", env=at("2023-02-10T10:00:00Z"))
    run(
        *lives, "Rome", "--from", "2021-06-01", "--to", "2021-07-31", env=at("2023-02-10T11:00:00Z")
    )
    lines = run("facts", "history", "user", env=at("2023-03-10")).stdout.splitlines()
    assert [line.split("  [")[0] for line in lines[:4]] == [
        "user lives_in Porto  (2020-01-01 to 2021-05-31, 2021-08-01 to 2021-12-31)",
        "  believed from 2023-01-10 to 2023-02-10: it held since 2020-01-01",
        "  believed on 2023-02-10: it held from 2020-01-01 to 2021-12-31",
        "  believed since 2023-02-10: it held from 2020-01-01 to 2021-05-31,"
        " and from 2021-08-01 to 2021-12-31",
    ]


def test_adding_tells_what_it_supersedes_and_what_is_known(run: Run, stored: None) -> None:
    arguments = ("facts", "add", "user", "moved to", "Rome", "--from", "2026-05-07")
    fact, verdict = run(*arguments, "--quote", "I am in Rome now.", "--json").records
    assert (fact["predicate"], fact["object"]) == ("lives_in", "Rome")
    assert (fact["valid_from"], fact["quote"]) == ("2026-05-07T00:00:00Z", "I am in Rome now.")
    assert verdict["decision"] == "supersede"
    assert verdict["content"] == "user lives_in Lisbon"
    again = run(*arguments).stdout
    assert again.count(fact["id"]) == 1
    assert "already known" in again


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--as-of", "someday"), "invalid --as-of 'someday' (expected a date"),
        (("add", " ", "likes", "tea"), "SUBJECT is empty"),
        (("add", "a", "b", "c", "--from", "2026-02-01", "--to", "2026-01-01"), "later than --from"),
        (("lisst",), "Unknown command 'lisst'. Did you mean 'list'?"),
    ],
)
def test_what_cannot_be_understood_is_a_usage_error(
    run: Run, arguments: tuple[str, ...], words: str
) -> None:
    done = run("facts", *arguments)
    assert done.code == 2
    assert words in done.stderr


def test_what_was_retracted_can_be_told_again(run: Run) -> None:
    told = ("facts", "add", "Ana", "works_at", "Bosch", "--json")
    first = run(*told).records[0]["id"]
    assert run("facts", "retract", first).code == 0
    assert run("facts", "end", first, "--at", "2027").code == 2
    again = run(*told)
    assert again.code == 0 and again.records[0]["id"] != first
    assert "Ana works_at Bosch" in run("facts").stdout


def test_an_empty_date_is_not_none(run: Run) -> None:
    done = run("facts", "add", "user", "lives_in", "Rome", "--from", "")
    assert done.code == 2 and "--from is empty" in done.stderr


def test_control_characters_are_shown_and_not_done(run: Run) -> None:
    assert run("facts", "add", "a\x1b[31m", "likes", "x\u202ey").code == 0
    assert "a\\u001b[31m likes x\\u202ey" in run("facts").stdout


def test_a_spelling_that_is_a_predicate_of_its_own_is_refused(run: Run) -> None:
    run("facts", "add", "user", "lives_in", "Rome")
    done = run("facts", "predicate", "zurk", "--spelling", "lives in")
    assert done.code == 2 and "a different predicate" in done.stderr


def test_values_of_an_unknown_predicate_wait_until_it_is_known(run: Run) -> None:
    for value in ("Heron", "Osprey"):
        run("facts", "add", "harbour project", "codename", value)
        run("facts", "add", "user", "likes", value)  # of which there may be many
    run("facts", "add", "harbour project", "sponsor", "Ana")
    found = run("facts", "conflicts")
    assert [line.split("  ")[0] for line in found.stdout.splitlines()] == [
        "harbour project codename Heron",
        "harbour project codename Osprey",
    ]
    assert "facts predicate codename --one" in found.stderr
    assert len(run("facts", "conflicts", "--json").records) == 2
    run("facts", "predicate", "codename", "--one")
    settled = run("facts", "conflicts")
    assert (settled.stdout, settled.code) == ("", 0)
    assert "No facts contradict each other." in settled.stderr
    assert "Heron" not in run("facts", "--predicate", "codename").stdout
