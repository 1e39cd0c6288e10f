"""What was put on another day: which message says it, and what it makes of what was said before."""

from __future__ import annotations

import pytest

from thalamus.policy.language.corrections.in_dialogue import as_amended
from thalamus.policy.language.corrections.rescheduled import at_new_time, rescheduled

DENTIST = "The user's dentist appointment is on Wednesday 2 December at 10."
HIKE = "The user has their annual hike with the school on 12 June."


@pytest.mark.parametrize(
    ("said", "message", "now"),
    [
        (
            "The kitchen fitters are coming on 1 December.",
            "The fitters called: they're coming on 8 December instead, because the worktop is late",
            "The kitchen fitters are coming on 8 December.",
        ),
        (
            DENTIST,
            "My dentist appointment has been moved to Thursday 3 December.",
            "The user's dentist appointment is on Thursday 3 December at 10.",
        ),
        (
            DENTIST,
            "They moved my dentist appointment to Friday at half past nine.",
            "The user's dentist appointment is on Friday at half past nine.",
        ),
        (
            DENTIST,
            "My dentist appointment was changed to 11.",
            "The user's dentist appointment is on Wednesday 2 December at 11.",
        ),
        (
            HIKE,
            "The hike got pushed back to the 19th.",
            "The user has their annual hike with the school on 19 June.",
        ),
        (
            HIKE,
            "The hike has been moved to September because of the weather",
            "The user has their annual hike with the school in September.",
        ),
        (
            "The meeting with the landlord is on Friday.",
            "The meeting with the landlord got postponed to next week",
            "The meeting with the landlord is next week.",
        ),
        (
            "The user's appointment at the eye doctor is on Monday 7 December at 8:30.",
            "The eye doctor moved it to Wednesday 9 December.",
            "The user's appointment at the eye doctor is on Wednesday 9 December at 8:30.",
        ),
        ("The exam is on 4 June.", "We had to postpone the exam to 11 June", "The exam is on 11 June."),
        (
            "Der Zahnarzttermin ist am 3. Mai um 10 Uhr.",
            "Mein Zahnarzttermin wurde auf den 5. Mai verschoben.",
            "Der Zahnarzttermin ist am 5. Mai um 10 Uhr.",
        ),
        (
            "La cita con el dentista es el 3 de mayo.",
            "La cita con el dentista se ha aplazado al 5 de mayo.",
            "La cita con el dentista es el 5 de mayo.",
        ),
        (
            "Le rendez-vous chez le dentiste est le 3 mai.",
            "Le rendez-vous chez le dentiste a été reporté au 5 mai.",
            "Le rendez-vous chez le dentiste est le 5 mai.",
        ),
        (
            "A consulta com o dentista é no dia 3 de maio.",
            "A consulta com o dentista foi adiada para 5 de maio.",
            "A consulta com o dentista é no dia 5 de maio.",
        ),
    ],
)  # fmt: skip
def test_what_has_moved_is_at_its_new_time(said: str, message: str, now: str) -> None:
    moved = rescheduled(message)
    assert moved is not None
    assert at_new_time(said, moved) == now


@pytest.mark.parametrize(
    "message",
    [
        "We moved the sofa to the garden.",
        "They moved to Leeds in May.",
        "The bank moved me to a new department.",
        "I was moved to tears in May.",
        "It has been moved to Friday.",  # of what, only the conversation tells
        "My office has been moved to Building 2.",
        "I changed the lock on Friday.",
        "Has the dentist been moved to Friday?",
    ],
)
def test_what_says_no_new_time_of_a_thing(message: str) -> None:
    assert rescheduled(message) is None


@pytest.mark.parametrize(
    "said",
    [
        "The user's haircut is on Wednesday.",  # another thing
        "The user likes the dentist.",  # no day
        "The user saw the dentist on Monday and on Friday.",  # which?
    ],
)
def test_what_is_not_concerned_stays(said: str) -> None:
    moved = rescheduled("The dentist has been moved to Thursday.")
    assert moved is not None
    assert at_new_time(said, moved) is None


def test_a_conversation_stands_with_the_new_time() -> None:
    exchanges = [
        ("The kitchen fitters are coming on 1 December.", "Noted."),
        ("I bought a lamp on 3 May.", "Nice."),
        ("The fitters called: they're coming on 8 December instead. I hate waiting.", ""),
    ]
    assert as_amended(exchanges) == [
        "The kitchen fitters are coming on 8 December.",
        "I bought a lamp on 3 May.",
        "I hate waiting.",
    ]


def test_who_moved_it_need_not_be_named_before() -> None:
    exchanges = [
        ("My eye appointment is on Monday 7 December.", "Noted."),
        ("The receptionist moved it to Wednesday 9 December.", ""),
    ]
    assert as_amended(exchanges) == ["My eye appointment is on Wednesday 9 December.", None]
