"""What a prompt holds of the memory, by what the model takes, through the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]
FACTS = 300  # that have more words than any budget here


@pytest.fixture
def settings(model_server: Any, answer: Any) -> dict[str, str]:
    """Those of a server with a window of 64,000 tokens, which reads 100 tokens a second."""
    listed = {"data": [{"id": "m", "max_model_len": 64_000}]}
    model_server.routes["/v1/models"] = lambda _: answer(listed)
    reply = {
        "choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000},
        "timings": {"cache_n": 0, "prompt_ms": 10_000},
    }
    model_server.routes["/v1/chat/completions"] = lambda _: answer(reply)
    return {
        "THALAMUS_MODEL": "openai:m",
        "THALAMUS_OPENAI_BASE_URL": f"{model_server.url}/v1",
        "THALAMUS_ENABLE_REFLECTION": "false",
        "THALAMUS_NOW": "",
    }


def test_notes_take_what_the_model_can_read(
    run: Run, model_server: Any, settings: dict[str, str]
) -> None:
    def tokens_of_a_prompt(**more: str) -> int:
        done = run("turn", "What do I like?", env=settings | more)
        assert done.code == 0, done.stderr
        sent = model_server.bodies("/v1/chat/completions")[-1]["messages"]
        return len(sent[-1]["content"]) // 4

    def window() -> str:
        records = run("doctor", "--json", env=settings).records
        (found,) = (record for record in records if record["name"].startswith("window "))
        return str(found["detail"])

    likes = (
        f"I like the {number}th song of the long and very green album of the year {1000 + number}."
        for number in range(FACTS)
    )
    memories = "\n".join(
        json.dumps({"record": "memory", "v": 1, "content": text}) for text in likes
    )
    assert run("store", input=memories, env=settings).code == 0
    assert window() == (
        "32,768 tokens (the server's: 64,000; more has to be set by hand);"
        " reads 100 tokens a second (median of 1 prompt); notes: 4,000 tokens at most"
    )
    assert 3000 < tokens_of_a_prompt() < 5000
    assert 200 < tokens_of_a_prompt(THALAMUS_TOKEN_BUDGET="500") < 600
    assert window().endswith("(median of 4 prompts); notes: 1,000 tokens at most")
    assert 800 < tokens_of_a_prompt() < 1300
    fixed = {"THALAMUS_NOW": "2026-06-11T09:00:00Z"}
    assert 1500 < tokens_of_a_prompt(**fixed) < 2500, "a quarter of 8,192, on every machine"
    by_hand = {"THALAMUS_TOKEN_BUDGET": "6000", "THALAMUS_CONTEXT": "20000"}
    assert 4000 < tokens_of_a_prompt(**by_hand) < 7000
