"""Rerankers: which model a name means, and how each judges."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import pytest

from tests.models.conftest import Answer, ModelServer
from tests.models.test_llamacpp import model_file
from tests.models.tiny_cross_encoder import write_cross_encoder
from thalamus.config import Config
from thalamus.errors import (
    CassetteMiss,
    ConfigError,
    ModelFailed,
    ModelMissing,
    ModelUnreachable,
    ThalamusError,
    UsageError,
)
from thalamus.models.cassette import CassetteReranker
from thalamus.models.chat_reranker import LONGEST, ChatReranker
from thalamus.models.gguf import POOLING_RANK, read_header
from thalamus.models.llamacpp_reranker import LlamaCppReranker
from thalamus.models.protocol import Reranker
from thalamus.models.resolve import Models, reranker
from thalamus.models.scripted import ScriptedReranker

pytestmark = pytest.mark.storeless

needs_llamacpp = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None, reason="xllamacpp is not installed"
)
BOATS = ["mara likes tea", "tom sold the boat", "boat sail harbour"]


def found(spec: str, **settings: Any) -> Reranker:
    made = reranker(spec, Config(**settings))
    assert made is not None
    return made


PLAIN = "{match: Hedda lives in Turin, reply: yes}, {match: I love figs, reply: no}, "


def script(tmp_path: Path, entries: str, plain: str = PLAIN) -> str:
    """A model that can tell a yes from a no and plays these entries."""
    path = tmp_path / "play.yaml"
    path.write_text(f"[{plain}{entries}]", encoding="utf-8")
    return f"scripted:{path}"


@pytest.fixture
def cross_encoder(tmp_path: Path) -> Path:
    return write_cross_encoder(tmp_path / "tiny.gguf")


def test_none_is_the_default() -> None:
    assert Config().reranker == "none"
    assert Models(Config()).reranker() is None
    assert reranker("none", Config()) is None


def test_it_is_made_once() -> None:
    models = Models(Config(reranker="scripted"))
    assert models.reranker() is models.reranker()


@pytest.mark.parametrize("spec", ["wordllama", "auto", "nonsense", "llamacpp", "none:x"])
def test_names_of_other_models(spec: str) -> None:
    with pytest.raises(UsageError, match="is not the name of a reranker") as caught:
        reranker(spec, Config())
    assert "llamacpp:PATH.gguf" in caught.value.advice


def test_the_scripted_one_counts_the_questions_words() -> None:
    scores = ScriptedReranker().score("Who sold the boats?", ["Tom sells boats.", "A boat", "Tea"])
    assert scores == [0.5, 0.5, 0.0]
    assert ScriptedReranker().score("?", ["Tea"]) == [0.0]
    assert ScriptedReranker().score("Boat?", []) == []


def test_a_chat_model_is_asked_of_each_text(tmp_path: Path) -> None:
    play = script(
        tmp_path,
        "{role: verify, match: 'Tom did.\\nQuestion: Who sold it', reply: 0.9},"
        "{role: verify, match: Ana, reply: no}",
    )
    judge = found(play)
    assert (judge.name, judge.score("Who sold it?", ["Tom did.", "Ana."])) == (play, [0.9, 0.0])


def test_a_chat_model_reads_the_beginning_of_a_long_text(tmp_path: Path) -> None:
    play = script(tmp_path, "{match: boat, reply: yes}, {reply: no}")
    judge = found(play)
    assert judge.score("Who?", ["x" * LONGEST + " boat", "boat " + "x" * LONGEST]) == [0.0, 1.0]


@pytest.mark.parametrize(
    ("entries", "error", "words"),
    [
        ("{reply: Hm}", ModelFailed, "neither yes nor no"),
        ("{error: unreachable}", ModelUnreachable, "its script says so"),
    ],
)
def test_a_chat_model_that_cannot_judge(
    tmp_path: Path, entries: str, error: type[ThalamusError], words: str
) -> None:
    with pytest.raises(error, match=words):
        found(script(tmp_path, entries)).score("Who?", ["Tom."])


def test_a_chat_model_that_cannot_tell_a_yes_from_a_no_does_not_judge(tmp_path: Path) -> None:
    plain = "{match: Hedda lives in Turin, reply: 0.6}, {match: I love figs, reply: 0.5}, "
    judge = found(script(tmp_path, "{reply: yes}", plain))
    for _ in range(2):
        with pytest.raises(ModelFailed, match="cannot tell a note that answers"):
            judge.score("Who?", ["Tom."])


def test_ollama_is_asked_for_yes_or_no(model_server: ModelServer) -> None:
    def answer(body: dict[str, Any]) -> Answer:
        said = body["messages"][-1]["content"]
        sure = -0.1 if "boat" in said or "Turin" in said else -3.0
        top = [{"token": "yes", "logprob": sure}, {"token": "no", "logprob": -1.0}]
        first = {"token": "yes", "logprob": sure, "top_logprobs": top}
        message = {"role": "assistant", "content": "yes"}
        return Answer({"model": "m", "message": message, "done": True, "logprobs": [first]})

    model_server.routes["/api/chat"] = answer
    model_server.routes["/api/show"] = lambda _: Answer({"model_info": {"x.context_length": 2048}})
    judge = found("ollama:m", ollama_host=model_server.url)
    boat, tea = judge.score("Who sold it?", ["Tom sold the boat.", "Tea."])
    assert boat == pytest.approx(math.exp(-0.1) / (math.exp(-0.1) + math.exp(-1)))
    assert tea == pytest.approx(math.exp(-3) / (math.exp(-3) + math.exp(-1)))


# -- GGUF files --------------------------------------------------------------------------------


def test_the_header_says_that_a_model_ranks(cross_encoder: Path) -> None:
    header = read_header(cross_encoder)
    assert (header.architecture, header.context, header.pooling) == ("bert", 64, POOLING_RANK)
    assert cross_encoder.stat().st_size < 100_000
    assert isinstance(found(f"llamacpp:{cross_encoder}"), LlamaCppReranker)


@pytest.mark.parametrize("pooling", [1, 2, 3])
def test_a_model_that_makes_embeddings_cannot_rerank(tmp_path: Path, pooling: int) -> None:
    path = write_cross_encoder(tmp_path / "m.gguf", pooling=pooling)
    with pytest.raises(ModelFailed, match="makes embeddings and cannot rerank"):
        found(f"llamacpp:{path}")


@pytest.mark.parametrize("pooling", [0, None])
def test_a_model_that_writes_is_asked_for_yes_or_no(tmp_path: Path, pooling: int | None) -> None:
    path = write_cross_encoder(tmp_path / "m.gguf", architecture="qwen2", pooling=pooling)
    judge = found(f"llamacpp:{path}")
    assert isinstance(judge, ChatReranker)
    assert judge.name == f"llamacpp:{path}"


def test_a_file_that_is_not_there_or_not_a_model(tmp_path: Path) -> None:
    other = tmp_path / "other.gguf"
    other.write_text("<html>404</html>")
    for path in (tmp_path / "none.gguf", other):
        with pytest.raises(ModelMissing, match=path.name):
            found(f"llamacpp:{path}")


@needs_llamacpp
def test_a_cross_encoder_judges_by_llamacpp(cross_encoder: Path) -> None:
    judge = LlamaCppReranker(cross_encoder, 1)
    tea, sold, boat = judge.score("what is it", BOATS)
    assert 0 < tea < sold < boat < 1
    assert judge.score("what is it", BOATS[::-1]) == [boat, sold, tea]
    assert judge.score("what is it", []) == []


@needs_llamacpp
def test_a_cross_encoder_reads_what_fits_of_a_long_text(cross_encoder: Path) -> None:
    judge = LlamaCppReranker(cross_encoder, 1)
    long, short = judge.score("what is it", ["boat " * 300, "boat"])
    assert long > short > 0
    assert judge.score("what " * 300, ["boat"])[0] > 0
    assert judge.score("", [""])[0] > 0


@needs_llamacpp
def test_a_cross_encoder_that_cannot_be_loaded(tmp_path: Path) -> None:
    path = write_cross_encoder(tmp_path / "m.gguf", architecture="strange")
    with pytest.raises(ModelFailed, match="cannot load"):
        found(f"llamacpp:{path}").score("Who?", ["boat"])


@pytest.mark.model
def test_a_tiny_model_is_not_trusted_to_judge() -> None:
    with pytest.raises(ModelFailed, match="cannot tell a note that answers"):
        found(f"llamacpp:{model_file('SmolLM2')}", threads=1).score("Who?", ["Tom."])


# -- cassettes ---------------------------------------------------------------------------------


@needs_llamacpp
def test_scores_are_recorded_and_replayed_without_the_file(
    cross_encoder: Path, tmp_path: Path
) -> None:
    tape = str(tmp_path / "calls.jsonl")
    spec = f"llamacpp:{cross_encoder}"
    recorded = found(spec, cassette=tape, cassette_mode="record").score("what is it", BOATS)
    cross_encoder.unlink()
    player = found(spec, cassette=tape)
    assert player.name == spec
    assert player.score("what is it", BOATS[::-1]) == recorded[::-1]
    assert found(f"cassette:{tape}").score("what is it", BOATS[:1]) == recorded[:1]
    with pytest.raises(CassetteMiss) as caught:
        player.score("what is it", ["tom sold the house"])
    assert "tom sold the boat" in caught.value.message


def test_scores_that_do_not_fit_their_texts(tmp_path: Path) -> None:
    tape = tmp_path / "calls.jsonl"
    request = {"question": "Who?", "texts": ["a", "b"]}
    entry = {"kind": "rerank", "model": "m", "request": request, "reply": [0.5]}
    tape.write_text(f'{{"cassette": 1}}\n{json.dumps(entry)}\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="line 2: texts and scores do not match"):
        CassetteReranker(None, tape, "replay")
