"""Reranking of the best search results by the configured reranker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.errors import MODEL_ERRORS, ModelFailed, ThalamusError
from thalamus.policy.relevance import relevant
from thalamus.policy.reranking import RERANKED, reranked, usable

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.models.protocol import Reranker
    from thalamus.records import Evidence, Instruction
    from thalamus.turn_run import TurnRun

NONE = "none"
_BATCH = 5  # texts between two checks of the time limit and the cancel token
_UNUSABLE_FIX = "Choose another `reranker`, or none."


def to_be_reranked(instruction: Instruction, engine: Engine) -> Instruction:
    """The instruction with the limit raised to the number of results that are reranked."""
    if engine.config.reranker == NONE or not instruction.query.strip():
        return instruction
    return structs.replace(instruction, limit=max(instruction.limit, RERANKED))


def rerank(
    question: str, evidence: Sequence[Evidence], limit: int, run: TurnRun
) -> tuple[list[Evidence], ThalamusError | None]:
    """The first ``limit`` results after reranking the best of them, and the error if the reranker
    failed, in which case the search's order stays, and ``min_score`` counts."""
    found = list(evidence)
    best = [item.text for item in found[:RERANKED]]
    if run.engine.config.reranker == NONE or not question.strip() or len(best) < 2:
        return found[:limit], None
    try:
        reranker = run.engine.models.reranker()
        if reranker is not None:
            found = reranked(found, _scores(reranker, question, best, run))
    except MODEL_ERRORS as error:
        config = run.engine.config
        return relevant(found, config.min_relevance, config.min_score)[:limit], error
    return found[:limit], None


def _scores(reranker: Reranker, question: str, texts: Sequence[str], run: TurnRun) -> list[float]:
    """Scores of all texts, within ``model_timeout``. Raises what the model raises, ``ModelFailed``
    for invalid scores, and ``Cancelled``."""
    begun = run.engine.clock.tick()
    most = run.engine.config.model_timeout
    scores: list[float] = []
    for start in range(0, len(texts), _BATCH):
        run.raise_if_cancelled()
        if most and run.engine.clock.tick() - begun > most:
            reason = f"it judged {start} of {len(texts)} texts in {most:g} seconds"
            raise ModelFailed(reranker.name, reason, fix="Raise `model_timeout`, or choose none.")
        batch = texts[start : start + _BATCH]
        batch_scores = reranker.score(question, batch)
        if not usable(batch_scores, len(batch)):
            raise ModelFailed(reranker.name, "its scores are invalid", fix=_UNUSABLE_FIX)
        scores += batch_scores
    return scores
