"""Problems and counts that a reader of a foreign export reports besides the records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.transfer.foreign.versions import ConversationVersion


class Report:
    """Problems of an export, each as a message to ``problem``. ``left_out``: how much was left out
    on purpose, by what it is; ``undated``: records that have no time; ``hints``: what to do with a
    file that has no content of its own; ``versions``: what the export has of whole conversations,
    by session."""

    def __init__(self, problem: Callable[[str], None] = lambda text: None) -> None:
        self.problem = problem
        self.left_out: Counter[str] = Counter()
        self.undated = 0
        self.hints: list[str] = []
        self.versions: dict[str, ConversationVersion] = {}
