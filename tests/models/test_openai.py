"""OpenAI-compatible servers, against one on loopback."""

import json
import math

import pytest

from thalamus.diagnostics import yes_or_no
from thalamus.errors import BadKey, ConfigError, ModelFailed, ModelMissing, ModelUnreachable
from thalamus.models.openai import OpenAIChat, OpenAIEmbedder
from thalamus.models.protocol import ChatRequest, Message

pytestmark = pytest.mark.storeless

KEY = "key-to-nowhere"
CHAT = "/v1/chat/completions"
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


def request(**more):
    return ChatRequest(role="reflect", messages=[Message("user", "Hello")], **more)


def whole(text, finish="stop"):
    choice = {"index": 0, "message": {"content": text}, "finish_reason": finish}
    return {"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}


def sse(*events):
    return [f"data: {e if isinstance(e, str) else json.dumps(e)}\r\n\r\n".encode() for e in events]


def delta(text=None, finish=None):
    return {"choices": [{"delta": {"content": text}, "finish_reason": finish}]}


@pytest.fixture
def chat(model_server):
    return OpenAIChat("m", model_server.url + "/v1/", KEY, 5, context=2048)


def test_one_reply(chat, model_server, answer):
    model_server.routes[CHAT] = lambda body: answer(whole("Hi", "length"))
    reply = chat.chat(request(max_tokens=9, temperature=0.3, seed=4))
    assert (reply.text, reply.finish, reply.model) == ("Hi", "length", "openai:m")
    assert (reply.tokens_in, reply.tokens_out) == (7, 2)
    sent = model_server.requests[0]
    assert sent.headers["Authorization"] == f"Bearer {KEY}"
    assert (sent.body["max_tokens"], sent.body["temperature"], sent.body["seed"]) == (9, 0.3, 4)
    assert sent.body["stream"] is False
    assert "response_format" not in sent.body
    assert chat.context() == 2048


def test_streams(chat, model_server, answer):
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    usage = {"choices": [], "usage": {**usage, "prompt_tokens_details": {"cached_tokens": 5}}}
    events = sse(delta(""), delta("<think>no</think>He"), delta("y"), delta(None, "length"), usage)
    model_server.routes[CHAT] = lambda body: answer(
        pieces=[b": ping\r\n\r\n", *events, *sse("[DONE]")]
    )
    seen = []
    reply = chat.chat(request(), seen.append)
    assert (seen, reply.text, reply.finish) == (["He", "y"], "Hey", "length")
    assert (reply.tokens_in, reply.tokens_out, reply.tokens_cached) == (7, 2, 5)
    assert model_server.bodies(CHAT)[0]["stream_options"] == {"include_usage": True}


def test_no_key_no_header(model_server, answer):
    model_server.routes[CHAT] = lambda body: answer(whole("Hi"))
    OpenAIChat("m", model_server.url + "/v1", None, 5).chat(request())
    assert "Authorization" not in model_server.requests[0].headers


def test_schema_is_sent_strictly(chat, model_server, answer):
    model_server.routes[CHAT] = lambda body: answer(whole('{"a":"b"}'))
    chat.chat(request(schema=SCHEMA))
    assert model_server.bodies(CHAT)[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reflect", "schema": SCHEMA, "strict": True},
    }


@pytest.mark.parametrize("understood", [["json_object"], []])
def test_a_server_without_schemas_is_asked_without_and_this_is_remembered(
    chat, model_server, answer, understood
):
    def respond(body):
        wanted = body.get("response_format", {}).get("type")
        if wanted is None or wanted in understood:
            return answer(whole("{}"))
        return answer({"error": {"message": f"{wanted} is not supported"}}, status=400)

    model_server.routes[CHAT] = respond
    assert chat.chat(request(schema=SCHEMA)).text == "{}"
    tries = [b.get("response_format", {}).get("type") for b in model_server.bodies(CHAT)]
    assert tries == ["json_schema", *(["json_object"] if understood else ["json_object", None])]
    chat.chat(request(schema=SCHEMA))
    assert len(model_server.bodies(CHAT)) == len(tries) + 1


def test_fields_that_a_server_does_not_know_are_left_out(chat, model_server, answer):
    def respond(body):
        if "stream_options" in body:
            return answer({"detail": "stream_options: extra fields not permitted"}, status=422)
        if "max_tokens" in body:
            words = "Use 'max_completion_tokens' instead of 'max_tokens'."
            return answer({"error": {"message": words}}, status=400)
        return answer(pieces=sse(delta("Hi"), "[DONE]"))

    model_server.routes[CHAT] = respond
    assert chat.chat(request(max_tokens=5), lambda text: None).text == "Hi"
    assert model_server.bodies(CHAT)[-1]["max_completion_tokens"] == 5


@pytest.mark.parametrize("sink", [None, lambda text: None])
@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (401, BadKey, "OPENAI_API_KEY"),
        (403, BadKey, "OPENAI_API_KEY"),
        (404, ModelMissing, "openai_base_url"),
        (400, ModelFailed, "server"),
        (500, ModelFailed, "server"),
        (307, ModelFailed, "server"),
    ],
)
def test_refusals_say_what_to_do_and_never_the_key(
    chat, model_server, answer, sink, status, error, words
):
    body = {"error": {"message": f"No. You sent {KEY}. " + "x" * 1000}}
    model_server.routes[CHAT] = lambda _: answer(body, status=status)
    with pytest.raises(error) as caught:
        chat.chat(request(), sink)
    assert words in caught.value.advice
    assert KEY not in caught.value.message + repr(caught.value.__cause__)
    assert "No. You sent ***." in caught.value.message
    assert len(caught.value.message) < 450


