"""The interface of a chat for its commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records import Session


class Leave(Exception):
    """Raised when the user wants to leave."""


class Chat(Protocol):
    """The chat that a command runs in. ``last_message`` and ``last_answer`` are of this process."""

    thalamus: Thalamus
    debug: bool
    last_message: str
    last_answer: str

    def say(self, message: str) -> None: ...

    def sure(self, question: str, command: str) -> bool: ...

    def show(self, text: str) -> None: ...

    def use_model(self, spec: str) -> str: ...

    def use_memory(self, on: bool) -> None: ...

    def abandon(self, turn: str) -> None: ...

    def edited(self, text: str) -> str: ...

    def copy(self, text: str) -> None: ...

    def can_pick(self) -> bool: ...

    def pick_session(self, sessions: Sequence[Session]) -> Session | None: ...
