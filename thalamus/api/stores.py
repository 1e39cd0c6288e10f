"""The open stores of a ``Thalamus``, of which each call has one alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from thalamus.store.base import Store

MOST = 32  # calls that run at once, beyond which one waits for another to end
IDLE = 8  # stores that are kept open while nothing uses them


class Slot:
    """A place for one open store. ``user``: what it is lent to; ``thread``: the identifier of the
    thread that was given its store outside of a call, if any; ``stale``: its store is to be closed
    at the end of its use."""

    def __init__(self) -> None:
        self.store: Store | None = None
        self.user: Literal["call", "generator"] | None = None
        self.thread: int | None = None
        self.stale = False


class Stores:
    """Open stores. They are lent to at most ``MOST`` calls at once, whatever the thread, and to any
    number of generators, which may be left half read. What a thread was given outside of a call is
    lent to no other thread as long as that lives, unless there is no other left."""

    def __init__(self) -> None:
        self._slots: list[Slot] = []
        self._changed = threading.Condition()
        self._here = threading.local()

    @property
    def running(self) -> Slot | None:
        """The slot of the call that is running in this thread."""
        slot: Slot | None = getattr(self._here, "slot", None)
        return slot

    def any_open(self) -> bool:
        """True if a store is open."""
        return any(slot.store is not None for slot in self._slots)

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
        used = slot or around or self.take("call")
        self._here.slot = used
        try:
            yield used
        finally:
            self._here.slot = around
            if used not in (slot, around):
                self.release(used)

    def take(self, user: Literal["call", "generator"]) -> Slot:
        """A slot that nothing else uses until its ``release``. A call may have to wait for one."""
        thread = threading.get_ident()
        with self._changed:
            while True:
                idle = [slot for slot in self._slots if slot.user is None]
                found = next((slot for slot in idle if slot.thread == thread), None)
                found = found or next((slot for slot in idle if _is_free(slot)), None)
                if found is None:
                    others = sum(slot.user != "generator" for slot in self._slots)
                    if user == "generator" or others < MOST:
                        found = Slot()
                        self._slots.append(found)
                    elif idle:
                        found = idle[0]
                if found is not None:
                    found.user = user
                    if found.thread != thread or user == "generator":
                        found.thread = None
                    return found
                self._changed.wait()

    def release(self, slot: Slot) -> None:
        """Ends the use of a slot."""
        closed = None
        with self._changed:
            if sum(one.user is None for one in self._slots) >= IDLE and slot.thread is None:
                self._slots.remove(slot)
                slot.stale = True
            if slot.stale:
                closed, slot.store, slot.stale = slot.store, None, False
            slot.user = None
            self._changed.notify()
        if closed is not None:
            closed.close()

    def close(self) -> None:
        """Closes the stores that no other thread is using now, and each other one at the end of its
        use."""
        running, closed = self.running, []
        with self._changed:
            for slot in self._slots:
                if slot.user is not None and slot is not running:
                    slot.stale = True
                elif slot.store is not None:
                    closed.append(slot.store)
                    slot.store = None
        for store in closed:
            store.close()


def _is_free(slot: Slot) -> bool:
    """True unless a thread that lives was given the store outside of a call."""
    given = slot.thread
    return given is None or all(thread.ident != given for thread in threading.enumerate())
