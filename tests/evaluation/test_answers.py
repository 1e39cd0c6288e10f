"""`eval answers`: how an answer is judged, and what is asked of whom."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.evaluating import chat, talk
from tests.conftest import Result
from thalamus.evaluation.judge_answer import is_right, normalized, says_unknown
from thalamus.records.registry import RECORDS
from thalamus.records.schemas import schema

pytestmark = pytest.mark.storeless

Run = Callable[..., Result]

JUDGED = [
    ("You moved to Cork, in 2019.", "Cork", True),
    ("She adopted them on 7 May.", "7 May 2023", True),
    ("It was on May 7th, 2023.", "2023-05-07", True),
    ("It was on 8 May 2023.", "7 May 2023", False),
    ("You have three cats.", "3", True),
    ("You have thirteen cats.", "3", False),
    ("Twenty-one people came.", "21 people", True),
    ("It cost 1,200 euros.", "1200 euros", True),
    ("On 23 January.", "23January, 2022", True),
    ("In 2022.", "2022", True),
    ("It cost 3.5 euros.", "3.05 euros", False),
    ("On the 05th.", "5th", True),
    ("In 2021.", "2022", False),
    ("Pottery, camping and painting.", "pottery, camping, painting, swimming", True),
    ("Swimming.", "pottery, camping, painting, swimming", False),
    ("Yes, she does.", "Yes", True),
    ("No, she does not.", "No", True),
    ("I don't know that yet. You haven't told me about Cork.", "Cork", False),
    ("", "Cork", False),
    ("I don't know that yet.", None, True),
    ("The notes do not mention it.", None, True),
    ("You haven't told me which school you went to.", None, True),
    ("It was in Cork.", None, False),
]


@pytest.mark.parametrize(("answer", "gold", "right"), JUDGED)
def test_answers_are_judged(answer: str, gold: str | None, right: bool) -> None:
    assert is_right(answer, gold)[0] is right


def test_numbers_and_dates_have_one_form() -> None:
    assert normalized("Sept 3rd, the TWENTY-second time") == "september 3, the 22 time"
    assert normalized("2026-02-09T10:00:00Z") == "9 february 2026"
    assert says_unknown("The user hasn’t mentioned it: unknown.")


def data(tmp_path: Path) -> str:
    """A conversation in LoCoMo's form: eight questions with an answer, one without, and others
    whose answer the file does not say."""
    case = talk()
    for number, asked in enumerate(case["qa"][:8], start=1):
        asked["answer"] = f"barn {number}"
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([case]))
    return str(path)


def results(run: Run, *options: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    done = run("eval", "answers", *options, "--json")
    assert done.code == 0, done.stderr
    *lines, last = done.records
    return lines, last


def test_every_question_goes_through_every_flow(run: Run, tmp_path: Path) -> None:
    lines, summary = results(run, "--data", data(tmp_path), "--format", "locomo")
    for line in (*lines, summary):
        assert set(line) <= set(schema(line["record"])["properties"])
        assert line["record"] in RECORDS
    assert len(lines) == 2 * 9 and summary["questions"] == 9
    assert {line["flow"] for line in lines} == {"classic", "deliberate"}
    assert [line["flow"] for line in lines[:4]] == [
        *("classic", "deliberate"),
        *("deliberate", "classic"),
    ]
    assert all(line["draft"] and line["searched"] for line in lines if line["flow"] != "classic")
    classic = summary["flows"]["classic"]
    assert classic["types"]["single-hop"] == [8, 8] and classic["types"]["adversarial"][1] == 1
    assert classic["right"] == sum(line["right"] for line in lines if line["flow"] == "classic")
    assert classic["tokens_in"] < summary["flows"]["deliberate"]["tokens_in"]
    assert summary["left_out"] == {"no_evidence": 1, "no_answer": 2}


def test_the_store_is_the_same_for_every_question(run: Run, tmp_path: Path) -> None:
    """Asked alone, and after all the others: the same answer from the same evidence."""
    options = ("--data", data(tmp_path), "--format", "locomo", "--flows", "classic")
    every, _ = results(run, *options)
    [alone], _ = results(run, *options, "--only", "talk:8")
    [among] = [line for line in every if line["id"] == "talk:8"]
    assert {**alone, "ms": 0} == {**among, "ms": 0}


def test_a_limit_is_spread_over_the_file(run: Run, tmp_path: Path) -> None:
    lines, _ = results(
        run, "--data", data(tmp_path), "--format", "locomo", "--limit", "3", "--flows", "classic"
    )
    assert [line["id"] for line in lines] == ["talk:1", "talk:4", "talk:7"]


def test_a_question_without_an_answer_is_asked(run: Run, tmp_path: Path) -> None:
    cases = [chat(0, "q1", answer="retto"), chat(1, "q2_abs", answer="You never said.")]
    path = tmp_path / "chats.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in cases))
    lines, _ = results(run, "--data", str(path), "--format", "longmemeval", "--flows", "classic")
    assert [(line["id"], line["gold"]) for line in lines] == [("q1", "retto"), ("q2_abs", None)]
    assert lines[0]["right"] and lines[0]["recall"] == 1.0


def test_a_branching_flow_ends_with_its_answer(run: Run, tmp_path: Path) -> None:
    lines, _ = results(
        run, "--data", data(tmp_path), "--format", "locomo", "--limit", "2", "--flows", "routed"
    )
    assert all(line["answer"] for line in lines)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--flows", "classic,,"), "invalid --flows"),
        (("--flows", "loud"), "Unknown flow 'loud'"),
        (("--flows", "retrieve"), "does not answer"),
        (("--only", "nobody"), "no question whose answer is known has an id that begins with"),
    ],
)
def test_what_cannot_be_measured(
    run: Run, tmp_path: Path, options: tuple[str, ...], problem: str
) -> None:
    done = run("eval", "answers", "--data", data(tmp_path), "--format", "locomo", *options)
    assert done.code == 2 and problem in done.stderr
