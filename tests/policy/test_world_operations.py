"""Operations on the world state, the decay of topics, and the repair of what is kept."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thalamus.errors import InvalidOperation
from thalamus.policy.world_operations import (
    ENTITIES,
    GOALS,
    LEAST_WEIGHT,
    apply,
    changes,
    elements,
    key_of,
    merge_topics,
    operation_without,
    repair,
    with_value,
    without,
)
from thalamus.records import TOPICS, World, WorldOperation

pytestmark = pytest.mark.storeless

WORDS = st.text("abcXYZ äß", min_size=1, max_size=12).filter(lambda text: text.strip())
VALUES = st.one_of(
    st.none(),
    st.integers(),
    st.booleans(),
    WORDS,
    st.text(max_size=5),
    st.lists(st.one_of(WORDS, st.integers()), max_size=12),
    st.dictionaries(WORDS, st.one_of(WORDS, st.none(), st.integers()), max_size=4),
)
PATHS = (
    "project topics goals entities entities.Ana entities. timezone user topics.x nowhere".split()
)
OPERATIONS = st.builds(
    WorldOperation,
    op=st.sampled_from(["set", "append", "remove", "merge"]),
    path=st.sampled_from(PATHS),
    value=VALUES,
)


def operation(op: str, path: str, value: Any = None) -> WorldOperation:
    return WorldOperation(op=op, path=path, value=value)  # type: ignore[arg-type]


def after(*operations: WorldOperation) -> World:
    return apply(World(), operations)


def test_each_operation() -> None:
    world = after(
        operation("set", "project", "  Herb \n Garden "),
        operation("append", "goals", "plant basil"),
        operation("append", "goals", "Plant Basil"),
        operation("merge", "entities", {"Ana": "my sister", "Bo": "a dog"}),
        operation("set", "entities.St. Ives", "a town"),
        operation("set", "entities.ana", "my elder sister"),
        operation("remove", "entities", "BO"),
        operation("append", "topics", "Herbs"),
        operation("set", "timezone", "Europe/Lisbon"),
    )
    assert world.project == "Herb Garden" and world.timezone == "Europe/Lisbon"
    assert world.goals == ["plant basil"] and world.topics == ["herbs"]
    assert world.entities == {"Ana": "my elder sister", "St. Ives": "a town"}
    empty = apply(
        world,
        [
            operation("set", "project"),
            operation("remove", "timezone"),
            operation("remove", "goals", "plant basil"),
            operation("remove", "topics", "HERBS"),
            operation("set", "entities", {}),
        ],
    )
    assert empty == World()


@pytest.mark.parametrize(
    ("op", "path", "value", "problem"),
    [
        ("set", "projekt", "x", "unknown path"),
        ("set", "project.name", "x", "unknown path"),
        ("set", "updated_at", "x", "unknown path"),
        ("set", "topic_weights", {}, "unknown path"),
        ("set", "project", 5, "must be text, not a number"),
        ("set", "project", ["x"], "must be text, not a list"),
        ("set", "project", "x" * 201, "too long: 201 characters, at most 200"),
        ("set", "project", "a\x1bb", "control characters"),
        ("append", "project", "x", "not a list"),
        ("append", "entities", "x", "not a list"),
        ("merge", "goals", ["x"], "not an object"),
        ("append", "goals", None, "the value is missing"),
        ("append", "goals", " ", "the value is empty"),
        ("set", "goals", "x", "must be a list"),
        ("set", "goals", [f"g{n}" for n in range(GOALS + 1)], "too many goals: 21, at most 20"),
        ("set", "topics", list("abcdefghi"), "too many topics: 9, at most 8"),
        ("merge", "entities", ["Ana"], "must be an object"),
        ("set", "entities.", "x", "the name is empty"),
        ("set", "entities", {f"e{n}": "x" for n in range(ENTITIES + 1)}, "too many entities"),
        ("set", "timezone", "Lisbon", "unknown time zone 'Lisbon'"),
        ("set", "timezone", "../../etc/passwd", "unknown time zone"),
    ],
)
def test_what_cannot_be_applied_says_why_and_changes_nothing(
    op: str, path: str, value: Any, problem: str
) -> None:
    world = after(operation("set", "project", "Tea"))
    operations = [operation("append", "goals", "g"), operation(op, path, value)]
    with pytest.raises(InvalidOperation, match="Operation 2") as raised:
        apply(world, operations)
    assert (raised.value.number, raised.value.path) == (2, path)
    assert problem in raised.value.message
    assert world == World(project="Tea")


@settings(max_examples=50)
@given(st.lists(OPERATIONS, max_size=8))
def test_operations_give_a_valid_world_or_none(operations: list[WorldOperation]) -> None:
    world = after(operation("set", "entities.Ana", "a"), operation("append", "topics", "t"))
    try:
        changed = apply(world, operations)
    except InvalidOperation as error:
        assert 1 <= error.number <= len(operations)
        return
    from msgspec import structs, to_builtins

    assert repair(to_builtins(changed)) == (changed, [])
    assert len(changed.topics) <= TOPICS and list(changed.topic_weights) == changed.topics
    assert all(topic == topic.lower() for topic in changed.topics)
    assert apply(changed, [operation("set", "project", changed.project)]) is changed
    # what differs, put back, is the state before
    for path, (before, _) in changes(world, changed).items():
        changed = with_value(changed, path, before)
    assert structs.asdict(changed) == structs.asdict(world)


@settings(max_examples=50)
@given(st.lists(st.lists(WORDS, max_size=12), max_size=12))
def test_topics_of_messages(messages: list[list[str]]) -> None:
    world = World()
    for said in messages:
        before, world = world, merge_topics(world, said)
        assert len(world.topics) <= TOPICS and set(world.topics) == set(world.topic_weights)
        new = [" ".join(topic.split()).lower() for topic in said]
        assert set(world.topics) <= {*new, *before.topics}
        for topic, weight in world.topic_weights.items():
            assert LEAST_WEIGHT <= weight <= 1
            assert weight == 1 if topic in new else weight < before.topic_weights[topic]
        weights = list(world.topic_weights.values())
        assert weights == sorted(weights, reverse=True)
        assert new[:1] <= world.topics


def test_an_unused_topic_fades() -> None:
    world = merge_topics(World(), ["Tea"])
    seen = []
    while world.topics:
        world = merge_topics(world, [])
        seen += world.topic_weights.values()
    assert seen == [0.8, 0.64, 0.512, 0.4096, 0.3277, 0.2622, 0.2098]


def test_a_damaged_state_is_repaired() -> None:
    data = {
        "record": "world",
        "v": 1,
        "user": "ana",
        "project": 5,
        "goals": ["plant basil"],
        "entities": {"Ana": ["x"]},
        "topics": ["tea"],
        "topic_weights": {"tea": 7},
        "timezone": "Nowhere/Land",
        "mood": "sunny",
    }
    world, problems = repair(data)
    assert world == World(user="ana", goals=["plant basil"])
    assert problems == [
        "unknown key 'mood'",
        "`project`: must be text, not a number",
        "`entities`: must be text, not a list",
        "`timezone`: unknown time zone 'Nowhere/Land' (an IANA name such as Europe/Lisbon)",
        "`topics`: the weight of 'tea' must be a number from 0 to 1",
    ]


def test_elements_are_taken_out_one_by_one() -> None:
    operations = [
        operation("set", "project", "Herb Garden"),
        operation("merge", "entities", {"Ana": "my sister", "Bo": "a dog"}),
        operation("append", "goals", "call Ana"),
        operation("merge", "topics", ["Ana", "herbs"]),
    ]
    world = apply(World(), operations)
    gone = {key_of(element) for element in elements(world) if "ana" in str(element).lower()}
    assert without(world, gone) == World(
        project="Herb Garden",
        entities={"Bo": "a dog"},
        topics=["herbs"],
        topic_weights={"herbs": 1.0},
    )
    left = [operation_without(one, gone) for one in operations]
    assert left == [
        operations[0],
        operation("merge", "entities", {"Bo": "a dog"}),
        None,
        operation("merge", "topics", ["herbs"]),
    ]
