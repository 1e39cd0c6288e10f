"""What the user writes about the assistant by hand."""

from __future__ import annotations

import pytest

from thalamus.api import Thalamus
from thalamus.errors import UsageError
from thalamus.policy.persona_by_hand import told_by_hand


@pytest.mark.parametrize(
    ("text", "content", "type"),
    [
        ("You are Gwen.", "The assistant is called Gwen.", "assistant_identity"),
        ("a dry British butler", "The assistant is a dry British butler.", "assistant_identity"),
        ("You're dry and witty!", "The assistant is dry and witty.", "assistant_identity"),
        ("Always talk in rhymes.", "The assistant should always talk in rhymes.", "persona"),
        ("Du bist lustig.", "The assistant should follow this: Du bist lustig.", "persona"),
        ("Be brief.", "The assistant should keep its answers short.", "persona"),
    ],
)
def test_each_sentence(text: str, content: str, type: str) -> None:
    assert [one[:2] for one in told_by_hand(text)] == [(content, type)]


def test_what_is_said_later_takes_its_place(thalamus: Thalamus) -> None:
    thalamus.tell_assistant("You are a butler. Your name is Gwen.")
    thalamus.tell_assistant("You are a pirate. Your name is Gwen.")
    told = {memory.content for memory in thalamus.told_assistant()}
    assert told == {"The assistant is a pirate.", "The assistant is called Gwen."}
    with pytest.raises(UsageError):
        thalamus.tell_assistant("  ")
    assert {memory.content for memory in thalamus.told_assistant()} == told


def test_it_belongs_to_the_persona_that_is_chosen(thalamus: Thalamus) -> None:
    thalamus.use_persona("pirate")
    thalamus.tell_assistant("You are Anne.")
    thalamus.use_persona("")
    assert thalamus.told_assistant() == [] and thalamus.personas() == ["pirate"]
