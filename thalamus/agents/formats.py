"""The agents whose transcripts can be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from thalamus.agents import claude_code, codex, gemini_cli, opencode
from thalamus.agents.files import found_in, json_lines, json_object
from thalamus.agents.transcript import Transcript
from thalamus.errors import UsageError
from thalamus.transfer.foreign.report import Report

HEAD = 20  # lines of a file by which it is recognized


class Agent(Struct, frozen=True):
    """An agent by its ``name``; ``title`` describes its transcripts. ``patterns``: the names of its
    files; ``recognize``: True for a JSON object of one; ``folder``: where they are on this
    machine; ``read``: the sessions in a file or a folder."""

    name: str
    title: str
    patterns: tuple[str, ...]
    recognize: Callable[[dict[str, Any]], bool]
    folder: Callable[[], Path]
    read: Callable[[Path, Report], Iterator[Transcript]]


# in the order in which they are tried: the more particular first
AGENTS = {
    module.AGENT: Agent(
        module.AGENT,
        module.TITLE,
        module.PATTERNS,
        module.recognize,
        module.default_folder,
        module.read,
    )
    for module in (codex, gemini_cli, opencode, claude_code)
}


def recognize(path: Path) -> Agent | None:
    """The agent whose transcripts a file or a folder has; None for anything else."""
    if not path.exists():
        return None
    if path.match(opencode.PATTERNS[0]) or (path / "storage" / "session").is_dir():
        return AGENTS[opencode.AGENT]
    for agent in AGENTS.values():
        if any(_has_line(file, agent) for file in islice(found_in(path, *agent.patterns), HEAD)):
            return agent
    return None


def _has_line(file: Path, agent: Agent) -> bool:
    """True if the beginning of a file is that of a transcript of the agent."""
    if file.suffix == ".db":
        return agent.name == opencode.AGENT and file.match(opencode.PATTERNS[0])
    if file.suffix == ".json":
        return agent.recognize(json_object(file, Report()))
    return any(agent.recognize(line) for _, line in islice(json_lines(file, Report()), HEAD))


def folder_of(agent: Agent) -> Path:
    """The folder of an agent on this machine. Raises ``UsageError`` if there is none."""
    folder = agent.folder()
    if not folder.exists():
        raise UsageError(
            f"There are no transcripts of {agent.name}: {folder} does not exist.",
            fix="Give the file or the folder.",
        )
    return folder
