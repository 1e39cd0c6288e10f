"""Downloads of model files by address, resumed where they broke off.

A file is written as ``NAME.part`` and renamed when it is complete and its checksum is right.
``NAME.sha256`` beside it keeps the checksum, as ``sha256sum --check`` reads it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

from msgspec import Struct

from thalamus.errors import ModelFailed, ModelMissing, StoreFull, UsageError
from thalamus.files import flush, move
from thalamus.models.catalogue import HUB
from thalamus.models.gguf import MAGIC
from thalamus.models.transport import client_options, is_loopback, shown

if TYPE_CHECKING:
    import httpx

Report = Callable[[str], None]
Progress = Callable[[int, int | None], None]  # bytes that are there, and in all if that is known

HUB_PLACE = "huggingface.co"  # folder of its files
_HUB_ADDRESS = "https://huggingface.co"  # HF_ENDPOINT names another
_PIECE = 64 * 1024  # bytes; what had not reached this size is lost when a connection breaks
_SECONDS = 60.0  # without a byte, after which a connection counts as broken
_TRIES = 3  # in a row that bring nothing
_AGAIN = "Pull again: what has arrived is kept, and the download goes on from there."
_FILE = "Give the address of the file itself, which ends in .gguf."
_SHA256 = re.compile(r"[0-9a-f]{64}")
_NO_ROOM = {
    errno.EACCES,
    errno.EDQUOT,
    errno.ENOENT,
    errno.ENOSPC,
    errno.ENOTDIR,
    errno.EPERM,
    errno.EROFS,
}


class Address(Struct, frozen=True):
    """Where a model file is, and its place below the folder of the models."""

    spec: str  # as it was typed
    url: str
    place: Path

    @property
    def hub(self) -> bool:
        return self.spec.startswith(HUB)


def is_address(text: str) -> bool:
    """True for ``hf:OWNER/REPO/FILE.gguf`` and for a URL."""
    return text.startswith((HUB, "https://", "http://"))


def address(text: str) -> Address:
    """The address that a text names. Raises ``UsageError`` unless it is one of a GGUF file, over
    HTTPS or on this machine."""
    if text.startswith(HUB):
        parts = text.removeprefix(HUB).split("/")
        form = "hf:OWNER/REPO/FILE.gguf"
        if len(parts) < 3:
            raise UsageError(f"{text} is not {form}.", fix="Copy the three from the model's page.")
        owner, repository, *file = parts
        hub = os.environ.get("HF_ENDPOINT", _HUB_ADDRESS).rstrip("/")
        url = f"{hub}/{owner}/{repository}/resolve/main/{quote('/'.join(file))}"
        place = [HUB_PLACE, *parts]
    else:
        found = urlsplit(text)
        url = text
        place = [found.netloc.rpartition("@")[2].replace(":", "_"), *unquote(found.path).split("/")]
    if not url.startswith("https://") and not is_loopback(url):
        raise UsageError(f"{shown(url)} is not encrypted.", fix="Use its https:// address.")
    if not place[-1].lower().endswith(".gguf"):
        raise UsageError(f"{shown(text)} is not the address of a GGUF file.", fix=_FILE)
    if any(part in (".", "..") or "\\" in part or "\0" in part for part in place):
        raise UsageError(f"{shown(text)} is not a plain path.", fix=_FILE)
    return Address(text, url, Path(*[part for part in place if part]))


def checksum(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def recorded_checksum(path: Path) -> str | None:
    """SHA-256 of a downloaded file, as kept beside it; None for other files."""
    with suppress(OSError):
        found = _SHA256.match(_beside(path, "sha256").read_text())
        return found[0] if found else None
    return None


def download(
    source: Address, target: Path, report: Report, progress: Progress, sha256: str | None = None
) -> None:
    """Downloads a file to ``target``, unless it is there.

    ``sha256``: the checksum that it must have; without it that which the hub states, if any. Raises
    ``ModelMissing`` if it cannot be had, ``ModelFailed`` if it is not the file, ``StoreFull`` if it
    cannot be written.
    """
    from thalamus.locks import exclusive_if_free

    known = recorded_checksum(target) if target.is_file() else None
    if known is not None and sha256 in (None, known):
        report(f"{target.name} exists already, with SHA-256 {known}")
        return
    with room(target.parent):
        target.parent.mkdir(parents=True, exist_ok=True)
    with room(target.parent), exclusive_if_free(_beside(target, "part")) as free:
        if not free:
            fix = "Wait for it, then run this again."
            raise ModelMissing(source.spec, "another process is downloading it", fix=fix)
        stated = _fetch(source, _beside(target, "part"), report, progress)
        found = _verified(source.spec, _beside(target, "part"), sha256 or stated, report)
        _beside(target, "sha256").write_text(f"{found}  {target.name}\n")
        move(_beside(target, "part"), target, sync_folder=True)
        _beside(target, "version").unlink(missing_ok=True)
    report(f"SHA-256 {found}{'' if sha256 or stated else ' (nobody stated one to compare with)'}")


def _beside(path: Path, kind: str) -> Path:
    return path.with_name(f"{path.name}.{kind}")


@contextmanager
def room(folder: Path) -> Iterator[None]:
    """Raises ``StoreFull`` where nothing can be written into a folder."""
    try:
        yield
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        reason = error.strerror or "it cannot be written"
        raise StoreFull(folder, reason, error.errno) from None


def _fetch(source: Address, part: Path, report: Report, progress: Progress) -> str | None:
    """Completes ``part``, over as many connections as it takes, and returns the checksum that the
    hub states."""
    import httpx

    headers = {"User-Agent": "thalamus", "Accept-Encoding": "identity"}
    if source.hub and (token := os.environ.get("HF_TOKEN")):
        headers["Authorization"] = f"Bearer {token}"
    options: dict[str, Any] = client_options(source.url, _SECONDS)
    fruitless = 0
    with httpx.Client(follow_redirects=True, headers=headers, **options) as client:
        while True:
            before = part.stat().st_size
            try:
                return _receive(client, source, part, report, progress)
            except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
                fruitless = 0 if part.stat().st_size > before else fruitless + 1
                if fruitless >= _TRIES:
                    reason = f"no answer from {shown(source.url)} ({error or type(error).__name__})"
                    fix = f"Check the network. {_AGAIN}"
                    raise ModelMissing(source.spec, reason, fix=fix) from None


def _receive(
    client: httpx.Client, source: Address, part: Path, report: Report, progress: Progress
) -> str | None:
    """Receives what ``part`` lacks over one connection."""
    tag, have = _beside(part.with_suffix(""), "version"), part.stat().st_size
    headers = {}
    if have and tag.is_file() and (version := tag.read_text()):
        headers = {"Range": f"bytes={have}-", "If-Range": version}
    with client.stream("GET", source.url, headers=headers) as response:
        if response.status_code == 416:  # nothing is missing
            return _stated(response)
        _check(source, response)
        if response.status_code != 206:
            have = 0
        elif not response.headers.get("content-range", "").startswith(f"bytes {have}-"):
            tag.unlink(missing_ok=True)  # from the beginning next time
            raise _broken(response, "another part was sent")
        left = _length(response)
        total = have + left if left is not None else None
        if left and left > shutil.disk_usage(part.parent).free:
            raise StoreFull(part.parent, f"no room for {left / 1e9:.1f} GB", errno.ENOSPC)
        size = f" ({total / 1e6:,.0f} MB)" if total else ""
        report(f"{'Continuing' if have else 'Downloading'} {shown(source.url)}{size} …")
        with part.open("r+b") as file:
            file.truncate(have)
            file.seek(have)
            tag.write_text(_version(response))
            for piece in response.iter_raw(_PIECE):
                if not have and not piece.startswith(MAGIC):
                    raise ModelFailed(source.spec, "what is sent is not a GGUF file", fix=_FILE)
                file.write(piece)
                have += len(piece)
                progress(have, total)
            flush(file)
        if total is not None and have < total:
            raise _broken(response, "the connection ended early")
        return _stated(response)


def _broken(response: httpx.Response, how: str) -> httpx.HTTPError:
    import httpx

    return httpx.RemoteProtocolError(how, request=response.request)


def _version(response: httpx.Response) -> str:
    """Name of this version of the file, so that a later request can ask for the rest of it."""
    tag: str = response.headers.get("etag", "")
    return tag if tag and not tag.startswith("W/") else response.headers.get("last-modified", "")


def _check(source: Address, response: httpx.Response) -> None:
    """Raises ``ModelMissing`` unless the response is the file."""
    status = response.status_code
    insecure = [r for r in [*response.history, response] if r.url.scheme != "https"]
    if any(not is_loopback(str(r.url)) for r in insecure):
        reason = f"{shown(source.url)} leads to an unencrypted address"
        raise ModelMissing(source.spec, reason, fix="Do not trust what it sends.")
    if status in (200, 206):
        return
    fix = "Check the address."
    if status in (401, 403):
        fix = "Its owner asks for consent: accept it on the model's page, and set HF_TOKEN."
    elif status >= 500 or status == 429:
        fix = f"Try again later. {_AGAIN}"
    raise ModelMissing(source.spec, f"{shown(source.url)} answers {status}", fix=fix)


def _length(response: httpx.Response) -> int | None:
    text = response.headers.get("content-length", "")
    return int(text) if text.isdecimal() else None


def _stated(response: httpx.Response) -> str | None:
    """SHA-256 of a large file on the hub, which the first response states as its tag."""
    for one in [*response.history, response]:
        found = _SHA256.fullmatch(one.headers.get("x-linked-etag", "").strip('"'))
        if found:
            return found[0]
    return None


def _verified(spec: str, part: Path, expected: str | None, report: Report) -> str:
    """SHA-256 of a complete file. Empties it and raises ``ModelFailed`` if another is expected."""
    report("Verifying …")
    found = checksum(part)
    if expected in (None, found):
        return found
    with part.open("r+b") as file:
        file.truncate(0)
    reason = f"its SHA-256 is {found}, not {expected}"
    raise ModelFailed(spec, reason, fix="Nothing was kept. Pull again, or ask who offers it.")
