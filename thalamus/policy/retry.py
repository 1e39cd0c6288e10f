"""Repetition of calls to a model that is busy for a while."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from thalamus.errors import ModelBusy
from thalamus.text.lazy_regex import lazy_regex

LONGEST = 60.0  # seconds to wait for at once
_DELAYS = (2.0, 5.0)  # before the second and the third call, if the server names no time
_LOADING_DELAYS = (5.0, 25.0)
_LOADING = lazy_regex(r"\bload(?:ing|ed)?\b|starting|warming up|not ready", re.IGNORECASE)

T = TypeVar("T")


def ask_patiently(call: Callable[[], T], wait: Callable[[float, ModelBusy], None]) -> T:
    """Result of ``call``, repeated up to twice, after ``wait``, while the model is busy. Raises the
    errors of both, and ``ModelBusy`` at once for a wait of more than ``LONGEST`` seconds."""
    for attempt in range(len(_DELAYS)):
        try:
            return call()
        except ModelBusy as busy:
            delays = _LOADING_DELAYS if _LOADING.search(busy.message) else _DELAYS
            seconds = delays[attempt] if busy.wait is None else busy.wait
            if seconds > LONGEST:
                raise
            wait(seconds, busy)
    return call()
