"""Connections on which no request arrives, or too slowly, keep nobody else from being served."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
import uvicorn

from thalamus.serving import connections
from thalamus.serving.mcp import listen

pytestmark = pytest.mark.storeless
BEGUN = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads a request and answers with the length of its body."""
    if scope["type"] != "http":
        return
    body, more = b"", True
    while more:
        part = await receive()
        body, more = body + part.get("body", b""), part.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(len(body)).encode()})


@pytest.fixture
def address() -> Iterator[tuple[str, int]]:
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(answer, http=connections.LimitedConnection, log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield listening.getsockname()
    server.should_exit = True
    thread.join(20)
    assert not thread.is_alive()


def opened(address: tuple[str, int], sent: bytes) -> socket.socket:
    connection = socket.create_connection(address, 20)
    connection.sendall(sent)
    return connection


def is_closed(connection: socket.socket) -> bool:
    """True once the server closes the connection without an answer; waits for that."""
    try:
        return connection.recv(100) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET / HT", BEGUN, BEGUN + b"\r\n123"])
def test_a_request_that_does_not_arrive_is_not_waited_for(
    address: tuple[str, int], sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 0.2)
    with opened(address, sent) as connection:
        assert is_closed(connection)


def test_of_too_many_the_longest_waiting_are_closed(
    address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_MOST", 8)
    with contextlib.ExitStack() as stack:
        waiting = [stack.enter_context(opened(address, b"GET / HT")) for _ in range(30)]
        done = httpx2.post(f"http://127.0.0.1:{address[1]}/", content=b"123456789")
        assert done.text == "9"
        assert all(map(is_closed, waiting[:22]))
        waiting[-1].sendall(b"TP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert waiting[-1].recv(100).startswith(b"HTTP/1.1 200")


def test_a_connection_is_kept_for_several_requests(
    address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 0.3)
    with httpx2.Client(base_url=f"http://127.0.0.1:{address[1]}") as client:
        for number in range(3):
            assert client.post("/", content=b"1" * number).text == str(number)
            threading.Event().wait(0.4)
