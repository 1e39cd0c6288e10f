"""Evaluation of memory: statements are sent to a chat with an empty memory, and the result is
judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from thalamus.errors import ModelFailed
from thalamus.evaluation import results, statements
from thalamus.evaluation.figures import with_figures
from thalamus.evaluation.haystacks import temporary
from thalamus.evaluation.judge import judge_facts, judge_memories
from thalamus.evaluation.parse import fingerprint
from thalamus.evaluation.reply_faults import reply_fault
from thalamus.evaluation.retrieval_run import wake_embedder
from thalamus.policy.prompts import TOKENS
from thalamus.records.evaluations import MemoryCase, MemoryEvaluation

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.evaluation.statements import LabelledStatement
    from thalamus.records import Turn

STAGES = ("retrieve", "answer", "reflect", "store")
_PAUSE = timedelta(minutes=1)  # between two messages of a case
_MOST_MEMORIES = 1000  # more memories than a case can have


class MemoryRun(Struct, frozen=True):
    """Settings of a run: ``answers`` if the model should answer, and the ``folder`` for temporary
    stores (None for the default)."""

    answers: bool = True
    folder: Path | None = None

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages of every turn."""
        return tuple(name for name in STAGES if self.answers or name != "answer")

    def models(self, thalamus: Thalamus) -> dict[str, str]:
        """Name of the model of each stage that uses one. Raises errors of missing models."""
        source = thalamus.engine.models
        names = {"reflect": source.chat("reflect").name}
        return names | ({"answer": source.chat("answer").name} if self.answers else {})


class MemoryEvaluationRun:
    """An evaluation from the statements to the figures. ``total``: number of cases. ``engine`` is
    the user's own. With ``out``, cases are written there as they finish, and those of an
    interrupted run are taken from it. Raises ``UsageError``, ``BadRecord``, and errors of the
    models."""

    def __init__(
        self,
        file: Path | None,
        choice: statements.Choice,
        run: MemoryRun,
        engine: Thalamus,
        out: Path | None = None,
    ) -> None:
        file = file or statements.PACKAGED
        self._run = run
        self._engine = engine
        self._out = out
        self._resumed = 0
        self.cases: list[MemoryCase] = []
        sha256 = fingerprint(file)
        self._statements = statements.select(statements.read(file), choice)
        self._header = MemoryEvaluation(
            file="packaged" if file == statements.PACKAGED else str(file),
            sha256=sha256,
            models=run.models(engine),
            embedder=wake_embedder(engine),
            prompts=prompts_fingerprint(engine),
        )
        self.total = len(self._statements)

    def results(self) -> Iterator[MemoryCase]:
        """Plays the cases one by one. Raises ``ThalamusError`` for an error that stops it."""
        with results.writing(self._out, self._header, results.KEPT) as written:
            for case in play(self._statements, self._engine, self._run, written.known):
                if case.id in written.known:
                    self._resumed += 1
                else:
                    written.add(case)
                self.cases.append(case)
                yield case

    def summary(self) -> MemoryEvaluation:
        """The figures of all cases so far."""
        return with_figures(self._header, self.cases, self._resumed)


def play(
    cases: Sequence[LabelledStatement],
    thalamus: Thalamus,
    run: MemoryRun,
    known: Mapping[str, MemoryCase],
) -> Iterator[MemoryCase]:
    """The result of every case in order; ``known`` results are reused.

    ``thalamus`` is the user's engine: its models and prompts are used, its store is not. Raises
    errors that stop a stage; a failed reply is an issue of the case instead.
    """
    for case in cases:
        id = case.id or ""
        yield known[id] if id in known else _play_case(case, thalamus, run)


def prompts_fingerprint(thalamus: Thalamus) -> str:
    """First 12 digits of the SHA-256 of all prompts in use."""
    import hashlib

    texts = [thalamus.engine.templates.load(name) for name in sorted(TOKENS)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def _play_case(case: LabelledStatement, thalamus: Thalamus, run: MemoryRun) -> MemoryCase:
    """Plays one case in its own store, at its own time."""
    seconds: list[float] = []
    turns: list[Turn] = []
    with temporary(thalamus, run.folder, case.at) as engine:
        for message in [*case.before, case.message]:
            begun = thalamus.clock.tick()
            turns.append(engine.turn(message, flow=",".join(run.stages)))
            seconds.append(round(thalamus.clock.tick() - begun, 3))
            engine.clock.fixed = engine.clock.now() + _PAUSE
        _raise_failures(engine)
        at = engine.clock.stamp()
        current_facts = [
            fact for fact in engine.facts.find(history=True) if fact.retired_at is None
        ]
        remembered = engine.memories.find(limit=_MOST_MEMORIES)
    facts = judge_facts(current_facts, case.facts, at)
    active = [memory.content for memory in remembered if memory.status == "active"]
    memories = judge_memories(active, case.memories)
    answer = turns[-1].answer
    return MemoryCase(
        id=case.id or "",
        message=case.message,
        before=case.before,
        at=at,
        kind=case.kind,
        language=case.language,
        half=case.half or "",
        kept=[*facts.items, *memories.items],
        wanted={"facts": facts.wanted, "memories": memories.wanted},
        empty=case.empty,
        answer=answer,
        reply=reply_fault(case.message, answer) if answer and not case.empty else "",
        seconds=seconds,
        issues=[issue.message for turn in turns for issue in turn.issues],
    )


def _raise_failures(engine: Thalamus) -> None:
    for stage, error in engine.failures:
        if stage not in ("answer", "reflect") or not isinstance(error, ModelFailed):
            raise error
