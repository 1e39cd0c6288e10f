"""Limits of the length of names, and of the parts of a fact."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]
FACT = {"record": "fact", "subject": "user", "predicate": "likes", "object": "tea"}
LONG = {"subject": "s" * 201, "predicate": "p" * 201, "object": "o" * 2001}


@pytest.mark.parametrize("field", LONG)
def test_a_part_of_a_fact(run: Run, field: str) -> None:
    fact = FACT | {field: LONG[field]}
    problem = f"`{field}`: is too long: {len(LONG[field]):,} characters, at most"
    done = run("store", input=json.dumps(FACT) + "\n" + json.dumps(fact) + "\n")
    assert done.code == 3 and problem in done.stderr and len(done.records) == 1
    reflected = {"record": "reflection", "memories_to_store": [], "facts": [fact]}
    done = run("store", input=json.dumps(reflected))
    assert done.code == 3 and problem.replace("`", "`facts[0].", 1) in done.stderr
    done = run("facts", "add", fact["subject"], fact["predicate"], fact["object"])
    assert done.code in (2, 3) and "is too long" in done.stderr
    assert len(run("facts", "--json").records) == 1
    whole = FACT | {field: LONG[field][1:]}
    assert run("store", input=json.dumps(whole)).code == 0


def test_an_object_by_correction(run: Run) -> None:
    [fact] = run("store", input=json.dumps(FACT)).records
    done = run("facts", "correct", fact["id"], LONG["object"])
    assert done.code == 2 and "The object is too long: 2,001 characters" in done.stderr
    assert run("facts", "merge", "tea", LONG["subject"]).code == 2


@pytest.mark.parametrize("field", ["user", "agent", "session"])
def test_a_name_in_a_record(run: Run, field: str) -> None:
    for record in ({"record": "turn", "message": "Hi."}, {"record": "memory", "content": "Hi."}):
        done = run("store", input=json.dumps(record | {field: "é" * 101}))
        assert done.code == 3, record
        assert f"`{field}`: is too long: 202 bytes, at most 200" in done.stderr
        assert run("store", input=json.dumps(record | {field: "é" * 100})).code == 0


def test_the_name_of_a_project_and_of_input(run: Run) -> None:
    done = run("project", "add", "w" * 201)
    assert done.code == 2 and "is too long: 201 bytes" in done.stderr
    done = run("ingest", "-", "--name", "w" * 201, "--no-summary", input="Reeds.")
    assert done.code == 2 and "is too long: 201 bytes" in done.stderr
