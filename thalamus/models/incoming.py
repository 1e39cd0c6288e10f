"""A reply as it arrives from a provider: its text, its thoughts, and its tool calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from thalamus.errors import ModelBusy, ModelFailed
from thalamus.models.protocol import ChatRequest, TokenSink, ToolRequest
from thalamus.models.quirks import ServerRefusal
from thalamus.models.stray_calls import StrayCalls
from thalamus.models.tool_calls import StreamedCalls, with_ids
from thalamus.models.visible_reply import VisibleReply
from thalamus.models.written_calls import WrittenCalls


class ReplyParts(Struct, frozen=True):
    """The parts of a complete reply, as in ``ChatReply``. ``stray``: a tool call was left out of
    the text, although no tools were offered."""

    text: str
    thinking: str | None
    calls: tuple[ToolRequest, ...]
    stray: bool


class IncomingReply:
    """Collects the reply to ``request`` and passes the visible text to ``sink``.

    If tools were offered and the provider sends no calls of its own, calls are also looked for in
    the text; where only words are wanted, they are left out. ``inside``: the model's template
    begins its thoughts in the prompt.
    """

    def __init__(self, request: ChatRequest, sink: TokenSink | None, inside: bool = False) -> None:
        self._request = request
        self._begun = False
        self._calls = StreamedCalls()
        names = {tool.name for tool in request.tools}
        self._written = WrittenCalls(names, sink) if names else None
        self._stray = StrayCalls(sink, request.messages) if request.wants_words else None
        reader = self._written or self._stray
        self._visible = VisibleReply(
            reader.feed if reader else sink,
            request.messages,
            structured=request.schema is not None,
            inside=inside,
        )

    @contextmanager
    def arrival(self) -> Iterator[None]:
        """Surrounds the arrival of the reply. After the first words a refusal is final: they may
        have been shown, so the request must not be sent again."""
        try:
            yield
        except (ServerRefusal, ModelBusy) as error:
            if self._begun:
                raise ModelFailed(*error.args, fix=error.fix) from None
            raise

    def feed(self, piece: str) -> None:
        """Adds a piece of the text."""
        self._begun = self._begun or bool(piece)
        self._visible.feed(piece)

    def think(self, piece: str) -> None:
        """Adds a piece of thoughts that arrive separately from the text."""
        self._visible.think(piece)

    def call(self, pieces: Any) -> None:
        """Adds the calls, or pieces of calls, of one event (None for none). Raises the errors of
        ``StreamedCalls.feed``."""
        self._calls.feed(pieces)

    @property
    def orphan(self) -> bool:
        """True if the text had the end of thoughts without their beginning."""
        return self._visible.orphan

    def close(self, cut: bool) -> ReplyParts:
        """Ends the reply, which may have been cut off, and returns its parts."""
        text, found = self._visible.close(cut), self._calls.found()
        if self._written is not None:
            rest, written = self._written.close(text)
            if not found:
                text, found = rest, [(None, name, arguments) for name, arguments in written]
        stray = self._visible.called
        if self._stray is not None:
            text, written_call = self._stray.close(text)
            stray = stray or written_call
        return ReplyParts(text, self._visible.thoughts(), with_ids(found, self._request), stray)
