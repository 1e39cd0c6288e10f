"""What insights and summaries are made of: only what the user said, and what still holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC
from pathlib import Path

import pytest

from tests.conftest import Result
from thalamus import Thalamus
from thalamus.memory.insights.related_sources import related_sources
from thalamus.policy.utterances import speaker
from thalamus.records import Memory, Reflection, Turn
from thalamus.text.voices import own_words

Run = Callable[..., Result]
NOW = "2026-05-08T13:56:00Z"
PASTED = "Harcourt says “I am allergic to epoxy in the workshop, sorry” to me"


@pytest.mark.parametrize(
    ("message", "own"),
    [
        (PASTED, "Harcourt says  to me"),
        ("I moved. See:\n> We moved to Porto last week", "I moved. See:"),
        ("Ole wrote: I keep bees.\nI like that.", "Ole wrote:"),
        ("I read “The Bees” again", "I read “The Bees” again"),
        ("ich mag Tee", "ich mag Tee"),
    ],
)
def test_the_users_own_words(message: str, own: str) -> None:
    assert own_words(message) == own


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("so weve decided: perran gets more", None),
        ("Other news: dad is fine", None),
        ("Ana Silva: I moved", "ana"),
        ("José: I moved", "jose"),  # as the words of a question are compared
        ("지훈: 안녕", "지훈"),
        ("Reminder: pay the rent", None),
        ("WeChat Pay: 12 yuan paid", None),
    ],
)
def test_a_colon_makes_a_speaker_only_behind_a_known_name(text: str, name: str | None) -> None:
    assert speaker(text, {"지훈"}) == name


def told(thalamus: Thalamus, day: int, message: str, *contents: str, **more: str) -> Turn:
    at = f"2026-03-{day:02}T10:00:00Z"
    memories = [Memory(content=text, created_at=at, **more) for text in contents]
    reflection = Reflection(memories_to_store=memories) if memories else None
    turn = Turn(id=f"turn_{day}", message=message, created_at=at, reflection=reflection)
    thalamus.remember([turn])
    return turn


def lines(thalamus: Thalamus, turn: Turn) -> list[str]:
    found = related_sources(turn, thalamus.database, UTC, NOW)
    return [item.line for item in found.items]


def test_a_speaker_is_shown_with_accents(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="José: I sold the epoxy dinghy", created_at="2026-03-01")])
    last = told(thalamus, 2, "I bought an epoxy dinghy.")
    assert any("José: I sold" in line for line in lines(thalamus, last))


def test_insights_have_no_words_of_others(thalamus: Thalamus) -> None:
    told(thalamus, 1, PASTED)
    last = told(thalamus, 2, "Other news: the epoxy in the workshop has come.")
    assert lines(thalamus, last) == []
    mine = told(thalamus, 3, "I swept the workshop, epoxy everywhere.")
    assert not any("allergic" in line for line in lines(thalamus, mine))


def test_insights_rest_on_nothing_that_was_replaced(thalamus: Thalamus) -> None:
    told(thalamus, 1, "The dinghy launch is in Bristol.", "The dinghy launch is in Bristol.")
    [old] = thalamus.memories.find()
    moved = "The dinghy launch is in Cardiff."
    told(thalamus, 2, moved, moved, replaces=old.stored_id)
    last = told(thalamus, 3, "I bought paint for the dinghy launch.")
    shown = lines(thalamus, last)
    assert any("Cardiff" in line for line in shown)
    assert not any("Bristol" in line for line in shown)


def test_a_summary_has_days_and_only_what_the_user_said(run: Run, tmp_path: Path) -> None:
    """The model is told the day of each note; what it makes up is refused as ever."""
    script = tmp_path / "script.json"
    heron = "I saw a heron at the mill"
    notes = r"- \(1 March 2026\) I saw a heron at the mill\n- \(2 March 2026\) I fed the heron"
    good = {"summary": "The user saw and fed a heron at the mill.", "topic": "heron"}
    script.write_text(
        json.dumps(
            [
                {"role": "summary", "match": notes + r"\s*</document>", "reply": good},
                {"role": "summary", "reply": {"summary": "nothing", "topic": ""}},
            ]
        )
    )
    messages = [heron, "I fed the heron", "> I sold a pond", "Which heron eats eels?"]
    turns = [
        {"record": "turn", "message": text, "session": "s", "created_at": f"2026-03-0{n}"}
        for n, text in enumerate(messages, 1)
    ]
    run("store", input="".join(f"{json.dumps(turn)}\n" for turn in turns))
    run("consolidate", env={"THALAMUS_MODEL": f"scripted:{script}"})
    [summary] = [r for r in run("memory", "--json").records if r["type"] == "session_summary"]
    assert summary["content"].endswith(good["summary"])
