"""Whether a plan raises recall: LoCoMo conversations, replayed turn by turn.

    python bench/planning.py ../locomo.json [--model SPEC --calls 40] [--embedder NAME]

A question whose evidence lies in several sessions ties what is talked of in the later one to what
should be at hand then: in session N+1 its gold is the evidence from sessions before. Messages are
asked within the same ten results, with a plan made of the two utterances before and without one:

- `opening`: the first two messages of session N+1; the plan is made at the end of session N;
- `turn`: the message of session N+1 that is evidence itself; the plan is made just before it;
- `follow-up`: "And what about her?" in the place of the message after it, as it is and with the
  words of the message before (`policy.follow_up`).

No message or plan sees the session it is in, which would stand in the prompt as dialogue. Every
figure is the mean recall@10, apart for the even and the odd conversations.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import structs

from thalamus import Thalamus
from thalamus.evaluation.haystacks import Labels, fill, temporary
from thalamus.evaluation.locomo import read
from thalamus.evaluation.protocol import Haystack, LeftOut
from thalamus.memory.recall.search import make_query, recall
from thalamus.pipeline.plan import plan as stage
from thalamus.policy import rank
from thalamus.policy.follow_up import with_subject
from thalamus.records import Evidence, Instruction, Memory, Turn
from thalamus.store.values import Filter
from thalamus.text.tokens import content_words, sentences
from thalamus.turn_run import TurnRun

K = 10
EXCHANGE = 2  # utterances that a plan is made of
FOLLOW_UP = "And what about her?"
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][a-z]{2,}\b")
Plan = list[Instruction]
Planner = Callable[[Sequence[Memory]], Plan]


@dataclass(frozen=True)
class Case:
    """A message, what was said before it in its session, and what should be at hand."""

    moment: str
    message: str
    before: tuple[Memory, ...]
    until: str  # only what was said before this is recalled
    gold: frozenset[str]


@dataclass
class Figures:
    """recall@10 of each case, by moment, half and planner."""

    found: dict[tuple[str, int, str], list[float]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def lines(self) -> Iterator[str]:
        for (moment, half, name), values in sorted(self.found.items()):
            mean = 100 * sum(values) / len(values)
            yield f"{moment:10} half {half + 1}  {name:14} {mean:6.2f} %  of {len(values)}"


def cases(haystack: Haystack) -> Iterator[Case]:
    """The moments at which something of an earlier session should be at hand."""
    said = [record for record in haystack.records or [] if isinstance(record, Memory)]
    place = {names[0]: n for n, names in enumerate(haystack.labels)}
    for question in haystack.questions:
        for begin in sorted({_beginning(said, place[gold]) for gold in question.gold}):
            now = [gold for gold in question.gold if _beginning(said, place[gold]) == begin]
            earlier = frozenset(gold for gold in question.gold if place[gold] < begin)
            if not earlier:
                continue
            until = said[begin].created_at or ""
            last = tuple(said[max(0, begin - EXCHANGE) : begin])
            for message in said[begin : begin + 2]:
                yield Case("opening", words_of(message), last, until, earlier)
            for n in (place[gold] for gold in now):
                before = tuple(said[max(begin, n - EXCHANGE) : n])
                yield Case("turn", words_of(said[n]), before, until, earlier)
                after = tuple(said[max(begin, n + 1 - EXCHANGE) : n + 1])
                yield Case("follow-up", FOLLOW_UP, after, until, earlier)


def _beginning(said: Sequence[Memory], place: int) -> int:
    while place and said[place - 1].session == said[place].session:
        place -= 1
    return place


def words_of(utterance: Memory) -> str:
    return utterance.content.partition(": ")[2]


# -- planners --------------------------------------------------------------------------------------


def nothing(before: Sequence[Memory]) -> Plan:
    return []


def names(before: Sequence[Memory]) -> Plan:
    """The names in what was said last."""
    found = dict.fromkeys(name for item in before for name in _NAME.findall(words_of(item)))
    return [Instruction(mode="all", query=" ".join(found), limit=5)] if found else []


def open_subject(before: Sequence[Memory]) -> Plan:
    """The content words of the last question, or of the last statement."""
    for item in reversed(before):
        saying = [s for s in sentences(words_of(item)) if len(content_words(s)) > 1]
        asked = [s for s in saying if s.endswith("?")]
        if saying:
            query = " ".join(content_words((asked or saying)[-1]))
            return [Instruction(mode="all", query=query, limit=5)]
    return []


def both(before: Sequence[Memory]) -> Plan:
    return [*names(before), *open_subject(before)]


class ByModel:
    """The product's own stage, asked at most so many times; what it said is kept."""

    def __init__(self, model: str, home: str) -> None:
        self._thalamus = Thalamus(home=home, model=model, embedder="none", planner="model")
        self._known: dict[tuple[str, ...], Plan] = {}
        self.seconds = 0.0

    def __call__(self, before: Sequence[Memory]) -> Plan:
        said = tuple(words_of(item) for item in before)
        if said and said not in self._known:
            begun = time.monotonic()
            turn = Turn(message=said[-2] if len(said) > 1 else said[0], session="s")
            turn.answer = said[-1] if len(said) > 1 else None
            done = stage(turn, TurnRun(self._thalamus.engine)).plan
            made = done.retrieval_instructions if done else []
            # everything here is a memory, so that a plan's choice of places cannot help it
            self._known[said] = [structs.replace(item, mode="all", types=[]) for item in made]
            self.seconds += time.monotonic() - begun
        return self._known.get(said, [])


