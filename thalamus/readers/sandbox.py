"""Reading of documents within limits of time and memory.

PDFs, web pages, feeds, and whatever comes from the network are read in a separate process that can
be killed: ``sys.executable`` runs ``main`` here, which writes one line of JSON. Text and Markdown
from files are limited by size and read in this process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from msgspec import DecodeError, Struct
from msgspec import json as mjson

from thalamus.errors import DocumentError
from thalamus.readers.detect import format_of, format_of_bytes, read_bytes, read_document
from thalamus.readers.feed import ReadFeed, read_feed
from thalamus.readers.open_file import too_slow
from thalamus.readers.protocol import Format, ReadDocument

MEMORY_MB = 2048
_IN_PROCESS = ("text", "markdown", "notebook")
# The package's folder goes last in the path, so that neither the working directory nor files next
# to the package can replace a module that the child imports.
_START = "import sys; sys.path.append({root!r}); from thalamus.readers.sandbox import main; main()"


class _Failure(Struct):
    reason: str
    kind: str


class _Task(Struct, frozen=True, omit_defaults=True):
    """Work for the child: a ``path``, or data on its standard input with a ``name``; both in bytes,
    since a path need not be text."""

    path: bytes | None = None
    name: bytes = b""
    format: Format | None = None
    charset: str | None = None
    feed: bool = False


class _Outcome(Struct, omit_defaults=True):
    """Output of the child: exactly one of these."""

    document: ReadDocument | None = None
    feed: ReadFeed | None = None
    failure: _Failure | None = None


def read_with_limit(path: Path, seconds: float, memory_mb: int = MEMORY_MB) -> ReadDocument:
    """Reads a document within ``seconds`` and (where the system supports it) ``memory_mb``.

    Raises the errors of ``detect.read_document``, and ``DocumentError`` of kind ``too_slow``,
    ``too_large`` (memory) or ``broken`` (the reader crashed).
    """
    if format_of(path) in _IN_PROCESS:
        return read_document(path)
    return _document(_run(_Task(path=os.fsencode(path)), None, str(path), seconds, memory_mb))


def read_bytes_with_limit(
    data: bytes, name: str, seconds: float, memory_mb: int = MEMORY_MB
) -> ReadDocument:
    """``read_with_limit`` for a document in memory, such as standard input."""
    if format_of_bytes(data[:1024], name) in _IN_PROCESS:
        return read_bytes(data, name)
    return _document(_run(_Task(name=os.fsencode(name)), data, name, seconds, memory_mb))


def read_page_with_limit(
    data: bytes, name: str, format: Format, charset: str | None, seconds: float
) -> ReadDocument:
    """``read_bytes_with_limit`` for a document from the network, in the ``format`` and ``charset``
    that its server named."""
    task = _Task(name=os.fsencode(name), format=format, charset=charset)
    return _document(_run(task, data, name, seconds, MEMORY_MB))


def read_feed_with_limit(data: bytes, name: str, seconds: float) -> ReadFeed:
    """A feed from the network. Raises as ``read_with_limit``."""
    found = _run(_Task(name=os.fsencode(name), feed=True), data, name, seconds, MEMORY_MB).feed
    assert found is not None
    return found


def _document(outcome: _Outcome) -> ReadDocument:
    assert outcome.document is not None
    return outcome.document


def _run(task: _Task, data: bytes | None, name: str, seconds: float, memory_mb: int) -> _Outcome:
    """The outcome of a task, which is not a failure."""
    limits = [str(memory_mb), str(int(seconds) + 5)]
    child = None
    try:
        with _interrupts_held():
            child = subprocess.Popen(
                [sys.executable, "-P", "-c", _start(), *limits, mjson.encode(task).decode()],
                stdin=subprocess.DEVNULL if data is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # its children die with it, and Ctrl-C only reaches us
            )
        output, complaint = child.communicate(data, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise too_slow(name, seconds) from None
    finally:
        if child is not None:
            _kill(child)
    if -child.returncode in (getattr(signal, "SIGXCPU", 0), signal.SIGALRM):
        raise too_slow(name, seconds)
    return _unpack(output, child.returncode, complaint, name)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Delays Ctrl-C until the child's id is known: before that, nothing could end it."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = False

    def hold(*_: object) -> None:
        nonlocal pressed
        pressed = True

    signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if pressed:
        signal.raise_signal(signal.SIGINT)


def _start() -> str:
    return _START.format(root=str(Path(__file__).resolve().parents[2]))


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Ends the child and its descendants; harmless if it has ended."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _unpack(output: bytes, status: int, complaint: bytes, name: str) -> _Outcome:
    try:
        outcome = mjson.decode(output, type=_Outcome)
    except DecodeError:
        outcome = _Outcome()
    if outcome.document is not None or outcome.feed is not None:
        return outcome
    if outcome.failure is not None:
        raise DocumentError(name, outcome.failure.reason, kind=outcome.failure.kind)
    if status < 0:
        raise DocumentError(name, f"reading it crashed the reader ({_signal_name(-status)})")
    last = complaint.decode(errors="replace").strip().rpartition("\n")[2][:200]
    raise DocumentError(name, f"the reader ended with status {status} {last}".strip())


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def main() -> NoReturn:
    """Entry point of the child: ``MEMORY_MB CPU_SECONDS TASK``, with data on standard input."""
    memory_mb, cpu_seconds, task = sys.argv[1:]
    answer = os.dup(1)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)  # output of libraries must not mix with the JSON
    os.dup2(silence, 2)
    _limit(int(memory_mb), int(cpu_seconds))
    outcome = _attempt(mjson.decode(task, type=_Task))
    with os.fdopen(answer, "wb") as stream:
        stream.write(mjson.encode(outcome))
    os._exit(0)  # nothing to clean up, and tearing down a large heap takes time


def _attempt(task: _Task) -> _Outcome:
    try:
        if task.path is not None:
            return _Outcome(document=read_document(Path(os.fsdecode(task.path))))
        data, name = sys.stdin.buffer.read(), os.fsdecode(task.name)
        if task.feed:
            return _Outcome(feed=read_feed(data, name))
        return _Outcome(document=read_bytes(data, name, task.format, task.charset))
    except DocumentError as error:
        return _Outcome(failure=_Failure(error.reason, error.kind))
    except MemoryError:
        return _Outcome(failure=_Failure("reading it takes too much memory", "too_large"))
    except RecursionError:
        return _Outcome(failure=_Failure("it is nested too deeply", "broken"))


def _limit(memory_mb: int, cpu_seconds: int) -> None:
    """Limits memory, and CPU time in case nobody is left to kill this process."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    wanted = ((resource.RLIMIT_AS, memory_mb << 20), (resource.RLIMIT_CPU, cpu_seconds))
    for which, amount in (*wanted, (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(which)
        soft = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
        with suppress(ValueError, OSError):  # macOS refuses RLIMIT_AS
            resource.setrlimit(which, (soft, hard))
