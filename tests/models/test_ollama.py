"""The Ollama provider, through the real client, against a server that speaks its protocol."""

import json
import math
import subprocess
import sys

import pytest

from thalamus.errors import ModelFailed, ModelMissing, ModelUnreachable
from thalamus.models.ollama import (
    OllamaChat,
    OllamaEmbedder,
    answers,
    list_models,
    resolve_host,
)
from thalamus.models.protocol import ChatRequest, Message
from thalamus.policy.vector import unpack

pytestmark = pytest.mark.storeless

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


def request(**more):
    messages = [Message("system", "Be short."), Message("user", "Hello")]
    return ChatRequest(role="answer", messages=messages, **more)


def part(text, done=False, **more):
    return {
        "model": "m",
        "created_at": "2026-01-01T00:00:00Z",
        "message": {"role": "assistant", "content": text, **more.pop("message", {})},
        "done": done,
        **more,
    }


def lines(*parts):
    return [(json.dumps(p) + "\n").encode() for p in parts]


LAST = part(
    "",
    done=True,
    done_reason="stop",
    prompt_eval_count=11,
    eval_count=3,
    prompt_eval_duration=4_500_000,
    eval_duration=20_000_000,
)


@pytest.fixture
def chat(model_server, answer):
    model_server.routes["/api/show"] = lambda body: answer(
        {"model_info": {"general.architecture": "x", "x.context_length": 32768}}
    )
    return OllamaChat("m", model_server.url, 5, "5m", context=8192)


def test_streams_pieces_as_they_come_and_counts_tokens(chat, model_server, answer):
    model_server.routes["/api/chat"] = lambda body: answer(
        pieces=lines(part("Hel"), part("lo"), LAST)
    )
    seen = []
    reply = chat.chat(request(), seen.append)
    assert seen == ["Hel", "lo"]
    assert (reply.text, reply.finish, reply.model) == ("Hello", "stop", "ollama:m")
    assert (reply.tokens_in, reply.tokens_out) == (11, 3)
    assert (reply.prompt_ms, reply.reply_ms) == (4.5, 20.0)
    assert model_server.bodies("/api/chat")[0]["stream"] is True


def test_sends_schema_options_and_keep_alive(chat, model_server, answer):
    model_server.routes["/api/chat"] = lambda body: answer(
        part('{"a":"x"}', done=True, done_reason="length")
    )
    reply = chat.chat(request(schema=SCHEMA, max_tokens=77, temperature=0.5, seed=9))
    assert (reply.text, reply.finish) == ('{"a":"x"}', "length")
    sent = model_server.bodies("/api/chat")[0]
    assert sent["format"] == SCHEMA
    assert sent["keep_alive"] == "5m"
    assert sent["stream"] is False
    assert sent["options"] == {"temperature": 0.5, "seed": 9, "num_predict": 77, "num_ctx": 8192}
    assert [m["role"] for m in sent["messages"]] == ["system", "user"]


def test_keep_alive_in_seconds_is_sent_as_a_number(model_server, answer):
    model_server.routes["/api/chat"] = lambda body: answer(part("x", done=True))
    OllamaChat("m", model_server.url, 5, "-1").chat(request())
    assert model_server.bodies("/api/chat")[0]["keep_alive"] == -1


@pytest.mark.parametrize(
    ("own", "asked", "expected"), [(32768, 8192, 8192), (2048, 8192, 2048), (None, 4096, 4096)]
)
def test_context_is_the_models_own_up_to_what_was_asked(model_server, answer, own, asked, expected):
    info = {} if own is None else {"qwen2.context_length": own}
    model_server.routes["/api/show"] = lambda body: answer({"model_info": info})
    chat = OllamaChat("m", model_server.url, 5, "5m", context=asked)
    assert [chat.context(), chat.context()] == [expected, expected]
    assert len(model_server.bodies("/api/show")) == 1


def test_thoughts_are_neither_shown_nor_returned(chat, model_server, answer):
    model_server.routes["/api/chat"] = lambda body: answer(
        pieces=lines(
            part("", message={"thinking": "secret"}),
            part("<th"),
            part("ink>hmm </thi"),
            part("nk>\n\nYes"),
            part(" <think>"),
            LAST,
        )
    )
    seen = []
    assert chat.chat(request(), seen.append).text == "Yes <think>"
    assert "".join(seen) == "Yes <think>"


