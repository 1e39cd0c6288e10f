"""A tiny model in the format of multilingual-e5-small, with random weights."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

SIZE, LAYERS, HEADS, INNER, LONGEST = 32, 2, 2, 64, 512
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", *"abcdefghijklmnopqrstuvwxyz:日本", "▁the", "▁sea"]


def write(path: Path) -> dict[str, np.ndarray]:
    """Writes the file; returns the tensors as they are stored, quantized ones as numbers."""
    random = np.random.default_rng(5)
    shapes = {"emb.word": (len(PIECES), SIZE), "emb.pos": (LONGEST, SIZE), "emb.type": (2, SIZE)}
    shapes |= {"emb.ln.w": (SIZE,), "emb.ln.b": (SIZE,)}
    for layer in range(LAYERS):
        for name, rows, columns in [
            *((name, SIZE, SIZE) for name in ("q", "k", "v", "ao")),
            ("fi", INNER, SIZE),
            ("fo", SIZE, INNER),
        ]:
            shapes |= {f"l{layer}.{name}.w": (rows, columns), f"l{layer}.{name}.b": (rows,)}
        for name in ("aln", "oln"):
            shapes |= {f"l{layer}.{name}.w": (SIZE,), f"l{layer}.{name}.b": (SIZE,)}
    tensors = {
        name: random.normal(0, 0.3, shape).astype("<f4") + ("ln.w" in name)
        for name, shape in shapes.items()
    }
    data = _head()
    directory, body = struct.pack("<i", len(tensors)), b""
    begin = len(data) + len(directory) + sum(2 + len(name) + 21 for name in tensors)
    for name, values in tensors.items():
        quantized = name == "emb.word" or (values.ndim == 2 and name.startswith("l"))
        packed = values.tobytes()
        if quantized:
            packed, tensors[name] = _quantize(values)
        place = begin + len(body)
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", quantized, values.size, place, len(packed))
        body += packed
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data + directory + body)
    return tensors


def _head() -> bytes:
    data = b"E5S1" + struct.pack("<I", 1)
    data += struct.pack("<7if", SIZE, LAYERS, HEADS, INNER, len(PIECES), LONGEST, 2, 1e-12)
    data += struct.pack("<i", 32)
    pieces = [piece.encode() for piece in PIECES]
    scores = [0.0] * 4 + [-8.0] * (len(pieces) - 6) + [-4.0, -5.0]
    offsets = np.cumsum([0, *map(len, pieces)])
    text = b"".join(pieces)
    data += struct.pack("<5iQ", len(pieces), 0, 2, 1, 3, len(text))
    data += struct.pack(f"<{len(offsets)}I", *offsets) + struct.pack(f"<{len(scores)}f", *scores)
    return data + text + struct.pack("<iI", 0, 0)


def _quantize(values: np.ndarray) -> tuple[bytes, np.ndarray]:
    blocks = values.reshape(-1, 32)
    scales = (np.abs(blocks).max(axis=1) / 7).astype("<f2")
    wide = scales.astype("<f4")[:, None]
    numbers = np.clip(np.rint(blocks / wide), -8, 7)
    halves = (numbers + 8).astype("u1")
    rows = np.concatenate(
        (scales[:, None].view("u1"), halves[:, :16] | halves[:, 16:] << 4), axis=1
    )
    return rows.tobytes(), (numbers * wide).reshape(values.shape)
