"""Makes `thalamus/models/weights/e5_mean.npy`: `python bench/e5_mean.py bench/languages/dev`.

The mean vector of statements in several languages, which `thalamus.models.multilingual` subtracts.
The folder holds JSON lines with a `statement` or a `filler`; each file counts equally.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from thalamus.config import load
from thalamus.models.e5 import E5
from thalamus.models.multilingual import MEAN, NAME, PREFIXES
from thalamus.models.pull import installed


def main(folder: Path) -> None:
    """Embeds the statements and writes their mean."""
    import numpy as np

    path = installed(NAME, load({}).cache_dir)
    if path is None:
        sys.exit(f"thalamus models pull {NAME}")
    model = E5(path)
    means = []
    for file in sorted(folder.glob("*.jsonl")):
        lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
        texts = [text for line in lines if (text := line.get("statement") or line.get("filler"))]
        vectors = np.array([model.embed(PREFIXES["document"], text) for text in texts])
        means.append((vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).mean(axis=0))
        print(f"{file.stem}: {len(texts)} statements")
    np.save(MEAN, np.mean(means, axis=0).astype("<f4"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
