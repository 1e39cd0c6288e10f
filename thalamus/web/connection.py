"""Connections of httpx that go to the addresses that were checked, and end in time.

A host is looked up once, its addresses are checked, and the connection is made to one of them: a
name server that changes its answer afterwards changes nothing. The name stays in the request and in
the TLS handshake.
"""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import httpcore
import httpx

from thalamus.errors import WebError
from thalamus.policy.web_addresses import Location
from thalamus.web.resolve import Reachable

CONNECT_SECONDS = 10.0
READ_SECONDS = 15.0
Clock = Callable[[], float]


class Deadline:
    """The time at which a request must be done."""

    def __init__(self, url: str, seconds: float, clock: Clock = time.monotonic) -> None:
        self.url = url
        self._seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    def left(self, most: float | None) -> float:
        """Seconds that an operation may take, at most ``most``. Raises ``WebError`` if none are
        left."""
        left = self._end - self._clock()
        if left <= 0:
            reason = f"it took longer than {self._seconds:g} seconds"
            raise WebError(self.url, reason, kind="too_slow")
        return left if most is None else min(left, most)


class _Timed(httpcore.NetworkStream):
    """A stream each of whose operations ends at the deadline."""

    def __init__(self, inner: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadline.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._deadline.left(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = self._deadline.left(timeout)
        return _Timed(self._inner.start_tls(ssl_context, server_hostname, left), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Checked(httpcore.NetworkBackend):
    """Connects to checked addresses only; to a proxy, which does the checking, as it is."""

    def __init__(self, reachable: Reachable | None, deadline: Deadline) -> None:
        self._reachable = reachable
        self._deadline = deadline
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        addresses = [host]
        if self._reachable is not None:
            addresses = self._reachable.of_host(Location("", host, port), self._deadline.url)
        failure: Exception | None = None
        for address in addresses:
            try:
                left = self._deadline.left(timeout)
                stream = self._inner.connect_tcp(address, port, left, local_address)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
                continue
            return _Timed(stream, self._deadline)
        assert failure is not None
        raise failure


def _context() -> ssl.SSLContext:
    """TLS with the authorities of ``SSL_CERT_FILE`` and ``SSL_CERT_DIR``, or else of certifi."""
    return _trusting(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@cache  # reading them takes longer than reading many a page
def _trusting(_file: str | None, _folder: str | None) -> ssl.SSLContext:
    return httpx.create_ssl_context()


class CheckedTransport(httpx.BaseTransport):
    """Transport for one request and its redirects. Connections are not shared: the next name may
    stand for the same address. Raises ``WebError`` and ``Refused``."""

    def __init__(self, reachable: Reachable, deadline: Deadline, proxy: str = "") -> None:
        options: dict[str, Any] = {"ssl_context": _context(), "max_keepalive_connections": 0}
        if proxy:
            backend = _Checked(None, deadline)
            self._pool: httpcore.ConnectionPool = httpcore.HTTPProxy(
                proxy, network_backend=backend, **options
            )
        else:
            backend = _Checked(reachable, deadline)
            self._pool = httpcore.ConnectionPool(network_backend=backend, **options)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = httpcore.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        sent = httpcore.Request(
            request.method,
            url,
            headers=request.headers.raw,
            extensions={"timeout": {"connect": CONNECT_SECONDS, "read": READ_SECONDS}},
        )
        response = self._pool.handle_request(sent)
        assert isinstance(response.stream, Iterable)
        return httpx.Response(
            response.status, headers=response.headers, stream=_Body(response.stream)
        )

    def close(self) -> None:
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, stream: Iterable[bytes]) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        yield from self._stream

    def close(self) -> None:
        if hasattr(self._stream, "close"):
            self._stream.close()