def test_too_long_a_prompt_is_not_asked_again(chat, model_server, answer):
    words = "request (5031 tokens) exceeds the available context size (2048 tokens)"
    model_server.routes[CHAT] = lambda body: answer({"error": {"message": words}}, status=400)
    with pytest.raises(ModelFailed) as caught:
        chat.chat(request(schema=SCHEMA))
    assert "token_budget" in caught.value.advice
    assert len(model_server.requests) == 1


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"pieces": [*sse(delta("H")), *sse({"error": {"message": "boom"}})]}, "boom"),
        ({"pieces": [*sse(delta("H"))]}, "cut off the reply"),
        ({"pieces": [*sse(delta("H"))], "cut": True}, "broke"),
        ({"pieces": [*sse("{nonsense")]}, "invalid reply"),
        ({"pieces": [*sse("[1]")]}, "invalid reply"),
        ({"pieces": [*sse({"choices": "x"})]}, "invalid reply"),
    ],
)
def test_damaged_streams(chat, model_server, answer, how, words):
    model_server.routes[CHAT] = lambda body: answer(**how)
    with pytest.raises(ModelFailed, match=words):
        chat.chat(request(), lambda text: None)


@pytest.mark.parametrize(
    "body", ["<html>", [1], {}, {"choices": []}, {"choices": [{}], "usage": 3}]
)
def test_replies_that_are_none(chat, model_server, answer, body):
    model_server.routes[CHAT] = lambda _: answer(body)
    with pytest.raises(ModelFailed, match=r"invalid reply|cut off the reply"):
        chat.chat(request())


@pytest.mark.parametrize("sink", [None, lambda text: None])
@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ({"message": {"content": ""}, "finish_reason": "content_filter"}, "content filter"),
        ({"message": {"content": None}, "finish_reason": "SAFETY"}, "safety"),
        ({"message": {"content": None, "refusal": "I will not."}, "finish_reason": "stop"},
         "I will not."),
        ({"delta": {"refusal": "I will not."}, "finish_reason": "stop"}, "I will not."),
        ({"message": {"content": ""}, "finish_reason": "error",
          "error": {"code": 502, "message": "Provider returned error"}}, "Provider returned error"),
        ({"delta": {"content": ""},
          "error": {"code": 400, "message": "Provider error", "metadata": {"raw": "no voice"}}},
         "Provider error: no voice"),
    ],
)  # fmt: skip
def test_the_reason_for_an_empty_reply_is_the_servers(
    chat, model_server, answer, sink, choice, reason
):
    model_server.routes[CHAT] = lambda _: answer({"choices": [choice]})
    with pytest.raises(ModelFailed) as caught:
        chat.chat(request(), sink)
    assert reason in caught.value.message and "empty" not in caught.value.message


