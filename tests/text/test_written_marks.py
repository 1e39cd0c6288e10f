"""Words by their marks: which words of a question a text has with other marks only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.text.tokens import marked_words, other_marks

pytestmark = pytest.mark.storeless

LETTERS = st.text("aáàạăâeéêoơôdđ mnßﬁ'ёе", max_size=40)


@given(LETTERS)
def test_a_text_has_its_own_marks(text: str) -> None:
    assert other_marks(marked_words(text), text) == set()


@given(st.one_of(LETTERS, st.text(max_size=40)), LETTERS)
def test_only_words_of_the_question_have_other_marks(text: str, question: str) -> None:
    assert other_marks(marked_words(question), text) <= marked_words(question).keys()


@pytest.mark.parametrize(
    ("question", "text", "others"),
    [
        ("Ai bán bơ?", "Hoa bán bò.", {"bo"}),
        ("Ai bán bơ?", "Hoa ban bo.", {"ban", "bo"}),
        ("Ai bán cam?", "Hoa bán cám.", {"cam"}),  # the question has marks, and this word none
        ("ai ban bo?", "Hoa bán bò.", set()),  # it is typed without
        ("Ai bán má?", "Hoa bán mà và mán.", {"ma"}),  # má is in mán
        ("Ai bán bơ?", "Hoa nấu cơm.", set()),
        ("Wo sind die Häuser?", "Das Haus ist alt.", set()),  # another form is another word
        ("¿Dónde está?", "ESTÁ EN CASA", set()),
    ],
)
def test_which_words_have_other_marks(question: str, text: str, others: set[str]) -> None:
    assert other_marks(marked_words(question), text) == others
