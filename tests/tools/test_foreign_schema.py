"""JSON Schemas that somebody else wrote."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from thalamus.tools.foreign_arguments import map_arguments
from thalamus.tools.foreign_schema import BadSchema, usable
from thalamus.tools.tool import ToolError

pytestmark = pytest.mark.storeless


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def test_references_are_put_in_place() -> None:
    schema = {**of(a={"$ref": "#/$defs/n", "description": "A."}), "$defs": {"n": {"type": "null"}}}
    found = usable(schema, arguments=True)
    assert found == of(a={"type": "null", "description": "A."})


def test_of_a_reference_to_itself_anything_is_valid() -> None:
    tree = of(children={"type": "array", "items": {"$ref": "#"}})
    found = usable(tree, arguments=True)
    assert "$ref" not in str(found)
    assert Draft202012Validator(found).is_valid({"children": [{"children": [1]}]})


def test_arguments_may_be_called_like_keywords() -> None:
    schema = of(pattern={"type": "string"}, format={"enum": ["$ref"]})
    assert usable(schema, arguments=True) == schema


def test_what_a_pattern_allowed_is_not_refused_without_it() -> None:
    schema = {**of(a={}), "patternProperties": {"^x-": {}}, "additionalProperties": False}
    assert usable(schema, arguments=True) == of(a={})
    closed = {**of(a={}), "additionalProperties": False}
    assert usable(closed, arguments=True) == closed


def test_regular_expressions_of_others_are_not_run() -> None:
    schema = of(a={"type": "string", "pattern": r"^(\w+\s?)*$"})
    assert usable(schema, arguments=True) == of(a={"type": "string"})


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("none", "not an object"),
        ({"type": "nonsense"}, "invalid"),
        ({"type": "array"}, "not that of an object"),
        (of(a={"$ref": "https://example.org/x"}), "refers to another document"),
        (of(a={"$ref": "#/$defs/x"}), "has an unresolved reference"),
        (of(a={"description": "x" * 20_000}), "larger than 16,000 bytes"),
    ],
)
def test_what_cannot_be_used(schema: Any, message: str) -> None:
    with pytest.raises(BadSchema, match=message.replace("$", r"\$")):
        usable(schema, arguments=True)


def test_what_is_nested_too_deeply_cannot_be_used() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(200):
        schema = of(a=schema)
    with pytest.raises(BadSchema, match="nested too deeply"):
        usable(schema, arguments=True)


def test_arguments_go_where_the_schema_has_a_place_for_them() -> None:
    schema = of(q={"type": "string"}, max_results={"type": "integer", "maximum": 5})
    assert map_arguments("t", schema, {"query": "a", "count": 10}) == {"q": "a", "max_results": 5}
    assert map_arguments("t", of(paths={"type": "array"}), {"path": "a.md"}) == {"paths": ["a.md"]}
    strange = {**of(needle={"type": "string"}), "required": ["needle"]}
    assert map_arguments("t", strange, {"query": "a", "count": 10}) == {"needle": "a"}
    with pytest.raises(ToolError, match="t has no argument for the query"):
        map_arguments("t", {}, {"query": "a"})
