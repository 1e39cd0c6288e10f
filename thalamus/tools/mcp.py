"""A session with one MCP server, over standard input and output or HTTP.

Only this module imports the SDK's client (the extra `mcp`), and only when a session starts. Each
session has its own thread with an event loop, so that a server that floods or hangs does not block
others.
"""

from __future__ import annotations

import logging
import math
import os
import threading
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from thalamus.extras import install_command
from thalamus.logs import logger
from thalamus.tools.mcp_watch import THREAD, ErrorLog, ObservedStream, OursToDebug
from thalamus.version import VERSION

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator

    import anyio
    from mcp import Client
    from mcp.client._transport import Transport

    from thalamus.tools.mcp_settings import ServerSettings

log = logger(__name__)
_MOST_TOOLS = 200  # tools considered per server
_MOST_MESSAGES = 10_000  # messages that a server may send between two calls
_ENDING = 8.0  # seconds for a server to end; the SDK kills it after four
_LEAVING = 2.0  # seconds to disconnect from a remote server
_DENIED = (401, 403)
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class ServerFailed(Exception):
    """A server is unavailable; the message has the reason, ``fix`` the remedy."""

    def __init__(self, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.fix = fix


class CallRefused(Exception):
    """An available server answered a call with an error; the message is the server's own."""


class AnnouncedTool(Struct, frozen=True):
    """A tool as described by a server, unverified."""

    name: str
    description: str
    parameters: Any
    result: Any
    read_only: bool


class ToolAnswer(Struct, frozen=True):
    """Result of a call: its texts and structured data. ``left_out``: other content, such as
    pictures."""

    texts: tuple[str, ...]
    structured: Any = None
    left_out: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All texts joined."""
        return "\n".join(self.texts)


class ServerSession:
    """A running or connected server. ``tools``: the tools that it announced."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self.tools: tuple[AnnouncedTool, ...] = ()
        self._ready = threading.Event()
        self._failure: ServerFailed | None = None
        self._ended = False
        self._messages = 0
        self._denied = ""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._starting: anyio.CancelScope | None = None
        self._client: Client | None = None
        self._errors: ErrorLog | None = None
        self._thread = threading.Thread(
            target=self._run, name=f"{THREAD}{settings.name}", daemon=True
        )

    @property
    def alive(self) -> bool:
        """True if the server can be called."""
        return self._ready.is_set() and not self._ended

    @property
    def running(self) -> bool:
        """True until the server is gone; it may take a while after its end."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Starts the server without waiting for it. Raises ``ServerFailed`` if the SDK or the
        server's key is missing."""
        try:
            import mcp  # noqa: F401
        except ImportError:
            fix = f"Install it with `{install_command('mcp')}`."
            raise ServerFailed("the package mcp is not installed", fix) from None
        variable = self._settings.key_env
        if variable and not os.environ.get(variable):
            raise ServerFailed(
                f"the environment variable {variable} is not set",
                f"Put the key for this server into {variable}.",
            )
        self._thread.start()

    def wait(self) -> None:
        """Waits until the server has announced its tools. Raises ``ServerFailed``."""
        seconds = self._settings.start_timeout
        if not self._ready.wait(seconds + 1):
            self.close(wait=False)
            raise ServerFailed(f"it did not answer within {seconds:g} seconds")
        if self._failure is not None:
            raise self._failure

    def call(self, name: str, args: dict[str, Any]) -> ToolAnswer:
        """Result of a tool call. Raises ``CallRefused`` for an error from the server, and
        ``ServerFailed`` if it is gone, too slow or sends invalid data; the session is then
        closed."""
        import asyncio
        import concurrent.futures

        assert self._loop is not None
        self._messages = 0
        request = self._ask(name, args)
        try:
            future = asyncio.run_coroutine_threadsafe(request, self._loop)
        except RuntimeError:
            request.close()
            raise ServerFailed("it ended") from None
        try:
            return future.result(self._settings.timeout + 1)
        except (ServerFailed, CallRefused) as error:
            failure: Exception = error
        except concurrent.futures.CancelledError:
            failure = ServerFailed("it ended in the middle of a call")
        except concurrent.futures.TimeoutError:
            failure = self._slow()
        except Exception as error:
            failure = ServerFailed(self._reason(error))
        if isinstance(failure, ServerFailed):
            self.close(wait=False)
        raise failure

    def close(self, wait: bool = True) -> None:
        """Ends the server; with ``wait``, returns after it is gone."""
        self._ended = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is already closed
                self._loop.call_soon_threadsafe(self._end)
        if wait and self._thread.is_alive():
            self._thread.join(_ENDING if self._settings.command else _LEAVING)

    def _slow(self) -> ServerFailed:
        return ServerFailed(f"it did not answer within {self._settings.timeout:g} seconds")

    # -- in the thread of the session ----------------------------------------------------------

    def _run(self) -> None:
        import asyncio

        _quiet_sdk()
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            log.debug("MCP server %s", self._settings.name, exc_info=True)
            if not self._ready.is_set():
                self._failure = ServerFailed(self._reason(error) + self._last_words())
        finally:
            self._ended = True
            if not self._ready.is_set() and self._failure is None:
                self._failure = ServerFailed("it ended at once" + self._last_words())
            self._ready.set()

    def _reason(self, error: BaseException) -> str:
        """The reason why the server is unavailable, for people."""
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if isinstance(error, FileNotFoundError):
            return f"there is no program or folder {error.filename}"
        if isinstance(error, OSError) and error.strerror:
            return error.strerror
        kind, text = type(error).__name__, " ".join(str(error).split())[:300]
        if kind in ("ConnectError", "ConnectTimeout"):
            return f"nothing answers at {self._settings.url}"
        if kind == "ValidationError":
            return f"it violates the protocol: {_first_mistake(error)}"
        if kind != "MCPError":
            return f"{kind}: {text}" if text else kind
        if self._denied:
            return f"access denied ({self._denied}); set `key_env` to the variable with its key"
        return "it ended at once" if text == "Connection closed" else f"it reported: {text}"

    def _last_words(self) -> str:
        """The server's last line on standard error."""
        if self._errors is None:
            return ""
        self._errors.finish()
        return f" ({self._errors.last})" if self._errors.last else ""

    async def _serve(self) -> None:
        import asyncio

        import anyio
        from mcp import Client
        from mcp_types import Implementation

        loop = asyncio.get_running_loop()
        loop.set_exception_handler(_log_loop)
        self._stop = asyncio.Event()
        self._loop = loop
        if self._ended:  # closed before it started
            return
        seconds = self._settings.start_timeout
        with anyio.CancelScope(deadline=anyio.current_time() + seconds) as self._starting:
            async with AsyncExitStack() as stack:
                client = Client(
                    self._observed(await self._transport(stack)),
                    read_timeout_seconds=seconds,
                    client_info=Implementation(name="thalamus", version=VERSION),
                    cache=None,
                )
                await stack.enter_async_context(client)
                self.tools = await _announced(client)
                self._starting.deadline = math.inf
                if self._ended:
                    return
                self._client = client
                self._ready.set()
                await self._stop.wait()
        if self._starting.cancelled_caught:
            self._failure = ServerFailed(f"it did not answer within {seconds:g} seconds")

    def _end(self) -> None:
        """Ends the session, whether running or starting."""
        assert self._stop is not None
        self._stop.set()
        if self._starting is not None and not self._ready.is_set():
            self._starting.cancel()

    async def _transport(self, stack: AsyncExitStack) -> Transport:
        """The connection to the server."""
        settings = self._settings
        key = os.environ.get(settings.key_env, "") if settings.key_env else ""
        if settings.url:
            from mcp.client.streamable_http import streamable_http_client

            return streamable_http_client(
                settings.url,
                http_client=await stack.enter_async_context(self._http_client(key)),
            )
        from mcp import StdioServerParameters
        from mcp.client.stdio import stdio_client

        env = {**settings.env, **({settings.key_env: key} if key else {})}
        parameters = StdioServerParameters(
            command=settings.command[0],
            args=list(settings.command[1:]),
            env=env,
            cwd=settings.cwd or None,
            encoding_error_handler="replace",
        )
        self._errors = stack.enter_context(ErrorLog(settings.name))
        return stdio_client(parameters, errlog=self._errors.file)

    def _http_client(self, key: str) -> Any:
        """The HTTP client for a server: with its key, and without a proxy for this machine."""
        from urllib.parse import urlsplit

        import httpx2

        async def note(response: httpx2.Response) -> None:
            if response.status_code in _DENIED:
                self._denied = f"{response.status_code} {response.reason_phrase}"

        url = self._settings.url
        return httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {key}"} if key else None,
            timeout=httpx2.Timeout(self._settings.start_timeout, read=None),
            trust_env=urlsplit(url).hostname not in _LOOPBACK,
            event_hooks={"response": [note]},
        )

    @asynccontextmanager
    async def _observed(self, transport: Transport) -> AsyncIterator[tuple[Any, Any]]:
        """The transport; the session ends when the server ends or floods."""
        async with transport as (reading, writing):
            yield ObservedStream(reading, self._count_message), writing

    def _count_message(self, ended: bool) -> None:
        self._messages += 1
        if ended or self._messages > _MOST_MESSAGES:
            self._ended = True
            assert self._stop is not None
            self._stop.set()

    async def _ask(self, name: str, args: dict[str, Any]) -> ToolAnswer:
        import anyio
        from mcp import MCPError
        from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT
        from pydantic import ValidationError

        assert self._client is not None
        seconds = self._settings.timeout
        try:
            with anyio.fail_after(seconds):
                result = await self._client.call_tool(name, args, read_timeout_seconds=seconds)
        except TimeoutError:
            raise self._slow() from None
        except MCPError as error:
            if error.code == REQUEST_TIMEOUT:
                raise self._slow() from None
            if error.code == CONNECTION_CLOSED or self._ended:
                raise ServerFailed("it ended in the middle of a call") from None
            raise CallRefused(error.message) from None
        # raised by the SDK for results that do not match their schema
        except RuntimeError as error:
            raise CallRefused(str(error).partition("\n")[0]) from None
        except ValidationError:
            raise ServerFailed("it sent an invalid result") from None
        answer = _answer(result)
        if result.is_error:
            raise CallRefused(answer.text or "the call failed without a message")
        return answer


