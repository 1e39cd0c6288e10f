"""Calls of the Python API from another thread, and with arguments of wrong types."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from thalamus.api import Thalamus
from thalamus.errors import OtherThread, UsageError, WrongArgument
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Fact, Memory, Turn
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
    "stream": lambda t: t.stream_turn("I paint the raft."),
    "remember": lambda t: t.remember([Memory(content="The raft is red.")]),
    "recall": lambda t: t.recall("raft"),
    "view": lambda t: t.memories.find(),
    "open": lambda t: t.open_store(create=True),
    "session": lambda t: t.new_session("may"),
    "forget": lambda t: t.forget(ForgetOptions(query="raft")),
}


@pytest.mark.parametrize("name", CALLS)
def test_another_thread_is_refused_before_anything_is_touched(
    thalamus: Thalamus, name: str
) -> None:
    thalamus.remember([Memory(content="The mast is oiled.")])
    before = [*thalamus.store.export()]
    error = elsewhere(lambda: CALLS[name](thalamus))
    assert isinstance(error, OtherThread)
    assert "sibling()" in error.advice
    assert [*thalamus.store.export()] == before
    assert thalamus.session == "main"


def test_a_sibling_may_be_used_by_another_thread(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The mast is oiled.")])

    def look() -> list[str]:
        with thalamus.sibling() as other:
            return [found.text for found in other.recall("mast")]

    assert elsewhere(look) == ["The mast is oiled."]


def test_a_closed_object_may_be_used_by_another_thread(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="The mast is oiled.")])
    thalamus.close()
    assert len(elsewhere(lambda: thalamus.recall("mast"))) == 1
    with pytest.raises(OtherThread):
        thalamus.recall("mast")
    elsewhere(thalamus.close)


def test_of_several_threads_one_succeeds_and_none_fails_otherwise(thalamus: Thalamus) -> None:
    start = threading.Barrier(4)
    results: list[Any] = []

    def work(number: int) -> None:
        start.wait()
        for turn in range(5):
            try:
                thalamus.remember([Memory(content=f"Plank {number} {turn} is oiled.")])
                results.append("stored")
            except Exception as error:
                results.append(type(error))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results.count("stored") == 5
    assert results.count(OtherThread) == 15
    elsewhere(thalamus.close)
    assert len(thalamus.memories.find()) == 5


def test_a_stream_is_read_in_any_thread_and_a_generator_in_one(thalamus: Thalamus) -> None:
    stream = thalamus.stream_turn("I paint the raft.")
    assert isinstance(elsewhere(lambda: [*stream])[-1], Turn)
    results = thalamus.finish_turns()
    assert isinstance(elsewhere(lambda: next(results)), OtherThread)


# -- arguments -----------------------------------------------------------------------------------

WRONG: dict[str, tuple[Call, str]] = {
    "text for records": (lambda t: t.remember("x"), "`records` cannot be text ('x')."),
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
        thalamus.remember("x")  # type: ignore[arg-type]
    assert "takes records: Sequence[Turn | Memory | Fact | Reflection | Plan]" in caught.value.fix


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
