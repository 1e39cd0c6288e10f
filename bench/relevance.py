"""How well the relevance of evidence tells questions with an answer from questions without one.

    python bench/relevance.py FORMAT FILE… [--foreign 2] [--embedder NAME]

Every haystack of the files is asked its own questions, and as many as --foreign of other haystacks
for each of them, whose answers it cannot hold; of LongMemEval also the questions that were made to
have none. A question counts by the most relevant of its ten best results. Printed are the area
under the curve, and for each threshold the share of the questions of each kind that find something,
and the recall@10 that is left to the first kind.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import structs

from thalamus import Thalamus
from thalamus.evaluation.formats import LEVELS, Format, haystacks
from thalamus.evaluation.haystacks import Labels, fill, temporary
from thalamus.evaluation.longmemeval import ABSTENTION
from thalamus.evaluation.parse import values
from thalamus.evaluation.protocol import Haystack, Question
from thalamus.evaluation.questions import rank_records, rank_sessions
from thalamus.policy.relevance import relevant
from thalamus.records import Evidence
from thalamus.store.values import Filter

K = 10
THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.28, 0.3, 0.32, 0.35, 0.4)
OWN, FOREIGN, NEVER = "answerable", "foreign", "abstention"


@dataclass(frozen=True)
class Asked:
    """A question that was put to a store, and what it found."""

    kind: str
    evidence: list[Evidence]
    gold: frozenset[str]
    labels: Labels

    def best(self) -> float:
        """The relevance of the most relevant result; 1 where it was not judged."""
        known = (item.relevance for item in self.evidence)
        return max((1.0 if value is None else value for value in known), default=0.0)

    def recall(self, least: float) -> float:
        """Share of the gold in what is left."""
        left = relevant(self.evidence, least)
        ranked = [*rank_records(left, self.gold, self.labels), *rank_sessions(left)]
        return len(self.gold & set(ranked)) / len(self.gold)


def unanswerable(path: Path, folder: Path) -> Iterator[Haystack]:
    """The questions of a LongMemEval file that have no answer, with their haystacks."""
    copy = folder / "abstention.jsonl"
    lines = []
    for _, text in values(path):
        case = msgspec.json.decode(text)
        if case["question_id"].endswith(ABSTENTION):
            case["question_id"] = case["question_id"].removesuffix(ABSTENTION)
            lines.append(msgspec.json.encode(case))
    copy.write_bytes(b"\n".join(lines))
    yield from haystacks(copy, "longmemeval", "session") if lines else ()


def ask(
    engine: Thalamus, labels: Labels, kind: str, questions: Sequence[Question]
) -> Iterator[Asked]:
    """Puts questions to a store."""
    for question in questions:
        where = Filter(now=question.now or engine.clock.stamp())
        found = engine.recall(question.text, limit=K, where=where)
        yield Asked(kind, found, frozenset(question.gold), labels)


def replay(
    own: Thalamus, all: Sequence[Haystack], kinds: Sequence[str], foreign: int
) -> list[Asked]:
    """Fills a store from each haystack and asks it."""
    draw, asked = random.Random(0), []
    for number, (haystack, kind) in enumerate(zip(all, kinds, strict=True)):
        others = [q for n, other in enumerate(all) if n != number for q in other.questions]
        with temporary(own, None, haystack.questions[-1].now) as engine:
            labels = fill(engine, haystack)
            asked += ask(engine, labels, kind, haystack.questions)
            if kind == OWN:
                count = min(len(others), foreign * len(haystack.questions))
                asked += ask(engine, labels, FOREIGN, draw.sample(others, count))
    return asked


def report(asked: Sequence[Asked]) -> Iterator[str]:
    """The figures, line by line."""
    by_kind: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        by_kind[one.kind].append(one)
    own = by_kind[OWN]
    for kind in (FOREIGN, NEVER):
        others = by_kind.get(kind, [])
        pairs = [(a.best(), b.best()) for a in own for b in others]
        if pairs:
            area = sum((a > b) + 0.5 * (a == b) for a, b in pairs) / len(pairs)
            yield f"area under the curve, {OWN} against {kind}: {area:.3f}"
    header = "  ".join(f"{kind} ({len(found)})" for kind, found in by_kind.items())
    yield f"threshold  {header}  recall@{K}"
    for least in (0.0, *THRESHOLDS):
        shares = [sum(o.best() >= least for o in f) / len(f) for f in by_kind.values()]
        recall = 100 * sum(one.recall(least) for one in own) / len(own)
        yield f"{least:9}  " + "  ".join(f"{100 * s:5.1f} %" for s in shares) + f"  {recall:5.1f}"


def main() -> None:
    """Reads the options, replays the files and prints the figures."""
    parser = argparse.ArgumentParser(description="The ROC of relevance.")
    parser.add_argument("format", choices=[name for name in LEVELS if name != "plain"])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--foreign", type=int, default=2)
    parser.add_argument("--embedder", default="static")
    options = parser.parse_args()
    format: Format = options.format
    with tempfile.TemporaryDirectory() as folder:
        all = [h for file in options.files for h in haystacks(file, format, LEVELS[format])]
        kinds = [OWN] * len(all)
        if format == "longmemeval":
            for file in options.files:
                never = list(unanswerable(file, Path(folder)))
                all, kinds = [*all, *never], [*kinds, *[NEVER] * len(never)]
        with Thalamus(home=folder, model="scripted", embedder=options.embedder) as own:
            config = structs.replace(own.config, min_relevance=0.0)
            for line in report(replay(own.sibling(config=config), all, kinds, options.foreign)):
                print(line)


if __name__ == "__main__":
    main()
