"""Replies read item by item: what is broken costs an item, never the reply."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.extract.proposals import (
    LONGEST_CONTENT,
    MOST,
    Proposals,
    ProposedFact,
    ProposedMemory,
    read,
    schema,
)
from thalamus.policy.reply_parsing import ReplyError

pytestmark = pytest.mark.storeless

MEMORY = {"quote": "I keep bees", "content": "The user keeps bees."}
FACT = {"quote": "I keep bees", "subject": "user", "predicate": "keeps", "object": "bees"}
ONE = json.dumps(MEMORY)
ENDING = {"quote": "no more bees", "id": "f1"}


def reply(**lists: Any) -> Proposals:
    return read(json.dumps(lists))


def memory(**fields: Any) -> ProposedMemory | None:
    found = reply(memories_to_store=[{**MEMORY, **fields}]).memories
    return found[0] if found else None


def fact(**fields: Any) -> ProposedFact | None:
    found = reply(memories_to_store=[MEMORY], facts=[{**FACT, **fields}]).facts
    return found[0] if found else None


def test_a_whole_reply() -> None:
    found = reply(memories_to_store=[MEMORY], facts=[FACT], no_longer=[ENDING])
    assert [len(found.memories), len(found.facts), len(found.no_longer)] == [1, 1, 1]
    assert [found.memories[0].text, found.facts[0].text] == [
        "The user keeps bees.",
        "user keeps bees",
    ]
    assert found.unusable == 0


@pytest.mark.parametrize(
    "text",
    [
        f'```json\n{{"memories_to_store": [{ONE}]}}\n```',
        f'Here it is: {{"memories_to_store": [{ONE}]}} Anything else?',
        f'{{"memories_to_store": [{ONE}',  # cut off
        f'{{"memories_to_store": {ONE}}}',  # one, without a list
        f"[{ONE}]",  # a list by itself
        f'[{{"memories_to_store": [{ONE}], "facts": []}}]',  # the object in a list
        f'\ufeff{{"memories_to_store": [{ONE}, "bees", null, 7]}}',
    ],
)
def test_forms_that_models_give_it(text: str) -> None:
    assert [one.content for one in read(text).memories] == ["The user keeps bees."]


@pytest.mark.parametrize(
    "text",
    [
        *("", "nothing", "{}", "7", "null", '"bees"', '{"memories": []}'),
        *(
            "{not JSON",
            "{none}",
            "[",
            "[[",
            "[not JSON",
            '["bees"]',
            "[7, null]",
            "Note [1]: bees.",
        ),
        '{"memories_to_store": [',  # cut off before the first item
        '```json\n{"facts": [\n```',
        '{"memories_to_store": "none", "facts": []}',
        '{"memories_to_store": ["The user keeps bees."], "facts": []}',
        '{"memories_to_store": [{"content": "The user keeps bees."}], "no_longer": [7]}',
        '{"memories_to_store": [{"quote": "I k',
        "[" * 100_000,
    ],
)
def test_what_is_no_reply(text: str) -> None:
    with pytest.raises(ReplyError):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"memories_to_store": [], "facts": [], "no_longer": []}',
        "{'memories_to_store': [], 'facts': [],}",
        '{"memories_to_store": null, "facts": {}}',
        "[]",
    ],
)
def test_a_reply_may_say_that_there_is_nothing(text: str) -> None:
    assert read(text) == Proposals([], [], [], [])


@pytest.mark.parametrize(
    "fields",
    [
        {"quote": ""},
        {"quote": " \n"},
        {"quote": None},
        {"quote": 7},
        {"content": ""},
        {"content": ["The user keeps bees."]},
        {"content": "bees " * LONGEST_CONTENT},
    ],
)
def test_a_memory_without_text_costs_that_memory(fields: dict[str, Any]) -> None:
    found = reply(memories_to_store=[{**MEMORY, **fields}, MEMORY])
    assert len(found.memories) == 1 and found.unusable == 1


@pytest.mark.parametrize(
    "fields", [{"subject": 7}, {"predicate": None}, {"object": {"a": "b"}}, {"object": True}]
)
def test_a_fact_with_a_part_that_is_no_text(fields: dict[str, Any]) -> None:
    assert fact(**fields) is None


@pytest.mark.parametrize(("value", "text"), [(34, "34"), (1.75, "1.75"), ("34", "34")])
def test_an_object_may_be_a_number(value: object, text: str) -> None:
    found = fact(object=value)
    assert found is not None and found.object == text


@pytest.mark.parametrize(
    ("fields", "name", "value"),
    [
        ({"type": "Preference"}, "type", "preference"),
        ({"type": "fruit"}, "type", "observation"),
        ({"type": None}, "type", "observation"),
        ({"importance": "HIGH"}, "importance", "high"),
        ({"importance": 11}, "importance", "medium"),
        ({"sensitivity": "private"}, "sensitivity", "personal"),
        ({"sensitivity": None}, "sensitivity", "normal"),
        ({"replaces": "[m3]"}, "replaces", "m3"),
        ({"replaces": "none"}, "replaces", None),
        ({"replaces": 3}, "replaces", None),
        ({"valid_from": " 2026-03 "}, "valid_from", "2026-03"),
        ({"valid_from": "null"}, "valid_from", None),
        ({"valid_from": 2026}, "valid_from", None),
        ({"topic": "  bees \n honey "}, "topic", "bees honey"),
        ({"content": "The user\nkeeps  bees."}, "content", "The user keeps bees."),
        ({"quote": " I keep\nbees "}, "quote", "I keep\nbees"),
        ({"colour": "yellow"}, "content", "The user keeps bees."),
    ],
)
def test_fields_fall_back(fields: dict[str, Any], name: str, value: object) -> None:
    found = memory(**fields)
    assert found is not None and getattr(found, name) == value


def test_at_most_twelve_of_each() -> None:
    found = reply(memories_to_store=[MEMORY] * 20, facts=[FACT] * 13, no_longer=[ENDING] * 12)
    assert [len(found.memories), len(found.facts), len(found.no_longer)] == [MOST, MOST, 12]
    assert found.unusable == 9


def test_the_schema_offers_only_ids_that_are_shown() -> None:
    made = json.dumps(schema(["m1", "f2"]))
    assert made.count('["m1", "f2"]') == 4  # two that replace, one that ends, one to forget
    assert "enum" not in json.dumps(
        schema([])["properties"]["facts"]["items"]["properties"]["replaces"]
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*MEMORY, *FACT, "id", "memories_to_store", "facts", "no_longer"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_value_is_read_or_refused(value: object) -> None:
    try:
        found = read(json.dumps(value))
    except ReplyError:
        return
    assert all(one.quote and one.text for one in (*found.memories, *found.facts))


def read_or_refused(text: str) -> None:
    with suppress(ReplyError):
        read(text)


@given(JSON, st.integers(0, 40), st.text(max_size=4))
def test_any_broken_reply_is_read_or_refused(value: object, cut: int, more: str) -> None:
    whole = json.dumps({"memories_to_store": [MEMORY, value], "facts": [FACT]})
    for text in (whole[:-cut], whole[cut:], whole[:cut] + more + whole[cut:]):
        read_or_refused(text)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for reply in (text, "{" + text, "[" + text):
        read_or_refused(reply)


@pytest.mark.parametrize(
    "text",
    [
        *("[" * 20_000, '{"facts":' * 20_000, "[" * 600 + "x", '{"facts":' * 600),
        *("9" * 6_000, "[" + "9" * 6_000),
    ],
)
def test_deep_and_long_replies_are_read_or_refused(text: str) -> None:
    read_or_refused(text)
