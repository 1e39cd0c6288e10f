"""Workers that several clients can use at once, each with its own thread."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillRunning
from typing import TypeVar

from msgspec import Struct, structs

from thalamus.api import Thalamus
from thalamus.config import Config
from thalamus.errors import BadField, Interrupted, NothingFound, UsageError
from thalamus.logs import logger

T = TypeVar("T")
PATIENCE = 5.0  # seconds for running calls to end when the server stops
log = logger(__name__)


class Worker:
    """A ``Thalamus`` in one thread, which runs calls in turn. The store is reopened after an error,
    and when its file is another one: it may have been restored, reset or created in the meantime.
    """

    def __init__(self, thalamus: Thalamus) -> None:
        self._thalamus = thalamus
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="thalamus-worker")
        self._opened: object = None
        self._stopped = False

    async def run(self, work: Callable[[Thalamus], T]) -> T:
        """Result of ``work`` in the thread of the worker, or its exception."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._answer, work)

    def submit(self, work: Callable[[Thalamus], object]) -> None:
        """Runs ``work`` later, also if the server is stopped before; a failure is logged."""

        def run() -> None:
            try:
                self._run(work)
            except Exception as error:
                log.warning("cannot write to the ledger: %s", error)

        with contextlib.suppress(RuntimeError):  # the server has stopped
            self._thread.submit(run)

    def stop(self) -> Future[None]:
        """Closes the store after the running calls; waiting ones are not started, but what was
        submitted is."""
        self._stopped = True
        done = self._thread.submit(self._close)
        self._thread.shutdown(wait=False)
        return done

    def _answer(self, work: Callable[[Thalamus], T]) -> T:
        if self._stopped:
            raise Interrupted
        return self._run(work)

    def _run(self, work: Callable[[Thalamus], T]) -> T:
        if self._opened != self._thalamus.store.identity():
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
            self._opened = self._thalamus.store.identity()

    def _close(self) -> None:
        try:
            self._thalamus.close()
        except Exception as error:  # what could not be closed is not used again
            log.warning("cannot close the store: %s", error)
            self._thalamus = self._thalamus.sibling()


class Pair(Struct, frozen=True):
    """One worker for reading and one for writing, so that queries do not wait for writes."""

    reading: Worker
    writing: Worker


class Workers:
    """Workers for each user and agent that clients may reach; they share their models. Raises the
    errors of ``Thalamus``."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._first = Thalamus(config=config)
        self._pairs: dict[tuple[str, str], Pair] = {}
        self.own = self.of(None, None)

    def of(self, user: str | None, agent: str | None) -> Pair:
        """The workers for a user and an agent; None is that of the server."""
        owner = user or self._config.user, agent or self._config.agent
        if owner not in self._pairs:
            config = structs.replace(self._config, user=owner[0], agent=owner[1])
            reading = self._first.sibling(config=config) if self._pairs else self._first
            self._pairs[owner] = Pair(Worker(reading), Worker(reading.sibling()))
        return self._pairs[owner]

    def stop(self) -> None:
        """Closes the stores after waiting briefly for running calls. A longer call's writes are
        lost as if the process had been killed."""
        pairs = self._pairs.values()
        workers = [worker for pair in pairs for worker in (pair.writing, pair.reading)]
        for done in [worker.stop() for worker in workers]:
            with contextlib.suppress(StillRunning):
                done.result(PATIENCE)