def test_an_answer_that_a_filter_ended_is_an_answer(chat, model_server, answer):
    model_server.routes[CHAT] = lambda _: answer(whole("Half of", "content_filter"))
    assert chat.chat(request()).text == "Half of"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": "Unexpected endpoint or method. (POST /chat/completions)"}, "Unexpected"),
        ({"error": {"message": "Invalid URL (POST /chat/completions)"}}, "Invalid URL"),
        ("<!doctype html><title>Chat</title>", "a web page"),
        ("Welcome!", "“Welcome!”"),
    ],
)
def test_an_address_without_its_version_is_named(model_server, answer, body, words):
    model_server.routes["/chat/completions"] = lambda _: answer(body)
    with pytest.raises((ModelFailed, ModelUnreachable)) as caught:
        OpenAIChat("m", model_server.url, None, 5).chat(request())
    assert words in caught.value.message
    assert "openai_base_url" in caught.value.advice and "/v1" in caught.value.advice


def test_the_address_to_try_is_written_out(model_server, answer):
    with pytest.raises(ModelMissing) as caught:
        OpenAIChat("m", model_server.url, None, 5).chat(request())
    assert f"Try {model_server.url}/v1." in caught.value.advice


@pytest.mark.parametrize("pieces", [False, True])
@pytest.mark.parametrize("sink", [None, lambda text: None])
def test_a_byte_order_mark_is_not_part_of_a_reply(chat, model_server, answer, sink, pieces):
    body = f"\ufeff{json.dumps(whole('Hi'))}"
    marked = [b"\xef\xbb\xbf" + event for event in sse(delta("Hi", "stop"))]
    model_server.routes[CHAT] = lambda _: answer(pieces=marked) if pieces else answer(body)
    assert chat.chat(request(), sink).text == "Hi"


@pytest.mark.parametrize(("status", "requests"), [(301, 3), (308, 3), (307, 4)])
def test_a_redirect_on_the_server_is_followed(model_server, answer, status, requests):
    moved = {"location": "/new/v1/chat/completions"}
    model_server.routes["/old/v1/chat/completions"] = lambda _: answer("", status, headers=moved)
    model_server.routes["/new/v1/chat/completions"] = lambda _: answer(whole("Hi"))
    chat = OpenAIChat("m", f"{model_server.url}/old/v1", KEY, 5, 8192)
    for _ in range(2):
        assert chat.chat(request()).text == "Hi"
    assert len(model_server.requests) == requests, "a permanent one is remembered"
    assert model_server.requests[-1].body["messages"] == [{"role": "user", "content": "Hello"}]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_no_redirect_to_another_server_is_followed(
    chat, model_server, other_server, answer, status
):
    there = f"{other_server.url}{CHAT}"
    model_server.routes[CHAT] = lambda _: answer("", status, headers={"location": there})
    with pytest.raises(ModelFailed, match="redirects to") as caught:
        chat.chat(request())
    assert there in caught.value.message and "openai_base_url" in caught.value.advice
    assert other_server.requests == [], "it gets neither the key nor the words"


def test_redirects_in_a_circle_end(chat, model_server, answer):
    model_server.routes[CHAT] = lambda _: answer("", 308, headers={"location": CHAT})
    with pytest.raises(ModelFailed, match="without end"):
        chat.chat(request())


def test_time_out_names_the_setting(model_server, answer):
    model_server.routes[CHAT] = lambda body: answer(hang=True)
    with pytest.raises(ModelFailed) as caught:
        OpenAIChat("m", model_server.url + "/v1", None, 0.2).chat(request())
    assert "model_timeout" in caught.value.advice


