"""Commands that are killed at some moment, and what each of them acknowledges.

An acknowledgement is a line on standard output. Each ``Job`` below knows how to begin its command
and which texts its output promises to keep; a command that changes nothing promises nothing.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.forked import Process, python
from tests.torture.stores import AT, content

# a process of ``forked.python()``; and one that had not got as far as to run anything
KILLED = (-signal.SIGKILL, -signal.SIGUSR1)


@dataclass
class Job:
    """``arguments`` and ``input`` of the command; ``kept``: the texts that a line of its output
    acknowledges; ``environment``: settings that are other than usual."""

    name: str
    arguments: list[str]
    input: str = ""
    kept: Callable[[dict[str, object]], list[str]] = lambda record: []
    environment: dict[str, str] = field(default_factory=dict)


def _memories(tag: str, count: int, exported: bool = False) -> str:
    """Records as `store` takes them, or as `export` writes them: with ids and times."""
    lines = []
    for name in (f"{tag}k{number}" for number in range(count)):
        record = {"record": "memory", "content": content(name)}
        if exported:
            record |= {"id": f"mem_{name}", "created_at": AT, "recorded_at": AT}
        lines.append(json.dumps(record))
    return "\n".join(lines) + "\n"


def _content(record: dict[str, object]) -> list[str]:
    return [str(record["content"])]


def jobs(folder: Path, tag: str, count: int) -> list[Job]:
    """One job of each kind, of ``count`` records; ``tag`` makes their texts those of this run
    alone."""
    page = folder / f"{tag}.md"
    pieces = [content(f"{tag}d{number}") for number in range(count // 3)]
    page.write_text("\n\n".join(f"# Chapter {n}\n\n{piece}." for n, piece in enumerate(pieces)))
    export = folder / f"{tag}.jsonl"
    export.write_text(_memories(f"{tag}i", count, exported=True))
    said = [content(f"{tag}t{number}") for number in range(max(2, count // 40))]
    # a session each: an utterance is also found by the words of those before it
    turns = [json.dumps({"record": "turn", "message": text, "session": text}) for text in said]
    backup = str(folder / f"{tag}.db")
    none = {"THALAMUS_EMBEDDER": "none"}
    return [
        Job("store", ["store"], _memories(f"{tag}s", count), _content),
        Job("store unembedded", ["store"], _memories(f"{tag}u", count), _content, none),
        Job("reindex", ["store", "reindex", "--json"]),
        Job("reindex --embed", ["store", "reindex", "--embed", "--json"]),
        Job("ingest", ["ingest", "--no-summary", "--json", str(page)], kept=lambda _: pieces),
        Job("import", ["import", "--json", str(export)], kept=lambda _: _imported(export)),
        Job("turn", ["turn", "--json"], "\n".join(turns) + "\n", lambda r: [str(r["message"])]),
        Job("backup", ["store", "backup", "--json", backup]),
        Job("restore", ["store", "restore", "--yes", "--json", str(folder / "restored.db")]),
        Job("export", ["export"]),
    ]


def _imported(export: Path) -> list[str]:
    return [json.loads(line)["content"] for line in export.read_text().splitlines()]


@dataclass
class Ending:
    """``killed``: the signal came before the end; ``acknowledged``: texts; ``seconds`` it ran."""

    killed: bool
    acknowledged: list[str]
    seconds: float
    error: str = ""


def run(job: Job, environment: dict[str, str], folder: Path, after: float | None = None) -> Ending:
    """Runs a job and kills it ``after`` so many seconds (None: it may end)."""
    (folder / "input").write_text(job.input)
    begun = time.monotonic()
    with (
        (folder / "input").open("rb") as stdin,
        (folder / "output").open("wb") as stdout,
        (folder / "errors").open("wb") as stderr,
    ):
        process = Process(
            [*python(), "-m", "thalamus", *job.arguments],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=environment | {"THALAMUS_BATCH_SIZE": "25"} | job.environment,
        )
        try:
            process.wait(100 if after is None else after)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    seconds = time.monotonic() - begun
    killed = process.returncode in KILLED
    errors = "" if killed or process.returncode == 0 else (folder / "errors").read_text()[-500:]
    lines = (folder / "output").read_bytes().rpartition(b"\n")[0].splitlines()
    kept = [text for line in lines for text in job.kept(json.loads(line))]
    return Ending(killed, kept, seconds, errors)


def moment(draw: random.Random, seconds: float) -> float:
    """When to kill a command that takes so long: seldom while Python itself starts."""
    return seconds * draw.uniform(0.15, 1.0)
