"""Size of a model, from its label or its name, and the model to recommend for a machine."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thalamus.records.installation import Model
from thalamus.text.lazy_regex import lazy_regex

SMALL = 4.0  # billions of parameters from which a model keeps to the point in a long prompt
# billions from which a model can route messages: one with 0.5 gets 10 of 24 right, one with 1.5
# gets 23
ROUTES = 1.0
_LABEL = lazy_regex(r"(?<![a-z0-9.])(?:(\d+)x)?(\d+(?:\.\d+)?)\s?([bm])(?![a-z0-9])", re.I)


def billions(*labels: str) -> float | None:
    """Parameters in billions, by the first label that states them; None if none does."""
    for label in labels:
        found = _LABEL.search(label)
        if found:
            count = float(found[2]) * int(found[1] or 1)
            return count / 1000 if found[3].lower() == "m" else count
    return None


def is_small(*labels: str) -> bool | None:
    """True if a model with these labels is small; None if they do not say."""
    size = billions(*labels)
    return None if size is None else size < SMALL


LARGEST_FAST = 9.0  # billions of parameters above which most machines answer slowly
SHARE = 0.6  # share of the machine's memory that a model may take
# parts of names of models that cannot chat
_OTHER = lazy_regex(r"embed|rerank|mmproj|whisper|[-_:.]base\b|\bclip\b|bge-|minilm", re.I)


def chats(name: str) -> bool:
    """True if a model can chat, judging by its name."""
    return _OTHER.search(name) is None


def recommended(models: Sequence[Model], memory: int | None) -> Model | None:
    """The recommended model: among those with at least a billion parameters, the largest that is
    fast enough and fits into ``memory`` (bytes; None if unknown), else the smallest of them;
    without any, the largest model. Among equals the first counts."""
    found = [(model, _size(model)) for model in models if chats(model.name)]
    able = [(model, size) for model, size in found if size >= ROUTES]
    fitting = [pair for pair in able if pair[1] <= LARGEST_FAST and fits(pair[0], memory)]
    if fitting:
        return max(fitting, key=lambda pair: pair[1])[0]
    if able:
        return min(able, key=lambda pair: pair[1])[0]
    return max(found, key=lambda pair: pair[1])[0] if found else None


def remembers_well(model: Model) -> bool:
    """True if a model is large enough to note what changes, and what that replaces."""
    return chats(model.name) and _size(model) >= SMALL


def fits(model: Model, memory: int | None) -> bool:
    """True if a model leaves room in the machine's memory, or that is not known."""
    return memory is None or model.size is None or model.size <= SHARE * memory


def _size(model: Model) -> float:
    """Billions of parameters, by the model's name, or else by its file size at the usual four bits
    per parameter."""
    named = billions(model.name)
    return named if named is not None else (model.size or 0) / 0.6e9
