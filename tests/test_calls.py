"""Calls of the Python API from another thread, and with arguments of wrong types."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from thalamus.api import Thalamus
from thalamus.api.stores import IDLE, MOST
from thalamus.errors import UsageError, WrongArgument
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.memory.jobs import add_job
from thalamus.models.resolve import Models
from thalamus.records import Fact, Memory, Turn
from thalamus.store import memories
from thalamus.store.jobs import FINISH
from thalamus.store.values import Filter

Call = Callable[[Thalamus], Any]


def elsewhere(call: Callable[[], Any]) -> Any:
    """Result of a call in another thread; an exception is returned."""
    found: list[Any] = []

    def work() -> None:
        try:
            found.append(call())
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found[0]


CALLS: dict[str, Call] = {
    "turn": lambda t: t.turn("I paint the raft."),
    "stream": lambda t: [*t.stream_turn("I paint the raft.")],
    "remember": lambda t: t.remember([Memory(content="The raft is red.")]),
    "recall": lambda t: t.recall("raft"),
    "view": lambda t: t.memories.find(),
    "open": lambda t: t.open_store(create=True),
    "session": lambda t: t.new_session("may"),
    "forget": lambda t: t.forget(ForgetOptions(query="mast")),
    "finish": lambda t: [*t.finish_turns()],
}


@pytest.mark.parametrize("name", CALLS)
def test_any_thread_may_call(thalamus: Thalamus, name: str) -> None:
    thalamus.remember([Memory(content="The mast is oiled.")])
    assert not isinstance(elsewhere(lambda: CALLS[name](thalamus)), Exception)
    assert isinstance(thalamus.memories.find(), list)


def test_four_threads_at_once(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The mast is oiled.")])
    start = threading.Barrier(4)

    def work(number: int) -> None:
        start.wait()
        for count in range(10):
            if count % 2:
                found = thalamus.recall("mast")
                assert any(item.text == "The mast is oiled." for item in found)
            else:
                thalamus.remember([Memory(content=f"Plank {number} {count} is oiled.")])

    with ThreadPoolExecutor(4) as threads:
        [*threads.map(work, range(4))]  # raises what a call raised
    assert thalamus.memories.count()["memory"] == 21


def test_turns_of_several_threads_are_kept_apart(thalamus: Thalamus) -> None:
    def talk(number: int) -> None:
        for count in range(3):
            said = Turn(message=f"I keep {count} goats.", session=f"s{number}", user=f"u{number}")
            assert thalamus.turn(said).issues == []

    with ThreadPoolExecutor(4) as threads:
        [*threads.map(talk, range(4))]
    for number in range(4):
        turns = thalamus.sessions.turns(f"s{number}")
        assert [turn.user for turn in turns] == [f"u{number}"] * 3


def test_a_reader_does_not_wait_for_a_writer(thalamus: Thalamus) -> None:
    [mast] = thalamus.remember([Memory(content="The mast is oiled.")])
    assert isinstance(mast, Memory)
    held, go_on = threading.Event(), threading.Event()

    def write() -> None:
        with thalamus.database.writing() as writer:
            memories.set_status(writer, [mast.stored_id], "retired")
            held.set()
            go_on.wait(30)

    with ThreadPoolExecutor(1) as threads:
        written = threads.submit(write)
        try:
            assert held.wait(30)
            assert [item.text for item in thalamus.recall("oiled")] == ["The mast is oiled."]
        finally:
            go_on.set()
        written.result()
    assert thalamus.recall("oiled") == []


def test_another_thread_closes_what_is_idle_now_and_the_rest_later(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The mast is oiled.")])
    found = thalamus.store.export()
    first = next(found)
    elsewhere(thalamus.close)
    assert [first, *found] == [*thalamus.store.export()]
    assert len(thalamus.recall("mast")) == 1  # opened again


def test_connections_are_used_again(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The mast is oiled.")])
    for _ in range(100):
        assert len(elsewhere(lambda: thalamus.recall("mast"))) == 1
    [*thalamus.store.export()]
    next(thalamus.store.export())  # never read to its end
    assert len(thalamus.stores._slots) <= 3


def test_generators_that_are_left_half_read_stop_nobody(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The mast is oiled.")])
    half_read = [thalamus.store.export() for _ in range(MOST + 8)]
    for records in half_read:
        next(records)
    assert len(elsewhere(lambda: thalamus.recall("mast"))) == 1
    thalamus.close()
    assert {len([*records]) for records in half_read} == {len([*thalamus.store.export()]) - 1}
    assert len(thalamus.stores._slots) <= IDLE + 1


def test_a_generator_that_another_thread_is_reading_keeps_its_store(thalamus: Thalamus) -> None:
    reading, go_on = threading.Event(), threading.Event()

    def chat(messages: list[dict[str, str]]) -> Iterator[str]:
        reading.set()
        assert go_on.wait(30)
        yield "Noted."

    thalamus.engine = structs.replace(thalamus.engine, models=Models(thalamus.config, chat=chat))
    thalamus.remember([Turn(message="I like tea.", id="turn_tea")])
    with thalamus.database.writing() as writer:
        add_job(writer, FINISH, "turn_tea", thalamus.clock, ("reflect", "store"), new=True)
    results = thalamus.finish_turns()
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(next, results)
        try:
            assert reading.wait(30)
            with pytest.raises(ValueError, match="already executing"):
                next(results)
            [slot] = [slot for slot in thalamus.stores._slots if slot.user == "generator"]
        finally:
            go_on.set()
        assert first.result().problem is None
    assert [*results] == [] and slot.user is None


def test_encrypted_records_are_exported_after_the_store_was_closed(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="My doctor says it is gout.", sensitivity="personal")])
    records = thalamus.store.export()
    thalamus.close()
    assert "My doctor says it is gout." in str([*records])


def test_stores_are_closed_while_others_work(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The mast is oiled.")])
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            assert len(thalamus.recall("mast")) == 1

    with ThreadPoolExecutor(3) as threads:
        working = [threads.submit(work) for _ in range(3)]
        for _ in range(20):
            thalamus.close()
        stop.set()
        for one in working:
            one.result()


def test_a_generator_is_read_in_any_thread(thalamus: Thalamus) -> None:
    stream = thalamus.stream_turn("I paint the raft.")
    assert isinstance(elsewhere(lambda: [*stream])[-1], Turn)
    records = thalamus.store.export()
    first = next(records)
    assert [first, *elsewhere(lambda: [*records])] == [*thalamus.store.export()]


# -- arguments -----------------------------------------------------------------------------------

WRONG: dict[str, tuple[Call, str]] = {
    "a number for records": (lambda t: t.remember(5), "`records` cannot be of the type int (5)."),
    "a dictionary": (lambda t: t.remember({"content": "x"}), "`records` cannot be a dictionary."),
    "one inside": (lambda t: t.remember([{}]), "`records` cannot have a dictionary in it."),
    "bytes": (lambda t: t.turn(b"x"), "`message` cannot be bytes (b'x')."),
    "none": (lambda t: t.stream_turn(None), "`message` cannot be None."),
    "of a view": (lambda t: t.facts.add("x"), "`fact` cannot be text ('x')."),
    "options": (lambda t: t.forget("x"), "`options` cannot be text ('x')."),
    "a number": (lambda t: t.memories.pin(5), "`id` cannot be of the type int (5)."),
    "truth": (lambda t: t.recall("x", limit=True), "`limit` cannot be of the type bool (True)."),
    "zero": (lambda t: t.recall("x", limit=0), "`limit` must be at least 1, not 0."),
    "negative": (lambda t: t.sessions.turns("x", limit=-3), "`limit` must be at least 1, not -3."),
    "depth": (lambda t: t.why(depth=0), "`depth` must be at least 1, not 0."),
    "text for a path": (lambda t: t.store.backup("x"), "`path` cannot be text ('x')."),
    "a filter": (
        lambda t: t.memories.find({"user": "x"}),  # type: ignore[arg-type]
        "`where` cannot be a dictionary.",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments(thalamus: Thalamus, name: str) -> None:
    call, problem = WRONG[name]
    with pytest.raises(WrongArgument) as caught:
        call(thalamus)
    assert caught.value.message == problem
    assert "`help(thalamus." in caught.value.advice
    assert not thalamus.store.exists()


@pytest.mark.parametrize(
    "record",
    [
        Memory(content=5),  # type: ignore[arg-type]
        Memory(content="x", trust="high"),  # type: ignore[arg-type]
        Memory(content="x", importance="huge"),  # type: ignore[arg-type]
        Memory(content="x", user=5),  # type: ignore[arg-type]
        Fact(subject="x", predicate="is", object=None),  # type: ignore[arg-type]
    ],
    ids=["content", "trust", "importance", "user", "object"],
)
def test_records_with_wrong_fields(thalamus: Thalamus, record: Memory | Fact) -> None:
    with pytest.raises(WrongArgument, match="is invalid: "):
        thalamus.remember([record])
    assert not thalamus.store.exists()


def test_types_are_named(thalamus: Thalamus) -> None:
    with pytest.raises(WrongArgument) as caught:
        thalamus.remember(5)  # type: ignore[arg-type]
    assert "takes records: str | Turn | Memory | Fact | Reflection | Plan" in caught.value.fix


def test_an_empty_message(thalamus: Thalamus) -> None:
    with pytest.raises(UsageError, match="The message is empty"):
        thalamus.turn(" ")


def test_what_is_admitted(thalamus: Thalamus, tmp_path: Path) -> None:
    """Tuples, paths, subclasses and enumerations of the API's own types."""
    thalamus.remember((Memory(content="The mast is oiled."),))
    assert len(thalamus.recall("mast", limit=10**9, where=Filter(kinds=("memory",)))) == 1
    (tmp_path / "raft.md").write_text("The raft is red.")
    assert thalamus.ingest(tmp_path / "raft.md", summary=False).status == "ingested"
    assert thalamus.ingest(b"The mast is tall.", name="mast.md", summary=False).id
