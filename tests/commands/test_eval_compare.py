"""`thalamus eval compare`: questions won and lost, left out, refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.commands.evaluating import results
from tests.conftest import Result

File = Callable[..., str]
Run = Callable[..., Result]


BEFORE = {"x1": ["a", "c", "b"], "x2": ["a", "b"], "y1": ["c", "d"], "gone": ["a"]}
AFTER = {"x1": ["b", "a"], "x2": ["c", "b"], "y1": ["a", "b"], "new": ["a"]}


@pytest.fixture
def two(file: File) -> Iterator[tuple[str, str]]:
    yield file(results(BEFORE), "a.jsonl"), file(results(AFTER), "b.jsonl")


def test_comparing(run: Run, two: tuple[str, str]) -> None:
    done = run("eval", "compare", *two, "-k", "2", "--json")
    data = done.records[0]["data"]
    assert (data["questions"], data["won"], data["lost"], data["same"]) == (3, 2, 1, 0)
    assert data["recall"] == [0.5, 0.8333]
    assert [change["id"] for change in data["questions_won"]] == ["x1", "y1"]
    assert data["questions_lost"][0] == {
        "id": "x2",
        "type": "x",
        "question": "x2?",
        "before": 1.0,
        "after": 0.5,
    }
    assert (data["first_only"], data["second_only"]) == (1, 1)
    assert data["p"] == 1.0
    assert data["types"]["y"]["won"] == 1


def test_comparing_for_reading(run: Run, two: tuple[str, str]) -> None:
    text = run("eval", "compare", *two).stdout
    assert "recall@3" in text, "the most that both have"
    assert "Exact sign test" in text
    assert "1 only in the first file, 1 only in the second" in text
    assert "x2?" in text


def test_a_run_compared_with_itself(run: Run, two: tuple[str, str]) -> None:
    data = run("eval", "compare", two[0], two[0], "--json").records[0]["data"]
    assert (data["won"], data["lost"], data["same"], data["p"]) == (0, 0, 4, 1.0)


def test_a_torn_file_is_compared_as_far_as_it_goes(run: Run, file: File) -> None:
    path = file(results(BEFORE)[:-10], "a.jsonl")
    assert run("eval", "compare", path, path, "--json").records[0]["data"]["questions"] == 3


def test_other_gold_is_left_out(run: Run, file: File, two: tuple[str, str]) -> None:
    other = file(results(AFTER, sha256="1").replace('"gold": ["a", "b"]', '"gold": ["a"]', 1), "c")
    done = run("eval", "compare", two[0], other, "--json")
    assert done.records[0]["data"]["changed"] == 1
    assert "different files" in done.stderr


@pytest.mark.parametrize(
    ("other", "options", "code", "words"),
    [
        (results(AFTER, level="session"), [], 2, "level is turn in one and session in the other"),
        (results(AFTER, format="locomo"), [], 2, "format is plain"),
        (results(AFTER), ["-k", "4"], 2, "-k 3"),
        ("my notes\n", [], 2, "is not a results file"),
        (results(AFTER) + "{}\n", [], 3, "Line 6"),
    ],
)
def test_what_cannot_be_compared(
    run: Run, file: File, other: str, options: list[str], code: int, words: str
) -> None:
    done = run("eval", "compare", file(results(BEFORE), "a"), file(other, "b"), *options)
    assert done.code == code
    assert words in done.stderr