def test_nothing_there(closed_url):
    with pytest.raises(ModelUnreachable) as caught:
        OpenAIChat("m", f"{closed_url}/v1", KEY, 5).chat(request())
    assert closed_url in caught.value.message
    assert "openai_base_url" in caught.value.advice


def test_no_address_and_impossible_keys(model_server):
    with pytest.raises(ConfigError, match="openai_base_url"):
        OpenAIChat("m", "", KEY, 5).chat(request())
    for key in ("with\nnewline", "schlüssel"):
        with pytest.raises(BadKey) as caught:
            OpenAIChat("m", model_server.url, key, 5).chat(request())
        assert key not in caught.value.message
    assert model_server.requests == []


def test_embeds_in_the_right_order(model_server, answer):
    def embed(body):
        rows = [{"index": i, "embedding": [1.0, i]} for i in range(len(body["input"]))]
        return answer({"data": rows[::-1]})

    model_server.routes["/v1/embeddings"] = embed
    embedder = OpenAIEmbedder("m", model_server.url + "/v1", KEY, 5)
    texts = [f"text {i}" for i in range(70)]
    vectors = embedder.embed(texts, "document")
    assert len(vectors) == 70
    assert vectors[0] == vectors[32] != vectors[1]
    assert [t for b in model_server.bodies("/v1/embeddings") for t in b["input"]] == texts
    assert embedder.dimension() == 2


def test_a_long_text_is_cut_by_what_the_server_says(model_server, answer):
    def embed(body):
        longest = max(len(text) for text in body["input"])
        if longest > 200:
            words = f"input ({longest} tokens) is too large to process (200 tokens)"
            return answer({"error": {"message": words}}, status=500)
        return answer({"data": [{"index": 0, "embedding": [1.0]}]})

    model_server.routes["/v1/embeddings"] = embed
    embedder = OpenAIEmbedder("m", model_server.url + "/v1", KEY, 5)
    assert len(embedder.embed(["y" * 1000], "document")) == 1
    assert 150 < len(model_server.bodies("/v1/embeddings")[-1]["input"][0]) <= 200


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (413, "batch size {} > maximum allowed batch size 8"),
        (400, "Value error, batch size is invalid, it should not be larger than 8.: input"),
        (422, "List should have at most 8 items after validation, not {}"),
        (500, "too many inputs"),
        (400, "InvalidParameter"),
        (413, "<html>Request Entity Too Large</html>"),
    ],
)
def test_a_batch_that_is_refused_is_made_smaller(model_server, answer, tmp_path, status, words):
    def embed(body):
        if len(body["input"]) > 8:
            return answer(words.format(len(body["input"])), status=status)
        rows = [{"index": i, "embedding": [1.0, len(t)]} for i, t in enumerate(body["input"])]
        return answer({"data": rows})

    model_server.routes["/v1/embeddings"] = embed
    texts = ["x" * length for length in range(1, 41)]
    counts = []
    for _ in range(2):
        embedder = OpenAIEmbedder("m", f"{model_server.url}/v1", KEY, 5, tmp_path)
        assert len(set(embedder.embed(texts, "document"))) == 40
        counts.append(len(model_server.requests))
    assert counts[0] <= 7 and counts[1] - counts[0] == 5, "it is remembered"


def test_a_text_that_is_refused_by_itself_makes_no_batch_smaller(model_server, answer, tmp_path):
    def embed(body):
        if "bad" in body["input"]:
            return answer({"error": "no"}, status=400)
        return answer(
            {"data": [{"index": i, "embedding": [1.0]} for i in range(len(body["input"]))]}
        )

    model_server.routes["/v1/embeddings"] = embed
    with pytest.raises(ModelFailed, match="no"):
        OpenAIEmbedder("m", f"{model_server.url}/v1", KEY, 5, tmp_path).embed(["bad"] * 4, "query")
    assert list(tmp_path.iterdir()) == []


