"""The sentences of an answer: embedded when it is stored, compared in a search, and treated as its
words are."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import NOW
from tests.store.making import open_store, vector
from tests.store.test_encryption import CARD
from tests.stored import store_of
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Memory, Turn
from thalamus.store import embeddings
from thalamus.store.erasure import ErasedContent
from thalamus.store.values import Filter, Vector
from thalamus.text.sentence_vectors import DIMENSIONS, pack

FILLER = "Compound interest grows every year. A bank pays it once in twelve months. " * 4
ANSWER = f"Sure! {FILLER}The heron nests by the northern lock. {FILLER}"
ASKED = "Where does the heron nest?"


def engine(home: Path, **settings: object) -> Thalamus:
    given: dict[str, object] = {
        "store": store_of(home),
        "model": "scripted",
        "embedder": "wordllama",
        "min_relevance": 0.0,  # how things rank is what is looked at
    }
    return Thalamus(clock=Clock(parse_time(NOW)), home=str(home), **(given | settings))


def asked(thalamus: Thalamus) -> Vector:
    embedder = thalamus.engine.models.embedder()
    assert embedder is not None
    return Vector(embedder.name, embedder.embed([ASKED], "query")[0])


def nearest(thalamus: Thalamus, id: str) -> float | None:
    """The cosine of the question with the nearest sentence of a turn."""
    [entry] = thalamus.database.entries(Filter(ids=(id,)), 1)
    keys = [entry.key]
    return thalamus.database.similarities(asked(thalamus), keys, keys).sentences.get(entry.key)


def remember(thalamus: Thalamus, *answers: str | None, message: str = "Tell me more.") -> list[str]:
    turns = [Turn(message=message, answer=answer) for answer in answers]
    return [turn.id or "" for turn in thalamus.remember(turns)]


def holding(folder: Path, data: bytes) -> list[Path]:
    """The files below a folder that hold some bytes."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if data in path.read_bytes()]


def kept(thalamus: Thalamus) -> list[bytes | None]:
    """What the table has, in the order of the keys."""
    return [
        row[0] for row in thalamus.database.fetch("SELECT sentences FROM embedding ORDER BY key")
    ]


