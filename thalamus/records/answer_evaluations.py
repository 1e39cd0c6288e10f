"""What ``thalamus eval answers`` measured, and each answer that it judged."""

from __future__ import annotations

from msgspec import Struct

from thalamus.records.base import Record, Unit


class AnswerTally(Struct, kw_only=True):
    """The figures of one flow: how many of its answers were ``right``, as a share in ``accuracy``;
    ``types`` has [right, questions] of each kind of question. ``won`` and ``lost``: questions that
    it answers right and the first flow does not, and the other way round; ``p`` is that of the
    exact sign test over them. ``tokens_in`` is the mean of the prompts' tokens of an answer, ``ms``
    the median of its milliseconds, ``recall`` the mean share of the gold that was found."""

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
    """What ``thalamus eval answers`` measured: ``flows`` has the figures of each flow, ``left_out``
    the questions that were not asked, by reason. ``prompts`` is a fingerprint of the prompts."""

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

    ``gold`` is the right answer, null where there is none; ``share`` of its content words stand in
    the ``answer``, and ``right`` says whether that is enough. ``recall``: the share of the gold
    evidence that was found; ``evidence``: how much was found in all; ``draft`` and ``searched``:
    what a deliberate turn looked up. ``tokens_in`` and ``tokens_out`` are those of all stages that
    asked a model; ``issues`` are codes.
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
