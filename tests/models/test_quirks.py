"""Servers that refuse a part of a request, or answer in their own way."""

import json

import pytest

from thalamus.errors import BadKey, ModelFailed, ModelMissing
from thalamus.models.openai import OpenAIChat, OpenAIEmbedder
from thalamus.models.protocol import ChatRequest, Message, ToolRequest, ToolSpec
from thalamus.models.quirks import EXPIRY, Quirks, strictly_alternating, without_system

pytestmark = pytest.mark.storeless

CHAT = "/v1/chat/completions"
WORDS = "Tram 28 climbs to the castle."
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
TOOL = ToolSpec("look", "Looks.", {"type": "object", "properties": {}})
SINKS = [None, lambda text: None]


def request(**more):
    messages = [Message("system", "Be short."), Message("user", "Hello")]
    return ChatRequest(role="answer", messages=messages, **more)


def whole(text, finish="stop", **more):
    return {"choices": [{"message": {"content": text, **more}, "finish_reason": finish}]}


def sse(*events, end="\n\n"):
    return [f"data: {e if isinstance(e, str) else json.dumps(e)}{end}".encode() for e in events]


def delta(text=None, finish=None, **more):
    return {"choices": [{"delta": {"content": text, **more}, "finish_reason": finish}]}


@pytest.fixture
def chat(model_server):
    return OpenAIChat("m", model_server.url + "/v1", None, 5, 8192)


def refusing(answer, words, refuses, status=400):
    """A server that refuses some requests, and streams when it is asked to."""

    def respond(body):
        if refuses(body):
            return answer({"error": {"message": words}}, status=status)
        if body.get("stream"):
            return answer(pieces=sse(delta(WORDS), delta(finish="stop"), "[DONE]"))
        return answer(whole(WORDS))

    return respond


def has_system(body):
    return any(message["role"] == "system" for message in body["messages"])


@pytest.mark.parametrize("sink", SINKS)
@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "System role not supported"),
        (500, "Jinja Exception: System role not supported"),
        (400, "Only user, assistant and tool roles are supported, got system."),
        (400, "Only user and assistant roles are supported!"),
        (400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."),
        (422, "Input should be 'user', 'assistant' or 'tool'"),
        (400, "Developer instruction is not enabled for models/gemma-3-27b-it"),
        (400, "invalid role: system"),
    ],
)
def test_a_server_without_a_system_role(chat, model_server, answer, sink, status, words):
    model_server.routes[CHAT] = refusing(answer, words, has_system, status)
    for _ in range(2):
        assert chat.chat(request(), sink).text == WORDS
    bodies = model_server.bodies(CHAT)
    assert len(bodies) == 3, "it is remembered"
    assert bodies[2]["messages"] == [{"role": "user", "content": "Be short.\n\nHello"}]


@pytest.mark.parametrize(
    "words",
    [
        "Conversation roles must alternate user/assistant/user/assistant/...",
        "After the optional system message, conversation roles must alternate user and assistant"
        " roles except for tool calls and results.",
        "First message must be from the user",
    ],
)
def test_a_server_that_wants_turns_to_alternate(chat, model_server, answer, words):
    def alternates(body):
        roles = [m["role"] for m in body["messages"] if m["role"] != "system"]
        return all(r == ("user", "assistant")[i % 2] for i, r in enumerate(roles))

    model_server.routes[CHAT] = refusing(answer, words, lambda body: not alternates(body), 500)
    messages = [
        Message("system", "Be short."),
        Message("assistant", "Hi."),
        Message("user", "Look"),
        Message("assistant", "", calls=(ToolRequest("1", "look", "{}"),)),
        Message("tool", "Nothing.", call_id="1"),
        Message("user", "So?"),
    ]
    assert chat.chat(ChatRequest(role="answer", messages=messages)).text == WORDS
    sent = model_server.bodies(CHAT)[-1]["messages"]
    assert [m["role"] for m in sent] == ["system", *("user", "assistant") * 2, "user"]
    assert "Nothing." in sent[-1]["content"] and "So?" in sent[-1]["content"]


@pytest.mark.parametrize("sink", SINKS)
@pytest.mark.parametrize(
    "words",
    [
        "This model only support stream mode, please enable the stream parameter.",
        "parameter.enable_thinking must be set to false for non-streaming calls",
        "Streaming is required for operations that may take longer than 10 minutes",
        "stream must be set to true",
    ],
)
def test_a_server_that_only_streams(chat, model_server, answer, sink, words):
    model_server.routes[CHAT] = refusing(answer, words, lambda body: not body["stream"])
    for _ in range(2):
        assert chat.chat(request(), sink).text == WORDS
    assert len(model_server.bodies(CHAT)) == (3 if sink is None else 2)


