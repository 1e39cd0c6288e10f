"""Without a capable model, what was said later of a fact stands next to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result

Run = Callable[..., Result]


def ask(run: Run, said: list[str], question: str) -> tuple[str, list[str]]:
    """The answer to a question after these messages of other days, and the evidence for it."""
    for day, message in enumerate(said, start=1):
        run("turn", "-s", f"s{day}", message, env={"THALAMUS_NOW": f"2026-05-0{day}T09:00:00Z"})
    turn = run("turn", "--json", "-s", "ask", question).records[0]
    return turn["answer"], [item["text"] for item in turn["evidence"]]


@pytest.mark.parametrize(
    ("first", "later", "question"),
    [
        ("I live in Graz.", "I moved out of Graz.", "Where do I live?"),
        ("I work at Lindt.", "Lindt let me go.", "Where do I work?"),
        ("I'm allergic to celery.", "I am not allergic to celery.", "What am I allergic to?"),
        ("My cat is called Odin.", "Odin ran away for good.", "What is my cat called?"),
        ("My brother is called Ole.", "My other brother is Nils.", "What is my brother called?"),
        ("Ich wohne in Kiel.", "Aus Kiel bin ich weggezogen.", "Wo wohne ich?"),
    ],
)
def test_a_later_turn_stands_next_to_the_fact(
    run: Run, first: str, later: str, question: str
) -> None:
    answer, evidence = ask(run, [first, later], question)
    assert f"later, on 2026-05-02, the user said: “{later}”" in answer
    assert any(later in text for text in evidence)


@pytest.mark.parametrize(
    "later",
    [
        ["I moved out of Graz.", "I live in Graz."],  # said again since
        ["Is Graz a large town?"],
        ["I like plums."],
    ],
)
def test_a_fact_without_a_later_turn_stands_alone(run: Run, later: list[str]) -> None:
    answer, _ = ask(run, ["I live in Graz.", *later], "Where do I live?")
    assert "Graz" in answer and "later" not in answer


def test_a_capable_model_ends_facts_itself(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    nothing = "{memories_to_store: [], facts: [], no_longer: []}"
    script.write_text(f"- {{role: reflect, reply: {nothing}}}\n")
    run("turn", "I live in Graz.", env={"THALAMUS_NOW": "2026-05-01T09:00:00Z"})
    run("turn", "I moved out of Graz.", env={"THALAMUS_NOW": "2026-05-02T09:00:00Z"})
    capable = {"THALAMUS_MODEL": f"scripted:{script}"}
    answer = run("turn", "-s", "ask", "Where do I live?", env=capable).stdout
    assert "Graz" in answer and "later" not in answer
