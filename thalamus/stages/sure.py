"""How sure a model is of a yes, where it can tell a yes from a no at all.

A very small model says "yes" to anything, or "no": asked about something that is plainly so and
something that plainly is not, it gives both the same probability. Such a model is not asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from thalamus.models.protocol import Chat
    from thalamus.stages.context import Context

MARGIN = 0.25  # least difference between the probabilities of a plain yes and of a plain no
_SAID = "My sister Hedda lives in Turin and I love figs."
_NOTES = "- My sister Hedda lives in Turin.\n- I love figs."
# for each prompt: what is plainly so, and what plainly is not
_PLAIN = {
    "verify": (
        {"USER_MESSAGE": _SAID, "CLAIM": "The user likes figs."},
        {"USER_MESSAGE": _SAID, "CLAIM": "The user plays the trumpet."},
    ),
    "known": (
        {"NOTES": _NOTES, "USER_MESSAGE": "Where does my sister live?"},
        {"NOTES": _NOTES, "USER_MESSAGE": "What is my shoe size?"},
    ),
}


# by model, and by the prompt that it was asked with
_TELLS: WeakKeyDictionary[Chat, dict[str, bool]] = WeakKeyDictionary()


def sure(name: str, context: Context, **values: str) -> float | None:
    """The probability that the model says yes to the prompt ``name``; None when it cannot be asked
    this way, or cannot tell yes from no. Raises what the model raises."""
    if not tells(name, context):
        return None
    return context.yes("verify", context.dialogue(name, **values))


def tells(name: str, context: Context) -> bool:
    """Whether the model tells a plain yes from a plain no; found out once for each model that is
    loaded, whichever engine asks."""
    known = _TELLS.setdefault(context.models.chat("verify"), {})
    template = context.templates.load(name)
    if template not in known:
        so, not_so = (
            context.yes("verify", context.dialogue(name, **case)) for case in _PLAIN[name]
        )
        known[template] = so is None or not_so is None or so - not_so >= MARGIN
    return known[template]
