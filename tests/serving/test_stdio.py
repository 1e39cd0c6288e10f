"""How the server on standard input and output goes on, and how it ends."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.conftest import Result
from tests.extras import python
from tests.forked import Process
from tests.serving.conftest import MCP, call, failure, stdio, text_of, using

Run = Callable[..., Result]
Environment = dict[str, str]


def store_file(home: Path) -> Path:
    return next((home / "data" / "default").glob("*.db"))


@pytest.mark.sqlite
def test_a_busy_store_is_an_error_and_the_server_goes_on(
    environment: Environment, run: Run, home: Path
) -> None:
    run("store", input='{"record":"memory","content":"The user has a hat."}')
    lock = sqlite3.connect(store_file(home), isolation_level=None)

    async def work() -> None:
        async with stdio(environment | {"THALAMUS_BUSY_TIMEOUT": "0.2"}) as client:
            lock.execute("BEGIN IMMEDIATE")
            said = await failure(client, "remember", text="The user has a coat.")
            assert "locked by another process" in said and "Try again" in said
            assert (await call(client, "retrieve", query="hat"))["evidence"]
            lock.execute("ROLLBACK")
            await call(client, "remember", text="The user has a coat.")
            assert len((await call(client, "retrieve", query="coat"))["evidence"]) >= 1

    using(work)


@pytest.mark.sqlite
def test_nobody_who_asks_waits_for_somebody_who_stores(
    environment: Environment, run: Run, home: Path
) -> None:
    run("store", input='{"record":"memory","content":"The user has a hat."}')
    lock = sqlite3.connect(store_file(home), isolation_level=None)

    async def work() -> None:
        import anyio

        async with stdio(environment | {"THALAMUS_BUSY_TIMEOUT": "100"}) as client:
            await call(client, "retrieve", query="hat")
            lock.execute("BEGIN IMMEDIATE")
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(lambda: call(client, "remember", text="The user has a coat."))
                with anyio.fail_after(60):
                    for _ in range(5):
                        assert (await call(client, "retrieve", query="hat"))["evidence"]
                lock.execute("ROLLBACK")
            assert len((await call(client, "retrieve", query="user coat"))["evidence"]) >= 1

    using(work)


@pytest.mark.sqlite
def test_a_store_that_was_changed_from_outside_is_an_error(
    environment: Environment, run: Run, home: Path
) -> None:
    run("store", input='{"record":"memory","content":"The user has a hat."}')

    async def work() -> None:
        async with stdio(environment) as client:
            await call(client, "remember", text="The user has a coat.")
            other = sqlite3.connect(store_file(home))
            other.execute("DELETE FROM signature")
            other.commit()
            other.close()
            said = await failure(client, "remember", text="The user has a scarf.")
            assert "changed by something other than Thalamus" in said
            assert "doctor --signatures" in said
            assert (await call(client, "retrieve", query="hat"))["evidence"]

    using(work)


@pytest.mark.sqlite
def test_a_store_that_cannot_be_read_is_an_error(
    environment: Environment, run: Run, home: Path
) -> None:
    run("store", input='{"record":"memory","content":"The user has a hat."}')
    run("store", "backup", "copy.db")

    async def work() -> None:
        async with stdio(environment) as client:
            assert (await call(client, "retrieve", query="hat"))["evidence"]
            file = store_file(home)
            file.with_name("new").write_bytes(b"This is no database." * 1000)
            file.with_name("new").replace(file)
            for tool, arguments in (
                ("retrieve", {"query": "hat"}),
                ("remember", {"text": "The user has a coat."}),
                ("profile", {}),
            ):
                assert "Cannot read the store" in await failure(client, tool, **arguments)
            with pytest.raises(Exception, match="Cannot read the store"):
                await client.read_resource("thalamus://profile")
            with pytest.raises(Exception, match="Cannot read the store"):
                await client.get_prompt("recall", {"question": "Is there a hat?"})
            assert run("store", "restore", "copy.db", "--yes").code == 0
            assert (await call(client, "retrieve", query="hat"))["evidence"]

    using(work)


@pytest.mark.sqlite
def test_a_full_disk_is_an_error(environment: Environment, run: Run, home: Path) -> None:
    run("store", input='{"record":"memory","content":"The user has a hat."}')
    most = store_file(home).stat().st_size + 200 * 1024
    limited_run = (
        "from resource import RLIMIT_FSIZE, setrlimit\n"
        f"setrlimit(RLIMIT_FSIZE, ({most}, {most}))\n"
        "from thalamus.cli import main\n"
        "main(['mcp'])\n"
    )
    command, *arguments = [*python(), "-c", limited_run]
    limited = StdioServerParameters(command=command, args=arguments, env=environment)

    async def work() -> None:
        async with Client(limited) as client:
            said = ""
            for number in range(50):
                text = f"The user owns scarf number {number}, " + f"{number * 7919} wool " * 1000
                result = await client.call_tool("remember", {"text": text})
                if result.is_error:
                    said = text_of(result)
                    break
            assert "Cannot write to " in said and "Free disk space" in said
            assert (await call(client, "retrieve", query="hat"))["evidence"]

    using(work)
    assert run("doctor", "--signatures").code == 0
    run("store", input='{"record":"memory","content":"The user has a coat."}')


def test_a_store_that_was_erased_and_begun_again(environment: Environment, run: Run) -> None:
    async def work() -> None:
        async with stdio(environment) as client:
            await call(client, "remember", text="The user has a hat.")
            assert run("forget", "--everything", "--confirm", "default").code == 0
            assert (await call(client, "retrieve", query="hat"))["evidence"] == []
            await call(client, "remember", text="The user has a coat.")

    using(work)
    assert [m["content"] for m in run("memory", "--json").records] == ["The user has a coat."]


# -- the streams and the end -----------------------------------------------------------------------


class Raw:
    """A client that writes lines and reads them."""

    def __init__(self, environment: Environment, *options: str, new: bool) -> None:
        kind, begin = (subprocess.Popen, [sys.executable]) if new else (Process, python())
        self.process: subprocess.Popen[str] = kind(
            [*begin, *MCP, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def send(self, **message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        received: dict[str, Any] = json.loads(self.process.stdout.readline())
        return received

    def begin(self) -> None:
        about = {"name": "raw", "version": "1"}
        wanted = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}
        self.send(id=0, method="initialize", params=wanted)
        assert self.receive()["result"]["serverInfo"]["name"] == "thalamus"
        self.send(method="notifications/initialized")

    def tool(self, number: int, name: str, **arguments: Any) -> None:
        self.send(id=number, method="tools/call", params={"name": name, "arguments": arguments})


@pytest.fixture
def raw(environment: Environment) -> Any:
    started: list[Raw] = []

    def start(*options: str, new: bool = False, **env: str) -> Raw:
        started.append(Raw(environment | env, *options, new=new))
        return started[-1]

    yield start
    for client in started:
        client.process.kill()
        client.process.communicate()


def test_standard_output_holds_nothing_but_the_protocol(raw: Any, run: Run) -> None:
    client = raw("--embedder", "ollama:none", THALAMUS_LOG_LEVEL="debug", OLLAMA_HOST="127.0.0.1:9")
    client.begin()
    client.tool(1, "remember", text="The user has a hat.")
    assert "stored without an embedding" in json.dumps(client.receive())
    client.tool(2, "retrieve", query="hat")
    assert client.receive()["result"]["structuredContent"]["evidence"]
    out, err = client.process.communicate(timeout=60)
    assert out == "" and client.process.returncode == 0
    assert "DEBUG" in err


def request(id: object, text: str = "owl", **more: object) -> str:
    call = {"name": "remember", "arguments": {"text": text}}
    return json.dumps({"jsonrpc": "2.0", "method": "tools/call", "params": call, "id": id, **more})


UNREADABLE: list[tuple[str | bytes, object, int]] = [
    ("what?", None, -32700),
    ("{", None, -32700),
    ("[]", None, -32600),
    (request(2, "oak \ud83d two"), 2, -32700),
    (request("a-1", "\udc00"), "a-1", -32700),
    (request(3, "caf#").replace("#", "\xe9").encode("latin-1"), 3, -32700),
    (request(4).encode() + b"\xff", 4, -32700),
    (request(5).encode("utf-16"), None, -32700),
    ('{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"remember","arg', 6, -32700),
    (request(7) + "}", 7, -32700),
    (request(8).replace('"owl"', "owl"), 8, -32700),
    (request(9, method=12), 9, -32600),
    (request(10, jsonrpc="1.0"), 10, -32600),
    ('{"jsonrpc":"2.0","id":11}', 11, -32600),
    (request(1.5), None, -32600),
    (request(None), None, -32600),
    ('{"method":"x","params":{"id":12,"jsonrpc":"2.0"},', None, -32700),
    ("[" * 9_000, None, -32700),
    (f'{{"jsonrpc":"2.0","id":13,"method":{"[" * 600}x', None, -32700),
]


def test_what_is_no_message_is_answered_and_does_not_end_it(raw: Any, run: Run) -> None:
    client = raw()
    client.begin()
    stream = client.process.stdin.buffer
    for line, id, code in UNREADABLE:
        stream.write((line.encode() if isinstance(line, str) else line) + b"\n")
        stream.flush()
        answer = client.receive()
        assert (answer["id"], answer["error"]["code"]) == (id, code), line
    client.tool(7, "facts")
    assert client.receive()["result"]["structuredContent"] == {"facts": [], "more": 0}
    assert run("memory", "--json").records == []


def test_empty_lines_and_byte_order_marks_are_skipped(raw: Any) -> None:
    client = raw()
    client.begin()
    ping = '{"jsonrpc":"2.0","id":%d,"method":"ping"}'
    lines = ["", "  ", "\ufeff", "\ufeff" + ping % 1, ping % 2 + "\r", "\t"]
    client.process.stdin.write("".join(f"{line}\n" for line in lines))
    client.process.stdin.flush()
    assert [client.receive()["id"] for _ in range(2)] == [1, 2]
    out, _ = client.process.communicate(timeout=60)
    assert out == ""


@pytest.mark.parametrize(
    ("number", "code", "used"),
    [
        (None, 0, True),
        (signal.SIGTERM, 0, True),
        (signal.SIGINT, 130, True),
        (signal.SIGINT, 130, False),
    ],
)
def test_how_it_ends(raw: Any, run: Run, number: Any, code: int, used: bool) -> None:
    client = raw(new=True)
    client.begin()
    if used:
        client.tool(1, "remember", text="The user has a hat.")
        client.receive()
    if number is not None:
        client.process.send_signal(number)
    else:
        client.process.stdin.close()
        client.process.stdin = None
    out, err = client.process.communicate(timeout=30)
    assert (client.process.returncode, out, err) == (code, "", "")
    if used:
        assert [m["content"] for m in run("memory", "--json").records] == ["The user has a hat."]
        assert run("doctor", "--signatures").code == 0


def test_what_was_asked_before_the_end_is_stored(raw: Any, run: Run) -> None:
    client = raw()
    client.begin()
    for number in range(5):
        client.tool(number, "remember", text=f"The user owns hat number {number}.")
    client.tool(5, "retrieve", query="hat")
    client.send(method="notifications/cancelled", params={"requestId": 5})
    out, _ = client.process.communicate(timeout=60)
    assert client.process.returncode == 0
    assert {json.loads(line)["id"] for line in out.splitlines()} >= set(range(5))
    kept = {m["content"] for m in run("memory", "--json").records}
    assert kept == {f"The user owns hat number {number}." for number in range(5)}


def test_without_the_extra_it_says_how_to_install_it(environment: Environment) -> None:
    code = (
        "import sys, importlib.util as u\n"
        "found = u.find_spec\n"
        "u.find_spec = lambda n, *a: None if n.startswith('mcp') else found(n, *a)\n"
        "from thalamus.cli import main\n"
        "main(['mcp'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 2
    assert "[mcp]" in done.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--read-only", "--allow-forget"), "cannot be combined"),
        (("--port", "80"), "--port requires --http"),
        (("--host", "::1"), "--host requires --http"),
        (("--http", "--host", "0.0.0.0"), "invalid --host '0.0.0.0' (choose 127.0.0.1"),
        (("--http", "--host", "192.168.1.5"), "invalid --host"),
        (("--http", "--host", "example.org"), "invalid --host"),
        (("--http", "--host", ""), "invalid --host ''"),
        (("--http", "--port", "70000"), "70000"),
        (("--session", "x", "--model", "y"), "--model"),
    ],
)
def test_wrong_options(run: Run, options: tuple[str, ...], words: str) -> None:
    done = run("mcp", *options)
    assert done.code == 2 and done.stdout == ""
    assert words in done.stderr
