"""The checkout that a directory belongs to: its root, remote and branch, read from the files of git
without starting it."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

MOST = 1 << 20  # bytes of a file of git that are read
_SCP = re.compile(r"(?:[^@/:]+@)?(?P<host>[^/:@]{2,}):(?P<path>.+)")
_REMOTE = re.compile(r'\[remote "(?P<name>[^"]+)"\]')
_URL = re.compile(r"\s*url\s*=\s*(?P<url>\S.*?)\s*")


class Checkout(Struct, frozen=True):
    """A working directory of a repository. ``root``: its top directory; ``remote``: the canonical
    address of ``origin``, or of the only remote; ``branch``: None if a commit is checked out."""

    root: str
    remote: str | None = None
    branch: str | None = None

    @property
    def address(self) -> str:
        """The address by which a project is known: that of the remote, or else the directory."""
        return self.remote or self.root

    @property
    def name(self) -> str:
        """The last part of the address."""
        return name_of(self.address)


def name_of(address: str) -> str:
    """The last part of an address or a path, without ``.git``."""
    parts = [part for part in re.split(r"[/\\]+", address.strip()) if part]
    return (parts[-1] if parts else address).removesuffix(".git")


def checkout_of(directory: str | Path) -> Checkout | None:
    """The checkout around a directory; None outside of one, or if it cannot be read."""
    try:
        folder = Path(directory).expanduser().resolve()
        for parent in (folder, *folder.parents):
            git = parent / ".git"
            if git.exists():
                return _read(parent, git)
    except (OSError, RuntimeError, ValueError):
        return None
    return None


def canonical(url: str) -> str:
    """The address of a repository in one spelling (``https://host/path``), without user and
    password; a path stays as it is.

    ``git@host:path`` and ``ssh://git@host/path`` name the same repository as
    ``https://host/path.git``.
    """
    url = url.strip()
    if "://" in url:
        try:
            parts = urlsplit(url)
        except ValueError:  # a bracket that begins no IPv6 address
            return url
        host, path = parts.hostname or "", parts.path
    elif found := _SCP.fullmatch(url):
        host, path = found["host"], found["path"]
    else:
        host, path = "", url
    if not host:
        return path
    return f"https://{host.lower()}/{path.strip('/').removesuffix('.git')}"


def _read(root: Path, git: Path) -> Checkout:
    """The checkout at ``root``. A worktree and a submodule have a file ``.git`` that leads to a
    directory, and the first has its remotes where ``commondir`` says."""
    if git.is_file():
        pointed = _text(git).partition("gitdir:")[2].strip()
        git = (root / pointed).resolve()
    common = git
    with suppress(OSError):
        common = (git / _text(git / "commondir").strip()).resolve()
    head, config = "", ""
    with suppress(OSError):
        head = _text(git / "HEAD")
    with suppress(OSError):
        config = _text(common / "config")
    branch = head.partition("ref: refs/heads/")[2].strip() or None
    return Checkout(str(root), _remote(config), branch)


def _remote(config: str) -> str | None:
    urls: dict[str, str] = {}
    section = None
    for line in config.splitlines():
        stripped = line.strip()
        if stripped.startswith("["):
            found = _REMOTE.match(stripped)
            section = found["name"] if found else None
        elif section is not None and (match := _URL.fullmatch(line)):
            urls.setdefault(section, match["url"])
    url = urls.get("origin") or (next(iter(urls.values())) if len(urls) == 1 else None)
    return canonical(url) if url else None


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(MOST).decode("utf-8", "replace")
