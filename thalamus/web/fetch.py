"""Reading of addresses on the network, within rules and limits.

Every request, also that for a ``robots.txt`` and after each redirect, goes to checked addresses
(``resolve``), is limited in size and time, and keeps to the pace of its host.
"""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from msgspec import Struct, field

from thalamus.errors import ConfigError, Refused, WebError
from thalamus.models.retry_after import BUSY, retry_after
from thalamus.policy.web_addresses import Location, locate
from thalamus.version import VERSION
from thalamus.web.resolve import Reachable

if TYPE_CHECKING:
    import httpx

PROGRAM = "thalamus-recall"  # its name for robots.txt
USER_AGENT = f"{PROGRAM}/{VERSION} (reads pages into the memory of one person)"
REDIRECTS = 5
PACE = 1.0  # seconds between two requests to a host
SLOWEST = 10.0  # seconds that a robots.txt may ask for between them
ROBOTS_BYTES = 512 << 10
_GZIP = b"\x1f\x8b"
_MOVED = (301, 302, 303, 307, 308)


class FetchLimits(Struct, frozen=True):
    """Limits of one request: ``size`` in bytes, also after decompression, and ``seconds``."""

    size: int = 20 << 20
    seconds: float = 60.0


class Fetched(Struct, frozen=True):
    """A reply: the ``url`` after redirects, and the body; nothing of it if it is ``unchanged``
    since the last one with the same ``etag`` or ``last_modified``."""

    url: str
    status: int
    data: bytes = b""
    type: str = ""  # media type, in lower case
    charset: str | None = None
    etag: str | None = None
    last_modified: str | None = None

    @property
    def unchanged(self) -> bool:
        """True for a reply without a body because nothing is new."""
        return self.status == 304


