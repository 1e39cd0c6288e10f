"""The lines typed in the chats of a tenant, which the arrow keys bring back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.terminal.fence import unfence

if TYPE_CHECKING:
    from prompt_toolkit.history import FileHistory


def typed_lines(path: Path, kept: Callable[[], bool]) -> FileHistory:
    """The lines typed before, except those that ask to forget something, since they name it, and
    those typed while nothing is to be ``kept``. The file is made when it is missing, readable by
    its owner alone. Raises ``OSError``."""
    from prompt_toolkit.history import FileHistory

    from thalamus.policy.intents import to_forget
    from thalamus.storage.chat_history import exclusive_access

    class History(FileHistory):
        def store_string(self, string: str) -> None:
            with exclusive_access(path):
                super().store_string(string)

        def append_string(self, string: str) -> None:
            asked = string.strip().startswith("/forget about ")
            if kept() and not asked and to_forget(unfence(string)) is None:
                super().append_string(string)

    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600, exist_ok=True)
    return History(str(path))