@pytest.mark.parametrize(
    "words",
    [
        "Unsupported value: 'stream' does not support true with this model.",
        "streaming is not supported",
    ],
)
def test_a_server_that_never_streams(chat, model_server, answer, words):
    model_server.routes[CHAT] = refusing(answer, words, lambda body: body["stream"])
    heard = []
    assert chat.chat(request(), heard.append).text == WORDS
    assert "".join(heard) == WORDS
    assert "stream_options" not in model_server.bodies(CHAT)[-1]


@pytest.mark.parametrize(
    "pieces",
    [
        sse(delta("Tram 28 "), delta("climbs to the castle."), delta(finish="stop"), "[DONE]"),
        sse(delta(WORDS), delta(finish="stop"), end="\r\n\r\n"),
        [b": keep-alive\n\n", b"event: message\n", *sse(delta(WORDS, "stop"))],
        sse(delta(WORDS), "[DONE]"),
        sse(delta(WORDS)),
        sse(delta([{"type": "text", "text": WORDS}]), delta(finish="stop")),
        sse(delta(""), {"choices": [], "usage": {}}, delta(WORDS, "stop")),
        sse(whole(WORDS)),
        [json.dumps(whole(WORDS)).encode()],
        [json.dumps(whole(WORDS), indent=2).encode()],
        [b"\n\n   " + json.dumps(whole(WORDS)).encode()],
        [json.dumps(d).encode() + b"\n" for d in (delta("Tram 28 "), delta(WORDS[8:], "stop"))],
        [json.dumps(whole([{"type": "text", "text": WORDS}])).encode()],
        [json.dumps(whole({"type": "text", "text": WORDS})).encode()],
        [json.dumps(whole(["Tram 28 ", {"text": "climbs to the castle."}])).encode()],
        [json.dumps({"choices": [{"text": WORDS, "finish_reason": "stop"}]}).encode()],
    ],
)
def test_a_reply_may_come_in_another_way_than_asked_for(chat, model_server, answer, pieces):
    model_server.routes[CHAT] = lambda body: answer(pieces=pieces)
    for sink in SINKS:
        assert chat.chat(request(), sink).text == WORDS
        assert model_server.bodies(CHAT)[-1]["stream"] is (sink is not None)


def test_thoughts_among_the_parts_of_a_reply(chat, model_server, answer):
    thoughts = {"type": "thinking", "thinking": [{"type": "text", "text": "Trams?"}]}
    parts = [thoughts, {"type": "text", "text": WORDS}]
    model_server.routes[CHAT] = lambda body: answer(whole(parts))
    reply = chat.chat(request())
    assert (reply.text, reply.thinking) == (WORDS, "Trams?")


@pytest.mark.parametrize(
    ("status", "words", "field"),
    [
        (400, "json_schema is not supported", "response_format"),
        (500, "failed to parse grammar", "response_format"),
        (400, "'response_format.type' must be 'json_schema' or 'text'", "response_format"),
        (400, "Something is wrong", "response_format"),
        (500, "tools param requires --jinja flag", "tools"),
        (404, "No endpoints found that support tool use.", "tools"),
        (422, "body.seed: Extra inputs are not permitted", "seed"),
        (400, "'temperature' does not support 0.7 with this model.", "temperature"),
        (400, "Unsupported parameter: stream_options", "stream_options"),
    ],
)
def test_what_a_server_refuses_is_left_out(chat, model_server, answer, status, words, field):
    model_server.routes[CHAT] = refusing(answer, words, lambda body: field in body, status)
    asked = request(schema=SCHEMA, tools=(TOOL,), temperature=0.7)
    assert chat.chat(asked, lambda text: None).text == WORDS
    count = len(model_server.bodies(CHAT))
    assert chat.chat(asked, lambda text: None).text == WORDS
    assert len(model_server.bodies(CHAT)) == count + 1


