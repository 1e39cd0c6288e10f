"""llama.cpp in process: what happens before a model is loaded, and with a real one if there is."""

import json
import os
import struct
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from thalamus.api import Thalamus
from thalamus.config import Config
from thalamus.errors import ModelFailed, ModelMissing
from thalamus.models.gguf import read_header
from thalamus.models.llamacpp import LlamaCppChat, LlamaCppEmbedder
from thalamus.models.llamacpp_server import Settings, configure, default_threads, load, pieces
from thalamus.models.protocol import ROLES, ChatRequest, Message, ToolSpec
from thalamus.models.quirks import WINDOW
from thalamus.models.resolve import chat_model
from thalamus.records import Turn


def request(text, **more):
    return ChatRequest(role="answer", messages=[Message("user", text)], **more)


def text_bytes(text):
    return struct.pack("<Q", len(text)) + text.encode()


def gguf(*entries):
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(entries)) + b"".join(entries)


def entry(key, value):
    if isinstance(value, str):
        return text_bytes(key) + struct.pack("<I", 8) + text_bytes(value)
    if isinstance(value, list):
        items = b"".join(text_bytes(item) for item in value)
        return text_bytes(key) + struct.pack("<IIQ", 9, 8, len(value)) + items
    return text_bytes(key) + struct.pack("<II", 4, value)


def numbers(key, values):
    return text_bytes(key) + struct.pack(f"<IIQ{len(values)}I", 9, 4, len(values), *values)


HEADER = gguf(
    entry("general.architecture", "tiny"),
    entry("general.tags", ["a", "bc"]),
    entry("tiny.context_length", 512),
)


@pytest.mark.parametrize(("asked", "expected"), [(4096, 512), (256, 256), (None, 512)])
def test_context_is_the_models_own_up_to_what_was_asked(tmp_path, asked, expected):
    path = tmp_path / "m.gguf"
    path.write_bytes(HEADER)
    assert LlamaCppChat(path, asked).context() == expected
    assert read_header(path).architecture == "tiny"


def test_a_window_that_was_too_small_says_nothing_of_a_larger_one(tmp_path):
    path = tmp_path / "m.gguf"
    path.write_bytes(HEADER)
    small = LlamaCppChat(path, 300, cache=tmp_path)
    small._quirks.lower(WINDOW, 200)  # a prompt was refused
    small._quirks.keep_limits()
    assert LlamaCppChat(path, 300, cache=tmp_path).context() == 200
    assert LlamaCppChat(path, 512, cache=tmp_path).context() == 512


@pytest.mark.parametrize(
    ("layers", "heads", "expected"),
    [
        (8, entry("tiny.attention.head_count_kv", 2), 32_768),
        (2, numbers("tiny.attention.head_count_kv", [2, 0]), 32_768),
        (10**9, entry("tiny.attention.head_count_kv", 2), 4096),  # more than any memory
        (8, entry("tiny.other", 2), 8192),  # not known
    ],
)
def test_the_window_is_as_large_as_the_memory_allows(tmp_path, layers, heads, expected):
    path = tmp_path / "m.gguf"
    path.write_bytes(
        gguf(
            entry("general.architecture", "tiny"),
            entry("tiny.context_length", 131_072),
            entry("tiny.block_count", layers),
            entry("tiny.embedding_length", 128),
            *([] if expected == 8192 else [entry("tiny.attention.head_count", 4)]),
            heads,
        )
    )
    found = LlamaCppChat(path).capacity()
    assert found.window == expected
    assert ("too little memory" in found.why) == (expected < 32_768)
    assert LlamaCppChat(path, 100_000).capacity().window == 100_000


@pytest.mark.parametrize(
    ("name", "label", "expected"),
    [
        ("mine.gguf", "135M", 0.135),
        ("mine-7b.gguf", "1.5B", 1.5),
        ("mine-7b.gguf", None, 7.0),
        ("mine.gguf", None, None),
    ],
)
def test_how_large_a_model_is_stands_in_its_file_or_else_in_its_name(
    tmp_path, name, label, expected
):
    path = tmp_path / name
    size = [entry("general.size_label", label)] if label else []
    path.write_bytes(
        gguf(
            entry("general.architecture", "tiny"),
            *size,
            entry("tiny.context_length", 512),
        )
    )
    assert LlamaCppChat(path).billions() == expected


