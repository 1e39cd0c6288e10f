"""A model server with one slot, like most: a request waits until the one before it has ended.

``python -m tests.models.one_slot PORT [--extraction SECONDS]`` serves OpenAI's API, and as much of
Ollama's as a chat needs. It prints its log, a JSON object a line: when a request came, began and
ended, and whether it was cancelled, which the server notices also before it has sent anything.
"""

from __future__ import annotations

import argparse
import json
import re
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PAUSE = 0.01  # seconds between two looks at the connection
MODEL = "large-70b"
EXTRACTION = "memories_to_store"  # by which a call is known
READING = 0.8  # share of an extraction's time that passes before its first token


class OneSlot:
    """``extraction``: seconds of an extraction call; ``entries``: what the server logs. Calls of
    other kinds take no time. ``hold``: no extraction ends before it is set."""

    def __init__(self, extraction: float = 0.0, log: Callable[[str], None] | None = None) -> None:
        self.extraction = extraction
        self.entries: list[dict[str, Any]] = []
        self.prompts: list[str] = []
        self.hold = threading.Event()
        self.hold.set()
        self.url = ""
        self._log = log
        self._slot = threading.Lock()
        self._news = threading.Condition()

    @contextmanager
    def serving(self, port: int = 0) -> Iterator[OneSlot]:
        """Serves in threads of its own."""
        server = ThreadingHTTPServer(
            ("127.0.0.1", port), type("Handler", (_Handler,), {"slot": self})
        )
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        try:
            yield self
        finally:
            self.hold.set()
            server.shutdown()
            server.server_close()

    def events(self, kind: str) -> list[str]:
        """What happened to the requests of a kind, in order."""
        return [entry["event"] for entry in self.entries if entry["kind"] == kind]

    def wait(self, kind: str, event: str = "began", times: int = 1) -> None:
        """Waits until something has happened to requests of a kind so many times."""
        with self._news:
            if not self._news.wait_for(lambda: self.events(kind).count(event) >= times, 30):
                raise AssertionError(f"{kind} {event} did not come: {self.entries}")

    def answer(self, body: dict[str, Any], connection: socket.socket) -> Iterator[str]:
        """The pieces of a reply. Raises ``ConnectionError`` when the client has gone."""
        kind = kind_of(body)
        self.prompts.append(prompt_of(body))
        self._note(kind, "came")
        began = False
        try:
            while not self._slot.acquire(timeout=PAUSE):
                _check(connection)
            began = True
            self._note(kind, "began")
            if kind == "extraction":
                self._pass(self.extraction * READING, connection)
            yield from re.findall(r"\S+\s*", reply_to(body))
            if kind == "extraction":
                self._pass(self.extraction * (1 - READING), connection)
            self._note(kind, "ended")
        except (ConnectionError, GeneratorExit):
            self._note(kind, "cancelled")
            raise
        finally:
            if began:
                self._slot.release()

    def _pass(self, seconds: float, connection: socket.socket) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end or not self.hold.is_set():
            time.sleep(PAUSE)
            _check(connection)

    def _note(self, kind: str, event: str) -> None:
        entry = {"at": round(time.time(), 3), "kind": kind, "event": event}
        with self._news:
            self.entries.append(entry)
            self._news.notify_all()
        if self._log is not None:
            self._log(json.dumps(entry))


def kind_of(body: dict[str, Any]) -> str:
    """``extraction``, another call for JSON (``json``), or ``answer``."""
    schema = json.dumps(body.get("response_format") or body.get("format") or None)
    if EXTRACTION in schema:
        return "extraction"
    return "answer" if schema == "null" else "json"


def prompt_of(body: dict[str, Any]) -> str:
    return "\n".join(str(message["content"]) for message in body["messages"])


def reply_to(body: dict[str, Any]) -> str:
    """A memory for each sentence "I like …" of the message, or each of several messages; to
    anything else a few words."""
    kind = kind_of(body)
    if kind == "json":
        return json.dumps({"answer": "yes"})
    if kind == "answer":
        return "Thanks for telling me."
    last = prompt_of(body).rpartition("<user_message>")[2].partition("</user_message>")[0]
    found, message = [], None
    for line in last.splitlines():
        if named := re.match(r"\[(t\d+)\]", line):
            message = named[1]
        for thing in re.findall(r"I like ([\w ]+)", line):
            quote = f"I like {thing}"
            entry = {"quote": quote, "content": f"The user likes {thing}.", "type": "preference"}
            entry |= {"topic": "taste", "importance": "medium"}
            found.append(({"message": message} if message else {}) | entry)
    return json.dumps({"memories_to_store": found, "facts": [], "no_longer": []})


def _check(connection: socket.socket) -> None:
    """Raises ``ConnectionError`` when the client has closed the connection."""
    if select.select([connection], [], [], 0)[0] and not connection.recv(1, socket.MSG_PEEK):
        raise ConnectionError


def send_json(handler: BaseHTTPRequestHandler, body: Any) -> None:
    """Answers a request with JSON."""
    data = json.dumps(body).encode()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


class _Handler(BaseHTTPRequestHandler):
    slot: OneSlot
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        send_json(self, {"data": [{"id": MODEL}], "version": "0.13"})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length))
        if self.path == "/api/show":
            send_json(self, {"details": {"parameter_size": "70B"}})
            return
        pieces = self.slot.answer(body, self.connection)
        try:
            if body.get("stream"):
                self._stream(pieces)
            else:
                send_json(self, self._reply("".join(pieces), "message", "stop"))
        except (ConnectionError, TimeoutError):
            self.close_connection = True
        finally:
            pieces.close()  # type: ignore[attr-defined]

    def _stream(self, pieces: Iterator[str]) -> None:
        # the head too comes with the first token
        for number, piece in enumerate(pieces):
            if number == 0:
                self.send_response(200)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
            self._event(self._reply(piece, "delta", None))
        self._event(self._reply("", "delta", "stop"))
        self.wfile.write(b"0\r\n\r\n")

    def _reply(self, text: str, name: str, finish: str | None) -> dict[str, Any]:
        """A reply, or a part of one."""
        message = {"role": "assistant", "content": text}
        if self.path == "/api/chat":
            ended = {"done": finish is not None, "done_reason": finish}
            return {"model": MODEL, "message": message, **ended}
        return {"choices": [{"index": 0, name: message, "finish_reason": finish}]}

    def _event(self, event: Any) -> None:
        openai = self.path != "/api/chat"
        data = (b"data: " if openai else b"") + json.dumps(event).encode()
        data += b"\n\n" if openai else b"\n"
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--extraction", type=float, default=5.0)
    given = parser.parse_args()
    server = OneSlot(given.extraction, lambda line: print(line, flush=True))
    with server.serving(given.port):
        print(json.dumps({"url": server.url}), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
