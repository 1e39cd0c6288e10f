"""Resolution of hosts, with a check of every address found."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence

from thalamus.errors import WebError
from thalamus.policy.web_addresses import Allowed, Location, locate

# host and port -> addresses as text; raises ``OSError``
Resolver = Callable[[str, int], Sequence[str]]
DNS_SECONDS = 10.0


class Reachable:
    """Addresses of servers that may be contacted, by the rules in ``allowed``. ``resolve``: the
    resolver."""

    def __init__(self, allowed: Allowed | None = None, resolve: Resolver | None = None) -> None:
        self.allowed = allowed or Allowed()
        self._resolve = resolve or _system_resolver

    def addresses(self, url: str) -> list[str]:
        """Addresses of a URL's server, all of which may be contacted. Raises ``Refused`` if one of
        them may not, and ``WebError`` for a host without any."""
        return self.of_host(locate(url), url)

    def of_host(self, place: Location, url: str) -> list[str]:
        """``addresses`` for a server that was located already."""
        try:
            found = list(dict.fromkeys(self._resolve(place.host, place.port)))
        except (OSError, UnicodeError):
            found = []
        if not found:
            raise WebError(url, f"there is no server named {place.host}")
        for address in found:
            self.allowed.check(url, place, address)
        return found


def _system_addresses(host: str, port: int) -> list[str]:
    """Addresses of a host, from the system's resolver. Raises ``OSError``."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in found]


def _system_resolver(host: str, port: int) -> list[str]:
    """``_system_addresses`` within a time limit: the system's own may be minutes."""
    found: list[list[str]] = []
    failed: list[OSError | UnicodeError] = []

    def look_up() -> None:
        try:
            found.append(_system_addresses(host, port))
        except (OSError, UnicodeError) as error:
            failed.append(error)

    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    thread.join(DNS_SECONDS)
    if failed:
        raise failed[0]
    if not found:
        raise OSError("the name server does not answer")
    return found[0]