def test_a_model_whose_file_says_that_it_is_too_small_does_not_route(tmp_path):
    path = tmp_path / "mine.gguf"  # the header alone: it would fail if it were asked
    path.write_bytes(
        gguf(
            entry("general.architecture", "tiny"),
            entry("general.size_label", "135M"),
            entry("tiny.context_length", 512),
        )
    )
    route = {"route": f"llamacpp:{path}"}
    settings = {"home": str(tmp_path), "model": "scripted", "embedder": "scripted"}
    with Thalamus(models=route, **settings) as thalamus:
        turn = thalamus.run_stage("route", Turn(message="My project is the herb garden."))
    assert (turn.route, turn.status) == ("answer", "degraded")
    assert [issue.code for issue in turn.issues] == ["model_too_small"]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{%- if tools %}{{ tools | tojson }}{% endif %}", True),
        ("{% for message in messages %}{{ message.content }}{% endfor %}", False),
        (None, False),
    ],
)
def test_a_model_calls_tools_if_its_template_does(tmp_path, template, expected):
    path = tmp_path / "m.gguf"
    own = [] if template is None else [entry("tokenizer.chat_template", template)]
    path.write_bytes(
        gguf(
            entry("general.architecture", "tiny"),
            entry("tiny.context_length", 512),
            entry("tokenizer.ggml.tokens", ["tools", "b"]),
            *own,
        )
    )
    assert LlamaCppChat(path).calls_tools() is expected
    path.write_bytes(path.read_bytes()[:-3])
    assert not LlamaCppChat(path).calls_tools()


def test_no_such_file_and_not_a_model(tmp_path):
    other = tmp_path / "other.gguf"
    other.write_text("<html>404</html>")
    for path in (tmp_path / "none.gguf", other, tmp_path):
        for use in (
            lambda path=path: LlamaCppChat(path).chat(request("x")),
            lambda path=path: LlamaCppEmbedder(path).dimension(),
        ):
            with pytest.raises(ModelMissing) as caught:
                use()
            assert str(path) in caught.value.message
            assert "thalamus models pull" in caught.value.advice


@pytest.mark.parametrize("length", [4, 10, 30, len(HEADER) - 1])
def test_a_header_that_ends_early(tmp_path, length):
    path = tmp_path / "m.gguf"
    path.write_bytes(HEADER[:length])
    with pytest.raises(ModelFailed, match="damaged"):
        LlamaCppChat(path).chat(request("x"))


def test_a_header_of_garbage(tmp_path):
    path = tmp_path / "m.gguf"
    for garbage in (b"\xff" * 100, struct.pack("<IQQ", 3, 0, 1) + b"\xff" * 100, b"GGUF" * 40):
        path.write_bytes(b"GGUF" + garbage)
        with pytest.raises(ModelFailed, match="damaged"):
            LlamaCppChat(path).context()


def test_a_header_without_a_model(tmp_path):
    pytest.importorskip("xllamacpp")
    path = tmp_path / "m.gguf"
    path.write_bytes(HEADER)
    with pytest.raises(ModelFailed, match="cannot load"):
        LlamaCppChat(path, 128, 1).chat(request("x"))


