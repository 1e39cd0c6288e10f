"""Directories of the coding agents on this machine, where their variables put them."""

from __future__ import annotations

import os
from pathlib import Path

# by agent: the variable that moves it, and its name in the home directory
_HOMES = {
    "claude-code": ("CLAUDE_CONFIG_DIR", ".claude"),
    "codex": ("CODEX_HOME", ".codex"),
}


def home_of(agent: str) -> Path:
    """The directory with the configuration and the transcripts of an agent."""
    if agent == "gemini-cli":  # its variable names the directory around it
        return Path(os.environ.get("GEMINI_CLI_HOME") or Path.home()) / ".gemini"
    variable, name = _HOMES[agent]
    return Path(os.environ.get(variable) or Path.home() / name)
