"""The Python API for asyncio: the methods of ``Thalamus``, run in threads."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from thalamus.api import S, Thalamus
from thalamus.api.stores import MOST
from thalamus.cancel import CancelToken

if TYPE_CHECKING:
    from types import TracebackType

    from thalamus.memory.draft import Storable
    from thalamus.records import Memory

P = ParamSpec("P")
R = TypeVar("R")
_END = object()


class _Method(Generic[P, R]):
    """A method of ``Thalamus`` that is awaited."""

    def __init__(self, function: Callable[Concatenate[Thalamus, P], R]) -> None:
        self._name = function.__name__
        self.__doc__ = function.__doc__

    def __get__(
        self, instance: AsyncThalamus, owner: type[AsyncThalamus]
    ) -> Callable[P, Coroutine[Any, Any, R]]:
        if instance is None:
            return self
        return partial(instance.call, getattr(instance.sync, self._name))


class _Stream(Generic[P, R]):
    """A method of ``Thalamus`` whose results are iterated over with ``async for``."""

    def __init__(self, function: Callable[Concatenate[Thalamus, P], Iterator[R]]) -> None:
        self._name = function.__name__
        self.__doc__ = function.__doc__

    def __get__(
        self, instance: AsyncThalamus, owner: type[AsyncThalamus]
    ) -> Callable[P, AsyncGenerator[R, None]]:
        if instance is None:
            return self
        return partial(instance.iterate, getattr(instance.sync, self._name))


class _View:
    """A view of ``Thalamus``, whose methods are awaited, or iterated over if they yield results."""

    def __init__(self, thalamus: AsyncThalamus, view: Any) -> None:
        self._thalamus, self._view = thalamus, view

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._view, name)
        if not callable(found):
            return found
        results = str(inspect.signature(found).return_annotation)
        run = self._thalamus.iterate if results.startswith("Iterator") else self._thalamus.call
        return partial(run, found)

    def __dir__(self) -> list[str]:
        return dir(self._view)


class AsyncThalamus:
    """A ``Thalamus`` (``sync``) for asyncio. Its methods have the same names and parameters and are
    awaited; those that yield results are iterated over with ``async for``, as in ``async for piece
    in thalamus.stream_turn(message)``. The views (``thalamus.memories`` …) work alike.

    A task that is cancelled cancels its turn, as ``CancelToken`` does: the connection to the model
    is closed, and what there is of the turn is stored. Other calls are finished in their thread.
    """

    def __init__(self, thalamus: Thalamus | None = None, **settings: Any) -> None:
        """``thalamus``: the object to use, or else one made with these ``settings``. Raises as
        ``Thalamus``."""
        self.sync = thalamus or Thalamus(**settings)
        self._threads = _threads()

    async def __aenter__(self) -> AsyncThalamus:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    turn = _Method(Thalamus.turn)
    answer_only = _Method(Thalamus.answer_only)
    answer_turn = _Method(Thalamus.answer_turn)
    stream_turn = _Stream(Thalamus.stream_turn)
    finish_turns = _Stream(Thalamus.finish_turns)
    unfinished_turns = _Method(Thalamus.unfinished_turns)
    run_stage = _Method(Thalamus.run_stage)
    stages = _Method(Thalamus.stages)
    look_up_models = _Method(Thalamus.look_up_models)
    new_session = _Method(Thalamus.new_session)
    recall = _Method(Thalamus.recall)
    prompt_block = _Method(Thalamus.prompt_block)
    observe = _Method(Thalamus.observe)
    ingest = _Method(Thalamus.ingest)
    forget = _Method(Thalamus.forget)
    finish_forgetting = _Method(Thalamus.finish_forgetting)
    undo = _Method(Thalamus.undo)
    why = _Method(Thalamus.why)
    metrics = _Method(Thalamus.metrics)
    settings = _Method(Thalamus.settings)

    @overload
    async def remember(self, records: str, *, decide: bool = False) -> Memory: ...

    @overload
    async def remember(self, records: S, *, decide: bool = False) -> S: ...

    @overload
    async def remember(self, records: Sequence[S], *, decide: bool = False) -> list[S]: ...

    @overload
    async def remember(  # type: ignore[overload-cannot-match]
        self, records: Sequence[Storable], *, decide: bool = False
    ) -> list[Storable]: ...

    async def remember(self, records: Any, *, decide: bool = False) -> Any:
        """See ``Thalamus.remember``."""
        return await self.call(self.sync.remember, records, decide=decide)

    async def close(self) -> None:
        """Ends the sessions and closes the store, after the calls that are running."""
        running, self._threads = self._threads, _threads()
        await asyncio.to_thread(running.shutdown)
        await asyncio.to_thread(self.sync.close)

    def __getattr__(self, name: str) -> Any:
        """A view, or what is known without waiting (``PLAIN``), by its name."""
        if name in VIEWS:
            return _View(self, getattr(self.sync, name))
        if name in PLAIN:
            return getattr(self.sync, name)
        raise AttributeError(f"AsyncThalamus has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *VIEWS, *PLAIN]

    async def call(self, function: Callable[P, R], *args: P.args, **named: P.kwargs) -> R:
        """Result of a function in a thread. When the task is cancelled, so is the function if it
        takes a ``CancelToken`` as ``cancel``."""
        token, work = _cancellable(function, args, named)
        running = asyncio.get_running_loop().run_in_executor(self._threads, work)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            token.cancel()
            raise

    async def iterate(
        self, function: Callable[P, Iterator[R]], *args: P.args, **named: P.kwargs
    ) -> AsyncGenerator[R, None]:
        """Results of a generator function, each made in a thread. It is closed when the iteration
        ends early, and cancelled as in ``call``."""
        loop = asyncio.get_running_loop()
        token, work = _cancellable(function, args, named)
        results = await loop.run_in_executor(self._threads, work)
        running: asyncio.Future[Any] | None = None
        found: Any = None
        try:
            while found is not _END:
                running = loop.run_in_executor(self._threads, next, results, _END)
                found = await asyncio.shield(running)
                if found is not _END:
                    yield found
        finally:
            if found is not _END:  # it was left early
                token.cancel()
                if running is not None and not running.done():
                    await asyncio.wait([running])
                close = getattr(results, "close", None)
                if close is not None:
                    await loop.run_in_executor(self._threads, close)


VIEWS = frozenset(
    "memories facts insights projects sources sessions models tools keys store".split()
)
PLAIN = frozenset("agent failures here rules session user".split())


def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(MOST, thread_name_prefix="thalamus")


def _cancellable(
    function: Callable[..., R], args: Sequence[Any], named: dict[str, Any]
) -> tuple[CancelToken, Callable[[], R]]:
    """A call, and the token that cancels it: the one that it is given, or else a new one, which
    does nothing if the function takes none."""
    takes = "cancel" in inspect.signature(function).parameters
    token: CancelToken = (named.get("cancel") if takes else None) or CancelToken()
    if takes:
        named = {**named, "cancel": token}
    return token, partial(function, *args, **named)