@pytest.mark.parametrize(
    ("status", "body", "error", "words"),
    [
        (200, {"error": {"message": "No such thing", "code": 500}}, ModelFailed, "No such thing"),
        (200, {"error": "No such thing"}, ModelFailed, "No such thing"),
        (200, {"object": "error", "message": "No such thing"}, ModelFailed, "No such thing"),
        (400, [{"error": {"code": 400, "message": "No such thing"}}], ModelFailed, "No such thing"),
        (400, {"object": "error", "message": "No such thing"}, ModelFailed, "No such thing"),
        (422, {"detail": [{"loc": ["body", "x"], "msg": "No such thing"}]}, ModelFailed, "No such"),
        (500, {"detail": {"msg": "No such thing", "type": "x"}}, ModelFailed, "No such thing"),
        (402, {"error": {"message": "Insufficient credits"}}, ModelFailed, "Insufficient credits"),
        (404, {"error": {"message": "model 'm' not found"}}, ModelMissing, "'m' not found"),
        (403, {"error": {"message": "Denied"}}, BadKey, "Denied"),
    ],
)
def test_errors_are_in_the_servers_own_words(
    chat, model_server, answer, status, body, error, words
):
    model_server.routes[CHAT] = lambda _: answer(body, status=status)
    for sink in SINKS:
        with pytest.raises(error) as caught:
            chat.chat(request(), sink)
        assert words in caught.value.message


@pytest.mark.parametrize("key", ["token", "max", "stream", "s"])
def test_a_short_key_is_not_cut_out_of_words(model_server, answer, key):
    words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    model_server.routes[CHAT] = refusing(answer, words, lambda body: "max_tokens" in body)
    assert OpenAIChat("m", model_server.url + "/v1", key, 5).chat(request()).text == WORDS
    model_server.routes[CHAT] = lambda _: answer({"error": f"No tokens, {words}"}, status=400)
    with pytest.raises(ModelFailed) as caught:
        OpenAIChat("m", model_server.url + "/v1", key, 5).chat(request())
    assert words in caught.value.message


def test_a_key_that_is_also_a_word_is_understood_before_it_is_cut_out(model_server, answer):
    words = "Use max_completion_tokens instead of max_tokens"
    model_server.routes[CHAT] = refusing(answer, words, lambda body: "max_tokens" in body)
    chat = OpenAIChat("m", model_server.url + "/v1", "max_completion_tokens", 5)
    assert chat.chat(request()).text == WORDS


@pytest.mark.parametrize("code", [400, 429, 503])
def test_a_reply_that_has_begun_is_not_begun_again(chat, model_server, answer, code):
    error = {"error": {"message": "stream broke, system role, tools", "code": code}}
    model_server.routes[CHAT] = lambda body: answer(pieces=sse(delta("Tram 28 "), error))
    heard = []
    with pytest.raises(ModelFailed, match="stream broke") as caught:
        chat.chat(request(tools=(TOOL,)), heard.append)
    assert type(caught.value) is ModelFailed
    assert "".join(heard).strip() == "Tram 28" and len(model_server.bodies(CHAT)) == 1


def test_a_broken_stream_is_no_quirk(chat, model_server, answer):
    words = "stream error: stream ID 5; INTERNAL_ERROR"
    model_server.routes[CHAT] = lambda body: answer({"error": words}, status=500)
    with pytest.raises(ModelFailed, match="INTERNAL_ERROR"):
        chat.chat(request(), lambda text: None)
    assert len(model_server.bodies(CHAT)) == 1


def test_an_embedder_that_refuses_a_field(model_server, answer):
    def embed(body):
        if "encoding_format" in body:
            return answer({"detail": "encoding_format: extra inputs"}, status=422)
        return answer({"data": [{"index": 0, "embedding": [1.0]}]})

    model_server.routes["/v1/embeddings"] = embed
    embedder = OpenAIEmbedder("m", model_server.url + "/v1", None, 5)
    assert embedder.embed(["x"], "document") == embedder.embed(["x"], "document")
    assert len(model_server.bodies("/v1/embeddings")) == 3


# -- replies without words ------------------------------------------------------------------------


def thinking(answer, stream, finish="length"):
    if stream:
        events = [delta(reasoning_content="Trams, "), delta(reasoning_content="then."), delta("")]
        return answer(pieces=sse(*events, delta(finish=finish), "[DONE]"))
    return answer(whole("", finish, reasoning_content="Trams, then."))


