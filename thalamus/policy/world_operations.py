"""Operations on the world state, with their validation.

Either all of them are applied or none is. The limits of a state are defined here once, for
operations and for the repair of a stored state.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import structs

from thalamus.errors import InvalidOperation
from thalamus.records import OPERATORS, TOPICS, World, WorldOperation
from thalamus.text.analyzer import fold

GOALS = 20  # maximum number of goals
ENTITIES = 50  # maximum number of entities
LONGEST = {"project": 200, "topics": 60, "goals": 300, "name": 100, "entities": 300}  # characters
FIELDS = ("project", "topics", "goals", "entities", "timezone")  # fields that operations may change
DECAY = 0.8  # factor of a topic's weight for each message without it
LEAST_WEIGHT = 0.2  # weight below which a topic is dropped

Element = tuple[str, str, str]  # part of a state: field, name ('' except for entities), text


class _Problem(ValueError):
    """An invalid value."""


def apply(world: World, operations: Sequence[WorldOperation]) -> World:
    """The world after the operations, in order; the same object if nothing changes. Raises
    ``InvalidOperation`` for the first invalid one, with its number from 1, its path and the
    problem; then none is applied."""
    changed = world
    for number, operation in enumerate(operations, 1):
        try:
            changed = _applied(changed, operation)
        except _Problem as problem:
            raise InvalidOperation(number, operation.path, str(problem)) from None
    return world if changed == world else changed


def merge_topics(world: World, operation_elements: Iterable[str]) -> World:
    """The world with the topics of one more message: these get weight 1, the others lose weight,
    and the weakest are dropped."""
    new = dict.fromkeys(_text("topics", topic).lower() for topic in operation_elements)
    weights = dict.fromkeys(list(new)[:TOPICS], 1.0)
    for topic, weight in _weights(world).items():
        faded = round(weight * DECAY, 4)
        if topic not in weights and faded >= LEAST_WEIGHT:
            weights[topic] = faded
    strongest = sorted(weights, key=lambda topic: -weights[topic])[:TOPICS]
    return _with_topics(world, {topic: weights[topic] for topic in strongest})


def changes(before: World, after: World) -> dict[str, tuple[Any, Any]]:
    """Differences between two states by path: (value before, value after), None for no value.
    Entities are compared one by one, ``topics`` together with their weights."""
    found: dict[str, tuple[Any, Any]] = {}
    for name in ("project", "goals", "timezone"):
        pair = getattr(before, name), getattr(after, name)
        if pair[0] != pair[1]:
            found[name] = pair
    for name in dict.fromkeys([*before.entities, *after.entities]):
        values = before.entities.get(name), after.entities.get(name)
        if values[0] != values[1]:
            found[f"entities.{name}"] = values
    topics = _weights(before), _weights(after)
    if list(topics[0].items()) != list(topics[1].items()):
        found["topics"] = topics
    return found


def with_value(world: World, path: str, value: Any) -> World:
    """The world with a value of ``changes`` at its path."""
    field, _, name = path.partition(".")
    if field == "topics":
        return _with_topics(world, dict(value or {}))
    if field != "entities":
        return structs.replace(world, **{field: value})
    rest = {key: about for key, about in world.entities.items() if key != name}
    return structs.replace(world, entities=rest if value is None else {**rest, name: value})


def in_words(operation: WorldOperation) -> str:
    """An operation on one line: ``goals + plant basil``."""
    operation_elements = ", ".join(
        ": ".join(filter(None, element[1:])) for element in elements_of(operation)
    )
    path, sign = field_of(operation), {"append": "+", "merge": "+", "remove": "-"}
    if not operation_elements and operation.op == "merge":
        return f"{path} fade"  # without topics: the others lose weight
    return (
        f"{path} {sign.get(operation.op, '=')} {operation_elements}"
        if operation_elements
        else f"{path} = nothing"
    )


def field_of(operation: WorldOperation) -> str:
    """The field that an operation changes: its path without personal content."""
    return operation.path.partition(".")[0]


# -- one operation ---------------------------------------------------------------------------------


def _applied(world: World, operation: WorldOperation) -> World:
    field, dot, name = operation.path.partition(".")
    if operation.op not in OPERATORS:
        raise _Problem(f"unknown operation {operation.op!r} (choose {_choices(OPERATORS)})")
    if field not in FIELDS or (dot and field != "entities"):
        raise _Problem(f"unknown path (choose {_choices(FIELDS)}, or entities.NAME)")
    if field in ("project", "timezone"):
        return _on_text(world, field, operation)
    if field == "entities":
        return _on_entities(world, _text("name", name) if dot else None, operation)
    return (_on_topics if field == "topics" else _on_goals)(world, operation)


def _on_text(world: World, field: str, operation: WorldOperation) -> World:
    if operation.op not in ("set", "remove"):
        kind = "a list" if operation.op == "append" else "an object"
        raise _Problem(f"cannot {operation.op}: it is not {kind} (choose set or remove)")
    value = None if operation.op == "remove" else operation.value
    return structs.replace(world, **{field: _value(field, value)})


def _on_goals(world: World, operation: WorldOperation) -> World:
    if operation.op == "set":
        return structs.replace(world, goals=_list("goals", operation.value, GOALS))
    if operation.op == "merge":
        raise _Problem("cannot merge: it is not an object (choose set, append or remove)")
    goal = _text("goals", operation.value)
    existing = [other for other in world.goals if fold(other) == fold(goal)]
    if operation.op == "remove":
        return structs.replace(
            world, goals=[other for other in world.goals if other not in existing]
        )
    if existing:
        return world
    return structs.replace(world, goals=_list("goals", [*world.goals, goal], GOALS))


def _on_topics(world: World, operation: WorldOperation) -> World:
    weights = _weights(world)
    if operation.op == "merge":
        return merge_topics(world, _list("topics", operation.value, None))
    if operation.op == "set":
        return _with_topics(world, dict.fromkeys(_list("topics", operation.value, TOPICS), 1.0))
    topic = _text("topics", operation.value).lower()
    if operation.op == "remove":
        return _with_topics(world, {name: weights[name] for name in weights if name != topic})
    if topic in weights:
        return world
    _limit("topics", len(weights) + 1, TOPICS)
    strong = [name for name in weights if weights[name] >= 1]
    ordered = dict.fromkeys([*strong, topic, *weights])
    return _with_topics(world, {name: weights.get(name, 1.0) for name in ordered})


def _on_entities(world: World, name: str | None, operation: WorldOperation) -> World:
    """``name``: the entity's, None for a path to all entities."""
    op, value = operation.op, operation.value
    if op == "append" or (op == "merge" and name is not None):
        instead = "merge" if name is None else "set"
        kind = "a list" if op == "append" else "an object"
        raise _Problem(f"cannot {op}: it is not {kind} (choose {instead} or remove)")
    if op == "remove":
        removed = fold(_text("name", value) if name is None else name)
        rest = {key: about for key, about in world.entities.items() if fold(key) != removed}
        return structs.replace(world, entities=rest)
    new_entities = _mapping(value) if name is None else {name: _value("entities", value)}
    entities = {} if op == "set" and name is None else dict(world.entities)
    known = {fold(key): key for key in entities}
    for key, about in new_entities.items():
        existing = known.get(fold(key), key)
        if about is None:
            entities.pop(existing, None)
        else:
            entities[existing] = about
    _limit("entities", len(entities), ENTITIES)
    return structs.replace(world, entities=entities)