def test_server_down(closed_url):
    for call in (
        lambda: OllamaChat("m", closed_url, 5, "5m").chat(request()),
        lambda: OllamaChat("m", closed_url, 5, "5m").chat(request(), lambda text: None),
        lambda: OllamaEmbedder("m", closed_url, 5, "5m").dimension(),
        lambda: list_models(closed_url, 5),
    ):
        with pytest.raises(ModelUnreachable) as caught:
            call()
        assert closed_url in caught.value.message
        assert "ollama serve" in caught.value.advice


@pytest.mark.parametrize("sink", [None, lambda text: None])
def test_model_not_pulled(chat, model_server, answer, sink):
    model_server.routes["/api/chat"] = lambda body: answer(
        {"error": "model 'm' not found"}, status=404
    )
    with pytest.raises(ModelMissing) as caught:
        chat.chat(request(), sink)
    assert "ollama pull m" in caught.value.advice


def test_another_server_at_that_address(model_server):
    with pytest.raises(ModelUnreachable, match="no Ollama"):
        OllamaChat("m", model_server.url, 5, "5m").chat(request())


def test_a_model_that_cannot_chat_or_embed_fails_with_the_servers_words(chat, model_server, answer):
    model_server.routes["/api/chat"] = lambda body: answer(
        {"error": '"m" does not support chat'}, status=400
    )
    model_server.routes["/api/embed"] = lambda body: answer(
        {"error": "this model does not support embeddings"}, status=501
    )
    with pytest.raises(ModelFailed, match="does not support chat"):
        chat.chat(request())
    with pytest.raises(ModelFailed, match="does not support embeddings"):
        OllamaEmbedder("m", model_server.url, 5, "5m").embed(["x"], "query")


def test_error_in_the_middle_of_a_stream(chat, model_server, answer):
    model_server.routes["/api/chat"] = lambda body: answer(
        pieces=[*lines(part("Hel")), b'{"error":"out of memory"}\n']
    )
    seen = []
    with pytest.raises(ModelFailed, match="out of memory"):
        chat.chat(request(), seen.append)
    assert seen == ["Hel"]


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"pieces": [b"<html>what\n"]}, "invalid reply"),
        ({"pieces": [b"[1]\n"]}, "invalid reply"),
        ({"pieces": lines(part("Hel"))}, "cut off the reply"),
        ({"pieces": lines(part("Hel")), "cut": True}, "broke"),
    ],
)
def test_damaged_streams(chat, model_server, answer, how, words):
    model_server.routes["/api/chat"] = lambda body: answer(**how)
    with pytest.raises(ModelFailed, match=words):
        chat.chat(request(), lambda text: None)


@pytest.mark.parametrize("how", [{"hang": True}, {"pieces": lines(part("Hel")), "hang": True}])
def test_time_out_names_the_setting(model_server, answer, how):
    model_server.routes["/api/chat"] = lambda body: answer(**how)
    with pytest.raises(ModelFailed) as caught:
        OllamaChat("m", model_server.url, 0.2, "5m").chat(request(), lambda text: None)
    assert "model_timeout" in caught.value.advice


