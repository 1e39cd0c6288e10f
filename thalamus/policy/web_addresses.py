"""Web addresses, and which of them may be contacted: public ones, and private ones that the
settings name."""

from __future__ import annotations

import ipaddress
import re
from contextlib import suppress
from urllib.parse import urldefrag, urlsplit, urlunsplit

from msgspec import Struct

from thalamus.errors import Refused

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_FORGES = {"github.com", "gitlab.com", "codeberg.org", "bitbucket.org", "git.sr.ht", "gitea.com"}
PORTS = {"http": 80, "https": 443}
_UNICAST = ipaddress.IPv6Network("2000::/3")  # contains all public IPv6 addresses
_SIX_TO_FOUR = ipaddress.IPv6Network("2002::/16")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_TUNNELS = tuple(map(ipaddress.IPv6Network, ("2001::/32", "2001:db8::/32", "3fff::/20")))
_EXCEPTIONS = "; the setting `crawl_allow` makes exceptions"
_MACHINE = f"is this machine{_EXCEPTIONS}"
_PRIVATE = f"is a private address{_EXCEPTIONS}"
# services of clouds about the machine itself at addresses that look public
_METADATA = tuple(map(ipaddress.ip_address, ("168.63.129.16", "100.100.100.200", "192.0.0.192")))


class Location(Struct, frozen=True):
    """The parts of an address that a connection needs."""

    scheme: str
    host: str
    port: int


def locate(url: str) -> Location:
    """The server of a URL. Raises ``Refused`` for one that is not HTTP or has a password in it."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Refused(url, "it is not an address") from None
    if parts.scheme not in PORTS:
        raise Refused(url, "only http and https addresses are read")
    if parts.username is not None or parts.password is not None:
        raise Refused(url, "it contains a user name or a password")
    if not parts.hostname:
        raise Refused(url, "it names no server")
    return Location(parts.scheme, parts.hostname.rstrip("."), port or PORTS[parts.scheme])


def normalized(url: str) -> str:
    """A URL in the form in which sources are compared: without fragment, host in lower case, no
    default port. Raises ``Refused``."""
    found = locate(url.strip())
    parts = urlsplit(urldefrag(url.strip()).url)
    host = f"[{found.host}]" if ":" in found.host else found.host.lower()
    netloc = host if found.port == PORTS[found.scheme] else f"{host}:{found.port}"
    return urlunsplit((found.scheme, netloc, parts.path or "/", parts.query, ""))


def is_git_address(url: str) -> bool:
    """True for an address with the form of a repository's: it ends in ``.git``, or names owner and
    repository on a known forge."""
    parts = urlsplit(url)
    segments = [part for part in parts.path.split("/") if part]
    if parts.path.rstrip("/").endswith(".git"):
        return True
    return (parts.hostname or "").lower() in _FORGES and len(segments) == 2 and not parts.query


class Allowed:
    """Rules about which addresses may be contacted. ``exceptions``: private hosts and networks that
    may be, separated by commas or blanks (``wiki.local, 10.1.0.0/16``); link-local, multicast and
    metadata addresses have none."""

    def __init__(self, exceptions: str = "") -> None:
        self._hosts: set[str] = set()
        self._networks: list[Network] = []
        for entry in re.split(r"[,\s]+", exceptions.strip()):
            if entry:
                self._add(entry)

    def _add(self, entry: str) -> None:
        try:
            self._networks.append(ipaddress.ip_network(entry, strict=False))
        except ValueError:
            self._hosts.add(entry.lower().rstrip("."))

    def check_literal(self, url: str) -> None:
        """Raises ``Refused`` for a URL whose server may not be contacted, as far as that can be
        known without asking for its name."""
        place = locate(url)
        with suppress(ValueError):
            ipaddress.ip_address(place.host.partition("%")[0])
            self.check(url, place, place.host)
        if place.host.lower() == "localhost" and "localhost" not in self._hosts:
            raise Refused(url, f"it {_MACHINE}")

    def check(self, url: str, place: Location, address: str) -> None:
        """Raises ``Refused`` unless an address of the URL's server may be contacted."""
        reason = self.refusal(address, listed=place.host.lower() in self._hosts)
        if reason:
            known = "it" if address == place.host else f"{place.host} is {address}, which"
            raise Refused(url, f"{known} {reason}")

    def refusal(self, text: str, listed: bool = False) -> str | None:
        """The reason why an address must not be contacted; None if it may be. ``listed``: the
        settings name its host."""
        try:
            address = ipaddress.ip_address(text.partition("%")[0])
        except ValueError:
            return "is not an address"
        for one in _forms(address):
            reason = _never(one)
            if reason:
                return reason
        if listed or any(_within(_forms(address)[-1], network) for network in self._networks):
            return None
        return next(filter(None, map(_private, _forms(address))), None)


def readable(link: str, allowed: Allowed) -> str | None:
    """The normalized form of a link that may be read, as far as its form shows that; None for any
    other."""
    try:
        url = normalized(link)
        allowed.check_literal(url)
    except Refused:
        return None
    return url


def _within(address: Address, network: Network) -> bool:
    return address.version == network.version and address in network


def _forms(address: Address) -> list[Address]:
    """An address with the IPv4 address inside it, if it has one: mapped, translated (NAT64) or
    tunnelled (6to4)."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    inner: ipaddress.IPv4Address | None = address.ipv4_mapped
    if inner is not None:
        return [inner]
    if address in _NAT64:
        return [ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)]
    if address in _SIX_TO_FOUR:
        # alone: whether such addresses are private themselves depends on the version of Python
        return [ipaddress.IPv4Address((int(address) >> 80) & 0xFFFFFFFF)]
    return [address]


def _never(address: Address) -> str | None:
    """The reason against addresses that no setting allows."""
    if address.is_multicast:
        return "is an address of many machines"
    if address.is_unspecified or int(address) == 0xFFFFFFFF:
        return "is an address of no machine"
    if address.is_link_local or address in _METADATA:
        return "is an address of the local link, or of a cloud's own services"
    return None


def _private(address: Address) -> str | None:
    if address.is_loopback:
        return _MACHINE
    if isinstance(address, ipaddress.IPv6Address):
        tunnel = any(address in network for network in _TUNNELS)
        public = address in _UNICAST and not tunnel and not address.is_private
        isatap = (int(address) >> 32) & 0xFDFFFFFF == 0x5EFE  # then it contains an IPv4 address
        if public and isatap:
            return _private(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    else:
        public = address.is_global and not address.is_reserved
    return None if public else _PRIVATE
