"""The server over HTTP: several clients at once, and who may be one."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import anyio
import httpx2
import pytest

from tests.conftest import Result
from tests.extras import python
from tests.forked import Process
from tests.serving.conftest import MCP, HttpServer, call, using
from thalamus import Thalamus
from thalamus.serving.workers import Worker

Run = Callable[..., Result]
Environment = dict[str, str]
TOKEN = "a-token-of-some-length"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


def words(number: int) -> str:
    """Something of its own for each number: no two statements are alike."""
    return f"The user keeps jar {number:04d} of {number * 7919 % 10007} beans for guest {number}."


async def store_many(server: HttpServer, clients: int, calls: int, mode: Any = "auto") -> list[str]:
    """Each of several clients stores and recalls in turn; the ids of what was stored."""
    ids: list[str] = []

    async def client(which: int) -> None:
        async with server.client(mode) as session:
            for number in range(which * calls, (which + 1) * calls, 2):
                made = await call(session, "remember", text=words(number))
                verdict = made["decisions"][0]["verdict"]
                assert verdict["decision"] == "add", verdict
                ids.append(verdict["id"])
                found = await call(session, "retrieve", query=f"jar {number:04d}", limit=3)
                assert verdict["id"] in [item["id"] for item in found["evidence"]]

    async with anyio.create_task_group() as tasks:
        for which in range(clients):
            tasks.start_soon(client, which)
    return ids


@pytest.mark.parametrize(("mode", "calls"), [("auto", 16), ("legacy", 8)])
def test_four_clients_at_once_lose_nothing(http: Any, run: Run, mode: str, calls: int) -> None:
    with http("--min-relevance", "0") as server:
        ids = using(lambda: store_many(server, 4, calls, mode))
        kept = {record["id"] for record in run("memory", "--limit", "10000", "--json").records}
    assert len(ids) == 2 * calls and kept == set(ids)
    assert run("doctor", "--signatures").code == 0 and run("doctor", "--no-model").code == 0


def test_what_was_submitted_is_done_before_the_end(thalamus: Thalamus) -> None:
    """The refused attempts of the last minute are written when the server is stopped."""
    engine = Worker(thalamus)
    written: list[str] = []
    begun, gate = Event(), Event()
    engine.submit(lambda _: (begun.set(), gate.wait(60)))
    assert begun.wait(60)
    engine.submit(lambda _: written.append("attempts"))
    closed = engine.stop()
    gate.set()
    closed.result(60)
    assert written == ["attempts"]


def test_what_another_process_stores_is_recalled(http: Any, run: Run) -> None:
    async def found() -> list[str]:
        async with server.client() as client:
            evidence = (await call(client, "retrieve", query="Is there a hat?"))["evidence"]
            return [item["text"] for item in evidence]

    with http() as server:
        assert using(found) == []
        run("store", input='{"record":"memory","content":"The user has a hat."}')
        assert using(found) == ["The user has a hat."]


# -- the token and the names -----------------------------------------------------------------------


def post(server: HttpServer, **headers: str) -> httpx2.Response:
    return httpx2.post(server.url, json=PING, headers=ACCEPT | headers)


def test_only_with_the_token(http: Any) -> None:
    with http() as server:
        for wrong in ("", "Bearer", "Bearer x", f"Basic {server.token}", f"Bearer {server.token}x"):
            refused = post(server, **({"Authorization": wrong} if wrong else {}))
            assert refused.status_code == 401 and "WWW-Authenticate" in refused.headers
        assert post(server, Authorization=f"Bearer {server.token}").status_code != 401
        elsewhere = server.url.removesuffix("/mcp")
        assert httpx2.get(elsewhere).status_code == 404


def test_not_under_another_name(http: Any) -> None:
    with http() as server:
        token = f"Bearer {server.token}"
        for wrong in (
            {"Host": "evil.example"},
            {"Host": "evil.example:8765"},
            {"Host": "127.0.0.1:1"},
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
        ):
            refused = post(server, Authorization=token, **wrong)
            assert refused.status_code in (403, 421), wrong
            origin = server.url.removesuffix("/mcp")
            fine = post(server, Authorization=token, Origin=origin)
            assert fine.status_code not in (401, 403, 421), wrong


def test_the_token_is_made_once_and_only_its_owner_can_read_it(http: Any, home: Path) -> None:
    file = home / "config" / "mcp-token"
    with http() as server:
        first = server.token
    assert len(first) >= 32 and file.read_text().strip() == first
    assert file.stat().st_mode & 0o777 == 0o600
    with http() as server:
        assert server.token == first


def test_the_token_of_the_environment_leaves_no_file(http: Any, home: Path) -> None:
    with http(env={"THALAMUS_MCP_TOKEN": TOKEN}) as server:
        assert server.token == TOKEN
        assert post(server, Authorization=f"Bearer {TOKEN}").status_code != 401
    assert not (home / "config" / "mcp-token").exists()


def test_a_token_that_protects_nothing_is_refused(run_warm: Run, home: Path) -> None:
    short = run_warm("mcp", "--http", env={"THALAMUS_MCP_TOKEN": "secret"})
    assert short.code == 2 and "at least 16" in short.stderr and "secret" not in short.stderr
    file = home / "config" / "mcp-token"
    file.parent.mkdir(parents=True)
    file.write_text("")
    file.chmod(0o600)
    assert "at least 16" in run_warm("mcp", "--http").stderr
    file.write_text(TOKEN)
    file.chmod(0o644)
    readable = run_warm("mcp", "--http")
    assert readable.code == 2 and "others can read" in readable.stderr
    assert TOKEN not in readable.stderr and "chmod 600" in readable.stderr


def test_a_port_that_is_taken(http: Any, run_warm: Run) -> None:
    with http() as server:
        port = server.url.split(":")[-1].removesuffix("/mcp")
        done = run_warm("mcp", "--http", "--port", port)
    assert done.code == 2 and "in use" in done.stderr and "--port" in done.stderr


# -- the end ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_how_it_ends(http: Any, number: int, code: int, run: Run) -> None:
    with http(new=True) as server:
        assert server.token not in Path(f"/proc/{server.process.pid}/cmdline").read_text()

        async def work() -> float:
            async with server.client("legacy") as client:  # which keeps a connection open
                await call(client, "remember", text="The user has a hat.")
                server.process.send_signal(number)
                begin = time.monotonic()
                await anyio.to_thread.run_sync(server.process.wait)
                return time.monotonic() - begin

        with contextlib.suppress(BaseExceptionGroup):  # the client's connection is gone
            assert using(work) < 10
        out, err = server.process.communicate(timeout=30)
        assert (server.process.returncode, out) == (code, "")
        assert "Traceback" not in err
    assert run("doctor", "--signatures").code == 0
    assert [m["content"] for m in run("memory", "--json").records] == ["The user has a hat."]


def test_ipv6(environment: Environment) -> None:
    given = environment | {"THALAMUS_MCP_TOKEN": TOKEN}
    process = Process(
        [*python(), *MCP, "--http", "--host", "::1", "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env=given,
    )
    assert process.stderr is not None
    line = process.stderr.readline()
    try:
        if "Cannot listen" in line:
            pytest.skip("there is no IPv6 here")
        server = HttpServer(process, line.split()[-1], TOKEN)
        assert "[::1]" in server.url
        assert post(server, Authorization=f"Bearer {TOKEN}").status_code not in (401, 421)
    finally:
        process.kill()
        process.communicate()


def test_what_cannot_be_read_is_answered_with_its_id(http: Any, run: Run) -> None:
    call = (
        '{"jsonrpc":"2.0","id":%s,"method":"tools/call",'
        '"params":{"name":"remember","arguments":{"text":"%s"}}}'
    )
    with http() as server:
        headers = ACCEPT | {"Authorization": f"Bearer {server.token}"}
        headers |= {"Content-Type": "application/json"}
        for body, id, code in (
            ((call % (5, "oak \\ud83d two")).encode(), 5, -32700),
            ((call % ('"x"', "café")).encode("latin-1"), "x", -32700),
            (b'{"jsonrpc":"2.0","id":6}', 6, -32600),
            (b"what?", None, -32700),
        ):
            refused = httpx2.post(server.url, content=body, headers=headers)
            answer = refused.json()
            assert refused.status_code == 400
            assert (answer["id"], answer["error"]["code"]) == (id, code), body
        ping = b"\xef\xbb\xbf" + json.dumps(PING).encode()
        assert "Parse error" not in httpx2.post(server.url, content=ping, headers=headers).text
    assert run("memory", "--json").records == []
