"""Types as a program that uses the package sees them; checked by ``tests/test_typing.py``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_type

from thalamus import (
    AsyncThalamus,
    CancelToken,
    Document,
    Evidence,
    Fact,
    Filter,
    ForgetOptions,
    ForgetReport,
    Instruction,
    Memory,
    Project,
    PruneOptions,
    PruneResult,
    Selection,
    Stage,
    Thalamus,
    ThalamusError,
    ThalamusEvents,
    Turn,
    TurnRun,
    Verdict,
)


def records(thalamus: Thalamus) -> None:
    assert_type(thalamus.remember("The raft is red."), Memory)
    assert_type(thalamus.remember([Memory(content="The raft is red.")]), list[Memory])
    assert_type(thalamus.remember(Turn(message="Hello.")), Turn)
    several: list[Memory | Fact] = [Memory(content="The raft is red.")]
    assert_type(thalamus.remember(several), list[Memory | Fact])
    for found in thalamus.recall("raft", instruction=Instruction(mode="memory"), where=Filter()):
        assert_type(found, Evidence)
        assert_type(thalamus.memories.pin(found.id), Memory)
    [memory] = thalamus.memories.find(limit=1)
    assert_type(thalamus.forget(ids=[memory.id]), ForgetReport)
    assert_type(
        thalamus.forget(ForgetOptions(query="raft"), confirm=lambda r: r.done), ForgetReport
    )
    assert_type(thalamus.memories.prune(PruneOptions(use_model=False)), PruneResult)
    assert_type(thalamus.ingest(b"x", name="x.md"), Document)
    assert_type(thalamus.projects.add(Project(name="The raft")), Project)
    for record in thalamus.store.export(Selection()):
        print(record.stored_id)
    _, verdicts = thalamus.facts.add(Fact(subject="Ana", predicate="likes", object="tea"))
    assert_type(verdicts, list[Verdict])


def stage(turn: Turn, run: TurnRun) -> Turn:
    return turn if run.engine.config.memory else Turn(message=turn.message)


def models(thalamus: Thalamus) -> Iterator[str]:
    def chat(messages: list[dict[str, str]], schema: dict[str, object] | None = None) -> str:
        return messages[-1]["content"]

    class Numbers:
        def embed(self, texts: list[str]) -> list[list[float]]:
            return [[1.0] for _ in texts]

    Stage("stage", stage, reads=("answer",))
    with Thalamus(chat=chat, embed=Numbers(), events=ThalamusEvents()) as own:
        try:
            for piece in own.stream_turn("Hello.", cancel=CancelToken()):
                assert_type(piece, str | Turn)
                if isinstance(piece, str):
                    yield piece
        except ThalamusError as error:
            yield f"{error.message} {error.advice} {error.code}"


async def later(thalamus: AsyncThalamus) -> None:
    assert_type(await thalamus.turn("Hello."), Turn)
    assert_type(await thalamus.recall("raft", limit=3), list[Evidence])
    assert_type(await thalamus.remember([Memory(content="The raft is red.")]), list[Memory])
    async for piece in thalamus.stream_turn("Hello."):
        assert_type(piece, str | Turn)
