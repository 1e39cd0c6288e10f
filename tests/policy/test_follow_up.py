"""Messages that say nothing by themselves."""

from __future__ import annotations

import pytest

from thalamus.policy.follow_up import has_no_content, with_subject

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize(
    "message",
    [
        *(
            "And what about her?",
            "Why?",
            "And then?",
            "What else?",
            "Who was it?",
            "When was that?",
        ),
        *("Und was ist mit ihr?", "Wieso denn?", "¿Y ella?", "¿Por qué?", "Et elle ?"),
        *("Pourquoi ?", "E ela?", "E porquê?", "?", ""),
    ],
)
def test_messages_without_content(message: str) -> None:
    assert has_no_content(message)
    assert with_subject(message, []) == message
    said = with_subject(message, ["And then?", "Ana moved to the harbour.", "I like tea."])
    assert said == f"{message} ana moved harbour"


@pytest.mark.parametrize(
    "message",
    [
        "And my son?",
        "What about the war?",
        "Where do I live?",
        "Und mein Sohn?",
        "Thanks!",
        "猫は?",
    ],
)
def test_messages_that_say_something(message: str) -> None:
    assert with_subject(message, ["Ana moved to the harbour."]) == message


def test_a_long_message_lends_only_some_of_its_words() -> None:
    said = with_subject("Why?", [" ".join(f"word{n}" for n in range(99))])
    assert said.endswith("word63")
