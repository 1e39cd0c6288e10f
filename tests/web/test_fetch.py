"""Requests to servers that misbehave in every way end in time, with the reason."""

from __future__ import annotations

import gzip
import time
import zlib

import pytest

from tests.web.site import Request, Server
from thalamus.errors import Refused, WebError
from thalamus.web.fetch import USER_AGENT, Fetcher, FetchLimits

pytestmark = pytest.mark.storeless

HELLO = b"<html><body><p>Hello.</p></body></html>"


def failure(fetcher: Fetcher, url: str) -> WebError:
    """The error, which comes in time."""
    begun = time.monotonic()
    with pytest.raises(WebError) as caught:
        fetcher.fetch(url)
    assert time.monotonic() - begun < 5
    return caught.value


def test_a_page(site: Server, fetcher: Fetcher) -> None:
    site.pages["/a"] = lambda request: request.reply(
        200, HELLO, "Text/HTML; charset=ISO-8859-1", ETag='"1"', Last_Modified="Fri, 1 May 2026"
    )
    found = fetcher.fetch(f"{site.url}/a")
    assert (found.status, found.data, found.type) == (200, HELLO, "text/html")
    assert (found.charset, found.etag, found.last_modified) == (
        "iso-8859-1",
        '"1"',
        "Fri, 1 May 2026",
    )
    path, headers = site.requests[-1]
    assert path == "/a" and headers["User-Agent"] == USER_AGENT
    assert "thalamus" in USER_AGENT and "Cookie" not in headers


def test_an_unchanged_page(site: Server, fetcher: Fetcher) -> None:
    def answer(request: Request) -> None:
        known = request.headers.get("If-None-Match") == '"1"'
        request.reply(304 if known else 200, b"" if known else HELLO)

    site.pages["/"] = answer
    assert fetcher.fetch(f"{site.url}/", etag='"1"', last_modified="Fri, 1 May 2026").unchanged
    assert site.requests[-1][1]["If-Modified-Since"] == "Fri, 1 May 2026"
    assert not fetcher.fetch(f"{site.url}/").unchanged


def silent(request: Request) -> None:
    time.sleep(3)


def dripping(request: Request) -> None:
    request.begin(Content_Type="text/html")
    for _ in range(40):
        request.wfile.write(b".")
        time.sleep(0.1)


def dripping_headers(request: Request) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(40):
        request.wfile.write(b"X-%d: 1\r\n" % number)
        time.sleep(0.1)


@pytest.mark.parametrize("answer", [silent, dripping, dripping_headers])
def test_slow_servers(site: Server, fetcher: Fetcher, answer: object) -> None:
    site.pages["/"] = answer  # type: ignore[assignment]
    hasty = Fetcher(fetcher.reachable, FetchLimits(size=100_000, seconds=0.3), pace=0.0)
    assert failure(hasty, f"{site.url}/").kind == "too_slow"


def endless(request: Request) -> None:
    request.begin(Content_Type="text/html")
    for _ in range(10_000):
        request.wfile.write(b"x" * 10_000)


def announced(request: Request) -> None:
    request.begin(Content_Type="text/html", Content_Length="99999999999")


def bomb(request: Request) -> None:
    packed = gzip.compress(b"x" * 5_000_000)
    request.reply(200, packed, Content_Encoding="gzip")


def bombs(request: Request) -> None:
    packed = gzip.compress(b"x" * 1_000) * 5_000
    request.reply(200, packed, Content_Encoding="gzip")


def deflated_bomb(request: Request) -> None:
    request.reply(200, zlib.compress(b"x" * 5_000_000), Content_Encoding="deflate")


@pytest.mark.parametrize("answer", [endless, announced, bomb, bombs, deflated_bomb])
def test_large_replies(site: Server, fetcher: Fetcher, answer: object) -> None:
    site.pages["/"] = answer  # type: ignore[assignment]
    error = failure(fetcher, f"{site.url}/")
    assert error.kind == "too_large" and error.reason == "it is larger than 97 KB"


