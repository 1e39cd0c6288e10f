"""What a model concluded once is concluded again from its recording, without it."""

from __future__ import annotations

from pathlib import Path

from tests.memory.test_insights import live
from tests.stored import store_of
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.models.cassette import CassetteChat
from thalamus.models.scripted import ScriptedChat

SAID = "The user plays chess with the uncle, and the user taught the niece chess with the uncle."
MESSAGES = ("I play chess with my uncle.", "I taught my niece chess with my uncle.")


def test_a_recording_gives_the_same_insights(home: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text(
        "- role: crystallize\n"
        "  reply: {insights: [{sources: [1, 2], concepts: [chess, uncle],"
        f" content: '{SAID}'}}]}}\n"
    )
    live(home, MESSAGES)
    place = tmp_path / "again"
    live(place, MESSAGES, store=store_of(place))
    tape = tmp_path / "tape.jsonl"
    clock = Clock(parse_time("2026-05-08T13:56:00Z"))
    with Thalamus(home=str(home), clock=clock, model="scripted", embedder="scripted") as thalamus:
        recorder = CassetteChat(ScriptedChat(script), tape, "record")
        thalamus.engine.models.chat = lambda role: recorder  # type: ignore[method-assign]
        list(thalamus.insights.crystallize())
        made = thalamus.insights.find()
    assert [one.content for one in made] == [SAID]
    again = {"home": str(place), "store": store_of(place)}
    given = {"model": f"cassette:{tape}", "embedder": "scripted"}
    with Thalamus(clock=clock, **again, **given) as thalamus:
        list(thalamus.insights.crystallize())
        assert thalamus.insights.find() == made
