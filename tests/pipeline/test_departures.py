"""What the user left is over: a job, a home or a choir, whichever is known."""

from __future__ import annotations

import pytest

from thalamus.api import Thalamus
from thalamus.clock import parse_time
from thalamus.terminal.lines import interval


@pytest.mark.parametrize(
    ("said", "then", "over"),
    [
        ("I work at the bakery on Mill Street.", "Actually, I left the bakery last month.", True),
        ("I work at Siemens.", "I left Siemens last month.", True),
        ("I work at Siemens.", "I've left Siemens.", True),
        ("I live in Dijon.", "I left Dijon last week.", True),
        ("I live in Dijon.", "I left Dijon for good.", True),
        ("I sing in a choir.", "I quit the choir.", True),
        ("I sing in a choir called Vox Nova.", "I left the choir last week.", True),
        ("I am a member of the chess club.", "I left the club last month.", True),
        (
            "I play the viola in an amateur orchestra.",
            "I quit the orchestra, too little time.",
            True,
        ),
        ("I sing in a choir.", "I left the choir because I have no time.", True),
        ("I sing in the shanty choir.", "I gave up the shanty choir, too many evenings.", True),
        ("I am a member of the chess club.", "I dropped out of the chess club.", True),
        ("I sing in a choir.", "I left the choir early.", False),
        ("Ich arbeite bei Siemens.", "Ich habe Siemens letzten Monat verlassen.", True),
        ("Je travaille chez Renault.", "J'ai quitté Renault le mois dernier.", True),
        ("Trabajo en Seat.", "Dejé Seat el mes pasado.", True),
        ("Trabalho na Sonae.", "Saí da Sonae no mês passado.", True),
        ("I live in Dijon.", "I left Dijon.", False),
        ("I live in Dijon.", "I left Dijon at six this morning.", False),
        ("I work at the bakery.", "I left the bakery at five.", False),
        ("I work at Siemens.", "I just left Siemens, on my way home.", False),
        ("I work at Siemens.", "I never left Siemens.", False),
        ("I work at Siemens.", "Should I leave Siemens?", False),
        ("I work at Siemens.", "If I left Siemens, I would travel.", False),
    ],
)
def test_what_was_left(thalamus: Thalamus, said: str, then: str, over: bool) -> None:
    thalamus.run_turn(said)
    known = {fact.id for fact in thalamus.facts()}
    assert known
    thalamus.clock.fixed = parse_time("2026-05-08T14:10:00Z")
    thalamus.run_turn(then)
    holding = {fact.id for fact in thalamus.facts()}
    gone = {fact.predicate for fact in thalamus.facts(history=True) if fact.id in known - holding}
    assert bool(gone & {"works_at", "lives_in", "member_of"}) is over
    assert not any(fact.object == "Siemens" and over for fact in thalamus.facts())


def test_only_what_is_known_is_left(thalamus: Thalamus) -> None:
    """Nothing is made up of a place that was left, and of what somebody else left."""
    thalamus.run_turn("I work at Siemens.")
    thalamus.run_turn("My sister left Siemens last month.")
    thalamus.run_turn("I left the party last month.")
    assert [fact.object for fact in thalamus.facts(predicate="works_at")] == ["Siemens"]


def test_of_two_clubs_neither_is_left(thalamus: Thalamus) -> None:
    thalamus.run_turn("I am a member of the chess club.")
    thalamus.run_turn("I am a member of the rowing club.")
    thalamus.run_turn("I left the club last month.")
    assert len(thalamus.facts(predicate="member_of")) == 2


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("I'm in the chess club", "I left the chess club last week"),
        ("I work at Siemens.", "I quit Siemens last month."),
    ],
)
def test_an_end_told_shortly_after_is_of_the_same_fact(
    thalamus: Thalamus, said: str, then: str
) -> None:
    thalamus.run_turn(said)
    (known,) = thalamus.facts()
    thalamus.clock.fixed = parse_time("2026-05-12T14:10:00Z")
    thalamus.run_turn(then)
    (ended,) = thalamus.facts(history=True)
    assert ended.id == known.id
    assert ended.valid_to is not None
    assert thalamus.facts() == []


@pytest.mark.parametrize(
    ("said", "then", "over"),
    [
        ("I have a cat named Pip.", "Pip died last week.", True),
        ("I have a cat named Pip.", "We had a bad week. Pip was put to sleep on Friday.", True),
        ("Ich habe eine Katze namens Pip.", "Pip ist letzte Woche gestorben.", True),
        ("I have a cat named Pip.", "Rex died last week.", False),
        ("I have a cat named Pip.", "Pip never died.", False),
        ("My sister is called Pip.", "Pip died last week.", False),
    ],
)
def test_an_animal_that_died_by_its_name(
    thalamus: Thalamus, said: str, then: str, over: bool
) -> None:
    thalamus.run_turn(said)
    thalamus.clock.fixed = parse_time("2026-05-12T14:10:00Z")
    thalamus.run_turn(then)
    held = [fact for fact in thalamus.facts() if fact.object == "Pip"]
    assert (held == []) is over


def test_an_end_is_shown_no_more_precisely_than_it_was_said(thalamus: Thalamus) -> None:
    thalamus.run_turn("I'm in the chess club")
    thalamus.run_turn("I moved to Hull in March")
    thalamus.clock.fixed = parse_time("2026-05-12T14:10:00Z")
    thalamus.run_turn("I left the chess club last week")
    shown = {fact.predicate: interval(fact) for fact in thalamus.facts(history=True)}
    assert shown == {"member_of": "until about 2026-05-04", "lives_in": "since 2026-03"}
