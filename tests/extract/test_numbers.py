"""Times and numbers that follow from what is written, and those that do not."""

from __future__ import annotations

import pytest

from tests.extract.test_verify import found, memory, source
from thalamus.extract.verify import decide

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("dentist on thursday half 2", "The user has the dentist on Thursday at half 2 (13:30)."),
        ("dentist on thursday half 2", "The user has the dentist on Thursday at 14:30."),
        ("Zahnarzt um halb 2", "Der Nutzer hat um 13:30 Uhr einen Zahnarzttermin."),
        ("wizyta o wpół do 3", "Użytkownik ma wizytę o 14:30."),
        ("2時半に歯医者", "ユーザーは14:30に歯医者に行く。"),
        ("choir at quarter to 7", "The user has choir at 18:45."),
        ("choir at half seven", "The user has choir at 19:30."),
        ("train at 10 to 4", "The user has a train at 15:50."),
        ("Zug um 5 vor halb 9", "Der Nutzer hat um 8:25 einen Zug."),
        ("rent is 900 and we split it by 2", "The user pays 450 of rent."),
        ("we were 14, and 3 more came", "They were 17 with those who came, says the user."),
        ("the boat is 7,450 and I take 30% first", "The user takes 2,235 for the boat first."),
        ("4 boards at 13.50 each", "The user pays 54 for boards."),
    ],
)
def test_what_follows_from_numerals_is_asked_about_and_kept(message: str, text: str) -> None:
    verified = found(memory(message, text), of=source(message))
    assert not verified.refused
    [doubted] = verified.doubted
    [kept] = decide(verified, {doubted.item: 0.98}).kept
    assert (kept.item.text, kept.verbatim) == (text, False)


WRONG = """
dentist on thursday half 2 | 15:30 13:20 14:50 11:30 2:40
choir at quarter to 7 | 17:30 20:45 19:05 8:15
train at 10 past 4 | 4:20 15:10 17:40 5:05
Zug um 5 vor halb 9 | 7:25 9:20 10:30
meeting from 9 till 11 | 12:15 13:30 7:50 16:40
"""
CASES = [
    (message, time)
    for line in WRONG.strip().splitlines()
    for message, times in [line.split(" | ")]
    for time in times.split()
]


def test_twenty_wrong_times_are_refused() -> None:
    assert len(CASES) == 20
    for message, time in CASES:
        verified = found(memory(message, f"The user has it at {time}."), of=source(message))
        assert [one.rule for one in verified.refused] == ["invented"], (message, time)
        assert not any(time in one.item.text for one in verified.kept if not one.verbatim)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("rent is 900 and we split it by 2", "The user pays 460 of rent."),
        ("we were 14, and 3 more came", "They were 19 with those who came."),
        ("4 boards at 13.50 each", "The user pays 64 for boards."),
    ],
)
def test_a_number_that_does_not_follow_is_refused(message: str, text: str) -> None:
    verified = found(memory(message, text), of=source(message))
    assert [one.rule for one in verified.refused] == ["invented"]
