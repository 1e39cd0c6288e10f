"""`thalamus store`: records from anyone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import NOW, Result
from thalamus.api import Thalamus
from thalamus.errors import BadField, RecordProblem
from thalamus.records import Memory

Run = Callable[..., Result]


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def test_the_least_memory(run: Run) -> None:
    done = run("store", input='{"record":"memory","content":"The user sails."}')
    stored = done.records[0]
    assert done.code == 0
    assert stored["id"].startswith("mem_")
    assert (stored["created_at"], stored["type"]) == (NOW, "observation")


FULL = {
    "record": "memory",
    "v": 1,
    "type": "preference",
    "topic": "tea",
    "content": "Melanie prefers green tea.",
    "importance": "high",
    "created_at": "2023-05-08T13:56:00Z",
    "session": "s1",
    "user": "melanie",
    "agent": "helper",
    "metadata": {"ref": "D1:3", "nested": {"a": [1, None]}},
}


def test_what_a_record_says_is_kept(run: Run) -> None:
    stored = run("store", input=lines(FULL)).records[0]
    assert {name: stored[name] for name in FULL} == FULL
    found = run("retrieve", "--json", "Which tea?").records[0]
    assert found["metadata"] == FULL["metadata"]
    assert (found["at"], found["session"], found["user"]) == (
        "2023-05-08T13:56:00Z",
        "s1",
        "melanie",
    )


def test_an_import_piped_in_twice_is_there_once(run: Run) -> None:
    first = run("store", input=lines(FULL)).records[0]
    again = run("store", input=lines(FULL)).records[0]
    assert first["id"] == again["id"]
    assert len(run("retrieve", "--json", "tea").records) == 1


def test_times_are_brought_into_one_form(run: Run) -> None:
    given = [
        {"record": "memory", "content": "a", "created_at": "2023-05-08"},
        {"record": "memory", "content": "b", "created_at": "2023-05-08T15:56:00+02:00"},
    ]
    times = [record["created_at"] for record in run("store", input=lines(*given)).records]
    assert times == ["2023-05-08T00:00:00Z", "2023-05-08T13:56:00Z"]


BAD: list[tuple[dict[str, Any], str]] = [
    ({"record": "memory", "content": ""}, "content"),
    ({"record": "memory", "content": "x", "created_at": "yesterday"}, "created_at"),
    ({"record": "memory", "content": "x", "created": "2023-01-01"}, "Did you mean"),
    ({"record": "memory", "content": "x", "trust": 7}, "trust"),
    ({"record": "memory", "content": "x", "embedding": [1.0]}, "embedding_model"),
    ({"record": "memory", "content": "x", "embedding": [], "embedding_model": "m"}, "embedding"),
    ({"record": "memry", "content": "x"}, "Did you mean 'memory'"),
    ({"content": "x"}, "record"),
    ({"record": "evidence", "id": "1", "kind": "turn", "text": "x"}, "not accepted here"),
    # what databases reject
    ({"record": "memory", "content": "nil \0 here"}, "Line 2: `content`"),
    (
        {"record": "memory", "content": "x", "metadata": {"a": ["b", "\0"]}},
        "Line 2: `metadata.a[1]`",
    ),
    ({"record": "memory", "content": "x", "metadata": {"\0": 1}}, "Line 2: `metadata.`"),
    (
        {"record": "fact", "subject": "Ana\0", "predicate": "is", "object": "well"},
        "Line 2: `subject`",
    ),
    ({"record": "turn", "message": "hello", "answer": "nil \0"}, "Line 2: `answer`"),
    ({"record": "memory", "content": "half \ud83d"}, "Line 2: `content`"),
]


def test_a_bad_record_stops_and_keeps_what_came_before(run: Run) -> None:
    for number, (bad, words) in enumerate(BAD):
        before = {"record": "memory", "content": f"The heron caught {number} fish."}
        after = {"record": "memory", "content": f"The otter caught {number} fish."}
        done = run("store", input=lines(before, bad, after))
        assert done.code == 3, bad
        assert "Line 2: " in done.stderr and words in done.stderr, (bad, done.stderr)
        assert [record["content"] for record in done.records] == [before["content"]], bad
    kept = {record["content"] for record in run("memory", "--json").records}
    assert kept == {f"The heron caught {number} fish." for number in range(len(BAD))}


def test_a_dry_run_shows_what_would_be_stored(run: Run) -> None:
    run("store", input=lines({"record": "memory", "content": "Ana keeps bees.", "id": "mem_bees"}))
    before = run("export").stdout
    said = lines(
        {"record": "memory", "content": "Ana keeps bees!"},
        {"record": "turn", "message": "Noted.", "answer": "Yes."},
        {"record": "activity", "kind": "tool_call", "agent": "codex", "tool": "ls"},
    )
    done = run("store", "--dry-run", "--decide", input=said + "{")
    assert (done.code, [one["record"] for one in done.records]) == (3, ["memory", "turn", "turn"])
    assert (done.records[0]["id"], done.records[0]["seen"]) == ("mem_bees", 2)
    assert "Line 4" in done.stderr
    assert run("export").stdout == before


def test_facts_and_reflections(run: Run) -> None:
    reflection = {
        "record": "reflection",
        "created_at": "2024-02-01",
        "session": "s9",
        "memories_to_store": [{"content": "The user sails.", "type": "skill"}],
        "facts": [{"subject": "I", "predicate": "moved to", "object": "Lisbon"}],
    }
    fact = {"record": "fact", "subject": "Ana", "predicate": "likes", "object": "bees"}
    stored = run("store", input=lines(reflection, fact)).records
    kept = stored[0]["facts"][0]
    assert (kept["subject"], kept["predicate"], kept["session"]) == ("user", "lives_in", "s9")
    assert kept["created_at"] == "2024-02-01T00:00:00Z"
    assert stored[0]["memories_to_store"][0]["id"].startswith("mem_")
    assert stored[1]["id"].startswith("fact_")


def test_a_one_valued_fact_ends_its_predecessor(run: Run) -> None:
    def lives(place: str, since: str) -> dict[str, str]:
        return {
            "record": "fact",
            "subject": "user",
            "predicate": "lives_in",
            "object": place,
            "valid_from": since,
        }

    run("store", input=lines(lives("Oslo", "2020-01-01"), lives("Lisbon", "2024-05-01")))
    now = run("facts", "--json").records
    then = run("facts", "--json", "--as-of", "2021-06-01").records
    assert [fact["object"] for fact in now] == ["Lisbon"]
    assert [fact["object"] for fact in then] == ["Oslo"]


def test_an_embedding_that_is_brought_along_is_searched(run: Run) -> None:
    near = {"embedding": [1.0, 0.1, 0.0], "embedding_model": "mine"}
    far = {"embedding": [0.0, 0.1, 1.0], "embedding_model": "mine"}
    stored = run(
        "store",
        input=lines(
            {"record": "memory", "content": "apples", **near},
            {"record": "memory", "content": "pears", **far},
        ),
    )
    assert all("embedding" not in record for record in stored.records)
    found = run("retrieve", "--json", "?", "--embedding", "@-", input="[1, 0, 0]")
    assert [item["text"] for item in found.records] == ["apples", "pears"]
    wrong = run("retrieve", "?", "--embedding", "@-", input="[1, 0]")
    assert wrong.code == 2
    assert "mine (3)" in wrong.stderr


def test_dimensions_cannot_be_mixed(run: Run) -> None:
    one = {"record": "memory", "content": "a", "embedding": [1.0, 2.0], "embedding_model": "m"}
    two = {**one, "content": "b", "embedding": [1.0, 2.0, 3.0]}
    run("store", input=lines(one))
    done = run("store", input=lines(two))
    assert done.code == 3
    assert "2 dimensions" in done.stderr


def test_many_records_in_one_pipe(run: Run) -> None:
    given = lines(
        *(
            {"record": "memory", "content": f"note {n} about pond {n % 7}", "metadata": {"n": n}}
            for n in range(1200)
        )
    )
    done = run("store", input=given)
    assert done.code == 0
    assert [record["metadata"]["n"] for record in done.records] == list(range(1200))
    assert run("retrieve", "--json", "note 1076", "-n", "1").records[0]["metadata"]["n"] == 1076


def test_a_message_that_databases_reject(run: Run) -> None:
    for command in ("turn", "retrieve", "answer", "reflect"):
        done = run(command, input=lines({"record": "turn", "message": "I live in Porto.\0"}))
        assert done.code == 3
        assert "Line 1: `message`: contains a zero character" in done.stderr


def test_a_message_of_a_program_that_databases_reject(thalamus: Thalamus) -> None:
    for text in ("I live in Porto.\0", "I live in \ud83d."):
        with pytest.raises(BadField, match="`message`"):
            thalamus.turn(text)
        with pytest.raises(RecordProblem) as caught:
            thalamus.remember([Memory(content="Fine."), Memory(content=text)])
        assert (caught.value.field, caught.value.index) == ("content", 1)


def test_the_words_of_a_model_are_stored_without_them(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text('[{role: answer, reply: "Well,\\0 well."}]')
    turn = run("turn", "--json", "Hello there", "--model", f"scripted:{script}").records[0]
    assert turn["answer"] == "Well, well."
    assert run("trace", "--json", turn["id"]).code == 0
