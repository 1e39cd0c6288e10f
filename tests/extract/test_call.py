"""The extraction call: what a model is shown, within its window."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from thalamus import Thalamus
from thalamus.extract import call
from thalamus.policy.prompt_budget import estimate_tokens

WINDOW = 2048
SMALL_TALK = "The rain kept us in, so we played cards until the kettle boiled again. "


@given(st.text(min_size=1, max_size=3000), st.integers(50, 400))
def test_a_long_message_is_read_in_parts(message: str, tokens: int) -> None:
    found = call.parts(message, tokens)
    assert "".join(found) == message or len(found) == call.MOST_PARTS
    assert message.startswith("".join(found))


def test_a_part_ends_between_words_and_rather_between_paragraphs() -> None:
    text = "\n\n".join(SMALL_TALK * 5 for _ in range(6))
    parts = call.parts(text, 150)
    assert len(parts) > 1 and all(estimate_tokens(part) <= 200 for part in parts)
    assert all(part[0].isspace() for part in parts[1:])
    assert any(part.startswith("\n\n") for part in parts[1:])


def test_words_of_others_are_marked_in_each_part() -> None:
    message = f"hm\nFrom: Ole <ole@example.org>\n\n{SMALL_TALK * 20}"
    found = call.marked_parts(message, 100)
    lines = [line for part in found for line in part.splitlines()]
    assert len(found) > 2 and lines[0] == "hm"
    assert all(line.startswith("> ") for line in lines[1:])


@pytest.fixture
def prompts(thalamus: Thalamus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The prompts of extraction calls to a model with a small window, as they are made."""
    from thalamus.models.scripted import ScriptedChat

    seen: list[str] = []
    script = tmp_path / "script.json"
    reply = {"memories_to_store": [{"quote": "bees", "content": "The user keeps bees."}]}
    script.write_text(json.dumps([{"role": "reflect", "reply": reply}]))
    ask = ScriptedChat.chat

    def listen(self, request, on_token=None):  # type: ignore[no-untyped-def]
        if request.role == "reflect":
            seen.append("\n".join(message.content for message in request.messages))
        return ask(self, request, on_token)

    monkeypatch.setattr(ScriptedChat, "chat", listen)
    monkeypatch.setattr(ScriptedChat, "context", lambda self: WINDOW)
    config = structs.replace(thalamus.config, model=f"scripted:{script}")
    with Thalamus(config=config, clock=thalamus.clock) as engine:
        for number in range(6):
            engine.turn(f"I keep bees, {number}. " + SMALL_TALK * 12)
    return seen


def test_the_message_stands_last_and_whole_below_what_finds_room(prompts: list[str]) -> None:
    shares = [len(re.findall(r"^User \(", prompt, re.M)) for prompt in prompts]
    assert max(shares) < call.BEFORE  # the dialogue gives way
    for prompt in prompts:
        assert prompt.rstrip().endswith("</user_message>")
        assert estimate_tokens(prompt) < WINDOW + 2 * call.LEAST_ROOM
    together = "".join(prompts)
    assert all(f"I keep bees, {number}." in together for number in range(6))
