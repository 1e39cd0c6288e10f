"""Lines on standard input that are no records: what is said about them."""

from __future__ import annotations

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
