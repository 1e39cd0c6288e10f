"""Tokens for clients that are not the local command line: their identities and rights.

The server's own token is in the environment or a file. Named tokens are kept as digests, next to
the keys and outside of every store, so that no export and no backup contains them.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, structs

from thalamus import files
from thalamus.clock import Clock, days_in, days_later
from thalamus.config import Config
from thalamus.errors import CannotWrite, ConfigError, NothingFound, UsageError
from thalamus.locks import exclusive
from thalamus.logs import logger
from thalamus.records import Event
from thalamus.records.installation import Token, TokenRole

if TYPE_CHECKING:
    from thalamus.api import Thalamus

VARIABLE = "THALAMUS_MCP_TOKEN"
FILE = "mcp-token"
NAMED = "tokens.json"  # the digests of named tokens
LEAST = 16  # characters
LONGEST_NAME = 64
log = logger(__name__)


class Access(Struct, frozen=True):
    """A client that has shown a valid token: the token's name, its role, and whose memory it
    reaches (None: whatever the server is for)."""

    name: str
    role: TokenRole = "full"
    user: str | None = None
    agent: str | None = None


# -- the server's own token ------------------------------------------------------------------------


def bearer_token(config: Config) -> tuple[str, Path | None]:
    """The server's own token and its file, which is created if missing; None if it comes from the
    environment. Raises ``ConfigError`` for a token that protects nothing."""
    token = os.environ.get(VARIABLE, "").strip()
    if token:
        _check(token, VARIABLE, f"`export {VARIABLE}=$(openssl rand -hex 32)` makes one.")
        return token, None
    path = config.config_dir / FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            files.create(path, f"{secrets.token_urlsafe(32)}\n".encode())
        text = _read_private(path, "Remove it, and a new one is created; or")
    except (OSError, UnicodeDecodeError) as error:
        fix = f"Make it readable, or set {VARIABLE}."
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot use {path} for the token: {reason}", fix=fix) from None
    _check(text, str(path), "Remove the file, and a new one is created.")
    return text, path


def _read_private(path: Path, advice: str) -> str:
    """The content of a file. Raises ``ConfigError`` if others can read it, with ``advice`` before
    that to protect it; ``OSError``."""
    mode, text = path.stat().st_mode, path.read_text(encoding="utf-8").strip()
    if mode & 0o077:
        fix = f"{advice} `chmod 600 {path}` if nobody has changed or read it."
        raise ConfigError(f"others can read {path}", fix=fix)
    return text


def _check(token: str, where: str, fix: str) -> None:
    plain = token.isascii() and token.isprintable() and " " not in token
    if len(token) < LEAST or not plain:
        problem = f"the token in {where} must be at least {LEAST} ASCII characters without spaces"
        raise ConfigError(problem, fix=fix)


# -- named tokens ----------------------------------------------------------------------------------


class _Entry(Token, tag="token"):
    """A token with the digest by which it is recognized."""

    digest: str = ""


class NamedTokens:
    """The named tokens of a tenant. The file has those of all tenants; a token that was revoked
    stays listed until its name is used again."""

    def __init__(self, config: Config, clock: Clock) -> None:
        self.path = config.config_dir / NAMED
        self._tenant = config.tenant
        self._clock = clock

    def find(self) -> list[Token]:
        """The tokens in the order of creation, without their digests. Raises ``ConfigError``."""
        return [_public(entry) for entry in self._read() if entry.tenant == self._tenant]

    def create(self, token: Token) -> Token:
        """Creates a token and returns it with its text, which is not kept. Raises ``UsageError`` if
        the name is taken, ``ConfigError`` and ``CannotWrite``."""
        text = f"thalamus_{secrets.token_urlsafe(32)}"
        now = self._clock.stamp()
        with self._locked():
            entries = self._read()
            known = self._named(token.name, entries)
            if known is not None and known.state(now) == "active":
                raise UsageError(
                    f"There is already a token {token.name!r}.",
                    fix=f"Choose another name, or `thalamus token revoke {token.name}` first.",
                )
            entries = [entry for entry in entries if entry is not known]
            new = structs.replace(token, created_at=now, tenant=self._tenant)
            entries.append(_Entry(**structs.asdict(new), digest=_digest(text)))
            self._write(entries)
        return structs.replace(new, token=text)

    def revoke(self, name: str) -> Token:
        """Revokes a token at once, also for a running server. Raises ``NothingFound``,
        ``ConfigError`` and ``CannotWrite``."""
        with self._locked():
            entries = self._read()
            known = self._named(name, entries)
            if known is None:
                fix = "`thalamus token list` lists the tokens."
                raise NothingFound(f"the token {name!r}", fix=fix)
            known.revoked_at = known.revoked_at or self._clock.stamp()
            self._write(entries)
        return _public(known)

    def match(self, text: str) -> Token | None:
        """The token with this text, whether or not it is still valid. Every token is compared, in
        constant time. Raises ``ConfigError``."""
        given, found = _digest(text), None
        for entry in self._read():
            same = hmac.compare_digest(entry.digest, given)
            found = entry if same and entry.tenant == self._tenant else found
        return _public(found) if found is not None else None

    def _named(self, name: str, entries: list[_Entry]) -> _Entry | None:
        of_tenant = (entry for entry in entries if entry.tenant == self._tenant)
        return next((entry for entry in of_tenant if entry.name == name), None)

    def _read(self) -> list[_Entry]:
        try:
            text = _read_private(self.path, "Remove it and create the tokens again; or")
            return msgspec.json.decode(text, type=list[_Entry])
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError, msgspec.DecodeError) as error:
            fix = "Make it readable, or remove it and create the tokens again."
            raise ConfigError(f"cannot read the tokens in {self.path}: {error}", fix=fix) from None

    def _write(self, entries: list[_Entry]) -> None:
        text = msgspec.json.format(msgspec.json.encode(entries), indent=1)
        try:
            with files.replacing(self.path) as out:
                out.write(text + b"\n")
        except OSError as error:
            raise CannotWrite(self.path, error) from None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        lock = self.path.with_name(f"{NAMED}.lock")
        with ExitStack() as stack:
            try:
                lock.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                stack.enter_context(exclusive(lock))
            except OSError as error:
                raise CannotWrite(lock, error) from None
            yield


def _digest(text: str) -> str:
    """The digest of a token, which is too random to be guessed from it."""
    return hashlib.sha256(text.encode()).hexdigest()


def _public(entry: _Entry) -> Token:
    fields: dict[str, Any] = structs.asdict(entry)
    del fields["digest"]
    return Token(**fields)


def check_name(name: str) -> str:
    """The name of a new token. Raises ``UsageError``."""
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(f"A token needs a name of at most {LONGEST_NAME} printable characters.")
    return name.strip()


def log_event(thalamus: Thalamus, name: str, data: dict[str, Any]) -> None:
    """Adds an entry about tokens to the ledger, if there is a store."""
    store = thalamus.open_store()
    if store is None:
        return
    with store.writing() as writer:
        writer.add_event(Event(name=name, at=thalamus.clock.stamp(), data=data))


def expiry(text: str, now: str) -> str:
    """The end of a period such as ``30d``, ``12h``, ``8w`` or ``1y`` from now on. Raises
    ``UsageError``."""
    days = days_in(text.strip(), "hdwy")
    if not days:
        raise UsageError(f"invalid --expires {text!r}", fix="Give a period such as 12h, 30d or 1y.")
    try:
        return days_later(now, days)
    except OverflowError:
        raise UsageError(
            f"invalid --expires {text!r}",
            fix="It is too long. Without --expires a token never expires.",
        ) from None


# -- verification ----------------------------------------------------------------------------------


class Verifier:
    """Verifies the tokens of clients. A wrong, revoked or expired token and one of another user are
    all treated and answered alike."""

    def __init__(self, own: str, config: Config, clock: Clock) -> None:
        self._own = own
        self._named = NamedTokens(config, clock)
        self._user = config.user or None
        self._clock = clock

    def verify(self, text: str) -> tuple[Access | None, str]:
        """The client's access or None, and for the ledger the name and state of its token."""
        own = hmac.compare_digest(text.encode(), self._own.encode())
        try:
            token = self._named.match(text)
        except ConfigError as error:
            log.error("%s", error)
            token = None
        if own:
            return Access("thalamus"), ""
        if token is None:
            return None, "unknown"
        state: str = token.state(self._clock.stamp())
        if state == "active" and self._user is not None and token.user not in (None, self._user):
            state = "of another user"
        access = Access(token.name, token.role, token.user, token.agent)
        return (access if state == "active" else None), f"{token.name}: {state}"
