"""Data that comes with the package: words, names and statements of many languages."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent


def read(name: str) -> bytes:
    """Content of a file of this folder."""
    return (_FOLDER / name).read_bytes()
