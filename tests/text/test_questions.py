"""Questions in several scripts."""

from __future__ import annotations

import pytest

from thalamus.text.questions import has_question, is_question, only_asks, without_questions

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize("question", ["Where do I live?", "我住在哪里？", "أين أعيش؟ "])
def test_a_question_is_told_by_its_mark(question: str) -> None:
    assert is_question(question) and only_asks(question) and has_question(f"{question} Yes.")
    assert not is_question(f"{question} Yes.") and not only_asks(f"{question} Yes.")


def test_a_question_states_nothing() -> None:
    assert without_questions("I dug a pond. Is it deep? I like it!") == "I dug a pond. I like it!"
    assert without_questions("Wie tief?") == ""
    assert without_questions("It is 3.5 m deep.") == "It is 3.5 m deep."
    assert without_questions("أين أعيش؟ أعيش في لندن.") == "أعيش في لندن."
