"""Tools through every provider: what a request carries, and the calls that come back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from thalamus.errors import CassetteMiss, ConfigError, ModelFailed
from thalamus.models.cassette import CassetteChat
from thalamus.models.ollama import OllamaChat
from thalamus.models.openai import OpenAIChat
from thalamus.models.protocol import (
    ChatModel,
    ChatRequest,
    Message,
    ToolCalling,
    ToolRequest,
    ToolSpec,
)
from thalamus.models.scripted import ScriptedChat
from thalamus.models.tool_calls import StreamedCalls

pytestmark = pytest.mark.storeless

OPENAI, OLLAMA = "/v1/chat/completions", "/api/chat"
CALCULATE = ToolSpec(
    "calculate",
    "Works out an arithmetic expression.",
    {
        "type": "object",
        "properties": {
            "expression": {"type": "string"},
            "digits": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        },
        "required": ["expression"],
    },
)
WORLD = ToolSpec(
    "world_apply_ops",
    "Changes what the user is busy with.",
    {
        "type": "object",
        "properties": {"ops": {"type": "array", "items": {"type": "object"}}},
        "required": ["ops"],
    },
)
ARGUMENTS = '{"expression": "17 * 23"}'
FIRST = ToolRequest("call_1", "calculate", ARGUMENTS)
WRITTEN = f'```json\n{{"name": "calculate", "arguments": {ARGUMENTS}}}\n```'


def request(said: str = "What is 17 * 23?", **more: Any) -> ChatRequest:
    more.setdefault("tools", (CALCULATE,))
    return ChatRequest(role="act", messages=[Message("user", said)], **more)


def after_result(call: ToolRequest = FIRST, **more: Any) -> ChatRequest:
    asked = request(**more)
    messages = [
        *asked.messages,
        Message("assistant", "", calls=(call,)),
        Message("tool", "391", call_id=call.id),
    ]
    return structs.replace(asked, messages=messages)


@pytest.fixture
def openai(model_server: Any) -> OpenAIChat:
    return OpenAIChat("m", model_server.url + "/v1", None, 5)


def show(model_server: Any, answer: Any, **said: Any) -> OllamaChat:
    model_server.routes["/api/show"] = lambda body: answer({"model_info": {}, **said})
    return OllamaChat("m", model_server.url, 5, "5m")


@pytest.fixture
def ollama(model_server: Any, answer: Any) -> OllamaChat:
    return show(model_server, answer, capabilities=["completion", "tools"])


def message(finish: str = "tool_calls", **said: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", **said}, "finish_reason": finish}]}


def function(arguments: Any = ARGUMENTS, **more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "calculate", "arguments": arguments}, **more}


def sse(*deltas: dict[str, Any]) -> list[bytes]:
    events = [{"choices": [{"delta": delta}]} for delta in deltas]
    lines = [*map(json.dumps, events), "[DONE]"]
    return [f"data: {line}\n\n".encode() for line in lines]


def lines(*messages: dict[str, Any]) -> list[bytes]:
    """A reply of Ollama, the last message of which ends it."""
    parts = [
        {"model": "m", "message": {"role": "assistant", "content": "", **said}, "done": False}
        for said in messages
    ]
    parts[-1] |= {"done": True, "done_reason": "stop"}
    return [(json.dumps(part) + "\n").encode() for part in parts]


def test_openai_sends_tools_and_reads_calls(openai: Any, model_server: Any, answer: Any) -> None:
    model_server.routes[OPENAI] = lambda body: answer(
        message(content=None, tool_calls=[function(id="abc"), function({"expression": "1"})])
    )
    reply = openai.chat(request())
    assert (reply.text, reply.finish, reply.thinking) == ("", "stop", None)
    assert [(call.id, call.name, call.arguments) for call in reply.calls] == [
        ("abc", "calculate", ARGUMENTS),
        ("call_2", "calculate", '{"expression": "1"}'),
    ]
    (sent,) = model_server.bodies(OPENAI)
    assert sent["tools"] == [
        {
            "type": "function",
            "function": {
                "name": "calculate",
                "description": CALCULATE.description,
                "parameters": CALCULATE.parameters,
            },
        }
    ]
    openai.chat(request(tools=()))
    assert "tools" not in model_server.bodies(OPENAI)[1]


def test_openai_joins_the_pieces_of_a_stream(openai: Any, model_server: Any, answer: Any) -> None:
    def piece(index: int, arguments: str, **more: Any) -> dict[str, Any]:
        inner = {"arguments": arguments, **more.pop("function", {})}
        return {"tool_calls": [{"index": index, "function": inner, **more}]}

    deltas = [
        {"reasoning_content": "I must "},
        {"reasoning_content": "calculate."},
        {"content": "One moment."},
        piece(0, "", id="a", function={"name": "calculate"}),
        piece(0, '{"expression"'),
        piece(1, "{}", id="b", function={"name": "other"}),
        piece(0, ': "17 * 23"}'),
    ]
    model_server.routes[OPENAI] = lambda body: answer(pieces=sse(*deltas))
    seen: list[str] = []
    reply = openai.chat(request(), seen.append)
    assert "".join(seen) == reply.text == "One moment."
    assert reply.thinking == "I must calculate."
    assert reply.calls == (
        ToolRequest("a", "calculate", ARGUMENTS),
        ToolRequest("b", "other", "{}"),
    )


def test_openai_sends_calls_and_their_results(openai: Any, model_server: Any, answer: Any) -> None:
    model_server.routes[OPENAI] = lambda body: answer(message("stop", content="It is 391."))
    assert openai.chat(after_result()).text == "It is 391."
    assert model_server.bodies(OPENAI)[0]["messages"][1:] == [
        {"role": "assistant", "content": "", "tool_calls": [function(id="call_1")]},
        {"role": "tool", "content": "391", "tool_call_id": "call_1"},
    ]


@pytest.mark.parametrize("arguments", ["{broken", "[1]", "", '"text"'])
def test_arguments_that_are_no_object_do_not_spoil_the_conversation(
    openai: Any, ollama: Any, model_server: Any, answer: Any, arguments: str
) -> None:
    model_server.routes[OPENAI] = lambda body: answer(message("stop", content="x"))
    model_server.routes[OLLAMA] = lambda body: answer(json.loads(lines({"content": "x"})[0]))
    asked = after_result(structs.replace(FIRST, arguments=arguments))
    openai.chat(asked)
    ollama.chat(asked)
    (of_openai,) = model_server.bodies(OPENAI)
    (of_ollama,) = model_server.bodies(OLLAMA)
    assert of_openai["messages"][1]["tool_calls"][0]["function"]["arguments"] == "{}"
    assert of_ollama["messages"][1]["tool_calls"][0]["function"]["arguments"] == {}


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "registry.ollama.ai/library/m does not support tools"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser'),
        (422, "tools: Extra inputs are not permitted"),
        (400, "Bad Request"),
        (500, "tools param requires --jinja flag"),
    ],
)
@pytest.mark.parametrize("sink", [None, lambda text: None])
def test_a_server_that_refuses_tools_is_asked_without_and_this_is_remembered(
    openai: Any, model_server: Any, answer: Any, status: int, words: str, sink: Any
) -> None:
    def respond(body: Any) -> Any:
        if "tools" in body:
            return answer({"error": {"message": words}}, status=status)
        if "stream" in body:
            return answer(pieces=sse({"content": "391"}))
        return answer(message("stop", content="391"))

    model_server.routes[OPENAI] = respond
    assert openai.calls_tools()
    assert openai.chat(request(), sink).text == "391"
    assert not openai.calls_tools()
    openai.chat(request(), sink)
    assert ["tools" in body for body in model_server.bodies(OPENAI)] == [True, False, False]


def test_what_is_wrong_with_or_without_tools_is_not_held_against_them(
    openai: Any, model_server: Any, answer: Any
) -> None:
    model_server.routes[OPENAI] = lambda body: answer({"error": "Bad Request"}, status=400)
    with pytest.raises(ModelFailed, match="Bad Request"):
        openai.chat(request())
    assert openai.calls_tools()


@pytest.mark.parametrize(
    "said",
    [
        {"tool_calls": "calculate"},
        {"tool_calls": ["calculate"]},
        {"tool_calls": [{"function": {"name": 3}}]},
        {"tool_calls": [{"function": {"name": "calculate", "arguments": 3}}]},
        {"tool_calls": [{"index": "first", "function": {"name": "calculate"}}]},
        {"reasoning_content": ["hm"]},
    ],
)
def test_calls_that_are_none_are_the_servers_fault(
    openai: Any, model_server: Any, answer: Any, said: dict[str, Any]
) -> None:
    model_server.routes[OPENAI] = lambda body: answer(message(content="", **said))
    with pytest.raises(ModelFailed, match="invalid reply"):
        openai.chat(request())


def test_a_call_that_is_written_as_text_is_a_call(
    openai: Any, ollama: Any, model_server: Any, answer: Any
) -> None:
    model_server.routes[OPENAI] = lambda body: answer(
        pieces=sse(*({"content": c} for c in WRITTEN))
    )
    model_server.routes[OLLAMA] = lambda body: answer(
        pieces=lines(*({"content": c} for c in WRITTEN))
    )
    for chat in (openai, ollama):
        seen: list[str] = []
        reply = chat.chat(request(), seen.append)
        assert (reply.text, reply.calls, "".join(seen)) == ("", (FIRST,), "")
        asked = chat.chat(request(tools=()), seen.append)
        assert (asked.text, asked.calls, "".join(seen)) == (WRITTEN, (), WRITTEN)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"capabilities": ["completion", "tools"]}, True),
        ({"capabilities": ["completion"]}, False),
        ({"template": "{{ if .Tools }}"}, True),  # a server from before there were capabilities
        ({"template": "{{ .Prompt }}"}, False),
        ({}, False),
    ],
)
def test_ollama_says_whether_a_model_calls_tools(
    model_server: Any, answer: Any, said: dict[str, Any], expected: bool
) -> None:
    chat = show(model_server, answer, **said)
    assert [chat.calls_tools(), chat.calls_tools(), chat.context()] == [expected, expected, 8192]
    assert len(model_server.bodies("/api/show")) == 1


def test_ollama_down_calls_none(closed_url: str) -> None:
    assert not OllamaChat("m", closed_url, 5, "5m").calls_tools()


@pytest.mark.parametrize("streamed", [True, False])
def test_ollama_sends_tools_and_reads_calls_and_thoughts(
    ollama: Any, model_server: Any, answer: Any, streamed: bool
) -> None:
    call = {"function": {"name": "calculate", "arguments": {"expression": "17 * 23"}}}
    said = {"thinking": "Hm.", "tool_calls": [call, call]}
    pieces = lines({"thinking": "Hm."}, {"tool_calls": [call]}, {"tool_calls": [call]})
    model_server.routes[OLLAMA] = lambda body: (
        answer(pieces=pieces) if streamed else answer(json.loads(lines(said)[0]))
    )
    reply = ollama.chat(request(), (lambda text: None) if streamed else None)
    assert reply.calls == (FIRST, structs.replace(FIRST, id="call_2"))
    assert (reply.text, reply.thinking) == ("", "Hm.")
    (sent,) = model_server.bodies(OLLAMA)
    (tool,) = sent["tools"]
    assert (tool["type"], tool["function"]["name"]) == ("function", "calculate")
    assert tool["function"]["parameters"]["required"] == ["expression"]
    properties = tool["function"]["parameters"]["properties"]
    assert properties == {
        "expression": {"type": "string"},
        "digits": {"type": ["integer", "null"]},  # the client leaves out what it does not know
    }
    assert sent["think"] is False


def test_ollama_sends_calls_and_their_results(ollama: Any, model_server: Any, answer: Any) -> None:
    model_server.routes[OLLAMA] = lambda body: answer(json.loads(lines({"content": "391"})[0]))
    ollama.chat(after_result())
    called = {"name": "calculate", "arguments": {"expression": "17 * 23"}}
    assert model_server.bodies(OLLAMA)[0]["messages"][1:] == [
        {"role": "assistant", "tool_calls": [{"function": called}]},
        {"role": "tool", "content": "391", "tool_name": "calculate"},
    ]


def test_ids_that_are_made_up_are_new_in_the_conversation(
    ollama: Any, model_server: Any, answer: Any
) -> None:
    model_server.routes[OLLAMA] = lambda body: answer(json.loads(lines({"content": WRITTEN})[0]))
    assert [call.id for call in ollama.chat(after_result()).calls] == ["call_2"]


def test_every_provider_says_whether_it_calls_tools(tmp_path: Path) -> None:
    from thalamus.models.llamacpp import LlamaCppChat

    chats: list[ChatModel] = [
        OllamaChat("m", "http://127.0.0.1:9", 5, "5m"),
        OpenAIChat("m", "http://127.0.0.1:9", None, 5),
        LlamaCppChat(tmp_path / "none.gguf"),
        ScriptedChat(),
        CassetteChat(ScriptedChat(), tmp_path / "calls.jsonl", "record"),
    ]
    said = [isinstance(chat, ToolCalling) and chat.calls_tools() for chat in chats]
    assert said == [False, True, False, True, True]


def test_the_scripted_model_calls_what_is_plainly_wanted() -> None:
    chat = ScriptedChat()
    tools = (CALCULATE, WORLD)
    assert chat.chat(request(tools=tools)).calls == (FIRST,)
    said = chat.chat(request("My project is the herb garden.", tools=tools)).calls
    ops = '{"ops": [{"op": "set", "path": "project", "value": "herb garden"}]}'
    assert said == (ToolRequest("call_1", "world_apply_ops", ops),)
    for nothing in ("I like 3 colours.", "Is my project the garden?", "Born on 2001-02-03."):
        reply = chat.chat(request(nothing, tools=tools))
        assert (reply.calls, reply.text) == ((), "There is nothing to do.")
    assert chat.chat(request(tools=())).calls == ()


def test_the_scripted_model_says_what_a_tool_gave() -> None:
    chat = ScriptedChat()
    assert chat.chat(after_result()).text == "391"
    assert chat.chat(after_result()).calls == ()
    asked = after_result()
    result = structs.replace(asked.messages[-1], content='{"result": 391}')
    asked = structs.replace(asked, messages=[*asked.messages[:-1], result])
    assert chat.chat(asked).text == "391"


def script(tmp_path: Path, text: str) -> ScriptedChat:
    path = tmp_path / "play.yaml"
    path.write_text(text, encoding="utf-8")
    return ScriptedChat(path)


def test_a_script_calls_tools(tmp_path: Path) -> None:
    chat = script(
        tmp_path,
        """
        - role: act
          match: both
          reply: One moment.
          calls: [{name: a, arguments: {k: 1}}, {name: b}]
        - {role: act, match: broken, calls: [{name: a, arguments: "{k: "}], times: 1}
        """,
    )
    reply = chat.chat(request("do both"))
    assert reply.text == "One moment."
    assert reply.calls == (
        ToolRequest("call_1", "a", '{"k": 1}'),
        ToolRequest("call_2", "b", "{}"),
    )
    assert chat.chat(request("broken")).calls == (ToolRequest("call_1", "a", "{k: "),)
    assert chat.chat(request("broken")).calls == ()
    assert chat.chat(request("do both", tools=())).calls == (), "there is nothing to call"


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("{calls: [{name: a}], error: failed}", "either a reply or an error"),
        ("{calls: [{arguments: {}}]}", "name"),
        ("{calls: [{name: ''}]}", "length"),
        ("{calls: [{name: a, arguments: 3}]}", "arguments"),
        ("{calls: [{name: a, args: {}}]}", "args"),
        ("{calls: []}", "expected a reply, calls, an error, a delay or until"),
    ],
)
def test_a_wrong_call_in_a_script_is_named(tmp_path: Path, entry: str, problem: str) -> None:
    with pytest.raises(ConfigError, match=f"entry 1: .*{problem}"):
        script(tmp_path, f"- {entry}")


@pytest.mark.parametrize(
    ("said", "route"),
    [
        ("What is 17 * 23?", "world"),
        ("How much is 15% of 80?", "world"),
        ("My project is the herb garden.", "world"),
        ("Add swimming to my goals.", "world"),
        ("Remind me to water the plants.", "world"),
        ("Where do I live?", "context"),
        ("What did we decide about the roof?", "context"),
        ("When did I say that my project is the garden?", "context"),
        ("Who wrote Hamlet?", "answer"),
        ("My project is late.", "answer"),
        ("I was born on 2001-02-03.", "answer"),
        ("Thanks!", "answer"),
    ],
)
def test_the_scripted_model_routes_by_rules(said: str, route: str) -> None:
    prompt = f"Example: <user_message>1 + 1</user_message>\n<user_message>{said}</user_message>"
    for schema in ({"type": "object"}, None):
        asked = ChatRequest(role="route", messages=[Message("user", prompt)], schema=schema)
        made = json.loads(ScriptedChat().chat(asked).text)
        assert made["route"] == route
        assert isinstance(made["reason"], str) and len(made) == 2


def test_the_scripted_models_other_replies_in_a_routed_turn() -> None:
    said = "<user_message>We sow Basil and basil seeds in 12 pots.</user_message>"

    def made(role: Any, schema: dict[str, Any]) -> Any:
        asked = ChatRequest(role=role, messages=[Message("user", said)], schema=schema)
        return json.loads(ScriptedChat().chat(asked).text)

    assert made("gather", {}) == {"complete": True, "next": None, "memory_request": None}
    assert made("topics", {}) == {"topics": ["sow", "basil", "seeds"]}
    kinds = {
        "tool": {"enum": ["calculate", "none"]},
        "arguments": {"type": "object", "properties": {"k": {"type": "integer"}}},
        "items": {"type": "array"},
        "why": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "done": {"type": "boolean"},
    }
    schema = {"type": "object", "properties": kinds, "required": list(kinds)}
    least = {"tool": "none", "arguments": {}, "items": [], "why": None, "done": False}
    assert made("act", schema) == least


def test_calls_are_recorded_and_replayed(tmp_path: Path) -> None:
    tape = tmp_path / "calls.jsonl"
    recorder = CassetteChat(ScriptedChat(), tape, "record")
    first, second = recorder.chat(request()), recorder.chat(after_result())
    assert first.calls == (FIRST,)
    player = CassetteChat(None, tape, "replay")
    assert player.calls_tools()
    assert (player.chat(request()), player.chat(after_result())) == (first, second)
    with pytest.raises(CassetteMiss, match=r"\+tools: \[\]"):
        player.chat(request(tools=()))
    with pytest.raises(CassetteMiss, match=r"-call: .*call_1"):
        player.chat(structs.replace(after_result(structs.replace(FIRST, id="call_9"))))


def test_a_cassette_from_before_there_were_tools_is_replayed(tmp_path: Path) -> None:
    tape = tmp_path / "calls.jsonl"
    asked = {
        "role": "answer",
        "messages": [{"role": "user", "content": "Hello"}],
        "schema": None,
        "max_tokens": 512,
        "temperature": 0.0,
        "seed": 0,
    }
    entry = {"kind": "chat", "model": "m", "context": 9, "request": asked}
    reply = {"text": "Hi", "model": "m", "tokens_in": 1, "tokens_out": 1, "finish": "stop"}
    tape.write_text(f'{{"cassette": 1}}\n{json.dumps({**entry, "reply": reply})}\n')
    player = CassetteChat(None, tape, "replay")
    said = player.chat(ChatRequest(role="answer", messages=[Message("user", "Hello")]))
    assert (said.text, said.calls, said.thinking) == ("Hi", (), None)
    assert not player.calls_tools()


def test_calls_with_the_same_index_are_told_apart_by_their_ids() -> None:
    calls = StreamedCalls()
    for id, name, arguments in (
        ("a", "calculate", '{"expression"'),
        (None, None, ': "1+1"}'),
        ("b", "search", '{"query"'),
        (None, None, ': "x"}'),
    ):
        function = {"name": name, "arguments": arguments}
        calls.feed([{"index": 0, "id": id, "function": function}])
    assert calls.found() == [
        ("a", "calculate", '{"expression": "1+1"}'),
        ("b", "search", '{"query": "x"}'),
    ]
