"""`thalamus eval memory`: what a model keeps of statements, judged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.evaluating import lines
from tests.conftest import Result
from thalamus.errors import BadRecord
from thalamus.evaluation.statements import PACKAGED, Choice, read, select

File = Callable[..., str]
Run = Callable[..., Result]

# what is said to a model that keeps exactly what the script below says
CASES: list[dict[str, Any]] = [
    {
        "id": "tea",
        "kind": "preference",
        "language": "en",
        "half": "tune",
        "at": "2025-03-04",
        "message": "I love green tea.",
        "facts": [{"subject": "user", "predicate": ["likes", "loves"], "object": "green tea"}],
        "memories": [{"words": ["green tea"], "without": ["dislike"]}],
    },
    {
        "id": "move",
        "kind": "move",
        "language": "en",
        "half": "report",
        "at": "2025-12-08",
        "before": ["My name is Igor."],
        "message": "I moved to Basel in May.",
        "facts": [
            {
                "subject": "user",
                "predicate": "lives_in",
                "object": "Basel",
                "valid_from": "2025-05",
            },
            {"subject": "user", "predicate": "name", "object": "Igor"},
        ],
        "memories": [{"words": ["Basel"]}, {"words": ["Igor"], "optional": True}],
    },
    {
        "id": "hallo",
        "kind": "greeting",
        "language": "de",
        "half": "report",
        "message": "Guten Morgen!",
    },
]
SCRIPT = """
- {role: answer, match: tea, reply: "I'm sorry, but I don't have any information about that."}
- {role: answer, match: Basel, reply: "I moved to Basel in May."}
- {role: answer, reply: "Hello!"}
- role: reflect
  match: tea
  reply:
    memories_to_store: [{quote: I love green tea, content: The user likes green tea.}]
    facts: [{quote: I love green tea, subject: user, predicate: likes, object: green tea}]
- role: reflect
  match: Basel
  reply:
    memories_to_store: [{quote: I moved to Basel, content: The user moved to Basel in May.}]
    facts:
    - {quote: I moved to Basel in May, subject: user, predicate: lives_in, object: Basel,
       valid_from: 2025-05}