def test_a_sentence_is_compared_with_the_question(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store")
    rows = np.random.default_rng(1).normal(size=(5, DIMENSIONS)).astype(np.float32)
    wide, other = vector("wide", dimension=256), vector("other", dimension=256)
    whole = Vector("m", wide.data, pack(rows))
    with store.writing() as writer:
        for id, own in (("one", whole), ("two", other)):
            writer.add(Turn(id=f"turn_{id}", message="Hi", answer="So.", created_at=NOW), own)
    [(one,), (two,)] = store.fetch("SELECT key FROM turn ORDER BY key")
    question = np.concatenate([rows[3], np.zeros(128, np.float32)])
    question /= np.linalg.norm(question)
    both = [one, two]
    found = store.similarities(Vector("m", question.astype("<f4").tobytes()), both, both)
    assert found.sentences == {one: pytest.approx(1.0, abs=0.01)} and len(found.cosines) == 2
    stored = embeddings.of(store, ["turn_one"])["turn_one"]
    assert stored.sentences == whole.sentences
    assert np.allclose(
        np.frombuffer(stored.data, "<f4"), np.frombuffer(wide.data, "<f4"), atol=1e-3
    )
    store.close()


def test_what_only_an_answer_says_is_found_first(tmp_path: Path) -> None:
    """The answers share no words with the question."""
    with engine(tmp_path) as thalamus:
        others = [f"{FILLER} Number {n} is a sum." for n in range(20)]
        said = [*others[:10], f"{FILLER}A stork built its home near the weir. {FILLER}", *others]
        ids = remember(thalamus, *said)
        best = thalamus.recall("Which bird lives close to water?")[0]
        assert best.id == ids[10] and best.scores["sentence"] > 0.2
        assert "a sentence of the answer comes close to" in best.why


def test_only_answers_have_sentences(tmp_path: Path) -> None:
    with engine(tmp_path) as thalamus:
        remember(thalamus, ANSWER, None, "--")
        thalamus.remember([Memory(content="The heron nests by the lock.")])
        first, *rest = kept(thalamus)
        assert first is not None and len(first) == 18 * DIMENSIONS and rest == [None] * 3


def test_an_embedder_that_makes_none(tmp_path: Path) -> None:
    with engine(tmp_path, embedder="scripted") as thalamus:
        ids = remember(thalamus, ANSWER)
        assert kept(thalamus) == [None] and nearest(thalamus, ids[0]) is None
        assert "sentence" not in thalamus.recall(ASKED)[0].scores


def test_they_are_made_again_for_another_embedder(tmp_path: Path) -> None:
    with engine(tmp_path) as thalamus:
        ids = remember(thalamus, ANSWER, None)
        thalamus.remember([Memory(content="The heron nests by the lock.")])
        wanted, cosine = kept(thalamus), nearest(thalamus, ids[0])
        records = list(thalamus.store.export())
    with engine(tmp_path / "other", embedder="none") as other:
        other.store.import_memory(records)
        assert kept(other) == []
    with engine(tmp_path / "other") as other:
        assert other.store.embed_missing() == 3
        assert kept(other) == wanted and nearest(other, ids[0]) == cosine


@pytest.mark.sqlite
def test_an_encrypted_answer_has_them_encrypted(tmp_path: Path) -> None:
    with engine(tmp_path / "plain") as thalamus:
        [plain] = remember(thalamus, ANSWER)
        [packed] = kept(thalamus)
        cosine = nearest(thalamus, plain)
        assert packed is not None and holding(tmp_path / "plain", packed[:64])
    with engine(tmp_path) as thalamus:
        [secret] = remember(thalamus, ANSWER, message=f"My card number is {CARD}.")
        assert kept(thalamus) == []
        assert nearest(thalamus, secret) == pytest.approx(cosine, abs=1e-6)
        assert embeddings.of(thalamus.database, [secret])[secret].sentences == packed
        remember(thalamus, "The tide is high.", message="And the sea?")
        found = thalamus.recall(ASKED)[0]
        assert found.id == secret
        assert found.scores["sentence"] == pytest.approx(cosine, abs=1e-4)
    assert holding(tmp_path / "data", packed[:64]) == []


def test_a_turn_that_turns_out_not_to_be_personal(tmp_path: Path) -> None:
    """Until it is reflected upon it is kept encrypted."""
    with engine(tmp_path, planner="none") as thalamus:
        turn = thalamus.turn("I saw a heron by the northern lock.")
        [own] = [
            row[0] for row in thalamus.database.fetch("SELECT key FROM turn WHERE id = ?", turn.id)
        ]
        assert thalamus.database.fetch("SELECT id FROM encrypted WHERE kind = ?", "turn") == []
        rows = thalamus.database.fetch("SELECT sentences FROM embedding WHERE key = ?", own)
        assert [len(row[0]) % DIMENSIONS for row in rows] == [0]


@pytest.mark.sqlite
@pytest.mark.parametrize("value", ["NULL", "zeroblob(128)", "sentences || zeroblob(128)"])
def test_an_edited_one_is_found(tmp_path: Path, value: str) -> None:
    with engine(tmp_path) as thalamus:
        remember(thalamus, ANSWER, ANSWER)
        path = thalamus.database.path
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE embedding SET sentences = {value} WHERE n = 2")
    with engine(tmp_path) as thalamus, thalamus.store.verify() as verified:
        assert [(f.table, f.id, f.what) for f in verified.findings()] == [
            ("embedding", "2", "edited")
        ]


def test_a_store_signed_again_has_them_signed(tmp_path: Path) -> None:
    with engine(tmp_path) as thalamus:
        remember(thalamus, ANSWER)
        thalamus.keys.rotate()
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []


@pytest.mark.sqlite
def test_a_forgotten_one_is_looked_for(tmp_path: Path) -> None:
    with engine(tmp_path) as thalamus:
        ids = remember(thalamus, ANSWER.removeprefix("Sure! "))
        remember(thalamus, "The tide is high.", message="And the sea?")
        first, second = kept(thalamus)
        assert first is not None and second is not None
        report = thalamus.forget(ForgetOptions(ids=(ids[0],)))
        assert report.complete and kept(thalamus) == [second]
        store = thalamus.database
        assert holding(store.folder, first[:64]) == []
        (store.folder / "left.tmp").write_bytes(b"\x00" * 100 + first)
        gone = ErasedContent(vectors=[first[:64]])
        left = store.residue(gone, [], lambda _: None).found
        assert {Path(found.file).name for found in left} == {"left.tmp"}
        assert min(found.offset for found in left) == 100


def test_a_sentence_that_others_say_as_well_is_no_residue(tmp_path: Path) -> None:
    with engine(tmp_path) as thalamus:
        [gone] = remember(thalamus, "You're welcome! Ask me again.")
        remember(thalamus, "Herons fish. You're welcome!", message="What do they eat?")
        report = thalamus.forget(ForgetOptions(ids=(gone,)))
        assert report.complete and report.search is not None and report.search.found == []
        assert len(kept(thalamus)) == 1
