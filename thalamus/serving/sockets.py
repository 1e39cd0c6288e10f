"""Where the sockets are on which running chats offer their events."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.config import Config

LONGEST = 103  # bytes of a socket's path that every system takes
NAME = 20  # bytes that its name takes of them
PATIENCE = 0.2  # seconds after which a process that does not answer is taken to be alive


def place_of(config: Config, *, make: bool = False) -> Path:
    """The folder of the sockets of a tenant: in the state directory, or, where that has too long a
    path, in one of this user's own among temporary files. With ``make`` it is made, for nobody else
    to read. Raises ``OSError``, also for a folder that belongs to somebody else."""
    folder = config.state_dir / "chats" / config.tenant
    own = folder
    if len(os.fsencode(folder)) + NAME > LONGEST:
        import hashlib
        import tempfile

        name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
        own = Path(tempfile.gettempdir()) / f"thalamus-{os.getuid()}"
        folder = own / name
    if make:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for one in (own, folder):
        if one.exists():
            _check(one)
    return folder


def _check(folder: Path) -> None:
    """Sees to it that only this user gets into a folder. Raises ``OSError`` where another one made
    it, who could put sockets of his there."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else")
    if stat.S_IMODE(found.st_mode) != 0o700:
        folder.chmod(0o700)


def sockets(config: Config) -> list[Path]:
    """The sockets of running chats, and those that dead ones left. Raises ``OSError``."""
    with contextlib.suppress(FileNotFoundError):
        return sorted(place_of(config).glob("*.sock"))
    return []


def is_alive(path: Path) -> bool:
    """Whether somebody listens at a socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(PATIENCE)
        try:
            probe.connect(str(path))
        except OSError as error:
            return not isinstance(error, (ConnectionRefusedError, FileNotFoundError))
    return True
