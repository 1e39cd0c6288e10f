"""Models that a program hands in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.stored import store_of
from thalamus import Thalamus
from thalamus.store.embeddings import spaces


@pytest.fixture
def made(home: Path) -> Iterator[Callable[..., Thalamus]]:
    opened: list[Thalamus] = []

    def make(**settings: Any) -> Thalamus:
        given = {"home": str(home), "store": store_of(home), **settings}
        opened.append(Thalamus(**given))
        return opened[-1]

    yield make
    for thalamus in opened:
        thalamus.close()


def letters(texts: Sequence[str]) -> list[list[float]]:
    return [[1.0 + text.lower().count(letter) for letter in "abcdefgh"] for text in texts]


class Answering:
    """A large model that answers with its name and extracts what is asked of it."""

    name = "answering"
    billions = 30

    def __init__(self) -> None:
        self.asked: list[list[dict[str, str]]] = []

    def chat(
        self, messages: list[dict[str, str]], schema: dict[str, Any] | None = None
    ) -> str | Iterator[str]:
        self.asked.append(messages)
        if schema is None:
            return iter(["I am ", "answering."])
        tea = {"quote": "I like tea", "content": "The user likes tea.", "type": "preference"}
        return json.dumps({"memories_to_store": [tea]})


def test_a_chat_model_and_an_embedder(made: Callable[..., Thalamus]) -> None:
    model = Answering()
    thalamus = made(chat=model, embed=letters)
    *pieces, turn = thalamus.stream_turn("I like tea.")
    assert pieces == ["I am ", "answering."] and not isinstance(turn, str)
    assert turn.issues == [] and len(model.asked) >= 2
    assert [memory.content for memory in thalamus.memories.find()] == ["The user likes tea."]
    assert {entry.model for entry in turn.trace if entry.model} == {"handed:answering"}
    assert [found.text for found in thalamus.recall("tea", limit=1)]
    assert {space.model for space in spaces(thalamus.database)} == {"handed:letters"}


def test_a_model_that_fails_does_not_lose_the_message(made: Callable[..., Thalamus]) -> None:
    def broken(messages: list[dict[str, str]]) -> str:
        raise RuntimeError("no such luck")

    def no_vectors(texts: Sequence[str]) -> list[str]:
        return ["x" for _ in texts]

    thalamus = made(chat=broken, embed=no_vectors)
    turn = thalamus.turn("I like tea.")
    assert turn.answer is None
    problems = " ".join(issue.message for issue in turn.issues)
    assert "no such luck" in problems and "it gives no vectors" in problems
    assert [kept.message for kept in thalamus.sessions.turns("main")] == ["I like tea."]


@pytest.mark.parametrize("reply", [None, 5, [b"x"]])
def test_a_reply_that_is_no_text(made: Callable[..., Thalamus], reply: Any) -> None:
    turn = made(chat=lambda messages: reply, embed=letters).turn("Hello.")
    assert any("its reply is not text" in issue.message for issue in turn.issues)


def test_a_model_that_fails_in_the_middle_costs_nothing_else(made: Callable[..., Thalamus]) -> None:
    def broken(messages: list[dict[str, str]]) -> Iterator[str]:
        yield "I "
        raise ConnectionError("gone")

    turn = made(chat=broken, embed=letters).turn("I live in Porto.")
    assert {issue.code for issue in turn.issues} == {"model_failed"}
    assert "ConnectionError: gone" in turn.issues[0].message
    assert turn.stored  # found without the model


def test_an_embedder_has_a_name_of_its_own(made: Callable[..., Thalamus]) -> None:
    class Encoder:
        def __init__(self, name: str = "") -> None:
            self.name = name

        def encode(self, texts: Sequence[str]) -> list[list[float]]:
            return letters(texts)

    for nameless in (lambda texts: letters(texts), Encoder().encode):
        with pytest.raises(TypeError, match="must have a `name`"):
            made(embed=nameless).remember("The raft is red.")
    thalamus = made(model="scripted", embed=Encoder("small").encode)
    thalamus.remember("The raft is red.")
    assert {space.model for space in spaces(thalamus.database)} == {"handed:small"}


def test_what_is_no_model_is_refused(made: Callable[..., Thalamus]) -> None:
    with pytest.raises(TypeError, match="a method 'chat'"):
        made(chat=object()).turn("Hello.")
