"""The lines typed in the chats of a tenant, for the arrow keys."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.terminal.fence import unfence

if TYPE_CHECKING:
    from prompt_toolkit.history import FileHistory

    from thalamus.records import Turn


def typed_lines(path: Path, kept: Callable[[], bool]) -> FileHistory:
    """The lines typed earlier, without commands to forget something, which name it, lines in which
    a rule finds something personal, and lines typed while nothing is ``kept``. Creates the file if
    missing, readable by its owner only. Raises ``OSError``."""
    from prompt_toolkit.history import FileHistory

    from thalamus.policy.sensitivity import personal
    from thalamus.store.chat_history import exclusive_access

    class History(FileHistory):
        def store_string(self, string: str) -> None:
            if personal(string) is None:
                with exclusive_access(path):
                    super().store_string(string)

        def append_string(self, string: str) -> None:
            asked = string.strip().startswith("/forget about ")
            if kept() and not asked:
                super().append_string(string)

    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600, exist_ok=True)
    return History(str(path))


def drop_personal(path: Path, turn: Turn) -> None:
    """Drops the message of a turn from the lines typed earlier if something personal was extracted
    from it, or if it asks to forget something, which is only known now."""
    from thalamus.memory.personal import says_personal
    from thalamus.policy.intents import to_forget
    from thalamus.store.chat_history import drop

    if path.exists() and (says_personal(turn) or to_forget(turn)):
        with contextlib.suppress(OSError):
            drop(path, lambda _, text: unfence(text).strip() == turn.message.strip())
