"""Worker: one of several processes that store and recall on one store for some seconds.

``python -m tests.torture.at_once HOME NAME SECONDS``. Waits for a line, so that all begin at once.
Prints ``stored ID`` for each acknowledged memory and a last line of JSON with counts.
"""

from __future__ import annotations

import faulthandler
import json
import random
import sys
import time
from collections import Counter

from tests.torture.stores import WORDS
from thalamus.api import Thalamus
from thalamus.errors import StoreBusy
from thalamus.models.scripted import ScriptedEmbedder
from thalamus.records import Memory
from thalamus.store.values import Filter, Vector

RETRIES = 20


class Writer:
    """Stores, and at once looks for what it stored."""

    def __init__(self, home: str, name: str) -> None:
        settings = {"home": home, "model": "scripted", "embedder": "scripted"}
        self.thalamus = Thalamus(busy_timeout=2.0, **settings)
        self.name = name
        self.draw = random.Random(name)
        self.embedder = ScriptedEmbedder()
        self.counts: Counter[str] = Counter()

    def store(self, number: int) -> list[Memory]:
        memories = [
            Memory(
                id=f"mem_{self.name}x{number}y{part}",
                content=f"{' '.join(self.draw.choices(WORDS, k=6))} {self.name}x{number}y{part}",
            )
            for part in range(self.draw.randint(1, 4))
        ]
        for _ in range(RETRIES):
            try:
                self.thalamus.remember(memories)
            except StoreBusy:
                self.counts["busy"] += 1
            else:
                self.counts["stored"] += len(memories)
                for memory in memories:
                    print(f"stored {memory.id}", flush=True)
                return memories
        raise AssertionError(f"busy {RETRIES} times over")

    def find(self, memory: Memory) -> None:
        store = self.thalamus.database
        token = memory.content.split()[-1]
        text = [hit.entry.id for hit in store.search_text([token], Filter(), 5)]
        assert text == [memory.id], (token, text)
        near = Vector(self.embedder.name, self.embedder.embed([memory.content], "query")[0])
        hits = store.search([], near, Filter(), 3).vector
        assert hits and hits[0].score > 0.999, (token, hits[:1])
        recalled = [item.id for item in self.thalamus.recall(memory.content)]
        assert memory.id in recalled, (token, recalled)
        self.counts["searched"] += 3

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        number = 0
        while time.monotonic() < end:
            memories = self.store(number)
            self.find(self.draw.choice(memories))
            if self.name == "p0" and number % 25 == 24:  # one also rebuilds all indexes at times
                self.thalamus.database.rebuild_indexes()
                self.counts["rebuilt"] += 1
            number += 1
        self.thalamus.close()


def main(home: str, name: str, seconds: str) -> None:
    faulthandler.enable()
    writer = Writer(home, name)
    import numpy  # noqa: F401
    import tantivy  # noqa: F401
    import usearch.index  # noqa: F401

    print("ready", flush=True)
    sys.stdin.readline()
    writer.run(float(seconds))
    print(json.dumps(writer.counts), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
