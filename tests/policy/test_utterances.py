"""How much an utterance says by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.policy.utterances import ASKING, LENGTH_WEIGHT, REACTION, SELF_WEIGHT, lack

pytestmark = pytest.mark.storeless


@given(st.text(max_size=300))
def test_what_is_lacking_stays_within_its_weights(text: str) -> None:
    assert 0 <= lack(text) <= LENGTH_WEIGHT + SELF_WEIGHT + ASKING + REACTION


@pytest.mark.parametrize(
    ("says_more", "says_less"),
    [
        ("Ana: I adopted two kittens from the shelter in May.", "Ana: Wow, that's great!"),
        ("Ana: I read mostly crime novels.", "Ana: What books do you enjoy?"),
        ("Ana: My sister moved to Porto.", "Ana: Bye Ben, see you!"),
        ("Ana: Ich habe zwei Katzen.", "Ana: Danke dir!"),
        ("I paint landscapes in oil.", "Your landscapes in oil."),
    ],
)
def test_statements_about_oneself_say_more_than_reactions(says_more: str, says_less: str) -> None:
    assert lack(says_more) < lack(says_less)


def test_the_name_of_the_speaker_says_nothing() -> None:
    assert lack("Ana: I paint.") == lack("I paint.")
