"""`thalamus facts`: ended, retracted, corrected, merged; exported with everything believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.stored import store_of
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.errors import UsageError
from thalamus.memory.facts import by_hand as stage
from thalamus.records import Fact, Predicate
from thalamus.store import ledger
from thalamus.terminal import jsonl
from thalamus.transfer.export import export_lines
from thalamus.transfer.importer import Importer, importable
from thalamus.turn_run import TurnRun

Run = Callable[..., Any]
LIVES = {"subject": "user", "predicate": "lives_in"}


def at(thalamus: Thalamus, moment: str) -> Thalamus:
    thalamus.clock.fixed = parse_time(moment)
    return thalamus


def tell(thalamus: Thalamus, subject: str, predicate: str, object: str, **more: str) -> str:
    fact = Fact(subject=subject, predicate=predicate, object=object, **more)  # type: ignore[arg-type]
    return str(thalamus.remember([fact])[0].id)


def now(thalamus: Thalamus, **more: str) -> list[str]:
    found = thalamus.facts.find(**more)  # type: ignore[arg-type]
    return [f"{fact.subject} {fact.predicate} {fact.object}" for fact in found]


def test_a_correction_keeps_what_was_believed(thalamus: Thalamus) -> None:
    wrong = tell(at(thalamus, "2023-01-01"), **LIVES, object="Porto", valid_from="2020-01-01")
    right = at(thalamus, "2023-02-01").facts.correct(wrong, "Braga")
    assert now(thalamus) == ["user lives_in Braga"]
    assert now(thalamus, known_at="2023-01-15T00:00:00Z") == ["user lives_in Porto"]
    old = thalamus.database.get(wrong)
    assert isinstance(old, Fact) and old.retired_at == "2023-02-01T00:00:00Z"
    [link] = thalamus.store.links(wrong)
    assert (link.source, link.relation) == (right.id, "supersedes")
    [event] = [e for e in ledger.entries(thalamus.database) if e.name == "fact_corrected"]
    assert event.data["fact"] == wrong and event.data["by"] == right.id
    assert "Porto" not in str(event.data) and "Braga" not in str(event.data)


def test_a_correction_must_say_something_else(run: Run, thalamus: Thalamus) -> None:
    wrong = tell(thalamus, **LIVES, object="porto", valid_from="2020-01-01")
    thalamus.close()
    same = run("facts", "correct", wrong, "porto")
    assert same.code == 2 and "already has these values" in same.stderr
    same = run("facts", "correct", wrong, "--from", "2020-01-01")
    assert same.code == 2 and "already has these values" in same.stderr
    assert run("facts", "correct", wrong, "Porto").code == 0
    why = run("why", wrong).stdout
    assert "user lives_in porto" in why and "(retracted)" in why
    new, *came_from = run("why", run("facts", "--json").records[0]["id"]).stdout.splitlines()
    assert "(retracted)" not in new and "(retracted)" in "".join(came_from)


def test_retracting_brings_back_what_it_had_ended(run: Run, thalamus: Thalamus) -> None:
    tell(thalamus, **LIVES, object="Porto", valid_from="2020-01-01")
    wrong = tell(thalamus, **LIVES, object="Rome", valid_from="2022-01-01")
    thalamus.close()
    lines = run("facts", "retract", wrong[:20], "--reason", "a joke").stdout.splitlines()
    assert "retracted 2026-05-08" in lines[0]
    assert lines[1].startswith("  now user lives_in Porto  (since 2020-01-01)")
    again = run("facts", "retract", wrong)
    assert (again.code, "already retracted" in again.stderr) == (2, True)
    other = run("facts", "retract", "mem_x")
    assert other.code != 0 and "already retracted" not in other.stderr


def test_ending_what_began_later_is_refused(thalamus: Thalamus) -> None:
    id = tell(thalamus, **LIVES, object="Porto", valid_from="2020-01-01")
    with pytest.raises(UsageError, match="began on 2020-01-01"):
        thalamus.facts.end(id, "2019-01-01T00:00:00Z")


def test_one_does_not_like_and_dislike_the_same_thing(thalamus: Thalamus) -> None:
    tell(at(thalamus, "2023-01-01"), "user", "likes", "tea")
    tell(thalamus, "user", "likes", "jazz")
    tell(at(thalamus, "2023-02-01"), "user", "hates", "Tea")
    assert now(thalamus) == ["user dislikes Tea", "user likes jazz"]


def test_the_words_of_a_turn_end_what_is_known(thalamus: Thalamus) -> None:
    at(thalamus, "2023-01-01").turn("I work at Acme.")
    at(thalamus, "2023-06-01").turn("I quit Acme in March.")
    assert now(thalamus) == []
    assert now(thalamus, as_of="2023-02-28T00:00:00Z") == ["user works_at Acme"]
    assert now(thalamus, known_at="2023-05-01T00:00:00Z") == ["user works_at Acme"]


def test_a_move_of_yesterday_is_news_against_what_was_just_mentioned(run: Run) -> None:
    for minute, message in enumerate(("I live in Lisbon.", "I moved to Porto yesterday.")):
        run("turn", message, env={"THALAMUS_NOW": f"2026-05-08T12:0{minute}:00Z"})
    later = {"THALAMUS_NOW": "2026-05-08T12:05:00Z"}
    [fact] = run("facts", "--json", env=later).records
    assert (fact["object"], fact["valid_from"][:10]) == ("Porto", "2026-05-07")
    assert "Lisbon" not in run("profile", "show", env=later).stdout


def test_the_users_name_means_the_user_unless_kept_apart(thalamus: Thalamus) -> None:
    tell(thalamus, "Ána  Silva", "likes", "tea")
    tell(thalamus, "I", "name", "Ana Silva")
    assert now(thalamus) == ["user likes tea", "user name Ana Silva"]
    thalamus.facts.unmerge("ana silva")
    assert set(now(thalamus)) == {"Ána Silva likes tea", "user name Ana Silva"}
    with pytest.raises(UsageError, match="not merged"):
        thalamus.facts.unmerge("ana silva")


def test_merging_settles_and_unmerging_undoes(thalamus: Thalamus) -> None:
    tell(thalamus, "Bob", "lives_in", "Oslo", valid_from="2020-01-01")
    tell(thalamus, "Robert", "lives_in", "Bergen", valid_from="2022-01-01")
    thalamus.facts.merge("Bob", "Robert")
    assert now(thalamus) == ["Robert lives_in Bergen"]
    assert [hit.id for hit in thalamus.recall("Robert Oslo")] != []
    assert [f.object for f in thalamus.facts.find("bob", history=True)] == ["Oslo", "Bergen"]
    thalamus.facts.unmerge("Bob")
    assert now(thalamus) == ["Bob lives_in Oslo", "Robert lives_in Bergen"]


def test_a_predicate_can_be_given_one_value(run: Run, thalamus: Thalamus) -> None:
    tell(thalamus, "user", "desk_at", "window", valid_from="2020-01-01")
    tell(thalamus, "user", "sits_by", "door", valid_from="2021-01-01")
    thalamus.close()
    done = run("facts", "predicate", "desk_at", "--one", "--spelling", "sits by")
    assert done.stdout.splitlines()[0].split()[:3] == ["desk_at", "one", "own"]
    assert "window  (2020-01-01 to 2020-12-31)" in done.stdout
    assert now(thalamus) == ["user desk_at door"]
    assert run("facts", "predicate", "likes", "--json").records[0]["opposite"] == "dislikes"
    assert run("facts", "predicate", "likes", "--one", "--many").code == 2


def test_partial_dates_and_the_picture(run: Run, thalamus: Thalamus) -> None:
    assert run("facts", "add", "user", "lives_in", "Porto", "--from", "2019").code == 0
    assert run("facts", "add", "user", "lives_in", "Rome", "--from", "2022-03").code == 0
    done = run("timeline", "--facts", env={"COLUMNS": "60"}).stdout
    porto, rome, axis = done.splitlines()
    assert max(map(len, (porto, rome, axis))) <= 60 and done.isascii()
    assert porto.index("=") < rome.index("=") and rome.endswith(">") and porto.endswith(".")
    assert axis.split() == ["2019", "2021", "2023", "2025"]


def life(thalamus: Thalamus) -> None:
    """A store in which much has changed."""
    tell(at(thalamus, "2023-01-01"), **LIVES, object="Porto", valid_from="2020-01-01")
    tell(at(thalamus, "2023-02-01"), **LIVES, object="Rome", valid_from="2022-01-01")
    tell(at(thalamus, "2023-03-01"), **LIVES, object="Oslo", valid_from="2020-03-01",
         valid_to="2020-06-01")  # fmt: skip
    rome = tell(at(thalamus, "2023-04-01"), **LIVES, object="Rome")
    thalamus.facts.end(rome, "2023-03-15T00:00:00Z")
    thalamus.facts.merge("Bob", "Robert")
    tell(thalamus, "Bob", "likes", "tea")
    thalamus.facts.retract(tell(thalamus, "Bob", "likes", "rain"))
    stage.set_predicate(Predicate(name="sits_at", cardinality="one"), TurnRun(thalamus.engine))


def test_an_export_brings_everything_back(thalamus: Thalamus, tmp_path: Path) -> None:
    life(thalamus)
    lines = list(export_lines(thalamus.database))
    place = tmp_path / "two"
    given = {"home": str(place), "model": "scripted", "embedder": "scripted"}
    given["store"] = store_of(place)
    with Thalamus(clock=Clock(parse_time("2026-01-01")), **given) as two:
        importer = Importer(two.engine)
        for start in range(0, len(lines), 4):
            part = lines[start : start + 4]
            importer.add([importer.check(jsonl.decode(line, 1, *importable())) for line in part])
        importer.finish()
        assert list(export_lines(two.database)) == lines
        for known in ("2023-01-15T00:00:00Z", "2023-03-15T00:00:00Z", "2023-05-01T00:00:00Z"):
            for moment in ("2020-04-01T00:00:00Z", "2021-01-01T00:00:00Z", "2023-03-20T00:00:00Z"):
                asked = {"as_of": moment, "known_at": known}
                assert now(two, **asked) == now(thalamus, **asked)


def test_a_fact_that_was_interrupted_says_so(run: Run) -> None:
    run("facts", "add", "user", "lives_in", "Porto", "--from", "2020-01-01")
    run("facts", "add", "user", "lives_in", "Paris", "--from", "2022-06-01", "--to", "2022-08")
    listed = run("facts", "--history").stdout
    assert "Porto  (2020-01-01 to 2022-05-31, since 2022-09-01)  [" in listed
    assert "Paris  (2022-06-01 to 2022-08-31)  [" in listed
    run("facts", "add", "Bo", "lives_in", "Rome", "--to", "2014")
    run("facts", "add", "Bo", "lives_in", "Oslo", "--from", "2005-01-01", "--to", "2005")
    listed = run("facts", "--history").stdout
    assert "Rome  (until 2004-12-31, 2006-01-01 to 2014-12-31)  [" in listed
    then = run("facts", "--history", "--as-of", "2003-01-01").stdout
    assert "Rome  (until 2004-12-31)  [" in then


@pytest.mark.parametrize(
    ("dates", "begin", "end", "shown"),
    [
        ({"valid_from": "2023"}, "2023-01-01T00:00:00Z", None, "since 2023"),
        ({"valid_from": "2023-03"}, "2023-03-01T00:00:00Z", None, "since 2023-03"),
        (
            {"valid_from": "2019-11", "valid_to": "2021"},
            "2019-11-01T00:00:00Z",
            "2022-01-01T00:00:00Z",
            "2019-11 to 2021",
        ),
        (  # ends within the year
            {"valid_from": "2019-11-05", "valid_to": "2019"},
            "2019-11-05T00:00:00Z",
            "2020-01-01T00:00:00Z",
            "2019-11-05 to 2019",
        ),
    ],
)
def test_a_fact_may_begin_or_end_in_a_year_or_month(
    run: Run, dates: dict[str, str], begin: str, end: str | None, shown: str
) -> None:
    fact = {"record": "fact", **LIVES, "object": "Cork", **dates}
    stored = run("store", input=json.dumps(fact)).records[0]
    assert (stored["valid_from"], stored["valid_to"]) == (begin, end)
    for zone in ("UTC", "America/Los_Angeles", "Pacific/Kiritimati"):
        listed = run("facts", "--history", env={"THALAMUS_TIMEZONE": zone}).stdout
        assert f"({shown})" in listed or (zone != "UTC" and "-05" in shown)


@pytest.mark.parametrize("day", ["2023-13", "2023-00", "23", "2023-3", "2023-02-31"])
def test_what_is_no_date_is_refused(run: Run, day: str) -> None:
    fact = {"record": "fact", **LIVES, "object": "Cork", "valid_from": day}
    refused = run("store", input=json.dumps(fact))
    assert refused.code == 3
    assert "valid_from" in refused.stderr and day in refused.stderr


def test_a_reflection_and_an_instruction_may_name_a_month(run: Run) -> None:
    reflection = {"record": "reflection", "facts": [{**LIVES, "object": "Cork"}]}
    reflection["facts"][0] |= {"valid_from": "2023-03"}
    run("store", input=json.dumps(reflection))
    assert "since 2023-03)" in run("facts").stdout
    ask = {"mode": "facts", "query": "Cork", "as_of": "2023-04"}
    plan = {"record": "plan", "session": "s", "retrieval_instructions": [ask]}
    stored = run("store", input=json.dumps(plan)).records[0]
    assert stored["retrieval_instructions"][0]["as_of"] == "2023-04-01T00:00:00Z"