class Fetcher(Struct):
    """Reads addresses, one at a time. ``proxy``: address of a proxy, which then looks up the hosts
    and decides itself which of them it contacts; ``progress`` is called with each address."""

    reachable: Reachable = field(default_factory=Reachable)
    limits: FetchLimits = field(default_factory=FetchLimits)
    proxy: str = ""
    pace: float = PACE
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    progress: Callable[[str], None] = lambda _: None
    _robots: dict[Location, _Robots] = field(default_factory=dict)
    _next: dict[str, float] = field(default_factory=dict)  # when each host may be asked again

    def fetch(
        self, url: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> Fetched:
        """The reply at a URL. Raises ``Refused`` for an address that may not be read, also because
        of its robots.txt, and ``WebError`` of kind ``unreachable``, ``missing``, ``busy``,
        ``too_large`` or ``too_slow``."""
        conditions = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        headers = {name: mark for name, mark in conditions.items() if mark and _is_plain(mark)}
        for _ in range(REDIRECTS + 1):
            self.progress(url)
            self.check_robots(url)
            reply = self._request(url, headers, self.limits)
            if isinstance(reply, Fetched):
                return reply
            url = reply
        raise WebError(url, f"it redirects more than {REDIRECTS} times")

    def check_robots(self, url: str) -> None:
        """Raises ``Refused`` for a URL that the robots.txt of its server keeps away from."""
        place = locate(url)
        if place not in self._robots:
            self._robots[place] = self._read_robots(place)
        robots = self._robots[place]
        if not robots.allows(url):
            raise Refused(url, robots.reason)

    def _read_robots(self, place: Location) -> _Robots:
        host = f"[{place.host}]" if ":" in place.host else place.host
        url = f"{place.scheme}://{host}:{place.port}/robots.txt"
        limits = FetchLimits(ROBOTS_BYTES, min(self.limits.seconds, 20.0))
        for _ in range(REDIRECTS + 1):
            try:
                reply = self._request(url, {}, limits)
            except Refused:
                raise
            except WebError as error:
                if error.kind == "missing":
                    return _Robots(None)
                if error.kind == "too_large":
                    return _Robots(None, "its robots.txt is too large")
                raise
            if isinstance(reply, Fetched):
                return _Robots(reply.data.decode("utf-8-sig", "replace"))
            url = reply
        return _Robots(None)

    def _request(self, url: str, headers: dict[str, str], limits: FetchLimits) -> Fetched | str:
        """The reply to one request, or the URL that it redirects to. Raises as ``fetch``."""
        import httpx

        from thalamus.web.connection import CheckedTransport, Deadline

        place = locate(url)
        self.reachable.allowed.check_literal(url)
        self._keep_pace(place)
        deadline = Deadline(url, limits.seconds, self.clock)
        sent = {"User-Agent": USER_AGENT, "Accept-Encoding": "gzip, deflate", **headers}
        with (
            _errors_of(url),
            httpx.Client(
                transport=CheckedTransport(self.reachable, deadline, _proxy(self.proxy)),
                headers=sent,
                trust_env=False,
                follow_redirects=False,
            ) as client,
            client.stream("GET", url) as response,
        ):
            status = response.status_code
            if status in _MOVED and response.headers.get("location"):
                return urljoin(url, response.headers["location"])
            _check_status(url, response)
            data = b"" if status == 304 else _body(url, response, limits.size)
            return _fetched(url, response, data)

    def _keep_pace(self, place: Location) -> None:
        """Waits until the host may be asked again."""
        now = self.clock()
        wait = self._next.get(place.host, now) - now
        if wait > 0:
            self.sleep(wait)
        robots = self._robots.get(place)
        pace = max(self.pace, min(robots.delay, SLOWEST) if robots else 0.0)
        self._next[place.host] = max(now, now + wait) + pace


class _Robots:
    """The rules of a robots.txt; with a ``problem`` nothing is allowed."""

    def __init__(self, text: str | None, problem: str = "") -> None:
        from protego import Protego

        self._rules = Protego.parse(text or "")
        self._problem = problem
        self.delay = float(self._rules.crawl_delay(PROGRAM) or 0)

    @property
    def reason(self) -> str:
        """The reason why a page may not be read."""
        return self._problem or "its robots.txt asks programs not to read it"

    def allows(self, url: str) -> bool:
        """True if a URL may be read."""
        return not self._problem and bool(self._rules.can_fetch(url, PROGRAM))


def _is_plain(mark: str) -> bool:
    """True for the mark of a version that can be sent back."""
    return mark.isascii() and mark.isprintable()


def _proxy(address: str) -> str:
    """The proxy's address. Raises ``ConfigError`` for one that cannot be used."""
    if address and not address.lower().startswith(("http://", "https://")):
        raise ConfigError(f"crawl_proxy must be an http:// or https:// address, not {address!r}")
    return address


def _check_status(url: str, response: httpx.Response) -> None:
    status = response.status_code
    if status == 304 or 200 <= status < 300:
        return
    phrase = f"{status} {response.reason_phrase}".strip()
    if status in BUSY:
        wait = retry_after("", response.headers)
        later = f"; it asks to wait {wait:g} seconds" if wait else ""
        raise WebError(url, f"the server is busy ({phrase}){later}", kind="busy", wait=wait)
    if status in (404, 410):
        raise WebError(url, f"there is no such page ({phrase})", kind="missing")
    kind = "missing" if url.endswith("/robots.txt") and 400 <= status < 500 else "unreachable"
    raise WebError(url, f"the server answered {phrase}", kind=kind)


def _body(url: str, response: httpx.Response, most: int) -> bytes:
    """The body, decompressed in steps, so that neither form of it exceeds the limit."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise WebError(url, f"it is compressed in an unknown way ({encoding})", kind="unsupported")
    length = response.headers.get("content-length", "")
    if length.isdigit() and int(length) > most:
        raise _too_large(url, most)
    unpack = _Unpacker(encoding, most)
    received, data = 0, bytearray()
    for part in response.iter_raw():
        received += len(part)
        data += unpack(part)
        if received > most or len(data) > most:
            raise _too_large(url, most)
    return bytes(data)


class _Unpacker:
    """Decompresses parts of a body, but never much more than the limit."""

    def __init__(self, encoding: str, most: int) -> None:
        self._plain = encoding in ("", "identity")
        self._deflate = encoding == "deflate"
        self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._begun = False
        self._left = most + 1

    def __call__(self, part: bytes) -> bytes:
        """The decompressed part. Raises ``zlib.error`` for damaged data."""
        if self._plain:
            return part
        if self._deflate and not self._begun and part[:1] and part[0] & 0x0F != 8:
            self._inflater = zlib.decompressobj(-zlib.MAX_WBITS)  # without the header of zlib
        self._begun = True
        found = bytearray()
        while part:
            data = self._inflater.decompress(part, self._left)
            found += data
            self._left -= len(data)
            part = self._inflater.unused_data if self._left > 0 else b""
            if not part.startswith(_GZIP):  # no further member
                break
            self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        return bytes(found)


def _too_large(url: str, most: int) -> WebError:
    size = f"{most >> 20} MB" if most >= 1 << 20 else f"{most >> 10} KB"
    return WebError(url, f"it is larger than {size}", kind="too_large")


def _fetched(url: str, response: httpx.Response, data: bytes) -> Fetched:
    media = response.headers.get("content-type", "")
    return Fetched(
        url=url,
        status=response.status_code,
        data=data,
        type=media.partition(";")[0].strip().lower(),
        charset=response.charset_encoding,
        etag=response.headers.get("etag"),
        last_modified=response.headers.get("last-modified"),
    )


@contextmanager
def _errors_of(url: str) -> Iterator[None]:
    """Maps errors of the connection to ``WebError``."""
    import httpcore
    import httpx

    try:
        yield
    except WebError:
        raise
    except (httpcore.TimeoutException, httpx.TimeoutException):
        raise WebError(url, "the server does not answer in time", kind="too_slow") from None
    except (httpcore.NetworkError, httpcore.ProxyError, OSError) as error:
        raise WebError(url, f"the connection failed: {_reason(error)}") from None
    except (
        httpcore.ProtocolError,
        httpx.HTTPError,
        httpx.InvalidURL,
        zlib.error,
        ValueError,  # of an address or a number
    ) as error:
        raise WebError(url, f"the server sent an invalid reply: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    return re.sub(r"^\[Errno -?\d+\] ", "", str(error)).lower() or type(error).__name__
