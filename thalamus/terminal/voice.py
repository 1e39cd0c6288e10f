"""Voice in a chat: one command that prints what it heard, and one that reads a text aloud."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from typing import IO

from thalamus.errors import ThalamusError, UsageError
from thalamus.terminal.lines import one_line

LONGEST = 100_000  # bytes of what was heard
_SILENCE = re.compile(r"(?:\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|\s)*")  # "[BLANK_AUDIO] (silence)"


class Voice:
    """The commands of the setting ``voice``; either may be missing. A command runs in the shell, in
    a process group of its own, which ends with Ctrl-C."""

    def __init__(self, commands: Mapping[str, str]) -> None:
        self._listen = commands.get("listen", "")
        self._speak = commands.get("speak", "")
        if not (self._listen or self._speak):
            raise UsageError(
                "There are no commands for voice.",
                fix='Set them: `voice: {listen: "…", speak: "…"}`; docs/chat.md shows two.',
            )

    @property
    def hears(self) -> bool:
        """True if there is a command that listens."""
        return bool(self._listen)

    @property
    def speaks(self) -> bool:
        """True if there is a command that speaks."""
        return bool(self._speak)

    def listen(self) -> str:
        """Listens; returns the text, empty for silence. Raises ``ThalamusError`` if the command
        fails."""
        heard = _run("listen", self._listen)
        text = " ".join(heard.split())
        return "" if _SILENCE.fullmatch(text) else text

    def speak(self, text: str) -> None:
        """Reads a text aloud. Raises ``ThalamusError`` if the command fails."""
        _run("speak", self._speak, text)


def _run(name: str, command: str, text: str = "") -> str:
    """Runs a command with a text as its input; returns its output. Raises ``ThalamusError`` if it
    fails, or does not end by itself."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as errors:
        given.write(text.encode())
        given.seek(0)
        process = subprocess.Popen(
            command,
            shell=True,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )
        assert process.stdout is not None
        try:
            heard = process.stdout.read(LONGEST + 1)
            if len(heard) > LONGEST:
                raise ThalamusError(f"`voice.{name}` printed too much.", fix=_FIX)
            process.wait()
        except BaseException:
            _end(process)
            raise
        finally:
            process.stdout.close()
        if process.returncode:
            raise ThalamusError(_failure(name, process.returncode, errors), fix=_FIX)
        return heard.decode("utf-8", "replace")


_FIX = "`thalamus config show` prints the command; try it in a shell."


def _failure(name: str, code: int, errors: IO[bytes]) -> str:
    """A sentence about a failed command, with the last thing that it complained of."""
    errors.seek(0)
    lines = errors.read(LONGEST).decode("utf-8", "replace").strip().splitlines()
    reason = f": {one_line(lines[-1])}" if lines else "."
    return f"`voice.{name}` failed with exit status {code}{reason}"


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a command with all that it started, also what outlives its shell."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(1)
