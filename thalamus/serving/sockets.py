"""Sockets on which running chats offer their events."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.config import Config

LONGEST = 103  # bytes of a socket's path that every system supports
NAME = 20  # bytes of its name
PATIENCE = 0.2  # seconds after which an unresponsive process counts as alive


def place_of(config: Config, *, make: bool = False) -> Path:
    """Socket folder of a tenant: in the state directory, or, if that path is too long, in a private
    folder among temporary files. ``make`` creates it, readable only by this user. Raises
    ``OSError``, also for a folder that belongs to someone else."""
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
    """Restricts a folder to this user. Raises ``OSError`` if it belongs to someone else, who could
    create sockets in it."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user")
    if stat.S_IMODE(found.st_mode) != 0o700:
        folder.chmod(0o700)


def sockets(config: Config) -> list[Path]:
    """Sockets of running chats, and remains of dead ones. Raises ``OSError``."""
    with contextlib.suppress(FileNotFoundError):
        return sorted(place_of(config).glob("*.sock"))
    return []


def is_alive(path: Path) -> bool:
    """True if a process listens on a socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(PATIENCE)
        try:
            probe.connect(str(path))
        except OSError as error:
            return not isinstance(error, (ConnectionRefusedError, FileNotFoundError))
    return True
