"""A conversation as its own corrections leave it: "It meets on Thursdays." "Sorry, on Wednesdays."

Who reads such a conversation sees at once which of the two holds; a small model does not, and
repeats what stands first.
"""

from __future__ import annotations

from collections.abc import Sequence

from thalamus.policy.language.corrections.contrasts import may_correct
from thalamus.policy.language.corrections.previous_message import amend, announces_correction
from thalamus.policy.language.reading import asks_for_value

BACK = 4  # messages back to which a correction may refer
LONGEST = 300  # characters of a message that is corrected


def as_amended(exchanges: Sequence[tuple[str, str]]) -> list[str | None]:
    """What the user said in exchanges (message and answer, oldest first), each message as later
    ones corrected it; None for one that did nothing else than correct."""
    said: list[str | None] = [message for message, _ in exchanges]
    for number, (message, _) in enumerate(exchanges):
        for earlier in range(number - 1, max(-1, number - 1 - BACK), -1):
            before, answer = exchanges[earlier]
            if announces_correction(before) or len(before) > LONGEST:
                continue  # what it made of another message stands there
            if earlier == number - 1 and asks_for_value(answer) and not may_correct(message):
                continue  # a bare value that answers what was asked
            amendment = amend(said[earlier] or before, message)
            if amendment is None:
                continue
            said[earlier] = amendment.denied or amendment.text
            said[number] = amendment.rest or None
            break
    return said
