"""Results of ``thalamus eval answers``: overall figures and each judged answer."""

from __future__ import annotations

from msgspec import Struct

from thalamus.records.base import Record, Unit


class AnswerTally(Struct, kw_only=True):
    """Figures of one flow. ``right`` answers and their share of all questions (``accuracy``);
    ``types``: [right, questions] by kind of question; ``won`` and ``lost``: questions that only
    this flow or only the first flow answers correctly; ``p``: p-value of the exact sign test over
    these; ``tokens_in``: mean prompt tokens per answer; ``ms``: median milliseconds; ``recall``:
    mean share of the gold evidence that was found."""

    questions: int = 0
    right: int = 0
    accuracy: Unit = 0.0
    recall: Unit = 0.0
    types: dict[str, list[int]] = {}
    won: int = 0
    lost: int = 0
    p: float = 1.0
    tokens_in: int = 0
    ms: float = 0.0


class AnswerEvaluation(Record, tag="answer_evaluation"):
    """Results of ``thalamus eval answers``. ``flows``: figures of each flow; ``left_out``: skipped
    questions by reason; ``prompts``: a fingerprint of the prompts."""

    file: str
    sha256: str
    format: str
    model: str
    embedder: str
    prompts: str
    questions: int = 0
    flows: dict[str, AnswerTally] = {}
    left_out: dict[str, int] = {}


class AnswerResult(Record, tag="answer_result"):
    """One answer of an evaluation, given through ``flow``.

    ``gold``: the right answer, null if there is none; ``share``: the share of its content words in
    the ``answer``; ``right``: whether that is enough; ``recall``: the share of the gold evidence
    that was found; ``evidence``: the number of all entries found; ``draft`` and ``searched``: the
    draft and the queries of a deliberate turn; ``tokens_in`` and ``tokens_out``: tokens over all
    stages that called a model; ``issues``: issue codes.
    """

    id: str
    question: str
    gold: str | None
    flow: str
    answer: str
    right: bool
    share: Unit
    type: str = ""
    recall: Unit = 0.0
    evidence: int = 0
    draft: str | None = None
    searched: list[str] = []
    tokens_in: int = 0
    tokens_out: int = 0
    ms: float = 0.0
    issues: list[str] = []
