"""Replies of model servers that were damaged or made to do harm: errors of the model, by name."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.models import test_ollama as ollama
from tests.models import test_openai as openai
from tests.mutations import mutated, mutated_bytes
from thalamus.diagnostics import yes_or_no
from thalamus.errors import ThalamusError
from thalamus.models.ollama import OllamaChat, OllamaEmbedder, list_models
from thalamus.models.openai import OpenAIChat, OpenAIEmbedder
from thalamus.models.protocol import ChatReply
from thalamus.policy.vector import unpack

pytestmark = pytest.mark.storeless

SHOW = {"model_info": {"general.architecture": "x", "x.context_length": 32768}}
CHOICE = {"token": "Yes", "logprob": -0.1, "top_logprobs": [{"token": "no", "logprob": -3.0}]}
WHOLE = openai.whole('{"a": "b"}')
WHOLE["choices"][0]["logprobs"] = {"content": [CHOICE]}
EVENTS = (openai.delta("He"), openai.delta("y", "stop"), {"choices": [], "usage": WHOLE["usage"]})
VECTORS = {"data": [{"index": 0, "embedding": [0.6, 0.8]}], "usage": {"prompt_tokens": 1}}
TAGS = {"models": [{"name": "m", "size": 5, "details": {"family": "x"}, "digest": "d"}]}
RANDOM = st.randoms(use_true_random=False)
OFTEN = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def damaged(answer: Any, value: object, random: Random) -> Any:
    """An answer whose JSON, or any byte, was changed."""
    if random.random() < 0.7:
        return answer(mutated(value, random))
    return answer(pieces=[mutated_bytes(json.dumps(value).encode(), random)])


def damaged_lines(answer: Any, lines: list[bytes], random: Random) -> Any:
    """A stream in which some bytes were changed."""
    return answer(pieces=[mutated_bytes(line, random, lines) for line in lines])


def ask(*ways: Callable[[], Any]) -> None:
    """Asks a model in several ways: what is no error is a reply, or finite vectors."""
    for way in ways:
        with suppress(ThalamusError):
            found = way()
            if isinstance(found, ChatReply):
                assert isinstance(found.text, str)
            for each in found if isinstance(found, list) else ():
                assert not isinstance(each, bytes) or all(map(math.isfinite, unpack(each)))


@given(random=RANDOM)
@OFTEN
def test_an_openai_server(model_server: Any, answer: Any, random: Random) -> None:
    chat = OpenAIChat("m", model_server.url + "/v1/", "", 2, context=2048)
    routes = model_server.routes
    routes[openai.CHAT] = lambda body: (
        damaged_lines(answer, openai.sse(*EVENTS, "[DONE]"), random)
        if body.get("stream")
        else damaged(answer, WHOLE, random)
    )
    routes["/v1/embeddings"] = lambda body: damaged(answer, VECTORS, random)
    pieces: list[str] = []
    ask(
        lambda: chat.chat(openai.request()),
        lambda: chat.chat(openai.request(schema=openai.SCHEMA)),
        lambda: chat.chat(openai.request(), pieces.append),
        lambda: yes_or_no(chat),
        lambda: OpenAIEmbedder("m", model_server.url + "/v1/", "", 2).embed(["x"], "query"),
    )


@pytest.mark.parametrize("length", [0, -1, True, "x", None])
def test_a_model_of_no_length(model_server: Any, answer: Any, length: object) -> None:
    chat = OllamaChat("m", model_server.url, 2, "5m", context=8192)
    for more in ({}, {"parameters": "num_ctx 0"}):
        shown = {"model_info": {"general.architecture": "x", "x.context_length": length}, **more}
        model_server.routes["/api/show"] = lambda body, shown=shown: answer(shown)
        model_server.routes["/api/chat"] = lambda body: answer(ollama.part("Hi", done=True))
        assert chat.chat(ollama.request()).text == "Hi"
        assert model_server.bodies("/api/chat")[-1]["options"]["num_ctx"] > 0


@given(random=RANDOM)
@OFTEN
def test_ollama(model_server: Any, answer: Any, random: Random) -> None:
    chat = OllamaChat("m", model_server.url, 2, "5m", context=8192)
    routes = model_server.routes
    parts = [ollama.part('{"a":'), ollama.part(' "b"}'), ollama.LAST]
    routes["/api/show"] = lambda body: damaged(answer, SHOW, random)
    routes["/api/chat"] = lambda body: (
        damaged_lines(answer, ollama.lines(*parts), random)
        if body.get("stream")
        else damaged(answer, ollama.part("Hi", done=True, logprobs=[CHOICE]), random)
    )
    routes["/api/embed"] = lambda body: damaged(answer, {"embeddings": [[0.6, 0.8]]}, random)
    routes["/api/tags"] = lambda body: damaged(answer, TAGS, random)
    ask(
        lambda: chat.chat(ollama.request()),
        lambda: chat.chat(ollama.request(schema=ollama.SCHEMA)),
        lambda: yes_or_no(chat),
        lambda: OllamaEmbedder("m", model_server.url, 2, "5m").embed(["x"], "query"),
        lambda: list_models(model_server.url, 2),
    )
