"""Context windows and reading speeds of models, as servers report them."""

import json
from pathlib import Path
from typing import Any

import pytest

from thalamus.models.ollama import OllamaChat
from thalamus.models.openai import OpenAIChat
from thalamus.models.protocol import ChatRequest, Message

pytestmark = pytest.mark.storeless

CHAT = "/v1/chat/completions"
MODELS = "/v1/models"
# each token of its window takes 4096 bytes
LLAMA = {
    "general.architecture": "llama",
    "llama.context_length": 131_072,
    "llama.block_count": 1,
    "llama.embedding_length": 4096,
    "llama.attention.head_count": 32,
    "llama.attention.head_count_kv": 8,
}


def request(text: str = "Hello") -> ChatRequest:
    return ChatRequest(role="reflect", messages=[Message("user", text)])


def reply(**more: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}], **more}


@pytest.mark.parametrize(
    ("routes", "expected"),
    [
        ({MODELS: {"data": [{"id": "m", "max_model_len": 16_384}, {"id": "n"}]}}, 16_384),
        ({MODELS: {"data": [{"id": "x.gguf", "meta": {"n_ctx": 6144, "n_ctx_train": 9}}]}}, 6144),
        ({MODELS: {"data": [{"id": "m", "context_length": 1_000_000}]}}, 32_768),
        ({MODELS: {"data": [{"id": "m", "meta": {"n_ctx_train": 262_144}}]}}, 8192),
        (
            {
                MODELS: {"data": [{"id": "m"}]},
                "/props": {"default_generation_settings": {"n_ctx": 12_000}},
            },
            12_000,
        ),
        ({"/api/v0/models": {"data": [{"id": "m", "loaded_context_length": 4096}]}}, 4096),
        ({"/api/v0/models": {"data": [{"id": "m", "max_context_length": 4096}]}}, 8192),
        (
            {
                "/props": {"models": []},
                "/api/ps": {"models": [{"name": "m", "context_length": 7000}]},
            },
            7000,
        ),
        ({"/api/ps": {"models": [{"name": "m:latest", "context_length": 5000}]}}, 5000),
        ({}, 8192),
    ],
)
def test_an_openai_server_is_asked_for_its_window(
    model_server: Any, answer: Any, routes: dict[str, Any], expected: int
) -> None:
    model_server.routes = {path: lambda _, body=body: answer(body) for path, body in routes.items()}
    model_server.routes.setdefault(MODELS, lambda _: answer({"data": [{"id": "m"}]}))
    chat = OpenAIChat("m", f"{model_server.url}/v1", None, 5)
    assert [chat.context(), chat.context()] == [expected, expected]
    paths = [sent.path for sent in model_server.requests]
    assert len(paths) == len(set(paths)), "each is asked once"
    assert OpenAIChat("m", f"{model_server.url}/v1", None, 5, 7000).context() == 7000


def test_a_server_without_a_window_is_not_asked_every_time(
    model_server: Any, answer: Any, tmp_path: Path
) -> None:
    def chat() -> OpenAIChat:
        return OpenAIChat("m", f"{model_server.url}/v1", None, 5, cache=tmp_path)

    model_server.routes[MODELS] = lambda _: answer({"data": [{"id": "m"}]})
    assert chat().context() == 8192
    asked = len(model_server.requests)
    found = chat()
    assert found.capacity().why == "unknown: the server does not report one"
    assert len(model_server.requests) == asked


def test_a_server_without_a_list_of_models_is_asked_elsewhere(
    model_server: Any, answer: Any
) -> None:
    model_server.routes[CHAT] = lambda _: answer(reply())
    settings = {"default_generation_settings": {"n_ctx": 12_000}}
    model_server.routes["/props"] = lambda _: answer(settings)
    chat = OpenAIChat("m", f"{model_server.url}/v1", None, 5)
    assert chat.context() == 8192
    chat.chat(request())
    assert chat.context() == 12_000


def test_a_server_that_was_down_is_asked_once_it_answers(model_server: Any, answer: Any) -> None:
    chat = OpenAIChat("m", f"{model_server.url}/v1", None, 5)
    model_server.routes[MODELS] = lambda _: answer("starting", status=500)
    assert [chat.context(), chat.context()] == [8192, 8192]
    assert len(model_server.requests) == 1
    model_server.routes[CHAT] = lambda _: answer(reply())
    model_server.routes[MODELS] = lambda _: answer({"data": [{"id": "m", "max_model_len": 4000}]})
    chat.chat(request())
    assert chat.context() == 4000


