"""Core memories, which stand in every prompt: admission to the core and its size limit.

Only the user's own words become core: pinned by hand, or found by a reflection in a message, with
the words that say it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.errors import RecordProblem, UsageError
from thalamus.memory.draft import Draft, Storable
from thalamus.policy import prompt_budget
from thalamus.policy.persona import PERSONA_TYPES, in_force, is_persona, persona_of
from thalamus.policy.retention import core_problem
from thalamus.records import Memory, Turn
from thalamus.store import memories
from thalamus.store.encrypted import is_hidden
from thalamus.store.values import Filter
from thalamus.text.quotes import find

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.engine import Engine
    from thalamus.store.base import Store
    from thalamus.store.reader import Reader
    from thalamus.turn_run import TurnRun

MOST = 1000  # core memories read, of all personas together


def core_memories(store: Store, user: str | None, agent: str | None, now: str) -> list[Memory]:
    """Current core memories of all personas, oldest first: persona and profile."""
    found = memories.read(store, Filter(scope="core", user=user, agent=agent, now=now), MOST)
    return [memory for memory in reversed(found) if _is_current(memory, now)]


def _is_current(memory: Memory, now: str) -> bool:
    """True for a memory that can be read and has not ended."""
    end = memory.valid_to
    over = end is not None and (memory.stale is not None or end < now[: len(end)])
    return not is_hidden(memory) and not over


def known_personas(store: Store, user: str | None, agent: str | None) -> list[str]:
    """Names of the personas that active memories belong to."""
    found = memories.read(store, Filter(user=user, agent=agent, types=PERSONA_TYPES), MOST)
    names = {persona_of(memory.metadata) for memory in found if is_persona(memory)}
    return sorted(name for name in names if name)


def persona_for(turn: Turn, run: TurnRun) -> str:
    """The persona of the assistant in a turn: the one that the turn names, or the configured one. A
    turn finished later keeps the persona that it began with. Empty: none is selected."""
    return persona_of(turn.metadata) or ("" if run.finishing else run.engine.config.persona)


def check_core(memory: Memory, engine: Engine, more: Sequence[Memory] = ()) -> None:
    """Raises ``UsageError`` when a memory may not be core, or does not fit next to the existing
    core and ``more``."""
    problem = core_problem(memory)
    if problem:
        raise UsageError(f"The memory cannot be core: {problem}.")
    stored = core_memories(engine.store, memory.user, memory.agent, engine.clock.stamp())
    full = _no_room(memory, [*stored, *more], engine.config)
    if full is not None:
        raise UsageError(full[0], fix=full[1])


def check_core_drafts(drafts: Sequence[Draft[Storable]], engine: Engine) -> None:
    """Applies ``check_core`` to the memories that are to be stored as core and are not stored yet.
    Raises ``RecordProblem``."""
    before: list[Memory] = []
    for draft in drafts:
        memory = draft.record
        if not isinstance(memory, Memory) or memory.scope != "core" or draft.refused:
            continue
        if memory.id and engine.store.get(memory.id) is not None:
            continue
        try:
            check_core(memory, engine, before)
        except UsageError as error:
            raise RecordProblem("scope", str(error), draft.index) from None
        before.append(memory)


def core_or_archival(
    memory: Memory, turn: Turn | None, replaced: Memory | None, reader: Reader, engine: Engine
) -> tuple[Memory, tuple[str, str] | None]:
    """A core memory of a reflection, or its archival version with (rule, reason) when it may not be
    core. ``turn``: its source, if available; ``replaced``: the memory that it replaces."""
    problem = core_problem(memory)
    if not problem and is_persona(memory) and not _said_by_user(memory, turn, reader):
        problem = "the user did not say it"
    if problem:
        return _archival(memory), ("not_core", f"stored as archival: {problem}")
    found = memories.core(reader, MOST)
    replaced_ids = {memory.id, replaced.id if replaced is not None else None}
    now = engine.clock.stamp()
    stored = [
        other
        for other in found
        if other.id not in replaced_ids and _is_current(other, now) and _share_prompt(memory, other)
    ]
    full = _no_room(memory, stored, engine.config)
    if full is not None:
        return _archival(memory), ("core_full", f"stored as archival: {full[0]}")
    return memory, None


def _archival(memory: Memory) -> Memory:
    return structs.replace(memory, scope="archival")


def _share_prompt(one: Memory, other: Memory) -> bool:
    """True when two memories may stand in one prompt; unowned memories are shared."""
    users = one.user == other.user or None in (one.user, other.user)
    return users and (one.agent == other.agent or None in (one.agent, other.agent))


def _said_by_user(memory: Memory, turn: Turn | None, reader: Reader) -> bool:
    """True when the quote of a memory stands in the user's message."""
    source = memory.provenance
    if source is None or not source.quote:
        return False
    if turn is None and source.turn:
        turn = reader.by_id(Turn, source.turn)
    if turn is None or is_hidden(turn):
        return False
    return find(source.quote, turn.message) is not None


def _no_room(memory: Memory, stored: Sequence[Memory], config: Config) -> tuple[str, str] | None:
    """(problem, advice) when a memory does not fit into the core; None when it fits. Each persona
    has its own memories in the prompt."""
    core = [other for other in stored if other.id is None or other.id != memory.id]
    own = persona_of(memory.metadata) if is_persona(memory) else None
    named = {persona_of(other.metadata) or "" for other in core if is_persona(other)}
    for persona in sorted({own} if own else {"", *named}):
        standing = [other for other in in_force([*core, memory], persona) if other is not memory]
        if len(standing) >= config.core_limit:
            return (
                f"Core is full: {len(standing)} memories (core_limit is {config.core_limit}).",
                "Demote one (`thalamus memory --scope core` lists them), or raise core_limit.",
            )
        tokens = sum(prompt_budget.estimate_tokens(o.content) for o in (*standing, memory))
        if tokens > config.core_tokens:
            return (
                f"Core would take {tokens} tokens (core_tokens is {config.core_tokens}).",
                "Demote or shorten one, or raise core_tokens; they are part of every prompt.",
            )
    return None
