"""What an index folder holds, written last and atomically: the one thing a reader believes.

A manifest names the store and its epoch (raised by ``restore``), how far the index has come, and
size, time and CRC-32 of each file. Before native code reads a file, its size and modification time
are compared; when they differ from the manifest the checksum decides. ``verify`` always computes
the checksums.
"""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path

NAME = "manifest.json"
FORMAT = 1


@dataclass
class Manifest:
    """``watermark``: the last row that is in the index; ``removals``: the last removal."""

    store: str
    epoch: int
    watermark: int = 0
    removals: int = 0
    entries: int = 0
    format: int = FORMAT
    # name -> [bytes covered, modification time in ns, CRC-32 of these bytes]
    files: dict[str, list[int]] = field(default_factory=dict)


def load(folder: Path) -> Manifest | None:
    """The manifest of an index folder; None when there is none that can be used."""
    try:
        manifest = Manifest(**json.loads((folder / NAME).read_text()))
        numbers = (manifest.watermark, manifest.removals, manifest.entries, manifest.epoch)
        entries_ok = all(len(entry) == 3 for entry in manifest.files.values())
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    if manifest.format != FORMAT or not all(isinstance(n, int) for n in numbers):
        return None
    return manifest if entries_ok else None


def save(folder: Path, manifest: Manifest) -> None:
    """Replaces the manifest in one step."""
    temporary = folder / f"{NAME}.{os.getpid()}.tmp"
    temporary.write_text(json.dumps(asdict(manifest)))
    temporary.replace(folder / NAME)


def intact(folder: Path, manifest: Manifest, thorough: bool = False) -> bool:
    """Whether every file is what the manifest says; bytes beyond those covered do not count."""
    for name, (size, changed, crc) in manifest.files.items():
        try:
            status = (folder / name).stat()
        except OSError:
            return False
        if status.st_size < size:
            return False
        same = status.st_size == size and status.st_mtime_ns == changed
        if (thorough or not same) and checksum(folder / name, size) != crc:
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
