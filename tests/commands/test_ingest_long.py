"""The summary of a document that is longer than the model's context: map, then reduce."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from thalamus.api import Thalamus
from thalamus.cancel import Cancelled, CancelToken
from thalamus.memory.documents.summary import MOST_PARTS, split, spread
from thalamus.models.protocol import ChatModel, ChatReply, ChatRequest, Embedder, TokenSink
from thalamus.models.scripted import ScriptedChat, ScriptedEmbedder
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.store.values import Filter
from thalamus.transfer.documents import ingest_file
from thalamus.turn_run import TurnRun

WINDOW = 1400


class Reader(ScriptedChat):
    """A model with a small context that remembers what it was asked to sum up."""

    def __init__(self) -> None:
        super().__init__()
        self.prompts: list[str] = []
        self.cancel: CancelToken | None = None

    def context(self) -> int:
        return WINDOW

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        if request.role == "summary":
            self.prompts.append(request.messages[-1].content)
            if self.cancel is not None and len(self.prompts) == 2:
                self.cancel.cancel()
        return super().chat(request, on_token)


class Models:
    def __init__(self) -> None:
        self.reader = Reader()

    def chat(self, role: str) -> ChatModel:
        return self.reader

    def embedder(self) -> Embedder:
        return ScriptedEmbedder()


@pytest.fixture
def reader(thalamus: Thalamus) -> Reader:
    models = Models()
    thalamus.engine = structs.replace(thalamus.engine, models=models)
    return models.reader


def chapter(animal: str, place: str) -> str:
    lines = [f"The {animal} lives near the {place} and eats {n} snails a day." for n in range(40)]
    return "\n".join(lines)


def book(*chapters: str) -> str:
    return "\n\n".join(chapters)


def test_a_long_document_is_summed_up_from_its_parts(
    thalamus: Thalamus, reader: Reader, tmp_path: Path
) -> None:
    path = tmp_path / "animals.txt"
    path.write_text(
        book(chapter("heron", "river"), chapter("marten", "barn"), chapter("lynx", "gorge"))
    )
    document = thalamus.ingest(path)
    assert document.status == "ingested" and document.issues == []
    *parts, reduced = reader.prompts
    assert 2 < len(parts) <= MOST_PARTS
    assert all(estimate_tokens(prompt) < WINDOW for prompt in reader.prompts)
    assert "Condense these notes" in reduced and "heron" in reduced and "lynx" in reduced
    assert document.summary and document.topic
    [kept] = thalamus.memories.find(Filter(types=("document_summary",)))
    assert document.summary in kept.content


def test_a_book_takes_a_bounded_number_of_calls(
    thalamus: Thalamus, reader: Reader, tmp_path: Path
) -> None:
    path = tmp_path / "book.txt"
    path.write_text(book(*(chapter("heron", f"river {n}") for n in range(30))))
    document = thalamus.ingest(path)
    assert len(reader.prompts) == MOST_PARTS + 1
    assert "river 0 " in reader.prompts[0] and "river 29" in reader.prompts[-2]
    [issue] = document.issues
    assert issue.code == "shortened" and issue.message.startswith("the summary is of 8 of ")


def test_a_short_one_takes_one_call(thalamus: Thalamus, reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("The heron lives near the river.")
    assert thalamus.ingest(path).summary
    assert len(reader.prompts) == 1


def test_cancelling_in_between_stores_nothing(
    thalamus: Thalamus, reader: Reader, tmp_path: Path
) -> None:
    path = tmp_path / "animals.txt"
    path.write_text(
        book(chapter("heron", "river"), chapter("marten", "barn"), chapter("lynx", "gorge"))
    )
    reader.cancel = CancelToken()
    with pytest.raises(Cancelled):
        ingest_file(path, TurnRun(thalamus.engine, cancel=reader.cancel), True)
    assert len(reader.prompts) == 2 and thalamus.memories.find() == []
    reader.cancel = None
    assert thalamus.ingest(path).status == "ingested"


def test_parts_hold_everything_and_end_at_lines() -> None:
    text = book(chapter("heron", "river"), chapter("lynx", "gorge"))
    parts = split(text, 300)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(estimate_tokens(part) <= 300 for part in parts)
    assert all(part.endswith(".") for part in parts)
    assert split("", 10) == [""] and split("ab", 1)
    assert spread(["a", "b", "c", "d", "e"], 3) == ["a", "c", "e"]
