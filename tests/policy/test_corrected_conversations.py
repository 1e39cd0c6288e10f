"""A conversation as its own corrections leave it."""

from __future__ import annotations

import pytest

from thalamus.policy.language.corrections.in_dialogue import as_amended


@pytest.mark.parametrize(
    ("exchanges", "left"),
    [
        (
            [("The circle meets on Thursdays.", "Fine."), ("Sorry, on Wednesdays.", "Noted.")],
            ["The circle meets on Wednesdays.", None],
        ),
        (
            [
                ("I was born on 9 March.", ""),
                ("I have a dog.", ""),
                ("Sorry, 9 May, not March.", ""),
            ],
            ["I was born on 9 May.", "I have a dog.", None],
        ),
        (
            [("We are moving to Oslo.", "Nice!"), ("We're not moving after all.", "")],
            ["We're not moving after all.", None],
        ),
        # nothing is corrected
        ([("I like tea.", ""), ("And coffee.", "")], ["I like tea.", "And coffee."]),
        (
            [("I am meeting Tone on Friday.", "At what time?"), ("At seven.", "")],
            ["I am meeting Tone on Friday.", "At seven."],
        ),
        ([("I have two cats.", ""), ("I have a dog.", "")], ["I have two cats.", "I have a dog."]),
        ([], []),
    ],
)
def test_what_is_left(exchanges: list[tuple[str, str]], left: list[str | None]) -> None:
    assert as_amended(exchanges) == left


def test_a_correction_reaches_back_a_few_messages_only() -> None:
    between = [(f"I planted {n} rows of beans.", "") for n in range(2, 8)]
    told = [("Tara is 7.", ""), *between, ("Sorry, Tara is 8, not 7.", "")]
    assert as_amended(told)[0] == "Tara is 7."
