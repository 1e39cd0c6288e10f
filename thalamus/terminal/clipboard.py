"""The clipboard of the terminal, also at the other end of ssh."""

from __future__ import annotations

import base64
import os
import subprocess

from thalamus.terminal import streams

PATIENCE = 2.0  # seconds to wait for tmux


def copy(text: str) -> None:
    """Copies a text to the clipboard: by OSC 52, which terminals may be set to ignore; in tmux
    through tmux, which passes it on."""
    data = text.encode()
    if os.environ.get("TMUX") and _through_tmux(data):
        return
    streams.draw(f"\x1b]52;c;{base64.b64encode(data).decode()}\x07")


def _through_tmux(data: bytes) -> bool:
    command = ["tmux", "load-buffer", "-w", "-"]
    try:
        process = subprocess.run(command, input=data, capture_output=True, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return process.returncode == 0