def test_without_the_package(tmp_path):
    path = tmp_path / "m.gguf"
    path.write_bytes(HEADER)
    code = """
        import sys
        sys.modules["xllamacpp"] = None  # what an import of a missing package meets
        from thalamus.errors import ModelMissing
        from thalamus.models.llamacpp import LlamaCppEmbedder
        try:
            LlamaCppEmbedder(sys.argv[1]).dimension()
        except ModelMissing as error:
            print(error.advice)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(path)], capture_output=True, text=True
    )
    assert "[local]" in done.stdout


def test_default_threads_leave_a_core_free():
    assert 1 <= default_threads() <= max(1, (os.cpu_count() or 1) - 1)


@pytest.mark.parametrize("threads", [1, 3])
def test_the_threads_that_were_asked_for_read_and_write(threads):
    xllamacpp = pytest.importorskip("xllamacpp")
    settings = Settings("m.gguf", 512, threads, False)
    parameters = configure(xllamacpp.CommonParams(), settings)
    assert parameters.cpuparams.n_threads == threads
    assert parameters.cpuparams_batch.n_threads == threads


def test_pieces_come_in_order_and_errors_pass():
    def task(emit):
        for number in range(3):
            emit(number)
        raise ValueError("at the end")

    seen = []
    with pytest.raises(ValueError, match="at the end"):
        seen.extend(pieces(task))
        pytest.fail("it must raise")
    received = []
    with pytest.raises(ValueError, match="at the end"):
        for number in pieces(task):
            received.append(number)
    assert received == [0, 1, 2]


def test_a_task_is_told_when_nobody_listens():
    told = threading.Event()

    def task(emit):
        while not emit("more"):
            pass
        told.set()

    stream = pieces(task)
    assert next(stream) == "more"
    stream.close()
    assert told.wait(10)


def model_file(part):
    folder = os.environ.get("THALAMUS_TEST_MODELS", "")
    found = sorted(Path(folder).glob(f"*{part}*.gguf")) if folder else []
    if not found:
        pytest.skip(f"no file *{part}*.gguf in THALAMUS_TEST_MODELS")
    pytest.importorskip("xllamacpp")
    return found[0]


@pytest.fixture
def chat():
    return LlamaCppChat(model_file("SmolLM2"), 2048, 1, deterministic=True)


@pytest.fixture
def remembering():
    """The same model, which remembers prompts."""
    return LlamaCppChat(model_file("SmolLM2"), 256, 1)


@pytest.mark.model
def test_replies_stream_and_are_reproducible(chat):
    hello = request("Say hello to Ann.", max_tokens=24)
    seen = []
    first = chat.chat(hello, seen.append)
    assert len(seen) > 5
    assert "".join(seen) == first.text
    assert (first.tokens_out, first.finish) == (24, "length")
    chat.chat(request("Say hello to Ann, who lives in Lisbon.", max_tokens=8))
    assert chat.chat(hello) == first
    assert (first.tokens_cached, first.prompt_ms, first.reply_ms) == (0, None, None)


RULES = "These are the rules of the game. " * 12


def of_role(role, text, tokens=2, **more):
    messages = [Message("system", RULES), Message("user", text)]
    return ChatRequest(role=role, messages=messages, max_tokens=tokens, **more)


@pytest.mark.model
def test_the_beginning_of_a_roles_prompt_is_processed_once(remembering):
    first = remembering.chat(of_role("reflect", "I own a boat."))
    remembering.chat(of_role("plan", "Entirely other rules."))
    again = remembering.chat(of_role("reflect", "I own a horse."))
    assert again.tokens_cached >= 80 > first.tokens_cached
    assert again.tokens_in == first.tokens_in
    assert 0 < again.prompt_ms < first.prompt_ms
    assert again.reply_ms >= 0


@pytest.mark.model
@pytest.mark.parametrize(
    ("settings", "remembers"),
    [({}, True), ({"deterministic": True}, False), ({"cassette_mode": "record"}, False)],
)
def test_nothing_is_remembered_where_replies_must_be_the_same(tmp_path, settings, remembers):
    if "cassette_mode" in settings:
        settings = {**settings, "cassette": str(tmp_path / "calls.jsonl")}
    config = Config(context=256, threads=1, **settings)
    chat = chat_model(f"llamacpp:{model_file('SmolLM2')}", config)
    replies = [chat.chat(of_role("reflect", "I own a boat.")) for _ in range(2)]
    assert (replies[1].tokens_cached > 0) is remembers
    assert remembers or replies[0] == replies[1]


@pytest.mark.model
def test_every_role_has_the_whole_context(remembering):
    """More prompts are remembered than there is room for: the oldest of them are dropped."""
    for role in (*ROLES, ROLES[0]):
        reply = remembering.chat(of_role(role, role + " word" * 60, 4))
        assert reply.tokens_in > 2 * 256 / len(ROLES)
    with pytest.raises(ModelFailed, match="context"):
        remembering.chat(of_role("answer", "word " * 200))


@pytest.mark.model
def test_calls_of_several_threads_are_all_answered(remembering):
    """More at once than run at once, two of them of one role, one of them given up."""
    ready = threading.Barrier(7)
    replies, stopped = {}, []

    def call(number, role):
        ready.wait()
        replies[number] = remembering.chat(of_role(role, f"{number}" + " word" * 60, 9)).finish

    def give_up():
        ready.wait()
        try:
            remembering.chat(of_role("reflect", "Tell a story.", 99), lambda text: 1 / 0)
        except ZeroDivisionError:
            stopped.append(True)

    roles = ["answer", "reflect", "verify", "plan", "answer"]
    threads = [threading.Thread(target=call, args=each) for each in enumerate(roles)]
    threads.append(threading.Thread(target=give_up))
    for thread in threads:
        thread.start()
    ready.wait()
    for thread in threads:
        thread.join(120)
    assert set(replies) == set(range(5))
    assert set(replies.values()) <= {"stop", "length"}
    assert stopped == [True]


@pytest.mark.model
def test_a_schema_is_obeyed(chat):
    schema = {
        "type": "object",
        "properties": {"answer": {"type": "string", "enum": ["red", "blue"]}},
        "required": ["answer"],
        "additionalProperties": False,
    }
    reply = chat.chat(request("Name a colour.", schema=schema, max_tokens=60))
    assert "".join(reply.text.split()) in ('{"answer":"red"}', '{"answer":"blue"}')
    with pytest.raises(ModelFailed, match="schema"):
        chat.chat(request("x", schema={"type": "nonsense"}))


TOOL = ToolSpec(
    "calculate",
    "Works out an arithmetic expression.",
    {
        "type": "object",
        "properties": {"expression": {"type": "string"}},
        "required": ["expression"],
    },
)


@pytest.mark.model
@pytest.mark.parametrize("part", ["1.5b-instruct", "0.5b-instruct"])
def test_a_model_that_was_taught_to_calls_a_tool(part):
    """Both write the call as text, the larger one in a fence."""
    chat = LlamaCppChat(model_file(part), 2048, 1, deterministic=True)
    assert chat.calls_tools()
    seen = []
    reply = chat.chat(request("What is 17 * 23?", tools=(TOOL,), max_tokens=60), seen.append)
    assert [(call.id, call.name) for call in reply.calls] == [("call_1", "calculate")]
    assert json.loads(reply.calls[0].arguments) == {"expression": "17 * 23"}
    assert reply.text == "".join(seen) == ""
    result = [
        Message("user", "What is 17 * 23?"),
        Message("assistant", "", calls=reply.calls),
        Message("tool", "391", call_id="call_1"),
    ]
    told = chat.chat(ChatRequest(role="answer", messages=result, max_tokens=40))
    assert told.tokens_in > 60


@pytest.mark.model
def test_a_model_that_was_not_taught_says_so_and_answers(chat):
    assert not chat.calls_tools()
    assert chat.chat(request("Say hello.", tools=(TOOL,), max_tokens=9)).calls == ()


@pytest.mark.model
def test_the_probability_of_yes(chat):
    """A tiny model knows little, but it can copy: what it is shown is likelier."""
    shown = [
        ChatRequest(role="verify", messages=[Message("user", f"Write the word {word}.")])
        for word in ("yes", "no")
    ]
    likely, unlikely = (chat.yes(question) for question in shown)
    assert 0 <= unlikely < 0.5 < likely <= 1
    assert chat.yes(shown[0]) == likely


@pytest.mark.model
def test_a_prompt_that_is_too_long(chat):
    with pytest.raises(ModelFailed) as caught:
        chat.chat(request("word " * 4000))
    assert "context" in caught.value.message
    assert "`context`" in caught.value.advice


@pytest.mark.model
def test_a_model_is_loaded_once_and_cannot_be_reached(chat):
    chat.chat(request("x", max_tokens=1))
    settings = Settings(str(model_file("SmolLM2").resolve()), 2048, 1, False)
    server = load("x", settings)
    assert load("y", settings) is server
    address = server.listening_address
    assert address.startswith("unix://")
    assert not Path(address.removeprefix("unix://")).exists()


@pytest.mark.model
def test_where_no_socket_file_is_possible_a_key_guards_the_port(tmp_path):
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    code = """
        import sys, urllib.error, urllib.request
        from thalamus.models.llamacpp_server import Settings, load
        address = load("x", Settings(sys.argv[1], 256, 1, False)).listening_address
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        for path in ("/v1/chat/completions", "/completion", "/slots", "/props"):
            try:
                opener.open(urllib.request.Request(address + path, b"{}"), timeout=10)
                print("open:", path)
            except urllib.error.HTTPError as error:
                print(error.code)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(model_file("SmolLM2"))],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    assert done.stdout.split() == ["401"] * 4
    assert done.stderr == ""


