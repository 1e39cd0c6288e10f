"""Worker: fills the disk that a store is on, makes space again, and looks what is left.

``python -m tests.torture.full FOLDER SEED``, where ``FOLDER`` is a small disk of its own. Prints
one JSON object about what happened; fails when a promise was broken.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from tests.store.making import open_store
from tests.torture.driver import environment
from tests.torture.stores import content, litter, settle, unhealthy, wrong_text, wrong_vector
from thalamus.models.scripted import ScriptedEmbedder
from thalamus.records import Memory
from thalamus.store.values import Vector

BALLAST = 3 << 20  # bytes reserved, which are the space that is made later


def thalamus(folder: Path, *arguments: str, input: str = "") -> subprocess.CompletedProcess[str]:
    settings = {"THALAMUS_HOME": str(folder / "home"), "THALAMUS_EMBEDDER": "scripted"}
    return subprocess.run(
        [sys.executable, "-m", "thalamus", *arguments],
        input=input,
        capture_output=True,
        text=True,
        env=environment() | settings | {"THALAMUS_BATCH_SIZE": "20", "THALAMUS_MODEL": "scripted"},
        timeout=100,
    )


def store(folder: Path, names: list[str]) -> tuple[list[str], subprocess.CompletedProcess[str]]:
    """Stores a memory per name; the contents that were acknowledged, and how it ended."""
    lines = [json.dumps({"record": "memory", "content": content(name)}) for name in names]
    done = thalamus(folder, "store", input="\n".join(lines) + "\n")
    return [json.loads(line)["content"] for line in done.stdout.splitlines()], done


def look(folder: Path, acknowledged: list[str], draw: random.Random) -> None:
    """Everything acknowledged is there, and both arms answer as a plain scan does."""
    opened = open_store(folder / "home" / "data" / "default", create=False)
    there = {r.content for r in opened.everything() if isinstance(r, Memory)}
    assert set(acknowledged) <= there, f"{len(set(acknowledged) - there)} lost"
    assert opened.check() == []
    embedder = ScriptedEmbedder()
    for text in draw.sample(acknowledged, 3):
        problem = wrong_text(opened, text.split()[-1:])
        near = Vector(embedder.name, embedder.embed([text], "query")[0])
        problem = problem or wrong_vector(opened, near)
        assert not problem, problem
    opened.close()


def main(folder: Path, seed: int) -> None:
    draw = random.Random(seed)
    acknowledged, rounds, refused = [], 0, 0
    (folder / "ballast").write_bytes(os.urandom(BALLAST))
    while refused < 3:
        names = [f"r{rounds}x{number}" for number in range(draw.randint(20, 200))]
        kept, done = store(folder, names)
        acknowledged += kept
        rounds += 1
        assert rounds < 300, "the disk does not fill up"
        if done.returncode == 0:
            assert len(kept) == len(names)
            continue
        refused += 1
        told = done.stderr.splitlines()
        assert done.returncode == 1 and "Cannot write to" in done.stderr, done.stderr
        assert "Free disk space" in done.stderr and "Traceback" not in done.stderr, told
        look(folder, acknowledged, draw)  # with the disk full
        found = thalamus(folder, "retrieve", "--json", acknowledged[0])
        assert found.returncode == 0 and acknowledged[0] in found.stdout, found.stderr
    free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
    (folder / "ballast").unlink()
    kept, done = store(folder, ["after"])
    assert done.returncode == 0 and len(kept) == 1, done.stderr
    look(folder, [*acknowledged, *kept], draw)
    opened = open_store(folder / "home" / "data" / "default", create=False)
    settle(opened)
    states = unhealthy(opened)
    assert states == [], states
    left = litter(folder / "home")
    print(json.dumps({"acknowledged": len(acknowledged), "free": free, "litter": left}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
