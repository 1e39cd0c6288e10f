"""How relevant a find is to a question, whatever else was found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.policy.rank import Candidate
from thalamus.policy.relevance import SECONDARY_SHARE, QuestionWords, Unrelated, relevance, relevant
from thalamus.records import Evidence

pytestmark = pytest.mark.storeless

WORDS = st.lists(st.sampled_from("ana kitten porto job rent trombone".split()), max_size=6)
COSINES = st.one_of(st.none(), st.floats(-1, 1))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What's Ana's job?", ["ana", "job"]),
        ("Wie heißt mein Hund?", ["heisst", "hund"]),
        ("Where did we eat last Saturday?", ["eat", "saturday"]),
        ("What did I say in May 2023?", ["2023", "may"]),
        ("Wo waren wir im März essen?", ["essen", "marz"]),
        ("Où habite ma sœur ?", ["habite", "soeur"]),
    ],
)
def test_a_question_asks_for_its_content_words(question: str, words: list[str]) -> None:
    assert QuestionWords(question).words == words


@pytest.mark.parametrize(
    "question",
    [
        "What did we talk about yesterday?",
        "What do you know about me?",
        "Was weißt du über mich?",
        "What did I do two weeks ago?",
        "何をしていますか",
    ],
)
def test_a_question_for_nothing_in_particular_has_none(question: str) -> None:
    assert QuestionWords(question).words == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The jobs of Ana", {"ana", "job"}),
        ("Ana: no idea", {"ana"}),
        ("Anatomy and jobless", set()),
        ("Ana’s JOB", {"ana", "job"}),
        ("banana", set()),
    ],
)
def test_forms_of_its_words_are_found(text: str, found: set[str]) -> None:
    assert QuestionWords("What's Ana's job?").found_in({0: text}) == {0: found}


def test_texts_that_are_looked_through_together_stay_apart() -> None:
    texts = {"a": "no", "b": "Ana and Ana", "c": "", "d": "a job", "e": "an", "f": "a"}
    found = QuestionWords("What's Ana's job?").found_in(texts)
    assert found == {"a": set(), "b": {"ana"}, "c": set(), "d": {"job"}, "e": set(), "f": set()}


def test_a_word_that_nothing_has_counts_most() -> None:
    asked = QuestionWords("What instrument does Ana play?")
    texts = asked.found_in(dict(enumerate(["Ana plays chess.", "Ana swims.", "Ana reads."])))
    rarity = asked.rarity(texts.values(), 10)
    assert rarity["instrument"] > rarity["play"] > rarity["ana"] > 0


@given(WORDS, WORDS, COSINES, st.floats(0, 0.9), st.booleans(), st.floats(0, 1))
def test_it_is_a_share_and_more_never_makes_it_less(
    asked: list[str],
    more: list[str],
    cosine: float | None,
    background: float,
    named: bool,
    timely: float,
) -> None:
    rarity = {word: 1.0 + len(word) for word in {*asked, *more}}
    unrelated = Unrelated(background)
    plain = Candidate("a", vector=cosine)
    boosted = Candidate("a", vector=cosine, named=named, timely=timely)
    some, all = set(asked), {*asked, *more}
    least = relevance(plain, some, some, rarity, unrelated)
    answered = relevance(plain, some, all, rarity, unrelated)
    assert 0 <= least <= answered <= relevance(plain, all, all, rarity, unrelated) <= 1
    assert least <= relevance(boosted, some, some, rarity, unrelated)
    if cosine is not None and cosine < 0.9:
        nearer = Candidate("a", vector=cosine + 0.1)
        assert least <= relevance(nearer, some, some, rarity, unrelated)


def test_words_say_less_to_a_model_that_understands_sentences() -> None:
    found = Candidate("a", vector=0.3)
    static, contextual = (
        relevance(found, {"dog"}, {"dog"}, {"dog": 1.0}, Unrelated.of(0.2, 100, model))
        for model in ("static:any", "multilingual:any")
    )
    assert contextual < static


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=8), st.floats(0, 1))
def test_less_is_enough_next_to_what_is_relevant(values: list[float | None], least: float) -> None:
    evidence = [
        Evidence(id=str(n), kind="memory", text="", relevance=value)
        for n, value in enumerate(values)
    ]
    left = relevant(evidence, least)
    assert [item for item in evidence if item in left] == left
    judged = [value for value in values if value is not None]
    enough = SECONDARY_SHARE * least if judged and max(judged) >= least else least
    kept = {item.id for item in left}
    assert kept == {str(n) for n, value in enumerate(values) if value is None or value >= enough}
