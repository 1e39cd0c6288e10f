"""Of sentences that differ only in a number or a name, the newest comes first."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path

import pytest

from thalamus.api import Thalamus
from thalamus.policy import rank
from thalamus.policy.rank import Candidate
from thalamus.policy.utterances import frame
from thalamus.records import Memory, Turn
from thalamus.store.values import Filter

FIRST = date(2025, 12, 20)
NAMES = "Oskar Mia Ida Tom Bea Carl Nina Ole Rita Sam Ute Vera Nils Pia".split()


def fill(thalamus: Thalamus, said: Iterable[str], answer: str = "Noted.") -> None:
    thalamus.remember(
        [
            Turn(
                message=text,
                answer=answer.format(number),
                session=f"s{number}",
                created_at=f"{FIRST + timedelta(days=number)}T08:00:00Z",
            )
            for number, text in enumerate(said)
        ]
    )


def best(thalamus: Thalamus, question: str) -> str:
    found = thalamus.recall(question, limit=3)
    return found[0].text.partition("\n")[0].removeprefix("User: ")


@pytest.mark.parametrize("answer", ["Noted.", "Noted: chest {}."])
@pytest.mark.parametrize(
    ("said", "question"),
    [
        (
            [f"I left the cart at gate {n} today." for n in range(1, 131)],
            "Where is the cart?",
        ),
        ([f"I left the cart at gate {n} today." for n in range(1, 26)], "Where is my cart now?"),
        ([f"I gave the ladder to {name}." for name in NAMES], "Who has the ladder?"),
        ([f"{name} has the ladder now." for name in NAMES], "Who has the ladder?"),
        ([f"The cart is at gate {n}." for n in ("two", "nine", "five")], "Where is the cart?"),
        ([f"Сегодня тележка у ворот {n}." for n in range(1, 26)], "Где тележка?"),
        ([f"Heute steht der Karren an Tor {n}." for n in range(1, 26)], "Wo steht der Karren?"),
        (
            [f"The code of the shed is owl{n * 7}." for n in range(1, 26)],
            "What is the code of the shed?",
        ),
    ],
)
def test_the_newest_of_equals_comes_first(
    thalamus: Thalamus, said: list[str], question: str, answer: str
) -> None:
    fill(thalamus, said, answer)
    assert best(thalamus, question) == said[-1]


def test_what_a_question_names_comes_first(thalamus: Thalamus) -> None:
    fill(thalamus, [f"I left the cart at gate {n} today." for n in range(1, 26)])
    assert best(thalamus, "When was the cart at gate 12?") == "I left the cart at gate 12 today."


def test_equals_are_as_relevant_as_the_nearest_of_them(home: Path) -> None:
    """Embeddings of sentences that differ in a number differ at random."""
    said = [f"車を地下{n}階に停めた。" for n in range(1, 31)]
    with Thalamus(home=str(home), model="scripted", embedder="static") as thalamus:
        fill(thalamus, said)
        assert best(thalamus, "車はどこに停めた？") == said[-1]


@pytest.mark.parametrize("indexed", [True, False])
def test_equals_in_the_index_and_outside_it_are_cut_by_age(
    thalamus: Thalamus, indexed: bool
) -> None:
    said = [Memory(id=f"mem_{n:04}", content=f"Otter {n} swims.") for n in range(900)]
    thalamus.remember(said[:800])
    if indexed:
        thalamus.store.rebuild_indexes()
    thalamus.database.search_text(["otter"], Filter(), 5)
    thalamus.remember(said[800:])
    found = thalamus.database.search_text(["otter"], Filter(), 30)
    assert [hit.entry.id for hit in found] == [memory.id for memory in said[:-31:-1]]


@pytest.mark.storeless
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("I met Ana on level 3.", "I met New York on level B12.", True),
        ("I'm at gate 3.5 today", "I'm at gate 12:30 today", True),
        ("今日は三階に停めた。", "今日は十二階に停めた。", True),
        ("今日は3階に停めた。", "今日は12階に停めた。", True),
        ("I met Ana on level 3.", "I left Ana on level 3.", False),
        ("I parked the cart.", "Bea parked the cart.", False),
    ],
)
def test_a_frame_is_what_equals_have_in_common(one: str, other: str, same: bool) -> None:
    assert (frame(one) == frame(other)) == same
    assert frame("Ana, 3!") == frame("x " * 200) == ""


@pytest.mark.storeless
def test_ties_are_ranked_by_time_before_they_are_cut() -> None:
    days = [f"2026-05-{day:02}" for day in (3, 9, 1, 7, 5)]
    ties = [Candidate(f"c{n}", 2.0, at=day) for n, day in enumerate(days)]
    assert [one.id for one in rank.fuse(ties, limit=2)] == ["c1", "c3"]
    near = [
        Candidate(f"n{n}", 2.0 - n / 100, at=day, frame="at gate #") for n, day in enumerate(days)
    ]
    ranked = rank.fuse(near)
    assert [one.id for one in ranked] == ["n1", "n3", "n4", "n0", "n2"]
    assert [one.score for one in ranked] == [one.score for one in rank.fuse(ties[:0] + near)]
    assert ranked[0].score == 1.0
