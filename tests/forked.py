"""Python as a process of its own, without waiting for it to start each time.

A server that has imported everything forks for each command: what runs is ``python -m thalamus`` in
a process with its own environment, folder, files and exit status. ``tests/warm_python.py`` is its
client on a command line. What depends on how an interpreter begins or ends (imports, signals, pipes
that close) is tested with new ones.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import gc
import importlib
import marshal
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
import traceback
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, TemporaryFile, mkdtemp
from typing import AnyStr

# what modules of the package import where it is used
IMPORTED = (
    "numpy tantivy usearch.index rich.console rich.markdown rich.progress sqlite_utils yaml"
    " jsonschema ahocorasick_rs httpx anyio._backends._asyncio typer._click.decorators"
    " typer._click._textwrap thalamus.serving.broadcast cryptography.hazmat.primitives.ciphers.aead"
    " encodings.idna encodings.utf_8_sig encodings.utf_16_le"
).split()
# what hardly any command uses, and every process that is forked would carry along
LEFT_OUT = ("thalamus.__main__", "thalamus.serving", "thalamus.ui")
# patterns are compiled when a text may match them: messages like those of the tests
SAID = [
    "I have a cat named Fado.",
    "My name is Ana and I live in Lisbon.",
    "I moved to Porto last week, because I work at Siemens now.",
    "I like green tea, but I don't like coffee any more.",
    "My sister Ana's birthday is on 9 May 1990.",
    "Please always answer in German, and be brief.",
    "Your name is Gwen. Remember that I am allergic to nuts.",
    "Where do I live, and what did I say about my cat?",
    "What do you know about me?",
    "Write a poem about the sea.",
    "Actually, that's wrong: I never lived in Rome.",
    "My project is the herb garden, and my goal is to finish it by June.",
    "I must not forget the café.",
]
# commands that most tests use: parsers, decoders and lists are built when they are first run
REHEARSED = (
    ["turn", "My sister Ana lives in Porto, and I like green tea."],
    ["turn", "--json", "Where does my sister live?"],
    ["retrieve", "--json", "tea"],
    ["facts"],
    ["facts", "add", "Ana", "likes", "coffee"],
    ["memory", "list", "--json"],
    ["export"],
    ["why", "tea"],
    ["forget", "--query", "tea", "--dry-run"],
)
CLIENT = Path(__file__).with_name("warm_python.py")


class Server:
    """Runs commands, also several at once, with these modules imported besides. It ends with this
    process."""

    def __init__(self, also: Iterable[str] = ()) -> None:
        self._folder = mkdtemp()
        self.address = str(Path(self._folder, "socket"))
        self._mine, its = socket.socketpair()
        with socket.socket(socket.AF_UNIX) as listener, its:
            listener.bind(self.address)
            listener.listen(64)
            numbers = [listener.fileno(), its.fileno()]
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.forked", *map(str, numbers), *also],
                pass_fds=numbers,
                stdin=subprocess.DEVNULL,
                cwd=Path(__file__).parents[1],
            )
        atexit.register(self.stop)

    def run(
        self, arguments: list[str], data: bytes, env: dict[str, str], cwd: Path, timeout: float
    ) -> tuple[bytes, bytes, int]:
        """What ``thalamus`` wrote to its output and its error output, and its exit status."""
        wanted = ["-m", "thalamus", *arguments]
        encoded = {os.fsencode(name): os.fsencode(value) for name, value in env.items()}
        with contextlib.ExitStack() as stack:
            files = [stack.enter_context(TemporaryFile()) for _ in range(3)]
            files[0].write(data)
            files[0].seek(0)
            channel = stack.enter_context(socket.socket(socket.AF_UNIX))
            channel.settimeout(timeout)
            channel.connect(self.address)
            request = marshal.dumps((wanted, encoded, str(cwd), 0o022))
            head = len(request).to_bytes(4, "big")
            socket.send_fds(channel, [head], [file.fileno() for file in files])
            channel.sendall(request)
            try:
                code = int(channel.recv(16))
            except TimeoutError:
                raise AssertionError(f"{arguments} took more than {timeout} s") from None
            for file in files:
                file.seek(0)
            return files[1].read(), files[2].read(), code

    def stop(self) -> None:
        self._mine.close()
        self._process.wait()
        rmtree(self._folder, ignore_errors=True)


@cache
def server(*also: str) -> Server:
    return Server(also)


def python(*also: str) -> list[str]:
    """How a command line begins that would begin with ``sys.executable``: ``-m``, ``-c`` or a file
    may follow, and what they take. Signals are passed on (SIGKILL by ``Process``); limits are not.
    """
    return [sys.executable, "-I", "-S", str(CLIENT), server(*also).address]


def script(path: Path) -> None:
    """Makes a file that runs ``thalamus``."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'#!/bin/sh\nexec {" ".join(python())} -m thalamus "$@"\n')
    path.chmod(0o755)


class Process(subprocess.Popen[AnyStr]):
    """One whose command line begins with ``python()``: what is killed is the process behind it."""

    def send_signal(self, sig: int) -> None:
        super().send_signal(signal.SIGUSR1 if sig == signal.SIGKILL else sig)