async def _announced(client: Client) -> tuple[AnnouncedTool, ...]:
    """The tools that a server announces, at most the first ``_MOST_TOOLS``."""
    found: list[AnnouncedTool] = []
    cursor: str | None = None
    seen: set[str] = set()
    while True:
        page = await client.list_tools(cursor=cursor)
        found += [
            AnnouncedTool(
                name=tool.name,
                description=tool.description or tool.title or "",
                parameters=tool.input_schema,
                result=tool.output_schema,
                read_only=bool(tool.annotations and tool.annotations.read_only_hint),
            )
            for tool in page.tools
        ]
        cursor = page.next_cursor
        if not cursor or cursor in seen or len(found) >= _MOST_TOOLS:
            return tuple(found[:_MOST_TOOLS])
        seen.add(cursor)


def _answer(result: Any) -> ToolAnswer:
    """Texts and structured data of a result, and descriptions of other content."""
    texts, others = [], []
    for part in result.content:
        if part.type == "text":
            texts.append(part.text)
        elif part.type == "resource" and getattr(part.resource, "text", None) is not None:
            texts.append(part.resource.text)
        elif part.type in ("resource", "resource_link"):
            uri = part.uri if part.type == "resource_link" else part.resource.uri
            others.append(f"{part.type} {str(uri)[:200]}")
        else:
            kind = getattr(part, "mime_type", None)
            others.append(f"{part.type} {kind}" if kind else str(part.type))
    return ToolAnswer(tuple(texts), result.structured_content, tuple(others))


def _quiet_sdk() -> None:
    """Redirects log messages of the SDK and its libraries in session threads."""
    import mcp.client.stdio
    import mcp.client.streamable_http  # noqa: F401

    names = [*logging.root.manager.loggerDict, "asyncio"]
    for name in names:
        logger = logging.getLogger(name)
        if name.partition(".")[0] in ("mcp", "asyncio", "httpx2", "httpcore2", "anyio") and all(
            not isinstance(known, OursToDebug) for known in logger.filters
        ):
            logger.addFilter(OursToDebug())


def _log_loop(_: Any, context: dict[str, Any]) -> None:
    log.debug("MCP: %s", context.get("exception") or context.get("message"))


def _first_mistake(error: Any) -> str:
    """Location and message of pydantic's first error."""
    found = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, found['loc']))}: {found['msg']}"