# -- measuring -------------------------------------------------------------------------------------


class Memories:
    """One conversation in a store, and what it gives."""

    def __init__(self, thalamus: Thalamus, labels: Labels) -> None:
        self._thalamus = thalamus
        self._labels = labels
        self._found_before: dict[tuple[object, ...], list[Evidence]] = {}

    def recall(self, case: Case, message: str, plan: Plan) -> float:
        own = Instruction(mode="all", query=message, limit=K)
        found = [self._found(own, case.until, False)]
        found += [self._found(instruction, case.until, True) for instruction in plan]
        kept = {name for item in rank.merge(found, K) for name in self._labels[item.id]}
        return len(kept & case.gold) / len(case.gold)

    def _found(self, instruction: Instruction, until: str, planned: bool) -> list[Evidence]:
        asked = (instruction.query, instruction.limit, until, planned)
        if asked not in self._found_before:
            query = make_query(instruction.query, self._thalamus.engine.models.embedder())
            where = Filter(until=until, now="9999-01-01T00:00:00Z")
            evidence = recall(self._thalamus.database, query, instruction, where, planned)
            self._found_before[asked] = evidence
        return self._found_before[asked]


def measure(
    memories: Memories,
    wanted: Sequence[Case],
    planners: dict[str, Planner],
    half: int,
    out: Figures,
) -> None:
    """Asks every case with every planner."""
    for case in wanted:
        if case.moment == "follow-up":
            said = [words_of(item) for item in reversed(case.before)]
            for name, message in (
                ("as it is", case.message),
                ("with subject", with_subject(case.message, said)),
            ):
                out.found[case.moment, half, name].append(memories.recall(case, message, []))
            continue
        for name, planner in planners.items():
            value = memories.recall(case, case.message, planner(case.before))
            out.found[case.moment, half, name].append(value)


def main() -> None:
    parser = argparse.ArgumentParser(description="Recall with a plan and without, on LoCoMo.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--embedder", default="static")
    parser.add_argument("--model", help="a chat model that plans, too")
    parser.add_argument("--calls", type=int, default=40, help="plans that it is asked for, at most")
    given = parser.parse_args()
    figures = Figures()
    planners: dict[str, Planner] = {"none": nothing, "names": names, "open subject": open_subject}
    planners["both"] = both
    with tempfile.TemporaryDirectory() as home:
        asking = Thalamus(home=home, model="scripted", embedder=given.embedder)
        haystacks = list(read(given.file, "turn", LeftOut()))
        by_model = ByModel(given.model, home) if given.model else None
        if by_model:
            planners = {"none": nothing, "model": by_model}
        for number, haystack in enumerate(haystacks):
            wanted = list(cases(haystack))
            if by_model:
                wanted = [case for case in wanted if case.moment != "follow-up"]
                random.Random(20).shuffle(wanted)
                wanted = wanted[: given.calls // len(haystacks)]
            with temporary(asking, None) as thalamus:
                memories = Memories(thalamus, fill(thalamus, haystack))
                measure(memories, wanted, planners, number % 2, figures)
    print("\n".join(figures.lines()))
    if by_model:
        print(f"{by_model.seconds:.0f} s for the model's plans")


if __name__ == "__main__":
    main()
