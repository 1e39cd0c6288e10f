"""An MCP server that keeps its promises, written with the SDK: notes, a memory, and a few tools.

``python good_server.py`` speaks over standard input and output, ``… --http PORT`` over HTTP with
the key that GOOD_KEY holds.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.utilities.types import Image
from mcp_types import ToolAnnotations
from pydantic import BaseModel

READ = ToolAnnotations(read_only_hint=True)
NOTES = {
    "Garden/Herbs.md": "Plant thyme and sage in April.",
    "Garden/Tools.md": "The spade is at Anna's.",
    "Long.md": "herbs " * 1000,
}
server = MCPServer("good")
kept: list[dict[str, Any]] = []


class Bed(BaseModel):
    """A bed of the garden."""

    name: str
    metres: float


@server.tool(annotations=READ)
def shout(text: str) -> str:
    """Says a text in capitals."""
    print("shouting", file=sys.stderr, flush=True)
    return text.upper()


@server.tool(annotations=READ)
def area(bed: Bed, width: float = 1.0) -> Bed:
    """The area of a bed."""
    return Bed(name=bed.name, metres=bed.metres * width)


@server.tool(annotations=READ, structured_output=False)
def picture() -> list[Any]:
    """A picture, with a word."""
    return ["a leaf", Image(data=b"\x89PNG", format="png")]


@server.tool(annotations=READ)
def fail() -> str:
    """Fails."""
    raise ValueError("the well is dry")


@server.tool(annotations=READ)
def environment(name: str) -> str:
    """A variable of its environment."""
    return os.environ.get(name, "(not set)")


@server.tool(annotations=READ)
def pid() -> int:
    """Its process."""
    return os.getpid()


@server.tool(annotations=READ)
def die() -> str:
    """Ends at once."""
    os._exit(1)


@server.tool()
def water(bed: str) -> str:
    """Waters a bed."""
    return f"watered {bed}"


@server.tool()
def search_notes(query: str, limit: int = 20) -> list[str]:
    """Paths of notes; it says nothing of whether it writes."""
    words = query.lower().split()
    found = [path for path, text in NOTES.items() if any(w in (path + text).lower() for w in words)]
    return found[:limit]


@server.tool()
def read_note(filepath: str) -> str:
    """The text of a note."""
    if filepath not in NOTES:
        raise ValueError(f"no note {filepath}")
    return NOTES[filepath]


@server.tool()
def openmemory_query(query: str, k: int = 8, user_id: str = "") -> list[str]:
    """What is remembered: as OpenMemory answers, a line for people and then JSON."""
    words = query.lower().split()
    matches = [
        {"id": f"om-{n}", "score": 0.9, "path": ["om"], "content": one["content"]}
        for n, one in enumerate(kept)
        if one["user"] == user_id and any(word in one["content"].lower() for word in words)
    ]
    return [f"{len(matches)} matches", json.dumps({"query": query, "matches": matches[:k]})]


@server.tool()
def openmemory_store(content: str, user_id: str = "", tags: list[str] | None = None) -> str:
    """Keeps something."""
    kept.append({"content": content, "user": user_id})
    path = os.environ.get("KEPT")
    if path:
        with open(path, "a", encoding="utf-8") as file:  # noqa: PTH123
            file.write(json.dumps(kept[-1]) + "\n")
    return "stored"


def main() -> None:
    if "--http" not in sys.argv:
        server.run()
        return
    import uvicorn
    from starlette.responses import PlainTextResponse

    app = server.streamable_http_app()
    key = os.environ.get("GOOD_KEY", "")

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope.get("headers", []))
        if (
            scope["type"] == "http"
            and key
            and headers.get(b"authorization") != (f"Bearer {key}".encode())
        ):
            await PlainTextResponse("no key", 401)(scope, receive, send)
            return
        await app(scope, receive, send)

    port = int(sys.argv[sys.argv.index("--http") + 1])
    uvicorn.run(guarded, host="127.0.0.1", port=port, log_level="error")


main()
