"""Words in PostgreSQL: the scores of SQLite, written and deleted with their entries."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.store.making import AT, WORDS, memory, open_store
from tests.stored import SCHEMA
from thalamus.memory.facts import assertion as facts
from thalamus.records import Fact, Memory, Turn
from thalamus.store.indexed_text import texts_after
from thalamus.store.indexes.fulltext import FullText
from thalamus.store.indexes.index_files import IndexManifest
from thalamus.store.values import Filter

LENGTHS = [1, 5, 23, 24, 25, 40, 41, 90, 400]


words = pytest.importorskip("thalamus.store.postgres.words")


@pytest.fixture(autouse=True)
def with_server(server: str) -> None:
    if not server:
        pytest.skip("only with --store postgres")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Any]:
    store: Any = open_store(tmp_path / "store")
    yield store
    store.close()


def say(store: Any, *contents: str, **more: object) -> None:
    with store.writing() as writer:
        for content in contents:
            name = f"{random.getrandbits(60):x}"
            writer.add(memory(name, content, **more))


def postings(store: Any) -> list[tuple[str, int, int, int]]:
    found = store.fetch(f"SELECT term, key, n, size FROM {words.postings(store.tables.source)}")
    return sorted(map(tuple, found))


def write(store: Any, texts: list[tuple[int, str]]) -> None:
    store._words._count(*store._words._add(texts))


def totals(store: Any) -> tuple[int, int]:
    return tuple(store.fetch("SELECT texts, terms FROM corpus")[0])


def check_totals(store: Any) -> None:
    found = postings(store)
    assert totals(store) == (len({key for _, key, _, _ in found}), sum(n for _, _, n, _ in found))


@pytest.mark.parametrize("asked", [["lisbon"], ["cat", "river", "boat"], ["Cats", "nothing"]])
def test_scores_and_their_order_are_those_of_tantivy(
    store: Any, tmp_path: Path, asked: list[str]
) -> None:
    draw = random.Random(1)
    say(store, *(" ".join(draw.choices(WORDS, k=draw.choice(LENGTHS))) for _ in range(300)))
    index, manifest = FullText(tmp_path / "index"), IndexManifest("store", 1)
    index.apply(manifest, texts_after(store.tables, 0), [])
    wanted = index.search(manifest, asked, 1000)
    found = store.find_text(asked, 1000)
    assert dict(found) == pytest.approx(dict(wanted), 1e-5)
    # of equals the newest first
    assert found == sorted(found, key=lambda hit: (-hit[1], -hit[0]))
    assert store.find_text(asked, 10) == found[:10]
    keys = [key for key, _ in wanted[::7]]
    assert dict(store.find_text(asked, 1000, keys)) == {k: dict(found)[k] for k in keys}
    best, others = store.find_and_score(asked, 10, keys)
    assert best == found[:10]
    assert others == store.find_and_score(asked, 0, keys)[1] == {k: dict(found)[k] for k in keys}
    assert store.find_text(asked, 10, []) == store.find_text([], 10) == []


def test_nothing_is_found_in_an_empty_store(store: Any) -> None:
    assert store.find_text(["cat"], 10) == []
    assert store.search(["cat"], None, Filter(), 10, informative=True).text == []
    assert store.encrypted_scores({1: "a cat"}, ["cat"])(5, 0.0)[0][1] > 0


def test_terms_are_written_with_their_entry_or_not_at_all(store: Any) -> None:
    say(store, "one cat")
    before = postings(store), totals(store)
    with pytest.raises(RuntimeError), store.writing() as writer:
        writer.add(memory("x", "two dogs"))
        writer.remove("mem_x")
        writer.add(memory("y", "three dogs"))
        raise RuntimeError
    assert (postings(store), totals(store)) == before
    assert store.find_text(["dogs"], 10) == []


def test_every_kind_is_found_and_a_removed_one_leaves_nothing(store: Any) -> None:
    fact = Fact(id="f", subject="user", predicate="lives_in", object="Porto")
    fact.created_at = fact.recorded_at = AT
    with store.writing() as writer:
        writer.add(memory("m", "a zebra"))
        writer.add(Turn(id="t", message="an okapi", created_at=AT))
        facts.add(fact, writer)
    say(store, "something else")
    check_totals(store)
    for word, id in (("zebra", "mem_m"), ("okapi", "t"), ("Porto", "f")):
        [hit] = store.search_text([word], Filter(), 10)
        assert hit.entry.id == id
        with store.writing() as writer:
            assert writer.remove(id)
        for term, key, _, _ in postings(store):
            assert key != hit.entry.key and term != word.lower()
        check_totals(store)
    assert totals(store)[0] == 1


def test_words_of_a_removed_utterance_leave_its_neighbours(store: Any) -> None:
    for content in ("What is the kitten called?", "Miso.", "Lovely!"):
        say(store, content, session="s")
    assert len(store.find_text(["kitten"], 10)) == 3
    [first, *_] = store.each(Memory)
    with store.writing() as writer:
        writer.remove(first.id)
    assert not {"kitten", "~^kit"} & {term for term, _, _, _ in postings(store)}
    assert len(store.find_text(["miso"], 10)) == 2
    check_totals(store)


def test_an_inactive_memory_is_not_found_until_it_is_active(store: Any) -> None:
    with store.writing() as writer:
        writer.add(memory("m", "a zebra"))
    key = store.find_text(["zebra"], 10)[0][0]
    with store.writing() as writer:
        writer.update("memory", {"status": "quarantined"}, "id = ?", "mem_m")
    assert store.find_text(["zebra"], 10) == [] and totals(store) == (0, 0)
    with store.writing() as writer:
        writer.renumber("mem_m")
        writer.update("memory", {"status": "active"}, "id = ?", "mem_m")
    [(new, _)] = store.find_text(["zebra"], 10)
    assert new > key
    check_totals(store)


def test_a_rebuild_writes_the_same(store: Any) -> None:
    for content in ("What is the kitten called?", "Miso.", "Lovely!"):
        say(store, content, session="s")
    before = postings(store), totals(store)
    store.fetch("DELETE FROM posting WHERE term = 'kitten' RETURNING 1")
    assert [(state.name, state.entries) for state in store.rebuild_indexes()] == [("fulltext", 3)]
    assert (postings(store), totals(store)) == before


def test_tenants_have_their_own_words(store: Any, tmp_path: Path) -> None:
    other: Any = open_store(tmp_path / "other")
    say(store, "a cat and a cat")
    say(other, "one cat", "one dog", "two dogs")
    assert len(store.find_text(["cat"], 10)) == len(other.find_text(["cat"], 10)) == 1
    assert store.find_text(["dog"], 10) == []
    other.close()


def test_a_large_store_leaves_common_parts_and_words_out(store: Any) -> None:
    texts = [(n, f"tea {'carriage' if n % 40 == 0 else n}") for n in range(10_100)]
    with store.writing():
        write(store, texts)
    index = store._words
    assert len(index.find(["carriage"], 1000)) == 253
    # of its parts, which are in more than a fiftieth of the texts, nothing is found
    assert index.find(["carriages"], 10) != [] and index.find(["carr"], 10) == []
    assert index.informative(["tea", "40", "41", "42", "43"]) == ["40", "41", "42", "43"]
    assert index.informative(["tea", "40", "41"]) == ["tea", "40", "41"]
    assert len(index.find(["tea"], 20_000)) == 10_100
    with store.writing():
        write(store, [(20_000, "carriages")])
    assert index.find(["carriage"], 1)[0][0] == 20_000


def conversation(size: int) -> list[str]:
    draw = random.Random(2)
    return [" ".join(draw.choices(WORDS, k=draw.randrange(1, 30))) for _ in range(size)]


def test_texts_that_are_stored_together_share_rows(store: Any) -> None:
    contents = conversation(words.FEW + 1)
    say(store, *contents, "a kitten", session="s")
    assert store.fetch("SELECT 1 FROM posting") == []
    together, found = postings(store), store.find_text(["cat", "kitten"], 1000)
    check_totals(store)
    with store.writing() as writer:
        for id in [row[0] for row in store.fetch("SELECT id FROM memory")]:
            writer.remove(id)
    assert postings(store) == [] and totals(store) == (0, 0)
    assert store.fetch("SELECT 1 FROM posting_block") == []
    for content in (*contents, "a kitten"):
        say(store, content, session="s")
    assert store.fetch("SELECT 1 FROM posting_block") == []
    shift = min(key for _, key, _, _ in postings(store)) - min(key for _, key, _, _ in together)
    assert postings(store) == [(term, key + shift, *rest) for term, key, *rest in together]
    apart = store.find_text(["cat", "kitten"], 1000)
    assert apart == [(key + shift, pytest.approx(score, 1e-6)) for key, score in found]


def test_a_changed_or_removed_text_leaves_those_that_were_stored_with_it(store: Any) -> None:
    say(store, *conversation(words.TOGETHER + 100))
    keys = [row[0] for row in store.fetch("SELECT key FROM memory ORDER BY key")]
    before = postings(store)
    first, other, removed = keys[0], keys[words.TOGETHER + 1], keys[7]
    with store.writing() as writer:
        for key in (first, other):  # the first of a block is written again under its key
            writer.update("memory", {"content": "a kitten"}, "key = ?", key)
        writer.update("memory", {"status": "quarantined"}, "key = ?", removed)
    rest = [posting for posting in before if posting[1] not in (first, other, removed)]
    after = postings(store)
    assert [posting for posting in after if posting[1] not in (first, other)] == rest
    assert [key for term, key, _, _ in after if term == "kitten"] == [first, other]
    check_totals(store)
    with store.writing() as writer:
        writer.update("memory", {"content": "a horse"}, "key = ?", first)
    assert [key for key, _ in store.find_text(["kitten"], 10)] == [other]
    check_totals(store)
    [state, *_] = store.rebuild_indexes()
    assert state.healthy and state.entries == len(keys) - 1
    check_totals(store)


def test_blocks_are_merged(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MERGED", 100)
    for _ in range(6):
        say(store, *conversation(words.FEW + 1))
    blocks = [row[0] for row in store.fetch("SELECT DISTINCT key FROM posting_block ORDER BY 1")]
    assert blocks == [0, 100, 206]  # 1 to 123, 124 to 205, 206 to 246
    check_totals(store)
    merged, found = postings(store), store.find_text(["cat"], 1000)
    with store.writing() as writer:
        writer.update(
            "memory",
            {"status": "quarantined"},
            "key IN (SELECT value FROM json_each(?))",
            [50, 60, 130, 240],
        )
    rest = [posting for posting in merged if posting[1] not in (50, 60, 130, 240)]
    assert postings(store) == rest
    check_totals(store)
    with store.writing() as writer:
        writer.update(
            "memory",
            {"status": "active"},
            "key IN (SELECT value FROM json_each(?))",
            [50, 60, 130, 240],
        )
    assert postings(store) == merged and store.find_text(["cat"], 1000) == found
    store.rebuild_indexes()
    assert postings(store) == merged and store.find_text(["cat"], 1000) == found


def test_a_very_long_text_has_rows_of_its_own(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "LONGEST", 1000)
    say(store, *conversation(words.FEW + 1), "cat " * 2000)
    check_totals(store)
    assert max(n for _, _, n, _ in postings(store)) == 2000


def test_blocks_of_a_tenant_without_statistics_are_read_by_their_terms(
    store: Any, tmp_path: Path, superuser: Any
) -> None:
    texts = [*enumerate(conversation(4 * words.TOGETHER), 1)]
    write(store, texts)
    superuser.execute(f"ANALYZE {SCHEMA}.posting_block")
    with closing(open_store(tmp_path / "later")) as later:
        write(later, texts)
        query = words._SCORES.format(f"{words._IN_LISTS.format('')} AS found")
        values = (["cat", "river"], [1.0, 1.0], 1.0, 1.0, "later", "later", 9, [])
        plan = [str(row[0]) for row in later.fetch(f"EXPLAIN {query}", *values)]
    [below] = [below for line, below in pairwise(plan) if " on posting_block" in line]
    assert "Index Cond" in below and "term" in below, "\n".join(plan)
