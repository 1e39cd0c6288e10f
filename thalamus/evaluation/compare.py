"""Comparison of two results files by question: wins, losses, and their significance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from thalamus.errors import UsageError
from thalamus.evaluation import results
from thalamus.evaluation.ranking_metrics import recall_at, sign_test
from thalamus.records.evaluations import Evaluation, EvaluationResult

Results = tuple[Evaluation, list[EvaluationResult]]


class QuestionChange(Struct, kw_only=True):
    """A question answered in both files: recall@k ``before`` and ``after``."""

    id: str
    type: str
    question: str
    before: float
    after: float


class Comparison(Struct, kw_only=True):
    """``first_only`` and ``second_only``: questions in one of the files; ``changed``: questions
    with different gold. These are not compared. ``p``: p-value of the exact sign test.
    ``one_source``: both used the same data file."""

    k: int
    pairs: list[QuestionChange]
    first_only: int
    second_only: int
    changed: int
    one_source: bool = True

    @property
    def won(self) -> list[QuestionChange]:
        """Questions whose recall went up."""
        return [pair for pair in self.pairs if pair.after > pair.before]

    @property
    def lost(self) -> list[QuestionChange]:
        """Questions whose recall went down."""
        return [pair for pair in self.pairs if pair.after < pair.before]

    @property
    def p(self) -> float:
        """Probability of a result at least this one-sided by chance."""
        return sign_test(len(self.won), len(self.lost))

    def of_type(self, type: str) -> Comparison:
        """The comparison for the questions of one type."""
        pairs = [pair for pair in self.pairs if pair.type == type]
        return Comparison(k=self.k, pairs=pairs, first_only=0, second_only=0, changed=0)

    def figures(self) -> dict[str, Any]:
        """Numbers of questions and mean recall."""
        count = len(self.pairs)
        return {
            "questions": count,
            "won": len(self.won),
            "lost": len(self.lost),
            "same": count - len(self.won) - len(self.lost),
            "recall": [
                round(sum(pair.before for pair in self.pairs) / count, 4) if count else 0.0,
                round(sum(pair.after for pair in self.pairs) / count, 4) if count else 0.0,
            ],
            "p": round(self.p, 6),
        }

    def types(self) -> list[str]:
        """All types in alphabetical order."""
        return sorted({pair.type for pair in self.pairs} - {""})


def compare_files(first: Path, second: Path, k: int | None = None) -> Comparison:
    """Compares two files of retrieval results at ``k`` (default: 10, or the largest k of both).
    Raises ``UsageError`` and ``BadRecord``."""
    one, two = (results.read(path, results.RANKINGS) for path in (first, second))
    found = compare(one, two, k or min(10, max(one[0].k), max(two[0].k)))
    found.one_source = one[0].sha256 == two[0].sha256
    return found


def mean_recall(path: Path) -> tuple[float, int] | None:
    """Mean recall@10 of a results file, or at its largest k below that, and the number of its
    questions; None without any. Raises ``UsageError`` and ``BadRecord``."""
    header, found = results.read(path, results.RANKINGS)
    k = min(10, max(header.k))
    shares = [recall_at(one.ranked, one.gold, k) for one in found if one.gold]
    return (sum(shares) / len(shares), len(shares)) if shares else None


def compare(first: Results, second: Results, k: int) -> Comparison:
    """Pairs the questions of two results files by their ids.

    Raises ``UsageError`` if their format or level differ, or if they ranked fewer than ``k``
    results.
    """
    (header, before), (other, after) = first, second
    for name in ("format", "level"):
        one, two = getattr(header, name), getattr(other, name)
        if one != two:
            raise UsageError(
                f"The results cannot be compared: {name} is {one} in one and {two} in the other."
            )
    most = min(max(header.k), max(other.k))
    if k > most:
        fix = f"Give -k {most} or less, or measure again with a larger -k."
        raise UsageError(f"invalid -k {k}: only the first {most} are in both files", fix=fix)
    ours = {result.id: result for result in before}
    theirs = {result.id: result for result in after}
    shared = [ours[id] for id in ours if id in theirs]
    same = [result for result in shared if set(result.gold) == set(theirs[result.id].gold)]
    return Comparison(
        k=k,
        pairs=[_change(result, theirs[result.id], k) for result in same],
        first_only=len(ours) - len(shared),
        second_only=len(theirs) - len(shared),
        changed=len(shared) - len(same),
    )


def _change(before: EvaluationResult, after: EvaluationResult, k: int) -> QuestionChange:
    return QuestionChange(
        id=after.id,
        type=after.type,
        question=after.question,
        before=recall_at(before.ranked, before.gold, k),
        after=recall_at(after.ranked, after.gold, k),
    )
