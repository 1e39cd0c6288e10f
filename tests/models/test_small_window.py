"""Servers whose context window is smaller than configured, and what is sent to them."""

import json

import pytest
from msgspec import structs

from thalamus import Thalamus
from thalamus.errors import PromptTooLong
from thalamus.models.ollama import OllamaChat
from thalamus.models.openai import OpenAIChat
from thalamus.models.protocol import ChatRequest, Message
from thalamus.models.size_refusals import Sizes, means_too_long, reply_limit, sizes

CHAT = "/v1/chat/completions"
WORDS = "The ferry leaves at noon."
NOTHING = json.dumps({"memories_to_store": [], "facts": [], "no_longer": []})
SUMMARY = json.dumps({"summary": "The keeper oiled hinge 3 of the lock.", "topic": "lock"})
STORY = "Chapter {}: " + " ".join(f"the keeper oiled hinge {n} of the lock" for n in range(40))


def counted(body):
    """The tokens of a prompt as the server counts them: more than are estimated."""
    return sum(len(message["content"]) for message in body["messages"]) // 3


def llama(used, most, reply):
    words = "the request exceeds the available context size, try increasing it"
    error = {"code": 400, "message": words, "type": "exceed_context_size_error"}
    return {"error": error | {"n_prompt_tokens": used, "n_ctx": most}}


def openai(used, most, reply):
    words = (
        f"This model's maximum context length is {most} tokens. However, you requested"
        f" {used + reply} tokens ({used} in the messages, {reply} in the completion)."
    )
    return {"error": {"message": words, "code": "context_length_exceeded"}}


def vllm(used, most, reply):
    words = f"The decoder prompt (length {used}) is longer than the maximum model length of {most}."
    return {"object": "error", "message": words, "code": 400}


def lm_studio(used, most, reply):
    return {
        "error": f"Trying to keep the first {used} tokens when context the overflows. However, the"
        f" model is loaded with context length of only {most} tokens, which is not enough."
    }


def nameless(used, most, reply):
    return {"error": {"message": "The prompt is too long for this model."}}


SERVERS = [llama, openai, vllm, lm_studio, nameless]


@pytest.fixture
def serve(model_server, answer):
    """Makes the server refuse what its context has no room for, and count the refusals."""

    def make(says, most=2048, counts_reply=False, status=400, record=NOTHING):
        refused = []

        def respond(body):
            used, reply = counted(body), body["max_tokens"]
            if used + (reply if counts_reply else 0) > most:
                refused.append(body)
                return answer(says(used, most, reply), status=status)
            text = record if "response_format" in body else WORDS
            whole = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
            return answer(whole)

        model_server.routes[CHAT] = respond
        return refused

    return make


@pytest.fixture
def engine(thalamus, model_server):
    """Opens the engine with the server's model, as a process of its own would."""

    def open_engine(**settings):
        config = structs.replace(
            thalamus.config, model="openai:m", openai_base_url=f"{model_server.url}/v1", **settings
        )
        return Thalamus(config=config, clock=thalamus.clock)

    return open_engine


@pytest.mark.parametrize("says", SERVERS)
@pytest.mark.parametrize("listens", [False, True])
def test_a_conversation_goes_on_when_the_context_is_full(
    serve, engine, model_server, says, listens
):
    refused = serve(says)
    with engine(enable_reflection=False) as thalamus:
        if listens:
            thalamus.events.bind("on_token", lambda text: None)
        for number in range(6):
            message = STORY.format(number)
            turn = thalamus.turn(message)
            assert (turn.answer, turn.issues) == (WORDS, [])
            assert message in model_server.bodies(CHAT)[-1]["messages"][-1]["content"]
        assert thalamus.turn("Where was I?").answer == WORDS
    assert 1 <= len(refused) <= 2, "it is remembered"
    with engine(enable_reflection=False) as thalamus:
        assert thalamus.turn(STORY.format(7)).answer == WORDS
    assert len(refused) <= 2, "beyond the process"


def test_the_reply_gets_fewer_tokens_before_the_prompt_does(serve, engine, model_server):
    words = "'max_tokens' is too large: {}. This model's maximum context length is {} tokens and"
    words += " your request has {} input tokens."
    serve(lambda used, most, reply: {"error": words.format(reply, most, used)}, 1000, True)
    with engine(enable_reflection=False) as thalamus:
        assert thalamus.turn("Which berth do I have?").answer == WORDS
    first, second = model_server.bodies(CHAT)
    assert first["messages"] == second["messages"]
    assert 64 <= second["max_tokens"] < first["max_tokens"]


def test_a_limit_of_the_reply_alone_leaves_the_window_as_it_is(model_server, answer):
    def respond(body):
        if body["max_tokens"] > 900:
            return answer({"error": "Range of max_tokens should be [1, 900]"}, status=400)
        return answer({"choices": [{"message": {"content": WORDS}, "finish_reason": "stop"}]})

    model_server.routes[CHAT] = respond
    chat = OpenAIChat("m", f"{model_server.url}/v1", None, 5, context=4096)
    asked = ChatRequest(role="reflect", messages=[Message("user", "Hello")], max_tokens=1600)
    for _ in range(2):
        assert chat.chat(asked).text == WORDS
    assert [body["max_tokens"] for body in model_server.bodies(CHAT)] == [1600, 900, 900]
    assert chat.context() == 4096


