"""Reader for the header of a GGUF file, which describes the model without loading it.

Layout (little-endian): magic ``GGUF``, version u32, number of tensors u64, number of entries u64,
then the entries: key, type u32, value. Texts are a length u64 and UTF-8 bytes.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct

from thalamus.policy.window_budget import cache_bytes

MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_LONGEST = 64 * 1024 * 1024  # bytes of a text or an array of texts; templates are much smaller
_SHORT = 1024  # numbers of an array that is read: one for each layer
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?"} | {
    10: "Q",
    11: "q",
    12: "d",
}
_TEXT, _ARRAY = 8, 9
POOLING_NONE, POOLING_RANK = 0, 4  # llama.cpp's numbers; those in between are for embeddings


class Header(Struct, frozen=True):
    """Description of a model. ``context``: the longest context it was trained for, in tokens, or
    None. ``size``: its parameters ("1.5B"), or empty. ``pooling``: how it reduces a whole text to
    one result (``POOLING_RANK``: a score); None for a generative model. ``cache``: bytes of memory
    for each token of a window, or None."""

    architecture: str
    context: int | None
    size: str = ""
    pooling: int | None = None
    cache: int | None = None


def is_gguf(path: Path) -> bool:
    """True if the file starts like a GGUF file. Raises ``OSError`` if it cannot be read."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def read_header(path: Path) -> Header:
    """Reads the entries before the vocabulary, which is long and comes after everything needed.

    Raises ``ValueError`` if the header is invalid and ``OSError`` if the file cannot be read.
    """
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise ValueError("not a GGUF file")
        version, _, entries = _unpack(file, "<IQQ")
        if version not in _VERSIONS:
            raise ValueError(f"GGUF version {version} is not supported")
        found: dict[str, Any] = {}
        for _ in range(entries):
            key = _text(file)
            if key.startswith("tokenizer.") and _context(found) is not None:
                break
            found[key] = _value(file, _unpack(file, "<I")[0])
    pooling = found.get(f"{found.get('general.architecture')}.pooling_type")
    return Header(
        architecture=str(found.get("general.architecture", "")),
        context=_context(found),
        size=str(found.get("general.size_label", "")),
        pooling=None if pooling is None else int(pooling),
        cache=cache_bytes(found),
    )


def read_chat_template(path: Path) -> str:
    """The chat template of the model; empty if the file has none.

    It comes after the vocabulary, which takes a moment to skip. Raises the errors of
    ``read_header``.
    """
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise ValueError("not a GGUF file")
        _, _, entries = _unpack(file, "<IQQ")
        for _ in range(entries):
            key, kind = _text(file), _unpack(file, "<I")[0]
            value = _value(file, kind)
            if key == "tokenizer.chat_template" and kind == _TEXT:
                return str(value)
    return ""


def _context(found: dict[str, Any]) -> int | None:
    length = found.get(f"{found.get('general.architecture')}.context_length")
    return None if length is None else int(length)


def _value(file: BinaryIO, kind: int) -> Any:
    if kind in _SCALARS:
        return _unpack(file, "<" + _SCALARS[kind])[0]
    if kind == _TEXT:
        return _text(file)
    if kind != _ARRAY:
        raise ValueError(f"unknown value type {kind}")
    item, count = _unpack(file, "<IQ")
    if item in _SCALARS and count <= _SHORT:
        return _unpack(file, f"<{count}{_SCALARS[item]}")
    if item in _SCALARS:
        file.seek(struct.calcsize("<" + _SCALARS[item]) * count, 1)
    elif item == _TEXT and count <= _LONGEST:
        for _ in range(count):
            _text(file)
    else:
        raise ValueError("an array in the header is damaged")
    return None


def _text(file: BinaryIO) -> str:
    (length,) = _unpack(file, "<Q")
    if length > _LONGEST:
        raise ValueError("a string in the header is damaged")
    return _exactly(file, length).decode("utf-8", "replace")


def _unpack(file: BinaryIO, layout: str) -> tuple[Any, ...]:
    return struct.unpack(layout, _exactly(file, struct.calcsize(layout)))


def _exactly(file: BinaryIO, count: int) -> bytes:
    data = file.read(count)
    if len(data) != count:
        raise ValueError("the file ends within its header")
    return data
