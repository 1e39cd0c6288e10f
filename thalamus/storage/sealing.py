"""What a store and a unit of work tell of encrypted content."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from thalamus.records import Fact, Memory, Record, Turn

HIDDEN = "(sealed)"  # what is shown of a content whose key is not here


def is_hidden(record: Record) -> bool:
    """Whether it is sealed and was not opened."""
    said = {Memory: "content", Fact: "object", Turn: "message"}.get(type(record))
    return said is not None and getattr(record, said) == HIDDEN


class KnowsSealed(Protocol):
    """Part of ``Store`` and of ``Writer``."""

    def sealed(self, ids: Iterable[str]) -> set[str]:
        """Of these ids those whose content is encrypted."""
        ...
