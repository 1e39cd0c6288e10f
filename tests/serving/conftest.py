"""`thalamus mcp` as a process, and the SDK's own client."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from tests.extras import python
from tests.forked import Process

T = TypeVar("T")
MCP = ["-m", "thalamus", "mcp"]


@pytest.fixture
def environment(environment: dict[str, str]) -> dict[str, str]:
    """That of a server, which needs the time: what is stored at one moment would be one record."""
    return {name: value for name, value in environment.items() if name != "THALAMUS_NOW"}


def using(work: Callable[[], Awaitable[T]]) -> T:
    """What a coroutine function returns."""

    async def run() -> T:
        with anyio.fail_after(100):
            return await work()

    return anyio.run(run)


@asynccontextmanager
async def stdio(
    environment: dict[str, str], *options: str, mode: Any = "auto"
) -> AsyncIterator[Client]:
    """A client that started a server of its own."""
    command, *arguments = [*python(), *MCP, *options]
    server = StdioServerParameters(command=command, args=arguments, env=environment)
    async with Client(server, mode=mode) as client:
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured result of a tool; fails for an error."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def failure(client: Client, tool: str, **arguments: Any) -> str:
    """The text of a tool's error; fails where there is none."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, text_of(result)
    assert "Traceback" not in text_of(result) and "unexpected" not in text_of(result)
    return text_of(result)


def text_of(result: CallToolResult) -> str:
    return "".join(part.text for part in result.content if part.type == "text")


@dataclass
class HttpServer:
    """A running server: its process, address and token."""

    process: subprocess.Popen[str]
    url: str
    token: str

    @asynccontextmanager
    async def client(self, mode: Any = "auto") -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            transport = streamable_http_client(self.url, http_client=http)
            async with Client(transport, mode=mode) as client:
                yield client


@pytest.fixture
def http(environment: dict[str, str], home: Path) -> Iterator[Callable[..., Any]]:
    """Starts HTTP servers on free ports, which end with the test. Each is a new interpreter where
    it matters how a process begins and ends."""
    started: list[subprocess.Popen[str]] = []

    @contextmanager
    def start(
        *options: str, env: dict[str, str] | None = None, new: bool = False
    ) -> Iterator[HttpServer]:
        given = environment | (env or {})
        kind, begin = (subprocess.Popen, [sys.executable]) if new else (Process, python())
        process: subprocess.Popen[str] = kind(
            [*begin, *MCP, "--http", "--port", "0", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=given,
        )
        started.append(process)
        assert process.stderr is not None
        first, second = process.stderr.readline(), process.stderr.readline()
        assert first.startswith("thalamus: serving http://"), first + process.stderr.read()
        where = second.removeprefix("  token: ").strip()
        token = given.get(where) or Path(where).read_text().strip()
        yield HttpServer(process, first.split()[-1], token)

    yield start
    for process in started:
        process.kill()
        process.communicate()
