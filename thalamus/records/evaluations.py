"""Results of evaluations: overall figures and each case, of retrieval, of what is kept, and of
answers."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from thalamus.records.base import Record, Unit


class Evaluation(Record, tag="evaluation"):
    """Results of ``thalamus eval retrieval``.

    ``scores``: any@k, all@k and recall@k over all ``questions``; ``types``: the same by kind;
    ``left_out``: skipped questions by reason; ``references``: gold references that could not be
    resolved; ``ms``: milliseconds per question; ``resumed``: results from an earlier run. Without
    figures it is the header of a results file.
    """

    file: str
    sha256: str
    format: str
    level: Literal["session", "turn"]
    k: list[int]
    embedder: str
    reranker: str = "none"
    questions: int = 0
    scores: dict[str, float] = {}
    types: dict[str, dict[str, float]] = {}
    left_out: dict[str, int] = {}
    references: int = 0
    haystacks: int = 0
    records: int = 0
    resumed: int = 0
    seconds: dict[str, float] = {}
    ms: dict[str, float] = {}


class EvaluationResult(Record, tag="evaluation_result"):
    """One question of an evaluation with its gold ids, the ranked results and the time taken."""

    id: str
    question: str
    gold: list[str]
    ranked: list[str]
    type: str = ""
    ms: float = 0.0


class Score(Struct, kw_only=True):
    """Precision and recall. Of the kept items, ``right`` and ``wrong`` ones; of the wanted items,
    ``found`` and ``missed`` ones.

    ``precision``: the share of kept items that are right; ``recall``: the share of wanted items
    that were found; null if the divisor is zero.
    """

    right: int = 0
    wrong: int = 0
    found: int = 0
    missed: int = 0
    precision: float | None = None
    recall: float | None = None


class Tally(Struct, kw_only=True):
    """Figures over several cases. ``empty``: cases with nothing to keep; ``empty_kept``: those in
    which something was kept anyway. ``statements``: cases with something to keep and a reply;
    ``refusals`` and ``echoes``: counts of such replies to them."""

    cases: int = 0
    facts: Score
    memories: Score
    empty: int = 0
    empty_kept: int = 0
    statements: int = 0
    refusals: int = 0
    echoes: int = 0


class MemoryEvaluation(Record, tag="memory_evaluation"):
    """Results of ``thalamus eval memory``.

    ``models``: the model of each stage; ``prompts``: a fingerprint of the prompts. ``all``: figures
    over all cases; ``kinds`` and ``languages``: figures of each. ``seconds``: the median time of a
    turn; ``resumed``: cases from an earlier run. Without figures it is the header of a results
    file.
    """

    file: str
    sha256: str
    models: dict[str, str]
    embedder: str
    prompts: str
    all: Tally | None = None
    kinds: dict[str, Tally] = {}
    languages: dict[str, Tally] = {}
    seconds: float = 0.0
    resumed: int = 0


class Judged(Struct, kw_only=True):
    """A fact or memory with its verdict: ``right`` or ``wrong`` if it was kept, ``missed`` if it
    should have been."""

    what: Literal["fact", "memory"]
    verdict: Literal["right", "wrong", "missed"]
    text: str


class MemoryCase(Record, tag="memory_case"):
    """One case of a memory evaluation: the message, the reply, and the kept items.

    ``wanted``: the number of facts and memories to keep; ``empty``: there is nothing to keep.
    ``reply``: the fault of the answer, if any. ``seconds``: of each turn; ``issues``: failures.
    """

    id: str
    message: str
    at: str
    before: list[str] = []
    kind: str = ""
    language: str = ""
    half: str = ""
    kept: list[Judged] = []
    wanted: dict[str, int] = {}
    empty: bool = False
    answer: str | None = None
    reply: Literal["", "refusal", "echo"] = ""
    seconds: list[float] = []
    issues: list[str] = []


class PersonaAnswers(Record, tag="persona_answers"):
    """Answers to one question, by the model or memory that gave them."""

    question: str
    answers: dict[str, str] = {}


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
