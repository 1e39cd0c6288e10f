"""What no longer holds, looked up for a question that asks for it ("what was my project before?").

The words of such a question name a predicate and nothing of what it was, so that neither the words
nor the vectors of what was said then find it: "I'm writing a podcast" has no "project" in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from thalamus.memory.facts import registry
from thalamus.policy.entities import USER
from thalamus.policy.past_questions import asks_what_was
from thalamus.records import Instruction

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.records import Fact
    from thalamus.storage.protocol import Filter, Store

MOST = 2  # facts that are looked up, the last that ended first


def past_instructions(
    question: str, store: Store, where: Filter, context: Context
) -> list[Instruction]:
    """What to look up besides the question: the words in which the user's facts were told that have
    ended and whose predicate the question names. Nothing for a question about the present."""
    if not asks_what_was(question):
        return []
    ended = sorted(
        _ended(question.casefold(), store, where, context),
        key=lambda fact: fact.valid_to or "",
        reverse=True,
    )
    predicates = registry(context)
    told = [
        fact.quote or predicates.sentence(fact.subject, fact.predicate, fact.object)
        for fact in ended[:MOST]
    ]
    return [Instruction(mode="all", query=query, limit=2) for query in dict.fromkeys(told)]


def _ended(question: str, store: Store, where: Filter, context: Context) -> Iterator[Fact]:
    predicates, now = registry(context), where.now or context.clock.stamp()
    for fact in store.facts(where, USER, history=True):
        over = fact.valid_to is not None and fact.valid_to <= now
        said = predicates.said(fact.predicate) if over and fact.retired_at is None else None
        if said is not None and fact.object and said.search(question):
            yield fact
