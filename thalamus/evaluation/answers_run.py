"""Evaluation of answers to questions with known answers, through several flows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.errors import UsageError
from thalamus.evaluation.formats import Format, all_questions, haystacks_of
from thalamus.evaluation.haystacks import Labels, fill, temporary
from thalamus.evaluation.judge_answer import is_right
from thalamus.evaluation.memory_run import prompts_fingerprint
from thalamus.evaluation.parse import fingerprint
from thalamus.evaluation.ranking_metrics import percentile, sign_test
from thalamus.evaluation.retrieval_run import wake_embedder
from thalamus.records import Evidence
from thalamus.records.evaluations import AnswerEvaluation, AnswerResult, AnswerTally

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.evaluation.protocol import Haystack, Question


class AnswersRun(Struct, frozen=True):
    """Settings of a run: the questions of ``path`` whose ids begin with one of ``only`` (all if
    empty), ``limit`` of them evenly sampled, through each of ``flows``. ``folder``: directory for
    temporary stores, None for the default."""

    path: Path
    format: Format
    flows: tuple[str, ...]
    limit: int | None = None
    only: tuple[str, ...] = ()
    folder: Path | None = None


class AnswersEvaluation:
    """An evaluation from the file to the figures. ``total``: number of answers. ``engine`` is the
    user's own: its models are used, its store is not. Raises ``UsageError`` for a file without a
    usable question, ``BadRecord``, and errors of the embedder."""

    def __init__(self, plan: AnswersRun, engine: Thalamus) -> None:
        self._plan = plan
        self._engine = engine
        self._found: list[AnswerResult] = []
        sha256 = fingerprint(plan.path)
        questions, left_out = all_questions(plan.path, plan.format, unanswerable=True)
        judgeable = [item for item in questions if item.answer or item.unanswerable]
        fit = [item for item in judgeable if item.id.startswith(plan.only or ("",))]
        if not fit:
            raise UsageError(
                f"{plan.path}: no question whose answer is known"
                + (f" has an id that begins with {' or '.join(plan.only)}." if plan.only else "."),
                fix="Questions need an `answer`; docs/evaluation.md describes the formats.",
            )
        self._wanted = _sample([item.id for item in fit], plan.limit)
        left_out.questions["no_answer"] += len(questions) - len(judgeable)
        self._header = AnswerEvaluation(
            file=str(plan.path),
            sha256=sha256,
            format=plan.format,
            model=engine.engine.models.chat("answer").name,
            embedder=wake_embedder(engine),
            prompts=prompts_fingerprint(engine),
            left_out={name: count for name, count in left_out.questions.items() if count},
        )
        self.total = len(self._wanted) * len(plan.flows)

    def results(self) -> Iterator[AnswerResult]:
        """Asks the questions one by one through each flow. Raises the error of a model that cannot
        answer at all."""
        count = 0
        wanted = set(self._wanted)
        for haystack in haystacks_of(self._plan.path, self._plan.format, wanted, True):
            with temporary(self._engine, self._plan.folder, haystack.questions[-1].now) as engine:
                labels = fill(engine, haystack)
                for result in self._answers(haystack, engine, labels, count):
                    self._found.append(result)
                    yield result
            count += len(haystack.questions)

    def _answers(
        self, haystack: Haystack, engine: Thalamus, labels: Labels, count: int
    ) -> Iterator[AnswerResult]:
        """Answers to the questions of one store. The flows alternate in going first, since the
        later one finds parts of its prompts in the model's cache."""
        flows = self._plan.flows
        for number, question in enumerate(haystack.questions, start=count):
            for flow in flows if number % 2 == 0 else flows[::-1]:
                yield self._answer(question, flow, engine, labels)

    def _answer(
        self, question: Question, flow: str, engine: Thalamus, labels: Labels
    ) -> AnswerResult:
        clock = self._engine.clock
        known, begun = len(engine.failures), clock.tick()
        turn = engine.answer_only(question.text, flow=flow)
        ms = (clock.tick() - begun) * 1000
        if turn.answer is None and len(engine.failures) > known:
            raise engine.failures[-1][1]
        answer = turn.answer or ""
        right, share = is_right(answer, question.answer)
        return AnswerResult(
            id=question.id,
            type=question.type,
            question=question.text,
            gold=question.answer,
            flow=flow,
            answer=answer,
            right=right,
            share=share,
            recall=_recall(question, turn.evidence, labels),
            evidence=len(turn.evidence),
            draft=turn.draft or None,
            searched=[item.query for item in turn.search_plan or []],
            tokens_in=sum(step.tokens_in or 0 for step in turn.trace),
            tokens_out=sum(step.tokens_out or 0 for step in turn.trace),
            ms=round(ms, 1),
            issues=[issue.code for issue in turn.issues],
        )

    def summary(self) -> AnswerEvaluation:
        """The figures of all results so far."""
        return with_figures(self._header, self._found, self._plan.flows)


def with_figures(
    header: AnswerEvaluation, found: Sequence[AnswerResult], flows: Sequence[str]
) -> AnswerEvaluation:
    """The header with its figures; each other flow is compared with the first."""
    from msgspec.structs import replace

    by_flow = {flow: {item.id: item for item in found if item.flow == flow} for flow in flows}
    first = by_flow[flows[0]]
    return replace(
        header,
        questions=len({item.id for item in found}),
        flows={flow: _tally(list(items.values()), first) for flow, items in by_flow.items()},
    )


def _tally(found: Sequence[AnswerResult], first: dict[str, AnswerResult]) -> AnswerTally:
    types: dict[str, list[AnswerResult]] = {}
    for item in found:
        types.setdefault(item.type or "-", []).append(item)
    won = sum(item.right and not first[item.id].right for item in found if item.id in first)
    lost = sum(first[item.id].right and not item.right for item in found if item.id in first)
    return AnswerTally(
        questions=len(found),
        right=sum(item.right for item in found),
        accuracy=_share(found),
        recall=round(sum(item.recall for item in found) / len(found), 4) if found else 0.0,
        types={name: [sum(i.right for i in of), len(of)] for name, of in sorted(types.items())},
        won=won,
        lost=lost,
        p=round(sign_test(won, lost), 4),
        tokens_in=round(sum(item.tokens_in for item in found) / len(found)) if found else 0,
        ms=percentile([item.ms for item in found], 0.5) if found else 0.0,
    )


def _recall(question: Question, evidence: Sequence[Evidence], labels: Labels) -> float:
    """Share of the gold found in the evidence, by name or session."""
    found = {name for item in evidence for name in (*labels.get(item.id, ()), item.session)}
    gold = question.gold
    return round(sum(name in found for name in gold) / len(gold), 4) if gold else 0.0


def _share(found: Sequence[AnswerResult]) -> float:
    return round(sum(item.right for item in found) / len(found), 4) if found else 0.0


def _sample(ids: Sequence[str], limit: int | None) -> list[str]:
    """``limit`` of the ids, evenly sampled."""
    if limit is None or limit >= len(ids):
        return list(ids)
    return [ids[number * len(ids) // limit] for number in range(limit)]
