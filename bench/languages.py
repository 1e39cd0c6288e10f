"""Recall and silence by language: `python bench/languages.py [--set heldout] [--languages pl]`.

Every language has a store of its own: its statements among everyday ones, spread over a year. Each
statement is asked for by a question that shares a word with it, by one that shares none, and by one
in English; other questions have no answer in the store. Printed are, in percent:

- recall at 1, 5 and 10 for each kind of question, without a least relevance
- cut: right results among the first ten that the least relevance removes
- unanswerable: those without an answer for which evidence goes into the prompt

The row `all` is of all languages except English. The files are in `bench/languages`.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean

import msgspec
from msgspec import structs

from thalamus import Thalamus
from thalamus.evaluation.haystacks import Labels, fill, temporary
from thalamus.evaluation.protocol import Haystack, Question
from thalamus.evaluation.questions import rank_records
from thalamus.evaluation.ranking_metrics import means, measures
from thalamus.records import Evidence, Memory
from thalamus.store.values import Filter

DATA = Path(__file__).with_name("languages")
KINDS = ("shared", "paraphrase", "english")
UNANSWERABLE = "unanswerable"
KS = (1, 5, 10)
COLUMNS = (
    *(f"{kind}@{k}" for kind in KINDS for k in KS),
    *("cut shared", "cut paraphrase", UNANSWERABLE),
)
ENGLISH = "en"
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)  # when the questions are asked
SPAN = timedelta(days=365)  # over which the statements are spread


class Line(msgspec.Struct, forbid_unknown_fields=True):
    """A statement with the questions that it answers, a question without an answer, or a filler."""

    statement: str = ""
    shared: str = ""
    paraphrase: str = ""
    english: str = ""
    unanswerable: str = ""
    filler: str = ""


@dataclass(frozen=True)
class Result:
    """Ranking for a question, and the relevance of the best right and wrong results in it.

    ``gold``: name of the right result, "" if there is none; ``cut``: the floor removes it;
    ``evidence``: number of results above the floor; ``scores``: parts of the score of the right
    and of the wrong result.
    """

    language: str
    kind: str
    question: str
    gold: str
    ranked: list[str]
    cut: bool
    evidence: int
    right: float | None
    wrong: float | None
    scores: dict[str, dict[str, float]]

    @property
    def found(self) -> bool:
        """True if the right result is in the ranking."""
        return self.gold in self.ranked


def read(path: Path) -> Haystack:
    """The haystack of a language, its records in an order that is the same in every run."""
    lines = msgspec.json.decode(b"[" + b",".join(path.read_bytes().splitlines()) + b"]")
    texts: list[tuple[str, str]] = []
    questions: list[Question] = []
    for number, line in enumerate(msgspec.convert(lines, list[Line]), start=1):
        name = f"{path.stem}-{number}"
        if line.unanswerable:
            questions.append(_question(name, UNANSWERABLE, line.unanswerable))
            continue
        texts.append((name, line.statement or line.filler))
        asked = {kind: getattr(line, kind) for kind in KINDS}
        questions += [_question(name, kind, text) for kind, text in asked.items() if text]
    random.Random(path.stem).shuffle(texts)
    begin, step = NOW - SPAN, SPAN / (len(texts) + 1)
    times = [(begin + step * n).isoformat() for n in range(1, len(texts) + 1)]
    records = [
        Memory(content=text, created_at=at, session=at[:10])
        for at, (_, text) in zip(times, texts, strict=True)
    ]
    labels: list[tuple[str, ...]] = [(name,) for name, _ in texts]
    return Haystack(line=1, questions=questions, records=[*records], labels=labels)


def _question(name: str, kind: str, text: str) -> Question:
    gold = () if kind == UNANSWERABLE else (name,)
    return Question(id=f"{name}-{kind}", text=text, gold=gold, type=kind, now=NOW.isoformat())


def merge(haystacks: Sequence[Haystack]) -> Haystack:
    """One haystack of several."""
    return Haystack(
        line=1,
        questions=[question for haystack in haystacks for question in haystack.questions],
        records=[record for haystack in haystacks for record in haystack.records or ()],
        labels=[names for haystack in haystacks for names in haystack.labels],
    )


def results(haystack: Haystack, own: Thalamus) -> Iterator[Result]:
    """Asks the questions of a haystack with the floor and without it."""
    with temporary(own, None, NOW.isoformat()) as engine:
        labels = fill(engine, haystack)
        without_floor = structs.replace(engine.config, min_relevance=0.0)
        with engine.sibling(config=without_floor) as lenient:
            for question in haystack.questions:
                found = _ask(lenient, question.text)
                kept = _ask(engine, question.text)
                yield _result(question, labels, found, kept)


def _ask(engine: Thalamus, text: str) -> list[Evidence]:
    found = engine.recall(text, limit=max(KS), where=Filter(now=NOW.isoformat()))
    if engine.failures:
        raise engine.failures[-1][1]
    return found


def _result(
    question: Question, labels: Labels, found: Sequence[Evidence], kept: Sequence[Evidence]
) -> Result:
    gold = question.gold[0] if question.gold else ""
    right = next((item for item in found if gold in labels[item.id]), None)
    others = [item for item in found if item is not right]
    wrong = max(others, key=_relevance, default=None)
    return Result(
        language=question.id.partition("-")[0],
        kind=question.type,
        question=question.text,
        gold=gold,
        ranked=rank_records(found, question.gold, labels),
        cut=right is not None and right.id not in {item.id for item in kept},
        evidence=len(kept),
        right=right.relevance if right else None,
        wrong=wrong.relevance if wrong else None,
        scores={name: item.scores for name, item in (("right", right), ("wrong", wrong)) if item},
    )


def _relevance(item: Evidence) -> float:
    """Relevance of a result; 1 where it was not judged, which passes every floor."""
    return 1.0 if item.relevance is None else item.relevance


def figures(found: Sequence[Result]) -> dict[str, float]:
    """Percentages of one language, by column of the table."""
    row: dict[str, float] = {}
    for kind in KINDS:
        recall = means([measures(r.ranked, [r.gold], KS) for r in found if r.kind == kind])
        row |= {f"{kind}@{k}": recall[f"recall@{k}"] for k in KS if recall}
    for kind in KINDS[:2]:
        right = [float(r.cut) for r in found if r.kind == kind and r.found]
        row |= {f"cut {kind}": mean(right)} if right else {}
    silent = [float(r.evidence > 0) for r in found if r.kind == UNANSWERABLE]
    row |= {UNANSWERABLE: mean(silent)} if silent else {}
    return {name: round(100 * share, 1) for name, share in row.items()}


def rows_of(found: Sequence[Result]) -> dict[str, dict[str, float]]:
    """The figures by language, and those of all languages except English."""
    languages = sorted({result.language for result in found})
    rows = {name: figures([r for r in found if r.language == name]) for name in languages}
    others = [result for result in found if result.language != ENGLISH]
    return rows | ({"all": figures(others)} if others else {})


def table(rows: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """The figures as lines."""
    columns = [name for name in COLUMNS if any(name in row for row in rows.values())]
    yield "  ".join([" " * 4, *columns])
    for language, row in rows.items():
        cells = (f"{row[name]:.0f}" if name in row else "-" for name in columns)
        padded = (cell.rjust(len(name)) for name, cell in zip(columns, cells, strict=True))
        yield "  ".join([f"{language:4}", *padded])


def main() -> None:
    """Reads the options, asks the questions and prints the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--set", default="dev", choices=("dev", "heldout"), help="which files (default dev)")
    add("--folder", type=Path, help="files of another set, one NAME.jsonl for each language")
    add("--languages", type=lambda text: text.split(","), help="some of them, such as pl,el")
    add("--embedder", default="static", help="the embedder (default static)")
    add("--mixed", action="store_true", help="one store for all of the languages")
    add("--words-only", action="store_true", help="full text alone, without vectors")
    add("--json", type=Path, help="file for the figures")
    add("--roc", type=Path, help="file for the relevance of results, a JSON line per question")
    options = parser.parse_args()
    embedder = "none" if options.words_only else options.embedder
    paths = sorted((options.folder or DATA / options.set).glob("*.jsonl"))
    wanted = options.languages or [path.stem for path in paths]
    if unknown := set(wanted) - {path.stem for path in paths}:
        parser.error(f"there is no file for {', '.join(sorted(unknown))}")
    haystacks = [read(path) for path in paths if path.stem in wanted]
    with Thalamus(model="scripted", embedder=embedder) as own:  # models are those of the user
        stores = [merge(haystacks)] if options.mixed else haystacks
        found = [result for haystack in stores for result in results(haystack, own)]
    rows = rows_of(found)
    for line in table(rows):
        print(line)
    if options.json:
        options.json.write_bytes(msgspec.json.encode(rows))
    if options.roc:
        options.roc.write_bytes(b"".join(msgspec.json.encode(r) + b"\n" for r in found))


if __name__ == "__main__":
    main()
