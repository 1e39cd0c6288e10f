"""Tool calls that a model writes where it should answer."""

import json
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs

from thalamus import Thalamus
from thalamus.errors import ModelFailed
from thalamus.memory.sessions import recent_turns
from thalamus.models.ollama import OllamaChat
from thalamus.models.openai import OpenAIChat
from thalamus.models.protocol import ChatRequest, Message
from thalamus.models.stray_calls import StrayCalls

CHAT = "/v1/chat/completions"
CALL = '{"name": "tide_table", "arguments": {"port": "Hull"}}'
QUESTION = "When is high tide?"
WORDS = "High tide is at four."
HARMONY = (
    '<|channel|>commentary to=functions.tide_table <|constrain|>json<|message|>{"port": "Hull"}'
)
CALLS = [
    f"<tool_call>\n{CALL}\n</tool_call>",
    f"<tool_call>{CALL}",
    f"<tool_call>{CALL}</tool_call>\n<tool_call>{CALL}</tool_call>",
    "<tool_call>tide_table\n<arg_key>port</arg_key>\n<arg_value>Hull</arg_value>\n</tool_call>",
    f"<function_call>{CALL}</function_call>",
    f"<functioncall> {CALL}",
    '<function=tide_table>{"port": "Hull"}</function>',
    "<tool_call><function=tide_table><parameter=port>Hull</parameter></function></tool_call>",
    '<function_calls><invoke name="tide_table"></invoke></function_calls>',
    f"<minimax:tool_call>{CALL}</minimax:tool_call>",
    f"<tools>\n{CALL}\n</tools>",
    f"<TOOLCALL>[{CALL}]</TOOLCALL>",
    f"<|tool_call|>[{CALL}]<|/tool_call|>",
    '<|tool_call>call:tide_table{port:"Hull"}<tool_call|>',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.tide_table:0{"port": "Hull"}',
    '<|python_tag|>tide_table.call(port="Hull")',
    f"<|python_tag|>{CALL}",
    f"[TOOL_CALLS][{CALL}]",
    '[TOOL_CALLS]tide_table[ARGS]{"port": "Hull"}',
    f"functools[{CALL}]",
    HARMONY,
    'commentary to=functions.tide_table json{"port": "Hull"}',
    f"```json\n{CALL}\n```",
    f"```\n{CALL}\n```",
    f"```tool_call\n{CALL}\n```",
    '```tool_code\nprint(tide_table(port="Hull"))\n```',
    f"```xml\n<tool_call>{CALL}</tool_call>\n```",
    CALL,
    f"[{CALL}]",
    CALL.removesuffix("}"),
    CALL[:-6],
    '{"type": "function", "name": "tide_table", "parameters": {"port": "Hull"}}',
    f'{{"type": "function", "function": {CALL}}}',
    f'{{"tool_calls": [{{"id": "1", "type": "function", "function": {CALL}}}]}}',
    '{"tool": "tide_table", "args": {"port": "Hull"}}',
    '{"action": "tide_table", "action_input": "Hull"}',
    '[tide_table(port="Hull")]',
]
ANSWERS = [
    WORDS,
    "{",
    "[",
    "`",
    "<b>four</b>",
    "[the table](https://tides.example)",
    "[Hull] at four",
    '{"name": "Hull", "tide": 4}',
    '{"name": "Hull harbour", "arguments": 3}',
    '{"high": 4, "low": 10}',
    "[1, 2, 3]",
    "```python\nprint(4)\n```",
    "```\nhigh: 4\n```",
    "```json\n[4, 16]\n```",
    "```xml\n<tide>4</tide>\n```",
    f"{CALL} is how one asks for it.",
    f"It is asked for with `<tool_call>{CALL}</tool_call>`.",
    f"Write this:\n```\n<tool_call>{CALL}</tool_call>\n```",
    "The tools are a rope and a hook.",
    "function f is odd",
    "analysis",
]


def question(said=QUESTION, **more):
    return ChatRequest(role="answer", messages=[Message("user", said)], **more)


def read(text, said=QUESTION, size=None):
    """What is heard and returned of a reply that arrives in pieces."""
    heard = []
    calls = StrayCalls(heard.append, question(said).messages)
    size = size or max(1, len(text))
    for start in range(0, len(text), size):
        calls.feed(text[start : start + size])
    rest, _ = calls.close(text)
    return "".join(heard), rest


@pytest.mark.parametrize("text", [call for call in CALLS if "<|channel|>" not in call])
def test_a_call_is_not_shown(text):
    for size in (None, 1, 5):
        assert read(text, size=size) == ("", "")
        assert read(f"\n{text}\n", size=size)[1] == ""


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_is_shown(text):
    for size in (None, 1, 5):
        assert read(text, size=size) == (text, text)