def test_compressed_replies_are_unpacked(site: Server, fetcher: Fetcher) -> None:
    raw = zlib.compressobj(wbits=-15)
    for path, data, encoding in (
        ("/gzip", gzip.compress(HELLO), "gzip"),
        ("/members", gzip.compress(HELLO[:3]) + gzip.compress(HELLO[3:]) + b"\0\0", "gzip"),
        ("/zlib", zlib.compress(HELLO), "deflate"),
        ("/raw", raw.compress(HELLO) + raw.flush(), "deflate"),
    ):
        site.pages[path] = lambda request, data=data, encoding=encoding: request.reply(
            200, data, Content_Encoding=encoding
        )
        assert fetcher.fetch(f"{site.url}{path}").data == HELLO
    for encoding in ("br", "gzip"):
        site.pages["/odd"] = lambda request, encoding=encoding: request.reply(
            200, b"not that", Content_Encoding=encoding
        )
        assert failure(fetcher, f"{site.url}/odd").kind in ("unsupported", "unreachable")


def test_redirects(site: Server, fetcher: Fetcher) -> None:
    site.pages["/end"] = (HELLO, "text/html")
    for number in range(7):
        to = f"/{number + 1}" if number < 6 else "/end"
        site.pages[f"/{number}"] = lambda request, to=to: request.reply(301, b"", Location=to)
    assert fetcher.fetch(f"{site.url}/2").url == f"{site.url}/end"  # five of them
    assert "more than 5 times" in failure(fetcher, f"{site.url}/1").reason
    site.pages["/loop"] = lambda request: request.reply(302, b"", Location="/loop")
    assert "more than 5 times" in failure(fetcher, f"{site.url}/loop").reason


def test_refusals_of_the_server(site: Server, fetcher: Fetcher) -> None:
    site.pages["/busy"] = lambda request: request.reply(429, b"", Retry_After="90")
    error = failure(fetcher, f"{site.url}/busy")
    assert (error.kind, error.wait) == ("busy", 90.0)
    assert error.reason == "the server is busy (429 Too Many Requests); it asks to wait 90 seconds"
    for status, kind in (
        (404, "missing"),
        (410, "missing"),
        (403, "unreachable"),
        (500, "unreachable"),
    ):
        site.pages["/no"] = lambda request, status=status: request.reply(status, b"")
        assert failure(fetcher, f"{site.url}/no").kind == kind


def test_replies_that_cannot_be_understood(site: Server, fetcher: Fetcher) -> None:
    """Addresses and marks that no request can contain are the server's mistakes, not ours."""
    site.pages["/to"] = lambda request: request.reply(302, b"", Location="http://[")
    assert "invalid reply" in failure(fetcher, f"{site.url}/to").reason
    site.pages["/"] = lambda request: request.reply(200, HELLO, ETag='"\xe9"')
    found = fetcher.fetch(f"{site.url}/")
    assert fetcher.fetch(f"{site.url}/", etag=found.etag).data == HELLO


def test_servers_that_are_none(site: Server, fetcher: Fetcher) -> None:
    site.pages["/cut"] = lambda request: request.begin(Content_Length="100")
    site.pages["/noise"] = lambda request: request.wfile.write(b"\x00\xff" * 100) and None
    for path in ("/cut", "/noise"):
        assert failure(fetcher, f"{site.url}{path}").kind == "unreachable"
    site.server_close()
    assert failure(fetcher, "http://127.0.0.1:9/").kind == "unreachable"


