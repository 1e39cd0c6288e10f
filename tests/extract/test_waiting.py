"""Extraction of messages that had to wait."""

from __future__ import annotations

import json
from pathlib import Path

from thalamus import Thalamus


def memory(quote: str, content: str, **more: object) -> dict[str, object]:
    return {"quote": quote, "content": content, "type": "preference"} | more


def engine(home: Path, script: Path, *entries: dict[str, object]) -> Thalamus:
    script.write_text(json.dumps([{"role": "reflect", **entry} for entry in entries]))
    return Thalamus(home=str(home), model=f"scripted:{script}", embedder="scripted")


def test_what_an_earlier_message_said_is_known_though_it_was_extracted_later(
    home: Path, tmp_path: Path
) -> None:
    said = memory("I drink green tea", "The user drinks green tea.")
    changed = memory("It is black tea", "The user drinks black tea.", replaces="m1")
    replies = (
        {"match": r"\[m1\] The user drinks green tea(?s:.*)It is black", "reply": [changed]},
        {"match": "It is black", "reply": [{**changed, "replaces": None}]},
        {"match": "green", "reply": [said]},
    )
    with engine(home, tmp_path / "script.json", *replies) as thalamus:
        thalamus.answer_turn("I drink green tea.")
        thalamus.answer_turn("It is black tea that I drink.")
        list(thalamus.finish_turns(limit=1))
        list(thalamus.finish_turns())
        assert [one.content for one in thalamus.memories.find()] == ["The user drinks black tea."]
