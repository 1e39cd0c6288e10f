"""`thalamus retrieve --explain`: what makes up the score of a result."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.conftest import Result
from thalamus.policy.rank import WEIGHTS

Run = Callable[..., Result]
Shared = Callable[[Callable[[Run], None]], Run]

TALK: list[dict[str, Any]] = [
    {"record": "memory", "id": "mem_1", "content": "Ana: I gave Miso her inhaler on Friday."},
    {
        "record": "memory",
        "id": "mem_2",
        "content": "Ana: Miso sleeps in the kitchen.",
        "created_at": "2026-04-01",
    },
    {"record": "memory", "id": "mem_3", "content": "The vet of Miso is in Porto."},
    {"record": "memory", "id": "mem_4", "content": "I parked on level 3."},
    {
        "record": "memory",
        "id": "mem_5",
        "content": "I parked on level 12.",
        "created_at": "2026-05-03",
    },
    {
        "record": "turn",
        "id": "turn_6",
        "message": "When did Ana give Miso the inhaler?",
        "answer": "Miso got it.",
        "created_at": "2026-05-02",
    },
]
WHEN = "When did Ana give Miso the inhaler in May?"
EVERY = ("--min-score", "0")


@pytest.fixture
def talked(shared: Shared) -> Run:
    """Commands with a store in which these things were said."""

    def store(run: Run) -> None:
        dated = [{"created_at": "2026-05-01", "session": "s1"} | record for record in TALK]
        data = "".join(json.dumps(record) + "\n" for record in dated)
        assert run("store", input=data).code == 0

    return shared(store)


@pytest.mark.sqlite
def test_an_explanation_adds_up_to_the_score(talked: Run, snapshot: SnapshotAssertion) -> None:
    found = talked("retrieve", WHEN, *EVERY, "--explain", "--json").records
    for item in found:
        explained = item["explanation"]
        adds = [signal["adds"] for signal in explained["signals"].values()]
        assert sum(adds) == pytest.approx(explained["total"], abs=1e-3)
        share = min(1.0, explained["total"] / explained["best"])
        score = share * math.prod(explained["factors"].values())
        assert score == pytest.approx(explained["score"], abs=1e-3)
        relevance = min(1.0, sum(explained["relevance"].values()))
        assert relevance == pytest.approx(item["relevance"], abs=1e-3)
    assert [{"id": item["id"], "explanation": item["explanation"]} for item in found] == snapshot
    scores = [item["score"] for item in found]
    assert scores == sorted((item["explanation"]["score"] for item in found), reverse=True)
    plain = talked("retrieve", WHEN, *EVERY, "--json").records
    assert plain == [{k: v for k, v in item.items() if k != "explanation"} for item in found]


def test_an_explanation_for_a_person(talked: Run) -> None:
    """Each signal stands once below a result, and what they add is what the total says."""
    printed = talked("retrieve", WHEN, "--explain").stdout
    first, *others = re.split(r"\n(?=[0-9])", printed)
    for block in (first, *others):
        products = re.findall(r"^├─ +(\S+) = (\S+) × (\S+) +(.+)$", block, re.M)
        [nothing] = re.findall(r"^├─ nothing from: (.+)$", block, re.M)
        [total] = re.findall(r"^├─ +(\S+) +total$", block, re.M)
        labels = [label.partition(" (")[0] for *_, label in products] + nothing.split(", ")
        assert len(labels) == len(set(labels)) == len(WEIGHTS)
        for adds, value, weight, _ in products:
            assert float(value) * float(weight) == pytest.approx(float(adds), abs=2e-3)
        assert sum(float(adds) for adds, *_ in products) == pytest.approx(float(total), abs=5e-3)
        assert len(re.findall(r"^├─ relevance [01]\.\d\d", block, re.M)) == 1
    assert "[mem_1]" in first and "said by someone it names" in first
    [asked] = [block for block in others if "[turn_6]" in block]
    assert " × 0.7 (a past question)\n" in asked


def test_an_explanation_says_that_equals_change_places(talked: Run) -> None:
    records = talked("retrieve", WHEN, *EVERY, "--explain", "--json").records
    found = {item["id"]: item for item in records}
    newer, older = found["mem_5"], found["mem_4"]
    assert newer["score"] == older["explanation"]["score"] > newer["explanation"]["score"]
    printed = talked("retrieve", WHEN, *EVERY, "--explain").stdout
    assert f"├─ moved to a place with {newer['score']:.3f}: equals are listed" in printed


def test_what_cannot_be_explained(talked: Run) -> None:
    for arguments, problem in (
        (["--explain", "--format", "prompt", "Miso"], "--explain and --format prompt cannot"),
        (["--explain", "--redacted", "Miso"], "--explain and --redacted cannot"),
        (["--explain"], "--explain requires a QUESTION"),
    ):
        wrong = talked("retrieve", *arguments)
        assert (wrong.code, problem in wrong.stderr) == (2, True), wrong.stderr
    everything = talked("retrieve", "What do you know?", "--explain").stdout
    assert "├─ no relevance: the question asks for nothing in particular" in everything
