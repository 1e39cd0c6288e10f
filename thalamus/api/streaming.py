"""Streaming: an iterator over an answer that another thread writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread

from thalamus.cancel import CancelToken
from thalamus.events import ThalamusEvent, ThalamusEvents, Token
from thalamus.records import Turn


class Tee(ThalamusEvents):
    """Passes events on to other listeners, and the text of tokens also to a function."""

    def __init__(self, events: ThalamusEvents, hear: Callable[[str], None]) -> None:
        super().__init__()
        self._events, self._hear = events, hear

    def on_event(self, event: ThalamusEvent) -> None:
        if isinstance(event, Token):
            self._hear(event.text)
        self._events.emit(event)


def stream(
    run: Callable[[Callable[[str], None]], Turn], cancel: CancelToken
) -> Iterator[str | Turn]:
    """Calls ``run`` in a thread; yields each text that it passes to its argument, then the turn
    that it returns. Closing the iterator early cancels the turn. Raises what ``run`` raises."""
    pieces: SimpleQueue[str | Turn | BaseException] = SimpleQueue()

    def work() -> None:
        try:
            pieces.put(run(pieces.put))
        except BaseException as error:  # raised where the pieces are read
            pieces.put(error)

    worker = Thread(target=work, name="thalamus-turn", daemon=True)
    worker.start()
    try:
        while isinstance(piece := pieces.get(), str):
            yield piece
        if isinstance(piece, BaseException):
            raise piece
        yield piece
    except GeneratorExit:
        cancel.cancel()
        raise
    finally:
        worker.join()