class Commands:
    """The processes that run, by number, each with the connection of whoever waits for it."""

    def __init__(self, listener: socket.socket, alive: socket.socket) -> None:
        self._listener = listener
        self._alive = alive
        self._running: dict[int, socket.socket] = {}
        self._ended, its = socket.socketpair()  # a byte for each process that ended
        for end in (self._ended, its):
            end.setblocking(False)
        self._its = its
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(its.fileno(), warn_on_full_buffer=False)

    def serve(self) -> None:
        """Begins what is asked for, until this process is not needed any more."""
        always = [self._listener, self._alive, self._ended]
        while True:
            waiting = {channel: pid for pid, channel in self._running.items()}
            ready, _, _ = select.select([*always, *waiting], [], [])
            for channel in ready:
                if channel in waiting:
                    self._pass_on(waiting[channel], channel)
            if self._ended in ready:
                self._ended.recv(4096)
                self._reap()
            if self._listener in ready:
                self._begin()
            if self._alive in ready:
                for pid in self._running:
                    os.kill(pid, signal.SIGKILL)
                return

    def _begin(self) -> None:
        channel, _ = self._listener.accept()
        head, files, _, _ = socket.recv_fds(channel, 4, 3)
        with channel.makefile("rb") as stream:
            request = stream.read(int.from_bytes(head, "big"))
        child = os.fork()
        if not child:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            become(files, *marshal.loads(request))
        for file in files:
            os.close(file)
        self._running[child] = channel

    def _pass_on(self, pid: int, channel: socket.socket) -> None:
        """Signals that a client got; its end is one."""
        for number in channel.recv(64) or [signal.SIGKILL]:
            os.kill(pid, number)

    def _reap(self) -> None:
        for pid in list(self._running):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                with contextlib.suppress(OSError), self._running.pop(pid) as channel:
                    channel.sendall(b"%d" % os.waitstatus_to_exitcode(status))


def become(
    files: list[int], arguments: list[str], env: dict[bytes, bytes], cwd: str, umask: int
) -> None:
    """In the new process: the command, to its end."""
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.closerange(3, 1024)
    if os.isatty(0):
        own_terminal()
    os.environb.clear()
    os.environb.update(env)
    time.tzset()
    os.umask(umask)
    os.chdir(cwd)
    path = os.environ.get("PYTHONPATH", "")
    sys.path[:0] = [folder for folder in path.split(os.pathsep) if folder]
    os._exit(_ended(arguments))


def own_terminal() -> None:
    """Makes standard input the terminal of this process, from which Ctrl-C comes."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _ended(arguments: list[str]) -> int:
    """Runs a command; its exit status, once all is written."""
    code: object = 0
    try:
        _run(*arguments)
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    return code if isinstance(code, int) else int(code is not None)


def _run(how: str, *rest: str) -> None:
    """Like Python with these arguments."""
    if how == "-m":
        sys.argv = list(rest)
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif how == "-c":
        sys.argv = ["-c", *rest[1:]]
        names = {"__name__": "__main__"}
        exec(compile(rest[0], "<string>", "exec"), names)
    else:
        sys.argv = [how, *rest]
        runpy.run_path(how, run_name="__main__")


def prepare() -> None:
    """Imports what commands use, compiles what reading a message uses, and runs some of them."""
    for name in IMPORTED:
        importlib.import_module(name)
    import thalamus

    for module in pkgutil.walk_packages(thalamus.__path__, "thalamus."):
        if not module.name.startswith(LEFT_OUT):
            with contextlib.suppress(ImportError):  # of an extra that is not installed
                importlib.import_module(module.name)
    from datetime import date

    from thalamus.extract.frames import propose
    from thalamus.policy.injection import suspicious
    from thalamus.text.lazy_regex import lazy_regex

    for made in gc.get_objects():
        if type(made) is type(lazy_regex("")):
            made.search("")
    for message in SAID:
        propose(message, date(2026, 1, 1))
        suspicious(message)
    rehearse()


def rehearse() -> None:
    """Runs commands in this process, with a store that is then deleted. None of them may leave a
    thread, which would be missing in the processes that are forked."""
    from tests.stored import clean_environment
    from thalamus.cli import main as run

    before = dict(os.environ)
    with TemporaryDirectory() as home, TemporaryFile() as output:
        os.environ.clear()
        os.environ.update(clean_environment() | {"THALAMUS_HOME": home, "THALAMUS_STORE": ""})
        os.environ.update({"THALAMUS_MODEL": "scripted", "THALAMUS_EMBEDDER": "scripted"})
        kept = [os.dup(number) for number in (1, 2)]
        for number in (1, 2):
            os.dup2(output.fileno(), number)
        for arguments in REHEARSED:
            with contextlib.suppress(SystemExit):
                run(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
        for number, former in zip((1, 2), kept, strict=True):
            os.dup2(former, number)
            os.close(former)
    os.environ.clear()
    os.environ.update(before)
    assert threading.active_count() == 1


def main(listener: str, alive: str, *also: str) -> None:
    prepare()
    for name in also:
        importlib.import_module(name)
    gc.freeze()  # a collection in a forked process would copy every page
    Commands(socket.socket(fileno=int(listener)), socket.socket(fileno=int(alive))).serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
