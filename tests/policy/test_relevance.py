"""How relevant a find is to a question, whatever else was found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.policy.rank import Candidate
from thalamus.policy.relevance import ALIKE, QuestionWords, Share, Unrelated, relevance, relevant
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
        ("car keys", ["car", "keys"]),  # a function word of another language
        ("The red hat?", ["red", "hat"]),
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
    shares = QuestionWords(" ".join(rarity)).shares(rarity)
    unrelated = Unrelated(background)
    plain = Candidate("a", vector=cosine)
    boosted = Candidate("a", vector=cosine, named=named, timely=timely)
    some, all = set(asked), {*asked, *more}
    least = relevance(plain, some, some, shares, unrelated)
    answered = relevance(plain, some, all, shares, unrelated)
    assert 0 <= least <= answered <= relevance(plain, all, all, shares, unrelated) <= 1
    assert least <= relevance(boosted, some, some, shares, unrelated)
    if cosine is not None and cosine < 0.9:
        nearer = Candidate("a", vector=cosine + 0.1)
        assert least <= relevance(nearer, some, some, shares, unrelated)


def test_words_say_less_to_a_model_that_understands_sentences() -> None:
    found = Candidate("a", vector=0.3)
    static, contextual = (
        relevance(
            found, {"dog"}, {"dog"}, [Share({"dog": 1.0}, 1.0)], Unrelated.of(0.2, 100, model)
        )
        for model in ("static:any", "multilingual:any")
    )
    assert contextual < static


def test_a_long_message_is_as_relevant_as_the_sentence_that_asks() -> None:
    story = "The train was late, the kettle broke and nobody answered my letters. " * 3
    text = "Ana's job is at the port."

    def judged(message: str) -> float:
        asked = QuestionWords(message)
        found = asked.found_in({0: text})
        shares = asked.shares(asked.rarity(found.values(), 10))
        return relevance(Candidate("a"), found[0], found[0], shares, Unrelated())

    alone = judged("What is Ana's job?")
    assert alone == 1.0 and judged(f"{story}What is Ana's job?") > 0.4
    assert judged(story) == 0.0


def test_a_word_of_a_short_sentence_is_not_all_that_a_long_message_asks() -> None:
    asked = QuestionWords("I am tired. What should the invitation to the summer party say?")
    found = asked.found_in({0: "Was tired all week."})
    shares = asked.shares(asked.rarity(found.values(), 10))
    assert relevance(Candidate("a"), found[0], found[0], shares, Unrelated()) < 0.35


JUDGED = st.lists(st.tuples(st.one_of(st.none(), st.floats(0, 1)), st.floats(0, 1)), max_size=8)


@given(JUDGED, st.floats(0, 1), st.floats(0, 1))
def test_what_is_far_behind_the_best_is_left_out(
    values: list[tuple[float | None, float]], least: float, share: float
) -> None:
    evidence = [
        Evidence(id=str(n), kind="memory", text="", relevance=value, score=score)
        for n, (value, score) in enumerate(values)
    ]
    left = relevant(evidence, least, share)
    assert [item for item in evidence if item in left] == left
    assert relevant(evidence, 0.0, share) == evidence
    assert all(item in left for item in evidence if item.relevance is None)
    best = max((value for value, _ in values if value is not None), default=0.0)
    if best >= least:
        alike = [item for item in evidence if (item.relevance or 0) >= ALIKE * best]
        assert all(item in left for item in alike)
        top = max((score for _, score in values), default=0.0)
        far = [item for item in left if item not in alike and item.relevance is not None]
        assert all(item.score >= min(share, best) * top for item in far if least)
    elif least:
        assert all(item.relevance is None for item in left)