@pytest.mark.model
def test_a_model_that_does_not_embed(chat):
    with pytest.raises(ModelFailed) as caught:
        LlamaCppEmbedder(model_file("SmolLM2"), 1).dimension()
    assert "embedding model" in caught.value.advice


@pytest.mark.model
@pytest.mark.parametrize("prompt", ["'Tell a long story.'", "'word ' * 1500"])
@pytest.mark.parametrize("sink", ["None", "lambda text: None"])
def test_an_interrupt_stops_it_and_the_model_still_works(prompt, sink):
    """A real SIGINT while a prompt is read and while a reply is written; nothing on stdout."""
    code = f"""
        import os, signal, sys, threading, time
        from thalamus.models.llamacpp import LlamaCppChat
        from thalamus.models.quirks import WINDOW
from thalamus.models.protocol import ROLES, ChatRequest, Message
        def ask(text, n):
            return ChatRequest(role="answer", messages=[Message("user", text)], max_tokens=n)
        chat = LlamaCppChat(sys.argv[1], 2048, 1, deterministic=True)
        before = chat.chat(ask("Hi", 5))
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            chat.chat(ask({prompt}, 1500), {sink})
            sys.exit("it was not interrupted")
        except KeyboardInterrupt:
            pass
        assert chat.chat(ask("Hi", 5)) == before
        sys.stderr.write("fine")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(model_file("SmolLM2"))],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "fine")


@pytest.mark.model
def test_embeds_and_cuts_what_is_too_long():
    embedder = LlamaCppEmbedder(model_file("embed"), 1)
    short, empty, long = embedder.embed(["hello", "", "ab " * 1500], "document")
    assert len(short) == len(empty) == len(long) == 4 * embedder.dimension()
    assert embedder.embed(["hello"], "document")[0] == short
    assert embedder.embed(["hello"], "query")[0] != short
