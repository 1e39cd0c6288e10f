"""From a model's name to the model."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.models.one_slot import send_json
from thalamus.config import Config
from thalamus.errors import CassetteMiss, ConfigError, ModelMissing, UsageError
from thalamus.models.catalogue import find
from thalamus.models.protocol import ChatRequest, Message
from thalamus.models.resolve import NAMES, Models, chat_model, embedder

pytestmark = pytest.mark.storeless

REQUEST = ChatRequest(role="answer", messages=[Message("user", "I own a boat.")])
needs_llamacpp = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None, reason="xllamacpp is not installed"
)


class OllamaStandIn(BaseHTTPRequestHandler):
    """Speaks as much of Ollama's API as choosing and one chat need."""

    models: tuple[str, ...] = ()

    def do_GET(self) -> None:
        known: dict[str, Any] = {
            "/api/version": {"version": "0.9.0"},
            "/api/tags": {"models": [{"model": name, "size": 1} for name in self.models]},
        }
        send_json(self, known.get(self.path, {}))

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/api/show":
            send_json(self, {"model_info": {"x.context_length": 2048}})
            return
        message = {"role": "assistant", "content": "A fine boat."}
        counts = {"prompt_eval_count": 4, "eval_count": 3, "done_reason": "stop"}
        send_json(self, {"model": "m", "message": message, "done": True, **counts})

    def log_message(self, format: str, *args: object) -> None:
        """Keeps the test's output clean."""


