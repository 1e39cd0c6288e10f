"""`thalamus eval retrieval`: the three formats, scores, options."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.evaluating import PETS, chat, lines, plain, talk
from tests.conftest import Result
from thalamus.evaluation import longmemeval
from thalamus.evaluation.protocol import LeftOut

Measure = Callable[..., dict[str, Any]]
File = Callable[..., str]
Run = Callable[..., Result]


def test_locomo(file: File, measure: Measure, home: Path) -> None:
    found = measure(file([talk()]), "--format", "locomo", "-k", "3,1")
    assert (found["record"], found["level"], found["k"]) == ("evaluation", "turn", [1, 3])
    assert found["questions"] == 10
    assert found["left_out"] == {"adversarial": 1, "no_evidence": 1}
    assert found["references"] == 1
    assert (found["haystacks"], found["records"]) == (1, len(PETS) + 1)
    assert found["types"]["single-hop"]["recall@3"] == 1.0
    assert found["types"]["multi-hop"]["any@1"] == 1.0
    assert found["types"]["multi-hop"]["all@1"] == 0.0
    assert set(found["types"]) == {"single-hop", "multi-hop", "open-domain"}
    assert found["embedder"] == "scripted"
    assert not home.exists(), "one's own store was touched"


def test_locomo_by_session(file: File, measure: Measure) -> None:
    found = measure(file(talk()), "--format", "locomo", "--level", "session", "-k", "1,2")
    assert found["scores"]["all@2"] == 1.0, "there are two sessions"
    assert found["types"]["open-domain"]["any@1"] == 1.0


def test_longmemeval_in_every_wrapping(file: File, measure: Measure) -> None:
    cases = [chat(0, "q1"), chat(3, "q2"), chat(1, "q3_abs")]
    files = [
        file(cases, "list.json"),
        file(json.dumps(cases, indent=1), "pretty.json"),
        file(lines(cases), "lines.jsonl"),
        file(gzip.compress(lines(cases).encode()), "packed.jsonl.gz"),
    ]
    whole, *others = (
        [
            (case.questions, case.records)
            for case in longmemeval.read(Path(path), "session", LeftOut())
        ]
        for path in files
    )
    assert len(whole) == 2 and others == [whole] * 3
    for path in (files[0], files[-1]):
        found = measure(path, "--format", "longmemeval", "-k", "1,8")
        assert (found["level"], found["questions"]) == ("session", 2)
        assert found["left_out"] == {"abstention": 1}
        assert (found["haystacks"], found["records"]) == (2, 2 * len(PETS))
        assert found["scores"]["any@1"] == 1.0


def test_longmemeval_by_turn(file: File, measure: Measure) -> None:
    case = chat(2, "q")
    for session in case["haystack_sessions"]:
        session[0].pop("has_answer")
    case["haystack_sessions"][2][1]["has_answer"] = True  # the answer belongs to the message's turn
    found = measure(file([case]), "--format", "longmemeval", "--level", "turn", "-k", "1")
    assert found["scores"]["all@1"] == 1.0
    case["haystack_sessions"][2][1]["has_answer"] = False
    done = measure(
        file([case, chat(1, "r")]), "--format", "longmemeval", "--level", "turn", "-k", "1"
    )
    assert done["left_out"] == {"no_evidence": 1}


def test_plain_records(file: File, measure: Measure) -> None:
    cases = plain()
    cases[1]["gold"] = ["mem_heron"]
    found = measure(file(lines(cases)), "-k", "1")
    assert (found["format"], found["haystacks"], found["questions"]) == ("plain", 1, len(PETS))
    assert found["scores"] == {"any@1": 1.0, "all@1": 1.0, "recall@1": 1.0}
    by_session = [{**case, "gold": [f"s_{pet}"]} for case, pet in zip(cases, PETS, strict=True)]
    assert measure(file(lines(by_session)), "--level", "session")["scores"]["any@5"] == 1.0
    one = json.dumps(cases[0], indent=2)
    assert measure(file(one))["questions"] == 1


def test_plain_turns_facts_and_types(file: File, measure: Measure) -> None:
    records: list[dict[str, Any]] = [
        {"record": "turn", "message": "The oven is broken.", "id": "turn_1"},
        {"record": "fact", "subject": "Ana", "predicate": "likes", "object": "bees", "id": "f1"},
        {
            "record": "memory",
            "content": "Milk was sold out.",
            "id": "m1",
            "expires_at": "2024-02-01",
        },
    ]
    milk = {"question": "Was there milk?", "gold": ["m1"]}
    cases = [
        {
            "question": "What about the oven?",
            "gold": ["turn_1"],
            "type": "home",
            "records": records,
        },
        {"question": "Who likes bees?", "gold": ["f1"], "type": "people", "id": "bees"},
        {**milk, "type": "before", "now": "2024-01-15"},
        {**milk, "type": "after", "now": "2024-03-01"},
    ]
    types = measure(file(lines(cases)), "-k", "3")["types"]
    assert {name: figures["any@3"] for name, figures in types.items()} == {
        "home": 1.0,
        "people": 1.0,
        "before": 1.0,
        "after": 0.0,
    }


def test_ones_own_store_is_asked_and_left_as_it_is(file: File, run: Run, measure: Measure) -> None:
    cases = plain()
    assert run("store", input=lines(cases[0].pop("records"))).code == 0
    before = run("export").stdout
    found = measure(file(lines(cases)), "-k", "1")
    assert found["scores"]["all@1"] == 1.0
    assert found["haystacks"] == 0
    assert run("export").stdout == before
    by_session = [{"question": "Which otter?", "gold": ["s_otter"]}]
    assert measure(file(lines(by_session)), "--level", "session")["questions"] == 1
    wrong = run("eval", "retrieval", file(lines([{"question": "x", "gold": ["typo"]}])))
    assert wrong.code == 3
    assert "typo" in wrong.stderr


def test_ones_own_store_must_be_there(file: File, run: Run) -> None:
    done = run("eval", "retrieval", file(lines([{"question": "x", "gold": ["y"]}])))
    assert done.code == 10


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-k", "0"], "-k"),
        (["-k", "five"], "-k"),
        (["--limit", "-1"], "limit"),
        (["--level", "word"], "level"),
        (["--store-dir", "/nowhere/at/all"], "--store-dir"),
        (["--output", "/nowhere/at/all"], "Cannot write /nowhere/at/all"),
        (["--embedder", "nonsense"], "nonsense"),
    ],
)
def test_bad_options(file: File, run: Run, options: list[str], words: str) -> None:
    done = run("eval", "retrieval", file(lines(plain())), *options)
    assert done.code == 2
    assert words in done.stderr


def test_files_that_cannot_be_read(file: File, run: Run) -> None:
    cut = gzip.compress(lines(plain()).encode())[:-20]
    for path in ["nowhere.json", file(cut), file("")]:
        assert run("eval", "retrieval", path).code == 2


def test_an_embedder_that_is_away_is_no_result(file: File, run: Run) -> None:
    options = ["--embedder", "ollama:nothing"]
    env = {"THALAMUS_OLLAMA_HOST": "http://127.0.0.1:9"}
    done = run("eval", "retrieval", file(lines(plain())), *options, env=env)
    assert (done.code, done.stdout) == (12, "")
    assert run("eval", "retrieval", file(lines(plain())), "--embedder", "none").code == 0


def test_the_table_for_reading(file: File, run: Run, tmp_path: Path) -> None:
    stores = tmp_path / "stores"
    stores.mkdir()
    path = file([talk()])
    done = run("eval", "retrieval", path, "--format", "locomo", "-k", "1", "--store-dir", "stores")
    assert list(stores.iterdir()) == [], "the temporary store was not removed"
    text = done.stdout.splitlines()
    assert "1 adversarial" in text[2]
    header, *rows = text[4:8]
    assert header.split() == ["type", "questions", "any@1", "all@1", "recall@1"]
    assert [row.split()[0] for row in rows] == ["multi-hop", "open-domain", "single-hop"]
    assert len({len(row) for row in [header, *rows]}) == 1
