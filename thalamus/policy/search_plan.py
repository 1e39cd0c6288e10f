"""Validation of a search plan: its queries may only use words of the conversation and words that go
with them, never a name or number that the draft made up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import structs

from thalamus.policy.retrieval_plan import CheckedPlan, Vocabulary, check_plan, refused
from thalamus.records import Instruction
from thalamus.text.analyzer import words
from thalamus.text.names import names, numbers

MOST = 3  # instructions of a search plan
_EDGES = re.compile(r"^\W+|\W+$")


def check_search_plan(
    instructions: Sequence[Instruction], dialogue: str, draft: str, vocabulary: Vocabulary
) -> CheckedPlan:
    """Validates a model's search plan: at most ``MOST`` instructions, each sharing a content word
    with the conversation (``dialogue``). Names and numbers that were never mentioned are removed
    from the queries, whether made up in the ``draft`` or in the plan."""
    kept, verdicts = [], []
    named = set(words(" ".join((dialogue, *vocabulary.topics))))
    for number, item in enumerate(instructions, start=1):
        query, invented = _without_invented(item.query, draft, named)
        if invented:
            reason = "names and numbers that were never mentioned are not searched for"
            verdicts.append(refused(number, "invented", reason))
        kept.append(structs.replace(item, query=query))
    checked = check_plan(kept, dialogue, vocabulary)
    for number in range(MOST + 1, len(checked.instructions) + 1):
        verdicts.append(refused(number, "too_many", f"a search plan has {MOST} instructions"))
    return CheckedPlan(checked.instructions[:MOST], [*verdicts, *checked.verdicts])


def _without_invented(query: str, draft: str, mentioned: set[str]) -> tuple[str, bool]:
    """The query without invented names and numbers, and True if it had any."""
    invented = {
        word
        for text in (query, draft)
        for name in (*names(text), *numbers(text))
        for word in words(name)
        if word not in mentioned
    }
    kept = [
        part for part in query.split() if not invented.intersection(words(_EDGES.sub("", part)))
    ]
    return " ".join(kept), len(kept) < len(query.split())
