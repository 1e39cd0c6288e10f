"""`thalamus trace --follow`: a chat followed from another process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from thalamus.serving.watching import LOOK


@pytest.mark.slow
def test_a_chat_in_another_process(environment: dict[str, str], tmp_path: Path) -> None:
    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "thalamus", *arguments]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, env=environment, cwd=tmp_path, text=True, **pipes)

    watch, lines = (
        start("trace", "--follow"),
        start("trace", "--follow", "--json", "--session", "may"),
    )
    assert watch.stderr and watch.stderr.readline() == "Waiting for a chat … Ctrl-C ends.\n"
    assert lines.stderr and lines.stderr.readline().startswith("Waiting")
    other = start("chat", "--session", "june")
    assert other.stdin
    other.stdin.write("I have a cat.\n")
    other.stdin.flush()
    chat = start("chat", "--session", "may", "--events", "events.jsonl")
    assert chat.stdin
    chat.stdin.write("I moved to Lisbon in May.\n")
    chat.stdin.flush()
    time.sleep(8 * LOOK)  # one that ends sooner than it is looked for is not found
    out, err = chat.communicate("Where do I live?\n", timeout=60)
    assert "Lisbon" in out and not err
    other.communicate(timeout=60)
    while "Waiting" not in lines.stderr.readline():
        pass
    for process in (watch, lines):
        process.send_signal(signal.SIGINT)
    shown, ended = watch.communicate(timeout=60)
    followed, complaint = lines.communicate(timeout=60)
    assert watch.returncode == lines.returncode == 130
    assert ended.endswith("Stopped following.\n") and complaint.endswith("Stopped following.\n")
    assert "Interrupted" not in ended + complaint
    assert "I have a cat." in shown and "Where do I live?" in shown and "fact: user" in shown
    assert followed == (tmp_path / "events.jsonl").read_text()
    assert {json.loads(line)["session"] for line in followed.splitlines()} == {"may"}
