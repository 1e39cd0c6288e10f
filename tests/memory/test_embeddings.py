"""Faults of an embedder cost vectors, never words."""

import hashlib
from pathlib import Path

import pytest
from msgspec import structs

from thalamus.api import Thalamus
from thalamus.errors import ModelBusy, ModelFailed
from thalamus.memory.embeddings import stored_name
from thalamus.models.embedding import Measured, embed_batches
from thalamus.records import Memory, Turn
from thalamus.store import embeddings
from thalamus.turn_run import TurnRun


class Fake(Measured):
    """An embedder by name only: another model may answer, or none."""

    name = "openai:embed"

    def __init__(self):
        self.size, self.fault, self.calls = 8, None, 0

    def embed(self, texts, kind):
        return embed_batches(self.name, list(texts), 32, self._call)

    def _call(self, batch):
        self.calls += 1
        if isinstance(self.fault, Exception):
            raise self.fault
        rows = [self._row(text) for text in batch]
        return self.fault(rows) if self.fault else rows

    def _row(self, text):
        words = range(self.size)
        return [hashlib.sha256(f"{n}{text}".encode()).digest()[0] - 127.5 for n in words]


@pytest.fixture
def embedder(thalamus):
    fake = Fake()
    thalamus.engine.models._embedders = [fake]
    return fake


def other_model(embedder, size=16):
    embedder.size, embedder._dimension = size, None


def spaces(thalamus):
    return {
        s.model: (s.dimension, s.count) for s in embeddings.spaces(thalamus.database) if s.count
    }


UNUSABLE = {
    "nan": lambda rows: [[float("nan")] * 8 for _ in rows],
    "infinite": lambda rows: [[float("inf")] * 8 for _ in rows],
    "zero": lambda rows: [[0.0] * 8 for _ in rows],
    "empty": lambda rows: [[] for _ in rows],
    "too few": lambda rows: rows[:-1],
    "too many": lambda rows: [*rows, rows[0]],
    "words": lambda rows: [["x"] for _ in rows],
    "nothing": lambda rows: [None for _ in rows],
    "ragged": lambda rows: [row[: 4 + 4 * (n % 2)] for n, row in enumerate([*rows, rows[0]])][1:],
}
FAULTS = {
    "another model": None,
    "nan": UNUSABLE["nan"],
    "ragged": UNUSABLE["ragged"],
    "failed": ModelFailed("m", "out of memory"),
    "busy": ModelBusy("m", "Too many requests", 0.1),
}


@pytest.mark.parametrize("fault", UNUSABLE)
def test_vectors_that_cannot_be_used_are_refused(fault):
    fake = Fake()
    fake.fault = UNUSABLE[fault]
    with pytest.raises(ModelFailed):
        fake.embed(["bees", "rye"], "document")


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_is_wrong_with_vectors_words_are_kept(thalamus, embedder, fault, tmp_path):
    thalamus.engine = structs.replace(thalamus.engine, sleep=lambda seconds: None)
    thalamus.turn("My sister Rita lives in Faro.", flow="reflect,store")
    if FAULTS[fault] is None:
        other_model(embedder)
    else:
        embedder.fault = FAULTS[fault]
    turn = thalamus.turn("My brother Rui keeps bees.", flow="retrieve,reflect,store")
    thalamus.remember([Memory(content="The user bakes rye bread.")])
    page = tmp_path / "page.md"
    page.write_text("# Ovens\n\nThe oven door sticks in winter.\n")
    document = thalamus.ingest(page)
    assert turn.stored and document.status != "failed"
    for words in ("bees", "rye", "oven"):
        assert thalamus.recall(words), words
    embedder.fault = None
    if FAULTS[fault] is not None:
        embedder._dimension = None
    missing = thalamus.store.count_missing_embeddings()[1]
    assert thalamus.store.embed_missing() == missing > 0
    assert thalamus.store.count_missing_embeddings()[1] == 0


def test_another_model_under_the_name_is_reported_once(thalamus, embedder):
    thalamus.turn("I live in Faro.", flow="store")
    other_model(embedder)
    issues = [thalamus.turn(f"Note {n}.", flow="store").issues for n in range(3)]
    assert [len(found) for found in issues] == [1, 0, 0]
    assert "8" in issues[0][0].message and "16" in issues[0][0].message
    assert "reindex --embed" in issues[0][0].fix


def test_reindexing_replaces_the_vectors_of_the_former_model(thalamus, embedder):
    for n in range(5):
        thalamus.turn(f"Note {n} is about bees.", flow="store")
    other_model(embedder)
    thalamus.turn("Note 6 is about rye.", flow="store")
    assert spaces(thalamus) == {"openai:embed": (8, 5)}
    assert thalamus.store.embed_missing() == 6
    sized = "openai:embed (16 dimensions)"
    assert spaces(thalamus) == {sized: (16, 6)}
    [found] = thalamus.recall("Note 6 is about rye.")[:1]
    assert found.scores["vector"] > 0.99
    thalamus.turn("Note 7 is about oats.", flow="store")
    assert spaces(thalamus) == {sized: (16, 7)}
    assert all(index.healthy for index in thalamus.store.index_states())


def test_the_former_model_may_come_back(thalamus, embedder):
    thalamus.turn("Note 1 is about bees.", flow="store")
    other_model(embedder)
    thalamus.store.embed_missing()
    other_model(embedder, 8)
    thalamus.turn("Note 2 is about rye.", flow="store")
    assert thalamus.store.embed_missing() == 1
    assert thalamus.store.count_missing_embeddings() == ("openai:embed", 0)
    assert thalamus.store.embed_missing() == 0
    assert thalamus.recall("rye")


def test_the_name_of_vectors():
    assert stored_name("m", 8, ["m"]) == "m"
    assert stored_name("m", 8, ["m", "m (8 dimensions)"]) == "m (8 dimensions)"
    assert stored_name("m", 8, []) == "m"


def test_an_import_keeps_what_it_reads(thalamus, embedder, home: Path):
    from thalamus.memory.write import write_records

    thalamus.turn("I live in Faro.", flow="store")
    other_model(embedder)
    turns = [Turn(message=f"Old note {n}.", answer="Noted.") for n in range(3)]
    assert len(write_records(turns, TurnRun(thalamus.engine))) == 3
    assert isinstance(thalamus, Thalamus) and thalamus.recall("Old note")
