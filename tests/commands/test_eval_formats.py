"""`thalamus eval`: what the formats are read as, malformed files, and rankings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.evaluating import chat, lines, plain, talk
from tests.conftest import Result
from thalamus.errors import BadRecord
from thalamus.evaluation import locomo, longmemeval
from thalamus.evaluation.formats import LEVELS, Format, survey
from thalamus.evaluation.protocol import LeftOut
from thalamus.evaluation.questions import rank_records, rank_sessions
from thalamus.records import Evidence, Memory, Turn

File = Callable[..., str]
Run = Callable[..., Result]


def told(record: Any) -> Any:
    return record.content if isinstance(record, Memory) else (record.message, record.answer)


def test_nothing_that_was_said_is_lost(tmp_path: Path) -> None:
    said = [
        ("assistant", "Welcome."),
        ("assistant", "Ask me."),
        ("user", "First."),
        ("user", "Second."),
        ("assistant", "One."),
        ("assistant", "Two."),
        ("user", " "),
        ("user", "Third."),
    ]
    session = [{"role": role, "content": text} for role, text in said]
    case = chat(0, "q", haystack_session_ids=["s_otter"], haystack_dates=["2024/03/09 (Sat) 14:15"])
    path = tmp_path / "case.json"
    path.write_text(json.dumps(case | {"haystack_sessions": [session]}))
    records = next(longmemeval.read(path, "session", LeftOut())).records
    assert records is not None
    assert [told(record) for record in records] == [
        "Assistant: Welcome.",
        "Assistant: Ask me.",
        ("First.", None),
        ("Second.", "One.\n\nTwo."),
        ("Third.", None),
    ]
    times = [record.created_at or "" for record in records]
    assert times == sorted(times)
    assert times[0] == "2024-03-09T14:15:00Z"
    assert {record.session for record in records} == {"s_otter"}
    assert isinstance(records[2], Turn)


def test_what_locomo_says_is_what_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([talk()]))
    haystack = next(locomo.read(path, "turn", LeftOut()))
    assert haystack.records is not None
    last = haystack.records[-1]
    assert isinstance(last, Memory)
    assert last.content == "Bo: [shares a photo: a red kayak]"
    assert (last.session, last.created_at) == ("session_2", "2024-06-02T09:05:00Z")
    assert last.metadata == {"dia_id": "D2:1"}
    assert {question.now for question in haystack.questions} == {"2024-06-02T09:05:01Z"}
    gold = {question.text: question.gold for question in haystack.questions}
    assert gold["Do lynx and kayak meet?"] == ("D1:4", "D2:1")
    assert gold["Which colour has the kayak?"] == ("D2:1",)


CASE = {"question": "Who?", "gold": ["a"], "records": []}
NOTE = {"record": "memory", "content": "x", "id": "a"}


@pytest.mark.parametrize(
    ("cases", "words"),
    [
        (lines(plain()) + "{broken", ["Line 9", "JSON"]),
        ('[{"question": 1},\n]', ["Line 2", "JSON"]),
        (lines([*plain(), {"gold": ["a"]}]), ["Line 9", "`question` is missing"]),
        (lines([*plain(), {"question": "x", "gold": []}]), ["Line 9", "`gold`"]),
        (lines([*plain(), {"question": "x", "gold": [3]}]), ["Line 9", "`gold[0]`"]),
        (lines([*plain(), {**CASE, "golden": 1}]), ["Line 9", "`golden` is not known"]),
        (lines([*plain(), {"question": "x", "gold": ["lost"]}]), ["Line 9", "gold[0]", "'lost'"]),
        (lines([{**CASE, "records": [{**NOTE, "id": "b"}]}]), ["Line 1", "gold[0]"]),
        (lines([{**CASE, "records": [NOTE, {"record": "memo"}]}]), ["Line 1", "records"]),
        (
            lines([{**CASE, "records": [NOTE, {**NOTE, "created_at": "soon"}]}]),
            ["Line 1", "records[1].created_at"],
        ),
        (lines([{**CASE, "records": [NOTE], "now": "soon"}]), ["Line 1", "`now`", "2023-05-08"]),
        (lines([{"question": "x", "gold": ["a"]}, {**CASE}]), ["Line 2", "`records`", "own store"]),
        (
            lines([{**CASE, "records": [NOTE], "id": "2"}, CASE | {"records": None}]),
            ["duplicate"],
        ),
    ],
)
def test_malformed_plain_files(file: File, cases: str, words: list[str]) -> None:
    with pytest.raises(BadRecord) as raised:
        survey(Path(file(cases)), "plain", "turn")
    for word in words:
        assert word in raised.value.message
    assert raised.value.advice


def test_a_mistake_is_told_before_anything_is_done(file: File, run: Run, tmp_path: Path) -> None:
    path = file(lines([*plain(), {"question": "x", "gold": ["lost"]}]))
    done = run("eval", "retrieval", path, "--json", "--output", "r.jsonl")
    assert (done.code, done.stdout) == (3, "")
    error = json.loads(done.stderr)
    assert (error["name"], error["line"], error["field"]) == ("bad_record", 9, "gold[0]")
    assert "docs/evaluation.md" in error["fix"]
    assert not (tmp_path / "r.jsonl").exists()


@pytest.mark.parametrize(
    ("format", "case", "words"),
    [
        ("longmemeval", {}, "`question_id` is missing"),
        ("longmemeval", chat(0, "q", haystack_dates=[]), "haystack_sessions"),
        ("longmemeval", chat(0, "q", question_date="May"), "question_date"),
        ("locomo", chat(0, "q"), "`conversation` is missing"),
        ("locomo", {"conversation": {"session_1": [{"speaker": "Ana"}]}, "qa": []}, "dia_id"),
        ("locomo", {"conversation": {"session_1": []}, "qa": []}, "session_1_date_time"),
        ("plain", talk(), "`sample_id` is not known"),
    ],
)
def test_malformed_data_sets(file: File, format: Format, case: Any, words: str) -> None:
    with pytest.raises(BadRecord) as raised:
        survey(Path(file([case])), format, LEVELS[format])
    assert "Line 1" in raised.value.message
    assert words in raised.value.message


def piece(name: str, session: str | None, **metadata: Any) -> Evidence:
    return Evidence(id=name, kind="memory", text="x", session=session, metadata=metadata)


def test_sessions_stand_where_their_best_piece_does() -> None:
    found = [piece("1", "b"), piece("2", "a"), piece("3", None), piece("4", "b"), piece("5", "c")]
    assert rank_sessions(found) == ["b", "a", "c"]


def test_records_go_by_the_name_that_is_gold() -> None:
    found = [piece("m1", None), piece("m2", None, id="note"), piece("m3", None, id=7)]
    labels = {"m1": ["first", "same words"]}
    assert rank_records(found, ["m2"], labels) == ["first", "m2", "7"]
    assert rank_records(found, ["same words", "first"], labels)[:2] == ["first", "same words"]
