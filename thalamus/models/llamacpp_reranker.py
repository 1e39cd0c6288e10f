"""Cross-encoders in GGUF files, run by llama.cpp in this process (the extra ``local``).

A cross-encoder reads a question and a text together and gives one score. llama.cpp returns the
output of the last layer: a logit, or a probability if the model was trained to choose between yes
and no.
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

LONGEST = 2000  # characters read of a text: more takes time and rarely changes the score
_CONTEXT = 1024  # tokens for question and text
_QUESTION = 500  # characters read of a question, to leave room for the text
_FIX = "Choose another `reranker`, or none."


class LlamaCppReranker:
    """A cross-encoder in a GGUF file, ``path``. ``threads``: 0 for all cores but one. ``name``: the
    spec, if it is not the path."""

    def __init__(self, path: str | Path, threads: int = 0, name: str | None = None) -> None:
        self.name = name or f"llamacpp:{path}"
        self._path = Path(path).expanduser()
        self._threads = threads
        self._settings: Settings | None = None
        self._probabilities = False

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Score of each text from 0 to 1. Texts are scored one at a time, since the rounding of a
        score would depend on its neighbours. Raises ``ModelMissing`` or ``ModelFailed``."""
        settings = self._load_settings()
        shortened = question[: min(_QUESTION, settings.context // 2)]
        return [
            self._scaled(
                cut_to_fit(
                    self.name, text[:LONGEST], lambda text: self._call(settings, shortened, text)
                )
            )
            for text in texts
        ]

    def _load_settings(self) -> Settings:
        if self._settings is None:
            header = inspect(self.name, self._path)
            # Qwen3 chooses between yes and no, and llama.cpp returns the probability
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