def test_embedding_failures(model_server, answer):
    embedder = OpenAIEmbedder("m", model_server.url + "/v1", KEY, 5)
    for response in (answer({"data": 3}), answer({"error": "no"}, status=400)):
        model_server.routes["/v1/embeddings"] = lambda body, response=response: response
        with pytest.raises(ModelFailed):
            embedder.embed(["x"], "document")


def weighed(*tokens):
    """A reply of one token with these as alternatives: (token, probability)."""
    top = [{"token": token, "logprob": math.log(share)} for token, share in tokens]
    reply = whole(tokens[0][0], "length")
    reply["choices"][0]["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]}
    return reply


def test_the_probability_of_yes_is_over_all_its_spellings(chat, model_server, answer):
    tokens = [("Yes", 0.3), (" yes", 0.2), ("YES.", 0.1), ("No", 0.15), ('"no', 0.05), ("Not", 0.2)]
    model_server.routes[CHAT] = lambda body: answer(weighed(*tokens))
    assert chat.yes(request(schema=SCHEMA, max_tokens=99)) == pytest.approx(0.75)
    (sent,) = model_server.bodies(CHAT)
    assert (sent["logprobs"], sent["top_logprobs"], sent["max_tokens"]) == (True, 20, 1)
    assert "response_format" not in sent and sent["stream"] is False
    model_server.routes[CHAT] = lambda body: answer(weighed(("The", 0.9), ("Nothing", 0.1)))
    assert chat.yes(request()) is None


@pytest.mark.parametrize("refuses", [True, False])
@pytest.mark.parametrize(
    ("word", "expected"), [('{"answer":"yes"}', 1.0), ("No.", 0.0), ("Hm", None)]
)
def test_a_server_without_probabilities_is_asked_for_the_word(
    chat, model_server, answer, refuses, word, expected
):
    def respond(body):
        if "logprobs" in body and refuses:
            return answer({"error": {"message": "top_logprobs is not supported"}}, status=400)
        return answer(whole(word))

    model_server.routes[CHAT] = respond
    assert not chat.gives_words()
    assert chat.yes(request()) == expected and chat.gives_words()
    sent = model_server.bodies(CHAT)
    assert sent[-1]["response_format"]["json_schema"]["schema"]["required"] == ["answer"]
    assert chat.yes(request()) == expected
    assert len(model_server.bodies(CHAT)) == len(sent) + 1, "it is remembered"


@pytest.mark.parametrize(("name", "warns"), [("qwen2.5-1.5b", True), ("strong-70b", False)])
def test_doctor_says_that_a_small_model_gives_no_probabilities(model_server, answer, name, warns):
    model_server.routes[CHAT] = lambda body: answer(whole("Yes"))
    found = list(yes_or_no(OpenAIChat(name, model_server.url + "/v1/", KEY, 5, context=2048)))
    assert [check.state for check in found] == ["warning"] * warns
    assert all("sends no probabilities" in check.detail for check in found)


def test_probabilities_that_are_none(chat, model_server, answer):
    reply = whole("Yes")
    for first in ("Yes", {"top_logprobs": [{"token": "Yes"}]}, {"token": "Yes", "logprob": "high"}):
        reply["choices"][0]["logprobs"] = {"content": [first]}
        model_server.routes[CHAT] = lambda body: answer(reply)
        with pytest.raises(ModelFailed, match="not a probability"):
            chat.yes(request())


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85"])
def test_separators_of_lines_in_a_reply_are_text(chat, model_server, answer, end):
    text = f"One.{end}Two."
    event = json.dumps(delta(text), ensure_ascii=False)
    streamed = f"data: {event}\r\n\r\ndata: [DONE]\n\n".encode()
    model_server.routes[CHAT] = lambda body: answer(pieces=[streamed])
    assert chat.chat(request(), print).text == text
    plain = json.dumps(whole(text), ensure_ascii=False).encode()
    model_server.routes[CHAT] = lambda body: answer(pieces=[plain])
    assert chat.chat(request()).text == text
