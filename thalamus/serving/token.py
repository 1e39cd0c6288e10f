"""The token for clients of the HTTP server."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from thalamus import files
from thalamus.config import Config
from thalamus.errors import ConfigError

VARIABLE = "THALAMUS_MCP_TOKEN"
FILE = "mcp-token"
LEAST = 16  # characters


def bearer_token(config: Config) -> tuple[str, Path | None]:
    """The token and its file, which is created if missing; None if it comes from the environment.
    Raises ``ConfigError`` for a token that protects nothing."""
    token = os.environ.get(VARIABLE, "").strip()
    if token:
        _check(token, VARIABLE, f"`export {VARIABLE}=$(openssl rand -hex 32)` makes one.")
        return token, None
    path = config.config_dir / FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            files.create(path, f"{secrets.token_urlsafe(32)}\n".encode(), mode=files.PRIVATE)
        mode, text = path.stat().st_mode, path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        fix = f"Make it readable, or set {VARIABLE}."
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot use {path} for the token: {reason}", fix=fix) from None
    if mode & 0o077:
        fix = f"Remove it, and a new one is made; or `chmod 600 {path}` if nobody has read it."
        raise ConfigError(f"others can read the token in {path}", fix=fix)
    _check(text, str(path), "Remove the file, and a new one is made.")
    return text, path


def _check(token: str, where: str, fix: str) -> None:
    plain = token.isascii() and token.isprintable() and " " not in token
    if len(token) < LEAST or not plain:
        problem = f"the token in {where} must be at least {LEAST} ASCII characters without spaces"
        raise ConfigError(problem, fix=fix)
