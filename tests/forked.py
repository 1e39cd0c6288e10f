"""The command line as a process of its own, without waiting for Python to start each time.

A server that has imported everything forks for each command: what runs is ``thalamus.cli.main`` in
a process with its own environment, folder, files and exit status. What depends on how a process
begins (imports, signals, pipes that close) is tested with new interpreters.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import Any

IMPORTED = (
    "numpy tantivy usearch.index rich.console rich.markdown sqlite_utils yaml jsonschema"
    " cryptography.hazmat.primitives.ciphers.aead thalamus.cli thalamus.api"
).split()
# of these every module, but for what is read only where an extra is installed
PACKAGES = "commands memory models pipeline policy readers security storage text transfer".split()
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
]


class Server:
    """Runs commands, one after another. It ends with this process."""

    def __init__(self) -> None:
        self._begin()
        atexit.register(self.stop)

    def _begin(self) -> None:
        self._mine, its = socket.socketpair()
        with its:
            number = its.fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.forked", str(number)],
                pass_fds=[number],
                stdin=subprocess.DEVNULL,
                cwd=Path(__file__).parents[1],
            )
        self._replies = self._mine.makefile("rb")

    def run(
        self, arguments: list[str], data: bytes, env: dict[str, str], cwd: Path, timeout: float
    ) -> tuple[bytes, bytes, int]:
        """What a command wrote to its output and its error output, and its exit status."""
        from tempfile import TemporaryDirectory

        with TemporaryDirectory() as folder:
            files = [str(Path(folder, name)) for name in ("in", "out", "err")]
            Path(files[0]).write_bytes(data)
            wanted = {"arguments": arguments, "env": env, "cwd": str(cwd), "files": files}
            self._mine.sendall(json.dumps(wanted).encode() + b"\n")
            pid = int(self._replies.readline())
            self._mine.settimeout(timeout)
            try:
                code = int(self._replies.readline())
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                self.stop()  # its answer to this would be taken for that to the next
                self._begin()
                raise AssertionError(f"{arguments} took more than {timeout} s") from None
            self._mine.settimeout(None)
            return Path(files[1]).read_bytes(), Path(files[2]).read_bytes(), code

    def stop(self) -> None:
        self._mine.close()
        self._replies.close()
        self._process.wait()


def prepare() -> None:
    """Imports what commands use, and compiles what reading a message uses. No store is opened:
    of a thread there would be nothing left in the processes that are forked."""
    for name in IMPORTED:
        importlib.import_module(name)
    for package in PACKAGES:
        top = importlib.import_module(f"thalamus.{package}")
        for module in pkgutil.walk_packages(top.__path__, f"{top.__name__}."):
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)
    from thalamus.policy.answer_style import manner_of
    from thalamus.policy.injection import suspicious
    from thalamus.policy.language.reading import read

    for message in SAID:
        manner_of(message)
        read(message)
        suspicious(message)


def serve(channel: socket.socket) -> None:
    prepare()
    requests = channel.makefile("rb")
    for line in requests:
        child = os.fork()
        if not child:
            become(**json.loads(line))
        channel.sendall(b"%d\n" % child)
        _, status = os.waitpid(child, 0)
        channel.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))


def become(arguments: list[str], env: dict[str, str], cwd: str, files: list[str]) -> None:
    """In the new process: the command, to its end."""
    flags = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT)
    for number, (path, flag) in enumerate(zip(files, flags, strict=True)):
        file = os.open(path, flag, 0o600)
        os.dup2(file, number)
        os.close(file)
    os.closerange(3, 64)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    os.chdir(cwd)
    sys.path[:0] = [folder for folder in env.get("PYTHONPATH", "").split(os.pathsep) if folder]
    sys.argv = ["thalamus", *arguments]
    os._exit(_ended())


def _ended() -> int:
    """Runs the command; its exit status, once all is written."""
    from thalamus.cli import main

    code: Any = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    return code if isinstance(code, int) else int(code is not None)


if __name__ == "__main__":
    with contextlib.suppress(ConnectionError):
        serve(socket.socket(fileno=int(sys.argv[1])))
