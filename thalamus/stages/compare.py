"""compare: finds what a new memory could repeat, extend or contradict.

Done before the transaction begins, with both search arms. What rests on the assistant's words is
also compared with all that stood in the prompt: what was recalled, and the dialogue before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.policy.novelty import Neighbour
from thalamus.policy.pack import user_words
from thalamus.policy.tokens import query_words
from thalamus.policy.vector import unpack
from thalamus.records import Evidence, Memory, Turn
from thalamus.storage.protocol import Store
from thalamus.storage.shapes import Filter, Vector

if TYPE_CHECKING:
    from thalamus.stages.context import Context

NEAR = 10  # neighbours that each search arm gives


def neighbours(
    memory: Memory,
    prompt: Sequence[Neighbour],
    vector: Vector | None,
    context: Context,
    store: Store,
) -> list[Neighbour]:
    """The active memories of the same owner that are near, and what of the ``prompt`` is."""
    where = Filter(user=memory.user, kinds=("memory",), now=context.clock.stamp())
    keys: dict[str, int] = {}
    cosines: dict[int, float] = {}
    background = 0.0
    for hit in store.search_text(query_words(memory.content), where, NEAR):
        keys[hit.entry.id] = hit.entry.key
    if vector is not None:
        for hit in store.search_vector(vector, where, NEAR):
            keys[hit.entry.id] = hit.entry.key
        found = store.likeness(vector, list(keys.values()))
        cosines, background = found.cosines, found.background
    near = []
    for id, key in keys.items():
        old = store.get(id)
        if isinstance(old, Memory) and one_owner(memory, old):
            near.append(Neighbour(old, cosines.get(key), background))
    if memory.trust < 1:
        near += [_closer(told, vector, background, store) for told in prompt]
    return near


def in_prompt(turn: Turn, context: Context, store: Store) -> list[Neighbour]:
    """All that an answer could repeat. What is no memory stands there as one, with its own id."""
    told = [
        Neighbour(Memory(content=_words(item), id=item.id, user=turn.user), recalled=True)
        for item in turn.evidence
        if item.text.strip()
    ]
    for before in store.recent_turns(turn.session or "", turn.user, context.config.recent_messages):
        if before.id != turn.id:
            said = Memory(content=before.message, id=before.id, user=turn.user)
            told.append(Neighbour(said, recalled=True))
    return told


def one_owner(one: Memory, other: Memory) -> bool:
    """Whether two memories belong to the same user and agent."""
    return (one.user, one.agent) == (other.user, other.agent)


def _words(item: Evidence) -> str:
    return user_words(item.text) if item.kind == "turn" else item.text


def _closer(told: Neighbour, vector: Vector | None, background: float, store: Store) -> Neighbour:
    """What stood in the prompt, with its cosine if it has one."""
    id = told.memory.id or ""
    known = store.vectors_of([id]).get(id) if vector is not None else None
    if vector is None or known is None or known.model != vector.model:
        return told
    pairs = zip(unpack(vector.data), unpack(known.data), strict=True)
    return Neighbour(told.memory, sum(a * b for a, b in pairs), background, recalled=True)
