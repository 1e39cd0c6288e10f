"""Shared HTTP parts of the providers: addresses, proxies, connection options and error mapping."""

from __future__ import annotations

import importlib.util
import ipaddress
import os
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from thalamus.errors import ConfigError, ModelFailed, ModelUnreachable

Client = TypeVar("Client")

_CONNECT_SECONDS = 10.0
_SOCKS = ("socks4", "socks4a", "socks5", "socks5h")
_FIRST_PORT = 1024  # smaller numbers after an IPv6 address without brackets are part of it
_SHORTEST_KEY = 8  # characters; a shorter one is also an ordinary word


class _Line(Generic[Client]):
    """A client for one request at a time, and the sockets of its connections."""

    def __init__(self, make: Callable[[dict[str, Any]], Client]) -> None:
        self.client = make({"event_hooks": {"request": [self._observe]}})
        self._sockets: list[socket.socket] = []

    def cut(self) -> None:
        """Ends its request, also while nothing arrives."""
        for one in [*self._sockets]:
            with suppress(OSError):  # closed in the meantime
                # `close` would not wake up a thread that waits for data
                socket.socket.shutdown(one, socket.SHUT_RDWR)

    def _observe(self, request: Any) -> None:
        request.extensions["trace"] = self._note_connection

    def _note_connection(self, event: str, info: dict[str, Any]) -> None:
        """Keeps the sockets of httpcore's connections."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            opened = info["return_value"].get_extra_info("socket")
            self._sockets = [one for one in self._sockets if one.fileno() >= 0]
            self._sockets.append(opened)


class Clients(Generic[Client]):
    """Clients of one server, made by ``make`` with the options that it is given. A client is used
    for one request at a time, which can be ended from another thread."""

    def __init__(self, make: Callable[[dict[str, Any]], Client]) -> None:
        self._make = make
        self._idle: list[_Line[Client]] = []
        self._used: dict[int, _Line[Client]] = {}  # by thread

    @contextmanager
    def lease(self) -> Iterator[Client]:
        """A client for a request of this thread."""
        thread = threading.get_ident()
        try:
            line = self._idle.pop()
        except IndexError:
            line = _Line(self._make)
        outer = self._used.get(thread)  # of a request during which a listener sends another
        self._used[thread] = line
        try:
            yield line.client
        finally:
            if outer is None:
                del self._used[thread]
            else:
                self._used[thread] = outer
            self._idle.append(line)

    def stopper(self) -> Callable[[], None]:
        """A function that ends the request of this thread by closing its connection, so that the
        server stops too."""
        thread = threading.get_ident()

        def stop() -> None:
            line = self._used.get(thread)
            if line is not None:
                line.cut()

        return stop


class Proxy(Struct, frozen=True):
    """A proxy from the environment: the variable (or system setting) and its address."""

    variable: str
    address: str


def address_of(text: str) -> str:
    """A server's URL: ``http://`` is added, and the brackets around an IPv6 address."""
    url = text.strip().rstrip("/")
    if not url:
        return ""
    scheme, separator, rest = url.partition("://")
    if not separator:
        scheme, rest = "http", url
    authority, slash, path = rest.partition("/")
    user, at, host = authority.rpartition("@")
    return f"{scheme}://{user}{at}{_bracketed(host)}{slash}{path}"


def _bracketed(host: str) -> str:
    if host.count(":") < 2 or "[" in host:
        return host
    address, _, port = host.rpartition(":")
    if port.isdecimal() and int(port) >= _FIRST_PORT and _ip(address) is not None:
        return f"[{address}]:{port}"
    return f"[{host}]" if _ip(host) is not None else host