class Ollama:
    """A server with one model: ``info`` describes it, ``vram`` is how much of it the graphics card
    holds, and requests for more than ``most`` tokens of context are refused for want of memory."""

    def __init__(self, server: Any, answer: Any, info: dict[str, Any], **more: Any) -> None:
        self.vram, self.size, self.most = 0, 5_000_000_000, 10**9
        self.server = server
        self.read: dict[str, int] = {}
        server.routes |= {
            "/api/show": lambda _: answer({"model_info": info, **more}),
            "/api/tags": lambda _: answer({"models": [{"model": "m:latest", "size": 1000}]}),
            "/api/ps": lambda _: answer(
                {"models": [{"model": "m:latest", "size": self.size, "size_vram": self.vram}]}
            ),
            "/api/chat": lambda body: self._reply(body, answer),
        }

    def _reply(self, body: Any, answer: Any) -> Any:
        if body["options"]["num_ctx"] > self.most:
            words = "model requires more system memory (9.1 GiB) than is available (3.0 GiB)"
            return answer({"error": words}, status=500)
        message = {"role": "assistant", "content": "Hi"}
        last = {"model": "m", "message": message, "done": True, "done_reason": "stop", **self.read}
        return answer(pieces=[json.dumps(last).encode()])

    def asked(self) -> list[int]:
        return [body["options"]["num_ctx"] for body in self.server.bodies("/api/chat")]

    def model(self, cache: Path | None = None, context: int | None = None) -> OllamaChat:
        return OllamaChat("m", self.server.url, 5, "5m", context, cache)


@pytest.mark.parametrize(
    ("info", "parameters", "expected", "why"),
    [
        (LLAMA, "", 32_768, "the model's own: 131,072; more has to be set by hand"),
        (LLAMA, 'stop "x"\nnum_ctx    12000', 12_000, "the model's own"),
        (LLAMA | {"llama.context_length": 2048}, "", 2048, "the model's own"),
        (LLAMA | {"llama.block_count": 10**9}, "", 4096, "may be too little memory"),
        ({"general.architecture": "x", "x.context_length": 40_960}, "", 8192, "too little memory"),
        ({}, "", 8192, "unknown"),
    ],
)
def test_the_window_of_an_ollama_model_is_its_own_as_far_as_the_memory_goes(
    model_server: Any, answer: Any, info: dict[str, Any], parameters: str, expected: int, why: str
) -> None:
    ollama = Ollama(model_server, answer, info, parameters=parameters)
    chat = ollama.model()
    assert chat.context() == expected
    assert why in chat.capacity().why
    chat.chat(request())
    assert ollama.asked() == [expected]
    assert ollama.model(context=1000).capacity().why == "set by hand"


def test_a_window_that_does_not_fit_on_the_graphics_card_is_made_smaller(
    model_server: Any, answer: Any, tmp_path: Path
) -> None:
    ollama = Ollama(model_server, answer, LLAMA)
    ollama.vram = ollama.size - 60_000_000
    chat = ollama.model(tmp_path)
    assert chat.context() == 32_768
    chat.chat(request())
    assert chat.context() == 16_384
    ollama.vram = ollama.size - 30_000_000
    again = ollama.model(tmp_path)
    again.chat(request())
    assert (again.context(), ollama.asked()) == (16_384, [32_768, 16_384])
    assert len(model_server.bodies("/api/ps")) == 1, "it would be loaded again and again"


def test_a_model_that_gets_too_little_memory_is_asked_for_less(
    model_server: Any, answer: Any, tmp_path: Path
) -> None:
    ollama = Ollama(model_server, answer, LLAMA)
    ollama.most = 10_000
    chat = ollama.model(tmp_path)
    assert chat.chat(request()).text == "Hi"
    assert (ollama.asked(), ollama.model(tmp_path).context()) == ([32_768, 16_384, 8192], 8192)


def test_three_long_prompts_tell_how_fast_a_model_reads(
    model_server: Any, answer: Any, tmp_path: Path
) -> None:
    def chat() -> OpenAIChat:
        return OpenAIChat("m", f"{model_server.url}/v1", None, 5, 32_768, tmp_path)

    def read(tokens: int, cached: int, ms: float) -> None:
        timings = {"prompt_n": tokens - cached, "cache_n": cached, "prompt_ms": ms}
        sent = reply(usage={"prompt_tokens": tokens}, timings=timings)
        model_server.routes[CHAT] = lambda _: answer(sent)
        chat().chat(request())

    read(1000, 0, 2000)
    read(1400, 800, 1000)
    read(5000, 4600, 100)  # too few of them were read to say anything
    assert (chat().capacity().readings, chat().capacity().reads) == (2, None)
    read(600, 0, 6000)
    found = chat().capacity()
    assert (found.readings, found.speed, found.reads) == (3, 500, 2000)


def test_what_a_prompt_has_in_common_with_earlier_ones_may_have_been_cached(
    model_server: Any, answer: Any, tmp_path: Path
) -> None:
    ollama = Ollama(model_server, answer, LLAMA)
    ollama.read = {"prompt_eval_count": 1000, "prompt_eval_duration": 1_000_000_000}
    beginning = "always the same words " * 180
    for _ in range(4):
        ollama.model(tmp_path).chat(request(beginning))
    assert ollama.model(tmp_path).capacity().readings == 1
    for number in range(3):
        ollama.model(tmp_path).chat(request(f"{number} is new here {beginning}"))
    found = ollama.model(tmp_path).capacity()
    assert (found.readings, found.speed, found.reads) == (4, 875, 4000)
