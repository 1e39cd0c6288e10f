"""The embedder for every language: multilingual-e5-small, pulled once and run in this process."""

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
    from thalamus.models.e5 import E5

NAME = "multilingual"  # in the catalogue, and as a spec
DIMENSION = 384
_PREFIXES: dict[EmbedKind, str] = {"query": "query:", "document": "passage:"}


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
        self._model: E5 | None = None
        self._lock = threading.Lock()

    def dimension(self) -> int:
        return DIMENSION

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One unit vector per text. Raises ``ModelMissing`` if the file is damaged."""
        model = self._load() if texts else None
        return [pack(model.embed(_PREFIXES[kind], text)) for text in texts] if model else []

    def _load(self) -> E5:
        from thalamus.models.e5 import E5

        with self._lock:
            if self._model is None:
                try:
                    self._model = E5(self._path)
                except (ValueError, OSError) as error:
                    fix = f"Delete the file, then `thalamus models pull {NAME}`."
                    raise ModelMissing(NAME, f"{self._path}: {error}", fix=fix) from None
            return self._model
