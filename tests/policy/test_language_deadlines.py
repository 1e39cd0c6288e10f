"""What has to be done by a day is remembered, and a fact where it is a thing of the user's."""

from __future__ import annotations

import pytest

from thalamus.policy.language.reading import read


def facts(message: str) -> list[str]:
    return [f"{one.subject} {one.predicate} {one.object}" for one in read(message).statements]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("My thesis is due on 3 May", "user's thesis due_on 3 May"),
        ("My thesis is due on the 3rd of May.", "user's thesis due_on 3rd of May"),
        ("my library books are due back on Dec 3", "user's library books due_on Dec 3"),
        ("My passport must be renewed before August", "user's passport due_on August"),
        (
            "Our grant report has to be in by 14 June 2027",
            "user's grant report due_on 14 June 2027",
        ),
        (
            "My tax return needs to be handed in by 31 January",
            "user's tax return due_on 31 January",
        ),
        ("The deadline for my thesis is 3 May", "user's thesis due_on 3 May"),
        ("My thesis deadline is the 3rd of May", "user's thesis due_on 3rd of May"),
        ("Our project has to be done by the end of March", "user's project due_on end of March"),
    ],
)
def test_a_thing_of_the_user_is_due(message: str, expected: str) -> None:
    assert facts(message) == [expected]
    assert [memory.type for memory in read(message).memories] == ["goal"]


@pytest.mark.parametrize(
    "message",
    [
        "The boat has to be ready on 14 June 2027",
        "The hull must be finished by Friday",
        "The report is due tomorrow.",
        "The rent is due on the 1st",
        "The kitchen needs to be done by Christmas",
        "The roof has to be repaired before winter",
    ],
)
def test_what_has_to_be_done_is_remembered(message: str) -> None:
    memories = read(message).memories
    assert [memory.content for memory in memories] == [f"{message.rstrip('.')}."]
    assert memories[0].type == "goal"
    assert facts(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "My thesis isn't due until May",
        "My thesis was due on 3 May",
        "Is my thesis due on 3 May?",
        "My cough is due to smoking",
        "My thesis is due on Friday",  # which Friday, a fact would not say
        "My sister is due on 3 May",
        "My son's essay is due on 4 April",
        "If my thesis is due on 3 May I have to hurry",
        "The boat does not have to be ready by May",
    ],
)
def test_no_deadline_is_made_up(message: str) -> None:
    assert facts(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "When does the boat have to be ready?",
        "The boat has to be ready",
        "The boat does not have to be ready by May",
        "If the boat has to be ready by May I need help",
    ],
)
def test_without_a_day_nothing_is_due(message: str) -> None:
    assert read(message).memories == []


@pytest.mark.parametrize(
    ("message", "plan"),
    [
        ("My appointment at the eye doctor is on Monday 7 December at 8:30.", "appointment at the eye doctor"),
        ("I have an appointment at the bank on Monday", "appointment at the bank"),
        ("I have a dentist appointment on Monday at 9", "dentist appointment"),
    ],
)  # fmt: skip
def test_an_appointment_says_where(message: str, plan: str) -> None:
    assert [one.object for one in read(message).statements if one.predicate == "plans_to"] == [plan]
