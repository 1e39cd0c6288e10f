"""A text in the user's editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from thalamus.errors import UsageError


def edited(text: str, name: str = "memory.txt") -> str:
    """The text as it is when $VISUAL or $EDITOR (else vi) ends; ``name`` is that of its file, by
    which an editor may know what it is. Raises ``UsageError``."""
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="thalamus-") as folder:
        path = Path(folder) / name
        path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
        try:
            done = subprocess.run([*shlex.split(command), str(path)])
        except (OSError, ValueError) as error:
            raise UsageError(f"Cannot run the editor {command!r}: {error}") from None
        if done.returncode:
            raise UsageError(f"The editor {command!r} failed; nothing was changed.")
        return path.read_text(encoding="utf-8")