@pytest.mark.parametrize("sink", SINKS)
@pytest.mark.parametrize("field", ["chat_template_kwargs", "reasoning_effort"])
@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_a_reply_that_is_only_thinking_is_asked_for_without(
    chat, model_server, answer, sink, field, schema
):
    def respond(body):
        other = {"chat_template_kwargs", "reasoning_effort"} - {field}
        if other & set(body):
            words = f"Unrecognized request argument supplied: {other.pop()}"
            return answer({"error": {"message": words}}, status=400)
        if field not in body:
            return thinking(answer, body["stream"])
        return answer(whole("{}" if schema else WORDS))

    model_server.routes[CHAT] = respond
    for _ in range(2):
        assert chat.chat(request(schema=schema), sink).text == ("{}" if schema else WORDS)
    first, *_, again = model_server.bodies(CHAT)
    assert field not in first and field in again, "it is remembered"
    assert again["max_tokens"] == first["max_tokens"]
    assert len(model_server.bodies(CHAT)) <= 5


@pytest.mark.parametrize("sink", SINKS)
def test_a_model_that_cannot_stop_thinking_gets_more_room(chat, model_server, answer, sink):
    def respond(body):
        if body["max_tokens"] < 1000:
            return thinking(answer, body["stream"])
        return answer(whole(WORDS, reasoning_content="Trams, then."))

    model_server.routes[CHAT] = respond
    for _ in range(2):
        assert chat.chat(request(), sink).text == WORDS
    assert [b["max_tokens"] for b in model_server.bodies(CHAT)] == [512, 2048, 2048]


@pytest.mark.parametrize("inline", ["<think>Trams, then", "<think>Trams.</think>", ""])
@pytest.mark.parametrize("finish", ["length", "stop"])
def test_only_thinking_twice_is_an_error(chat, model_server, answer, inline, finish):
    def respond(body):
        if not inline:
            return thinking(answer, body["stream"], finish)
        return answer(whole(inline, finish))

    model_server.routes[CHAT] = respond
    for sink in SINKS:
        before = len(model_server.bodies(CHAT))
        with pytest.raises(ModelFailed, match="went into thinking") as caught:
            chat.chat(request(), sink)
        assert "max_answer_tokens" in caught.value.advice
        assert len(model_server.bodies(CHAT)) == before + 2


def test_an_empty_reply_is_never_a_success(chat, model_server, answer):
    model_server.routes[CHAT] = lambda body: answer(whole(None))
    with pytest.raises(ModelFailed, match="empty reply"):
        chat.chat(request())


def test_a_call_of_a_tool_is_not_empty(chat, model_server, answer):
    call = {"id": "1", "function": {"name": "look", "arguments": "{}"}}
    model_server.routes[CHAT] = lambda body: answer(whole(None, "tool_calls", tool_calls=[call]))
    assert chat.chat(request(tools=(TOOL,))).calls[0].name == "look"
    assert len(model_server.bodies(CHAT)) == 1


def test_thoughts_that_a_template_begins_are_learned(chat, model_server, answer):
    text = f"Trams, then.\n</think>\n\n{WORDS}"
    pieces = sse(*(delta(character) for character in text), delta(finish="stop"))
    model_server.routes[CHAT] = lambda body: answer(pieces=pieces)
    assert chat.chat(request(), lambda text: None).text == WORDS
    heard = []
    assert chat.chat(request(), heard.append).text == WORDS
    assert "".join(heard) == WORDS


# -- the table ------------------------------------------------------------------------------------


def test_quirks_are_remembered_for_a_day(tmp_path, monkeypatch):
    Quirks("a", tmp_path).learn("no seed", "no system", "no json_schema")
    assert set(Quirks("a", tmp_path)) == {"no seed", "no system"}
    assert set(Quirks("b", tmp_path)) == set() == set(Quirks("a"))
    monkeypatch.setattr("thalamus.models.quirks.EXPIRY", 0)
    assert EXPIRY == 24 * 3600
    assert set(Quirks("a", tmp_path)) == set()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"x": 3}', "\x00"])
def test_a_damaged_file_is_no_hindrance(tmp_path, text):
    (tmp_path / "quirks.json").write_text(text)
    quirks = Quirks("a", tmp_path)
    assert set(quirks) == set()
    quirks.learn("no seed")
    assert "no seed" in Quirks("a", tmp_path)


def test_a_dialogue_without_system_keeps_everything():
    messages = [
        {"role": "system", "content": "One."},
        {"role": "assistant", "content": "Two."},
        {"role": "system", "content": "Three."},
        {"role": "user", "content": "Four."},
    ]
    assert without_system({"messages": messages})["messages"] == [
        {"role": "assistant", "content": "Two."},
        {"role": "user", "content": "One.\n\nThree.\n\nFour."},
    ]
    roles = [m["role"] for m in strictly_alternating({"messages": messages})["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert without_system({"messages": messages[:1]})["messages"][0]["content"] == "One."