- role: reflect
  match: Igor
  reply:
    memories_to_store: [{quote: My name is Igor, content: The user's name is Igor.}]
    facts: [{quote: My name is Igor, subject: user, predicate: name, object: Igor}]
- role: reflect
  reply: {memories_to_store: [], facts: []}
"""


@pytest.fixture
def judge(run: Run, file: File, tmp_path: Path) -> Callable[..., Result]:
    """Runs the evaluation over some cases with a model that plays a script."""
    (tmp_path / "script.yaml").write_text(SCRIPT)

    def judged(cases: list[dict[str, Any]], *options: str, model: str = "scripted") -> Result:
        spec = f"scripted:{tmp_path}/script.yaml" if model == "script" else model
        return run("eval", "memory", file(lines(cases)), "--model", spec, *options)

    return judged


def case(**fields: Any) -> dict[str, Any]:
    return {"message": "I live in Basel.", **fields}


def test_the_figures_and_the_table(judge: Callable[..., Result], home: Path) -> None:
    done = judge(CASES, "--json")
    assert done.code == 0, done.stderr
    [found] = done.records
    assert found["record"] == "memory_evaluation"
    assert found["models"] == {"answer": "scripted", "reflect": "scripted"}
    assert found["all"]["cases"] == 3
    assert list(found["kinds"]) == ["preference", "move", "greeting"]
    assert list(found["languages"]) == ["de", "en"]
    assert found["all"]["facts"] | {"right": 3, "found": 3, "missed": 0} == found["all"]["facts"]
    assert found["all"]["facts"]["recall"] == 1.0
    assert found["kinds"]["preference"]["memories"]["precision"] == 1.0
    assert (found["all"]["empty"], found["all"]["statements"]) == (1, 2)
    assert not home.exists(), "the user's own store was touched"
    table = judge(CASES).stdout
    assert "facts: precision 100.0 % (3 of 3 kept), recall 100.0 % (3 of 3)" in table
    assert "of 2 statements, 0 were answered by a refusal, 0 by an echo" in table
    assert table.splitlines()[3].startswith("kind        cases  facts right  facts wrong")


def test_refusals_echoes_and_what_is_missed(judge: Callable[..., Result], tmp_path: Path) -> None:
    said = {"id": "owls", "kind": "preference", "message": "Owls at night, always."}
    wanted = {"subject": "user", "predicate": "likes", "object": "owls"}
    owls = {**said, "facts": [wanted], "memories": [{"words": ["owls"]}]}
    done = judge([*CASES, owls], "--json", "--output", "cases.jsonl", model="script")
    assert done.code == 0, done.stderr
    figures = done.records[0]["all"]
    assert (figures["refusals"], figures["echoes"]) == (1, 1)
    assert figures["facts"]["missed"] == 1
    header, *cases = map(json.loads, (tmp_path / "cases.jsonl").read_text().splitlines())
    assert (header["record"], header.get("all")) == ("memory_evaluation", None)
    assert [item["id"] for item in cases] == ["tea", "move", "hallo", "owls"]
    tea, move, hello, owls = cases
    assert (tea["reply"], move["reply"], hello["reply"]) == ("refusal", "echo", "")
    assert tea["answer"].startswith("I'm sorry")
    assert owls["kept"] == [
        {"what": "fact", "verdict": "missed", "text": "user likes owls"},
        {"what": "memory", "verdict": "missed", "text": "owls"},
    ]
    assert tea["wanted"] == {"facts": 1, "memories": 1}
    assert (hello["kept"], hello["empty"]) == ([], True)
    assert len(move["seconds"]) == 2
    assert move["before"] == ["My name is Igor."]
    facts = [(item["verdict"], item["text"]) for item in move["kept"] if item["what"] == "fact"]
    assert sorted(facts) == [
        ("right", "user lives_in Basel from 2025-05-01"),
        ("right", "user name Igor"),
    ]


def test_what_is_kept_of_nothing_is_wrong(judge: Callable[..., Result]) -> None:
    done = judge([case(kind="joke", at="2025-01-01")], "--json")
    figures = done.records[0]["kinds"]["joke"]
    assert (figures["empty"], figures["empty_kept"]) == (1, 1)
    assert figures["facts"]["wrong"] == 1
    shown = judge([case(kind="joke", at="2025-01-01")], "-v")
    assert "1 (2025-01-01): I live in Basel." in shown.stdout
    assert "  wrong   fact    user lives_in Basel" in shown.stdout
    assert (
        "messages with nothing to keep of which something was kept: 100.0 % (1 of 1)"
        in shown.stdout
    )


def test_without_answers(judge: Callable[..., Result]) -> None:
    [found] = judge(CASES, "--json", "--no-answer", model="script").records
    assert list(found["models"]) == ["reflect"]
    assert (found["all"]["statements"], found["all"]["refusals"]) == (0, 0)


CHOICES = [
    (Choice(half="tune"), ["tea"]),
    (Choice(half="report"), ["move", "hallo"]),
    (Choice(kinds=["move", "greeting"]), ["move", "hallo"]),
    (Choice(languages=["de"]), ["hallo"]),
    (Choice(half="report", limit=1), ["move"]),
    (Choice(), ["tea", "move", "hallo"]),
]


def test_some_of_the_cases(judge: Callable[..., Result], file: File, tmp_path: Path) -> None:
    cases = read(Path(file(lines(CASES))))
    for choice, ids in CHOICES:
        assert [case.id for case in select(cases, choice)] == ids, choice
    for options, ids in (
        (["--half", "report", "--limit", "1"], ["move"]),
        (["--kind", "move", "--kind", "greeting", "--language", "de"], ["hallo"]),
    ):
        out = "_".join(ids) + ".jsonl"
        assert judge(CASES, "--no-answer", "--output", out, *options).code == 0
        written = list(map(json.loads, (tmp_path / out).read_text().splitlines()))
        assert [item["id"] for item in written[1:]] == ids


def test_a_choice_that_there_is_not(judge: Callable[..., Result]) -> None:
    done = judge(CASES, "--kind", "mve")
    assert done.code == 2
    assert "invalid --kind 'mve' (choose from greeting, move, preference)" in done.stderr
    done = judge(CASES, "--half", "tune", "--language", "de")
    assert (done.code, "No statement" in done.stderr) == (2, True)
    assert judge(CASES, "--half", "both").code == 2
    assert "has no statements" in judge([]).stderr


def test_a_run_is_continued(judge: Callable[..., Result], tmp_path: Path) -> None:
    assert judge(CASES, "--limit", "1", "--output", "r.jsonl").code == 0
    [found] = judge(CASES, "--output", "r.jsonl", "--json").records
    assert (found["resumed"], found["all"]["cases"]) == (1, 3)
    whole = (tmp_path / "r.jsonl").read_bytes()
    (tmp_path / "r.jsonl").write_bytes(whole[:-9])
    assert judge(CASES, "--output", "r.jsonl", "--json").records[0]["resumed"] == 2
    assert (tmp_path / "r.jsonl").read_bytes() == whole
    done = judge(CASES, "--output", "r.jsonl", "--no-answer")
    assert done.code == 2
    assert "of another --model (answer scripted, reflect scripted, not reflect" in done.stderr
    retrieval = '{"question":"Who?","gold":["m"],"records":[]}'
    (tmp_path / "q.jsonl").write_text(retrieval)
    done = judge(CASES, "--output", "q.jsonl")
    assert (done.code, "is not a results file" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"mesage": "hi"}, "mesage"),
        ({"message": "  "}, "message"),
        ({"at": "yesterday"}, "at"),
        ({"half": "third"}, "half"),
        ({"facts": [{"subject": "user", "predicate": "likes"}]}, "facts[0].object"),
        (
            {"facts": [{"subject": "u", "predicate": "is", "object": "x", "valid_to": "May"}]},
            "facts[0].valid_to",
        ),
        ({"memories": [{"words": []}]}, "memories[0].words"),
        ({"memories": [{"words": ["a|"]}]}, "memories[0].words[0]"),
        ({"id": "tea"}, "id"),
    ],
)
def test_a_wrong_line_is_named(file: File, wrong: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRecord) as caught:
        read(Path(file(lines([CASES[0], case(**wrong)]))))
    assert (caught.value.line, caught.value.field) == (2, field)
    fix = caught.value.fix or ""
    assert "docs/evaluation.md" in fix or "Give each statement an id" in fix


def test_a_wrong_line_ends_the_command(judge: Callable[..., Result]) -> None:
    done = judge([CASES[0], case(message="  ")])
    assert done.code == 3
    assert "Line 2" in done.stderr and "`message`" in done.stderr
    assert "docs/evaluation.md" in done.stderr


def test_a_model_that_is_down_ends_the_run(run: Run, file: File, tmp_path: Path) -> None:
    (tmp_path / "down.yaml").write_text("[{error: unreachable}]")
    done = run("eval", "memory", file(lines(CASES)), "--model", f"scripted:{tmp_path}/down.yaml")
    assert done.code == 12
    assert done.stdout == ""


def test_a_model_that_fails_at_one_reply_is_noted(run: Run, file: File, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("[{role: answer, match: tea, error: failed}]")
    options = ["--model", f"scripted:{tmp_path}/bad.yaml", "--output", "r.jsonl", "--json"]
    done = run("eval", "memory", file(lines(CASES)), *options)
    assert done.code == 0, done.stderr
    assert done.records[0]["all"]["statements"] == 1
    tea = json.loads((tmp_path / "r.jsonl").read_text().splitlines()[1])
    assert tea["answer"] is None
    assert len(tea["issues"]) == 1


def test_the_packaged_statements() -> None:
    """They are two hundred, evenly split, and labelled with words that they hold."""
    cases = read(PACKAGED)
    assert len(cases) == 200
    assert {item.language for item in cases} == {"en", "de", "es", "fr", "pt"}
    halves = [item.half for item in cases]
    assert halves.count("tune") == halves.count("report") == 100
    for kind in {item.kind for item in cases}:
        of_kind = [item.half for item in cases if item.kind == kind]
        assert abs(of_kind.count("tune") - of_kind.count("report")) <= 1
    assert sum(item.empty for item in cases) == 54
