"""README and documentation of a git repository, by a shallow clone into a temporary folder.

The clone runs without the user's configuration, credentials, hooks, submodules and checkout, over
HTTPS only, and connects to the address that was checked. Files are read as blobs.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from msgspec import Struct

from thalamus.errors import WebError
from thalamus.policy.web_addresses import locate, normalized
from thalamus.web.fetch import Fetcher

_DOCUMENTS = {".md", ".markdown", ".mdown", ".mkd", ".rst", ".txt", ".text", ".adoc", ".org", ""}
_FOLDERS = ("doc", "docs", "documentation")
_REFS = "info/refs?service=git-upload-pack"
_HEAD = re.compile(rb"^[0-9a-f]{4}([0-9a-f]{40}|[0-9a-f]{64}) HEAD[\0\n ]", re.MULTILINE)
_VERSION = re.compile(rb"^git version (\d{1,9})\.(\d{1,9})")
OLDEST = (2, 37)  # git that is used
_STEP = 0.05  # seconds between looks at a running clone
_UNKNOWN = "\ufffd"  # for bytes that are not text
LARGEST = 1 << 20  # bytes of one file


class GitFile(Struct, frozen=True):
    """A file of a repository. ``blob``: git's name for its content."""

    path: str
    blob: str
    data: bytes


class GitState(Struct, frozen=True):
    """The address of a repository after redirects, and the commit of its default branch."""

    url: str
    commit: str


def git_is_usable() -> bool:
    """True if there is a git that can be kept to an address that was checked: an older one ignores
    ``http.curloptResolve``."""
    if shutil.which("git") is None:
        return False
    process = subprocess.run(["git", "version"], stdin=subprocess.DEVNULL, capture_output=True)
    found = _VERSION.search(process.stdout)
    return found is not None and (int(found[1]), int(found[2])) >= OLDEST


def look(url: str, fetcher: Fetcher) -> GitState:
    """The current commit of a repository, without cloning it. Raises the errors of
    ``Fetcher.fetch``, and ``WebError`` of kind ``unsupported`` for an address that is not a
    repository's."""
    base = url.rstrip("/")
    reply = fetcher.fetch(f"{base}/{_REFS}")
    found = _HEAD.search(reply.data.replace(b"\n0000", b"\n"))
    if reply.type != "application/x-git-upload-pack-advertisement" or found is None:
        raise WebError(url, "it is not a git repository", kind="unsupported")
    if not reply.url.endswith(f"/{_REFS}"):
        raise WebError(url, "it redirects to something that is not a repository")
    return GitState(_as_connected(reply.url.removesuffix(f"/{_REFS}")), found[1].decode())


def _as_connected(url: str) -> str:
    """A URL with its host in the one form in which git looks for the address that was checked:
    ASCII, without a dot at its end."""
    import httpx

    return normalized(str(httpx.URL(url)))


def documents(
    state: GitState,
    fetcher: Fetcher,
    known: Mapping[str, str | None],
    most: int,
    cancelled: Callable[[], None] = lambda: None,
) -> tuple[list[GitFile], bool]:
    """README and documentation of a repository, as far as they are new or have changed: at most
    ``most`` files, new ones first; and whether these are all. ``known``: paths of files that were
    read before, with their blobs. Raises ``WebError`` and ``Refused``; ``cancelled`` may raise
    too."""
    with tempfile.TemporaryDirectory(prefix="thalamus-git-") as folder:
        repository = Path(folder, "repository")
        _clone(state.url, repository, fetcher, cancelled)
        listed = _git(repository, "ls-tree", "-r", "-l", "-z", "HEAD").decode("utf-8", "replace")
        found = [
            (path, blob)
            for path, blob, size in _blobs(listed)
            if _is_wanted(path) and size <= LARGEST and known.get(path) != blob
        ]
        found.sort(key=lambda one: (one[0] in known, one[0].count("/"), one[0]))
        files = [
            GitFile(path, blob, _git(repository, "cat-file", "blob", blob))
            for path, blob in found[:most]
        ]
        return files, len(found) <= most


