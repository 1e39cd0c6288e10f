"""A conversation typed into `thalamus chat` on a real terminal, and the screen as it is then."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.web.site import Request, serving

Run = Callable[..., Result]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
SCRIPT = """\
- match: figs
  role: answer
  pace: 0.05
  reply: |
    # Figs

    They like **sun**.

    ```python
    water(days=3)
    ```
- {match: slowly, role: answer, pace: 0.4, reply: "One word comes after another, for ever."}
- {match: ^Where do I live, role: answer, times: 1, reply: "In Lisbon, you just said."}
- role: reflect
  match: I moved to Porto yesterday
  delay: 1.5
  reply:
    memories_to_store: [{quote: I moved to Porto yesterday, content: I moved to Porto yesterday.}]
    facts: [{quote: I moved to Porto yesterday, subject: user, predicate: lives_in, object: Porto}]
- role: reflect
  match: I moved to Lisbon in May
  delay: 1.5
  reply:
    memories_to_store: [{quote: I moved to Lisbon in May, content: I moved to Lisbon in May.}]
    facts: [{quote: I moved to Lisbon in May, subject: user, predicate: lives_in, object: Lisbon}]
"""


class Tmux:
    """A terminal of 80 columns and 30 rows on a server of its own."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._socket = str(folder / "tmux")
        self._environment = environment
        (folder / "tmux.conf").write_text("set -g default-terminal screen-256color\n")
        self._config = str(folder / "tmux.conf")

    def start(self, *arguments: str) -> None:
        """Chats in a new window; the prompt is there."""
        command = shlex.join([sys.executable, "-m", "thalamus", "chat", *arguments])
        self._tmux("-f", self._config, "new-session", "-d", "-x", "80", "-y", "30", command)
        self.wait(r"/help for commands.*\n>(?: {3}[^\n]*)?$")

    def beside(self, *arguments: str) -> str:
        """Runs another command in a window of its own, and gives the name of that."""
        command = shlex.join([sys.executable, "-m", "thalamus", *arguments])
        window = ("new-window", "-d", "-P", "-F", "#{pane_id}", command)
        return self._tmux(*window).strip()

    def type(self, keys: str) -> None:
        """Types text as it is; ``press`` is for keys with names."""
        self._tmux("send-keys", "-l", keys)

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def leave(self) -> None:
        """Clears what is typed, and leaves the chat. While the prompt is not there again the
        terminal reads whole lines, and would take the key that leaves for the end of one."""
        prompts = self.screen().count("\n>")
        self.press("C-c")
        self.wait(rf"^(?:.*\n>){{{prompts + 1}}}(?: {{3}}[^\n]*)?$")
        self.press("C-d")
        self.wait_closed()

    def say(self, text: str, pattern: str) -> str:
        """Types a line; the screen when it matches."""
        self.type(text)
        self.press("Enter")
        return self.wait(pattern)

    def screen(self, window: str = "") -> str:
        target = ("-t", window) if window else ()
        return self._tmux("capture-pane", "-p", "-S", "-200", *target).rstrip("\n")

    def wait(self, pattern: str, seconds: float = 60, window: str = "") -> str:
        end = time.monotonic() + seconds
        while not re.search(pattern, shown := self.screen(window), re.DOTALL):
            assert time.monotonic() < end, f"{pattern!r} did not come:\n{shown}"
            time.sleep(0.1)
        return shown

    def wait_closed(self, seconds: float = 60) -> None:
        """Waits until the chat, and with it the window, has ended."""
        end = time.monotonic() + seconds
        while not self._call("has-session").returncode:
            assert time.monotonic() < end, self.screen()
            time.sleep(0.1)

    def kill(self) -> None:
        self._call("kill-server")

    def _call(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["tmux", "-S", self._socket, *arguments]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True)

    def _tmux(self, *arguments: str) -> str:
        done = self._call(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def tmux(tmp_path: Path, environment: dict[str, str]) -> Iterator[Tmux]:
    script = tmp_path / "script.yaml"
    script.write_text(SCRIPT)
    environment = {k: v for k, v in environment.items() if k not in ("NO_COLOR", "TMUX")}
    environment |= {"THALAMUS_MODEL": f"scripted:{script}", "TERM": "xterm-256color"}
    environment |= {"LC_ALL": "C.UTF-8"}
    terminal = Tmux(tmp_path, environment)
    yield terminal
    terminal.kill()


def test_a_conversation(tmux: Tmux, run: Run) -> None:
    tmux.start()
    tmux.type('"""\nTell me about figs,\nplease."""')
    tmux.press("Enter")
    shown = tmux.wait(r"water\(days=3\)\n```\n> ")
    assert "# Figs" not in shown and "\nFigs\n\nThey like sun.\n\n```python\n" in shown

    tmux.say("Tell me slowly.", r"One word")
    tmux.type("typed meanwhile")  # not in the middle of the answer
    tmux.press("C-c")
    shown = tmux.wait(r"\(stopped; the partial answer is kept\)\n>(?: {3}[^\n]*)?$")
    assert re.search(r"\nOne word[ a-z,]*\n\(stopped", shown)

    # the next message is typed while the last is still being stored, and is not mixed up with it
    tmux.say("I moved to Lisbon in May.", r"Noted: You moved to Lisbon in May\.\n> ")
    shown = tmux.say("Where do I live?", r"In Lisbon, you just said\.\n>(?: {3}[^\n]*)?$")
    assert re.search(r"\n> Where do I live\?\n+In Lisbon", shown)
    assert "remembering" not in shown.rpartition("\n")[0]  # only beside the prompt
    tmux.wait(r"\n> +remembered [^\n]*$")
    tmux.say("And where do I live?", r"You told me: The user lives in Lisbon[^\n]*\n>")

    shown = tmux.say("/why", r"answered by[\s│]*scripted.*\n>(?: {3}[^\n]*)?$")
    assert "in the prompt, and in the answer" in shown and "I moved to Lisbon in May." in shown

    tmux.say("I moved to Porto yesterday.", r"Noted: You moved to Porto[^\n]*\n> ")
    tmux.wait(r"\n> +remembered [^\n]*$")
    shown = tmux.say("/undo", r"undone: “I moved to Porto yesterday\.”.*\n>(?: {3}[^\n]*)?$")
    assert "restored: “user lives_in Lisbon”" in shown

    tmux.press("C-r")
    tmux.type("And")
    tmux.wait(r"I-search backward: And")
    tmux.press("Enter")
    tmux.wait(r"\n> And where do I live\?$")
    tmux.leave()
    turns = [r["message"] for r in run("export").records if r["record"] == "turn"]
    assert turns == [
        "Tell me about figs,\nplease.",
        "Tell me slowly.",
        "I moved to Lisbon in May.",
        "Where do I live?",
        "And where do I live?",
    ]

    tmux.start("--continue")
    assert re.search(r"session about “Tell me about figs, please.”: 5 turns", tmux.screen())
    tmux.say("/forget", r"Delete all of this permanently\? \[y/N\]")
    shown = tmux.say("y", r"deleted: 1 turn.*\n>(?: {3}[^\n]*)?$")
    assert "“And where do I live?”" in shown
    tmux.press("C-d")
    tmux.wait_closed()
    turns = [r["message"] for r in run("export").records if r["record"] == "turn"]
    assert turns[-1] == "Where do I live?" and len(turns) == 4


def test_the_shell_the_editor_and_the_help(tmux: Tmux, tmp_path: Path, run: Run) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nprintf "I like green tea.\\n" > "$1"\n')
    editor.chmod(0o755)
    tmux._environment["EDITOR"] = str(editor)
    tmux._environment.pop("VISUAL", None)
    tmux.start()
    tmux.say("!echo $((6 * 7)); exit 3", r"\n42\n\(exit status 3\)\n>(?: {3}[^\n]*)?$")
    tmux.say("/compose", r"I like green tea\.\nNoted: You like green tea\.\n> ")
    # nothing stands beside the prompt where the turn was stored before the line was typed
    tmux.say("/help", r"Ctrl-C stops an answer.*\n>(?: {3}[^\n]*)?$")
    tmux.type("/forg")
    tmux.wait(r"forget +delete for good")
    tmux.leave()
    assert [r["message"] for r in run("export").records if r["record"] == "turn"] == [
        "I like green tea."
    ]


def test_a_chat_is_watched_beside_it(tmux: Tmux) -> None:
    tmux.start()
    watching = tmux.beside("trace", "--follow")
    tmux.wait(r"Following the chat of process \d+\.", window=watching)
    tmux.say("I moved to Lisbon in May.", r"Noted: You moved to Lisbon in May\.\n> ")
    tmux.wait(
        r"you +I moved to Lisbon in May\..*answer +Noted: You moved to Lisbon in May\."
        r".*fact: user lives_in Lisbon",
        window=watching,
    )
    tmux.wait(r"\n> +remembered [^\n]*$")
    tmux.say("And where do I live?", r"You told me: The user lives in Lisbon[^\n]*\n>")
    tmux.wait(
        r"you +And where do I live\?.*answer +You told me.*profile: The user lives in Lisbon",
        window=watching,
    )
    tmux.wait(r"\n>(?: {3}[^\n]*)?$")
    tmux._tmux("send-keys", "C-d")
    tmux.wait(r"The chat of process \d+ ended\..*Waiting for a chat", window=watching)
    tmux._tmux("send-keys", "-t", watching, "C-c")
    tmux.wait_closed()


def test_a_page_is_named_while_it_is_read(tmux: Tmux, run: Run) -> None:
    asked_for = threading.Event()

    def reply(request: Request) -> None:
        asked_for.wait(60)
        request.reply(404, b"")

    run("config", "set", "crawl_allow", "127.0.0.1")
    tmux.start()
    with serving() as site:
        site.pages["/slow"] = reply
        window = tmux.beside("ingest", f"{site.url}/slow")
        tmux.wait(rf"reading {site.url}/slow …", window=window)
        asked_for.set()
    tmux.leave()
