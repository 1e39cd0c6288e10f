"""Engines that several clients may use at once: each has a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillRunning
from typing import TypeVar

from thalamus.api import Thalamus
from thalamus.config import Config
from thalamus.errors import BadField, Interrupted, NothingFound, UsageError

T = TypeVar("T")
PATIENCE = 5.0  # seconds that running calls have to end in when the server stops
log = logging.getLogger(__name__)


class Engine:
    """A ``Thalamus``, which is not safe for several threads at once, in one thread: calls wait for
    each other. After one that the store failed, and when there is another store than before, it is
    opened again: it may have been restored, reset or created in the meantime."""

    def __init__(self, thalamus: Thalamus) -> None:
        self._thalamus = thalamus
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="thalamus-engine")
        self._opened: object = None
        self._stopped = False

    async def run(self, work: Callable[[Thalamus], T]) -> T:
        """What ``work`` returns or raises, in the engine's thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._run, work)

    def stop(self) -> Future[None]:
        """Closes the store after the calls that are running; those that wait are not begun."""
        self._stopped = True
        done = self._thread.submit(self._close)
        self._thread.shutdown(wait=False)
        return done

    def _run(self, work: Callable[[Thalamus], T]) -> T:
        if self._stopped:
            raise Interrupted
        if self._opened != self._file():
            self._close()
        self._thalamus.failures.clear()
        try:
            return work(self._thalamus)
        except (UsageError, NothingFound, BadField):
            raise  # the caller's mistake
        except Exception:
            self._close()
            raise
        finally:
            self._opened = self._file()

    def _file(self) -> object:
        """Which file the store is; None when there is none."""
        try:
            found = self._thalamus.store.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _close(self) -> None:
        try:
            self._thalamus.close()
        except Exception as error:  # what could not be closed is not used again
            log.warning("cannot close the store: %s", error)
            self._thalamus = self._thalamus.sibling()


class Engines:
    """One engine for what reads and one for what writes, so that nobody who asks waits for somebody
    who stores; they share their models. Raises as ``Thalamus``."""

    def __init__(self, config: Config) -> None:
        first = Thalamus(config=config)
        self.reading = Engine(first)
        self.writing = Engine(first.sibling())

    def stop(self) -> None:
        """Closes both stores; waits a while for calls that are running. What a call that takes
        longer was about to write is not written, as if the process had been killed."""
        for done in [engine.stop() for engine in (self.writing, self.reading)]:
            with contextlib.suppress(StillRunning):
                done.result(PATIENCE)