def is_loopback(url: str) -> bool:
    """True if the URL is on this machine."""
    host = (_parts(url).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    address = _ip(host)
    mapped = getattr(address, "ipv4_mapped", None) or address
    return mapped is not None and (mapped.is_loopback or mapped.is_unspecified)


def is_same_server(url: str, target: str) -> bool:
    """True if an address is on the server of another, or the same over TLS."""
    one, other = _parts(url), _parts(target)
    if one.hostname != other.hostname or other.scheme not in ("http", "https"):
        return False
    secured = (one.scheme, other.scheme) == ("http", "https")
    return secured or (one.scheme, _port(one)) == (other.scheme, _port(other))


def shown(url: str) -> str:
    """The URL for messages, without user name and password."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.rpartition("@")[2]
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def redact(text: str, key: str) -> str:
    """The text without the key."""
    return text.replace(key, "***") if len(key) >= _SHORTEST_KEY else text


def client_options(url: str, timeout: float) -> dict[str, Any]:
    """Arguments for ``httpx.Client``. ``timeout`` is in seconds; 0 waits for ever.

    The proxy is chosen here: httpx fails on exceptions in NO_PROXY that it cannot read. A proxy is
    for the network, never for a server on this machine. Raises ``ConfigError`` for one that cannot
    be used.
    """
    import ssl

    import httpx

    connect = min(timeout, _CONNECT_SECONDS) if timeout else _CONNECT_SECONDS
    options: dict[str, Any] = {
        "timeout": httpx.Timeout(timeout or None, connect=connect),
        "trust_env": False,
    }
    if _parts(url).scheme == "https":
        options["verify"] = httpx.create_ssl_context()  # with SSL_CERT_FILE and SSL_CERT_DIR
    elif is_loopback(url):
        # httpx would read the certificates of all authorities, which takes 20 milliseconds
        options["verify"] = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    proxy = proxy_for(url)
    if proxy is not None:
        _check_proxy(proxy)
        options["proxy"] = proxy.address
    return options


def proxy_for(url: str) -> Proxy | None:
    """The proxy of the environment for a URL; None for a direct connection."""
    from urllib.request import getproxies

    if is_loopback(url):
        return None
    proxies = getproxies()
    parts = _parts(url)
    kind = next((kind for kind in (parts.scheme, "all") if proxies.get(kind)), None)
    if kind is None or _is_exempt(parts, proxies.get("no", "")):
        return None
    address = proxies[kind]
    name = f"{kind}_proxy"
    variable = next((v for v in (name, name.upper()) if os.environ.get(v)), f"the {kind} proxy")
    return Proxy(variable, address if "://" in address else f"http://{address}")


def _check_proxy(proxy: Proxy) -> None:
    scheme = _parts(proxy.address).scheme.lower()
    where = f"{proxy.variable}={shown(proxy.address)}"
    unset = f"or unset {proxy.variable}, or add the server to NO_PROXY"
    if scheme in _SOCKS:
        if importlib.util.find_spec("socksio") is None:
            fix = f"Install it with `pip install 'httpx[socks]'`, {unset}."
            raise ConfigError(f"{where}: a SOCKS proxy needs the package socksio", fix=fix)
        if scheme.startswith("socks5"):
            return
    elif scheme in ("http", "https"):
        return
    raise ConfigError(
        f"{where}: this kind of proxy is not supported",
        fix=f"Use http://, https://, socks5:// or socks5h://, {unset}.",
    )


def _is_exempt(parts: SplitResult, exceptions: str) -> bool:
    """True if NO_PROXY names the server. Entries that cannot be read are left out."""
    host = (parts.hostname or "").rstrip(".")
    address = _ip(host)
    with suppress(ValueError):
        port = _port(parts)
        return any(
            _is_covered(host, address, port, entry.lower())
            for entry in re.split(r"[,;\s]+", exceptions)
            if entry
        )
    return False


def _is_covered(host: str, address: Any, port: int | None, entry: str) -> bool:
    entry = entry.partition("://")[2] or entry
    if entry == "*":
        return True
    bracketed = re.fullmatch(r"\[([^\]]*)\](?::(\d+))?", entry)
    named = re.fullmatch(r"([^:/]+):(\d+)", entry)
    found = bracketed or named
    name, only = (found[1], found[2]) if found else (entry, None)
    if only is not None and port != int(only):
        return False
    if address is not None:
        with suppress(ValueError, TypeError):
            return address in ipaddress.ip_network(name, strict=False)
        return False
    name = name.removeprefix("*").strip(".")
    return bool(name) and (host == name or host.endswith(f".{name}"))


def _parts(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:  # brackets that do not match
        return SplitResult("", "", "", "", "")


def _port(parts: SplitResult) -> int | None:
    with suppress(ValueError):
        return parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return None


def _ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


@contextmanager
def connection_errors(name: str, url: str, timeout: float, start: str) -> Iterator[None]:
    """Maps errors of httpx and of decoding to ``ModelUnreachable`` and ``ModelFailed``.

    ``name`` is the model's spec, ``start`` the advice if the server does not answer.
    """
    import httpx

    where = shown(url)
    try:
        yield
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError, ConnectionError) as error:
        reason = f"no answer from {where}"
        if isinstance(error, httpx.ConnectTimeout):
            reason = f"the connection to {where} timed out"
        proxy = proxy_for(url)
        if proxy is not None:
            reason += f" through the proxy {shown(proxy.address)} ({proxy.variable})"
        raise ModelUnreachable(name, reason, fix=start) from error
    except httpx.TimeoutException as error:
        raise ModelFailed(
            name,
            f"{where} sent nothing for {timeout:g} seconds",
            fix="Raise `model_timeout` in the configuration, or choose a smaller model.",
        ) from error
    except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
        raise ModelUnreachable(name, f"{where} is not an address: {error}", fix=start) from error
    except httpx.HTTPError as error:
        reason = f"the connection to {where} broke: {error or type(error).__name__}"
        raise ModelFailed(name, reason, fix="Try again; see the log of the server.") from error
    except (ValueError, TypeError, AttributeError, KeyError, IndexError) as error:
        reason = f"{where} sent an invalid reply ({type(error).__name__})"
        raise ModelFailed(name, reason, fix=f"Is it really the model's server? {start}") from error
