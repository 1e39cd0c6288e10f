"""Standing context: the lines that are part of every prompt, whatever the message, each with the
records it rests on.

``persona`` lines describe the assistant and ``profile`` lines the user; ``core`` lines are the
other core memories, and ``earlier`` ones sum up the beginning of the conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from thalamus.policy.persona import IDENTITY, is_persona
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.policy.prompts import fence
from thalamus.records import IMPORTANCES, ProfileLine

if TYPE_CHECKING:
    from thalamus.records import Memory

Source = Literal["persona", "profile", "core", "earlier"]


class StandingLine(Struct, frozen=True):
    """A line of the standing context. ``kind``: the kind of a profile line, or the type of a
    memory; ``ids``: the memories, facts or project that it rests on."""

    source: Source
    kind: str
    text: str
    ids: Sequence[str]


class StandingContext(Struct, frozen=True):
    """The lines that are part of every prompt, in the order of their sources."""

    lines: Sequence[StandingLine] = ()

    @property
    def ids(self) -> set[str]:
        """Ids of everything that the lines rest on."""
        return {id for line in self.lines for id in line.ids}

    def of(self, source: Source) -> list[StandingLine]:
        """The lines of one source."""
        return [line for line in self.lines if line.source == source]

    def without(self, source: Source) -> StandingContext:
        """The context without the lines of one source."""
        return StandingContext([line for line in self.lines if line.source != source])

    def within(self, tokens: int) -> StandingContext:
        """The context with the first lines that fit into ``tokens``."""
        kept = []
        for line in self.lines:
            tokens -= _cost(line)
            if tokens >= 0:
                kept.append(line)
        return self if len(kept) == len(self.lines) else StandingContext(kept)

    def with_earlier(self, summaries: Sequence[Memory]) -> StandingContext:
        """The context with summaries of the beginning of the conversation."""
        return StandingContext([*self.lines, *(_line("earlier", one) for one in summaries)])

    def bullets(self, source: Source) -> list[str]:
        """The lines of one source as list items of a prompt."""
        return [f"- {fence(line.text)}" for line in self.of(source)]

    def profile_lines(self) -> list[ProfileLine]:
        """The profile lines as a turn records them."""
        return [
            ProfileLine(text=line.text, kind=line.kind, ids=list(line.ids))
            for line in self.of("profile")
        ]


def compose(core: Sequence[Memory], tokens: int, profile: Sequence[ProfileLine]) -> StandingContext:
    """The standing context of these core memories, the most important first as far as ``tokens``
    allow, and these lines of the profile. The assistant's identity precedes its manner."""
    memories = []
    for memory in sorted(core, key=lambda memory: -IMPORTANCES.index(memory.importance)):
        cost = estimate_tokens(memory.content)
        if cost <= tokens:
            memories.append(memory)
            tokens -= cost
    about_assistant = [memory for memory in memories if is_persona(memory)]
    about_assistant.sort(key=lambda memory: memory.type != IDENTITY)
    return StandingContext(
        [
            *(_line("persona", memory) for memory in about_assistant),
            *(StandingLine("profile", line.kind, line.text, line.ids) for line in profile),
            *(_line("core", memory) for memory in memories if not is_persona(memory)),
        ]
    )


def _cost(line: StandingLine) -> int:
    return estimate_tokens(line.text) + 1


def _line(source: Source, memory: Memory) -> StandingLine:
    return StandingLine(source, memory.type, memory.content, (memory.stored_id,))
