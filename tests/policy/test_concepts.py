"""What a record is about: names, topics, entities of facts."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

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

pytestmark = pytest.mark.storeless


def named(text: str) -> list[str]:
    return [found.name for found in in_text(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We met Anna in Porto.", ["Anna", "Porto"]),
        ("I moved to Lisbon with Anna Müller.", ["Lisbon", "Anna Müller"]),
        ("On Monday Anna flew to Rio de Janeiro.", ["Anna", "Rio de Janeiro"]),
        ("She studies at the University of Porto", ["University of Porto"]),
        ("He read The Lord of the Rings.", ["The Lord of the Rings"]),
        ("I love R&B and jazz.", ["R&B"]),
        ("I saw Anna's Toyota.", ["Anna", "Toyota"]),
        ("Anna called. I miss Anna.", ["Anna"]),
        ("Mi hermana Paula vive en Madrid.", ["Paula", "Madrid"]),
        ("Моя сестра Анна живёт в Казани.", ["Анна", "Казани"]),
    ],
)
def test_the_names_in_a_text(text: str, names: list[str]) -> None:
    assert named(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "It was a good day and the whole thing went well.",
        "Thanks, that means a lot!",
        "No problem, see you on Monday, or in May.",
        "I AM SO HAPPY ABOUT MY NEW HOUSE",
        "姐姐在杭州养蜂。",
        "12/05/2023 10:30",
        "",
        "…",
    ],
)
def test_what_names_nothing(text: str) -> None:
    assert named(text) == []


def test_german_capitals_are_no_sign_of_names() -> None:
    text = (
        "Ich wohne mit meinem Hund und meiner Katze in Köln, und am Wochenende gehen wir gern in"
        " den Park oder an den See."
    )
    assert named(text) == []
    known = concepts_of(Memory(content=text, topic="Haustiere"))
    assert [concept.name for concept in known] == ["Haustiere"]


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
    assert kinds == {"summer camp": "topic", "anna": "name"}
    assert concepts_of(Memory(content="Yes.", topic="general")) == []
    turn = Turn(message="Who is Anna?", answer="Anna is your sister in Porto.")
    assert {c.key for c in concepts_of(turn)} == {"anna"}
    project = Project(name="Herb Garden", status="active", tags=["basil"])
    assert {c.key for c in concepts_of(project)} == {"herb garden", "basil"}
    insight = Insight(content="Whenever it rains, she bakes.", concepts=["rain", "baking"])
    assert {c.key for c in concepts_of(insight)} == {"rain", "baking"}
    assert concepts_of(Link(source="a", relation="about", target="b")) == []


@pytest.mark.parametrize(
    "answer",
    [
        "Noted: You like tea.",
        "Okay, Got it. Sure thing!",
        "I see — Noted. (Got it.)",
        "Great Question! Here's the Summary: you like tea.",
        "Alright, Noted Down. Let me know if you'd like a Reminder.",
    ],
)
def test_the_words_of_an_assistant_are_no_concepts(answer: str) -> None:
    assert concepts_of(Turn(message="I like tea.", answer=answer)) == []


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
    assume(name.split()[0] not in {"das", "der", "die", "her", "his"})
    key = concept_key(name)
    assert concept_key(key) == key
    for same in (f"the {name}", f"my  {name}", name.capitalize() if " " in name else name):
        assert concept_key(same) == key


def test_a_long_text_has_a_bounded_number() -> None:
    towns = " ".join(f"We went to the museum of Town{chr(65 + n % 26)}{n}." for n in range(400))
    assert 8 < len(in_text(towns)) <= MOST
