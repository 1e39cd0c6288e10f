"""The Python API for asyncio."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.models.one_slot import OneSlot
from tests.stored import store_of
from thalamus import AsyncThalamus, CancelToken, Memory, Thalamus, Turn
from thalamus.errors import NothingFound

T = TypeVar("T")


@pytest.fixture
def given(tmp_path: Path, home: Path) -> dict[str, str]:
    return {"home": str(home), "model": "scripted", "embedder": "scripted", "store": store_of(home)}


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 60))


def test_methods_and_views_are_awaited(given: dict[str, str]) -> None:
    async def work() -> None:
        async with AsyncThalamus(**given) as thalamus:
            turn = await thalamus.turn("I moved to Lisbon in May.")
            assert turn.stored
            [memory] = await thalamus.remember([Memory(content="The raft is red.")])
            assert (await thalamus.memories.get(memory.id)).content == "The raft is red."
            assert (await thalamus.remember("The mast is oiled.")).id
            found = await asyncio.gather(*(thalamus.recall("raft", limit=1) for _ in range(20)))
            assert {items[0].text for items in found} == {"The raft is red."}
            with pytest.raises(NothingFound):
                await thalamus.memories.get("mem_none")
            with pytest.raises(AttributeError):
                thalamus.nothing  # noqa: B018

    run(work())


def test_results_are_iterated_over(given: dict[str, str]) -> None:
    async def work() -> None:
        async with AsyncThalamus(**given) as thalamus:
            *pieces, turn = [piece async for piece in thalamus.stream_turn("I like tea.")]
            assert isinstance(turn, Turn) and "".join(map(str, pieces)) == turn.answer
            assert [one async for one in thalamus.finish_turns()] == []
            assert [one async for one in thalamus.store.export()]

    run(work())


def test_a_stream_that_is_left_early_is_closed(given: dict[str, str]) -> None:
    async def work() -> None:
        async with AsyncThalamus(**given) as thalamus:
            stream = thalamus.stream_turn("I like tea.")
            async for _ in stream:
                break
            await stream.aclose()
            assert (await thalamus.turn("What do I like?")).answer

    run(work())


def test_a_cancelled_task_closes_the_connection_and_stores_the_message(
    given: dict[str, str],
) -> None:
    """The server has one slot, and extracts nothing until it is let go on."""
    server = OneSlot()
    server.hold.clear()
    with server.serving():
        model = {"model": "openai:large-70b", "openai_base_url": server.url}

        async def work() -> list[Turn]:
            async with AsyncThalamus(**(given | model)) as thalamus:
                task = asyncio.create_task(thalamus.turn("I keep bees."))
                await asyncio.to_thread(server.wait, "extraction")
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                await asyncio.to_thread(server.wait, "extraction", "cancelled")
            with Thalamus(**given) as reader:
                return reader.sessions.turns("main")

        [turn] = run(work())
    assert (turn.message, turn.interrupted) == ("I keep bees.", "reflect") and turn.answer


def test_a_token_may_be_used_for_several_streams(given: dict[str, str]) -> None:
    async def work() -> None:
        async with AsyncThalamus(**given) as thalamus:
            token = CancelToken()
            assert [piece async for piece in thalamus.stream_turn("I like tea.", cancel=token)]
            assert not token.cancelled
            assert thalamus.here().user is None and thalamus.failures == []

    run(work())


def test_closing_waits_for_what_is_running_and_stops_nothing_else(given: dict[str, str]) -> None:
    held, go_on = threading.Event(), threading.Event()

    def chat(messages: list[dict[str, str]]) -> Iterator[str]:
        yield "No"
        held.set()
        assert go_on.wait(30)
        yield "ted."

    async def work() -> None:
        thalamus = AsyncThalamus(Thalamus(chat=chat, **given))
        stream = thalamus.stream_turn("I like tea.")
        pieces = [await anext(stream)]
        await asyncio.to_thread(held.wait, 30)
        closing = asyncio.create_task(thalamus.close())
        await asyncio.sleep(0.1)
        go_on.set()
        pieces += [piece async for piece in stream]
        await closing
        assert pieces[:2] == ["No", "ted."] and isinstance(pieces[-1], Turn)
        await thalamus.close()

    run(work())


def test_the_loop_is_not_blocked(given: dict[str, str]) -> None:
    held, go_on = threading.Event(), threading.Event()

    def chat(messages: list[dict[str, str]]) -> Iterator[str]:
        held.set()
        assert go_on.wait(30)
        yield "Noted."

    async def work() -> str | None:
        async with AsyncThalamus(Thalamus(chat=chat, **given)) as thalamus:
            task = asyncio.create_task(thalamus.turn("I like tea."))
            await asyncio.to_thread(held.wait, 30)
            assert await thalamus.unfinished_turns() == []  # while the model answers
            go_on.set()
            return (await task).answer

    assert run(work()) == "Noted."