@pytest.fixture
def ollama() -> Iterator[tuple[type[OllamaStandIn], str]]:
    """A stand-in for Ollama: its class (whose ``models`` a test sets) and its address."""

    class Handler(OllamaStandIn):
        pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield Handler, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def nobody() -> str:
    """An address at which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


def fetched(home: Path, name: str = "smollm2") -> None:
    """Puts a file of the right name and size where `models pull` puts the real one."""
    model = find(name)
    path = Config(home=str(home)).cache_dir / "models" / model.filename
    path.parent.mkdir(parents=True)
    path.touch()
    os.truncate(path, model.size)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("scripted", "scripted"),
        ("ollama:qwen3:4b", "ollama:qwen3:4b"),
        ("openai:gpt-oss", "openai:gpt-oss"),
        ("llamacpp:some/model.gguf", "llamacpp:some/model.gguf"),
    ],
)
def test_a_chat_model_is_named_like_its_spec(spec: str, name: str, nobody: str) -> None:
    config = Config(ollama_host=nobody, openai_base_url=nobody)
    assert chat_model(spec, config).name == name


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("scripted", "scripted"),
        ("wordllama", "wordllama:l2_supercat_256"),
        ("wordllama:l2_supercat_256", "wordllama:l2_supercat_256"),
        ("static", "static:wordllama_potion_256"),
        ("static:wordllama_potion_256", "static:wordllama_potion_256"),
        ("ollama:nomic-embed-text", "ollama:nomic-embed-text"),
        ("openai:embed", "openai:embed"),
        ("llamacpp:model.gguf", "llamacpp:model.gguf"),
    ],
)
def test_an_embedder_is_named_like_its_spec(spec: str, name: str, nobody: str) -> None:
    found = embedder(spec, Config(ollama_host=nobody, openai_base_url=nobody))
    assert found is not None and found.name == name


def test_none_is_no_embedder() -> None:
    assert embedder("none", Config()) is None


@pytest.mark.parametrize(
    "spec", ["", "gpt-4", "ollama", "ollama:", "none", "wordllama", "auto:x", "scripted:"]
)
def test_what_is_no_chat_model_gets_the_list_of_those(spec: str) -> None:
    with pytest.raises(UsageError) as caught:
        chat_model(spec, Config())
    assert "ollama:NAME" in caught.value.advice
    assert "wordllama" not in caught.value.advice


@pytest.mark.parametrize(
    "spec", ["", "auto:x", "ollama", "wordllama:other", "none:x", "scripted:play.yaml"]
)
def test_what_is_no_embedder_gets_the_list_of_those(spec: str) -> None:
    with pytest.raises(UsageError) as caught:
        embedder(spec, Config())
    assert "wordllama" in caught.value.advice and "scripted:FILE" not in caught.value.advice


def test_a_scripted_model_plays_its_file(tmp_path: Path) -> None:
    path = tmp_path / "play.yaml"
    path.write_text("[{reply: By the script.}]", encoding="utf-8")
    chat = chat_model(f"scripted:{path}", Config())
    assert chat.chat(REQUEST).text == "By the script."


def test_openai_needs_an_address() -> None:
    for choose in (chat_model, embedder):
        with pytest.raises(ConfigError, match="openai_base_url") as caught:
            choose("openai:m", Config())
        assert "THALAMUS_OPENAI_BASE_URL" in caught.value.advice


def test_auto_takes_ollamas_first_model_that_chats(
    ollama: tuple[type[OllamaStandIn], str], tmp_path: Path
) -> None:
    handler, host = ollama
    handler.models = ("nomic-embed-text:latest", "qwen3:4b", "llama3:8b")
    chat = chat_model("auto", Config(home=str(tmp_path), ollama_host=host))
    assert chat.name == "ollama:qwen3:4b"
    assert chat.chat(REQUEST).text == "A fine boat."


@needs_llamacpp
def test_auto_takes_a_fetched_model_when_ollama_has_none(
    ollama: tuple[type[OllamaStandIn], str], nobody: str, tmp_path: Path
) -> None:
    fetched(tmp_path)
    for host in (ollama[1], nobody):
        chat = chat_model("auto", Config(home=str(tmp_path), ollama_host=host))
        assert chat.name == "llamacpp:smollm2"


def test_auto_says_what_to_do_when_there_is_nothing(
    ollama: tuple[type[OllamaStandIn], str], nobody: str, tmp_path: Path
) -> None:
    for host in (ollama[1], nobody):
        with pytest.raises(ModelMissing, match="no chat model") as caught:
            chat_model("auto", Config(home=str(tmp_path), ollama_host=host))
        for advice in ("ollama pull", "thalamus models pull smollm2", "--model"):
            assert advice in caught.value.advice


def test_a_model_of_the_catalogue_is_known_by_its_name(tmp_path: Path) -> None:
    config = Config(home=str(tmp_path))
    with pytest.raises(ModelMissing, match="smollm2") as caught:
        chat_model("llamacpp:smollm2", config)
    assert "thalamus models pull smollm2" in caught.value.advice
    with pytest.raises(ModelMissing, match="smollm3"):
        chat_model("llamacpp:smollm3", config)
    fetched(tmp_path)
    assert chat_model("llamacpp:smollm2", config).name == "llamacpp:smollm2"


def test_a_provider_is_recorded_and_then_replayed_without_it(
    ollama: tuple[type[OllamaStandIn], str], nobody: str, tmp_path: Path
) -> None:
    handler, host = ollama
    handler.models = ("qwen3:4b",)
    tape = str(tmp_path / "calls.jsonl")
    record = Config(
        home=str(tmp_path), ollama_host=host, cassette=tape, cassette_mode="record", model="auto"
    )
    recorded = Models(record).chat("answer").chat(REQUEST)
    assert recorded.text == "A fine boat."

    for spec in ("auto", "ollama:qwen3:4b"):
        replay = Config(home=str(tmp_path), ollama_host=nobody, cassette=tape, model=spec)
        chat = Models(replay).chat("answer")
        assert (chat.name, chat.context()) == ("ollama:qwen3:4b", 2048)
        assert chat.chat(REQUEST) == recorded
    played = chat_model(f"cassette:{tape}", Config())
    assert (played.name, played.chat(REQUEST)) == ("ollama:qwen3:4b", recorded)


def test_replay_needs_no_setting_of_the_provider(tmp_path: Path) -> None:
    config = Config(cassette=str(tmp_path / "calls.jsonl"))
    with pytest.raises(CassetteMiss, match="no such file"):
        chat_model("openai:m", config)
    with pytest.raises(CassetteMiss, match="no such file"):
        embedder("llamacpp:nowhere.gguf", config)


def test_deterministic_models_are_not_recorded(tmp_path: Path) -> None:
    tape = tmp_path / "calls.jsonl"
    for mode in ("record", "replay"):
        config = Config(cassette=str(tape), cassette_mode=mode, embedder="wordllama")
        assert chat_model("scripted", config).chat(REQUEST).text == "Noted: You own a boat."
        found = embedder("scripted", config)
        assert found is not None and len(found.embed(["a boat"], "query")) == 1
        words = embedder("wordllama", config)
        assert words is not None and words.dimension() == 256
    assert not tape.exists()


def test_models_are_made_once_for_each_spec(tmp_path: Path) -> None:
    play = tmp_path / "play.yaml"
    play.write_text("[{reply: hm}]", encoding="utf-8")
    models = Models(
        Config(model="scripted", models={"plan": f"scripted:{play}"}, embedder="scripted")
    )
    assert models.chat("answer") is models.chat("reflect")
    assert models.chat("plan").name == f"scripted:{play}"
    assert models.embedder() is models.embedder()
    assert Models(Config(embedder="none")).embedder() is None


def test_making_models_costs_and_checks_nothing() -> None:
    code = (
        "import sys\n"
        "from thalamus.config import Config\n"
        "from thalamus.models.resolve import Models\n"
        "Models(Config(model='nonsense', embedder='nonsense'))\n"
        "heavy = ('numpy', 'ollama', 'httpx', 'xllamacpp', 'tokenizers', 'yaml')\n"
        "print([name for name in heavy if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_form_says_what_it_is_for() -> None:
    assert all(use.startswith(("chat", "embeddings")) for use in NAMES.values())


@pytest.mark.parametrize(
    ("models", "chosen"),
    [
        ((), "static:wordllama_potion_256"),
        (("qwen3:4b", "nomic-embed-text:latest"), "static:wordllama_potion_256"),
        (("mxbai-embed-large:latest", "bge-m3:latest", "qwen3:4b"), "ollama:bge-m3"),
        (("bge-m3:567m-fp16", "embeddinggemma:300m"), "ollama:embeddinggemma:300m"),
    ],
)
def test_a_new_store_takes_the_best_embedder_of_ollama(
    models: tuple[str, ...],
    chosen: str,
    ollama: tuple[type[OllamaStandIn], str],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    handler, host = ollama
    handler.models = models
    found = Models(Config(home=str(tmp_path), ollama_host=host, embedder="auto")).embedder()
    assert found is not None and found.name == chosen
    assert (chosen in caplog.text) == chosen.startswith("ollama")


def test_a_new_store_takes_the_embedder_that_was_pulled(
    ollama: tuple[type[OllamaStandIn], str], tmp_path: Path
) -> None:
    handler, host = ollama
    handler.models = ("bge-m3:latest",)
    config = Config(home=str(tmp_path), ollama_host=host)
    fetched(tmp_path, "multilingual")
    for one, chosen in (
        (config, "multilingual:e5-small-q4"),
        (structs.replace(config, deterministic=True), "static:wordllama_potion_256"),
    ):
        found = embedder("auto", one)
        assert found is not None and found.name == chosen


@pytest.mark.parametrize(
    ("stored", "chosen"),
    [
        (["wordllama:l2_supercat_256", "ollama:bge-m3"], "wordllama:l2_supercat_256"),
        (["ollama:gone (1024 dimensions)"], "ollama:gone"),
        (["text-embedding-3-small", "openai:large", "scripted"], "scripted"),
    ],
)
def test_a_store_keeps_its_embedder(
    stored: list[str],
    chosen: str,
    ollama: tuple[type[OllamaStandIn], str],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    handler, host = ollama
    handler.models = ("embeddinggemma:latest",)
    config = Config(home=str(tmp_path), ollama_host=host)
    found = embedder("auto", config, lambda: stored)
    assert found is not None and found.name == chosen
    assert not caplog.text


def test_a_store_whose_pulled_embedder_is_gone_does_not_take_another(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="multilingual"):
        embedder("auto", Config(home=str(tmp_path)), lambda: ["multilingual:e5-small-q4"])
