"""A store with unusual words planted in every place that can hold any, and a search for them that
shares no code with the product."""

from __future__ import annotations

import json
import random
from pathlib import Path

from tests.stored import stored
from thalamus.api import Thalamus
from thalamus.records import Fact, Link, Memory, Provenance, Turn
from thalamus.store.sqlite.store import SqliteStore

AT = "2026-03-01T10:00:00Z"
OTHERS = 6  # memories, facts and turns each that are kept


def word(seed: str) -> str:
    """An unusual word that no other text holds."""
    draw = random.Random(seed)
    return "".join(draw.choice("bdfgjkqvwxz") + draw.choice("aeiouy") for _ in range(5))


def left(folder: Path, *texts: str) -> list[str]:
    """The files and tables in which one of the texts stands: as UTF-8, UTF-16 or in JSON, in any
    case of ASCII letters, also in the files' names."""
    found = []
    for name, data in stored(folder):
        lower = data.lower()
        for text in texts:
            plain = text.lower()
            forms = {plain.encode(), plain.encode("utf-16-le"), json.dumps(plain)[1:-1].encode()}
            if any(form in lower for form in forms) or plain in name.lower():
                found.append(f"{name}: {text}")
    return found


def fill(thalamus: Thalamus, seed: str, count: int = OTHERS) -> None:
    """Other people's memories, facts and turns, so that there is something to be kept."""
    records: list[object] = []
    for number in range(count):
        name = word(f"{seed}{number}")
        records.append(Memory(id=f"mem_{name}", content=f"Somebody grows {name} in a garden."))
        records.append(Fact(id=f"fact_{name}", subject=name, predicate="likes", object="rain"))
        records.append(Turn(id=f"turn_{name}", message=f"Tell me of {name}.", session="others"))
    thalamus.remember(records)  # type: ignore[arg-type]


def kept(thalamus: Thalamus, seed: str, count: int = OTHERS) -> bool:
    """Whether all of these are there and are found by words and by meaning."""
    for number in range(count):
        name = word(f"{seed}{number}")
        found = {item.id for item in thalamus.recall(f"Who grows {name}?", limit=3)}
        if f"mem_{name}" not in found:
            return False
        if thalamus.database.get(f"turn_{name}") is None or not thalamus.facts.find(name):
            return False
    return thalamus.database.check() == []


def said(name: str, more: str, session: str = "talk") -> list[object]:
    """A turn that says two things, what was drawn from it, and a later turn that was told of it.

    ``name`` is the word to be forgotten, ``more`` belongs to the other statement."""
    turn = f"turn_{more}"
    quote = f"My cat is called {name}."
    return [
        Turn(
            id=turn,
            message=f"{quote} And I play the {more}.",
            answer=f"Noted, {name} and the {more}.",
            session=session,
            created_at=AT,
        ),
        Memory(
            id=f"mem_cat_{more}",
            content=f"The user's cat is called {name}.",
            session=session,
            created_at=AT,
            provenance=Provenance(turn=turn, quote=quote),
        ),
        Fact(
            id=f"fact_cat_{more}",
            subject="user",
            predicate="has_cat",
            object=name,
            session=session,
            created_at=AT,
            quote=quote,
            provenance=Provenance(turn=turn, quote=quote),
        ),
        Memory(
            id=f"mem_play_{more}",
            content=f"The user plays the {more}.",
            session=session,
            created_at=AT,
            provenance=Provenance(turn=turn, quote=f"{quote} And I play the {more}."),
        ),
        Turn(
            id=f"turn_later_{more}",
            message="What do you know of my pet?",
            answer=f"It is {name.upper()}, a cat.",
            session="later",
            created_at="2026-03-02T10:00:00Z",
        ),
    ]


def link(store: SqliteStore, source: str, relation: str, target: str) -> None:
    with store.writing() as writer:
        writer.add(Link(source=source, relation=relation, target=target))  # type: ignore[arg-type]
