"""The open stores of a ``Thalamus``, of which each call has one alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.store.base import Store

MOST = 32  # stores open at once, beyond which a call waits for another to end


class Slot:
    """A place for one open store. ``calls``: those that are using it; ``thread``: the identifier of
    the thread that was given its store outside of a call, if any; ``stale``: the store is closed as
    soon as no call uses it."""

    def __init__(self) -> None:
        self.store: Store | None = None
        self.thread: int | None = None
        self.calls = 0
        self.stale = False

    def close(self) -> None:
        """Closes the store, if one is open."""
        store, self.store, self.stale = self.store, None, False
        if store is not None:
            store.close()


class Stores:
    """At most ``MOST`` open stores, which are lent to calls, whatever the thread. What a thread was
    given outside of a call is lent to no other thread as long as that lives, unless there is no
    other left."""

    def __init__(self) -> None:
        self._slots: list[Slot] = []
        self._changed = threading.Condition()
        self._here = threading.local()

    @property
    def running(self) -> Slot | None:
        """The slot of the call that is running in this thread."""
        slot: Slot | None = getattr(self._here, "slot", None)
        return slot

    def current(self, open: Callable[[], Store | None]) -> Store | None:
        """The store of the call that is running in this thread, or else of the thread; opened on
        first use, None if ``open`` returns none."""
        is_call = self.running is not None
        with self.lent() as slot:
            if slot.store is None:
                slot.store = open()
            if not is_call:
                slot.thread = threading.get_ident()
            return slot.store

    @contextmanager
    def lent(self, slot: Slot | None = None) -> Iterator[Slot]:
        """A slot for a call in this thread: ``slot``, or else that of the call around it, or else a
        free one."""
        around = self.running
        used = slot or around or self.take()
        self._here.slot = used
        try:
            yield used
        finally:
            self._here.slot = around
            if used not in (slot, around):
                self.release(used)

    def take(self) -> Slot:
        """A slot that nothing else uses until its ``release``, after waiting for one if need be."""
        thread = threading.get_ident()
        with self._changed:
            while True:
                idle = [slot for slot in self._slots if not slot.calls]
                if idle:
                    alive = {other.ident for other in threading.enumerate()}
                    free = [slot for slot in idle if slot.thread not in alive]
                    own = [slot for slot in idle if slot.thread == thread]
                    full = len(self._slots) >= MOST
                    chosen = next(iter([*own, *free, *(idle if full else [])]), None)
                else:
                    chosen = None
                if chosen is None and len(self._slots) < MOST:
                    chosen = Slot()
                    self._slots.append(chosen)
                if chosen is not None:
                    chosen.calls = 1
                    if chosen.thread != thread:
                        chosen.thread = None
                    return chosen
                self._changed.wait()

    def release(self, slot: Slot) -> None:
        """Ends the use of a slot."""
        with self._changed:
            slot.calls -= 1
            closes = slot.stale and not slot.calls
            self._changed.notify()
        if closes:
            slot.close()

    def close(self) -> None:
        """Closes the stores that no other thread is using now, and each other one when its call
        ends."""
        running = self.running
        with self._changed:
            for slot in self._slots:
                slot.stale = slot.calls > 0 and slot is not running
            closed = [slot for slot in self._slots if not slot.stale]
        for slot in closed:
            slot.close()
