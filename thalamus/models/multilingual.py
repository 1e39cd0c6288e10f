"""The embedder for every language: multilingual-e5-small, pulled once and run in this process.

Its vectors of any two texts have a cosine of about 0.8, because a large part of them is the same
for all. That part, the mean of statements in five languages (`bench/e5_mean.py`), is subtracted:
unrelated texts then have a cosine of about 0.1 as with other embedders, and recall rises (Mu and
Viswanath, "All-but-the-Top", 2018; bench/models.md).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.errors import ModelMissing
from thalamus.models.catalogue import find
from thalamus.models.protocol import EmbedKind
from thalamus.models.pull import installed
from thalamus.policy.vector import pack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from thalamus.models.e5 import E5

NAME = "multilingual"  # in the catalogue, and as a spec
DIMENSION = 384
MEAN = Path(__file__).with_name("weights") / "e5_mean.npy"
PREFIXES: dict[EmbedKind, str] = {"query": "query:", "document": "passage:"}


class MultilingualEmbedder:
    """Embeds with the model that ``thalamus models pull multilingual`` fetched. Thread-safe.

    Raises ``ModelMissing`` if it has not been pulled.
    """

    name: str = find(NAME).spec

    def __init__(self, cache_dir: Path) -> None:
        found = installed(NAME, cache_dir)
        if found is None:
            fix = f"Pull it with `thalamus models pull {NAME}`."
            raise ModelMissing(NAME, "it has not been pulled", fix=fix)
        self._path = found
        self._loaded: tuple[E5, NDArray[np.float32]] | None = None
        self._lock = threading.Lock()

    def dimension(self) -> int:
        return DIMENSION

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One unit vector per text. Raises ``ModelMissing`` if the file is damaged."""
        import numpy as np

        if not texts:
            return []
        model, mean = self._load()
        vectors = [model.embed(PREFIXES[kind], text) for text in texts]
        return [pack(vector / np.linalg.norm(vector) - mean) for vector in vectors]

    def _load(self) -> tuple[E5, NDArray[np.float32]]:
        import numpy as np

        from thalamus.models.e5 import E5

        with self._lock:
            if self._loaded is None:
                try:
                    self._loaded = E5(self._path), np.load(MEAN)
                except (ValueError, OSError) as error:
                    fix = f"Delete the file, then `thalamus models pull {NAME}`."
                    raise ModelMissing(NAME, f"{self._path}: {error}", fix=fix) from None
            return self._loaded
