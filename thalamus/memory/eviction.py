"""Eviction: what the user said in an exchange that left the prompt is kept as an episodic memory,
once, and is recalled like any other; unless the memories that reflection made of it say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.memory.dialogue import outdated
from thalamus.memory.draft import save
from thalamus.memory.embeddings import embed
from thalamus.memory.personal import encrypted_ids
from thalamus.memory.sessions import distilled, memories_of_turns
from thalamus.memory.summarize import Summarizer
from thalamus.memory.write import admit_memories
from thalamus.policy import retention
from thalamus.policy.consent import forbidden
from thalamus.policy.grounding import only_asks, only_requests
from thalamus.policy.language.clauses import clauses
from thalamus.policy.language.corrections.contrasts import correction_in, may_correct
from thalamus.policy.salience import small_talk
from thalamus.records import EXCHANGE, Event, Memory, Provenance, Turn
from thalamus.text.tokens import content_words, sentences, share_found, words

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.storage.protocol import Store

SHORT = 240  # characters that need no summary
MOST = 400  # characters of a summary
COVERED = 0.8  # share of what was said from which the memories of a turn say it already


def evict(
    exchanges: Sequence[Turn], turn: str | None, context: Context, opened: Store
) -> list[Memory]:
    """Writes a memory of each exchange that left the prompt of ``turn`` and in which the user said
    something that was not corrected since, and that no memory says yet; returns them. A question is
    found as the turn that it is. Raises ``StoreBusy``, ``StoreFull``."""
    if forbidden(context.config.remember, EXCHANGE) is not None:
        return []  # the gate would refuse each of them, in every turn again
    stating = [item for item in exchanges if _states(item.message)]
    made = memories_of_turns(opened, [item.id or "" for item in stating])
    new = [item for item in stating if not _is_said(item, made.get(item.id or "", ()))]
    old = outdated(new, context, opened)
    new = [item for item in new if item.id not in old.corrected]
    if not new:
        return []
    summarizer = Summarizer(context, context.config.enable_reflection)
    encrypted = encrypted_ids(opened, [item.id or "" for item in new])
    memories = [
        _memory(item, summarizer, context, item.id in encrypted, old.reasons.get(item.id or ""))
        for item in new
    ]
    drafts = admit_memories(memories, context, machine_made=True)
    problem = embed(drafts, context, opened)
    if problem is not None:
        context.failed("store: embedding", problem)
    with opened.writing() as writer:
        # another process may have been faster
        known = distilled(writer, [item.id or "" for item in new])
        wanted = [
            (item, draft)
            for item, draft in zip(new, drafts, strict=True)
            if item.id not in known and not draft.refused
        ]
        saved = [save(draft, writer, context) for _, draft in wanted]
        if saved:
            data = {
                "turns": [item.id for item, _ in wanted],
                "memories": [memory.id for memory in saved],
            }
            at, session = context.clock.stamp(), new[0].session
            writer.add_event(Event(name="evicted", at=at, turn=turn, session=session, data=data))
    return saved


def _states(message: str) -> bool:
    return not (only_asks(message) or only_requests(message) or small_talk(message))


def _is_said(item: Turn, made: Sequence[Memory]) -> bool:
    """Whether the memories that were made from an exchange hold a copy of it, or say nearly every
    content word and every number, whether these still hold or not: a copy would say the same once
    more, and what takes the place of a memory would not take the copy's."""
    if not made or any(memory.type == EXCHANGE for memory in made):
        return bool(made)
    kept = {word for memory in made for word in words(memory.content)}
    # "on 19 March, not 9 March": what is wrong is not remembered
    correction = correction_in(item.message)
    wrong = content_words(correction.wrong or "") if correction is not None else []
    right = content_words(correction.right) if correction is not None else []
    found = clauses(item.message)
    # as the grammar reads it, or as it was said: "can't stand" is "dislike"
    for said in (" ".join(one.plain for one in found), " ".join(one.text for one in found)):
        wanted = [word for word in content_words(said) if word not in wrong or word in right]
        if share_found(wanted, kept) >= COVERED:
            corrects = may_correct(item.message) and len(sentences(item.message)) == 1
            numbers = [word for word in wanted if any(map(str.isdigit, word))]
            return corrects or share_found(numbers, kept) == 1
    return False


def _memory(
    item: Turn, summarizer: Summarizer, context: Context, encrypted: bool, stale: str | None
) -> Memory:
    """What the user said, in few words: what the model answered may be made up, and the turn
    itself keeps it. What is made of an encrypted exchange is personal. ``stale``: why it may no
    longer be true."""
    text = " ".join(item.message.split())
    if len(text) > SHORT:
        text = summarizer.condense([text], "what the user said", MOST)
    return Memory(
        content=f"The user said: {text}",
        id=context.clock.new_id("mem", EXCHANGE, item.id),
        type=EXCHANGE,
        scope=retention.rule_for(context.rules(), EXCHANGE).scope,
        importance="low",
        created_at=item.created_at,
        recorded_at=context.clock.stamp(),
        session=item.session,
        user=item.user,
        agent=item.agent,
        sensitivity="personal" if encrypted else "normal",
        stale=stale,
        provenance=Provenance(turn=item.id, quote=item.message[:SHORT]),
    )
