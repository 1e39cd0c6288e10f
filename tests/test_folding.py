"""All places that compare words fold them alike: accents, case, width, composition, ß, and
characters that cannot be seen."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from thalamus import Thalamus
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.policy.redaction import Redactor
from thalamus.policy.relevance import QuestionWords
from thalamus.records import Fact, Memory, Turn
from thalamus.text.analyzer import fold, is_form, joined_terms, search_terms, words
from thalamus.text.names import stands
from thalamus.text.quotes import find
from thalamus.text.statements import says_same, share_said
from thalamus.text.tokens import query_words

# (stored, typed): one name or word in two spellings
SPELLINGS = [
    ("Jürgen", "jurgen"),
    ("Jürgen", unicodedata.normalize("NFD", "JÜRGEN")),
    ("Løvås", "lovas"),
    ("Łódź", "lodz"),
    ("Straßburg", "STRASSBURG"),
    ("İzmir", "izmir"),
    ("Ｔｏｋｙｏ", "Tokyo"),
    ("Lis\u200bbon", "Lisbon"),
    ("Lis\u00adbon", "lisbon"),
    ("Lis\x00bon", "Lisbon"),
    ("\u202eLisbon\u202c", "Lisbon"),
    ("Αλέξανδρος", "αλεξανδροσ"),
    ("Алёна", "Алена"),
    ("أحمد", "احمد"),
    ("שָׁלוֹם", "שלום"),
    ("か\u3099っこう", "がっこう"),
    ("١٢٣٤", "1234"),
]
COMPARED: dict[str, Callable[[str, str], bool]] = {
    "fold": lambda one, other: fold(one) == fold(other),
    "words": lambda one, other: words(one) == words(other),
    "terms of the index": lambda one, other: [*search_terms(one)] == [*search_terms(other)],
    "words of a question": lambda one, other: query_words(one) == query_words(other),
    "forms": lambda one, other: all(map(is_form, words(one), words(other))),
    "relevance": lambda one, other: bool(QuestionWords(other).found_in({0: f"The {one}."})[0]),
    "quotes": lambda one, other: find(other, f"The {one} is far.") is not None,
    "statements": lambda one, other: says_same(f"A {one} is a {one}", f"a {other} is a {other}"),
    "share of a statement": lambda one, other: share_said(f"red {one}", f"{other} is red") == 1,
    "names": lambda one, other: stands(one, words(other)),
}


@pytest.mark.parametrize("one, other", SPELLINGS)
@pytest.mark.parametrize("place", COMPARED)
def test_two_spellings_are_one_word(place: str, one: str, other: str) -> None:
    assert COMPARED[place](one, other) and COMPARED[place](other, one)


@pytest.mark.parametrize(
    "text",
    [
        "Don't e-mail\tBob_2: it's 7\x00pm\x1c!",
        "Jürgen  ❤ 😀 東京タワー (ไทย)",
        "first line\n\nsecond line",
        "x" * 70,
        "",
    ],
)
def test_a_question_has_the_terms_that_are_indexed(text: str) -> None:
    assert joined_terms(text).split() == search_terms(text)
    accented = search_terms(f"é {text}")  # ASCII alone is analyzed in another way
    assert accented[len(search_terms("é ")) :] == search_terms(text)


def test_what_is_stored_in_one_spelling_is_found_and_forgotten_in_another(tmp_path: Path) -> None:
    with Thalamus(home=tmp_path, model="scripted", embedder="none") as thalamus:
        thalamus.remember([Memory(content="The weather was grey all week")])
        for one, other in SPELLINGS:
            if "\0" in one:
                continue
            spelled = f"{one!r}, {other!r}"
            said = f"{one} has the ladder"
            thalamus.remember(
                [
                    Memory(content=f"{one} lent me the drill"),
                    Turn(message=said, session="s", created_at="2026-01-02T03:04:05Z"),
                ]
            )
            thalamus.facts.add(Fact(subject=one, predicate="likes", object="figs"))
            found = thalamus.recall(f"What about {other}?")
            assert any("drill" in item.text for item in found), spelled
            assert len(thalamus.sessions.search(other)) == 1, spelled
            assert [fact.object for fact in thalamus.facts.find(other)] == ["figs"], spelled
            thalamus.remember([Memory(content=f"{other} lent me the drill")], decide=True)
            assert len(thalamus.memories.find()) == 2, spelled
            report = thalamus.forget(ForgetOptions(query=other))
            assert report.complete, spelled
            [left] = thalamus.memories.find()
            assert left.content == "The weather was grey all week", spelled
            assert not thalamus.facts.find(one) and not thalamus.sessions.search(one), spelled


def test_a_name_is_redacted_in_any_spelling() -> None:
    redaction = Redactor(["Jürgen"])
    assert "J" not in redaction("Jürgen met JÜRGEN.")


@pytest.mark.parametrize("emoji", ["🦊", "❤️", "🇵🇹", "👍🏽"])
def test_emoji_are_searched(tmp_path: Path, emoji: str) -> None:
    with Thalamus(home=tmp_path, model="scripted", embedder="none") as thalamus:
        thalamus.remember([Memory(content=f"A mark for the tent: {emoji}"), Memory(content="Tea")])
        assert [item.text for item in thalamus.recall(emoji)] == [f"A mark for the tent: {emoji}"]