# -- values ----------------------------------------------------------------------------------------


def _value(field: str, value: Any) -> str | None:
    """A text, or None for an empty one."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    text = _text(field, value)
    if field == "timezone" and not is_timezone(text):
        raise _Problem(f"unknown time zone {text!r} (an IANA name such as Europe/Lisbon)")
    return text


def _text(field: str, value: Any) -> str:
    """A text on one line. Raises ``_Problem`` for any other value, and for text that is too long or
    has control characters."""
    if value is None:
        raise _Problem("the value is missing")
    if not isinstance(value, str):
        raise _Problem(f"must be text, not {_kind(value)}")
    text = " ".join(value.split())
    if not text:
        raise _Problem("the name is empty" if field == "name" else "the value is empty")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise _Problem("control characters are not allowed")
    longest = LONGEST.get(field, LONGEST["project"])
    if len(text) > longest:
        raise _Problem(f"too long: {len(text)} characters, at most {longest}")
    return text


def _list(field: str, value: Any, most: int | None) -> list[str]:
    """Distinct texts; topics in lower case."""
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        raise _Problem(f"must be a list of texts, not {_kind(value)}")
    texts = [_text(field, one) for one in value]
    if field == "topics":
        texts = [text.lower() for text in texts]
    distinct = list({fold(text): text for text in reversed(texts)}.values())[::-1]
    if most is not None:
        _limit(field, len(distinct), most)
    return distinct


def _mapping(value: Any) -> dict[str, str | None]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise _Problem(f"must be an object of names and texts, not {_kind(value)}")
    return {_text("name", name): _value("entities", about) for name, about in value.items()}


def _limit(field: str, count: int, most: int) -> None:
    if count > most:
        raise _Problem(f"too many {field}: {count}, at most {most}")


def is_timezone(name: str) -> bool:
    """True for the name of a time zone in the IANA database."""
    from zoneinfo import ZoneInfo  # 3 ms that few callers need

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, (list, tuple)) else "an object"


def _choices(names: Sequence[str]) -> str:
    return ", ".join(names)


def _weights(world: World) -> dict[str, float]:
    """The topics with their weights, in order."""
    return {topic: world.topic_weights.get(topic, 1.0) for topic in world.topics}


def _with_topics(world: World, weights: Mapping[str, float]) -> World:
    return structs.replace(world, topics=list(weights), topic_weights=dict(weights))


# -- repairing -------------------------------------------------------------------------------------


def repair(data: Mapping[str, Any]) -> tuple[World, list[str]]:
    """The world in a JSON object, and its problems: unknown keys and invalid values, which are
    replaced by defaults."""
    names = World.__struct_fields__
    problems = [f"unknown key {key!r}" for key in data if key not in (*names, "record")]
    fields: dict[str, Any] = {}
    for name in ("user", "updated_at"):
        value = data.get(name)
        if value is None or isinstance(value, str):
            fields[name] = value
        else:
            problems.append(f"`{name}`: must be text, not {_kind(value)}")
    for name in ("project", "goals", "entities", "timezone", "topics"):
        try:
            fields |= _repaired(name, data)
        except _Problem as problem:
            problems.append(f"`{name}`: {problem}")
    return World(**fields), problems


def _repaired(name: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields for one key of a stored state. Raises ``_Problem``."""
    value = data.get(name)
    if name == "goals":
        return {name: _list(name, value, GOALS)}
    if name == "entities":
        found = {key: about for key, about in _mapping(value).items() if about is not None}
        _limit(name, len(found), ENTITIES)
        return {name: found}
    if name != "topics":
        return {name: _value(name, value)}
    topics, new_entities = _list(name, value, TOPICS), data.get("topic_weights") or {}
    if not isinstance(new_entities, Mapping):
        raise _Problem(f"their weights must be an object of numbers, not {_kind(new_entities)}")
    weights = {topic: new_entities.get(topic, 1.0) for topic in topics}
    for topic, weight in weights.items():
        if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight <= 1:
            raise _Problem(f"the weight of {topic!r} must be a number from 0 to 1")
    ordered = sorted(topics, key=lambda topic: -weights[topic])
    return {"topics": ordered, "topic_weights": {name: float(weights[name]) for name in ordered}}


