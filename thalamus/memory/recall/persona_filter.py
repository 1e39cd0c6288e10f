"""Filter for evidence about the assistant itself.

The prompt has the assistant's current persona. Earlier statements about it are not evidence: not
those about another persona, not a former name, and not the message "Your name is Gwen", which a
model would take for a note about the user.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from thalamus.memory.standing.core import persona_for
from thalamus.policy.evidence_text import user_words
from thalamus.policy.persona import PERSONA_TYPES, applies
from thalamus.store import memories
from thalamus.store.values import Filter

if TYPE_CHECKING:
    from thalamus.records import Evidence, Memory, Turn
    from thalamus.turn_run import TurnRun

MOST = 1000  # memories about the assistant that are read
ABOUT_ASSISTANT = 0.6  # share of a message about the assistant from which it is not evidence


class PersonaFilter:
    """Decides which statements about the assistant a turn may recall."""

    def __init__(self, turn: Turn, run: TurnRun) -> None:
        self._store = run.engine.store
        self._turn = turn
        self._persona = persona_for(turn, run)

    def may_recall(self, item: Evidence) -> bool:
        """True for evidence that is not about the assistant, or still holds for it."""
        if item.kind == "memory" and item.type in PERSONA_TYPES:
            return applies(item.type, item.metadata, self._persona) and item.id not in self._core
        if item.kind == "turn" and item.id in self._turns:
            statement = user_words(item.text)
            return len(self._turns[item.id]) < ABOUT_ASSISTANT * len(statement)
        return True

    @cached_property
    def _memories(self) -> list[Memory]:
        where = Filter(
            user=self._turn.user, agent=self._turn.agent, types=PERSONA_TYPES, status="all"
        )
        return memories.read(self._store, where, MOST)

    @cached_property
    def _core(self) -> set[str | None]:
        return {memory.id for memory in self._memories if memory.scope == "core"}

    @cached_property
    def _turns(self) -> dict[str, str]:
        """Turns with statements about the assistant, with their words."""
        statements: dict[str, str] = {}
        for source in (memory.provenance for memory in self._memories):
            if source is not None and source.turn and source.quote:
                known = statements.get(source.turn, "")
                statements[source.turn] = known if source.quote in known else known + source.quote
        return statements
