"""Right, wrong or missed: facts by their parts and dates, memories by their words."""

from __future__ import annotations

from typing import Any

import pytest

from thalamus.evaluation.judge import (
    begins_word,
    fact_fits,
    fact_text,
    judge_facts,
    judge_memories,
    memory_fits,
    plain,
)
from thalamus.evaluation.statements import WantedFact, WantedMemory
from thalamus.records import Fact

pytestmark = pytest.mark.storeless

AT = "2025-06-15T12:00:00Z"


def fact(said: str, **dates: str | None) -> Fact:
    subject, predicate, object = said.split(" ", 2)
    return Fact(subject=subject, predicate=predicate, object=object, **dates)


def wanted(said: str, **more: Any) -> WantedFact:
    subject, predicate, object = said.split(" ", 2)
    return WantedFact(subject=subject, predicate=predicate, object=object, **more)


def verdicts(items: list[Any]) -> list[tuple[str, str]]:
    return [(item.verdict, item.text) for item in items]


@pytest.mark.parametrize(
    ("object", "spelling", "fits"),
    [
        ("a cat", "cat", True),
        ("My Cat", "the cat", True),
        ("Kraków's old town", "kraków old town", True),
        ("eine Katze", "Katze", True),
        ("cats", "cat", False),
        ("a welding course", "*welding*", True),
        ("wedding", "*welding*", False),
        ("red bike", "red *", True),
        ("tea over coffee", "tea*coffee", True),
        ("The The", "the the", True),
        ("St. Columba's", "St Columba*", True),
        ("3", "three", False),
    ],
)
def test_objects(object: str, spelling: str, fits: bool) -> None:
    assert fact_fits(fact(f"user has {object}"), wanted(f"user has {spelling}"), AT) is fits


def test_several_spellings() -> None:
    pattern = WantedFact(
        subject=["user", "Eli"], predicate=["wife", "favourite_*"], object=["Ada", "blue"]
    )
    assert fact_fits(fact("user wife Ada"), pattern, AT)
    assert fact_fits(fact("eli favourite_colour Blue"), pattern, AT)
    assert fact_fits(fact("user Favourite-Colour blue"), pattern, AT)
    assert not fact_fits(fact("user sister Ada"), pattern, AT)
    assert not fact_fits(fact("Ada wife user"), pattern, AT)


@pytest.mark.parametrize(
    ("dates", "more", "fits"),
    [
        ({}, {}, True),
        ({"valid_from": "2025-03-01T00:00:00Z"}, {}, True),
        ({"valid_from": "2025-03-01T00:00:00Z"}, {"valid_from": "2025-03"}, True),
        ({"valid_from": "2024-03-01T00:00:00Z"}, {"valid_from": "2025-03"}, False),
        ({"valid_from": "2025-03-01T00:00:00Z"}, {"valid_from": None}, False),
        ({}, {"valid_from": None}, True),
        ({}, {"valid_from": "2025"}, False),
        ({"valid_from": "2026-01-01T00:00:00Z"}, {"valid_from": "2026-01"}, True),  # to come
        ({"valid_to": "2025-01-01T00:00:00Z"}, {}, False),
        ({"valid_to": "2025-01-01T00:00:00Z"}, {"over": True}, True),
        ({"valid_to": AT}, {"over": True}, True),
        ({"valid_to": "2026-01-01T00:00:00Z"}, {"over": True}, False),  # announced: it still holds
        ({"valid_to": "2026-01-01T00:00:00Z"}, {}, True),
        ({"valid_to": "2026-01-01T00:00:00Z"}, {"valid_to": None}, False),
        ({}, {"over": True}, False),
    ],
)
def test_dates(dates: dict[str, str], more: dict[str, Any], fits: bool) -> None:
    assert fact_fits(
        fact("user lives_in Bern", **dates), wanted("user lives_in Bern", **more), AT
    ) is (fits)


def test_every_fact_gets_a_verdict() -> None:
    kept = [fact("user likes tea"), fact("user lives_in Bern", valid_from="2025-01-01T00:00:00Z")]
    found = judge_facts(
        [*kept, fact("user age 9")],
        [
            wanted("user likes tea", optional=True),
            wanted("user likes cake", optional=True),
            wanted("user lives_in Bern"),
            WantedFact(subject="user", predicate=["dog", "pet"], object="Rex", valid_to="2024"),
        ],
        AT,
    )
    assert found.wanted == 2
    assert verdicts(found.items) == [
        ("right", "user likes tea"),
        ("right", "user lives_in Bern from 2025-01-01"),
        ("wrong", "user age 9"),
        ("missed", "user dog Rex to 2024"),
    ]


def test_one_of_several_is_enough() -> None:
    either = [
        wanted("user plans retire", either="end"),
        wanted("user is retired", valid_from="2026", either="end"),
    ]
    assert judge_facts([fact("user plans retire")], either, AT).wanted == 1
    assert [v for v, _ in verdicts(judge_facts([fact("user plans retire")], either, AT).items)] == [
        "right"
    ]
    assert [v for v, _ in verdicts(judge_facts([], either, AT).items)] == ["missed"]
    both = judge_facts(
        [fact("user plans retire"), fact("user is retired", valid_from="2026-05-01T00:00:00Z")],
        either,
        AT,
    )
    assert [v for v, _ in verdicts(both.items)] == ["right", "right"]


@pytest.mark.parametrize(
    ("part", "text", "stands"),
    [
        ("mov", "The user moved.", True),
        ("ove", "The user moved.", False),
        ("likes", "The user dislikes tea.", False),
        ("8", "Tom is 8.", True),
        ("8", "Tom is 80.", False),
        ("8", "Tom is 18.", False),
        ("lives in", "She lives\nin Bern.", True),
        ("ÖBB", "bei der öbb", True),
        ("café", "un cafe\u0301", True),
        ("13. Mai", "am 13. Mai", True),
    ],
)
def test_words_are_met_at_their_beginning(part: str, text: str, stands: bool) -> None:
    assert begins_word(part, text) is stands


def test_memories() -> None:
    nuts = WantedMemory(words=["allerg|can't eat", "nuts"], without=["user likes"])
    assert memory_fits("The user is allergic to nuts.", nuts)
    assert memory_fits("The user can't eat nuts.", nuts)
    assert not memory_fits("The user is allergic to cats.", nuts)
    assert not memory_fits("The user likes nuts despite an allergy.", nuts)
    kept = ["The user is allergic to nuts.", "An allergy to nuts.", "The user is tired."]
    found = judge_memories(kept, [nuts, WantedMemory(words=["Bern|Berne", "2019"])])
    assert found.wanted == 2
    assert verdicts(found.items) == [
        ("right", kept[0]),
        ("right", kept[1]),
        ("wrong", kept[2]),
        ("missed", "Bern or Berne … 2019"),
    ]


def test_nothing_wanted_and_nothing_kept() -> None:
    assert judge_facts([], [], AT).items == []
    assert judge_memories([], []).wanted == 0
    assert verdicts(judge_memories(["Hello."], []).items) == [("wrong", "Hello.")]


def test_texts() -> None:
    assert plain("the") == "the"
    assert plain("  Une   maison! ") == "maison"
    said = fact("Ada wife Bo", valid_from="2024-01-02T00:00:00Z", valid_to="2025-01-02T00:00:00Z")
    assert fact_text(said) == "Ada wife Bo from 2024-01-02 to 2025-01-02"
