"""Calls that were damaged or made to do harm: a clear error, and a server that goes on."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.extras import python
from tests.forked import Process
from tests.mutations import mutated, mutated_bytes
from tests.serving.conftest import MCP
from thalamus.api import Thalamus
from thalamus.errors import ThalamusError
from thalamus.records import Fact, Memory
from thalamus.serving import tools

ARGUMENTS: list[tuple[str, dict[str, Any]]] = [
    (
        "retrieve",
        {"query": "figs last week", "limit": 5, "types": ["preference"], "since": "2026-05"},
    ),
    ("retrieve", {"query": "figs", "topic": "food", "as_of": "2026-05-08T13:56:00Z"}),
    ("facts", {"subject": "user", "predicate": "lives_in", "as_of": "2026-05-08", "limit": 5}),
    ("why", {"id": "mem_figs", "depth": 2}),
    ("remember", {"texts": ["The user likes figs."], "topic": "food", "created_at": "2026-05-08"}),
    ("remember", {"text": "The user lives in Rome.", "replaces": "mem_figs"}),
    (
        "remember",
        {"activity": {"kind": "tool_call", "tool": "grep", "args": {"a": [1]}, "result": {}}},
    ),
    ("remember", {"activity": {"kind": "turn", "message": "Hi.", "answer": "Hello."}}),
    ("forget", {"query": "figs", "dry_run": True}),
    ("forget", {"id": "mem_figs", "dry_run": False}),
]
RANDOM = st.randoms(use_true_random=False)


@pytest.mark.parametrize(("name", "arguments"), ARGUMENTS)
@given(random=RANDOM, redacted=st.booleans())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_call(
    name: str, arguments: dict[str, Any], random: Random, redacted: bool, thalamus: Thalamus
) -> None:
    figs = Memory(content="The user likes figs.", id="mem_figs", type="preference")
    with suppress(ThalamusError):  # it is there already
        thalamus.remember([figs, Fact(subject="user", predicate="lives_in", object="Porto")])
    tool = {one.name: one for one in tools.tools(allow_forget=True)}[name]
    changed = mutated(arguments, random)
    assume(isinstance(changed, dict))
    with suppress(ThalamusError):
        request = tool.parameters(changed)
        result = tools.to_json(tool.run(thalamus, request, tools.Caller(redacted=redacted)))
        assert json.loads(json.dumps(result)) == result


MESSAGES: list[dict[str, Any]] = [
    {
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "damaged", "version": "1"},
        },
    },
    {
        "method": "tools/call",
        "params": {"name": "retrieve", "arguments": {"query": "figs"}, "_meta": {}},
    },
    {"method": "tools/list", "params": {"cursor": None}},
    {"method": "resources/read", "params": {"uri": "thalamus://profile"}},
    {"method": "prompts/get", "params": {"name": "recall", "arguments": {"question": "x"}}},
]
BEGUN = [
    {"jsonrpc": "2.0", "id": 0, **MESSAGES[0]},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]
HEADERS = (
    b"Transfer-Encoding: chunked\r\n\r\n5\r\n",
    b"Expect: 100-continue\r\n",
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n",
    b"Mcp-Session-Id: x\r\nMCP-Protocol-Version: x\r\n",
    b"Content-Length: 99999999999999999999\r\n",
)


def request_of(server: Any, body: bytes) -> bytes:
    host, port = address_of(server)
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {server.token}\r\n"
        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def address_of(server: Any) -> tuple[str, int]:
    host, _, port = server.url.removeprefix("http://").partition("/")[0].partition(":")
    return host, int(port)


def answer(server: Any, data: bytes, patience: float) -> bytes:
    """What the server answers, as far as it comes within ``patience`` seconds."""
    received: list[bytes] = []
    with socket.create_connection(address_of(server)) as connection, suppress(OSError):
        connection.settimeout(patience)
        connection.sendall(data)
        received.extend(iter(lambda: connection.recv(65536), b""))
    return b"".join(received)


def damaged(server: Any, random: Random) -> Iterator[bytes]:
    """Requests whose body, or any byte, was changed."""
    for number in range(60):
        message = {"jsonrpc": "2.0", "id": number, **random.choice(MESSAGES)}
        if number % 3:
            yield request_of(server, json.dumps(mutated(message, random)).encode())
        else:
            yield mutated_bytes(request_of(server, json.dumps(message).encode()), random, HEADERS)


def test_requests(http: Any) -> None:
    with http() as server:
        answers = [answer(server, data, 0.2) for data in damaged(server, Random(7))]
        assert not [one for one in answers if b" 500 " in one[:20] or b"Traceback" in one]
        assert sum(one.startswith(b"HTTP/1.1 4") for one in answers) > 20
        assert any(one.startswith(b"HTTP/1.1 200") for one in answers)
        assert sum(not one for one in answers) < 30
        first = json.dumps({"jsonrpc": "2.0", "id": 1, **MESSAGES[0]}).encode()
        assert answer(server, request_of(server, first), 20).startswith(b"HTTP/1.1 200")
        server.process.terminate()
        _, complaints = server.process.communicate(timeout=20)
    assert "Traceback" not in complaints


def test_lines(environment: dict[str, str]) -> None:
    random = Random(7)
    lines = [json.dumps(message).encode() for message in BEGUN]
    for number in range(1, 400):
        message = {"jsonrpc": "2.0", "id": number, **random.choice(MESSAGES)}
        line = json.dumps(mutated(message, random)).encode()
        if number % 3 == 0:
            line = mutated_bytes(json.dumps(message).encode(), random).replace(b"\n", b" ")
        lines.append(line)
    lines.append(b'{"jsonrpc": "2.0", "id": "end", "method": "ping"}')
    with Process(
        [*python(), *MCP],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    ) as process:
        given = b"\n".join(lines) + b"\n"
        out, complaints = process.communicate(given, timeout=100)
    answers = [json.loads(line) for line in out.splitlines()]
    assert {"jsonrpc": "2.0", "id": "end", "result": {}} in answers
    assert sum("error" in one for one in answers) > 100
    assert process.returncode == 0 and complaints == b""
