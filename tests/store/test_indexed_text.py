"""What an entry is found by besides its own words, and what is left when one is deleted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.making import level, memory, open_store, vector
from thalamus.memory.facts import assertion as facts
from thalamus.records import Fact, Memory, Plan, Provenance, Turn
from thalamus.store import embeddings
from thalamus.store.base import Store
from thalamus.store.sqlite.store import SqliteStore
from thalamus.store.values import Filter

AT = "2024-05-01T10:00:00Z"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(tmp_path / "store")
    yield store
    store.close()


def say(store: SqliteStore, *said: Memory | Turn) -> None:
    """Each in a transaction of its own, as a conversation comes in."""
    for item in said:
        with store.writing() as writer:
            if isinstance(item, Turn):
                writer.add(item)
            else:
                writer.add(item)


def utterance(name: str, content: str, **more: object) -> Memory:
    return memory(name, content, **({"session": "s"} | more))


def ids(store: Store, *words: str) -> set[str]:
    return {hit.entry.id.removeprefix("mem_") for hit in store.search_text(words, Filter(), 20)}


TALK = (
    utterance("ask", "What is the kitten called?"),
    utterance("reply", "Miso."),
    utterance("next", "Lovely!"),
    utterance("later", "Shall we go?"),
)


def test_an_utterance_is_found_by_the_two_before_it(store: SqliteStore) -> None:
    say(store, *TALK)
    assert ids(store, "kitten") == {"ask", "reply", "next"}
    assert ids(store, "miso") == {"reply", "next", "later"}


def test_it_is_the_same_however_the_index_came_to_be(store: SqliteStore) -> None:
    """One by one, all at once, after a rebuild, and before the index knows of them."""
    with store.writing() as writer:
        for item in TALK:
            writer.add(item)
    at_once = ids(store, "kitten")
    store.rebuild_indexes()
    assert ids(store, "kitten") == at_once == {"ask", "reply", "next"}


def test_a_day_is_found_in_words(store: SqliteStore) -> None:
    say(store, utterance("may", "We met."), utterance("june", "Again.", created_at="2024-06-02"))
    assert ids(store, "May", "2024") == {"may", "june"}
    assert ids(store, "May") == {"may"}


@pytest.mark.parametrize(
    "more",
    [
        {"session": "other"},
        {"session": None},
        {"user": "someone"},
        {"agent": "something"},
        {"created_at": "2024-05-01T17:00:00Z"},
        {"provenance": Provenance(turn="t0")},
        {"type": "document_chunk"},
    ],
)
def test_what_is_no_reply_has_no_context(store: SqliteStore, more: dict[str, object]) -> None:
    say(store, TALK[0], utterance("reply", "Miso.", **more))
    assert ids(store, "kitten") == {"ask"}


def test_turns_have_the_messages_before_but_not_the_answers(store: SqliteStore) -> None:
    first = Turn(id="t1", message="My kitten is ill.", answer="Call a doctor.", created_at=AT)
    second = Turn(id="t2", message="What shall I feed her?", answer="Fish.", created_at=AT)
    first.session = second.session = "s"
    say(store, first, second)
    assert ids(store, "kitten") == {"t1", "t2"}
    assert ids(store, "doctor") == {"t1"}


def test_distance_in_the_store_ends_a_context(store: SqliteStore) -> None:
    say(store, TALK[0])
    with store.writing() as writer:
        for number in range(500):
            writer.add(memory(f"x{number}", "between", session=f"other {number}"))
    say(store, TALK[1])
    assert ids(store, "kitten") == {"ask"}
    store.rebuild_indexes()
    assert ids(store, "kitten") == {"ask"}


@pytest.mark.parametrize("indexed", [True, False])
def test_what_is_deleted_is_gone_from_its_neighbours_too(store: SqliteStore, indexed: bool) -> None:
    say(store, *TALK)
    if indexed:
        level(store)
    assert "reply" in ids(store, "kitten")
    with store.writing() as writer:
        assert writer.remove("mem_ask")
    assert ids(store, "kitten") == set()
    assert ids(store, "miso") == {"reply", "next", "later"}
    store.rebuild_indexes()
    assert [state.entries for state in store.index_states()] == [3]
    assert ids(store, "kitten") == set()


def test_deleting_takes_out_every_kind_with_all_that_hangs_on_it(store: SqliteStore) -> None:
    fact = Fact(id="f", subject="user", predicate="lives_in", object="Porto")
    fact.created_at = fact.recorded_at = AT
    with store.writing() as writer:
        writer.add(memory("m", "kitten"), vector("m"))
        writer.add(Turn(id="t", message="kitten", created_at=AT), vector("t"))
        facts.add(fact, writer, vector("f"))
    assert ids(store, "kitten", "porto") == {"m", "t", "f"}
    with store.writing() as writer:
        assert [writer.remove(id) for id in ("mem_m", "t", "f", "f", "nobody")] == [
            True,
            True,
            True,
            False,
            False,
        ]
    assert ids(store, "kitten", "porto") == set()
    assert store.search([], vector("m"), Filter(), 5).vector == []
    assert embeddings.spaces(store)[0].count == 0
    assert store.get("f") is None


@pytest.mark.sqlite
def test_a_plan_alone_gives_the_index_nothing_to_write(store: SqliteStore) -> None:
    say(store, *TALK)
    level(store)
    before = sorted(path.name for path in (store.folder / "index" / "fulltext").iterdir())
    with store.writing() as writer:
        writer.put(Plan(id="plan_1", session="s", created_at=AT))
    level(store)
    assert sorted(path.name for path in (store.folder / "index" / "fulltext").iterdir()) == before
    assert [state.behind for state in store.index_states()] == [0]
    assert ids(store, "kitten") == {"ask", "reply", "next"}


def test_a_filter_that_the_best_do_not_pass_finds_all_that_do(store: SqliteStore) -> None:
    """Behind more turns than are looked at first or second stand the memories asked for."""
    with store.writing() as writer:
        for number in range(200):
            writer.add(Turn(id=f"t{number}", message="kitten", created_at=AT))
        for number in range(3):
            writer.add(memory(f"m{number}", f"a kitten among many other words {number}"))
    found = store.search_text(["kitten"], Filter(kinds=("memory",)), 10)
    assert {hit.entry.id for hit in found} == {"mem_m0", "mem_m1", "mem_m2"}
