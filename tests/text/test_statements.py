"""Statements compared by their words."""

from __future__ import annotations

import pytest

from thalamus.text.statements import (
    negated,
    says_same,
    says_within,
    share_said,
    statement_words,
)

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user lives in Porto.", "User lives in Porto"),
        ("The user really likes cats.", "The user likes cats."),
        ("Ana told Bo about the flat.", "Ana told Bo about a flat."),
    ],
)
def test_the_same_in_other_words(one: str, other: str) -> None:
    assert says_same(one, other) and says_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user likes cats.", "The user likes dogs."),
        ("The user likes cats.", "The user never likes cats."),
        ("The user likes cats.", "The user liked cats."),
        ("The user has 2 cats.", "The user has 3 cats."),
        ("The user might move.", "The user moves."),
        ("Ana told Bo.", "Bo told Ana."),
        ("The user moved from Porto to Lisbon.", "The user moved from Lisbon to Porto."),
    ],
)
def test_a_difference_that_counts(one: str, other: str) -> None:
    assert not says_same(one, other) and not says_within(one, other)


def test_what_says_more_says_it_too() -> None:
    shorter, longer = "The user has a dog.", "The user has a dog called Rex."
    assert says_within(shorter, longer) and not says_within(longer, shorter)


def test_the_share_of_a_statement() -> None:
    assert statement_words("The user really likes the cats of Ana") == ("likes", "cats", "ana")
    assert share_said("The user likes parrots", "My parrot is liked by all") == 1
    assert share_said("The user likes parrots and dogs", "I like a parrot") == 2 / 3
    assert share_said("It is the user.", "It is the user.") == 0
    long = "word " * 2000
    assert share_said("The user likes words", long) == 0.5


@pytest.mark.parametrize(
    "text", ["I don’t eat fish", "Ich esse keinen Fisch", "No como pescado", "Je ne mange pas"]
)
def test_a_denial(text: str) -> None:
    assert negated(text)