def test_an_exception_of_the_listener_is_not_the_models(chat, model_server, answer):
    model_server.routes["/api/chat"] = lambda body: answer(pieces=lines(part("Hel"), LAST))

    def stop(text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        chat.chat(request(), stop)


@pytest.mark.parametrize(
    ("model", "kind", "expected"),
    [
        ("nomic-embed-text:v1.5", "document", "search_document: hi"),
        ("nomic-embed-text", "query", "search_query: hi"),
        ("mxbai-embed-large", "document", "hi"),
        ("all-minilm", "query", "hi"),
    ],
)
def test_embedding_prefixes_and_unit_length(model_server, answer, model, kind, expected):
    model_server.routes["/api/embed"] = lambda body: answer(
        {"embeddings": [[3.0, 4.0] for _ in body["input"]]}
    )
    embedder = OllamaEmbedder(model, model_server.url, 5, "5m")
    vector = unpack(embedder.embed(["hi"], kind)[0])
    assert model_server.bodies("/api/embed")[0]["input"] == [expected]
    assert math.hypot(*vector) == pytest.approx(1)
    assert embedder.dimension() == embedder.dimension() == 2
    assert len(model_server.bodies("/api/embed")) == 2


def test_one_text_that_is_too_long_does_not_fail_its_batch(model_server, answer):
    def embed(body):
        if any(len(text) > 100 for text in body["input"]):
            return answer({"error": "the input length exceeds the context length"}, status=400)
        return answer({"embeddings": [[1.0, len(text)] for text in body["input"]]})

    model_server.routes["/api/embed"] = embed
    texts = ["short", "x" * 1000, ""]
    vectors = OllamaEmbedder("m", model_server.url, 5, "5m").embed(texts, "document")
    assert len(vectors) == 3
    assert vectors[0] != vectors[1]


@pytest.mark.parametrize("rows", [[], [[0.0, 0.0]], [["x"]]])
def test_unusable_vectors(model_server, answer, rows):
    model_server.routes["/api/embed"] = lambda body: answer({"embeddings": rows})
    with pytest.raises(ModelFailed):
        OllamaEmbedder("m", model_server.url, 5, "5m").embed(["x"], "document")


def test_list_models_tells_embedding_models_apart(model_server, answer):
    def model(name, family):
        return {"model": name, "size": 5, "details": {"family": family, "families": [family]}}

    model_server.routes["/api/tags"] = lambda body: answer(
        {"models": [model("qwen3:4b", "qwen3"), model("my:1", "nomic-bert"), model("bge-m3", "x")]}
    )
    found = list_models(model_server.url, 5)
    assert [(m.name, m.size, m.embedding) for m in found] == [
        ("qwen3:4b", 5, False),
        ("my:1", 5, True),
        ("bge-m3", 5, True),
    ]


def test_answers(model_server, answer, closed_url):
    assert not answers(model_server.url)  # something else is there
    model_server.routes["/api/version"] = lambda body: answer({"version": "0.9"})
    assert answers(model_server.url)
    assert not answers(closed_url)
    model_server.routes["/api/version"] = lambda body: answer(hang=True)
    assert not answers(model_server.url, timeout=0.1)


def test_asking_whether_it_answers_does_not_import_the_client(closed_url):
    code = (
        "import sys; from thalamus.models.ollama import answers, resolve_host; "
        f"answers(resolve_host({closed_url!r})); "
        "print([m for m in ('ollama', 'httpx', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("configured", "variable", "url"),
    [
        ("", None, "http://127.0.0.1:11434"),
        ("", "0.0.0.0", "http://127.0.0.1:11434"),
        ("", "0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("", ":9", "http://127.0.0.1:9"),
        ("box", "ignored:1", "http://box:11434"),
        ("box:5", None, "http://box:5"),
        ("http://box", None, "http://box:80"),
        ("https://box/ollama/", None, "https://box:443/ollama"),
        ("[::1]:5", None, "http://[::1]:5"),
        ("::1", None, "http://[::1]:11434"),
        ("[::]", None, "http://[::1]:11434"),
        ("box:many", None, "http://box:11434"),
        ("https://me:secret@box", None, "https://me:secret@box:443"),
    ],
)
def test_resolve_host(monkeypatch, configured, variable, url):
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    if variable is not None:
        monkeypatch.setenv("OLLAMA_HOST", variable)
    assert resolve_host(configured) == url


def test_a_proxy_is_not_used_for_this_machine(monkeypatch, chat, model_server, answer, closed_url):
    monkeypatch.setenv("HTTP_PROXY", closed_url)
    monkeypatch.setenv("ALL_PROXY", closed_url)
    model_server.routes["/api/chat"] = lambda body: answer(part("Hi", done=True))
    assert chat.chat(request()).text == "Hi"


def test_the_probability_of_yes(chat, model_server, answer):
    tokens = [("No", 0.6), ("Yes", 0.15), (" yes", 0.05), ("Maybe", 0.1)]
    top = [{"token": token, "logprob": math.log(share)} for token, share in tokens]
    model_server.routes["/api/chat"] = lambda body: answer(
        {**part("No"), **LAST, "logprobs": [{**top[0], "top_logprobs": top}]}
    )
    assert chat.yes(request(schema=SCHEMA, temperature=0.5)) == pytest.approx(0.25)
    (sent,) = model_server.bodies("/api/chat")
    assert (sent["logprobs"], sent["top_logprobs"], sent["stream"]) == (True, 20, False)
    assert (sent["options"]["num_predict"], sent["options"]["temperature"]) == (1, 0.0)
    assert "format" not in sent


def test_a_server_too_old_for_probabilities_is_asked_for_the_word(chat, model_server, answer):
    model_server.routes["/api/chat"] = lambda body: answer(
        part('{"answer": "no"}', done=True, done_reason="stop")
    )
    assert (chat.yes(request()), chat.yes(request())) == (0.0, 0.0)
    first, second, third = model_server.bodies("/api/chat")
    assert "logprobs" in first
    assert second == third
    assert second["format"]["properties"]["answer"]["enum"] == ["yes", "no"]
    model_server.routes.pop("/api/chat")
    with pytest.raises(ModelUnreachable):
        chat.yes(request())


# -- the context ----------------------------------------------------------------------------------


def long_request(tokens, **more):
    words = "word " * (tokens * 4 // 5)
    return ChatRequest(role="reflect", messages=[Message("user", words)], **more)


def test_the_window_grows_with_the_prompt_within_the_models_length(chat, model_server, answer):
    model_server.routes["/api/chat"] = lambda body: answer(part("Hi", done=True))
    for tokens in (100, 7000, 20_000, 30_000):
        chat.chat(long_request(tokens))
    windows = [body["options"]["num_ctx"] for body in model_server.bodies("/api/chat")]
    assert windows == [8192, 16384, 32768, 32768]


def test_a_prompt_that_does_not_fit_is_not_sent(chat, model_server, answer):
    with pytest.raises(ModelFailed, match="too short") as caught:
        chat.chat(long_request(33_000))
    assert "token_budget" in caught.value.advice
    with pytest.raises(ModelFailed, match="too short"):
        chat.yes(long_request(33_000))
    assert model_server.bodies("/api/chat") == []


@pytest.mark.parametrize(
    ("count", "cut"), [(10, False), (4098, False), (8191, False), (8192, True)]
)
@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_a_reply_to_a_prompt_that_was_cut_is_refused(
    chat, model_server, answer, count, cut, schema
):
    model_server.routes["/api/chat"] = lambda body: answer(
        {**part('{"a": "x"}', done=True, done_reason="stop"), "prompt_eval_count": count}
    )
    if not cut:
        assert chat.chat(request(schema=schema)).tokens_in == count
        return
    with pytest.raises(ModelFailed, match="cut the prompt"):
        chat.chat(request(schema=schema))


def test_a_prompt_that_the_server_finds_too_long(chat, model_server, answer):
    words = "prompt is too long: 9000 tokens exceed the context length of 8192"
    model_server.routes["/api/chat"] = lambda body: answer({"error": words}, status=400)
    with pytest.raises(ModelFailed, match="9000 tokens") as caught:
        chat.chat(request())
    assert "token_budget" in caught.value.advice


@pytest.mark.parametrize(("own", "windows"), [(512, [512, 512]), (8192, [2048, 4096])])
def test_embedding_sends_a_window_too(model_server, answer, own, windows):
    model_server.routes["/api/show"] = lambda body: answer(
        {"model_info": {"b.context_length": own}}
    )
    model_server.routes["/api/embed"] = lambda body: answer({"embeddings": [[1.0]]})
    embedder = OllamaEmbedder("m", model_server.url, 5, "5m")
    for words in (10, 3000):
        embedder.embed(["word " * words], "document")
    sent = model_server.bodies("/api/embed")
    assert [body["options"]["num_ctx"] for body in sent] == windows
    assert len(model_server.bodies("/api/show")) == 1


# -- formats and thoughts -------------------------------------------------------------------------


def obeying(answer, obeys):
    """A server that obeys ``format`` in some calls, and writes prose in the others."""

    def respond(body):
        text = '{"a": "x"}' if "format" in body and obeys(body) else "Sure! I remember that."
        reply = part(text, done=True, done_reason="stop")
        if "prompt" in body:
            reply = {**reply, "response": text}
            del reply["message"]
        return answer(reply)

    return respond


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize(
    ("obeys", "calls"),
    [
        (lambda body: True, 2),
        (lambda body: "think" not in body, 3),
        (lambda body: "prompt" in body, 4),
    ],
)
def test_a_way_in_which_the_format_is_obeyed_is_found_and_remembered(
    model_server, answer, tmp_path, kept, obeys, calls
):
    def made():
        cache = tmp_path if kept else None
        return OllamaChat("m", model_server.url, 5, "5m", cache=cache)

    model_server.routes["/api/chat"] = obeying(answer, obeys)
    model_server.routes["/api/generate"] = obeying(answer, obeys)
    chat = made()
    assert chat.chat(request(schema=SCHEMA)).text == '{"a": "x"}'
    chat = made() if kept else chat
    assert chat.chat(request(schema=SCHEMA), lambda text: None).text == '{"a": "x"}'
    sent = [r for r in model_server.requests if r.path in ("/api/chat", "/api/generate")]
    assert len(sent) == calls
    assert all(r.body["options"]["num_ctx"] == 8192 for r in sent)
    if sent[-1].path == "/api/generate":
        assert (sent[-1].body["system"], sent[-1].body["prompt"]) == ("Be short.", "Hello")


def test_a_format_that_is_never_obeyed_is_left_to_the_reader(chat, model_server, answer):
    model_server.routes["/api/chat"] = obeying(answer, lambda body: False)
    model_server.routes["/api/generate"] = obeying(answer, lambda body: False)
    for _ in range(2):
        assert chat.chat(request(schema=SCHEMA)).text == "Sure! I remember that."
    assert len(model_server.bodies("/api/chat")) == 3, "it is checked once"
    assert len(model_server.bodies("/api/generate")) == 1


def test_a_way_that_the_server_does_not_have_costs_nothing(chat, model_server, answer):
    model_server.routes["/api/chat"] = obeying(answer, lambda body: False)
    assert chat.chat(request(schema=SCHEMA)).text == "Sure! I remember that."


def test_a_list_that_a_reply_leaves_out_costs_no_second_call(chat, model_server, answer):
    empty = {"type": "array"}
    schema = {"type": "object", "properties": {"a": empty, "b": empty}, "required": ["a", "b"]}
    model_server.routes["/api/chat"] = lambda body: answer(part('{"a": []}', done=True))
    assert chat.chat(request(schema=schema)).text == '{"a": []}'
    assert len(model_server.bodies("/api/chat")) == 1


def test_without_a_format_nothing_is_checked(chat, model_server, answer):
    model_server.routes["/api/chat"] = obeying(answer, lambda body: False)
    assert chat.chat(request()).text == "Sure! I remember that."
    assert len(model_server.bodies("/api/chat")) == 1


@pytest.mark.parametrize("sink", [None, lambda text: None])
def test_only_thinking_is_asked_for_once_more_and_then_an_error(chat, model_server, answer, sink):
    def respond(body):
        thought = {"thinking": "They want tea. "}
        if body["options"]["num_predict"] > least:
            return answer(part("Tea.", message=thought, done=True, done_reason="stop"))
        return answer(part("", message=thought, done=True, done_reason="length"))

    least = 1000
    model_server.routes["/api/chat"] = respond
    assert chat.chat(request(), sink).text == "Tea."
    assert chat.chat(request(), sink).text == "Tea."
    assert len(model_server.bodies("/api/chat")) == 3, "it is remembered"
    least = 100_000
    with pytest.raises(ModelFailed, match="went into thinking") as caught:
        chat.chat(request(), sink)
    assert "max_answer_tokens" in caught.value.advice


@pytest.mark.parametrize(
    ("status", "words", "part_of"),
    [
        (400, '"m" does not support thinking', "think"),
        (400, "registry.ollama.ai/library/m does not support tools", "tools"),
        (500, "Jinja Exception: System role not supported", "system"),
    ],
)
def test_what_ollama_refuses_is_left_out(chat, model_server, answer, status, words, part_of):
    def respond(body):
        roles = {message["role"] for message in body["messages"]}
        if body.get(part_of) not in (None, []) or part_of in roles:
            return answer({"error": words}, status=status)
        return answer(part("Hi", done=True))

    from thalamus.models.protocol import ToolSpec

    model_server.routes["/api/chat"] = respond
    tool = ToolSpec("look", "Looks.", {"type": "object", "properties": {}})
    for _ in range(2):
        assert chat.chat(request(tools=(tool,))).text == "Hi"
    assert len(model_server.bodies("/api/chat")) == 3