def test_robots(site: Server, fetcher: Fetcher) -> None:
    rules = "User-agent: *\nDisallow: /private\n\nUser-agent: thalamus-recall\nDisallow: /mine\n"
    site.add("/robots.txt", rules, "text/plain")
    for path in ("/", "/private/a", "/mine/a"):
        site.add(path, "<p>Hello.</p>")
    assert fetcher.fetch(f"{site.url}/").status == 200
    assert fetcher.fetch(f"{site.url}/private/a").status == 200  # our own rules count
    with pytest.raises(Refused, match=r"its robots.txt asks programs not to read it"):
        fetcher.fetch(f"{site.url}/mine/a")
    site.pages["/hop"] = lambda request: request.reply(302, b"", Location="/mine/a")
    with pytest.raises(Refused):
        fetcher.fetch(f"{site.url}/hop")
    assert [path for path, _ in site.requests].count("/robots.txt") == 1
    assert "/mine/a" not in site.paths()


@pytest.mark.parametrize(
    ("rules", "path", "allowed"),
    [
        ("\ufeffUser-agent: *\nDisallow: /private/", "/private/x", False),
        ("User-agent: *\nDisallow: /*/private/\nDisallow: /*.pdf$", "/a/private/x", False),
        ("User-agent: *\nDisallow: /*/private/\nDisallow: /*.pdf$", "/a/b.pdf", False),
        ("User-agent: *\nDisallow: /*/private/\nDisallow: /*.pdf$", "/a/b.pdf?c", True),
        ("User-agent: *\nAllow: /\nDisallow: /private/", "/private/x", False),
        ("User-agent: *\nDisallow: /\nAllow: /open/", "/open/x", True),
        ("User-agent: *\nDisallow: /" + "*a" * 200 + "b", "/" + "a" * 1000, True),
    ],
)
def test_the_longest_rule_of_robots_counts(
    site: Server, fetcher: Fetcher, rules: str, path: str, allowed: bool
) -> None:
    site.add("/robots.txt", rules, "text/plain")
    site.pages[path] = (HELLO, "text/html")
    if allowed:
        assert fetcher.fetch(f"{site.url}{path}").data == HELLO
    else:
        assert "robots.txt" in failure(fetcher, f"{site.url}{path}").reason


@pytest.mark.parametrize("line", ["Disallow: //[x", "Crawl-delay: ²", "Request-rate: ²/3"])
def test_a_damaged_robots_txt(site: Server, fetcher: Fetcher, line: str) -> None:
    """A line that cannot be read counts for nothing; the others count."""
    site.add("/robots.txt", f"User-agent: *\n{line}\nDisallow: /private\n", "text/plain")
    site.pages["/"] = (HELLO, "text/html")
    assert fetcher.fetch(f"{site.url}/").data == HELLO
    assert "robots.txt" in failure(fetcher, f"{site.url}/private").reason


def test_without_robots_everything_may_be_read_and_with_too_many_nothing(
    site: Server, fetcher: Fetcher
) -> None:
    site.pages["/"] = (HELLO, "text/html")
    assert fetcher.fetch(f"{site.url}/").status == 200
    fresh = Fetcher(fetcher.reachable, FetchLimits(size=100_000, seconds=2), pace=0.0)
    site.pages["/robots.txt"] = (b"#" * (1 << 20), "text/plain")
    with pytest.raises(Refused, match="too large"):
        fresh.fetch(f"{site.url}/")
    site.pages["/robots.txt"] = lambda request: request.reply(503, b"")
    unknown = Fetcher(fetcher.reachable, pace=0.0)
    assert failure(unknown, f"{site.url}/").kind == "busy"


def test_the_pace_of_a_host(site: Server, fetcher: Fetcher) -> None:
    now, waits = [100.0], []

    def sleep(seconds: float) -> None:
        waits.append(round(seconds, 2))
        now[0] += seconds

    paced = Fetcher(fetcher.reachable, sleep=sleep, clock=lambda: now[0])
    site.add("/robots.txt", "User-agent: *\nCrawl-delay: 3\n", "text/plain")
    site.add("/", "<p>Hello.</p>")
    for _ in range(3):
        paced.fetch(f"{site.url}/")
    assert waits == [1.0, 3.0, 3.0]