@pytest.mark.parametrize(
    "said",
    [
        "Show me a tool call for the tides.",
        "Write that as JSON.",
        "Wie sieht ein Aufruf von tide_table aus?",
        "I need an object with name and arguments.",
        'What is wrong with {"port": 1}?',
    ],
)
@pytest.mark.parametrize("text", [CALL, f"```json\n{CALL}\n```"])
def test_a_call_that_the_user_asked_to_see_is_shown(said, text):
    assert read(text, said) == (text, text)


def test_notes_and_answers_do_not_ask_for_calls():
    messages = [
        Message("user", "Hello"),
        Message("assistant", CALLS[0]),
        Message("user", f"<memories>\n- “{CALLS[1]}” as JSON\n</memories>\n\n{QUESTION}"),
    ]
    assert StrayCalls(None, messages).close(CALLS[0]) == ("", True)


def test_words_before_and_after_a_call_stay():
    assert read(f"One moment.\n{CALLS[0]}\n{WORDS}", size=3)[1] == f"One moment.\n\n{WORDS}"
    assert read(f"One moment. {CALLS[0]}", size=3)[1] == "One moment."


@given(
    st.lists(st.sampled_from([*CALLS, "`", "```", "\n", "words ", "{", "<", "["]), max_size=6),
    st.lists(st.integers(0, 300), max_size=8),
)
@example(["{", HARMONY], [12])
@example(["words ", HARMONY], [28])
def test_pieces_make_no_difference(bits, cuts):
    text = "".join(bits)
    edges = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    heard = []
    calls = StrayCalls(heard.append, question().messages)
    for start, end in pairwise(edges):
        calls.feed(text[start:end])
    rest, _ = calls.close(text)
    assert rest == StrayCalls(None, question().messages).close(text)[0]
    assert "".join(heard).rstrip() == rest.rstrip()


@pytest.fixture
def chats(model_server, answer):
    """Both providers, with a server that sends these replies one after the other."""

    def make(*replies):
        left = list(replies)

        def openai(body):
            message = left.pop(0) if len(left) > 1 else left[0]
            message = message if isinstance(message, dict) else {"content": message}
            return answer({"choices": [{"message": message, "finish_reason": "stop"}]})

        def ollama(body):
            reply = json.loads(json.dumps(openai(body).body["choices"][0]["message"]))
            whole = {"model": "m", "message": {"role": "assistant", "content": "", **reply}}
            return answer(whole | {"done": True, "done_reason": "stop"})

        model_server.routes[CHAT] = openai
        model_server.routes["/api/chat"] = ollama
        return [
            (OpenAIChat("m", f"{model_server.url}/v1", None, 5, 4096), CHAT),
            (OllamaChat("m", model_server.url, 5, "5m", 4096), "/api/chat"),
        ]

    return make


NATIVE = {"content": None, "tool_calls": [{"function": {"name": "tide_table", "arguments": "{}"}}]}


@pytest.mark.parametrize("sink", [None, [].append])
@pytest.mark.parametrize("call", [*CALLS, NATIVE])
def test_a_model_that_calls_is_asked_once_more_for_words(chats, model_server, call, sink):
    chat, path = chats(call, WORDS)[0]
    assert chat.chat(question(), sink).text == WORDS
    first, second = model_server.bodies(path)
    assert "no tools" in second["messages"][-1]["content"]
    assert {**second, "messages": first["messages"]} == first


@pytest.mark.parametrize("number", [0, 1])
def test_a_second_call_is_an_error(chats, model_server, number):
    chat, path = chats(CALLS[0])[number]
    heard = []
    with pytest.raises(ModelFailed, match="called a tool"):
        chat.chat(question(), heard.append)
    assert "".join(heard) == "" and len(model_server.bodies(path)) == 2


def test_a_call_is_neither_shown_nor_stored(thalamus, chats, model_server):
    chats(CALLS[0])
    config = structs.replace(
        thalamus.config,
        model="openai:m",
        openai_base_url=f"{model_server.url}/v1",
        enable_reflection=False,
    )
    with Thalamus(config=config, clock=thalamus.clock) as engine:
        turn = engine.turn(QUESTION)
        assert turn.answer is None and "called a tool" in turn.issues[0].message
        (stored,) = recent_turns(engine.engine.store, turn.session, turn.user, 5)
        assert (stored.message, stored.answer) == (QUESTION, None)
