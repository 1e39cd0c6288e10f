"""Ranking: every signal on the same scale."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from thalamus.policy import rank
from thalamus.policy.rank import Candidate
from thalamus.policy.utterances import names, speaker
from thalamus.records import Evidence

pytestmark = pytest.mark.storeless

RARITY = {"bee": 1.0, "hive": 2.0, "sting": 3.0}
SCORE = st.none() | st.floats(-1, 60)
CANDIDATES = st.lists(
    st.builds(
        Candidate,
        id=st.text("abcdef", min_size=1, max_size=3),
        text=SCORE,
        vector=st.none() | st.floats(-1, 1),
        sentence=st.none() | st.floats(-1, 1),
        words=st.sets(st.sampled_from(["bee", "hive", "sting"])),
        conversation=st.sampled_from([None, "monday", "tuesday"]),
        named=st.booleans(),
        timely=st.floats(0, 1),
        dated=st.booleans(),
        lack=st.floats(0, 1.8),
        asked=st.booleans(),
        stale=st.booleans(),
    ),
    unique_by=lambda c: c.id,
    max_size=20,
)


@settings(max_examples=50)
@given(CANDIDATES, st.floats(-0.2, 0.6))
def test_every_candidate_is_ranked_once_within_0_and_1(
    candidates: list[Candidate], background: float
) -> None:
    fused = rank.fuse(candidates, background, rarity=RARITY)
    assert sorted(f.id for f in fused) == sorted(c.id for c in candidates)
    scores = [f.score for f in fused]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


@settings(max_examples=50)
@given(CANDIDATES, st.integers(0, 5))
def test_a_limit_cuts_the_same_list(candidates: list[Candidate], limit: int) -> None:
    assert rank.fuse(candidates, 0.1, limit) == rank.fuse(candidates, 0.1)[:limit]


@settings(max_examples=50)
@given(CANDIDATES)
def test_what_an_arm_scores_higher_does_not_fall(candidates: list[Candidate]) -> None:
    """All else equal, more of any score never ranks lower."""
    twins = [Candidate("low", 2.0, 0.3, 0.2), Candidate("high", 3.0, 0.4, 0.5, {"hive"})]
    others = [c for c in candidates if c.id not in ("low", "high")]
    scores = {f.id: f.score for f in rank.fuse([*others, *twins], 0.1, rarity=RARITY)}
    assert scores["high"] >= scores["low"]


def order(*candidates: Candidate, background: float = 0.0) -> list[str]:
    return [f.id for f in rank.fuse(candidates, background)]


def test_one_arm_alone_decides() -> None:
    assert order(Candidate("a", text=1.0), Candidate("b", text=3.0)) == ["b", "a"]
    assert order(Candidate("a", vector=0.2), Candidate("b", vector=0.3)) == ["b", "a"]
    assert order() == []


def test_the_scale_does_not_depend_on_how_many_candidates_there_are() -> None:
    few = [Candidate("a", 9.0, 0.2), Candidate("b", 6.0, 0.5)]
    many = [*few, *(Candidate(f"x{n}", 0.5, 0.12) for n in range(50))]
    assert order(*few, background=0.1) == order(*many, background=0.1)[:2]


def test_a_cosine_that_any_text_has_counts_for_nothing() -> None:
    common = Candidate("common", text=3.0, vector=0.55)
    near = Candidate("near", text=2.4, vector=0.7)
    assert order(common, near, background=0.55) == ["near", "common"]


def test_where_everything_says_little_the_best_does_not_make_all_equal() -> None:
    found = rank.fuse([Candidate("short", lack=0.3), Candidate("empty", lack=1.8)])
    assert [(one.id, one.score) for one in found] == [("short", 1.0), ("empty", 0.0)]


def test_past_questions_neither_lead_nor_set_the_scale() -> None:
    asked = Candidate("asked", text=30.0, vector=0.9, asked=True)
    told = Candidate("told", text=3.0, vector=0.4)
    weak = Candidate("weak", text=1.0, vector=0.2)
    assert order(asked, told, weak)[0] == "told"
    with_it = {f.id: f.score for f in rank.fuse([asked, told, weak])}
    without = {f.id: f.score for f in rank.fuse([told, weak])}
    assert with_it["weak"] == without["weak"]


def test_the_nearest_sentence_counts_on_top() -> None:
    same = {"text": 2.0, "vector": 0.4}
    without, near = Candidate("a", **same), Candidate("b", **same, sentence=0.6)
    assert order(without, near, background=0.1) == ["b", "a"]
    # as a share of the way from what any text has in common with the question
    scores = {
        fused.id: fused.score
        for fused in rank.fuse([without, near, Candidate("c", **same, sentence=0.35)], 0.1)
    }
    rest = rank.WORDS_WEIGHT + 1  # words and vector, each once
    assert scores == {
        "b": 1.0,
        "c": round((rest + 0.5) / (rest + 1), 4),
        "a": round(rest / (rest + 1), 4),
    }


def test_a_sentence_as_near_as_any_text_is_not_mentioned() -> None:
    cosines = {"far": 0.1, "weak": 0.15, "near": 0.3}
    candidates = [Candidate(id, 2.0, 0.4, cosine) for id, cosine in cosines.items()]
    found = {fused.id: fused for fused in rank.fuse(candidates, 0.1)}
    assert found["near"].parts["sentence"] == 0.3 and "sentence" not in found["far"].parts
    assert found["weak"].parts["sentence"] == 0.15
    assert "sentence" not in rank.why(found["weak"], False, "")
    said = rank.why(found["near"], False, "")
    assert said.endswith("the message; a sentence of the answer comes close to it")
    assert "sentence" not in rank.why(found["far"], False, "")


def test_boosts_break_ties_and_are_told() -> None:
    same = {"text": 2.0, "vector": 0.4}
    for boosted in (
        Candidate("b", **same, named=True),
        Candidate("b", **same, timely=1.0),
        Candidate("b", **same, dated=True),
    ):
        first, second = rank.fuse([Candidate("a", **same), boosted])
        assert (first.id, second.id) == ("b", "a")
        assert set(first.parts) - set(second.parts)
        assert len(rank.why(first, False, "")) > len(rank.why(second, False, ""))


def why(*candidates: Candidate) -> dict[str, str]:
    return {one.id: rank.why(one, False, "") for one in rank.fuse(candidates, 0.2)}


def test_an_entry_found_by_its_time_alone_says_so() -> None:
    assert why(Candidate("a", timely=0.4))["a"] == "said at the time the message speaks of"


def test_an_entry_found_by_a_sentence_of_its_answer_says_so() -> None:
    found = why(Candidate("a", vector=0.1, sentence=0.5), Candidate("b", vector=0.1, sentence=0.1))
    assert found == {
        "a": "a sentence of the answer comes close to the message",
        "b": "is no closer to the message than most",
    }


def test_what_adds_next_to_nothing_is_no_reason() -> None:
    found = why(Candidate("far", 2.0, 0.1, timely=0.01), Candidate("near", 0.1, 0.5))
    assert found == {
        "far": "shares words with the message",
        "near": "is close in meaning to the message",
    }
    assert why(Candidate("far", None, 0.1))["far"] == "is no closer to the message than most"


@settings(max_examples=50)
@given(CANDIDATES, st.floats(-0.2, 0.6))
def test_the_signals_of_an_explanation_add_up_to_the_score(
    candidates: list[Candidate], background: float
) -> None:
    by_id = {candidate.id: candidate for candidate in candidates}
    for fused in rank.fuse(candidates, background, rarity=RARITY):
        found = rank.explanation(fused, by_id[fused.id], {})
        assert list(found.signals) == list(rank.WEIGHTS)
        assert all(0 <= signal.value <= 1 for signal in found.signals.values())
        adds = [signal.value * signal.weight for signal in found.signals.values()]
        assert sum(adds) == pytest.approx(found.total, abs=1e-3)
        low = 0.0 if fused.best > 0 else -rank.MOST_LACK
        share = min(1.0, max(0.0, (fused.total - low) / (fused.best - low or 1.0)))
        assert share * math.prod(found.factors.values()) == pytest.approx(fused.score, abs=1e-3)
        assert found.score == fused.score


def test_applause_stands_behind_what_says_something() -> None:
    same = {"text": 2.0, "vector": 0.4}
    first, second = rank.fuse([Candidate("a", **same, lack=0.6), Candidate("b", **same)])
    assert (first.id, second.id) == ("b", "a")
    assert second.parts["lack"] == -0.6


def test_a_conversation_counts_by_the_words_and_the_best_cosine_of_all_that_is_said_in_it() -> None:
    def first(*others: Candidate) -> str:
        alone = Candidate("alone", 5.1, 0.3, words={"hive"})
        among = Candidate("among", 5.0, 0.3, words={"hive"}, conversation="talk")
        return rank.fuse([alone, among, *others], rarity=RARITY)[0].id

    assert first() == "alone"
    assert first(Candidate("x", 0.1, words={"sting"}, conversation="talk")) == "among"
    assert first(Candidate("x", 0.1, words={"sting"}, conversation="other")) == "alone"
    assert first(Candidate("x", 0.1, 0.31, conversation="talk")) == "among"


def test_a_conversation_that_everything_is_part_of_changes_nothing() -> None:
    def order(conversation: str | None) -> list[tuple[str, float]]:
        near = {"a": 0.5, "b": 0.45, "c": 0.2}
        given = [
            Candidate(id, 2.0, cosine, conversation=conversation) for id, cosine in near.items()
        ]
        return [(one.id, one.score) for one in rank.fuse(given, rarity=RARITY)]

    assert order("talk") == order(None)


def test_what_stands_alone_ranks_as_what_is_alone_in_its_conversation() -> None:
    alone, among = (
        Candidate(id, 2.0, 0.4, words={"bee"}, conversation=conversation)
        for id, conversation in (("a", None), ("b", "talk"))
    )
    first, second = rank.fuse([alone, among], rarity=RARITY)
    assert first.score == second.score and first.parts == second.parts


def test_merging_keeps_the_best_score() -> None:
    low = Evidence(id="a", kind="memory", text="x", score=0.2)
    high = Evidence(id="a", kind="memory", text="x", score=0.9)
    other = Evidence(id="b", kind="memory", text="y", score=0.5)
    assert [(e.id, e.score) for e in rank.merge([[low, other], [high]], 5)] == [
        ("a", 0.9),
        ("b", 0.5),
    ]


def test_who_speaks_and_whom_a_question_names() -> None:
    assert speaker("Ana: I moved to Porto") == "ana"
    assert speaker("Ana Maria Silva: hello") == "ana"
    assert speaker("I told her: stay") is None
    assert speaker("This is what I told her yesterday: stay") is None
    assert speaker("10:30 is late") is None
    assert speaker("no colon at all") is None
    assert speaker("Bo: hello", {"ben"}) is None and speaker("Bo: hello", {"bo"}) == "bo"
    assert {"ana", "bo"} <= names("What did Ana's sister tell Bo?")


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.booleans(), st.sets(st.integers(0, 9), max_size=3)), max_size=10),
    st.integers(1, 8),
)
@example([(True, {2}), (False, set()), (False, set())], 1)
def test_insights_never_take_the_place_of_what_they_rest_on(
    found: list[tuple[bool, set[int]]], limit: int
) -> None:
    best = [rank.Fused(str(n), 1 - n / 20) for n in range(len(found))]
    sources = {
        str(n): {str(of) for of in rests_on if not found[of:][:1] or not found[of][0]}
        for n, (made, rests_on) in enumerate(found)
        if made
    }
    kept = [one.id for one in rank.with_conclusions(best, sources, limit)]
    insights = [id for id in kept if id in sources]
    assert len(kept) <= limit and len(insights) <= rank.MOST_CONCLUDED
    assert kept == sorted(kept, key=int)
    plain = [one.id for one in best if one.id not in sources]
    if not insights:
        assert kept == plain[:limit]
    rests_on = {of for id in insights for of in sources[id] if of in plain}
    assert rests_on <= set(kept)
