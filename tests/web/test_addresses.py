"""Which servers may be contacted: none on this machine or in its network, whatever their form."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.site import Server
from thalamus.errors import Refused, WebError
from thalamus.policy.web_addresses import Allowed, is_git_address, normalized
from thalamus.web.fetch import Fetcher
from thalamus.web.resolve import Reachable

pytestmark = pytest.mark.storeless

PUBLIC = "93.184.215.14"
PRIVATE = """
    127.0.0.1 127.8.9.1 0.0.0.0 0.1.2.3 10.0.0.1 172.16.5.4 192.168.1.1 100.64.0.1 169.254.169.254
    169.254.1.1 192.0.0.192 198.18.0.1 203.0.113.5 224.0.0.1 239.255.255.250 240.0.0.1
    255.255.255.255 168.63.129.16 100.100.100.200
    :: ::1 fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 ff02::1 2001:db8::1 2001:0:7f00:1::
    ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 64:ff9b::127.0.0.1
    64:ff9b::a9fe:a9fe 64:ff9b:1::1 2002:7f00:1::1 2002:a00:1:: 2002:a9fe:a9fe::1
    2600::5efe:10.0.0.1 fec0::1 5f00::1
""".split()
OPEN = f"{PUBLIC} 1.1.1.1 2606:4700:4700::1111 64:ff9b::1.1.1.1 2002:101:101::1".split()


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_refused(address: str) -> None:
    reachable = Reachable(resolve=lambda host, port: [PUBLIC, address])
    with pytest.raises(Refused):
        reachable.addresses("https://figs.example/")


@pytest.mark.parametrize("address", OPEN)
def test_public_addresses_are_not(address: str) -> None:
    reachable = Reachable(resolve=lambda host, port: [address])
    assert reachable.addresses("https://figs.example/") == [address]


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://figs.example/",
        "gopher://figs.example/",
        "data:text/html,hello",
        "javascript:alert(1)",
        "//figs.example/",
        "https://user:word@figs.example/",
        "https://user@figs.example/",
        "https://",
        "https://[::1",
        "https://figs.example:99999/",
        "http://localhost/",
        "http://localhost./",
        "http://127.0.0.1/",
        "http://[::ffff:127.0.0.1]/",
        "http://[fe80::1%25eth0]/",
    ],
)
def test_other_addresses_are_refused_before_any_request(url: str, fetcher: Fetcher) -> None:
    strict = Fetcher(Reachable(resolve=lambda host, port: pytest.fail("it was looked up")))
    with pytest.raises(Refused):
        strict.fetch(url)


@pytest.mark.parametrize(
    "url", ["http://2130706433/", "http://0x7f.1/", "http://127.1/", "http://0177.0.0.1/"]
)
def test_other_spellings_of_this_machine_are_refused(url: str) -> None:
    """The system understands them as addresses; those that it finds are checked."""
    with pytest.raises((Refused, WebError)):
        Fetcher().fetch(url)


class Changing:
    """A name server that gives one answer after the other."""

    def __init__(self, *answers: str) -> None:
        self._answers: Iterator[str] = iter(answers)
        self.asked = 0

    def __call__(self, host: str, port: int) -> list[str]:
        self.asked += 1
        return [next(self._answers)]


def test_a_name_server_that_changes_its_answer_is_asked_once_per_request(site: Server) -> None:
    """The first answer is checked, and used; the second is never connected to."""
    site.add("/", "<html><body><p>Hello.</p></body></html>")
    names = Changing("127.0.0.1", "127.0.0.1", "10.0.0.1")
    fetcher = Fetcher(Reachable(Allowed("127.0.0.1"), names), pace=0.0)
    url = f"http://figs.example:{site.server_port}/"
    assert fetcher.fetch(url).status == 200
    assert names.asked == 2  # for robots.txt and for the page
    host = f"figs.example:{site.server_port}"
    assert [headers["Host"] for _, headers in site.requests] == [host, host]
    with pytest.raises(Refused, match=r"is 10\.0\.0\.1, which is a private address"):
        fetcher.fetch(url)


def test_redirects_are_checked_again(site: Server) -> None:
    names = {"figs.example": "127.0.0.1", "inside.example": "10.0.0.7"}
    reachable = Reachable(Allowed("127.0.0.1"), lambda host, port: [names[host]])
    fetcher = Fetcher(reachable, pace=0.0)
    url = f"http://figs.example:{site.server_port}"
    for number, target in enumerate(
        ("http://inside.example/", "http://169.254.169.254/", "file:///etc/passwd", "//[::1]/")
    ):
        site.pages[f"/{number}"] = lambda request, to=target: request.reply(302, b"", Location=to)
        with pytest.raises(Refused):
            fetcher.fetch(f"{url}/{number}")
    site.pages["/robots.txt"] = lambda request: request.reply(
        302, b"", Location="http://inside.example/"
    )
    with pytest.raises(Refused):
        Fetcher(reachable, pace=0.0).fetch(f"{url}/")


def test_the_environment_names_no_proxy(site: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    site.add("/", "<p>Hello.</p>")
    fetcher = Fetcher(Reachable(Allowed("127.0.0.1")), pace=0.0)
    assert fetcher.fetch(f"{site.url}/").status == 200


def test_a_proxy_of_the_settings_is_used(site: Server) -> None:
    site.pages["http://figs.example/robots.txt"] = lambda request: request.reply(404, b"")
    site.pages["http://figs.example/"] = lambda request: request.reply(200, b"<p>Hello.</p>")
    fetcher = Fetcher(proxy=site.url, pace=0.0)
    assert fetcher.fetch("http://figs.example/").data == b"<p>Hello.</p>"
    with pytest.raises(Refused):
        fetcher.fetch("http://10.0.0.1/")


def test_exceptions_are_hosts_and_networks() -> None:
    allowed = Allowed("wiki.local, 10.1.0.0/16 fd00:1::/64")
    names = {"wiki.local": "192.168.1.9", "other.local": "192.168.1.9"}
    reachable = Reachable(allowed, lambda host, port: [names.get(host, host)])
    for url in ("http://wiki.local/", "http://10.1.2.3/", "http://[fd00:1::9]/"):
        assert reachable.addresses(url)
        allowed.check_literal(url)
    for url in ("http://other.local/", "http://10.2.0.1/", "http://[fd00:2::9]/"):
        with pytest.raises(Refused):
            reachable.addresses(url)
    names["wiki.local"] = "169.254.169.254"  # no setting allows that
    with pytest.raises(Refused):
        reachable.addresses("http://wiki.local/")


def test_addresses_have_one_form() -> None:
    assert normalized(" HTTPS://Figs.Example:443#top") == "https://figs.example/"
    assert normalized("http://figs.example:8080/a?b=c#d") == "http://figs.example:8080/a?b=c"
    assert is_git_address("https://github.com/ana/figs")
    assert is_git_address("https://git.example/figs.git")
    assert not is_git_address("https://github.com/ana")
    assert not is_git_address("https://github.com/ana/figs/issues")
