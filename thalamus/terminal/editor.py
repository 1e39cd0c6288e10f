"""Editing of a text in the user's editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from thalamus.errors import UsageError


def edited(text: str, name: str = "memory.txt") -> str:
    """The text after editing with $VISUAL or $EDITOR (or vi); ``name`` is the file name, from which
    an editor may derive its type. Raises ``UsageError``."""
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="thalamus-") as folder:
        path = Path(folder) / name
        path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
        try:
            process = subprocess.run([*shlex.split(command), str(path)])
        except (OSError, ValueError) as error:
            raise UsageError(f"Cannot run the editor {command!r}: {error}") from None
        if process.returncode:
            raise UsageError(f"The editor {command!r} failed; nothing was changed.")
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"Cannot read what the editor saved: {error}") from None
