"""Cassettes: what is recorded is replayed, and what was not recorded is explained."""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from thalamus.errors import CassetteMiss, ConfigError, ModelUnreachable
from thalamus.models.cassette import CassetteChat, CassetteEmbedder
from thalamus.models.protocol import ChatReply, ChatRequest, Message, TokenSink
from thalamus.models.scripted import ScriptedChat, ScriptedEmbedder

pytestmark = pytest.mark.storeless


def request(said: str = "I own a boat.", **more: Any) -> ChatRequest:
    system = Message("system", "You remember.\nBe short.")
    return ChatRequest(role="answer", messages=[system, Message("user", said)], **more)


@pytest.fixture
def tape(tmp_path: Path) -> Path:
    return tmp_path / "calls.jsonl"


def test_a_call_is_recorded_and_replayed_without_the_model(tape: Path) -> None:
    recorder = CassetteChat(ScriptedChat(), tape, "record")
    assert (recorder.name, recorder.context()) == ("scripted", 8192)
    heard: list[str] = []
    recorded = recorder.chat(request("Olá, I own a boat."), heard.append)
    assert "".join(heard) == recorded.text

    player = CassetteChat(None, tape, "replay")
    again: list[str] = []
    assert player.chat(request("Olá, I own a boat."), again.append) == recorded
    assert again == heard and len(again) > 3
    assert (player.name, player.context()) == ("scripted", 8192)
    header, entry = tape.read_text(encoding="utf-8").splitlines()
    assert json.loads(header) == {"cassette": 1}
    settings = ("kind", "model", "context", "small", "billions", "calls_tools")
    assert set(json.loads(entry)) == {*settings, "request", "reply"}
    assert set(json.loads(entry)["request"]["messages"][0]) == {"role", "content"}
    assert not {"tools", "calls", "thinking"} & set(json.loads(entry)["request"])


def test_times_are_not_recorded(tape: Path) -> None:
    class Timed(ScriptedChat):
        def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
            reply = super().chat(request, on_token)
            return structs.replace(reply, tokens_cached=2, prompt_ms=1.5, reply_ms=2.5)

    recorded = CassetteChat(Timed(), tape, "record").chat(request())
    assert (recorded.tokens_cached, recorded.prompt_ms, recorded.reply_ms) == (2, None, None)
    assert CassetteChat(None, tape, "replay").chat(request()) == recorded


def test_the_probability_of_yes_is_recorded_and_replayed(tape: Path, tmp_path: Path) -> None:
    script = tmp_path / "play.yaml"
    entries = "{role: verify, reply: 0.25, times: 1}, {role: verify, reply: Hm, times: 1}"
    script.write_text(f"[{entries}, {{reply: one}}]", encoding="utf-8")
    recorder = CassetteChat(ScriptedChat(script), tape, "record")
    verify = structs.replace(request(), role="verify")
    assert [recorder.yes(verify), recorder.yes(verify)] == [0.25, None]
    recorder.chat(request())
    player = CassetteChat(None, tape, "replay")
    assert [player.yes(verify), player.yes(verify)] == [0.25, None]
    assert player.chat(request()).text == "one"
    with pytest.raises(CassetteMiss, match="no call of the role verify"):
        player.chat(verify)
    with pytest.raises(CassetteMiss, match=r"\+seed: 1"):
        player.yes(structs.replace(verify, seed=1))


def test_repetitions_are_replayed_in_order_and_the_last_one_stays(
    tape: Path, tmp_path: Path
) -> None:
    script = tmp_path / "play.yaml"
    script.write_text("[{reply: one, times: 1}, {reply: two, times: 1}]", encoding="utf-8")
    recorder = CassetteChat(ScriptedChat(script), tape, "record")
    recorder.chat(request())
    recorder.chat(request())
    player = CassetteChat(None, tape, "replay")
    assert [player.chat(request()).text for _ in range(3)] == ["one", "two", "two"]
    assert CassetteChat(None, tape, "replay").chat(request()).text == "one"


@pytest.mark.parametrize(
    "change",
    [{"schema": {"type": "object"}}, {"max_tokens": 9}, {"temperature": 0.5}, {"seed": 1}],
)
def test_every_part_of_the_request_counts(tape: Path, change: dict[str, Any]) -> None:
    CassetteChat(ScriptedChat(), tape, "record").chat(request())
    player = CassetteChat(None, tape, "replay")
    with pytest.raises(CassetteMiss) as caught:
        player.chat(request(**change))
    name = next(iter(change))
    assert f"\n+{name}: " in caught.value.message
    assert "record" in caught.value.advice


def test_a_miss_shows_the_difference_to_the_nearest_call_of_the_role(tape: Path) -> None:
    recorder = CassetteChat(ScriptedChat(), tape, "record")
    for said in ("I own a boat.", "What is the time?", "word " * 400 + "end"):
        recorder.chat(request(said))
    player = CassetteChat(None, tape, "replay")
    with pytest.raises(CassetteMiss) as caught:
        player.chat(request("word " * 400 + "finish"))
    message = caught.value.message
    assert str(tape) in message
    assert "finish" in message and "end" in message and "boat" not in message
    assert len(message.splitlines()) < 20
    plan = ChatRequest(role="plan", messages=[])
    with pytest.raises(CassetteMiss, match="no call of the role plan"):
        player.chat(plan)


