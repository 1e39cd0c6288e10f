"""llama.cpp in this process: a model is loaded once, shared, and can be stopped.

``xllamacpp`` runs llama.cpp's server inside the process. The server insists on listening
somewhere, although nothing here talks to it that way; see ``_hide`` for how it is kept to itself.
"""

from __future__ import annotations

import importlib.util
import os
import queue
import secrets
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from thalamus.errors import ModelFailed, ModelMissing
from thalamus.models.gguf import Header, is_gguf, read_header

Emit = Callable[[Any], bool]

# How much of a prompt is read between two chances to stop: a second or so on a slow machine.
_PROMPT_BATCH = 256
_LONGEST_SOCKET = 90  # bytes; the system's limit for a socket's path is about 104
_LOCK = threading.Lock()
_LOADED: dict[Settings, Any] = {}
# Calls that one model answers at once: the person's and one in the background. More wait.
_AT_ONCE = 2
_PLACES: dict[Settings, threading.Semaphore] = {}
# what the prompt in each slot begins with, the one used longest ago first
_BEGINNINGS: dict[Settings, dict[str, int]] = {}


class Settings(Struct, frozen=True):
    """Which file to load and how; models with equal settings are one model in memory.

    ``context`` is in tokens and for each slot. ``threads`` read a prompt and write a reply; 0: all
    cores read, and all but one write (``default_threads``). A slot is a conversation that the model
    remembers the beginning of; with one slot it remembers nothing. ``ranking``: an embedding model
    that gives a score instead of a vector.
    """

    path: str
    context: int
    threads: int
    embedding: bool
    slots: int = 1
    ranking: bool = False


def default_threads() -> int:
    """The cores that this process may use less one, at least one.

    One more thread than free cores makes generation collapse, because the threads wait for each
    other at every step. Reading a prompt has longer steps and takes all cores (``configured``).
    """
    return max(1, _cores() - 1)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def inspect(name: str, path: Path) -> Header:
    """Reads the model's header before its bytes go to native code, which may not survive them.

    Raises ``ModelMissing`` when there is no such file or it is not a model, ``ModelFailed`` when
    it is damaged.
    """
    fix = "Give the path of a GGUF file, or pull one with `thalamus models pull smollm2`."
    try:
        if not path.is_file():
            raise ModelMissing(name, f"no such file: {path}", fix=fix)
        if not is_gguf(path):
            raise ModelMissing(name, f"{path} is not a GGUF file", fix=fix)
        return read_header(path)
    except OSError as error:
        reason = f"cannot read {path}: {error.strerror}"
        raise ModelMissing(name, reason, fix="Fix the permissions of the file.") from None
    except ValueError as error:
        raise ModelFailed(name, f"{path} is damaged: {error}", fix="Pull it again.") from None


def load(name: str, settings: Settings) -> Any:
    """The loaded model, shared by all callers with these settings.

    Raises ``ModelMissing`` without the package, ``ModelFailed`` when the file cannot be loaded.
    """
    with _LOCK:
        if settings not in _LOADED:
            _LOADED[settings] = _load(name, settings)
        return _LOADED[settings]


@contextmanager
def place(settings: Settings) -> Iterator[None]:
    """Waits until the model has room for one more call.

    Its slots share memory for as many full contexts as calls may run at once; a further one
    could break off those that run.
    """
    with _LOCK:
        free = _PLACES.setdefault(settings, threading.Semaphore(_AT_ONCE))
    with free:
        yield


def slot_of(settings: Settings, beginning: str) -> int:
    """The slot for a prompt with this beginning: the one that had it last, or else a free one, or
    else the one that was used longest ago."""
    with _LOCK:
        known = _BEGINNINGS.setdefault(settings, {})
        slot = known.pop(beginning, None)
        if slot is None:
            slot = len(known) if len(known) < settings.slots else known.pop(next(iter(known)))
        known[beginning] = slot
        return slot


def installed(name: str) -> None:
    """Raises ``ModelMissing`` when the package that runs llama.cpp is not installed."""
    try:
        found = importlib.util.find_spec("xllamacpp")
    except ValueError:
        found = None
    if found is None:
        raise _not_installed(name)


