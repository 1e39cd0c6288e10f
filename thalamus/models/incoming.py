"""A reply as it arrives from a provider: its text, what was thought before, and its calls."""

from __future__ import annotations

from typing import Any, NamedTuple

from thalamus.models.protocol import ChatRequest, TokenSink, ToolRequest
from thalamus.models.thinking import VisibleReply
from thalamus.models.tool_calls import StreamedCalls, with_ids
from thalamus.models.written_calls import WrittenCalls


class Arrived(NamedTuple):
    """What a reply consists of, as in ``ChatReply``."""

    text: str
    thinking: str | None
    calls: tuple[ToolRequest, ...]


class IncomingReply:
    """Collects the reply to ``request`` and hands on to ``sink`` what the reader may see.

    Calls are looked for in the text too when tools were given and the provider sends none itself.
    """

    def __init__(self, request: ChatRequest, sink: TokenSink | None) -> None:
        self._request = request
        self._calls = StreamedCalls()
        names = {tool.name for tool in request.tools}
        self._written = WrittenCalls(names, sink) if names else None
        self._visible = VisibleReply(self._written.feed if self._written else sink)

    def feed(self, piece: str) -> None:
        """Takes a piece of the text."""
        self._visible.feed(piece)

    def think(self, piece: str) -> None:
        """Takes a piece of thoughts that come apart from the text."""
        self._visible.think(piece)

    def call(self, pieces: Any) -> None:
        """Takes the calls, or pieces of calls, of one event; None for none. Raises as
        ``StreamedCalls.feed``."""
        self._calls.feed(pieces)

    def close(self) -> Arrived:
        """Ends the reply."""
        text, found = self._visible.close(), self._calls.found()
        if self._written is not None:
            rest, written = self._written.close(text)
            if not found:
                text, found = rest, [(None, name, arguments) for name, arguments in written]
        return Arrived(text, self._visible.thoughts(), with_ids(found, self._request))
