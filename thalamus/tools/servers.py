"""MCP servers of a configuration: started on first use, kept running, and given up after failures.

A server that fails is started once more at the next call. If it fails again or cannot be started,
it is not used for a minute: its tools are missing, or return an error.
"""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections.abc import Iterable, Mapping
from typing import Any

from thalamus.records import Issue
from thalamus.tools.mcp import AnnouncedTool, CallRefused, ServerFailed, ServerSession, ToolAnswer
from thalamus.tools.mcp_settings import ServerSettings
from thalamus.tools.server_tools import error_text, tool_name, tools_of
from thalamus.tools.tool import Tool, ToolError

_PAUSE = 60.0  # seconds without use after the second failure


class Server:
    """One server. ``problem``: why it is unavailable, or was until recently."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.problem: ServerFailed | None = None
        self.unreported: ServerFailed | None = None  # an earlier problem that has not been reported
        self.tool_problems: list[str] = []  # problems with its tools
        self.reported: set[str] = set()  # reported problems with its tools
        self._session: ServerSession | None = None
        self._starting: ServerSession | None = None
        self._abandoned: list[ServerSession] = []  # abandoned sessions that may still be running
        self._failures = 0
        self._until = 0.0
        self._tools: dict[str, Tool] | None = None
        self._announced: dict[str, AnnouncedTool] = {}
        self._lock = threading.RLock()

    def begin(self) -> None:
        """Starts it without waiting, unless it is running or paused."""
        with self._lock:
            if self._session is not None or self._starting is not None or self._paused:
                return
            session = ServerSession(self.settings)
            try:
                session.start()
            except ServerFailed as error:
                self._note_failure(error, permanent=True)
                return
            self._starting = session

    def tools(self) -> dict[str, Tool]:
        """Its tools by their call names; empty while it is unavailable."""
        if self._tools is None:
            try:
                self._connected()
            except ServerFailed:
                return {}
        return {} if self._tools is None or self._paused else self._tools

    def announced(self, *names: str) -> AnnouncedTool | None:
        """The first of these tools that it announced, whether allowed or not. Raises
        ``ServerFailed``."""
        self._connected()
        return next((self._announced[name] for name in names if name in self._announced), None)

    def call(self, name: str, args: dict[str, Any]) -> ToolAnswer:
        """Answer of a tool. Raises ``ToolError``."""
        try:
            session = self._connected()
            answer = session.call(name, args)
        except CallRefused as error:
            self._failures, self.problem = 0, None
            raise ToolError(error_text(tool_name(self.settings.name, name), str(error))) from None
        except ServerFailed as error:
            with self._lock:
                if self._session is not None and not self._session.alive:
                    self._give_up(self._session)
                    self._note_failure(error)
                    self.unreported = self.problem
            raise ToolError(f"the MCP server {self.settings.name} failed: {error}") from None
        self._failures, self.problem = 0, None
        return answer

    def close(self, wait: bool = True) -> None:
        """Ends it if it is running."""
        with self._lock:
            for session in (self._session, self._starting):
                if session is not None:
                    self._give_up(session)
            self._session = self._starting = None
            for session in self._abandoned:
                session.close(wait)

    def _give_up(self, session: ServerSession) -> None:
        self._session = None
        self._abandoned = [one for one in self._abandoned if one.running]
        self._abandoned.append(session)

    @property
    def _paused(self) -> bool:
        return self._failures > 1 and time.monotonic() < self._until

    def _connected(self) -> ServerSession:
        """The session; starts the server if necessary. Raises ``ServerFailed``."""
        with self._lock:
            if self._session is not None and self._session.alive:
                return self._session
            if self._session is not None:  # it ended between two calls
                self._give_up(self._session)
                self._note_failure(ServerFailed("it ended"))
            if self._paused:
                assert self.problem is not None
                raise self.problem
            self.begin()
            session, self._starting = self._starting, None
            if session is None:
                assert self.problem is not None
                raise self.problem
            try:
                session.wait()
            except ServerFailed as error:
                self._give_up(session)
                self._note_failure(error, permanent=True)
                raise
            self._session = session
            if self._tools is None:
                self._announced = {tool.name: tool for tool in reversed(session.tools)}
                self._tools, self.tool_problems = tools_of(self.settings, session.tools, self.call)
            return session

    def _note_failure(self, error: ServerFailed, permanent: bool = False) -> None:
        self._failures = 2 if permanent else self._failures + 1
        self._until = time.monotonic() + _PAUSE
        self.problem = self.problem or error


class Servers:
    """All servers. Each is a separate process or connection; they end with this process."""

    def __init__(self, settings: Mapping[str, ServerSettings]) -> None:
        self._servers = {name: Server(one) for name, one in settings.items()}
        _open.add(self)

    def get(self, name: str) -> Server:
        """The server with this name."""
        return self._servers[name]

    def tools(self, names: Iterable[str] | None = None) -> dict[str, Tool]:
        """Tools of these servers, or of all, in this order. They start in parallel."""
        wanted = [self._servers[name] for name in (self._servers if names is None else names)]
        for server in wanted:
            server.begin()
        found: dict[str, Tool] = {}
        for server in wanted:
            for name, tool in server.tools().items():
                found.setdefault(name, tool)  # of one name, the first
        return found

    def problems(self) -> list[Issue]:
        """Current problem of each server; repeated with the same words while it lasts."""
        found = []
        for name, server in self._servers.items():
            problem, server.unreported = server.problem or server.unreported, None
            if problem is not None:
                found.append(_issue(f"the MCP server {name} failed: {problem}", problem.fix))
            new = [text for text in server.tool_problems if text not in server.reported]
            if new:
                server.reported.update(new)
                more = f" (and {len(new) - 1} more)" if len(new) > 1 else ""
                found.append(_issue(f"the MCP server {name}: {new[0]}{more}", ""))
        return found

    def close(self) -> None:
        """Ends all servers in parallel. They are started again when needed."""
        for server in self._servers.values():
            server.close(wait=False)
        for server in self._servers.values():
            server.close()


def _issue(message: str, fix: str) -> Issue:
    fix = fix or "The turn continues without it. `thalamus tools list` lists the tools."
    return Issue(stage="tools", code="mcp", message=message, fix=fix)


_open: weakref.WeakSet[Servers] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """Leaves no process behind if nobody called ``close``."""
    for servers in list(_open):
        servers.close()
