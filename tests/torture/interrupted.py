"""Worker: stores memories in a store on a server that is killed meanwhile.

``python -m tests.torture.interrupted HOME NAME``. Prints ``stored CONTENT`` for each acknowledged
memory, until its input ends; then counts as JSON. What was not written is stored again, as the
error advises; where that is unknown it looks first.
"""

from __future__ import annotations

import json
import random
import select
import sys
import time
from collections import Counter

from tests.torture.stores import content
from thalamus.api import Thalamus
from thalamus.errors import StoreUnreachable
from thalamus.records import Memory
from thalamus.store.postgres.connection import LOOK

PAUSE = 0.05  # seconds between attempts


class Writer:
    """Stores one to three memories at a time."""

    def __init__(self, home: str, name: str) -> None:
        self.thalamus = Thalamus(home=home, model="scripted", embedder="scripted")
        self.name = name
        self.draw = random.Random(name)
        self.counts: Counter[str] = Counter()

    def store(self, number: int) -> None:
        parts = range(self.draw.randint(1, 3))
        contents = [content(f"{self.name}x{number}y{part}") for part in parts]
        while not self._stored(contents):
            time.sleep(PAUSE)
        for text in contents:
            print(f"stored {text}", flush=True)
        self.counts["stored"] += len(contents)

    def _stored(self, contents: list[str]) -> bool:
        try:
            self.thalamus.remember([Memory(content=text) for text in contents])
        except StoreUnreachable as error:
            self.counts["unreachable"] += 1
            return error.advice == LOOK and self._there(contents[0])
        return True

    def _there(self, text: str) -> bool:
        self.counts["unknown"] += 1
        store = self.thalamus.database
        while True:
            try:
                return bool(store.fetch("SELECT id FROM memory WHERE content = ?", text))
            except StoreUnreachable:
                time.sleep(PAUSE)


def main(home: str, name: str) -> None:
    writer = Writer(home, name)
    number = 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        writer.store(number)
        number += 1
    writer.thalamus.close()
    print(json.dumps(writer.counts), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
