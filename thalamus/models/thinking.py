"""Separation of a reply's visible text from thoughts in a ``<think>`` block before it.

Only blocks at the beginning count; later on, the tags are ordinary text.
"""

from __future__ import annotations

import re

from thalamus.models.protocol import TokenSink

_OPEN = "<think>"
_CLOSE = "</think>"
# some chat templates open the block in the prompt, so that the reply only has its end
_ORPHAN = re.compile(
    r"\A(?:(?!<think>).)*?^[ \t]*</think>[ \t]*(?:\n\s*|\Z)", re.DOTALL | re.MULTILINE
)


class VisibleReply:
    """Collects a reply as it arrives and passes on the visible text.

    ``sink`` gets each visible piece at once; a piece that may begin a tag is held back until that
    is clear. For a piece of thoughts it gets an empty text, so that it can stop the model.
    """

    def __init__(self, sink: TokenSink | None = None) -> None:
        self._sink = sink
        self._shown: list[str] = []
        self._thoughts: list[str] = []
        self._pending = ""
        self._state = "start"
        self._thought = False

    def feed(self, piece: str) -> None:
        """Adds the next piece of the reply."""
        self._pending += piece
        while self._advance():
            pass
        if self._state == "thinking" and self._sink is not None:
            self._sink("")

    def think(self, piece: str) -> None:
        """Adds a piece of thoughts that the server sends separately from the reply."""
        self._thoughts.append(piece)
        if self._sink is not None:
            self._sink("")

    def close(self) -> str:
        """Ends the reply. Returns its visible text, without an unfinished block of thoughts."""
        if self._state == "start":
            self._show(self._pending.lstrip() if self._thought else self._pending)
        elif self._state == "thinking":
            self._thoughts.append(self._pending)
        self._pending = ""
        text = "".join(self._shown)
        orphan = None if self._thought else _ORPHAN.match(text)
        if orphan is None:
            return text
        self._thoughts.append(orphan.group().rpartition(_CLOSE)[0])
        return text[orphan.end() :]

    def thoughts(self) -> str | None:
        """The thoughts of a closed reply; None if there are none."""
        return "".join(self._thoughts).strip() or None

    def _advance(self) -> bool:
        """One step of the automaton; True if there is more to process."""
        if self._state == "start":
            return self._look_for_block()
        if self._state == "thinking":
            thought, found, rest = self._pending.partition(_CLOSE)
            if not found:
                end = max(0, len(thought) - len(_CLOSE) + 1)  # may be part of the tag
                self._thoughts.append(thought[:end])
                self._pending = thought[end:]
                return False
            self._thoughts.append(f"{thought}\n")
            self._pending, self._state, self._thought = rest, "start", True
            return True
        self._show(self._pending)
        self._pending = ""
        return False

    def _look_for_block(self) -> bool:
        text = self._pending.lstrip()
        if text.startswith(_OPEN):
            self._pending, self._state, self._thought = text[len(_OPEN) :], "thinking", True
            return True
        if _OPEN.startswith(text):
            return False
        if self._thought:
            self._pending = text
        self._state = "text"
        return True

    def _show(self, text: str) -> None:
        if not text:
            return
        self._shown.append(text)
        if self._sink is not None:
            self._sink(text)


def strip_thinking(text: str) -> str:
    """The reply without the thoughts at its beginning."""
    visible = VisibleReply()
    visible.feed(text)
    return visible.close()
