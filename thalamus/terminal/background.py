"""Background work of a chat: answered turns are reflected on and stored, and idle time is used to
conclude insights. Nobody waits for it: a message stops it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from thalamus.cancel import CancelToken
from thalamus.errors import ThalamusError
from thalamus.events import StageFinished, StageStarted
from thalamus.logs import logger
from thalamus.terminal.history import drop_personal

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.events import ThalamusEvent, ThalamusEvents
    from thalamus.pipeline.crystallize import Crystallized
    from thalamus.pipeline.jobs import JobResult
    from thalamus.records import Turn

log = logger(__name__)

PATIENCE = 2.0  # seconds that the thread is waited for at the end
CALM = 2.0  # seconds without an answer or a key, after which turns of a quick chat are finished
INSIGHTS = "\0insights"  # marks work other than on a turn
SOME = 5  # turns of earlier commands that are finished before looking for other work
PAUSE = 0.005  # seconds between two checks for the end of a wait


class BackgroundWork:
    """A thread that finishes turns, with a store of its own, while nobody needs the model.

    First come the turns of this chat. In a quick chat, where messages come before the turns before
    them are finished, they wait until it is calm, and several are finished with one call. Then come
    those left by earlier commands. Last come insights, which are stopped as soon as somebody types.
    All of it is stopped when a message is sent, and taken up again after the answer.

    ``make`` creates the engine of the thread, which reports to ``events``. In the thread,
    ``on_finished`` is called with the result of each turn, ``on_concluded`` with the conclusions
    from one, and ``changed`` when the amount of work changed.
    """

    def __init__(
        self,
        make: Callable[[], Thalamus],
        events: ThalamusEvents,
        on_finished: Callable[[JobResult[Turn] | Exception], None],
        changed: Callable[[], None],
        on_concluded: Callable[[Crystallized], None] = lambda _: None,
    ) -> None:
        self._make = make
        self._on_finished = on_finished
        self._changed = changed
        self._on_concluded = on_concluded
        self.stage = ""  # of the turn being finished
        self.to_connect = 0  # turns without conclusions yet
        self._lock = threading.Condition()
        self._thread: threading.Thread | None = None
        self._own: list[str] = []  # turns of this chat that are not stored yet
        self._current: str | None = None  # what is worked on: a turn, "" or ``INSIGHTS``
        self._left = False  # whether earlier commands may have left work
        self._insights = False  # whether turns may wait for conclusions
        self._typing = False  # whether the user is typing
        self._paused = False  # whether the user waits for an answer
        self._awaited = 0  # waits for the turns of this chat
        self._quick = False  # whether messages come before the turns before them are finished
        self._calm_from = 0.0  # when the turns of this chat may be finished
        self._ending = False
        self._cancel = CancelToken()  # of the current work
        events.bind("on_event", self._hear)

    # Called in the thread of the prompt:

    @property
    def remembering(self) -> bool:
        """True if a turn is being finished or waits for it."""
        busy = self._current is not None and self._current != INSIGHTS
        return busy or bool(self._own)

    @property
    def earlier(self) -> bool:
        """True if the turn being finished was left by an earlier command."""
        return self._current == ""

    @property
    def concluding(self) -> bool:
        """True if insights are being concluded from a turn."""
        return self._current == INSIGHTS

    @property
    def unstored(self) -> bool:
        """True if a turn of this chat is not stored yet."""
        return bool(self._own)

    def add(self, turn: str) -> None:
        """Adds a turn of this chat."""
        with self._lock:
            self._own.append(turn)
            self._insights = True
            self._wait_for_calm()
            self._cancel_insights()
        self._start()

    def look(self) -> None:
        """Looks for turns that earlier commands left."""
        with self._lock:
            self._left = self._insights = True
        self._start()

    def typed(self) -> None:
        """Stops concluding insights until ``resume``, because the user is typing; in a quick chat
        nothing else is begun while keys come."""
        with self._lock:
            self._typing = True
            self._wait_for_calm()
            self._cancel_insights()

    def drop(self, turn: str) -> None:
        """Stops the work on a turn of this chat for good, because it is about to be undone.
        Anything stored by then is undone with it. Others that are read in the same call are begun
        again."""
        with self._lock:
            if turn in self._own:
                self._own.remove(turn)
                if self._current not in (None, "", INSIGHTS):
                    self._cancel.cancel()
            self._lock.notify_all()

    def wait_stored(self) -> None:
        """Waits until the turns of this chat are stored. May be interrupted."""
        self._wait(lambda: not self._own)

    def wait_planned(self) -> None:
        """Waits until their plans are made as well. May be interrupted."""
        self._wait(lambda: not self._own and (not self._current or self.concluding))

    def pause(self) -> None:
        """Stops the current work. Nothing is done until ``resume``, because the model is needed."""
        with self._lock:
            self._paused = True
            self._quick = bool(self._own)
            self._cancel.cancel()

    def resume(self) -> None:
        """Allows work again: the model is free and the user is not typing."""
        with self._lock:
            if self._paused:
                self._wait_for_calm()
            self._paused = self._typing = False
            self._lock.notify_all()

    def end(self) -> bool:
        """Waits until the turns of this chat are stored, and ends the thread. Returns True if it
        has ended. May be interrupted; a later command then does the rest."""
        with self._lock:
            self._ending = True
            self._cancel_unless_own()
            self._lock.notify_all()
        self.wait_stored()
        if self._thread is not None:
            self._thread.join(PATIENCE)
        return self._thread is None or not self._thread.is_alive()

    def _start(self) -> None:
        with self._lock:
            self._lock.notify_all()
            if self._thread is None or not self._thread.is_alive():
                # a daemon: a later command finishes the rest
                self._thread = threading.Thread(target=self._work, name="background", daemon=True)
                self._thread.start()

    def _wait(self, is_done: Callable[[], bool]) -> None:
        """Waits in the thread of the prompt, which Ctrl-C interrupts. Interrupting a wait for a
        condition may happen while the lock is acquired again; leaving it then fails."""
        self._awaited += 1
        try:
            with self._lock:
                self._lock.notify_all()
            while not is_done():
                time.sleep(PAUSE)
        finally:
            self._awaited -= 1

    # Runs in its own thread:

    def _work(self) -> None:
        try:
            with self._make() as thalamus:
                while (turn := self._next()) is not None:
                    if turn == INSIGHTS:
                        self._conclude(thalamus)
                    else:
                        self._finish(turn, thalamus)
        except Exception as error:
            self._on_finished(error)
        finally:
            with self._lock:
                self._own.clear()
                self._current = None
                self._lock.notify_all()
            self._changed()

    def _finish(self, turn: str, thalamus: Thalamus) -> None:
        """Finishes the turns of this chat, or, if ``turn`` is empty, some that earlier commands
        left, until there are turns of this chat."""
        with self._lock:
            own = [*self._own] if turn else []
        succeeded = False
        limit = None if own else SOME
        for found in thalamus.finish_turns(own or None, limit=limit, cancel=self._cancel):
            if found.cancelled:
                continue
            succeeded = found.result is not None
            if found.result is not None:
                drop_personal(thalamus.config.history_file, found.result)
            self._stored(found.job.turn)
            self._on_finished(found)
            if self._own and not own:
                break
        with self._lock:
            stopped = self._cancel.cancelled
            if not stopped:  # those without a job are finished or forgotten
                self._own = [one for one in self._own if one not in own]
            if own:
                # the model works: failed turns may succeed now
                self._left = self._left or succeeded
            elif not succeeded and not stopped:
                self._left = False
            self._current = None
            self._lock.notify_all()
        self._changed()

    def _conclude(self, thalamus: Thalamus) -> None:
        """Concludes insights from one turn; failures are left to `thalamus consolidate`."""
        result = None
        try:
            self.to_connect = thalamus.insights.count_jobs().get("waiting", 0)
            self._changed()
            for one in thalamus.insights.crystallize(1, cancel=self._cancel):
                result = one
                if one.result is not None:
                    self._on_concluded(one.result)
        except ThalamusError as error:
            log.info("insights: %s", error)
        with self._lock:
            stopped = result is not None and result.cancelled
            self._insights = stopped or (result is not None and result.problem is None)
            self._current = None
            self._lock.notify_all()
        self._changed()

    def _next(self) -> str | None:
        """The next turn, "" for one left by an earlier command, ``INSIGHTS``, or None at the
        end."""
        with self._lock:
            while not self._has_work():
                wait = self._calm_from - time.monotonic()
                self._lock.wait(wait if self._own and wait > 0 else None)
            self._cancel, self.stage = CancelToken(), ""
            if self._own:
                self._current = self._own[0]
            elif self._ending:
                self._current = None
            else:
                self._current = "" if self._left else INSIGHTS
        self._changed()
        return self._current

    def _has_work(self) -> bool:
        if self._own:
            urgent = self._awaited or self._ending
            calm = not self._paused and time.monotonic() >= self._calm_from
            return bool(urgent or calm)
        if self._ending:
            return True
        return not self._paused and (self._left or (self._insights and not self._typing))

    def _hear(self, event: ThalamusEvent) -> None:
        """Records the stage, and ends the wait for a turn once it is stored; its plan may
        follow."""
        if isinstance(event, StageStarted):
            self.stage = event.stage
            self._changed()
        elif isinstance(event, StageFinished) and event.stage == "store" and event.turn:
            self._stored(event.turn)

    def _stored(self, turn: str) -> None:
        """Ends the waits for a turn."""
        with self._lock:
            if turn in self._own:
                self._own.remove(turn)
            self._cancel_unless_own()
            self._lock.notify_all()

    def _wait_for_calm(self) -> None:
        """Puts off the turns of this chat if it is a quick one. Needs the lock."""
        self._calm_from = time.monotonic() + (CALM if self._quick else 0)

    def _cancel_insights(self) -> None:
        """Stops concluding. Needs the lock."""
        if self._current == INSIGHTS:
            self._cancel.cancel()

    def _cancel_unless_own(self) -> None:
        """Cancels the current work at the end, unless it is on turns of this chat. Needs the
        lock."""
        if self._ending and not (self._own and self._current not in (None, "", INSIGHTS)):
            self._cancel.cancel()
