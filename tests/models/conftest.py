"""A loopback server that stands for a model server: the test says what it answers."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass
class Answer:
    """What to send: ``body`` in one piece, or ``pieces`` one after the other (chunked).

    ``cut`` closes the connection in the middle, ``hang`` keeps it open without sending the rest;
    ``headers`` are sent, too.
    """

    body: Any = None
    status: int = 200
    pieces: list[bytes] | None = None
    cut: bool = False
    hang: bool = False
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Request:
    path: str
    body: Any
    headers: dict[str, str]


@dataclass
class ModelServer:
    """``routes`` maps a path to what makes the answer from the decoded body."""

    url: str = ""
    routes: dict[str, Callable[[Any], Answer]] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def bodies(self, path: str) -> list[Any]:
        return [request.body for request in self.requests if request.path == path]


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # a reply in two pieces would wait for the client's receipt

        def log_message(self, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            self._respond(None)

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            self._respond(json.loads(self.rfile.read(length) or b"null"))

        def _respond(self, body: Any) -> None:
            server.requests.append(Request(self.path, body, dict(self.headers)))
            route = server.routes.get(self.path)
            answer = route(body) if route else Answer("404 page not found", status=404)
            if answer.hang and answer.pieces is None:
                server.closing.wait(20)
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if answer.pieces is not None:
                self._stream(answer)
                return
            text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def _stream(self, answer: Answer) -> None:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for piece in answer.pieces or []:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()
            if answer.hang:
                server.closing.wait(20)
            if answer.cut or answer.hang:
                self.close_connection = True
                return
            self.wfile.write(b"0\r\n\r\n")

    return Handler


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what some of the tests are about."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A server without routes yet; ``url`` is its address."""
    with _serving() as server:
        yield server


@pytest.fixture
def other_server() -> Iterator[ModelServer]:
    """Another one."""
    with _serving() as server:
        yield server


@contextmanager
def _serving() -> Iterator[ModelServer]:
    server = ModelServer()
    http = _Quiet(("127.0.0.1", 0), _handler(server))
    server.url = f"http://127.0.0.1:{http.server_port}"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.closing.set()
    http.shutdown()
    thread.join()
    http.server_close()


@pytest.fixture
def answer() -> type[Answer]:
    return Answer


@pytest.fixture
def closed_url() -> str:
    """An address on which nothing listens."""
    http = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    port = http.server_port
    http.server_close()
    return f"http://127.0.0.1:{port}"
