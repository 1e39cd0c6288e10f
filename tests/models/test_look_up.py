"""Models are looked up before the first turn: one that is not there is an error that says how to
get it, and a server that does not answer is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from thalamus.errors import ModelMissing
from thalamus.models.cassette import CassetteChat
from thalamus.models.llamacpp import LlamaCppChat
from thalamus.models.ollama import OllamaChat
from thalamus.models.openai import OpenAIChat
from thalamus.models.protocol import ChatModel, ChatRequest, Message, Presence
from thalamus.models.scripted import ScriptedChat

pytestmark = pytest.mark.storeless


def look_up(chat: ChatModel) -> None:
    assert isinstance(chat, Presence)
    chat.look_up()


def test_ollama_asks_once_and_names_the_command(model_server: Any, answer: Any) -> None:
    chat = OllamaChat("qwen3:4b", model_server.url, 5, "5m")
    words = {"error": "model 'qwen3:4b' not found"}
    model_server.routes["/api/show"] = lambda body: answer(words, status=404)
    with pytest.raises(ModelMissing) as caught:
        look_up(chat)
    assert "ollama pull qwen3:4b" in caught.value.advice
    model_server.routes["/api/show"] = lambda body: answer({"model_info": {}})
    look_up(chat)  # pulled in the meantime
    look_up(chat)
    assert chat.context() == 8192
    assert len(model_server.bodies("/api/show")) == 2


def test_an_ollama_that_does_not_answer_or_fails_is_left_to_the_turn(
    model_server: Any, answer: Any, closed_url: str
) -> None:
    look_up(OllamaChat("m", closed_url, 5, "5m"))
    look_up(OllamaChat("m", model_server.url, 5, "5m"))  # something else is there
    for broken in (answer({"error": "boom"}, status=500), answer("<html>"), answer(hang=True)):
        model_server.routes["/api/show"] = lambda body, broken=broken: broken
        look_up(OllamaChat("m", model_server.url, 0.2, "5m"))


@pytest.mark.parametrize(
    ("listed", "there"),
    [
        (["m", "other"], True),
        (["m:latest", "other"], True),
        (["/models/anything.gguf"], True),  # a server with one model answers by any name
        ([], True),
        (["one", "two"], False),
    ],
)
def test_an_openai_server_that_lists_its_models(
    model_server: Any, answer: Any, listed: list[str], there: bool
) -> None:
    model_server.routes["/v1/models"] = lambda body: answer({"data": [{"id": i} for i in listed]})
    chat = OpenAIChat("m", model_server.url + "/v1", None, 5)
    if there:
        look_up(chat)
        return
    with pytest.raises(ModelMissing) as caught:
        look_up(chat)
    assert model_server.url in caught.value.message
    assert "one, two" in caught.value.advice


def test_an_openai_server_that_does_not_say_is_left_to_the_turn(
    model_server: Any, answer: Any, closed_url: str
) -> None:
    chat = OpenAIChat("m", model_server.url + "/v1", "key", 0.2)
    look_up(OpenAIChat("m", closed_url, None, 5))
    look_up(OpenAIChat("m", "", None, 5))
    look_up(chat)  # 404
    replies = [answer("x", status=status) for status in (400, 401, 500)]
    replies += [answer(body) for body in ("<html>", [1], {}, {"data": 3}, {"data": [1, {}]})]
    for said in (*replies, answer(hang=True)):
        model_server.routes["/v1/models"] = lambda body, said=said: said
        look_up(chat)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "none.gguf"
    with pytest.raises(ModelMissing) as caught:
        look_up(LlamaCppChat(path))
    assert str(path) in caught.value.message
    assert "thalamus models pull" in caught.value.advice
    path.write_text("<html>")
    with pytest.raises(ModelMissing, match="not a GGUF file"):
        look_up(LlamaCppChat(path))


def test_a_damaged_file_is_left_to_the_turn(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF")
    look_up(LlamaCppChat(path))


def test_what_is_scripted_or_recorded_is_there(tmp_path: Path) -> None:
    tape = tmp_path / "calls.jsonl"
    look_up(ScriptedChat())
    recorder = CassetteChat(ScriptedChat(), tape, "record")
    look_up(recorder)
    recorder.chat(ChatRequest(role="answer", messages=[Message("user", "Hello")]))
    look_up(CassetteChat(None, tape, "replay"))
    with pytest.raises(ModelMissing):
        look_up(CassetteChat(LlamaCppChat(tmp_path / "none.gguf"), tape, "record"))