def _not_installed(name: str) -> ModelMissing:
    fix = "Install it with `pip install 'thalamus-memory[local]'`."
    return ModelMissing(name, "the package xllamacpp is not installed", fix=fix)


def _load(name: str, settings: Settings) -> Any:
    try:
        import xllamacpp
    except ImportError:
        raise _not_installed(name) from None
    parameters = configured(xllamacpp.CommonParams(), settings)
    with ExitStack() as stack:
        with suppress(OSError):  # no writable temporary folder
            folder = tempfile.TemporaryDirectory(prefix="thalamus-")
            _hide(parameters, stack.enter_context(folder))
        try:
            return xllamacpp.Server(parameters)
        except (RuntimeError, ValueError) as error:
            reason = f"llama.cpp cannot load it ({error_words(error)})"
            fix = "The file may be damaged, too new for this version, or too large for the memory."
            raise ModelFailed(name, reason, fix=fix) from None


def configured(parameters: Any, settings: Settings) -> Any:
    """llama.cpp's parameters (``CommonParams``) with the settings in them."""
    parameters.model.path = settings.path
    parameters.n_ctx = settings.context
    parameters.cpuparams.n_threads = settings.threads or default_threads()
    parameters.cpuparams_batch.n_threads = settings.threads or _cores()
    parameters.verbosity = -1
    parameters.warmup = False
    parameters.n_parallel = settings.slots
    # With one slot no memory is kept of earlier prompts: it would change replies (llamacpp.py).
    parameters.cache_prompt = settings.slots > 1
    if settings.slots > 1:
        # Each slot may use a whole context, of memory that all share. What an idle slot remembers
        # goes first when it runs out.
        parameters.kv_unified = True
        parameters.kv_unified_per_slot = settings.context
        parameters.n_ctx = _AT_ONCE * settings.context
        parameters.cache_idle_slots = False
    parameters.cache_ram_mib = 0
    parameters.n_ctx_checkpoints = 0
    parameters.api_keys = [secrets.token_hex(32)]
    parameters.endpoint_slots = False
    parameters.endpoint_props = False
    parameters.endpoint_metrics = False
    parameters.ui = False
    if settings.embedding:
        parameters.embedding = True
        parameters.n_batch = parameters.n_ubatch = settings.context
        if settings.ranking:
            from xllamacpp import llama_pooling_type

            parameters.pooling_type = llama_pooling_type.LLAMA_POOLING_TYPE_RANK
    else:
        parameters.n_batch = parameters.n_ubatch = _PROMPT_BATCH
        # Thoughts would use up `max_tokens`, which is sized for the reply alone.
        parameters.enable_reasoning = 0
    return parameters


def _hide(parameters: Any, folder: str) -> None:
    """Keeps the server from being reached by others.

    It listens on a socket file in a private folder that is gone as soon as the model is loaded,
    so that nobody can connect. Where that is not possible it takes a random port on the loopback
    address; a random key, which nobody knows, guards both.
    """
    socket = str(Path(folder) / "llama.sock")
    if os.name == "posix" and len(os.fsencode(socket)) <= _LONGEST_SOCKET:
        parameters.hostnames = [socket]


def pieces(task: Callable[[Emit], None]) -> Generator[Any, None, None]:
    """Runs ``task(emit)`` in a thread of its own and yields what it emits.

    ``emit`` returns true once nobody listens any more; the task should then end. Native code
    holds up a signal until it returns, and swallows an exception in its callback; a thread that
    only waits can be interrupted at once. What ``task`` raises is raised here.
    """
    items: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
    gone = threading.Event()

    def emit(item: Any) -> bool:
        items.put((False, item))
        return gone.is_set()

    def work() -> None:
        try:
            task(emit)
            items.put((True, None))
        except BaseException as error:
            items.put((True, error))

    # Not a daemon: the interpreter must not be taken down under native code.
    threading.Thread(target=work, name="llama.cpp").start()
    try:
        while True:
            ended, item = items.get()
            if ended and item is not None:
                raise item
            if ended:
                return
            yield item
    finally:
        gone.set()


def error_words(error: Any) -> str:
    """What an exception, or an error in an answer of llama.cpp, says, as one line of bearable
    length."""
    message = error.get("message", error) if isinstance(error, Mapping) else error
    return " ".join(str(message).split())[:300] or type(error).__name__
