"""A conversation as its own corrections leave it: "It meets on Thursdays." "Sorry, on Wednesdays."

Who reads such a conversation sees at once which of the two holds; a small model does not, and
repeats what stands first.
"""

from __future__ import annotations

from collections.abc import Sequence

from thalamus.policy.language.corrections.contrasts import may_correct
from thalamus.policy.language.corrections.previous_message import amend, announces_correction
from thalamus.policy.language.reading import asks_for_value

BACK = 4  # messages back to which a correction may refer that does not name what was wrong
LONGEST = 300  # characters of a message that is corrected
FEWEST = 2  # words of a message that says something by itself


def can_be_amended(message: str) -> bool:
    """Whether a message says something that a later one may correct. One that corrects another
    does not: what it made of that stands there."""
    short = len(message.split()) < FEWEST
    return not short and not announces_correction(message) and len(message) <= LONGEST


def answers(message: str, asked: str) -> bool:
    """Whether a message is a bare value that answers what the assistant ``asked`` just before."""
    return asks_for_value(asked.strip()) and not may_correct(message)


def as_amended(exchanges: Sequence[tuple[str, str]]) -> list[str | None]:
    """What the user said in exchanges (message and answer, oldest first), each message as later
    ones corrected it; None for one that did nothing else than correct."""
    said: list[str | None] = [message for message, _ in exchanges]
    for number, (message, _) in enumerate(exchanges):
        for earlier in range(number - 1, max(-1, number - 1 - BACK), -1):
            before, asked = exchanges[earlier]
            if not can_be_amended(before):
                continue
            amendment = amend(said[earlier] or before, message)
            if amendment is None or (earlier == number - 1 and answers(message, asked)):
                continue
            said[earlier] = amendment.denied or amendment.text
            said[number] = amendment.rest or None
            break
    return said
