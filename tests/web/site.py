"""A web server of one's own, whose pages may misbehave."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Answer = Callable[["Request"], None]


class Request(BaseHTTPRequestHandler):
    """A request, with means to answer it."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        self.server.requests.append((self.path, dict(self.headers)))
        page = self.server.pages.get(self.path)
        if page is None:
            self.reply(404, b"There is no such page.", "text/plain")
        elif callable(page):
            page(self)
        else:
            data, kind = page
            self.reply(200, data, kind)

    do_POST = do_GET

    def reply(self, status: int, data: bytes, kind: str = "text/html", **headers: str) -> None:
        """Sends a whole reply. ``headers``: with underscores for hyphens."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def begin(self, **headers: str) -> None:
        """Sends the head of a reply of unknown length."""
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    """Pages by path: bytes with a media type, or a function that answers. ``requests``: path and
    headers of each."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, certificate: Path | None = None, key: Path | None = None) -> None:
        self.pages: dict[str, tuple[bytes, str] | Answer] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        super().__init__(("127.0.0.1", 0), Request)
        self.scheme = "http"
        if certificate is not None:
            self.scheme = "https"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            self.socket = context.wrap_socket(self.socket, server_side=True)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.server_port}"

    def paths(self) -> list[str]:
        """Paths asked for, without robots.txt."""
        return [path for path, _ in self.requests if path != "/robots.txt"]

    def handle_error(self, *_: Any) -> None:
        """A client that hangs up is no error here."""

    def add(self, path: str, text: str, kind: str = "text/html; charset=utf-8") -> None:
        self.pages[path] = (text.encode(), kind)


@contextmanager
def serving(certificate: Path | None = None, key: Path | None = None) -> Iterator[Server]:
    """A running server; with a certificate one over HTTPS."""
    server = Server(certificate, key)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def page(title: str, text: str, *, date: str = "", links: str = "", lang: str = "en") -> str:
    """A page with navigation around its text."""
    meta = f'<meta property="article:published_time" content="{date}">' if date else ""
    return (
        f"<!doctype html><html lang={lang}><head><title>{title} – A site</title>{meta}</head><body>"
        f"<nav><a href=/>Home</a> <a href=/imprint>Imprint</a> {links}</nav>"
        f"<article><h1>{title}</h1><p>{text}</p></article><footer>All rights reserved.</footer>"
        "</body></html>"
    )
