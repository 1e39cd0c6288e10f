"""A memory or fact with the id of another: the same again is fine, another content is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import NOW, Result
from thalamus.api import Thalamus
from thalamus.errors import RecordProblem
from thalamus.records import Fact, Memory, Reflection

Run = Callable[..., Result]
LATER = {"THALAMUS_NOW": "2026-06-01T08:00:00Z"}

MEMORY = {
    "record": "memory",
    "id": "mem_sails",
    "content": "The user sails.",
    "created_at": "2026-05-01T00:00:00Z",
    "session": "s1",
    "user": "ana",
    "agent": "helper",
    "metadata": {"ref": "D1:3"},
}
FACT = {
    "record": "fact",
    "id": "fact_bosch",
    "subject": "user",
    "predicate": "works_at",
    "object": "Bosch",
    "valid_from": "2020-01-01T00:00:00Z",
    "created_at": "2026-05-01T00:00:00Z",
    "user": "ana",
}
OTHER = {"record": "memory", "id": "mem_other", "content": "The user skis.", "created_at": NOW}
DIFFERENT = [
    (MEMORY, {"content": "The user is a nurse."}, "content"),
    (MEMORY, {"user": "bob"}, "user"),
    (MEMORY, {"agent": "tutor"}, "agent"),
    (MEMORY, {"session": "s2"}, "session"),
    (MEMORY, {"created_at": "2025-01-01T00:00:00Z"}, "created_at"),
    (MEMORY, {"metadata": {"ref": "D1:4"}}, "metadata"),
    (FACT, {"object": "Siemens"}, "object"),
    (FACT, {"predicate": "lives_in"}, "predicate"),
    (FACT, {"subject": "Leila"}, "subject"),
    (FACT, {"user": "bob"}, "user"),
    (FACT, {"valid_from": "2022-01-01T00:00:00Z"}, "valid_from"),
    (FACT, {"valid_to": "2024-01-01T00:00:00Z"}, "valid_to"),
]


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def kept(run: Run) -> dict[str, dict[str, Any]]:
    """The memories and facts of the store by id."""
    exported = run("export", "--kind", "memory", "--kind", "fact").records
    return {record["id"]: record for record in exported}


def made(record: dict[str, Any]) -> Memory | Fact:
    fields = {name: value for name, value in record.items() if name != "record"}
    return Memory(**fields) if record["record"] == "memory" else Fact(**fields)


def test_another_content_is_refused(thalamus: Thalamus) -> None:
    thalamus.remember([made(MEMORY), made(FACT)])
    before = list(thalamus.database.everything())
    for stored, change, field in DIFFERENT:
        with pytest.raises(RecordProblem) as caught:
            thalamus.remember([made(stored | change)])
        assert caught.value.field == "id", change
        assert stored["id"] in str(caught.value) and f"`{field}`" in str(caught.value), change
    assert list(thalamus.database.everything()) == before


@pytest.mark.parametrize("command", [("store",), ("import", "--json")])
@pytest.mark.parametrize(("stored", "change", "field"), [DIFFERENT[0], DIFFERENT[6]])
def test_what_came_before_the_refused_record_is_kept(
    run: Run, command: tuple[str, ...], stored: dict[str, Any], change: dict[str, Any], field: str
) -> None:
    assert run(command[0], input=lines(stored)).code == 0
    before = kept(run)
    refused = run(*command, input=lines(OTHER, stored | change, MEMORY | {"id": "m"}))
    assert refused.code == 3
    if "--json" in command:
        error = json.loads(refused.stderr)
        assert (error["name"], error["line"], error["field"]) == ("bad_record", 2, "id")
    else:
        assert refused.stderr.startswith("thalamus: Line 2: `id`: ")
    assert stored["id"] in refused.stderr and f"`{field}`" in refused.stderr
    after = kept(run)
    assert after.pop("mem_other")["content"] == OTHER["content"] and after == before


@pytest.mark.parametrize("command", ["store", "import"])
def test_within_one_pipe_too(run: Run, command: str) -> None:
    for stored, field in ((MEMORY, "content"), (FACT, "object")):
        refused = run(command, input=lines(stored, stored | {field: "Something else."}))
        assert refused.code == 3 and "Line 2" in refused.stderr
        assert run(command, input=lines(stored, stored)).code == 0


@pytest.mark.parametrize("command", ["store", "import"])
def test_the_same_again_changes_nothing(run: Run, command: str) -> None:
    assert run(command, input=lines(MEMORY, FACT)).code == 0
    before = run("export").stdout
    again = run(command, input=lines(MEMORY, FACT), env=LATER)
    assert (again.code, again.stderr) == (0, "")
    counted = [line for line in run("export").stdout.splitlines() if '"event"' not in line]
    assert counted == [line for line in before.splitlines() if '"event"' not in line]


def test_what_the_store_itself_sets_may_differ(run: Run) -> None:
    """An export that is older than what became of its records since."""
    works = {**FACT, "id": "fact_old", "subject": "Leila", "object": "Siemens"}
    run("store", input=lines(MEMORY, FACT, works))
    old = run("export", "--embeddings").stdout
    run("memory", "pin", "mem_sails")
    run("memory", "edit", "mem_sails", "--importance", "high", "--type", "hobby")
    run("memory", "edit", "mem_sails", "--content", "The user sails and skis.", env=LATER)
    run("facts", "merge", "Leila", "Leila Souza", "--user", "ana")
    run("facts", "end", "fact_bosch", "--at", "2026-05-20", env=LATER)
    run("facts", "retract", "fact_old", env=LATER)
    for text in (old, run("export", "--embeddings").stdout):
        for command in ("import", "store"):
            given = "".join(
                f"{line}\n"
                for line in text.splitlines()
                if json.loads(line)["record"] in ("memory", "fact")
            )
            again = run(command, input=given, env=LATER)
            assert (again.code, again.stderr) == (0, "")


def test_a_record_without_a_date_is_the_same_on_another_day(run: Run) -> None:
    plain = [
        {"record": "memory", "id": "mem_tea", "content": "The user likes tea."},
        {k: v for k, v in FACT.items() if k not in ("created_at", "valid_from")},
    ]
    assert run("store", input=lines(*plain)).code == 0
    assert run("store", input=lines(*plain), env=LATER).code == 0
    plain[0]["content"] = "The user likes coffee."
    assert run("store", input=lines(*plain), env=LATER).code == 3


@pytest.mark.parametrize("options", [[], ["--decide"]])
def test_what_store_writes_can_be_stored_again(run: Run, options: list[str]) -> None:
    """What was said again gets the id of what is known, and with it what is stored under it."""
    said = {"record": "memory", "content": "The user's sister Ana lives in Oslo."}
    fuller = {"record": "memory", "content": "The user's sister Ana lives in Oslo, in Frogner."}
    fact = {k: v for k, v in FACT.items() if k != "id"}
    reflection = {
        "record": "reflection",
        "memories_to_store": [said],
        "facts": [fact | {"valid_from": "2021-01-01T00:00:00Z"}],
    }
    given = lines(fuller, said, fact, fact | {"valid_from": None}, reflection)
    first = run("store", *options, input=given)
    again = run("store", *options, input=first.stdout, env=LATER)
    assert (again.code, again.stderr) == (0, "")
    once_more = run("store", *options, input=again.stdout, env=LATER)
    assert (once_more.code, once_more.stdout) == (0, again.stdout)


def test_encrypted_content_is_compared_too(run: Run) -> None:
    secret = MEMORY | {"sensitivity": "personal", "content": "The user has asthma."}
    assert run("store", input=lines(secret)).code == 0
    assert run("store", input=lines(secret)).code == 0
    assert run("store", input=lines(secret | {"content": "The user has a cold."})).code == 3


def test_through_python(thalamus: Thalamus) -> None:
    first = Memory(id="mem_1", content="The user sails.")
    thalamus.remember([first, Memory(id="mem_1", content="The user sails.")])
    for wrong in (
        Memory(id="mem_1", content="The user is a nurse."),
        Reflection(memories_to_store=[Memory(id="mem_1", content="The user is a nurse.")]),
    ):
        with pytest.raises(RecordProblem) as caught:
            thalamus.remember([Memory(id="mem_2", content="Not alone."), wrong])
        assert (caught.value.field, caught.value.index) == ("id", 1)
    assert [memory.id for memory in thalamus.memories.find()] == ["mem_1"]
    fact = Fact(id="f", subject="user", predicate="likes", object="tea")
    thalamus.remember([fact])
    with pytest.raises(RecordProblem):
        thalamus.remember([Fact(id="f", subject="user", predicate="likes", object="coffee")])
    given = [Memory(id="mem_3", content="New.", created_at=NOW), *thalamus.database.everything()]
    assert thalamus.store.import_memory(given) == {"memory": 1}
    with pytest.raises(RecordProblem) as caught:
        thalamus.store.import_memory([Memory(id="mem_3", content="Other.", created_at=NOW)])
    assert caught.value.field == "id"


def test_an_import_counts_what_it_kept(run: Run, tmp_path: Path) -> None:
    """A refused record takes nothing of its batch along, nor does it count twice."""
    other = {"THALAMUS_HOME": str(tmp_path / "other"), "THALAMUS_TENANT": "other"}
    run("store", input=lines(MEMORY, FACT))
    text = run("export").stdout
    wrong = MEMORY | {"content": "The user is a nurse."}
    assert run("import", input=text + lines(wrong), env=other).code == 3
    assert run("export", env=other).stdout == text
    again = run("import", input=text, env=other)
    assert (again.code, run("export", env=other).stdout) == (0, text)


def test_a_reflection_that_says_the_same_twice_is_stored_once(run: Run) -> None:
    """With a fixed clock both get the same id of the store's making."""
    said = "Depuis le 1er septembre je suis en disponibilité, et ça jusqu'à l'été prochain."
    memory = {"content": f"The user said: “{said}”", "type": "observation"}
    turn = {
        "record": "turn",
        "message": said,
        "reflection": {
            "record": "reflection",
            "memories_to_store": [memory, {**memory, "importance": "high"}],
            "facts": [],
        },
    }
    assert run("store", input=lines(turn)).code == 0
    kept = [json.loads(line) for line in run("memory", "--json").stdout.splitlines()]
    assert [item["content"] for item in kept] == [memory["content"]]
