"""What is not indexed yet is scored as tantivy scores what is."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.making import WORDS
from thalamus.store import bm25
from thalamus.store.bm25 import (
    EXACT,
    AnalyzedRows,
    EncryptedWords,
    UnindexedRows,
    analyzed,
    kept_length,
    terms_of,
)
from thalamus.store.indexes.fulltext import FullText
from thalamus.store.indexes.index_files import IndexManifest

pytestmark = pytest.mark.sqlite

LENGTHS = [1, 5, 23, 24, 25, 40, 41, 90, 400, 3000]


def scan(rows: Iterable[tuple[int, str]], words: list[str]) -> UnindexedRows:
    return UnindexedRows(AnalyzedRows(analyzed(rows)), terms_of(words))


def texts(seed: int, count: int) -> list[tuple[int, str]]:
    draw = random.Random(seed)
    return [(n, " ".join(draw.choices(WORDS, k=draw.choice(LENGTHS)))) for n in range(count)]


ASKED = [["lisbon"], ["cat", "river", "boat"], ["Cats", "nothing"]]


@pytest.mark.parametrize("indexed", [0, 40, 299, 300])
def test_the_scores_are_those_of_an_index_of_all(tmp_path, indexed) -> None:
    """Whatever part of the rows is indexed; but for the average length, which is the index's."""
    rows, of_all = texts(1, 300), IndexManifest("store", 1)
    whole = FullText(tmp_path / "whole")
    whole.apply(of_all, rows, [])
    part, of_part = FullText(tmp_path / "part"), IndexManifest("store", 1)
    if indexed:
        part.apply(of_part, rows[:indexed], [])
    tolerance = 0.25 if indexed == 40 else 5e-3 if indexed == 299 else 1e-4
    for asked in ASKED:
        wanted = dict(whole.search(of_all, asked, 1000))
        assert len(wanted) > 100
        rest = scan(rows[indexed:], asked)
        found = part.search(of_part if indexed else None, asked, 1000, None, rest)
        assert dict(found) == pytest.approx(wanted, tolerance), asked


def test_a_word_weighs_the_same_in_the_index_and_beside_it(tmp_path) -> None:
    rows = [(n, f"one two {'miso' if n % 5 == 0 else 'rice'} four") for n in range(100)]
    index, manifest = FullText(tmp_path / "index"), IndexManifest("store", 1)
    index.apply(manifest, rows[:2], [])
    rest = scan(rows[2:], ["miso"])
    found = index.search(manifest, ["miso"], 50, None, rest)
    assert len(found) == 20 and len({round(score, 4) for _, score in found}) == 1
    some = index.search(manifest, ["miso"], 50, [5, 6, 10], rest)
    assert [key for key, _ in some] == [10, 5]


def test_what_was_removed_counts_as_it_does_in_the_index(tmp_path) -> None:
    """tantivy counts removed rows until their segment is merged: so do we, or a word that many of
    them had would weigh less than nothing."""
    rows = [(n, "one two miso" if n % 3 == 0 else "one two rice") for n in range(300)]
    index, manifest = FullText(tmp_path / "index"), IndexManifest("store", 1)
    index.apply(manifest, rows, [])
    index.apply(manifest, [], [n for n in range(300) if n % 3])
    rest = scan([(301, "one two miso"), (302, "nothing of it")], ["miso"])
    *indexed, (key, score) = index.search(manifest, ["miso"], 200, None, rest)
    assert key == 301 and len(indexed) == 100
    # the average length is that of the index on one side, and of both on the other
    assert score == pytest.approx(indexed[0][1], rel=5e-3) and score > 0.5
    # where the index is not used, neither are its weights
    assert index.search(None, ["miso"], 5, None, rest) == rest.best(5) != [(key, score)]


def test_of_equals_the_newest_come_first_and_the_limit_holds() -> None:
    words = ["cat", "dog"]
    rows = AnalyzedRows((key, words) for key in (5, 3, 9, 1))
    rest = UnindexedRows(rows, ["cat"])
    assert [key for key, _ in rest.best(3)] == [9, 5, 3]
    nothing = UnindexedRows(AnalyzedRows(), ["cat"])
    assert rest.best(0) == nothing.best(3) == UnindexedRows(AnalyzedRows(), []).best(3) == []
    empty = AnalyzedRows([(1, []), (2, [])])
    assert UnindexedRows(empty, ["cat"]).best(3) == []


def test_a_row_that_is_replaced_or_taken_out_leaves_nothing() -> None:
    rows = AnalyzedRows([(1, ["cat", "cat", "dog"]), (2, ["cat"])])
    rows.add(1, ["bird"])
    rows.remove(2)
    rows.remove(3)
    assert UnindexedRows(rows, ["cat", "dog"]).best(3) == [] and rows.total == 1
    assert [key for key, _ in UnindexedRows(rows, ["bird"]).best(3)] == [1]


TERMS = st.sampled_from("abcdefgh")


@given(
    st.lists(st.lists(TERMS, max_size=30), max_size=40),
    st.sets(st.integers(0, 40)),
    st.lists(TERMS, min_size=1, max_size=5, unique=True),
    st.integers(1, 50),
    st.floats(0, 2),
    st.none() | st.sets(st.integers(0, 40)),
)
def test_with_numpy_it_counts_as_without(
    added: list[list[str]],
    again: set[int],
    terms: list[str],
    limit: int,
    least: float,
    allowed: set[int] | None,
) -> None:
    rows = AnalyzedRows(enumerate(added))
    for key in again:
        rows.add(key, [*"abc", *added[key]] if key < len(added) and key % 2 else [])
        rows.remove(key if key % 3 else -1)
    found = []
    for small in (10**6, -1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(bm25, "SMALL", small)
            patch.setattr(bm25, "POSTING", 10**9)
            scanned = UnindexedRows(rows, terms)
        found.append((scanned.weights(), scanned.best(limit, None, allowed, least)))
    assert found[0] == found[1]
    weights, best = found[0]
    everything = scanned.best(len(added) + 50)
    wanted = [hit for hit in everything if allowed is None or hit[0] in allowed]
    assert best == [hit for hit in wanted if hit[1] >= least][:limit]
    assert weights.rows == rows.count


def test_encrypted_words_follow_their_texts() -> None:
    words = EncryptedWords()
    texts = {n: f"a gull on pier number {n}" for n in range(30)}
    for _ in range(2):  # the first time nothing is kept
        assert len(words.scan(texts, ["gull"]).best(50)) == 30
    texts = {key: text for key, text in texts.items() if key != 7}
    texts[3] = "a heron on pier number 3"
    assert len(words.scan(texts, ["gull"]).best(50)) == 28
    assert [key for key, _ in words.scan(texts, ["heron"]).best(50)] == [3]
    texts = {n: f"a heron in field number {n}" for n in range(5)}
    assert words.scan(texts, ["gull", "pier"]).best(50) == []
    assert len(words.scan(texts, ["heron"]).best(50)) == 5


@given(st.integers(0, 10**6))
def test_a_length_is_kept_within_an_eighth(length: int) -> None:
    kept = kept_length(length)
    assert kept <= length <= kept + max(0, kept - EXACT) / 8
    assert kept_length(kept) == kept
