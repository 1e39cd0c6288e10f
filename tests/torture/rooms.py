"""Folders that are read-only or small, and gone when the process that uses them ends.

The mounts are made in a mount namespace of their own (``unshare``), so that nothing outside sees
them and nothing is left of them however a test ends. Without root a user namespace does the same.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path

_UNSHARE = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--map-root-user", "--mount"]
NOBODY = 65534


@functools.cache
def can_mount() -> bool:
    """Whether this machine lets us make mounts of our own."""
    if shutil.which("unshare") is None or shutil.which("mount") is None:
        return False
    command = [*_UNSHARE, "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", "/mnt"]
    return subprocess.run(command, capture_output=True).returncode == 0


def read_only(folder: Path, command: list[str]) -> list[str]:
    """The command line that runs ``command`` where nothing in ``folder`` can be written."""
    script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    return [*_UNSHARE, "sh", "-c", script, str(folder), *command]


def small(folder: Path, size: str, command: list[str]) -> list[str]:
    """The command line that runs ``command`` where ``folder`` is an empty disk of ``size``."""
    script = 'mount -t tmpfs -o size="$1" tmpfs "$0" && shift && exec "$@"'
    return [*_UNSHARE, "sh", "-c", script, str(folder), size, *command]


def unprivileged(command: list[str]) -> list[str]:
    """The command line that runs ``command`` as somebody who obeys the bits of ``chmod``."""
    if os.getuid() != 0:
        return command
    return [
        *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
        *command,
    ]
