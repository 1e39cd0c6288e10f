"""Searching what is sealed: it is in no index, so all of it is opened in memory and looked at."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import convert
from msgspec.structs import replace

from thalamus.policy.tokens import similar, words
from thalamus.records import Provenance
from thalamus.storage.shapes import Entry, Hit, Vector
from thalamus.storage.sqlite.sealed import KINDS

if TYPE_CHECKING:
    from thalamus.storage.sqlite.sealed import Boxes


class SealedSearch:
    """The sealed rows of a store, opened as far as their keys are here."""

    def __init__(self, db: sqlite3.Connection, boxes: Boxes | None) -> None:
        self._db = db
        self._opened: dict[tuple[str, str], dict[str, Any] | None] = {}
        query = "SELECT kind, id, subject, box FROM sealed WHERE kind <> 'plan'"
        for kind, id, subject, box in db.execute(query):
            self._opened[kind, id] = boxes.values(kind, id, subject, box) if boxes else None

    def ids(self) -> set[tuple[str, str]]:
        """(kind, id) of all of them."""
        return set(self._opened)

    def keys(self) -> list[int]:
        """The keys of the rows that open."""
        found: list[int] = []
        for kind in ("memory", "fact", "turn"):
            query = (
                f"SELECT key, t.id FROM {kind} AS t JOIN sealed ON sealed.kind = '{kind}'"
                " AND sealed.id = t.id"
            )
            found += [row[0] for row in self._db.execute(query) if self._opened.get((kind, row[1]))]
        return found

    def opened(self, entries: Sequence[Entry]) -> list[Entry]:
        """Entries with their contents; those that do not open are left out."""
        found = []
        for entry in entries:
            name = (KINDS[entry.kind], entry.id)
            if name not in self._opened:
                found.append(entry)
            elif (values := self._opened[name]) is not None:
                found.append(_filled(entry, values))
        return found

    def by_words(self, entries: Mapping[int, Entry], tokens: Sequence[str]) -> list[Hit]:
        """Those that have one of the words; a rare word counts more, as in BM25."""
        texts = {e.key: (e, set(words(e.text))) for e in self.opened(list(entries.values()))}
        scores: dict[int, float] = {}
        for token in tokens:
            having = [k for k, (_, t) in texts.items() if any(similar(token, w) for w in t)]
            weight = math.log(1 + (len(texts) - len(having) + 0.5) / (len(having) + 0.5))
            for key in having:
                scores[key] = scores.get(key, 0.0) + weight
        return [Hit(texts[key][0], score) for key, score in scores.items()]

    def by_vector(self, entries: Mapping[int, Entry], vector: Vector) -> list[Hit]:
        """Those that have a vector of the model, by cosine."""
        found = []
        for entry in self.opened(list(entries.values())):
            cosine = _cosine(vector, self._opened[KINDS[entry.kind], entry.id])
            if cosine is not None:
                found.append(Hit(entry, cosine))
        return found


def cosines(
    db: sqlite3.Connection, boxes: Boxes, vector: Vector, keys: Sequence[int]
) -> dict[int, float]:
    """The cosines of the sealed memories among these."""
    found = {}
    for key in keys:
        row = db.execute("SELECT id FROM memory WHERE key = ?", (key,)).fetchone()
        cosine = _cosine(vector, boxes.content("memory", row[0])) if row else None
        if cosine is not None:
            found[key] = cosine
    return found


def _cosine(vector: Vector, values: Mapping[str, Any] | None) -> float | None:
    """The cosine of what was opened; None when it has no vector of that model."""
    from array import array

    model, data = (values or {}).get("vector", ("", b""))
    if model != vector.model or len(data) != len(vector.data):
        return None
    pairs = zip(array("f", vector.data), array("f", data), strict=True)
    return float(sum(a * b for a, b in pairs))


def _filled(entry: Entry, values: dict[str, Any]) -> Entry:
    if entry.kind == "turn":
        answer = f"\nAssistant: {values['answer']}" if values["answer"] else ""
        text = f"User: {values['message']}{answer}"
    elif entry.kind == "fact":
        text = f"{entry.text.rstrip()} {values['object']}"
    else:
        text = values["content"]
    source = values.get("provenance")
    return replace(
        entry,
        text=text,
        topic=values.get("topic"),
        metadata=values["metadata"],
        provenance=convert(source, Provenance) if source else None,
    )