@pytest.mark.parametrize("says", [llama, openai, nameless])
def test_what_a_long_message_says_is_extracted_in_shorter_parts(
    serve, engine, model_server, answer, says
):
    refused = serve(says, 2400, counts_reply=says is openai)
    respond, said = model_server.routes[CHAT], "My berth is number nineteen."
    found = {"content": "The user's berth is number nineteen.", "quote": said}

    def extract(body):
        reply = respond(body)
        if "response_format" in body and reply.status == 200 and said in str(body["messages"][-1]):
            text = json.dumps({"memories_to_store": [found], "facts": []})
            reply.body["choices"][0]["message"]["content"] = text
        return reply

    model_server.routes[CHAT] = extract
    with engine() as thalamus:
        for number in range(3):
            thalamus.turn(STORY.format(number))
        turn = thalamus.turn(f"{STORY.format(4)}\n\n{said}")
        assert turn.issues == []
        kept = [one.content for one in turn.reflection.memories_to_store]
        assert kept == [found["content"]]
    assert refused


def test_a_document_is_summed_up_in_more_parts(serve, engine, tmp_path):
    refused = serve(openai, 3000, counts_reply=True, record=SUMMARY)
    path = tmp_path / "log.md"
    path.write_text("\n\n".join(STORY.format(number) for number in range(12)))
    with engine() as thalamus:
        document = thalamus.ingest(path)
        assert document.summary == json.loads(SUMMARY)["summary"]
    assert refused


def test_a_message_that_is_too_long_by_itself_is_kept_and_the_error_says_so(
    serve, engine, model_server
):
    refused = serve(llama)
    with engine(enable_reflection=False) as thalamus:
        turn = thalamus.turn(STORY.format(0) * 8)
        assert turn.answer is None and turn.stored is not None
        assert "Shorten the message" in turn.issues[0].fix
        assert len(refused) <= 3
        assert thalamus.turn("Good evening.").answer == WORDS


def test_a_refusal_that_says_nothing_new_is_final(model_server, answer):
    model_server.routes[CHAT] = lambda body: answer(llama(9000, 100, 0), status=400)
    chat = OpenAIChat("m", f"{model_server.url}/v1", None, 5, context=4096)
    asked = ChatRequest(role="answer", messages=[Message("user", "Hello " * 400)])
    for learned in (True, False):
        with pytest.raises(PromptTooLong) as caught:
            chat.chat(asked)
        assert caught.value.learned is learned
    assert len(model_server.requests) == 2


def test_nothing_is_kept_of_a_server_that_refuses_whatever_is_sent(model_server, answer, tmp_path):
    model_server.routes[CHAT] = lambda body: answer("<h1>Request Entity Too Large</h1>", status=413)
    for _ in range(2):
        chat = OpenAIChat("m", f"{model_server.url}/v1", None, 5, context=4096, cache=tmp_path)
        assert chat.context() == 4096
        with pytest.raises(PromptTooLong):
            chat.chat(ChatRequest(role="answer", messages=[Message("user", "Hello " * 400)]))
        assert chat.context() < 4096


def test_ollama_is_asked_again_with_less_but_keeps_its_own_window(model_server, answer):
    def respond(body):
        if sum(len(message["content"]) for message in body["messages"]) > 900:
            return answer({"error": "the input length exceeds the context length"}, status=400)
        message = {"role": "assistant", "content": WORDS}
        return answer({"model": "m", "message": message, "done": True, "done_reason": "stop"})

    model_server.routes["/api/chat"] = respond
    model_server.routes["/api/show"] = lambda body: answer(
        {"model_info": {"q.context_length": 8192}, "details": {"parameter_size": "8B"}}
    )
    chat = OllamaChat("m", model_server.url, 5, "5m", 8192)
    with pytest.raises(PromptTooLong):
        chat.chat(ChatRequest(role="answer", messages=[Message("user", "x" * 2000)]))
    assert chat.context() < 600
    chat.chat(ChatRequest(role="answer", messages=[Message("user", "x" * 800)]))
    assert model_server.bodies("/api/chat")[-1]["options"]["num_ctx"] == 8192


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("request (3725 tokens) exceeds the available context size (2048 tokens)", (2048, 3725)),
        ("You passed 2049 input tokens and requested 512 output tokens. However, the model's"
         " context length is only 2048 tokens, resulting in a maximum input length of 1536"
         " tokens.", (2048, 2049)),
        ("`inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2500 `inputs` tokens and 512"
         " `max_new_tokens`", (2048, 2500)),
        ("The input (3000 tokens) is longer than the model's context length (2048 tokens).",
         (2048, 3000)),
        ("Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum"
         " context length", (32768, 40000)),
        ("prompt is too long: 210000 tokens > 200000 maximum", (200_000, 210_000)),
        ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
         (1_048_576, 1_200_000)),
        ("Context length 5000 is greater than max_seq_len 4096", (4096, 5000)),
        ("Limit 6,000, Requested 7,000, please reduce your message size and try again.",
         (6000, 7000)),
        ("prompt too long; exceeded max context length by 4 tokens", (None, None)),
    ],
)  # fmt: skip
def test_sizes_that_refusals_name(words, named):
    assert means_too_long(words)
    assert sizes(words, 512) == Sizes(*named)
    assert reply_limit(words, 512) is None


@pytest.mark.parametrize(
    ("words", "most"),
    [
        ("max_tokens is too large: 9000. It supports at most 4096 completion tokens", 4096),
        ("max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens", 8192),
        ("max_tokens is too large", 4500),
        ("Use 'max_completion_tokens' instead of 'max_tokens'.", None),
        ("'max_tokens' is too large: 9000. This model's maximum context length is 1024 tokens and"
         " your request has 800 input tokens.", None),
    ],
)  # fmt: skip
def test_limits_of_replies_that_refusals_name(words, most):
    assert reply_limit(words, 9000) == most
