"""Operations on the world state: all of them are applied, or none."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import structs

from thalamus.records import OPERATORS, TOPICS, World, WorldOperation

LONGEST = 200  # characters of a text
MOST_GOALS = 50
MOST_ENTITIES = 200
DECAY = 0.8  # what is left of a topic's weight after a turn that does not speak of it
FAINTEST = 0.2  # weight below which a topic is no longer one
TEXTS = ("project", "timezone")
LISTS = ("goals", "topics")
MAPPINGS = ("entities",)
PATHS = (*TEXTS, *LISTS, *MAPPINGS)


class InvalidOperation(ValueError):
    """An operation that cannot be applied: its ``number`` (from 1), its ``path``, and why."""

    def __init__(self, number: int, path: str, reason: str) -> None:
        super().__init__(f"operation {number} ({path}): {reason}")
        self.number, self.path, self.reason = number, path, reason


def apply(
    world: World,
    operations: Sequence[WorldOperation],
    is_timezone: Callable[[str], bool] = lambda _: True,
) -> World:
    """The world after the operations. Raises ``InvalidOperation`` for the first that cannot be
    applied; then none is. ``is_timezone``: whether there is a time zone of that name."""
    for number, operation in enumerate(operations, start=1):
        try:
            world = _applied(world, operation, is_timezone)
        except ValueError as error:
            raise InvalidOperation(number, operation.path, str(error)) from None
    return world


def merge_topics(world: World, topics: Sequence[str]) -> list[WorldOperation]:
    """The operations by which the topics of a message become the world's: what is spoken of weighs
    1, the others decay and end when they are too faint. None where nothing changes."""
    said = list(dict.fromkeys(name for topic in topics if (name := _plain(topic).lower())))[:TOPICS]
    weights = dict.fromkeys(said, 1.0)
    for name in world.topics:
        faded = round(world.topic_weights.get(name, 1.0) * DECAY, 3)
        if name not in weights and faded >= FAINTEST:
            weights[name] = faded
    strongest = sorted(weights, key=lambda name: -weights[name])[:TOPICS]
    kept = {name: weights[name] for name in strongest}
    if strongest == world.topics and kept == world.topic_weights:
        return []
    return [WorldOperation(op="set", path="topics", value=kept)]


def repair(data: Mapping[str, Any]) -> tuple[World, list[str]]:
    """A stored world, and what was wrong with it: an unknown key, or a value of a wrong type, is
    left out."""
    problems = []
    kept: dict[str, Any] = {}
    kinds = {field.name: field.type for field in structs.fields(World)}
    for name, value in data.items():
        if name in ("record", "v"):
            continue
        if name not in kinds:
            problems.append(f"the unknown field {name} was left out")
            continue
        try:
            kept[name] = msgspec.convert(value, kinds[name])
        except msgspec.ValidationError as error:
            problems.append(f"{name} was reset: {error}")
    return World(**kept), problems


def _applied(world: World, operation: WorldOperation, is_timezone: Callable[[str], bool]) -> World:
    """The world after one operation. Raises ``ValueError``."""
    name, _, key = operation.path.partition(".")
    if operation.op not in OPERATORS:
        raise ValueError(f"unknown op {operation.op!r} (choose {', '.join(OPERATORS)})")
    if name not in PATHS:
        raise ValueError(f"unknown path (choose {', '.join(PATHS)})")
    if key and name not in MAPPINGS:
        raise ValueError(f"{name} has no keys")
    if name in TEXTS:
        return _with_text(world, name, operation, is_timezone)
    if name in MAPPINGS:
        return _with_entity(world, key, operation)
    if name == "topics" and operation.op == "set" and isinstance(operation.value, Mapping):
        return _with_weights(world, operation.value)
    return _with_list(world, name, operation)


def _with_text(
    world: World, name: str, operation: WorldOperation, is_timezone: Callable[[str], bool]
) -> World:
    if operation.op == "remove":
        held = getattr(world, name)
        if operation.value is not None and fold(str(operation.value)) != fold(held or ""):
            raise ValueError(f"it is {held!r}, not {operation.value!r}")
        return structs.replace(world, **{name: None})
    if operation.op != "set":
        raise ValueError(f"{operation.op} needs a list or a mapping (use set)")
    value = None if operation.value in (None, "") else _text(operation.value)
    if name == "timezone" and value is not None and not is_timezone(value):
        raise ValueError(f"no such time zone: {value} (such as Europe/Lisbon)")
    return structs.replace(world, **{name: value})


def _with_list(world: World, name: str, operation: WorldOperation) -> World:
    held: list[str] = getattr(world, name)
    value = operation.value
    if operation.op == "merge":
        raise ValueError("merge needs a mapping (use append)")
    if operation.op == "set":
        wanted = [] if value is None else [_text(item) for item in _many(value)]
        return _listed(world, name, list(dict.fromkeys(wanted)))
    changed = list(held)
    for item in _many(value):
        text = _text(item)
        place = _place(text, changed)
        if operation.op == "append":
            changed += [text] if place is None else []
        elif place is None:
            raise ValueError(f"{text!r} is not in it ({', '.join(held) or 'it is empty'})")
        else:
            del changed[place]
    return _listed(world, name, changed)


def _listed(world: World, name: str, items: list[str]) -> World:
    if name == "topics":
        weights = {item: world.topic_weights.get(item, 1.0) for item in map(str.lower, items)}
        return _with_weights(world, weights)
    if len(items) > MOST_GOALS:
        raise ValueError(f"more than {MOST_GOALS}")
    return structs.replace(world, goals=items)


def _with_weights(world: World, weights: Mapping[str, Any]) -> World:
    kept: dict[str, float] = {}
    for name, weight in weights.items():
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1:
            raise ValueError(f"the weight of {name!r} must be between 0 and 1, not {weight!r}")
        kept[_text(name).lower()] = float(weight)
    if len(kept) > TOPICS:
        raise ValueError(f"more than {TOPICS} topics")
    return structs.replace(world, topics=list(kept), topic_weights=kept)


def _with_entity(world: World, key: str, operation: WorldOperation) -> World:
    held, value = dict(world.entities), operation.value
    if operation.op == "append":
        raise ValueError("append needs a list (use merge)")
    if operation.op == "remove":
        name = key or _text(value)
        found = next((known for known in held if fold(known) == fold(name)), None)
        if found is None:
            raise ValueError(f"{name!r} is not in it ({', '.join(held) or 'it is empty'})")
        del held[found]
    elif key:
        if operation.op == "merge":
            raise ValueError("merge goes without a key (use set)")
        if value is None:
            held.pop(key, None)
        else:
            held[_text(key)] = _text(value)
    elif isinstance(value, Mapping):
        new = {_text(name): _text(what) for name, what in value.items()}
        held = new if operation.op == "set" else {**held, **new}
    elif value is None and operation.op == "set":
        held = {}
    else:
        raise ValueError("the value must be a mapping of names to who or what they are")
    if len(held) > MOST_ENTITIES:
        raise ValueError(f"more than {MOST_ENTITIES}")
    return structs.replace(world, entities=held)


def fold(text: str) -> str:
    """A text as it is compared with another one."""
    return " ".join(text.casefold().split()).removeprefix("the ")


def _place(text: str, items: Sequence[str]) -> int | None:
    """Where it stands in a list: the same words, or the only item that has all of them."""
    same = [place for place, item in enumerate(items) if fold(item) == fold(text)]
    if same:
        return same[0]
    return None


def _many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    """A text of the world. Raises ``ValueError`` for what is not one."""
    if not isinstance(value, str):
        raise ValueError(f"expected a text, not {value!r}")
    plain = _plain(value)
    if not plain:
        raise ValueError("the text is empty")
    if len(plain) > LONGEST:
        raise ValueError(f"the text is longer than {LONGEST} characters")
    return plain


def _plain(text: str) -> str:
    """A text on one line, without control characters."""
    spaced = "".join(
        " " if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in text
    )
    return " ".join(spaced.split())
