"""Statements said to a chat with a memory of its own, and what it kept of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.errors import ModelFailed
from thalamus.evaluation.haystacks import temporary
from thalamus.evaluation.judge import judge_facts, judge_memories
from thalamus.policy.prompts import TOKENS
from thalamus.policy.reply_faults import reply_fault
from thalamus.records import MemoryCase

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.evaluation.statements import Statement
    from thalamus.records import Turn

STAGES = ("retrieve", "answer", "reflect", "store")
_PAUSE = timedelta(minutes=1)  # between two messages of a case
_ALL = 1000  # more memories than a case can have


@dataclass(frozen=True)
class MemoryRun:
    """How cases are played: whether the model ``answers``, and the ``folder`` in which temporary
    stores are made (None for the usual place)."""

    answers: bool = True
    folder: Path | None = None

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages of every turn."""
        return tuple(name for name in STAGES if self.answers or name != "answer")

    def models(self, thalamus: Thalamus) -> dict[str, str]:
        """The name of the model of each stage that has one. Raises what keeps it from being
        there."""
        source = thalamus.context.models
        names = {"reflect": source.chat("reflect").name}
        return names | ({"answer": source.chat("answer").name} if self.answers else {})


def play(
    cases: Sequence[Statement],
    thalamus: Thalamus,
    listening: MemoryRun,
    known: Mapping[str, MemoryCase],
) -> Iterator[MemoryCase]:
    """The outcome of every case, in their order; those that are ``known`` as they are.

    ``thalamus`` is the user's engine: its models and prompts are used, its store is not. Raises
    what stops a stage, except a model that fails at a reply: that is an issue of the case.
    """
    for case in cases:
        id = case.id or ""
        yield known[id] if id in known else _played(case, thalamus, listening)


def prompts_fingerprint(thalamus: Thalamus) -> str:
    """The first 12 digits of the SHA-256 of all prompts, the user's own before the packaged."""
    import hashlib

    texts = [thalamus.context.templates.load(name) for name in sorted(TOKENS)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def _played(case: Statement, thalamus: Thalamus, listening: MemoryRun) -> MemoryCase:
    """One case in a store of its own, at its own time."""
    seconds: list[float] = []
    turns: list[Turn] = []
    models = thalamus.context.models
    with temporary(thalamus.config, models, listening.folder, case.at) as engine:
        for message in [*case.before, case.message]:
            begun = thalamus.clock.tick()
            turns.append(engine.run_turn(message, flow=",".join(listening.stages)))
            seconds.append(round(thalamus.clock.tick() - begun, 3))
            engine.clock.fixed = engine.clock.now() + _PAUSE
        _raise_failures(engine)
        at = engine.clock.stamp()
        held = [fact for fact in engine.facts(history=True) if fact.retired_at is None]
        remembered = engine.memories(limit=_ALL)
    facts = judge_facts(held, case.facts, at)
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
