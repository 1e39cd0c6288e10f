"""A search for the bytes of personal data in every file of a store, whatever way they came in."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.commands.planted import left, word
from tests.conftest import Result
from tests.storage.test_encryption import engine
from thalamus.policy.sensitivity import luhn
from thalamus.records import Memory

Run = Callable[..., Result]
PLANTED = 12  # values of each kind in each test


class Value(NamedTuple):
    """A planted value, the sentence that says it, and the strings to search for."""

    text: str
    sentence: str
    traces: tuple[str, ...]


def digits(seed: str, count: int) -> str:
    return "".join(random.Random(seed).choices("123456789", k=count))


def email(n: int) -> Value:
    name, domain = word(f"name{n}"), word(f"domain{n}")
    text = f"{name}@{domain}.example"
    return Value(text, f"Write to {text} about the boat.", (name, domain))


def phone(n: int) -> Value:
    area, rest = digits(f"area{n}", 4), digits(f"rest{n}", 4)
    text = f"+351 9{area} {rest}"
    return Value(text, f"Call {text} about the boat.", (text, text.replace(" ", ""), area + rest))


def iban(n: int) -> Value:
    account = digits(f"iban{n}", 18)
    check = 98 - int(f"{account}131400") % 97
    text = f"DE{check:02}{account}"
    spaced = " ".join(text[i : i + 4] for i in range(0, 22, 4))
    return Value(spaced, f"Pay for the boat to {spaced}.", (text, spaced, account[:10]))


def card(n: int) -> Value:
    body = f"4{digits(f'card{n}', 14)}"
    text = next(body + last for last in "0123456789" if luhn(body + last))
    return Value(text, f"The boat was paid for with {text}.", (text, text[4:]))


def key(n: int) -> Value:
    text = f"sk-proj-{word(f'key{n}')}A1{word(f'end{n}')}"
    return Value(text, f"The boat server takes {text}.", (word(f"key{n}"), word(f"end{n}")))


FORMS = {made.__name__: made for made in (email, phone, iban, card, key)}
# what only its predicate, or the label of a model, makes personal
PREDICATES = {
    "address": ("The user lives at {} Street 12.", "{} Street 12"),
    "mobile": ("The user can be called at {}.", "0912 {}"),
    "work_email": ("The user can be reached at {}.", "{} at work"),
    "born_on": ("The user was born on {}.", "the ides of {}"),
    "birthday": ("The user has a party on {}.", "{} eve"),
    "has_condition": ("The user suffers from {}.", "{}"),
    "diagnosis": ("The user was told it is {}.", "{}"),
    "takes_medication": ("The user takes {} each night.", "{}"),
    "allergic_to": ("The user cannot stand {}.", "{}"),
    "salary": ("The user gets {} crowns a year.", "{} crowns"),
    "wifi_password": ("The user opens it with {}.", "{}"),
}


def neutral(n: int) -> Value:
    name = word(f"neutral{n}")
    return Value(name, f"The user grows {name} in the garden.", (name,))


def values(kind: str) -> list[Value]:
    if kind in FORMS:
        return [FORMS[kind](n) for n in range(PLANTED)]
    sentence, object = PREDICATES[kind]
    found = []
    for n in range(PLANTED):
        name = word(f"{kind}{n}")
        text = object.format(name)
        found.append(Value(text, sentence.format(text), (name,)))
    return found


def all_of(found: Sequence[Value]) -> list[str]:
    return [trace for value in found for trace in value.traces]


def check(home: Path, private: Sequence[Value], recalled: int | None = None) -> None:
    """No file holds what is personal; what is not does stand in one. All of it is recalled."""
    plain = [neutral(n) for n in range(PLANTED)]
    with engine(home) as thalamus:
        thalamus.remember([Memory(content=value.sentence) for value in plain])
        assert left(home / "data", *all_of(private)) == []  # while the log is open
        thalamus.database.rebuild_indexes()
        for value in private[:recalled]:
            found = "\n".join(item.text for item in thalamus.recall(value.sentence))
            assert value.text in found, value
        assert thalamus.database.check() == []
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []
    assert left(home, *all_of(private)) == []
    for value in plain:
        assert left(home, *value.traces) != [], value


@pytest.fixture
def tell(run: Run, tmp_path: Path) -> Callable[..., Result]:
    """Runs a command with a model that finds one memory and one fact in each sentence."""

    def told(found: Sequence[tuple[Value, str]], *arguments: str, **more: str) -> Result:
        entries = []
        for value, predicate in found:
            memory = {"quote": value.sentence, "content": value.sentence, "type": "observation"}
            fact = {
                "quote": value.sentence,
                "subject": "user",
                "predicate": predicate,
                "object": value.text,
            }
            reply = {"memories_to_store": [memory], "facts": [fact], "no_longer": []}
            entries.append({"role": "reflect", "match": re.escape(value.text), "reply": reply})
        script = tmp_path / "script.json"
        script.write_text(json.dumps(entries))
        done = run(*arguments, "--model", f"scripted:{script}", **more)
        assert done.code == 0, done.stderr
        return done

    return told


@pytest.mark.parametrize("kind", [*FORMS, *PREDICATES])
def test_turns(tell: Callable[..., Result], home: Path, kind: str) -> None:
    predicate = kind if kind in PREDICATES else "boat"
    found = values(kind)
    turns = [{"record": "turn", "message": value.sentence} for value in found]
    lines = "".join(json.dumps(turn) + "\n" for turn in turns)
    tell([(value, predicate) for value in found], "turn", "-", input=lines)
    check(home, found, 3)
