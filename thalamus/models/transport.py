"""Shared HTTP parts of the providers: connection options and error mapping."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from thalamus.errors import ModelFailed, ModelUnreachable

_CONNECT_SECONDS = 10.0


def is_loopback(url: str) -> bool:
    """True if the URL is on this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def shown(url: str) -> str:
    """The URL for messages, without user name and password."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def client_options(url: str, timeout: float) -> dict[str, Any]:
    """Arguments for ``httpx.Client``. ``timeout`` is in seconds; 0 waits for ever.

    A proxy from the environment is for the network, never for a server on this machine.
    """
    import httpx

    connect = min(timeout, _CONNECT_SECONDS) if timeout else _CONNECT_SECONDS
    return {
        "timeout": httpx.Timeout(timeout or None, connect=connect),
        "trust_env": not is_loopback(url),
    }


@contextmanager
def connection_errors(name: str, url: str, timeout: float, start: str) -> Iterator[None]:
    """Maps errors of httpx and of decoding to ``ModelUnreachable`` and ``ModelFailed``.

    ``name`` is the model's spec, ``start`` the advice if the server does not answer.
    """
    import httpx

    where = shown(url)
    try:
        yield
    except (httpx.ConnectError, httpx.ConnectTimeout, ConnectionError) as error:
        reason = f"no answer from {where}"
        if isinstance(error, httpx.ConnectTimeout):
            reason = f"the connection to {where} timed out"
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
