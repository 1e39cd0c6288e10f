"""Addresses and proxies, without a network."""

import os
import ssl
import subprocess
import sys

import pytest

from thalamus.errors import ConfigError, ModelUnreachable
from thalamus.models import transport
from thalamus.models.openai import OpenAIChat
from thalamus.models.protocol import ChatRequest, Message

pytestmark = pytest.mark.storeless

REMOTE = "http://models.example:8080/v1"
PROXY = "http://proxy.example:3128"


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in ("ALL", "HTTP", "HTTPS", "NO"):
        monkeypatch.delenv(f"{name}_PROXY", raising=False)
        monkeypatch.delenv(f"{name.lower()}_proxy", raising=False)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1"),
        ("box:8080/v1", "http://box:8080/v1"),
        ("[::1]:8080/v1", "http://[::1]:8080/v1"),
        ("::1", "http://[::1]"),
        ("http://fd00::7:8080/v1", "http://[fd00::7]:8080/v1"),
        ("http://fd00:1:2:3:4:5:6:7:8080/v1", "http://[fd00:1:2:3:4:5:6:7]:8080/v1"),
        ("", ""),
    ],
)
def test_an_address_may_lack_its_scheme_and_its_brackets(text, url):
    assert transport.address_of(text) == url


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "api.localhost", "LOCALHOST", "127.0.0.1", "127.8.9.1", "0.0.0.0"),
        *("[::1]", "[::]", "[::ffff:127.0.0.1]"),
    ],
)
def test_no_proxy_is_used_for_this_machine(monkeypatch, host):
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    monkeypatch.setenv("HTTP_PROXY", PROXY)
    assert transport.is_loopback(f"http://{host}:8080/v1")
    assert "proxy" not in transport.client_options(f"http://{host}:8080/v1", 5)


def test_certificates_are_read_only_for_servers_elsewhere():
    """A redirect from this machine to another is not trusted."""
    here = transport.client_options("http://localhost:11434", 5)["verify"]
    assert here.get_ca_certs() == [] and here.verify_mode == ssl.CERT_REQUIRED
    assert here.check_hostname
    there = transport.client_options("https://models.example/v1", 5)["verify"]
    assert there.verify_mode == ssl.CERT_REQUIRED and there.get_ca_certs() != []


@pytest.mark.parametrize(
    ("variable", "value", "url", "used"),
    [
        ("HTTP_PROXY", PROXY, REMOTE, PROXY),
        ("http_proxy", "proxy.example:3128", REMOTE, PROXY),
        ("ALL_PROXY", PROXY, REMOTE, PROXY),
        ("HTTPS_PROXY", PROXY, REMOTE, None),
        ("HTTPS_PROXY", PROXY, "https://models.example/v1", PROXY),
        ("HTTP_PROXY", PROXY, "http://[2001:db8::7]:8080/v1", PROXY),
    ],
)
def test_the_proxy_of_the_environment_is_used(monkeypatch, variable, value, url, used):
    monkeypatch.setenv(variable, value)
    assert transport.client_options(url, 5).get("proxy") == used


@pytest.mark.parametrize(
    ("exceptions", "url", "exempt"),
    [
        ("[::1], 10.0.0.0/8, vm, %%, [, a:b:c", REMOTE, False),
        ("[::1], 10.0.0.0/8, vm, %%, [, a:b:c", "http://vm:8080/v1", True),
        ("[::1],10.0.0.0/8,vm", "http://10.1.2.3:8080/v1", True),
        ("10.0.0.0/8", "http://11.1.2.3:8080/v1", False),
        ("fd00::/8", "http://[fd00::7]:8080/v1", True),
        ("[fd00::7]", "http://[fd00::7]:8080/v1", True),
        ("[fd00::7]:8080", "http://[fd00::7]:8080/v1", True),
        ("[fd00::7]:9", "http://[fd00::7]:8080/v1", False),
        (".example", REMOTE, True),
        ("*.example", REMOTE, True),
        ("example", REMOTE, True),
        ("ample", REMOTE, False),
        ("models.example:8080", REMOTE, True),
        ("models.example:80", REMOTE, False),
        ("http://models.example", REMOTE, True),
        ("*", REMOTE, True),
        ("192.168.1.5", "http://192.168.1.5:8080", True),
        ("", REMOTE, False),
    ],
)
def test_exceptions_that_cannot_be_read_are_left_out(monkeypatch, exceptions, url, exempt):
    monkeypatch.setenv("ALL_PROXY", PROXY)
    monkeypatch.setenv("NO_PROXY", exceptions)
    assert (transport.proxy_for(url) is None) == exempt
    transport.client_options(url, 5)


def ask(url):
    request = ChatRequest(role="answer", messages=[Message("user", "Hi")])
    OpenAIChat("m", url, None, 5).chat(request)


@pytest.mark.parametrize("variable", ["ALL_PROXY", "all_proxy", "http_proxy"])
def test_a_socks_proxy_without_its_package_is_named(monkeypatch, variable):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setenv(variable, "socks5://user:secret@127.0.0.1:1080")
    with pytest.raises(ConfigError) as caught:
        ask(REMOTE)
    assert f"{variable}=socks5://127.0.0.1:1080" in caught.value.message
    assert "httpx[socks]" in caught.value.advice and "secret" not in str(caught.value)


def test_a_proxy_of_an_unknown_kind_is_named(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "quic://127.0.0.1:1080")
    with pytest.raises(ConfigError, match="ALL_PROXY"):
        ask(REMOTE)


def test_a_proxy_that_does_not_answer_is_named(monkeypatch, closed_url):
    monkeypatch.setenv("http_proxy", closed_url)
    with pytest.raises(ModelUnreachable) as caught:
        ask(REMOTE)
    assert closed_url in caught.value.message and "http_proxy" in caught.value.message


@pytest.mark.parametrize("url", ["http://[::1", "http://:::/v1", "http://a:b:c"])
def test_an_impossible_address_is_an_error(url):
    with pytest.raises(ModelUnreachable, match=r"address|answer"):
        ask(url)


@pytest.mark.parametrize(
    "variables", [{"ALL_PROXY": "socks5://127.0.0.1:1"}, {"NO_PROXY": "[::1]"}]
)
def test_ollama_is_imported_whatever_the_proxies_are(variables):
    code = (
        "from thalamus.models.ollama import OllamaChat\n"
        "import os\n"
        "from thalamus.errors import ModelUnreachable\n"
        "try:\n    OllamaChat('m', 'http://127.0.0.1:1', 5, '5m').context(); print('fine')\n"
        "finally:\n    print(sorted(n for n in os.environ if n.endswith('_PROXY')))\n"
    )
    clean = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    variables = {"HTTP_PROXY": "http://127.0.0.1:1", **variables}
    done = subprocess.run(
        [sys.executable, "-c", code], env=clean | variables, capture_output=True, text=True
    )
    assert done.stdout.split("\n")[:2] == ["fine", str(sorted(variables))], done.stderr


@pytest.mark.parametrize(
    ("url", "target", "same"),
    [
        ("http://box/v1", "http://BOX:80/v2", True),
        ("http://box:8080/v1", "https://box/v1", True),
        ("http://box:8080/v1", "http://box:9090/v1", False),
        ("https://box/v1", "http://box/v1", False),
        ("https://box/v1", "https://box.example/v1", False),
        ("https://box/v1", "https://box@other/v1", False),
        ("http://box/v1", "ftp://box/v1", False),
    ],
)
def test_a_server_stays_the_same_over_tls(url, target, same):
    assert transport.is_same_server(url, target) is same
