"""Lines on standard input that are no records: what is said about them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.conftest import Result

Run = Callable[..., Result]
DEEP = "[" * 100_000 + "]" * 100_000
GOOD = '{"record":"memory","content":"Ana keeps bees."}\n'


@pytest.mark.parametrize("command", ["store", "import", "turn", "reflect"])
def test_what_is_nested_too_deeply_is_a_bad_record(run: Run, command: str) -> None:
    kind = "memory" if command in ("store", "import") else "turn"
    text = "content" if kind == "memory" else "message"
    record = f'{{"record":"{kind}","{text}":"a [[[[ \\" {{{{","metadata":{{"a":{DEEP}}}}}\n'
    done = run(command, input=record)
    assert done.code == 3
    assert done.stderr.startswith("thalamus: Line 1: `metadata`: nested more than ")
    done = run(command, "--json", input=record) if command == "import" else done
    if command == "import":
        assert '"line":1,"field":"metadata"' in done.stderr


def wrong(**fields: object) -> str:
    return json.dumps({"record": "memory", "content": "x", **fields})


WRONG = [
    (wrong(content=5), "`content`: must be text, not the number 5", 'quotes: "5".'),
    (wrong(content=None), "`content`: must be text, not null", "`thalamus schema memory`"),
    (wrong(content=""), "`content`: must not be empty", "`thalamus schema memory`"),
    (
        wrong(trust="high"),
        "`trust`: must be a number from 0 to 1, not the text “high”",
        "quote",
    ),
    (wrong(trust=7), "`trust`: must be a number from 0 to 1, not the number 7", "schema"),
    (wrong(seen=1.5), "`seen`: must be a whole number, 0 or more, not the number 1.5", ""),
    (wrong(pinned="yes"), "`pinned`: must be true or false, not the text “yes”", "Write true"),
    (wrong(scope="big"), "must be archival, core or episodic, not the text “big”", "schema"),
    (wrong(metadata=[]), "`metadata`: must be an object {…}, not a list", "schema"),
    (wrong(created_at=5), "`created_at`: must be text, not the number 5", '"2026-05-08"'),
    (wrong(provenance={"turn": 5}), "`provenance.turn`: must be text, not", "quotes"),
    (wrong(embedding=[1, "a"]), "`embedding[1]`: must be a number, not the text “a”", ""),
    (wrong(cntent=5), "unknown field `cntent`. Did you mean `content`?", "schema memory"),
    (wrong(zurk=5), "unknown field `zurk`. Use `metadata` for data of your own.", ""),
    ('{"record":"memory"}', "missing field `content` (text)", "`thalamus schema memory`"),
    (
        '{"record":"turn","message":"x","evidence":[{"id":"a","kind":"fact","scor":1}]}',
        "`evidence[0]`: unknown field `scor`. Did you mean `score`?",
        "`thalamus schema turn`",
    ),
    (
        '{"record":"turn","message":"x","evidence":[{"id":"a","text":"b"}]}',
        "`evidence[0]`: missing field `kind` (document, fact, insight, memory or turn)",
        "`thalamus schema turn`",
    ),
    (
        '{"record":5}',
        "`record`: must be one of memory, fact, turn, reflection, plan, activity, not",
        "",
    ),
    ('{"metadata":{"a":1e999},"record":"memory","content":"x"}', "`metadata`: number out", ""),
    ("[]", "not a record, but a list", "`jq -c '.[]'`"),
    ("5", "not a record, but the number 5", "one JSON object"),
    ("hello", "not JSON: it starts with “hello”", "one JSON object"),
    ('{"record":"memory",', "not JSON: it ends too early", "on one line"),
    ("{'record':'memory'}", "not JSON: names must be in double quotes (at byte 2)", ""),
    ('{"record":"memory","content":"x",}', "not JSON: trailing comma in object (at byte", ""),
]


def test_what_is_wrong_is_said_in_plain_words(run: Run) -> None:
    for line, problem, advice in WRONG:
        done = run("store", input=f"{GOOD}{line}\n")
        assert done.code == 3 and len(done.records) == 1, line
        said, fix = done.stderr.splitlines()
        assert said.startswith("thalamus: Line 2: ") and problem in said
        assert fix.startswith("  ") and advice in fix
        for word in ("`str`", "`int`", "enum", "array", "Expected", "$"):
            assert word not in said


def test_a_filter_says_which_record_it_takes(run: Run) -> None:
    done = run("reflect", input=GOOD)
    assert done.code == 3
    assert "`record`: 'memory' is not accepted here (accepted: turn)." in done.stderr
    assert "`record`: must be turn, not the number 5" in run("plan", input='{"record":5}').stderr


def test_what_comes_before_it_is_kept(run: Run) -> None:
    done = run("store", input=f'{GOOD}{{"record":"memory","metadata":{DEEP},"content":"x"}}\n')
    assert done.code == 3 and "Line 2: `metadata`" in done.stderr
    assert len(done.records) == 1 and "bees" in run("memory").stdout


@pytest.mark.parametrize("line", [DEEP, "[" * 100_000, '{"a":' * 100_000, '"[' * 1000])
def test_any_line_that_is_deep_or_broken_is_told(run: Run, line: str) -> None:
    done = run("store", input=f"{line}\n")
    assert done.code == 3 and "Line 1: " in done.stderr


def test_what_is_not_that_deep_comes_back(run: Run) -> None:
    nested = "[" * 200 + "]" * 200
    brackets = "[{" * 5000
    record = f'{{"record":"memory","content":"{brackets}","metadata":{{"a":{nested}}}}}\n'
    stored = run("store", input=record)
    assert stored.code == 0
    exported = run("export")
    assert nested in exported.stdout and brackets in exported.stdout
    for command in (("memory", "show", stored.records[0]["id"]), ("memory", "--json")):
        assert run(*command).code == 0
    again = run("import", input=exported.stdout)
    assert again.code == 0


def test_a_vector_that_is_nested_is_none(run: Run) -> None:
    run("store", input=GOOD)
    done = run("retrieve", "x", "--embedding", "@-", input=DEEP)
    assert done.code == 2 and "does not contain a vector" in done.stderr