def test_texts_are_replayed_whatever_their_batches_were(tape: Path) -> None:
    recorder = CassetteEmbedder(ScriptedEmbedder(), tape, "record")
    assert (recorder.name, recorder.dimension()) == ("scripted", 64)
    vectors = recorder.embed(["a boat", "a house", ""], "document")
    question = recorder.embed(["a boat?"], "query")
    player = CassetteEmbedder(None, tape, "replay")
    assert (player.name, player.dimension()) == ("scripted", 64)
    assert player.embed(["", "a boat"], "document") == [vectors[2], vectors[0]]
    assert player.embed(["a boat?"], "query") == question
    assert player.embed([], "document") == []
    with pytest.raises(CassetteMiss, match=r"-a boat\n\+a big boat"):
        player.embed(["a boat", "a big boat"], "document")
    with pytest.raises(CassetteMiss):
        player.embed(["a house"], "query")


def test_chat_and_embeddings_share_a_file(tape: Path) -> None:
    CassetteChat(ScriptedChat(), tape, "record").chat(request())
    vectors = CassetteEmbedder(ScriptedEmbedder(), tape, "record").embed(["x"], "query")
    assert CassetteEmbedder(None, tape, "replay").embed(["x"], "query") == vectors
    assert CassetteChat(None, tape, "replay").chat(request()).text.startswith("Noted")


def test_the_name_is_the_model_asked_for_where_it_was_recorded(tape: Path) -> None:
    class Other(ScriptedChat):
        name = "other:model"

        def __init__(self) -> None:
            super().__init__()
            self.name = "other:model"

        def context(self) -> int:
            return 100

    CassetteChat(ScriptedChat(), tape, "record").chat(request())
    CassetteChat(Other(), tape, "record").chat(request("hello"))
    asked = CassetteChat(None, tape, "replay", "other:model")
    assert (asked.name, asked.context()) == ("other:model", 100)
    assert CassetteChat(None, tape, "replay", "unknown:model").name == "scripted"
    embedder = CassetteEmbedder(None, tape, "replay", "ollama:nomic")
    assert embedder.name == "ollama:nomic"
    with pytest.raises(CassetteMiss, match="no call of the embedder"):
        embedder.dimension()


def test_a_failed_call_leaves_no_recording(tape: Path, tmp_path: Path) -> None:
    script = tmp_path / "play.yaml"
    script.write_text("[{error: unreachable}]", encoding="utf-8")
    with pytest.raises(ModelUnreachable):
        CassetteChat(ScriptedChat(script), tape, "record").chat(request())
    assert not tape.exists()


def test_there_must_be_a_file_to_replay_and_a_model_to_record(tape: Path) -> None:
    with pytest.raises(CassetteMiss, match="no such file"):
        CassetteChat(None, tape, "replay")
    with pytest.raises(ValueError, match="no model"):
        CassetteChat(None, tape, "record")
    with pytest.raises(ConfigError, match="cannot write"):
        CassetteChat(ScriptedChat(), tape / "below" / "x", "record").chat(request())


@pytest.mark.parametrize(
    ("lines", "line", "problem"),
    [
        (["not json"], 1, ""),
        (['{"cassette":2}'], 1, "the first line must be"),
        (['{"cassette":1}', '{"kind":"chat","model":"m","req'], 2, ""),
        (['{"cassette":1}', "", '{"kind":"song","model":"m"}'], 3, "neither"),
        (['{"cassette":1}', '{"kind":"chat","model":"m","reply":{}}'], 2, "missing request"),
        (['{"cassette":1}', '{"kind":"chat","model":"m","request":{},"reply":{}}'], 2, "role"),
        (
            [
                '{"cassette":1}',
                '{"kind":"embed","model":"m","request":{"texts":["a"],"kind":"query"},'
                '"reply":{"dimension":2,"vectors":["AAAA"]}}',
            ],
            2,
            "dimension",
        ),
        (
            [
                '{"cassette":1}',
                '{"kind":"embed","model":"m","request":{"texts":["a"],"kind":"query"},'
                '"reply":{"dimension":2,"vectors":[]}}',
            ],
            2,
            "do not match",
        ),
    ],
)
def test_a_damaged_line_is_named(tape: Path, lines: list[str], line: int, problem: str) -> None:
    tape.write_text("\n".join(lines), encoding="utf-8")
    for player in (CassetteChat, CassetteEmbedder):
        with pytest.raises(ConfigError, match=rf"line {line}: .*{problem}") as caught:
            player(None, tape, "replay")
        assert "calls.jsonl" in caught.value.message


def _record_some(path: Path, who: int) -> None:
    recorder = CassetteChat(ScriptedChat(), path, "record")
    for number in range(20):
        recorder.chat(request(f"I own boat {who} and house {number}. " + "word " * 2000))


def test_processes_record_into_one_file_at_once(tape: Path) -> None:
    start = multiprocessing.get_context("spawn")
    processes = [start.Process(target=_record_some, args=(tape, who)) for who in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    assert tape.read_text(encoding="utf-8").count('{"cassette": 1}') == 1
    player = CassetteChat(None, tape, "replay")
    for who in range(3):
        said = f"I own boat {who} and house 19. " + "word " * 2000
        assert player.chat(request(said)).text.startswith(f"Noted: You own boat {who}")
