"""The default embedder: its two halves, in several languages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from thalamus.errors import ModelMissing
from thalamus.models.potion import PIECES, ROW, START, VECTORS, Potion, words
from thalamus.models.protocol import SentenceEmbedder
from thalamus.models.static import StaticEmbedder
from thalamus.models.wordllama import WordLlamaEmbedder
from thalamus.text.sentence_vectors import nearest

pytestmark = pytest.mark.storeless

EMBEDDER = StaticEmbedder()


def rows(texts: list[str], kind: str = "document") -> np.ndarray:
    data = b"".join(EMBEDDER.embed(texts, kind))
    return np.frombuffer(data, "<f4").reshape(len(texts), EMBEDDER.dimension())


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("In which bank does my father work?", "Mon père travaille dans une banque."),
        ("Which hospital does she work at?", "妹は病院で働いています。"),
        ("What did the doctor prescribe?", "El médico me recetó antibióticos."),
        ("Wo schläft unser Hund?", "Our dog sleeps in the garden."),
        ("妹はどこに住んでいますか。", "我妹妹住在波尔图。"),
    ],
)
def test_a_question_is_near_its_answer_in_another_language(question: str, answer: str) -> None:
    others = ["The oven needs a new fuse.", "Der Bericht ist am Freitag fertig.", "明日は雨です。"]
    near, *far = rows([answer, *others]) @ rows([question], "query")[0]
    assert near > max(far)


def test_every_text_has_a_vector_of_length_one() -> None:
    texts = ["", " ", "?!", "\ud800", "🐙", "a" * 50, "ᚠᚢᚦ", "A long one. " * 500]
    found = rows(texts)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1)
    for text, vector in zip(texts, found, strict=True):
        assert np.array_equal(rows([text])[0], vector)
    assert EMBEDDER.embed([], "query") == []


def test_the_sentence_of_a_text_that_is_nearest_to_a_question() -> None:
    assert isinstance(EMBEDDER, SentenceEmbedder)
    texts = ["It rained. My sister lives in Porto.", "It rained. We had soup."]
    packed = dict(enumerate(EMBEDDER.embed_sentences(texts)))
    question = "Where does my sister live?"
    found = nearest(EMBEDDER.embed([question], "query")[0], packed)
    assert found[0] > found[1]
    english = nearest(WordLlamaEmbedder().embed([question], "query")[0], packed)
    assert found == pytest.approx(english, abs=0.01)


def test_words_keep_their_marks() -> None:
    assert words("मेरी बहन — नर्स है!") == ["मेरी", "बहन", "नर्स", "है"]
    assert words("Ｃａｆé_Porto, 2") == ["café", "porto", "2"]
    assert words("don't") == ["don", "t"]


def test_a_text_is_the_mean_of_its_longest_pieces(tmp_path: Path) -> None:
    pieces = ["ea", "s", "side", "\u00e9", f"{START}s", f"{START}sea"]
    weights = np.zeros(len(pieces), ROW)
    weights["scale"] = 1, 1, 0.5, 1, 1, 1
    for number in range(len(pieces)):
        weights["numbers"][number, number] = 2
    np.save(tmp_path / VECTORS, weights)
    (tmp_path / PIECES).write_text("".join(f"{piece}\n" for piece in pieces), encoding="utf-8")
    model = Potion(tmp_path)
    seaside, others = model.embed(["Seaside, sea!", "Sits é日s"])
    assert seaside[:6] / seaside[5] * 2 == pytest.approx([0, 0, 0.5, 0, 0, 2])
    assert others[:6] / others[4] == pytest.approx([0, 2, 0, 1, 1, 0])
    assert not model.embed(["?"]).any()

    (tmp_path / PIECES).write_text(f"{START}sea\n", encoding="utf-8")
    with pytest.raises(ModelMissing, match="do not match"):
        Potion(tmp_path)
    (tmp_path / PIECES).unlink()
    with pytest.raises(ModelMissing) as caught:
        Potion(tmp_path)
    assert "Reinstall" in caught.value.advice
