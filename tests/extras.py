"""Python as a process of its own that has imported what extras need: the chat, the SDK of MCP and
the readers of pages. One server forks them all: each takes a second or two to start."""

from __future__ import annotations

from tests import forked

MODULES = (
    "prompt_toolkit.shortcuts",
    "thalamus.serving.mcp",
    "mcp.server.mcpserver",
    "uvicorn",
    "trafilatura",
    "feedparser",
    "pypdf",
)


def server() -> forked.Server:
    return forked.server(*MODULES)


def python() -> list[str]:
    """How a command line begins that would begin with ``sys.executable``."""
    return forked.python(*MODULES)
