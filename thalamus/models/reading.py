"""Reading speed of models, measured by the times that their servers report.

Only what was not cached counts. A server that does not say how much was may have cached whatever
the prompt has in common with an earlier one: prompts are remembered as hashes of their beginnings.
"""

from __future__ import annotations

from hashlib import blake2b
from statistics import median

from msgspec import Struct, structs

from thalamus.models.protocol import ChatReply, ChatRequest
from thalamus.policy.window_budget import LEAST_READ, MOST_READINGS, reading_step

_BLOCK = 500  # characters of a prompt between two hashes
_PROMPTS = 8  # that are remembered


class Reading(Struct, frozen=True):
    """The last ``speeds`` in tokens a second; the tokens that are read in a few seconds, in steps
    (``step``); and the last ``prompts``, each as the hashes of its beginnings."""

    speeds: tuple[float, ...] = ()
    step: int | None = None
    prompts: tuple[tuple[str, ...], ...] = ()

    @property
    def speed(self) -> float | None:
        """The median speed."""
        return median(self.speeds) if self.speeds else None


def measured(known: Reading, request: ChatRequest, reply: ChatReply) -> Reading:
    """The measurements with that of a reply, if its server reports one and the prompt was long
    enough."""
    if not reply.prompt_ms or not reply.tokens_in:
        return known
    cached, prompts = reply.tokens_cached, known.prompts
    if cached is None:
        prompt = _beginnings(request)
        share = max((_common(prompt, other) for other in prompts), default=0.0)
        cached = int(share * reply.tokens_in)
        prompts = (*prompts, prompt)[-_PROMPTS:] if reply.tokens_in >= LEAST_READ else prompts
    read = reply.tokens_in - cached
    if read < LEAST_READ:
        return structs.replace(known, prompts=prompts)
    speeds = (*known.speeds, round(read / reply.prompt_ms * 1000, 1))[-MOST_READINGS:]
    return Reading(speeds, reading_step(speeds, known.step), prompts)


def _beginnings(request: ChatRequest) -> tuple[str, ...]:
    text = "\n".join(f"{message.role}: {message.content}" for message in request.messages)
    hashed, found = blake2b(digest_size=4), []
    for start in range(0, len(text), _BLOCK):
        hashed.update(text[start : start + _BLOCK].encode("utf-8", "replace"))
        found.append(hashed.hexdigest())
    return tuple(found)


def _common(prompt: tuple[str, ...], other: tuple[str, ...]) -> float:
    """Share of a prompt that may be the beginning of another, too."""
    equal = sum(1 for one, same in zip(prompt, other, strict=False) if one == same)
    return min(1.0, (equal + 1) / len(prompt))
