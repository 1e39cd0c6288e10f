"""The MCP servers of a configuration: started when first needed, kept, given up when they fail.

A server that fails is started once more at the next call. One that fails again, or cannot be
started, is left alone for a minute: its tools are absent, or answer an error.
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

_PAUSE = 60.0  # seconds for which a server that failed twice is left alone


class Server:
    """One server. ``problem`` is why it is not there, or was not a moment ago."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.problem: ServerFailed | None = None
        self.past: ServerFailed | None = None  # one that is over and was not reported
        self.lies: list[str] = []  # what is wrong with its tools
        self.told: set[str] = set()  # of its lies those that were reported
        self._session: ServerSession | None = None
        self._beginning: ServerSession | None = None
        self._ending: list[ServerSession] = []  # that were given up, and may not be gone yet
        self._failures = 0
        self._until = 0.0
        self._tools: dict[str, Tool] | None = None
        self._announced: dict[str, AnnouncedTool] = {}
        self._lock = threading.RLock()

    def begin(self) -> None:
        """Starts it without waiting, unless it was or is left alone."""
        with self._lock:
            if self._session is not None or self._beginning is not None or self._left_alone:
                return
            session = ServerSession(self.settings)
            try:
                session.start()
            except ServerFailed as error:
                self._failed(error, for_good=True)
                return
            self._beginning = session

    def tools(self) -> dict[str, Tool]:
        """Its tools by the name under which they are called; none while it is not there."""
        if self._tools is None:
            try:
                self._connected()
            except ServerFailed:
                return {}
        return {} if self._tools is None or self._left_alone else self._tools

    def announced(self, *names: str) -> AnnouncedTool | None:
        """The first of these tools that it announced, whatever is allowed of it. Raises
        ``ServerFailed``."""
        self._connected()
        return next((self._announced[name] for name in names if name in self._announced), None)

    def call(self, name: str, args: dict[str, Any]) -> ToolAnswer:
        """What a tool answers. Raises ``ToolError``."""
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
                    self._failed(error)
                    self.past = self.problem
            raise ToolError(f"the MCP server {self.settings.name} failed: {error}") from None
        self._failures, self.problem = 0, None
        return answer

    def close(self, wait: bool = True) -> None:
        """Ends it, if it runs."""
        with self._lock:
            for session in (self._session, self._beginning):
                if session is not None:
                    self._give_up(session)
            self._session = self._beginning = None
            for session in self._ending:
                session.close(wait)

    def _give_up(self, session: ServerSession) -> None:
        self._session = None
        self._ending = [one for one in self._ending if one.running]
        self._ending.append(session)

    @property
    def _left_alone(self) -> bool:
        return self._failures > 1 and time.monotonic() < self._until

    def _connected(self) -> ServerSession:
        """The session, of a server that is started if need be. Raises ``ServerFailed``."""
        with self._lock:
            if self._session is not None and self._session.alive:
                return self._session
            if self._session is not None:  # it ended between two calls
                self._give_up(self._session)
                self._failed(ServerFailed("it ended"))
            if self._left_alone:
                assert self.problem is not None
                raise self.problem
            self.begin()
            session, self._beginning = self._beginning, None
            if session is None:
                assert self.problem is not None
                raise self.problem
            try:
                session.wait()
            except ServerFailed as error:
                self._give_up(session)
                self._failed(error, for_good=True)
                raise
            self._session = session
            if self._tools is None:
                self._announced = {tool.name: tool for tool in reversed(session.tools)}
                self._tools, self.lies = tools_of(self.settings, session.tools, self.call)
            return session

    def _failed(self, error: ServerFailed, for_good: bool = False) -> None:
        self._failures = 2 if for_good else self._failures + 1
        self._until = time.monotonic() + _PAUSE
        self.problem = self.problem or error


class Servers:
    """All servers. Each is a process of its own, or a connection; they end with this process."""

    def __init__(self, settings: Mapping[str, ServerSettings]) -> None:
        self._servers = {name: Server(one) for name, one in settings.items()}
        _open.add(self)

    def get(self, name: str) -> Server:
        """The server with this name."""
        return self._servers[name]

    def tools(self, names: Iterable[str] | None = None) -> dict[str, Tool]:
        """The tools of these servers, or of all: started together, and waited for in turn."""
        wanted = [self._servers[name] for name in (self._servers if names is None else names)]
        for server in wanted:
            server.begin()
        found: dict[str, Tool] = {}
        for server in wanted:
            found = {**server.tools(), **found}
        return found

    def problems(self) -> list[Issue]:
        """What is wrong with each server: as long as it lasts, with the same words."""
        found = []
        for name, server in self._servers.items():
            problem, server.past = server.problem or server.past, None
            if problem is not None:
                found.append(_issue(f"the MCP server {name} failed: {problem}", problem.fix))
            new = [lie for lie in server.lies if lie not in server.told]
            if new:
                server.told.update(new)
                more = f" (and {len(new) - 1} more)" if len(new) > 1 else ""
                found.append(_issue(f"the MCP server {name}: {new[0]}{more}", ""))
        return found

    def close(self) -> None:
        """Ends all servers, at the same time. They are started again when they are needed."""
        for server in self._servers.values():
            server.close(wait=False)
        for server in self._servers.values():
            server.close()


def _issue(message: str, fix: str) -> Issue:
    fix = fix or "The turn goes on without. `thalamus tools list` shows what there is."
    return Issue(stage="tools", code="mcp", message=message, fix=fix)


_open: weakref.WeakSet[Servers] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """Leaves no process behind, whoever forgot to close."""
    for servers in list(_open):
        servers.close()
