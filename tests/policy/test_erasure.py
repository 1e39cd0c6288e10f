"""What goes with what: pure decisions over rows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thalamus.policy.erasure import (
    ErasurePlan,
    ErasureRequest,
    ErasureWalk,
    Phrases,
    ScanItem,
    is_given,
    repeats,
)
from thalamus.records import Link

pytestmark = pytest.mark.storeless

WORD = st.text("abcdefg", min_size=1, max_size=4)
WORDS = st.lists(WORD, min_size=1, max_size=8)
IDS = st.integers(0, 12).map(lambda n: f"mem_{n}")


def run(
    wanted: ErasureRequest, pieces: list[ScanItem], links: list[Link] | None = None
) -> ErasurePlan:
    chain = ErasureWalk(wanted, links or [])
    while chain.round(pieces):
        pass
    return chain.ledger([])


def memory(id: str, text: str, **more: str) -> ScanItem:
    return ScanItem("memory", id, [text], [text], **more)  # type: ignore[arg-type]


@settings(max_examples=50)
@given(WORDS, WORDS, WORDS)
def test_a_phrase_is_found_between_other_words(
    before: list[str], phrase: list[str], after: list[str]
) -> None:
    phrases = Phrases()
    assert phrases.add(" ".join(phrase), least=1)
    written = ", ".join([*before, *phrase, *after]).upper()
    assert phrases.found_in([written])
    assert not phrases.add("  ".join(phrase).title(), least=1), "it is known, however written"


@settings(max_examples=50)
@given(WORDS, WORDS)
def test_a_phrase_is_found_only_as_whole_words(phrase: list[str], text: list[str]) -> None:
    phrases = Phrases()
    phrases.add(" ".join(phrase), least=1)
    size = len(phrase)
    there = any(text[i : i + size] == phrase for i in range(len(text) - size + 1))
    assert phrases.found_in([" ".join(text)]) == there


@settings(max_examples=50)
@given(st.text("東京都庁に行", min_size=1, max_size=5), st.text("東京都庁に行", max_size=5))
def test_scripts_without_spaces(name: str, more: str) -> None:
    phrases = Phrases()
    phrases.add(name, least=1)
    assert phrases.found_in([more + name + more])


def test_short_texts_are_not_looked_for_elsewhere() -> None:
    going = run(
        ErasureRequest(ids=frozenset({"a"})), [memory("a", "tea"), memory("b", "I like tea.")]
    )
    assert going.ids("memory") == ["a"]
    long = "I like green tea"
    going = run(
        ErasureRequest(ids=frozenset({"a"})), [memory("a", long), memory("b", f"“{long}!”")]
    )
    assert going.ids("memory") == ["a", "b"]


@settings(max_examples=50)
@given(
    st.lists(st.tuples(IDS, WORDS), max_size=10),
    st.lists(st.tuples(IDS, IDS), max_size=10),
    IDS,
    st.randoms(),
)
def test_the_order_of_rows_does_not_matter(
    rows: list[tuple[str, list[str]]], pairs: list[tuple[str, str]], wanted: str, draw: object
) -> None:
    """And what is derived from what goes always goes; it ends, also in circles."""
    pieces = [memory(id, " ".join(text)) for id, text in dict(rows).items()]
    links = [Link(source=one, relation="derived_from", target=other) for one, other in pairs]
    first = run(ErasureRequest(ids=frozenset({wanted})), pieces, links)
    shuffled = list(pieces)
    draw.shuffle(shuffled)  # type: ignore[attr-defined]
    assert (
        run(ErasureRequest(ids=frozenset({wanted})), shuffled, links).deleted.keys()
        == first.deleted.keys()
    )
    gone, there = set(first.ids("memory")), {piece.id for piece in pieces}
    for link in links:
        if link.target in gone and link.source in there:
            assert link.source in gone
    assert wanted in gone or wanted not in there


def test_nothing_goes_that_nothing_leads_to() -> None:
    turn = ScanItem("turn", "t", ["My cat is Miso. I play chess."], ["My cat is Miso."])
    pieces = [
        turn,
        memory("a", "The cat is Miso.", turn="t"),
        memory("b", "The user plays chess.", turn="t"),
        memory("c", "Chess is old."),
    ]
    going = run(ErasureRequest(ids=frozenset({"a"})), pieces)
    assert set(going.deleted) == {("memory", "a"), ("turn", "t")}
    assert going.cuts == {("memory", "b"): {"turn"}} and ("memory", "b") in going.kept
    whole = run(ErasureRequest(ids=frozenset({"t"})), pieces)
    assert set(whole.deleted) == {("turn", "t"), ("memory", "a"), ("memory", "b")}


def test_a_fact_and_what_it_superseded() -> None:
    def fact(id: str, object: str) -> ScanItem:
        return ScanItem("fact", id, [f"user lives_in {object}"], [object], subject="user")

    pieces = [fact("new", "Lisbon"), fact("older", "Lisbon"), fact("old", "Porto")]
    links = [
        Link(source="new", relation="supersedes", target="older"),
        Link(source="new", relation="supersedes", target="old"),
    ]
    going = run(ErasureRequest(ids=frozenset({"new"})), pieces, links)
    assert set(going.ids("fact")) == {"new", "older"}, "another statement is no version of it"


def test_said_again_in_other_words() -> None:
    fact = ScanItem("fact", "f", ["user lives_in Porto Alegre"], ["Porto Alegre"])
    assert repeats(fact, ["You are in Porto Alegre now."])
    assert not repeats(fact, ["Porto is a wine."])
    assert not repeats(ScanItem("fact", "f", ["user is it"], ["it"]), ["It is late."])
    cat = memory("m", "The user's cat is called Miso.")
    assert repeats(cat, ["Your cat, called Miso, is two."]) and not repeats(cat, ["A dog."])


def test_ids_of_ones_own() -> None:
    from thalamus.clock import Clock

    assert not is_given(Clock().new_id("mem", "x")) and is_given("mem_miso")
