"""Evaluation of retrieval: fills a store, asks the questions, and records the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.errors import BadRecord, UsageError
from thalamus.evaluation import results
from thalamus.evaluation.formats import Format, haystacks, survey
from thalamus.evaluation.haystacks import Labels, fill, temporary
from thalamus.evaluation.parse import FIX, fingerprint
from thalamus.evaluation.questions import ask
from thalamus.evaluation.ranking_metrics import means, measures, percentile
from thalamus.records.evaluations import Evaluation, EvaluationResult

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.evaluation.protocol import Haystack, Level, Question


class RetrievalRun(Struct, frozen=True):
    """Settings of a run. ``folder``: directory for temporary stores, None for the default."""

    path: Path
    format: Format
    level: Level
    ks: tuple[int, ...]
    limit: int | None = None
    folder: Path | None = None


class LoadTally(Struct):
    """Loaded haystacks and records, and the time taken."""

    haystacks: int = 0
    records: int = 0
    seconds: float = 0.0


class RetrievalEvaluation:
    """An evaluation from the file to the figures. ``total``: number of questions.

    ``engine`` is the user's own. With ``out``, results are written there as they come, and those of
    an interrupted run are taken from it. Raises ``UsageError`` for a file without questions,
    ``BadRecord``, and errors of the embedder or the reranker.
    """

    def __init__(self, plan: RetrievalRun, engine: Thalamus, out: Path | None = None) -> None:
        self._plan = plan
        self._engine = engine
        self._out = out
        self._tally = LoadTally()
        self._found: list[EvaluationResult] = []
        self._resumed = 0
        sha256 = fingerprint(plan.path)
        read = survey(plan.path, plan.format, plan.level)
        if not read.questions:
            raise UsageError(f"{plan.path} has no question to evaluate.")
        self._header = Evaluation(
            file=str(plan.path),
            sha256=sha256,
            format=plan.format,
            level=plan.level,
            k=list(plan.ks),
            embedder=wake_embedder(engine),
            reranker=wake_reranker(engine),
            left_out=dict(read.left_out.questions),
            references=read.left_out.references,
        )
        self.total = min(read.questions, plan.limit or read.questions)

    def results(self) -> Iterator[EvaluationResult]:
        """Asks the questions one by one. Raises ``ThalamusError`` for an error that stops it."""
        with results.writing(self._out, self._header, results.RANKINGS) as written:
            for result in evaluate(self._plan, self._engine, written.known, self._tally):
                if result.id in written.known:
                    self._resumed += 1
                else:
                    written.add(result)
                self._found.append(result)
                yield result

    def summary(self) -> Evaluation:
        """The figures of all results so far."""
        return with_figures(self._header, self._found, self._tally, self._resumed)


def evaluate(
    plan: RetrievalRun,
    thalamus: Thalamus,
    known: Mapping[str, EvaluationResult],
    tally: LoadTally,
) -> Iterator[EvaluationResult]:
    """The result of every question in file order; ``known`` results are reused.

    ``thalamus`` is the user's engine: its models are used, and its store only if the file has no
    records. Raises ``ThalamusError`` for an error that stops it.
    """
    for haystack in haystacks(plan.path, plan.format, plan.level, plan.limit):
        if all(question.id in known for question in haystack.questions):
            yield from (known[question.id] for question in haystack.questions)
            continue
        with _engine_for(haystack, plan, thalamus, tally) as (engine, labels):
            for question in haystack.questions:
                if question.id in known:
                    yield known[question.id]
                else:
                    yield _result(question, plan, engine, labels, thalamus)


def wake_embedder(thalamus: Thalamus) -> str:
    """Name of the embedder after a test call, so that errors show before anything is loaded and its
    start-up is not measured."""
    embedder = thalamus.engine.models.embedder()
    if embedder is None:
        return "none"
    embedder.embed(["Is anyone there?"], "query")
    return embedder.name


def wake_reranker(thalamus: Thalamus) -> str:
    """Name of the reranker after a test call, like ``wake_embedder``."""
    reranker = thalamus.engine.models.reranker()
    if reranker is None:
        return "none"
    reranker.score("Is anyone there?", ["Yes."])
    return reranker.name


def with_figures(
    header: Evaluation, found: list[EvaluationResult], tally: LoadTally, resumed: int
) -> Evaluation:
    """The header with its figures."""
    from msgspec.structs import replace

    rows = [(result.type, measures(result.ranked, result.gold, header.k)) for result in found]
    types = {}
    for name in sorted({type for type, _ in rows} - {""}):
        of_type = [row for type, row in rows if type == name]
        types[name] = {"questions": float(len(of_type)), **_rounded(means(of_type))}
    times = [result.ms for result in found]
    return replace(
        header,
        questions=len(found),
        scores=_rounded(means([row for _, row in rows])),
        types=types,
        haystacks=tally.haystacks,
        records=tally.records,
        resumed=resumed,
        seconds={"ingest": round(tally.seconds, 3), "questions": round(sum(times) / 1000, 3)},
        ms={"p50": percentile(times, 0.5), "p95": percentile(times, 0.95)},
    )


@contextmanager
def _engine_for(
    haystack: Haystack, plan: RetrievalRun, thalamus: Thalamus, tally: LoadTally
) -> Iterator[tuple[Thalamus, Labels]]:
    """The engine for a haystack's questions, and the labels of its records."""
    if haystack.records is None:
        _check_own_gold(haystack, plan.level, thalamus)
        yield thalamus, {}
        return
    with temporary(thalamus, plan.folder, haystack.questions[-1].now) as engine:
        begun = thalamus.clock.tick()
        labels = fill(engine, haystack)
        tally.seconds += thalamus.clock.tick() - begun
        tally.haystacks += 1
        tally.records += len(haystack.records)
        yield engine, labels


def _result(
    question: Question,
    plan: RetrievalRun,
    engine: Thalamus,
    labels: Labels,
    thalamus: Thalamus,
) -> EvaluationResult:
    begun = thalamus.clock.tick()
    ranked = ask(question, engine, plan.level, max(plan.ks), labels)
    ms = (thalamus.clock.tick() - begun) * 1000
    return EvaluationResult(
        id=question.id,
        type=question.type,
        question=question.text,
        gold=list(question.gold),
        ranked=ranked,
        ms=round(ms, 3),
    )


def _check_own_gold(haystack: Haystack, level: Level, thalamus: Thalamus) -> None:
    """Raises ``BadRecord`` for gold that is not in the user's own store."""
    wanted = {name for question in haystack.questions for name in question.gold}
    if level == "turn":
        wanted = {name for name in wanted if thalamus.database.get(name) is None}
    if not wanted:
        return
    for record in thalamus.database.everything():
        own = getattr(record, "session", None)
        if level == "turn":
            own = (getattr(record, "metadata", None) or {}).get("id")
        wanted.discard(str(own))
        if not wanted:
            return
    what = "session" if level == "session" else "id or metadata.id"
    problem = f"`gold`: {min(wanted)!r} is not the {what} of anything in the store"
    raise BadRecord(haystack.line, problem, "gold", fix=FIX)


def _rounded(scores: dict[str, float]) -> dict[str, float]:
    return {name: round(score, 4) for name, score in scores.items()}
