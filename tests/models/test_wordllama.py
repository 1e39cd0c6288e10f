"""The embedder of a fresh machine, against the package whose weights it reads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thalamus.errors import ModelMissing
from thalamus.models.protocol import SentenceEmbedder
from thalamus.models.wordllama import (
    TENSOR,
    TOKENIZER,
    WEIGHTS,
    WordLlamaEmbedder,
    find_package,
    map_matrix,
)
from thalamus.text.sentence_vectors import DIMENSIONS, LONGEST, MOST, nearest

pytestmark = pytest.mark.storeless

TEXTS = [
    "I moved to Lisbon in May.",
    "Where does the user live?",
    "a",
    "  two  spaces\nand a line ",
    "Ünïcode, 日本語 and 🐙",
    "A long one. " * 500,
    "</s> <unk> <s>",
]
EMBEDDER = WordLlamaEmbedder()


def rows(vectors: list[bytes]) -> np.ndarray:
    return np.frombuffer(b"".join(vectors), "<f4").reshape(len(vectors), -1)


def test_vectors_are_those_of_the_package(tmp_path: Path) -> None:
    # In a process of its own: importing the package sets up logging for the whole process.
    code = (
        "import sys, json, numpy, wordllama\n"
        "model = wordllama.WordLlama.load(cache_dir=sys.argv[1], disable_download=True)\n"
        "numpy.save(sys.argv[2], model.embed(json.loads(sys.argv[3]), norm=True))\n"
    )
    file = tmp_path / "package.npy"
    command = [sys.executable, "-c", code, str(find_package()), str(file), json.dumps(TEXTS)]
    subprocess.run(command, check=True, capture_output=True)
    own = rows(EMBEDDER.embed(TEXTS, "document"))
    np.testing.assert_allclose(own, np.load(file), atol=1e-3)
    assert own.shape == (len(TEXTS), EMBEDDER.dimension()) == (len(TEXTS), 256)


def test_a_batch_gives_what_its_texts_give_alone() -> None:
    many = [f"{text} {number}" for number in range(100) for text in TEXTS[:4]]
    batch = EMBEDDER.embed(many, "document")
    assert batch[::37] == [EMBEDDER.embed([text], "document")[0] for text in many[::37]]
    assert EMBEDDER.embed([], "document") == []


def test_likeness_follows_meaning() -> None:
    texts = ["My dog is ill.", "The puppy feels sick.", "Interest rates fell."]
    dog, puppy, rates = rows(EMBEDDER.embed(texts, "document"))
    assert dog @ puppy > dog @ rates + 0.1


def test_a_text_without_tokens_gets_a_fixed_unit_vector() -> None:
    empty, dog = rows(EMBEDDER.embed(["", "My dog is ill."], "document"))
    assert empty.tolist() == [1.0] + [0.0] * 255
    assert abs(empty @ dog) < 0.3


@given(st.text(alphabet=st.characters()))
@settings(max_examples=50)
def test_every_text_has_a_unit_vector(text: str) -> None:
    vector = rows(EMBEDDER.embed([text], "query"))[0]
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_lone_surrogates_do_no_harm() -> None:
    assert len(EMBEDDER.embed(["\ud800 hi", "fine"], "document")) == 2


def test_the_package_is_not_imported() -> None:
    code = (
        "import sys\n"
        "from thalamus.models.wordllama import WordLlamaEmbedder\n"
        "embedder = WordLlamaEmbedder()\n"
        "print('numpy' in sys.modules)\n"
        "embedder.embed(['hello'], 'query')\n"
        "print(any(name in sys.modules for name in ('wordllama', 'pydantic', 'requests')))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_missing_files_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="l2_supercat_256") as caught:
        WordLlamaEmbedder(tmp_path).embed(["x"], "query")
    assert "pip install" in caught.value.advice


def written(path: Path, header: object, data: bytes) -> Path:
    encoded = json.dumps(header).encode()
    path.write_bytes(len(encoded).to_bytes(8, "little") + encoded + data)
    return path


def tensor(rows: int, columns: int = 256, dtype: str = "F16") -> dict[str, object]:
    end = rows * columns * 2
    return {TENSOR: {"dtype": dtype, "shape": [rows, columns], "data_offsets": [0, end]}}


def test_a_matrix_is_mapped(tmp_path: Path) -> None:
    values = np.arange(512, dtype="<f2")
    path = written(tmp_path / "good", tensor(2), values.tobytes())
    assert map_matrix(path).tolist() == values.reshape(2, 256).tolist()


@pytest.mark.parametrize(
    ("header", "data"),
    [
        (tensor(2), b"\0" * 1000),
        (tensor(2, columns=64), b"\0" * 1024),
        (tensor(2, dtype="F32"), b"\0" * 1024),
        (tensor(0), b""),
        ({"other": {}}, b"\0" * 1024),
        ([], b""),
        ({TENSOR: {"dtype": "F16", "shape": "x", "data_offsets": [0, 1]}}, b""),
    ],
)
def test_a_damaged_matrix_is_refused(tmp_path: Path, header: object, data: bytes) -> None:
    with pytest.raises(ModelMissing, match="bad"):
        map_matrix(written(tmp_path / "bad", header, data))


@pytest.mark.parametrize("data", [b"", b"\xff" * 64, (10**9).to_bytes(8, "little")])
def test_a_file_that_is_none_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad"
    path.write_bytes(data)
    with pytest.raises(ModelMissing, match="bad"):
        map_matrix(path)


def test_a_broken_tokenizer_is_refused(tmp_path: Path) -> None:
    for name in (WEIGHTS, TOKENIZER):
        (tmp_path / name).parent.mkdir(exist_ok=True)
    written(tmp_path / WEIGHTS, tensor(2), b"\0" * 1024)
    (tmp_path / TOKENIZER).write_text("{}", encoding="utf-8")
    with pytest.raises(ModelMissing, match="tokenizer"):
        WordLlamaEmbedder(tmp_path).embed(["x"], "query")


# -- sentences -----------------------------------------------------------------------------------


ANSWER = (
    "Sure! The puppy should see a vet.\nInterest rates fell, didn't they? --- "
    "Ünïcode and 日本語もある。 " + "A long sentence about nothing in particular. " * 3
)


def sentence_rows(packed: bytes) -> np.ndarray:
    return np.frombuffer(packed, np.int8).reshape(-1, DIMENSIONS).astype(np.float32)


def test_sentences_have_the_first_half_of_what_they_have_alone() -> None:
    assert isinstance(EMBEDDER, SentenceEmbedder)
    said = ["Sure", "The puppy should see a vet", "Interest rates fell didn't they"]
    said += ["Ünïcode and 日本語もある", *["A long sentence about nothing in particular"] * 3]
    own = sentence_rows(EMBEDDER.embed_sentences([ANSWER])[0])
    alone = rows(EMBEDDER.embed(said, "document"))[:, :DIMENSIONS]
    assert len(own) == len(said)
    cosines = (own * alone).sum(axis=1) / np.linalg.norm(own, axis=1)
    assert (cosines / np.linalg.norm(alone, axis=1) > 0.999).all()


def test_the_nearest_sentence_is_found_in_a_long_answer() -> None:
    question = EMBEDDER.embed(["Is my dog ill?"], "query")[0]
    other = "Interest rates fell. The bank was pleased. " * 20
    packed = EMBEDDER.embed_sentences([other + "The puppy feels sick. " + other, other, "", "--"])
    near = nearest(question, dict(enumerate(packed)))
    assert near[0] > near[1] + 0.2 and set(near) == {0, 1}
    whole = rows(EMBEDDER.embed([other + "The puppy feels sick. " + other], "document"))[0]
    assert near[0] > whole @ rows([question])[0] + 0.2


def test_sentences_are_the_same_in_any_company() -> None:
    texts = [f"{ANSWER} Number {n} of word{n}." for n in range(30)] + ["", "\ud800 hi"]
    batch = EMBEDDER.embed_sentences(texts)
    fresh = WordLlamaEmbedder()
    assert [fresh.embed_sentences([text])[0] for text in reversed(texts)] == batch[::-1]
    assert EMBEDDER.embed_sentences([]) == [] and batch[-2] == b"" and batch[-1]


def test_more_words_than_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thalamus.models.wordllama_sentences.CACHED_WORDS", LONGEST)
    texts = [" ".join(f"w{n}x{m}" for m in range(600)) for n in range(5)]
    few = WordLlamaEmbedder()
    assert few.embed_sentences(texts * 2) == EMBEDDER.embed_sentences(texts) * 2


def test_a_long_answer_is_bounded() -> None:
    [many, wide] = EMBEDDER.embed_sentences(["Yes. " * 200, "word " * 100_000])
    assert len(many) == MOST * DIMENSIONS and len(wide) == DIMENSIONS
    tail = "x" * LONGEST + ". A sentence behind the end."
    assert EMBEDDER.embed_sentences([tail]) == EMBEDDER.embed_sentences(["x" * LONGEST])
