"""Questions sent to the ordinary ``retrieve``, with the results as a ranking of names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from thalamus.store.values import Filter

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.evaluation.protocol import Level, Question
    from thalamus.records import Evidence

SPREAD = 4  # results first requested per wanted session


def ask(
    question: Question,
    thalamus: Thalamus,
    level: Level,
    most: int,
    labels: Mapping[str, Sequence[str]],
) -> list[str]:
    """The first ``most`` labels, or sessions, found for a question.

    Raises the error of a failed search arm: half a retrieval must not count as a whole one.
    """
    if level == "turn":
        found = _retrieve(question, thalamus, most)
        return rank_records(found, question.gold, labels)[:most]
    return _sessions(question, thalamus, most)[:most]


def rank_records(
    evidence: Sequence[Evidence], gold: Collection[str], labels: Mapping[str, Sequence[str]]
) -> list[str]:
    """Names of the evidence, best first. A record with several names goes by its gold ones, else by
    the first. ``labels`` has the names by id; otherwise they are the ``id`` in the metadata and the
    record's own."""
    ranked: list[str] = []
    for item in evidence:
        names = labels.get(item.id) or _own_names(item)
        ranked += [name for name in names if name in gold] or names[:1]
    return list(dict.fromkeys(ranked))


def rank_sessions(evidence: Sequence[Evidence]) -> list[str]:
    """Sessions of the evidence, in the order of their best pieces."""
    return list(dict.fromkeys(item.session for item in evidence if item.session))


def _own_names(item: Evidence) -> list[str]:
    own = item.metadata.get("id")
    return [str(own), item.id] if own is not None else [item.id]


def _sessions(question: Question, thalamus: Thalamus, most: int) -> list[str]:
    """Sessions, with growing limits until there are ``most`` of them or no new results."""
    size = sum(thalamus.database.counts().values())
    limit, before = SPREAD * most, 0
    while True:
        found = _retrieve(question, thalamus, limit)
        ranked = rank_sessions(found)
        if len(ranked) >= most or len(found) <= before or limit >= size:
            return ranked
        limit, before = limit * 2, len(found)


def _retrieve(question: Question, thalamus: Thalamus, limit: int) -> list[Evidence]:
    config = thalamus.config
    now = question.now or thalamus.clock.stamp()
    where = Filter(user=config.user or None, agent=config.agent or None, now=now)
    before = len(thalamus.failures)
    found = thalamus.recall(question.text, limit=limit, where=where)
    if len(thalamus.failures) > before:
        raise thalamus.failures[-1][1]
    return found
