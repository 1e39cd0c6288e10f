"""The embedder for every language, with tiny weights in the format of the real ones."""

from __future__ import annotations

from math import erf
from pathlib import Path

import numpy as np
import pytest

from tests.models import tiny_e5
from thalamus.config import Config
from thalamus.errors import ModelMissing
from thalamus.models import multilingual, resolve
from thalamus.models.e5 import E5
from thalamus.models.resolve import embedder
from thalamus.models.unigram import Unigram

pytestmark = pytest.mark.storeless


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, np.ndarray]]:
    path = tmp_path_factory.mktemp("e5") / "tiny.bin"
    return path, tiny_e5.write(path)


def ids(text: str) -> list[int]:
    return [tiny_e5.PIECES.index(piece) for piece in text.split()]


def reference(tensors: dict[str, np.ndarray], tokens: list[int]) -> np.ndarray:
    """The sum of the states, by the textbook and in float64."""
    t = {name: values.astype(float) for name, values in tensors.items()}

    def norm(x, name):
        x = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
        return x * t[f"{name}.w"] + t[f"{name}.b"]

    def linear(x, name):
        return x @ t[f"{name}.w"].T + t[f"{name}.b"]

    x = norm(t["emb.word"][tokens] + t["emb.pos"][: len(tokens)] + t["emb.type"][0], "emb.ln")
    width = tiny_e5.SIZE // tiny_e5.HEADS
    for layer in ("l0", "l1"):
        query, key, value = (linear(x, f"{layer}.{name}") for name in "qkv")
        found = np.zeros_like(x)
        for head in range(tiny_e5.HEADS):
            part = slice(head * width, (head + 1) * width)
            scores = np.exp(query[:, part] @ key[:, part].T / width**0.5)
            found[:, part] = scores / scores.sum(1, keepdims=True) @ value[:, part]
        x = norm(x + linear(found, f"{layer}.ao"), f"{layer}.aln")
        inner = linear(x, f"{layer}.fi")
        inner *= 0.5 * (1 + np.vectorize(erf)(inner / 2**0.5))
        x = norm(x + linear(inner, f"{layer}.fo"), f"{layer}.oln")
    return x.sum(0)


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_the_vector_of_a_text_is_that_of_the_network(weights):
    path, tensors = weights
    tokens = [0, *ids("▁ q : ▁the ▁sea ▁ 日 本"), 2]
    assert cosine(E5(path).embed("q:", "the sea 日本"), reference(tensors, tokens)) > 0.999


def test_a_long_text_counts_to_the_longest_input(weights):
    model = E5(weights[0])
    long = model.embed("q:", "the sea " * 255)
    assert cosine(long, model.embed("q:", "the sea " * 255 + "zebra " * 900)) == pytest.approx(1)
    assert cosine(long, model.embed("q:", "the sea " * 100 + "zebra " * 900)) < 0.99


@pytest.mark.parametrize("other", ["the\nsea", " the  sea ", "ｔｈｅ sea", "the\u200bsea"])
def test_spaces_and_forms_of_letters_do_not_count(weights, other):
    model = E5(weights[0])
    assert np.array_equal(model.embed("q:", other), model.embed("q:", "the sea"))


def test_any_text_has_a_vector(weights):
    model = E5(weights[0])
    for text in ("", " ", "\ud800", "🐙", "\x00"):
        assert np.isfinite(model.embed("q:", text)).all()


def test_the_pieces_with_the_highest_sum():
    pieces = ["?", "▁", "a", "b", "▁ab", "▁a"]
    tokenizer = Unigram([p.encode() for p in pieces], [0, -3, -3, -3, -5, -1], 0)
    assert tokenizer.encode("ab") == [5, 3]
    assert tokenizer.encode("ba") == [1, 3, 2]
    assert tokenizer.encode("a é") == [5, 1, 0]


@pytest.mark.parametrize("part", [b"", b"E5", b"GGUF" * 9, b"E5S1" + bytes(40)])
def test_a_damaged_file(tmp_path, part):
    (tmp_path / "file").write_bytes(part)
    with pytest.raises(ValueError):
        E5(tmp_path / "file")


def test_the_embedder_after_its_pull(tmp_path, monkeypatch):
    config = Config(home=str(tmp_path))
    with pytest.raises(ModelMissing) as caught:
        embedder("multilingual", config)
    assert "thalamus models pull multilingual" in caught.value.advice
    path = tmp_path / "tiny.bin"
    tiny_e5.write(path)
    monkeypatch.setattr(multilingual, "installed", lambda name, folder: path)
    np.save(tmp_path / "mean.npy", np.full(tiny_e5.SIZE, 0.1, np.float32))
    monkeypatch.setattr(multilingual, "MEAN", tmp_path / "mean.npy")
    for spec in ("multilingual", "multilingual:e5-small-q4"):
        model = embedder(spec, config)
        assert model is not None
        assert model.name == "multilingual:e5-small-q4"
        question, text = (model.embed(["the sea"], kind)[0] for kind in ("query", "document"))
        assert len(text) == 4 * tiny_e5.SIZE
        assert question != text
        whole = E5(path).embed("passage:", "the sea")
        centred = whole / np.linalg.norm(whole) - 0.1
        assert cosine(np.frombuffer(text, "<f4"), centred) == pytest.approx(1)
        assert model.embed([], "query") == []
    path.write_bytes(path.read_bytes()[:500])
    resolve._multilingual.cache_clear()  # a process has one
    with pytest.raises(ModelMissing, match="damaged"):
        embedder("multilingual", config).embed(["the sea"], "query")
