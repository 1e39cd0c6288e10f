"""Where a store key is kept: a file, the system's keyring, or nowhere."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from thalamus.errors import BadKey

if TYPE_CHECKING:
    from thalamus.config import Config

SERVICE = "thalamus"  # the name under which the keyring has our keys
PUT_BACK = (
    "Put a copy of it back; or move it away and sign the store with a new key:"
    " `thalamus key adopt`."
)


class Place(Protocol):
    """Where it is kept."""

    name: str

    def read(self) -> str | None: ...

    def write(self, text: str) -> None: ...

    def locked(self) -> Any: ...

    def stamp(self) -> object:
        """What is another value after a change."""
        ...


class FilePlace:
    """A file that only its owner may read, replaced in one step."""

    def __init__(self, config: Config) -> None:
        given = Path(config.key_file).expanduser() if config.key_file else None
        self.path = given or config.config_dir / "keys" / f"{config.tenant}.key"
        self.name = str(self.path)

    def read(self) -> str | None:
        try:
            return self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise BadKey(f"{self.path} cannot be read ({error})", fix=PUT_BACK) from None

    def write(self, text: str) -> None:
        part = self.path.with_name(f"{self.path.name}.part")  # one name: under the lock
        with self._told():
            descriptor = os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(f"{text}\n")
                file.flush()
                os.fsync(file.fileno())
            part.replace(self.path)
            folder = os.open(self.path.parent, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)

    @contextmanager
    def locked(self) -> Iterator[None]:
        import fcntl

        with self._told():
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = self.path.with_name(f"{self.path.name}.lock").open("a")
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def stamp(self) -> object:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise BadKey(
                f"{self.path} cannot be written ({error.strerror})",
                fix="Set `key_file` to a place where the key may lie.",
            ) from None


class NoPlace:
    """Where no key is wanted: nothing is signed or sealed."""

    name = "nowhere (`key_store: none`)"

    def __init__(self, config: Config) -> None:
        pass

    def read(self) -> str | None:
        return None

    def write(self, text: str) -> None:
        raise BadKey("`key_store` is none", fix="Set it to file or keyring.")

    def locked(self) -> Any:
        return nullcontext()

    def stamp(self) -> object:
        return None


class KeyringPlace:
    """The system's keyring, through the package ``keyring``."""

    def __init__(self, config: Config) -> None:
        self._tenant = config.tenant
        self._lock = config.state_dir / "keys.lock"
        self.name = f"the system's keyring ({SERVICE}, {config.tenant})"

    def read(self) -> str | None:
        found = self._ask(lambda keyring: keyring.get_password(SERVICE, self._tenant))
        return None if found is None else str(found)

    def write(self, text: str) -> None:
        self._ask(lambda keyring: keyring.set_password(SERVICE, self._tenant, text))

    @contextmanager
    def locked(self) -> Iterator[None]:
        import fcntl

        self._lock.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._lock.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def stamp(self) -> object:
        return int(time.monotonic())  # a keyring says nothing: it is asked anew each second

    def _ask(self, question: Any) -> Any:
        try:
            import keyring  # optional
        except ImportError:
            raise BadKey(
                "the package keyring is not installed",
                fix="pip install 'thalamus-memory[keyring]', or set `key_store: file`.",
            ) from None
        try:
            return question(keyring)
        except Exception as error:  # every backend has errors of its own
            raise BadKey(f"{self.name} does not answer ({error})") from None
