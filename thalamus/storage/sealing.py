"""What a store and a unit of work tell of encrypted content."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

HIDDEN = "(sealed)"  # what is shown of a content whose key is not here


class KnowsSealed(Protocol):
    """Part of ``Store`` and of ``Writer``."""

    def sealed(self, ids: Iterable[str]) -> set[str]:
        """Of these ids those whose content is encrypted."""
        ...
