"""The core: memories that stand in every prompt. What may be core, and how much of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.errors import UsageError
from thalamus.memory.draft import Draft, RecordProblem, Storable
from thalamus.policy import prompt_budget
from thalamus.policy.retention import core_problem
from thalamus.records import Memory
from thalamus.storage.protocol import Filter, is_hidden

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol import Store

MOST = 100  # core memories that are looked at


def core_memories(store: Store, user: str | None, agent: str | None, now: str) -> list[Memory]:
    """The memories of the core scope, oldest first: persona and profile."""
    found = store.memories(Filter(scope="core", user=user, agent=agent, now=now), MOST)
    return [memory for memory in reversed(found) if not is_hidden(memory)]


def check_core(
    memory: Memory, context: Context, opened: Store, more: Sequence[Memory] = ()
) -> None:
    """Raises ``UsageError`` when a memory may not be core, or there is no room for it next to what
    is core and ``more``."""
    problem = core_problem(memory)
    if problem:
        raise UsageError(f"The memory cannot be core: {problem}.")
    there = core_memories(opened, memory.user, memory.agent, context.clock.stamp())
    core = [other for other in (*there, *more) if other.id != memory.id] + [memory]
    config = context.config
    if len(core) > config.core_limit:
        raise UsageError(
            f"Core is full: {len(core) - 1} memories (core_limit is {config.core_limit}).",
            fix="Demote one (`thalamus memory --scope core` lists them), or raise core_limit.",
        )
    tokens = sum(prompt_budget.estimate_tokens(other.content) for other in core)
    if tokens > config.core_tokens:
        raise UsageError(
            f"Core would take {tokens} tokens (core_tokens is {config.core_tokens}).",
            fix="Demote or shorten one, or raise core_tokens; they are part of every prompt.",
        )


def check_core_drafts(drafts: Sequence[Draft[Storable]], context: Context, opened: Store) -> None:
    """``check_core`` for the memories that are to be stored as core and are not there yet. Raises
    ``RecordProblem``."""
    before: list[Memory] = []
    for draft in drafts:
        memory = draft.record
        if not isinstance(memory, Memory) or memory.scope != "core" or draft.refused:
            continue
        if memory.id and opened.get(memory.id) is not None:
            continue
        try:
            check_core(memory, context, opened, before)
        except UsageError as error:
            raise RecordProblem("scope", str(error), draft.index) from None
        before.append(memory)
