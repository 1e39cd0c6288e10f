"""llama.cpp in this process: models are loaded once, shared, and can be stopped.

``xllamacpp`` runs llama.cpp's server inside the process. The server insists on listening on an
address, although nothing connects to it; ``_hide`` makes it unreachable.
"""

from __future__ import annotations

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
from thalamus.extras import install_command, installed
from thalamus.models.gguf import Header, is_gguf, read_header

Emit = Callable[[Any], bool]

# tokens of a prompt between two chances to stop: about a second on a slow machine
_PROMPT_BATCH = 256
_LONGEST_SOCKET = 90  # bytes; the system limits a socket's path to about 104
_LOCK = threading.Lock()
_LOADED: dict[Settings, Any] = {}
# concurrent calls of one model: the user's and one in the background; others wait
AT_ONCE = 2
_FREE: dict[Settings, threading.Semaphore] = {}
# first message of the prompt in each slot, least recently used first
_BEGINNINGS: dict[Settings, dict[str, int]] = {}


class Settings(Struct, frozen=True):
    """File and options of a loaded model; equal settings share one model in memory.

    ``context``: tokens per slot. ``threads``: for reading prompts and writing replies; 0: all cores
    for reading, all but one for writing (``default_threads``). ``slots``: conversations whose
    prompt prefix is cached; one slot caches nothing. ``ranking``: an embedding model that returns a
    score instead of a vector.
    """

    path: str
    context: int
    threads: int
    embedding: bool
    slots: int = 1
    ranking: bool = False


def default_threads() -> int:
    """Number of cores available to this process less one, at least one.

    One thread more than free cores makes generation collapse, because the threads wait for each
    other at every step. Reading a prompt has longer steps and uses all cores (``configure``).
    """
    return max(1, _cores() - 1)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def inspect(name: str, path: Path) -> Header:
    """Reads the model's header before native code gets the file, which may crash on invalid data.

    Raises ``ModelMissing`` if the file does not exist or is not a model, ``ModelFailed`` if it is
    damaged.
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

    Raises ``ModelMissing`` if the package is missing, ``ModelFailed`` if the file cannot be loaded.
    """
    with _LOCK:
        if settings not in _LOADED:
            _LOADED[settings] = _load(name, settings)
        return _LOADED[settings]


@contextmanager
def place(settings: Settings) -> Iterator[None]:
    """Waits until the model can take one more call.

    Its slots share memory for as many full contexts as there may be concurrent calls; one call more
    could abort the others.
    """
    with _LOCK:
        free = _FREE.setdefault(settings, threading.Semaphore(AT_ONCE))
    with free:
        yield


def slot_of(settings: Settings, beginning: str) -> int:
    """The slot for a prompt with this first message: the one that had it last, else a free one,
    else the least recently used."""
    with _LOCK:
        known = _BEGINNINGS.setdefault(settings, {})
        slot = known.pop(beginning, None)
        if slot is None:
            slot = len(known) if len(known) < settings.slots else known.pop(next(iter(known)))
        known[beginning] = slot
        return slot


def require_package(name: str) -> None:
    """Raises ``ModelMissing`` if the package that runs llama.cpp is not installed."""
    if not installed("xllamacpp"):
        raise _not_installed(name)


def _not_installed(name: str) -> ModelMissing:
    fix = f"Install it with `{install_command('local')}`."
    return ModelMissing(name, "the package xllamacpp is not installed", fix=fix)


def _load(name: str, settings: Settings) -> Any:
    try:
        import xllamacpp
    except ImportError:
        raise _not_installed(name) from None
    parameters = configure(xllamacpp.CommonParams(), settings)
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


def configure(parameters: Any, settings: Settings) -> Any:
    """llama.cpp's parameters (``CommonParams``) for the settings."""
    parameters.model.path = settings.path
    parameters.n_ctx = settings.context
    parameters.cpuparams.n_threads = settings.threads or default_threads()
    parameters.cpuparams_batch.n_threads = settings.threads or _cores()
    parameters.verbosity = -1
    parameters.warmup = False
    parameters.n_parallel = settings.slots
    # with one slot no prompt is cached, since that would change replies (llamacpp.py)
    parameters.cache_prompt = settings.slots > 1
    if settings.slots > 1:
        # Each slot may use a whole context, in memory shared by all. When it runs out, the caches
        # of idle slots go first.
        parameters.kv_unified = True
        parameters.kv_unified_per_slot = settings.context
        parameters.n_ctx = AT_ONCE * settings.context
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
        parameters.fit_params = False  # it loads the model twice, to fit a large one into memory
        parameters.n_batch = parameters.n_ubatch = settings.context
        if settings.ranking:
            from xllamacpp import llama_pooling_type

            parameters.pooling_type = llama_pooling_type.LLAMA_POOLING_TYPE_RANK
    else:
        parameters.n_batch = parameters.n_ubatch = _PROMPT_BATCH
        # thoughts would use up `max_tokens`, which is sized for the reply alone
        parameters.enable_reasoning = 0
    return parameters


def _hide(parameters: Any, folder: str) -> None:
    """Makes the server unreachable for others.

    It listens on a socket file in a private folder that is deleted as soon as the model is loaded,
    so that nobody can connect. If that is not possible, it uses a random port on the loopback
    address. A random key that nobody knows guards both.
    """
    socket = str(Path(folder) / "llama.sock")
    if os.name == "posix" and len(os.fsencode(socket)) <= _LONGEST_SOCKET:
        parameters.hostnames = [socket]


def pieces(task: Callable[[Emit], None]) -> Generator[Any, None, None]:
    """Runs ``task(emit)`` in its own thread and yields the emitted items.

    ``emit`` returns True once nobody listens any more; the task should then end. Native code delays
    a signal until it returns and swallows exceptions in callbacks, while a waiting thread can be
    interrupted at once. Exceptions of ``task`` are raised here.
    """
    items: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
    abandoned = threading.Event()

    def emit(item: Any) -> bool:
        items.put((False, item))
        return abandoned.is_set()

    def work() -> None:
        try:
            task(emit)
            items.put((True, None))
        except BaseException as error:
            items.put((True, error))

    # not a daemon: the interpreter must not shut down under native code
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
        abandoned.set()


def error_words(error: Any) -> str:
    """Message of an exception or of llama.cpp's error reply, on one line, at most 300
    characters."""
    message = error.get("message", error) if isinstance(error, Mapping) else error
    return " ".join(str(message).split())[:300] or type(error).__name__
