"""Cross-encoders in GGUF files, run by llama.cpp in this process (the extra ``local``).

A cross-encoder reads a question and a text together and gives one score. llama.cpp hands on what
the model's last layer says: a number on an open scale, or a probability where the model was made
to choose between yes and no.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from thalamus.errors import ModelFailed
from thalamus.models.embedding import cut_to_fit
from thalamus.models.llamacpp_server import (
    Settings,
    error_words,
    inspect,
    load,
    pieces,
)

LONGEST = 2000  # characters of a text that are read: more takes time and rarely changes the score
_CONTEXT = 1024  # tokens for question and text
_QUESTION = 500  # characters of a question that are read, so that the text has room next to it
_FIX = "Choose another `reranker`, or none."


class LlamaCppReranker:
    """A cross-encoder in a GGUF file: ``path``. ``threads``: 0 for the cores less one. ``name`` is
    the spec that it is known by, where that is not its path."""

    def __init__(self, path: str | Path, threads: int = 0, name: str | None = None) -> None:
        self.name = name or f"llamacpp:{path}"
        self._path = Path(path).expanduser()
        self._threads = threads
        self._settings: Settings | None = None
        self._probabilities = False

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """The score of each text in 0..1. They go one at a time: the rounding of a score would
        depend on its neighbours. Raises ``ModelMissing`` or ``ModelFailed``."""
        settings = self._loaded_as()
        asked = question[: min(_QUESTION, settings.context // 2)]
        return [
            self._scaled(
                cut_to_fit(
                    self.name, text[:LONGEST], lambda text: self._call(settings, asked, text)
                )
            )
            for text in texts
        ]

    def _loaded_as(self) -> Settings:
        if self._settings is None:
            header = inspect(self.name, self._path)
            # Qwen3 chooses between yes and no, and llama.cpp makes a probability of that
            self._probabilities = header.architecture.startswith("qwen3")
            context = min(_CONTEXT, header.context or _CONTEXT)
            path = str(self._path.resolve())
            self._settings = Settings(path, context, self._threads, True, ranking=True)
        return self._settings

    def _call(self, settings: Settings, question: str, text: str) -> float:
        def task(emit: Any) -> None:
            body = {"query": question, "documents": [text]}
            emit(load(self.name, settings).handle_rerank(body))

        try:
            with closing(pieces(task)) as answers:
                answer = next(answers)
            if "error" in answer:
                raise ModelFailed(self.name, error_words(answer["error"]), fix=_FIX)
            return float(answer["results"][0]["relevance_score"])
        except (ValueError, RuntimeError, KeyError, TypeError, IndexError) as error:
            raise ModelFailed(self.name, error_words(error), fix=_FIX) from None

    def _scaled(self, score: float) -> float:
        if not math.isfinite(score):
            raise ModelFailed(self.name, f"its score is {score}", fix=_FIX)
        if self._probabilities:
            return min(1.0, max(0.0, score))
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, score))))