def _blobs(listed: str) -> Iterator[tuple[str, str, int]]:
    """Paths, blobs and sizes of regular files in the output of ``git ls-tree -l``: no links, and
    none whose name is not Unicode."""
    for entry in listed.split("\0"):
        about, _, path = entry.partition("\t")
        fields = about.split()
        if path and _UNKNOWN not in path and len(fields) == 4 and fields[0] in ("100644", "100755"):
            yield path, fields[2], int(fields[3])


def _is_wanted(path: str) -> bool:
    found = PurePosixPath(path)
    if found.suffix.lower() not in _DOCUMENTS:
        return False
    if len(found.parts) == 1:
        return found.stem.lower() == "readme"
    return found.parts[0].lower() in _FOLDERS and found.suffix != ""


def _clone(url: str, folder: Path, fetcher: Fetcher, cancelled: Callable[[], None]) -> None:
    """Clones the last commit of the default branch, without a working tree."""
    place = locate(url)
    options = ["protocol.allow=never", "protocol.https.allow=always", "http.followRedirects=false"]
    if fetcher.proxy:
        options.append(f"http.proxy={fetcher.proxy}")
    else:
        address = fetcher.reachable.addresses(url)[0]
        shown = f"[{address}]" if ":" in address else address
        options += ["http.proxy=", f"http.curloptResolve={place.host}:{place.port}:{shown}"]
    command = ["clone", "--depth=1", "--single-branch", "--no-tags", "--bare", "--template=", "-q"]
    command += ["--", url, str(folder)]
    end = time.monotonic() + fetcher.limits.seconds
    with subprocess.Popen(
        ["git", *_settings(options), *command],
        env=_environment(folder.parent),
        cwd=folder.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        try:
            while child.poll() is None:
                cancelled()
                if time.monotonic() > end:
                    seconds = f"{fetcher.limits.seconds:g} seconds"
                    raise WebError(url, f"it took longer than {seconds}", kind="too_slow")
                if _size(folder) > fetcher.limits.size:
                    size = f"{fetcher.limits.size >> 20} MB"
                    raise WebError(url, f"it is larger than {size}", kind="too_large")
                time.sleep(_STEP)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
        if child.returncode != 0:
            problem = child.stderr.read().decode(errors="replace") if child.stderr else ""
            last = problem.strip().rpartition("\n")[2][:200]
            raise WebError(url, f"git could not clone it ({last or child.returncode})")


def _settings(options: list[str]) -> list[str]:
    """Settings of every git command: nothing of a repository is run."""
    fixed = [
        "core.hooksPath=/dev/null",
        "core.fsmonitor=false",
        "core.askPass=true",
        "credential.helper=",
        "fetch.fsckObjects=true",
        "submodule.recurse=false",
        "gc.auto=0",
    ]
    return [part for option in (*fixed, *options) for part in ("-c", option)]


def _environment(home: Path) -> dict[str, str]:
    """The environment of git: without the user's configuration, and without questions."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    if authority := os.environ.get("SSL_CERT_FILE"):
        kept["GIT_SSL_CAINFO"] = authority
    return kept | {
        "HOME": str(home),
        "LC_ALL": "C",
        "GIT_ALLOW_PROTOCOL": "https",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
    }


def _git(repository: Path, *arguments: str) -> bytes:
    """Output of a git command on the clone. Raises ``WebError``."""
    command = ["git", *_settings([]), "-C", str(repository), *arguments]
    try:
        process = subprocess.run(
            command,
            env=_environment(repository.parent),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=30,
            check=True,
        )
    except subprocess.SubprocessError:
        raise WebError(arguments[-1], "git could not read it") from None
    return process.stdout


def _size(folder: Path) -> int:
    """Bytes of the files in a folder, which may change meanwhile."""
    total = 0
    for parent, _, files in os.walk(folder):
        for name in files:
            with suppress(OSError):
                total += Path(parent, name).stat().st_size
    return total