# -- elements: what can be forgotten by itself -----------------------------------------------------


def elements(world: World) -> Iterator[Element]:
    """The parts of a state."""
    if world.project:
        yield "project", "", world.project
    for goal in world.goals:
        yield "goals", "", goal
    for name, about in world.entities.items():
        yield "entities", name, about
    for topic in world.topics:
        yield "topics", "", topic
    if world.timezone:
        yield "timezone", "", world.timezone


def key_of(element: Element) -> Element:
    """The comparison key of an element."""
    field, name, text = element
    return field, fold(name), fold(text)


def elements_of(operation: WorldOperation) -> Iterator[Element]:
    """The elements in an operation."""
    field, _, name = operation.path.partition(".")
    value = operation.value
    if isinstance(value, Mapping):
        for key, about in value.items():
            yield field, str(key), _one_line(about)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield field, "", _one_line(one)
    elif field == "entities" and not name:
        yield field, _one_line(value), ""
    elif name or value is not None:
        yield field, name, _one_line(value)


def _one_line(value: Any) -> str:
    return "" if value is None else " ".join(str(value).split())


def without(world: World, removed: Collection[Element]) -> World:
    """The state without the elements with these keys."""
    left = [element for element in elements(world) if key_of(element) not in removed]
    topics = [text for field, _, text in left if field == "topics"]
    texts = {field: text for field, _, text in left}
    return structs.replace(
        world,
        project=texts.get("project"),
        timezone=texts.get("timezone"),
        goals=[text for field, _, text in left if field == "goals"],
        entities={name: text for field, name, text in left if field == "entities"},
        topics=topics,
        topic_weights={topic: world.topic_weights.get(topic, 1.0) for topic in topics},
    )


def operation_without(
    operation: WorldOperation, removed: Collection[Element]
) -> WorldOperation | None:
    """The operation without the elements with these keys; None if nothing is left of it."""
    operation_elements = list(elements_of(operation))
    left = [element for element in operation_elements if key_of(element) not in removed]
    if left == operation_elements:
        return operation
    if not left:
        return None
    if isinstance(operation.value, Mapping):
        names = {name for _, name, _ in left}
        value: Any = {key: about for key, about in operation.value.items() if key in names}
    else:
        value = [text for _, _, text in left]
    return structs.replace(operation, value=value)
