"""`chat --voice`, with a program that hears what a file says and one that writes what it reads
aloud."""

from __future__ import annotations

import json
import os
import signal
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.terminal.test_repl import PROMPT, Terminal
from thalamus.errors import ThalamusError, UsageError
from thalamus.terminal.voice import LONGEST, Voice

Run = Callable[..., Result]
LISTEN = """#!/bin/sh
line=$(head -n 1 {folder}/said)
sed -i 1d {folder}/said
case "$line" in
slow) touch {folder}/began; sleep 100 ;;
broken) echo "no microphone" >&2; exit 3 ;;
esac
echo "$line"
"""
SPEAK = """#!/bin/sh
cat >> {folder}/spoken
if [ -e {folder}/mute ]; then echo "no loudspeaker" >&2; exit 4; fi
if [ -e {folder}/slow ]; then touch {folder}/speaking; sleep 100; fi
"""


class Pair:
    """The two programs, with what is said to one and what the other has said."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in (("listen", LISTEN), ("speak", SPEAK)):
            file = folder / name
            file.write_text(text.format(folder=folder))
            file.chmod(file.stat().st_mode | stat.S_IXUSR)
        self.say()

    def say(self, *lines: str) -> None:
        (self.folder / "said").write_text("".join(f"{line}\n" for line in lines))

    def set(self, name: str) -> None:
        (self.folder / name).touch()

    def wait_for(self, name: str) -> None:
        end = time.monotonic() + 40
        while not (self.folder / name).exists():
            assert time.monotonic() < end, name
            time.sleep(0.05)

    @property
    def spoken(self) -> str:
        file = self.folder / "spoken"
        return file.read_text() if file.exists() else ""


def use(home: Path, **commands: str) -> None:
    """Sets the commands of voice."""
    folder = home / "config"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.yaml").write_text(json.dumps({"voice": commands}))


@pytest.fixture
def pair(home: Path, tmp_path: Path) -> Pair:
    folder = tmp_path / "voice"
    folder.mkdir()
    use(home, listen=str(folder / "listen"), speak=str(folder / "speak"))
    return Pair(folder)


@pytest.fixture
def terminal(environment: dict[str, str], pair: Pair) -> Iterator[Terminal]:
    found = Terminal(environment, "--voice")
    found.expect(f"Enter on an empty line listens.*{PROMPT}")
    yield found
    found.process.kill()


def leave(terminal: Terminal) -> None:
    terminal.type("\x04")
    assert terminal.close() == 0


def messages(run: Run) -> list[str]:
    return [turn["message"] for turn in run("export", "--kind", "turn").records]


def test_a_conversation(terminal: Terminal, pair: Pair, run: Run) -> None:
    pair.say("I moved to Lisbon in May.", "When did I move to Lisbon?", "")
    terminal.type("\r")
    terminal.expect("> I moved to Lisbon in May.")
    terminal.expect("> When did I move.*You told me.*Lisbon")  # it goes on listening
    terminal.expect(f"heard nothing; Enter listens again.*{PROMPT}")
    assert "Lisbon" in pair.spoken
    terminal.say("I have a hat.", "")  # typed
    leave(terminal)
    expected = ["I moved to Lisbon in May.", "When did I move to Lisbon?", "I have a hat."]
    assert messages(run) == expected


def test_what_is_heard_is_no_command(terminal: Terminal, pair: Pair, run: Run) -> None:
    pair.say("/quit", "!touch x", "[BLANK_AUDIO]")
    terminal.type("\r")
    terminal.expect(f"> /quit.*> !touch x.*heard nothing.*{PROMPT}")
    leave(terminal)
    assert [message.strip() for message in messages(run)] == ["/quit", "!touch x"]


def test_ctrl_c_while_listening(terminal: Terminal, pair: Pair, run: Run) -> None:
    pair.say("slow", "I have a hat.", "")
    terminal.type("\r")
    pair.wait_for("began")
    terminal.type("\x03")
    terminal.expect(f"stopped listening.*{PROMPT}")
    terminal.type("\r")
    terminal.expect(f"> I have a hat..*heard nothing.*{PROMPT}")
    leave(terminal)
    assert messages(run) == ["I have a hat."]


def test_ctrl_c_while_speaking(terminal: Terminal, pair: Pair, run: Run) -> None:
    pair.set("slow")
    pair.say("I have a hat.", "never heard")
    terminal.type("\r")
    pair.wait_for("speaking")
    terminal.type("\x03")
    terminal.expect(f"stopped speaking.*{PROMPT}")
    leave(terminal)
    assert messages(run) == ["I have a hat."]


def test_it_stops_listening_where_there_is_no_answer(
    environment: dict[str, str], pair: Pair, tmp_path: Path, run: Run
) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"role": "answer", "error": "unreachable"}]))
    terminal = Terminal(environment | {"THALAMUS_MODEL": f"scripted:{script}"}, "--voice")
    terminal.expect(PROMPT)
    pair.say("I have a hat.", "never heard")
    terminal.type("\r")
    terminal.expect(f"> I have a hat..*thalamus: .*{PROMPT}")
    leave(terminal)
    assert messages(run) == ["I have a hat."] and pair.spoken == ""


def test_a_program_that_fails(terminal: Terminal, pair: Pair, run: Run) -> None:
    pair.say("broken", "I have a hat.", "")
    pair.set("mute")
    terminal.type("\r")
    terminal.expect(r"thalamus: `voice.listen` failed with exit status 3: no microphone")
    terminal.expect(PROMPT)
    terminal.type("\r")
    terminal.expect(r"> I have a hat.*`voice.speak` failed with exit status 4: no loudspeaker")
    terminal.expect(f"heard nothing.*{PROMPT}")
    leave(terminal)
    assert messages(run) == ["I have a hat."]


def test_a_program_that_is_missing(environment: dict[str, str], run: Run, home: Path) -> None:
    use(home, listen="no-such-program", speak="no-such-program")
    terminal = Terminal(environment, "--voice")
    terminal.expect(PROMPT)
    terminal.type("\r")
    terminal.expect(f"voice.listen` failed with exit status 127.*not found.*{PROMPT}")
    terminal.say("I have a hat.", "voice.speak` failed with exit status 127")
    leave(terminal)
    assert messages(run) == ["I have a hat."]


def test_it_needs_commands_and_a_terminal(
    environment: dict[str, str], run: Run, home: Path
) -> None:
    terminal = Terminal(environment, "--voice")
    terminal.expect("There are no commands for voice.")
    assert terminal.close() == 2
    use(home, listen="cat")
    refused = run("chat", "--voice")
    assert refused.code == 2 and "--voice needs a terminal" in refused.stderr
    use(home, hear="cat")
    wrong = run("chat")
    assert wrong.code == 2 and "voice has listen and speak" in wrong.stderr


# -- the two commands ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "heard"),
    [
        (r"\n Hello,\n you.\n\n", "Hello, you."),
        ("[BLANK_AUDIO]", ""),
        (" (silence) ", ""),
        (r"\377 x", "� x"),
        ("[a] b (c)", "[a] b (c)"),
        (r"[BLANK_AUDIO]\n[BLANK_AUDIO] *wind*", ""),
        ("*laughs* yes *laughs*", "*laughs* yes *laughs*"),
    ],
)
def test_what_was_heard(printed: str, heard: str) -> None:
    assert Voice({"listen": f"printf '{printed}'"}).listen() == heard


def test_a_pipeline_with_the_text_on_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "out"
    Voice({"speak": f"tr a-z A-Z > {file}"}).speak("Grüße\n" * 20_000)
    assert file.read_text().startswith("GR") and len(file.read_text()) == 120_000
    Voice({"speak": "true"}).speak("not read")


def test_a_program_that_never_stops_is_ended(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    with pytest.raises(ThalamusError, match="printed too much"):
        Voice({"listen": f"echo $$ > {pid}; yes"}).listen()
    assert LONGEST < 1_000_000
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), signal.SIG_DFL)


def test_a_program_whose_shell_has_left_is_ended(tmp_path: Path) -> None:
    """What it started may still hold its output."""
    pid = tmp_path / "pid"
    endless = "trap '' PIPE; sleep 0.3; yes 2> /dev/null; exec sleep 100"
    with pytest.raises(ThalamusError, match="printed too much"):
        Voice({"listen": f"({endless}) & echo $! > {pid}"}).listen()
    end = time.monotonic() + 10
    while Path(f"/proc/{int(pid.read_text())}/exe").exists():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_nothing_to_run() -> None:
    with pytest.raises(UsageError, match="no commands for voice"):
        Voice({})
    assert Voice({"speak": "cat"}).speaks and not Voice({"speak": "cat"}).hears
