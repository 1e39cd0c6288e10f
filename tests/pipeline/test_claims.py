"""A model that cannot tell a plain yes from a plain no is not asked for either."""

from __future__ import annotations

from pathlib import Path

import pytest

from thalamus.api import Thalamus

SAID = "for me an evening of karaoke is as good as a holiday"


@pytest.mark.parametrize(
    ("plain_yes", "plain_no", "believed"), [(0.9, 0.1, True), (0.5, 0.4, False), (0.1, 0.9, False)]
)
def test_a_model_that_takes_a_yes_for_a_no_is_not_believed(
    tmp_path: Path, plain_yes: float, plain_no: float, believed: bool
) -> None:
    play = tmp_path / "play.yaml"
    play.write_text(
        f"""
- {{role: verify, match: "likes figs", reply: {plain_yes}}}
- {{role: verify, match: "plays the trumpet", reply: {plain_no}}}
- {{role: verify, match: "likes karaoke", reply: 0.95}}
- {{role: reflect, reply: "user | likes | karaoke"}}
"""
    )
    with Thalamus(home=str(tmp_path), model=f"scripted:{play}", embedder="scripted") as thalamus:
        thalamus.run_turn(SAID, flow="reflect,store")
        found = [f"{fact.subject} {fact.predicate} {fact.object}" for fact in thalamus.facts()]
    assert found == (["user likes karaoke"] if believed else [])


@pytest.mark.parametrize(("probability", "kept"), [(0.95, True), (0.7, False)])
def test_what_is_only_meant_needs_a_surer_second_look(
    tmp_path: Path, probability: float, kept: bool
) -> None:
    """No word of the message says "likes"."""
    play = tmp_path / "play.yaml"
    play.write_text(
        f"""
- {{role: verify, match: "likes karaoke", reply: {probability}}}
- {{role: reflect, reply: "user | likes | karaoke"}}
"""
    )
    with Thalamus(home=str(tmp_path), model=f"scripted:{play}", embedder="scripted") as thalamus:
        thalamus.run_turn(SAID, flow="reflect,store")
        assert bool(thalamus.facts()) == kept


def test_what_is_only_meant_is_no_fact_where_no_model_can_be_asked(thalamus: Thalamus) -> None:
    thalamus.run_turn("I use a Garmin watch.", flow="reflect,store")
    assert thalamus.facts() == []
