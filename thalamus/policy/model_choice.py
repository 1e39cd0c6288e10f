"""Which of the models on a machine to recommend for a first conversation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thalamus.policy.model_size import ROUTES, billions
from thalamus.records import Model

BRISK = 9.0  # billions of parameters from which most machines answer slowly
SHARE = 0.6  # of the machine's memory that a model may take
# what the names of models say that do not chat
_OTHER = re.compile(r"embed|rerank|mmproj|whisper|[-_:.]base\b|\bclip\b|bge-|minilm", re.I)


def chats(name: str) -> bool:
    """Whether a model can chat, as far as its name says."""
    return _OTHER.search(name) is None


def recommended(models: Sequence[Model], memory: int | None) -> Model | None:
    """The model to begin with: of those with a billion parameters or more the largest that is brisk
    and fits into the machine's ``memory`` (bytes; None: unknown), else the smallest of them; else
    the largest that there is. Of two that are equally large the one that is named first."""
    found = [(model, _size(model)) for model in models if chats(model.name)]
    able = [(model, size) for model, size in found if size >= ROUTES]
    fitting = [pair for pair in able if pair[1] <= BRISK and _fits(pair[0], memory)]
    if fitting:
        return max(fitting, key=lambda pair: pair[1])[0]
    if able:
        return min(able, key=lambda pair: pair[1])[0]
    return max(found, key=lambda pair: pair[1])[0] if found else None


def _size(model: Model) -> float:
    """Billions of parameters, by the name; else by the file, of which four bits a parameter are
    usual."""
    named = billions(model.name)
    return named if named is not None else (model.size or 0) / 0.6e9


def _fits(model: Model, memory: int | None) -> bool:
    return memory is None or model.size is None or model.size <= SHARE * memory
