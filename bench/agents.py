"""What a coding agent's sessions cost: an import, the same again, and the hooks.

    python bench/agents.py [--messages 10000] [--rounds 15]

Transcripts in the form of Claude Code are made of sentences about 80 parts of a program, with tool
calls whose results have some 2,000 characters. Hooks are processes of their own, in rounds with
``python -c pass``; ratios count, milliseconds depend on the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

BARE = [sys.executable, "-c", "pass"]
THALAMUS = [sys.executable, "-m", "thalamus"]
PARTS = [
    f"{adjective} {noun}"
    for adjective in "lazy signed cached remote nested shared pooled frozen".split()
    for noun in "parser queue index schema socket logger ledger router cursor vector".split()
]
ASKED = (
    "Make the {} use the {} instead of the {}.",
    "Why does the {} fail when the {} is empty? Look at the {} too.",
    "We agreed that the {} never calls the {}; move that into the {}.",
    "Add a test for the {} with a broken {}, next to that of the {}.",
)
PROJECTS, TURNS, CALLS = 5, 20, 3


def lines(session: int, rng: random.Random) -> Iterator[dict[str, Any]]:
    """The lines of one session."""
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=5 * session)
    project = f"/home/ana/project{session % PROJECTS}"
    base = {"sessionId": f"s{session}", "cwd": project, "gitBranch": "main"}

    def line(kind: str, content: Any) -> dict[str, Any]:
        nonlocal at
        at += timedelta(seconds=9)
        message = {"role": kind, "content": content}
        own = {"uuid": f"{session}-{at.timestamp()}", "timestamp": at.isoformat()}
        return {**base, **own, "type": kind, "message": message}

    for turn in range(TURNS):
        yield line("user", rng.choice(ASKED).format(*rng.sample(PARTS, 3)))
        for number in range(CALLS):
            id = f"toolu_{session}_{turn}_{number}"
            path = f"{project}/src/{rng.choice(PARTS).replace(' ', '_')}.py"
            args = {"file_path": path} if number else {"command": "pytest -q"}
            call = {"type": "tool_use", "id": id, "name": "Read" if number else "Bash"}
            yield line("assistant", [{**call, "input": args}])
            text = " ".join(rng.choices(PARTS, k=150))
            yield line("user", [{"type": "tool_result", "tool_use_id": id, "content": text}])
        answer = f"The {rng.choice(PARTS)} no longer needs the {rng.choice(PARTS)}."
        yield line("assistant", [{"type": "text", "text": answer}])


def write(folder: Path, messages: int) -> int:
    """Writes transcripts with at least so many messages; returns their number."""
    rng, count, session = random.Random(7), 0, 0
    while count < messages:
        found = list(lines(session, rng))
        path = folder / f"project{session % PROJECTS}" / f"s{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{json.dumps(one)}\n" for one in found))
        count, session = count + len(found), session + 1
    return count


def timed(command: list[str], environment: dict[str, str], data: bytes = b"") -> tuple[float, str]:
    """Milliseconds of a process, and what it printed."""
    begun = time.perf_counter()
    done = subprocess.run(command, input=data, env=environment, capture_output=True, check=True)
    return (time.perf_counter() - begun) * 1000, done.stdout.decode()


def hooks(rounds: int, environment: dict[str, str]) -> dict[str, float]:
    """Median milliseconds of each hook, and of Python that does nothing."""
    rng = random.Random(11)
    hook = [*THALAMUS, "hook", "run", "claude-code"]
    taken: dict[str, list[float]] = {
        "python -c pass": [],
        "SessionStart": [],
        "UserPromptSubmit": [],
    }
    for _ in range(rounds):
        taken["python -c pass"].append(timed(BARE, environment)[0])
        for name in ("SessionStart", "UserPromptSubmit"):
            prompt = f"What did we agree on the {rng.choice(PARTS)}?"
            event = {"hook_event_name": name, "session_id": "now", "prompt": prompt}
            data = json.dumps({**event, "cwd": "/home/ana/project1"}).encode()
            milliseconds, output = timed(hook, environment, data)
            assert output, "the hook printed nothing"
            taken[name].append(milliseconds)
    return {name: statistics.median(times) for name, times in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = {"THALAMUS_HOME": f"{folder}/home", "THALAMUS_MODEL": "scripted"}
        environment = {**os.environ, **home}
        count = write(Path(folder) / "projects", given.messages)
        command = [*THALAMUS, "import", "--from", "claude-code", f"{folder}/projects"]
        for name in ("import", "again"):
            milliseconds, printed = timed(command, environment)
            print(f"{name} of {count:,} messages: {milliseconds / 1000:.1f} s ({printed.strip()})")
        found = hooks(given.rounds, environment)
        for name, milliseconds in found.items():
            ratio = milliseconds / found["python -c pass"]
            print(f"{name:18} {milliseconds:7.1f} ms  {ratio:5.1f}×")


if __name__ == "__main__":
    main()
