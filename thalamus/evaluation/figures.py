"""Figures of a memory evaluation, from its judged cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from thalamus.evaluation.ranking_metrics import percentile
from thalamus.records.evaluations import MemoryCase, MemoryEvaluation, Score, Tally


def with_figures(
    header: MemoryEvaluation, cases: Sequence[MemoryCase], resumed: int
) -> MemoryEvaluation:
    """The header with the figures of all cases, of each kind and of each language."""
    kinds = dict.fromkeys(case.kind for case in cases if case.kind)  # in the order of the file
    languages = sorted({case.language for case in cases} - {""})
    return replace(
        header,
        all=tally(cases),
        kinds={name: tally(case for case in cases if case.kind == name) for name in kinds},
        languages={name: tally(c for c in cases if c.language == name) for name in languages},
        seconds=percentile([number for case in cases for number in case.seconds], 0.5),
        resumed=resumed,
    )


def tally(cases: Iterable[MemoryCase]) -> Tally:
    """Figures of a set of cases."""
    cases = list(cases)
    empty = [case for case in cases if case.empty]
    replied = [case for case in cases if not case.empty and case.answer is not None]
    return Tally(
        cases=len(cases),
        facts=_score(cases, "fact", "facts"),
        memories=_score(cases, "memory", "memories"),
        empty=len(empty),
        empty_kept=sum(any(item.verdict == "wrong" for item in case.kept) for case in empty),
        statements=len(replied),
        refusals=sum(case.reply == "refusal" for case in replied),
        echoes=sum(case.reply == "echo" for case in replied),
    )


def _score(cases: Sequence[MemoryCase], what: str, plural: str) -> Score:
    verdicts = [item.verdict for case in cases for item in case.kept if item.what == what]
    right, wrong = verdicts.count("right"), verdicts.count("wrong")
    missed = verdicts.count("missed")
    found = sum(case.wanted.get(plural, 0) for case in cases) - missed
    return Score(
        right=right,
        wrong=wrong,
        found=found,
        missed=missed,
        precision=_share(right, right + wrong),
        recall=_share(found, found + missed),
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
