"""notes_search and notes_read: read-only access to the notes of an MCP server, such as an Obsidian
vault.

The configuration names the server's own tools for this (`notes: {search: …, read: …}`), with which
the user vouches that they change nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from thalamus.tools.foreign_arguments import Meaning, map_arguments
from thalamus.tools.foreign_results import FoundNote, found_in, plain_text
from thalamus.tools.tool import Tool, ToolError, ToolOutput, Workspace, parameters

if TYPE_CHECKING:
    from thalamus.tools.mcp import ToolAnswer
    from thalamus.tools.mcp_settings import ServerSettings
    from thalamus.tools.servers import Servers

MOST = 10  # notes per search
LONGEST = 2_000  # bytes per note
CUT = " … (cut)"
_ROOM = 8_000  # bytes for names and punctuation around the notes
_NOTE = parameters(path={"type": "string"}, text={"type": "string"})


def note_tools(settings: Mapping[str, ServerSettings], servers: Servers) -> dict[str, Tool]:
    """Tools for the notes of the configured server; empty if no server has notes."""
    for server in settings.values():
        if server.notes is not None:
            vault = Vault(server, servers)
            found = [vault.search_tool()] if server.notes.search else []
            found += [vault.read_tool()] if server.notes.read else []
            return {tool.name: tool for tool in found}
    return {}


class Vault:
    """The notes of one server, which is started on first use."""

    def __init__(self, settings: ServerSettings, servers: Servers) -> None:
        assert settings.notes is not None
        self._settings = settings
        self._names = settings.notes
        self._servers = servers

    def search_tool(self) -> Tool:
        """The tool `notes_search`."""
        query = {"type": "string", "minLength": 1, "description": "two to eight key words"}
        return self._tool(
            "notes_search",
            "Search the user's own notes.",
            parameters(
                ("query",), query=query, k={"type": "integer", "minimum": 1, "maximum": MOST}
            ),
            parameters(("items",), items={"type": "array", "items": _NOTE}),
            self._search,
        )

    def read_tool(self) -> Tool:
        """The tool `notes_read`."""
        path = {"type": "string", "minLength": 1, "description": "as notes_search gives it"}
        return self._tool(
            "notes_read",
            "Read one of the user's notes.",
            parameters(("path",), path=path),
            _NOTE,
            self._read,
        )

    def _tool(
        self,
        name: str,
        description: str,
        wanted: dict[str, Any],
        gives: dict[str, Any],
        function: Callable[[dict[str, Any], Workspace], ToolOutput],
    ) -> Tool:
        timeout = 2 * self._settings.timeout + self._settings.start_timeout
        return Tool(
            name=name,
            description=description,
            parameters=wanted,
            result=gives,
            function=function,
            source="mcp",
            timeout=timeout,
            max_bytes=MOST * LONGEST + _ROOM,
            kind="notes",
        )

    def _search(self, args: dict[str, Any], _: Workspace) -> ToolOutput:
        most = min(args.get("k", MOST), MOST)
        answer = self._ask(self._names.search, {"query": args["query"], "count": most})
        until = time.monotonic() + self._settings.timeout
        items = [self._shown(item, until) for item in found_in(answer)[:most]]
        text = "\n".join(_line(item) for item in items)
        return ToolOutput({"items": items}, text=text or "(no notes found)")

    def _read(self, args: dict[str, Any], _: Workspace) -> ToolOutput:
        text = _short(plain_text(self._ask(self._names.read, {"path": args["path"]})))
        return ToolOutput({"path": args["path"], "text": text}, text=text or "(empty)")

    def _shown(self, item: FoundNote, until: float) -> dict[str, str]:
        """A search result as a note. If only the path is given, the note is read while time
        allows."""
        text = item.text
        if item.name and not text and self._names.read and time.monotonic() < until:
            try:
                text = plain_text(self._ask(self._names.read, {"path": item.name}))
            except ToolError:
                text = ""
        return {"path": item.name, "text": _short(text)}

    def _ask(self, tool: str, values: dict[Meaning, Any]) -> ToolAnswer:
        """Answer of the server's tool. Raises ``ToolError``."""
        from thalamus.tools.mcp import ServerFailed

        server = self._servers.get(self._settings.name)
        try:
            announced = server.announced(tool)
        except ServerFailed as error:
            raise ToolError(f"the MCP server {self._settings.name} failed: {error}") from None
        if announced is None:
            raise ToolError(f"the MCP server {self._settings.name} has no tool {tool}")
        return server.call(announced.name, map_arguments(tool, announced.parameters, values))


def _line(item: dict[str, str]) -> str:
    text = " ".join(item["text"].split())
    return f"{item['path']}: {text}" if item["path"] and text else item["path"] or text


def _short(text: str) -> str:
    data = text.strip().encode()
    if len(data) <= LONGEST:
        return text.strip()
    return data[: LONGEST - len(CUT.encode())].decode(errors="ignore") + CUT
