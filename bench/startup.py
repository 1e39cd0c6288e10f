"""What starting costs, as a ratio to ``python -c pass`` measured in the same run.

    python bench/startup.py [--rounds 15] [--memories 2000]

Prints a table: the median over the rounds, interleaved so that a noisy moment hits all alike.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

BARE = [sys.executable, "-c", "pass"]
THALAMUS = [sys.executable, "-m", "thalamus"]


def commands() -> dict[str, tuple[list[str], bytes]]:
    record = json.dumps({"record": "memory", "content": "One more thing to keep."}).encode()
    return {
        "python -c pass": (BARE, b""),
        "import typer": ([sys.executable, "-c", "import typer"], b""),
        "thalamus --version": ([*THALAMUS, "--version"], b""),
        "thalamus facts": ([*THALAMUS, "facts"], b""),
        "thalamus memory list": ([*THALAMUS, "memory", "list", "--limit", "10"], b""),
        "thalamus retrieve": ([*THALAMUS, "retrieve", "where is the heron"], b""),
        "thalamus store (one)": ([*THALAMUS, "store"], record),
    }


def fill(memories: int, environment: dict[str, str]) -> None:
    """A store to work on: memories and a fact."""
    lines = [
        json.dumps({"record": "memory", "content": f"Note {n}: the heron fishes at pond {n % 97}."})
        for n in range(memories)
    ]
    lines.append('{"record":"fact","subject":"user","predicate":"lives_in","object":"Lisbon"}')
    data = "\n".join(lines).encode()
    subprocess.run(
        [*THALAMUS, "store"], input=data, env=environment, stdout=subprocess.DEVNULL, check=True
    )


def measure(rounds: int, environment: dict[str, str]) -> dict[str, float]:
    """Median milliseconds of each command."""
    taken: dict[str, list[float]] = {name: [] for name in commands()}
    for _ in range(rounds):
        for name, (command, data) in commands().items():
            begun = time.perf_counter()
            subprocess.run(command, input=data, env=environment, capture_output=True, check=True)
            taken[name].append((time.perf_counter() - begun) * 1000)
    return {name: statistics.median(times) for name, times in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--memories", type=int, default=2000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"THALAMUS_HOME": home}
        fill(options.memories, environment)
        medians = measure(options.rounds, environment)
    bare = medians["python -c pass"]
    for name, milliseconds in medians.items():
        print(f"{name:24} {milliseconds:8.1f} ms  {milliseconds / bare:5.1f}x")


if __name__ == "__main__":
    main()
