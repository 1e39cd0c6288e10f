"""Manifest of an index folder, written last and atomically: readers trust nothing else.

A manifest names the store and its epoch (incremented by ``restore``), the progress of the index,
and size, time and CRC-32 of each file. Before native code reads a file, its size and the time of
its last change are compared; when they differ from the manifest the checksum decides. The time is
the inode's (ctime), which no program can set back. For small indexes, and with
``intact(thorough=True)``, the checksums are always computed: a disk may lose a bit without a trace.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Any

from msgspec import Struct, json

from thalamus import files

NAME = "manifest"
FORMAT = 4
SMALL = 8 << 20  # bytes; their checksums take a few milliseconds


class IndexManifest(Struct, forbid_unknown_fields=True):
    """``watermark``: the last indexed row; ``removals``: the last removal; ``anchor``: number and
    hash of the last ledger entry at that time, which identifies a database file that was replaced
    by hand."""

    store: str
    epoch: int
    watermark: int = 0
    removals: int = 0
    entries: int = 0
    anchor: list[Any] = []
    format: int = FORMAT
    # name -> [bytes, time of the last change in ns, CRC-32 of these bytes]
    files: dict[str, list[int]] = {}
    about: dict[str, Any] = {}  # data of one kind of index


def load(folder: Path) -> IndexManifest | None:
    """Reads the manifest of an index folder; None without a usable one."""
    try:
        check, _, data = (folder / NAME).read_bytes().partition(b" ")
        if int(check, 16) != zlib.crc32(data):
            return None
        manifest = json.decode(data, type=IndexManifest)
    except (OSError, ValueError):
        return None
    return manifest if manifest.format == FORMAT else None


def save(folder: Path, manifest: IndexManifest) -> None:
    """Replaces the manifest in one step. It begins with its own checksum."""
    data = json.encode(manifest)
    temporary = folder / f"{NAME}.{os.getpid()}.tmp"
    # no sync: an index damaged by a power cut is rebuilt
    with files.replacing(folder / NAME, sync=False, part=temporary) as file:
        file.write(b"%08x %s" % (zlib.crc32(data), data))


def stamp(folder: Path) -> tuple[int, int] | None:
    """Identity of the manifest in a folder: every new one is a new file; None when it is
    missing."""
    try:
        status = os.stat(f"{folder}/{NAME}")  # noqa: PTH116 - asked for at every step of a search
    except OSError:
        return None
    return status.st_ino, status.st_ctime_ns


def file_entry(path: Path, size: int, crc: int) -> list[int]:
    """Manifest entry of a file: its first ``size`` bytes with this checksum, in its current
    state."""
    return [size, path.stat().st_ctime_ns, crc]


def readable(folder: Path, manifest: IndexManifest) -> bool:
    """True when native code may read the files: ``intact``, thoroughly while that is cheap."""
    size = sum(entry[0] for entry in manifest.files.values())
    return intact(folder, manifest, thorough=size < SMALL)


def intact(folder: Path, manifest: IndexManifest, thorough: bool = False) -> bool:
    """True when every file matches the manifest; bytes beyond its size are ignored."""
    for name, (size, changed, crc) in manifest.files.items():
        path = folder / name
        try:
            status = path.stat()
            same = status.st_size == size and status.st_ctime_ns == changed
            if status.st_size < size:
                return False
            if (thorough or not same) and checksum(path, size) != crc:
                return False
        except OSError:  # another process is rebuilding the index
            return False
    return True


def checksum(path: Path, size: int) -> int:
    """CRC-32 of the first ``size`` bytes."""
    crc = 0
    with path.open("rb") as file:
        while size > 0 and (block := file.read(min(size, 1 << 20))):
            crc = zlib.crc32(block, crc)
            size -= len(block)
    return crc
