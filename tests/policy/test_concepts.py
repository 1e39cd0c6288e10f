"""What a record is about: names, noun phrases, topics, entities of facts."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.policy.concept_sentences import HELD_OUT, TUNED
from thalamus.policy.concepts import (
    LONGEST,
    MOST,
    concept_key,
    concepts_of,
    in_text,
    names_something,
)
from thalamus.policy.entities import USER
from thalamus.records import Fact, Insight, Link, Memory, Project, Turn


def keys(text: str) -> set[str]:
    return {found.key for found in in_text(text)}


def measured(rows: list[tuple[str, set[str]]]) -> tuple[float, float]:
    """Precision and recall over a table of sentences."""
    found = wanted = right = 0
    for text, names in rows:
        expected = {concept_key(name) for name in names}
        there = keys(text)
        right += len(there & expected)
        found += len(there)
        wanted += len(expected)
    return right / found, right / wanted


@pytest.mark.parametrize(("rows", "recall"), [(TUNED, 0.95), (HELD_OUT, 0.88)])
def test_concepts_of_sentences(rows: list[tuple[str, set[str]]], recall: float) -> None:
    precision, share = measured(rows)
    assert precision >= 0.95 and share >= recall


@pytest.mark.parametrize(
    "text",
    [
        "It was a good day and the whole thing went well.",
        "Thanks, that means a lot!",
        "I think so too.",
        "No problem, see you next week.",
        "What did you do last weekend?",
        "She can't do it, can she?",
        "12/05/2023 10:30",
        "",
        "…",
    ],
)
def test_what_is_about_nothing(text: str) -> None:
    assert keys(text) == set()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the piano lessons", "Piano lesson"),
        ("my Sister", "sister"),
        ("Köln", "koln"),
        ("New  York", "new york"),
        ("Anna's", "Anna"),
        ("berries", "berry"),
        ("boxes", "box"),
        ("coaches", "coach"),
    ],
)
def test_spellings_of_one_concept(one: str, other: str) -> None:
    assert concept_key(one) == concept_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Paris", "Pari"), ("glass", "glas"), ("Texas", "Texa"), ("bus", "bu"), ("series", "serie")],
)
def test_what_only_looks_like_a_plural(one: str, other: str) -> None:
    assert concept_key(one) != concept_key(other)


def test_a_word_within_a_name_is_no_article() -> None:
    assert concept_key("transgender rights") == "transgender right"


@pytest.mark.parametrize("text", ["Lisbon", "piano lessons", "vegan food", "Anna Müller", "R&B"])
def test_objects_that_name_something(text: str) -> None:
    assert names_something(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "35",
            "2023-05-01",
            "12 May",
            "every Tuesday",
            "anna@example.org",
            "the user",
            "true",
            "",
        ),
        *(
            "she said that she would come tomorrow",
            "https://example.org/a",
            "it is, of course, late",
        ),
    ],
)
def test_objects_that_name_nothing(text: str) -> None:
    assert not names_something(text)


def test_concepts_of_records() -> None:
    fact = Fact(subject="user", predicate="lives_in", object="Lisbon")
    assert [(c.key, c.kind) for c in concepts_of(fact)] == [("lisbon", "entity")]
    fact = Fact(subject="Anna", predicate="age", object="35")
    assert [c.key for c in concepts_of(fact)] == ["anna"]
    memory = Memory(content="We met Anna at the lake.", topic="summer_camp")
    kinds = {c.key: c.kind for c in concepts_of(memory)}
    assert kinds == {"summer camp": "topic", "anna": "name", "lake": "phrase"}
    assert concepts_of(Memory(content="Yes.", topic="general")) == []
    turn = Turn(message="Who is Anna?", answer="Anna is your sister in Porto.")
    assert {c.key for c in concepts_of(turn)} >= {"anna", "porto"}
    project = Project(name="Herb Garden", status="active", tags=["basil"])
    assert {c.key for c in concepts_of(project)} == {"herb garden", "basil"}
    insight = Insight(content="Whenever it rains, she bakes.", concepts=["rain", "baking"])
    assert {c.key for c in concepts_of(insight)} >= {"rain", "baking"}
    assert concepts_of(Link(source="a", relation="about", target="b")) == []


def test_a_shouted_text_has_no_names() -> None:
    assert not any(c.kind == "name" for c in in_text("I AM SO HAPPY ABOUT MY NEW HOUSE"))


@given(st.text(max_size=400))
@example("the Anna's Anna's of the Anna")
@example("'s 's the 's")
@example("of de of de A")
def test_of_any_text_there_are_few_concepts_that_are_names(text: str) -> None:
    found = in_text(text)
    assert len(found) <= MOST and len({c.key for c in found}) == len(found)
    for concept in found:
        assert len(concept.key) >= 2 and len(concept.name) <= LONGEST
        assert concept.key != USER and concept.name.strip() == concept.name
        assert not concept.name.isdigit()


@given(st.from_regex(r"[b-df-k][a-z]{2,8}( [b-df-k][a-z]{2,8}){0,2}", fullmatch=True))
def test_articles_and_capitals_change_no_key(name: str) -> None:
    key = concept_key(name)
    assert concept_key(key) == key
    for same in (f"the {name}", f"my  {name}", name.capitalize() if " " in name else name):
        assert concept_key(same) == key


def test_a_long_text_has_a_bounded_number() -> None:
    towns = " ".join(f"We went to the Town{chr(65 + n % 26)}{n} museum." for n in range(400))
    assert 8 < len(in_text(towns)) <= MOST
