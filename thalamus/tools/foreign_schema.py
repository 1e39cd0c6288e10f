"""JSON Schemas of external tools: validation, and inlining of references."""

from __future__ import annotations

import json
from typing import Any

_LARGEST = 16_000  # bytes of a schema
_DEEPEST = 40
_MOST_NODES = 5_000  # nodes of a schema after inlining
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
# keywords that name the schema or contain targets of references
_LEFT_OUT = ("$schema", "$id", "$defs", "definitions", "$anchor", "$dynamicAnchor", "$comment")
# foreign regular expressions: some take forever, and not all are valid in Python
_PATTERNS = ("pattern", "patternProperties", "format")
_OTHERS = ("additionalProperties", "unevaluatedProperties")  # properties without a name or pattern
# keywords whose values are not schemas: a `$ref` in them is ordinary data
_VALUES = ("const", "enum", "default", "examples", "example")


class BadSchema(Exception):
    """A schema that cannot be used; the message has the reason."""


def usable(schema: Any, *, arguments: bool) -> dict[str, Any]:
    """The schema without references, so that it can be embedded, and without regular expressions,
    since the server validates its own input. ``arguments``: it must describe an object. Raises
    ``BadSchema``."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    if not isinstance(schema, dict):
        raise BadSchema("its schema is not an object")
    try:
        if len(json.dumps(schema)) > _LARGEST:
            raise BadSchema(f"its schema is larger than {_LARGEST:,} bytes")
        Draft202012Validator.check_schema(schema)
        found = _Inliner(schema).schema(schema, (), 0)
        Draft202012Validator.check_schema(found)
    except SchemaError as error:
        raise BadSchema(f"its schema is invalid: {error.message[:200]}") from None
    except RecursionError:
        raise BadSchema("its schema is nested too deeply") from None
    assert isinstance(found, dict)
    if arguments and found.setdefault("type", "object") != "object":
        raise BadSchema("the schema of its arguments is not that of an object")
    return found


class _Inliner:
    """Replaces the references of a schema with their targets."""

    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._nodes = 0

    def schema(self, node: Any, within: tuple[str, ...], depth: int) -> Any:
        """The node without references. ``within``: references on the path to it; a recursive one
        accepts anything."""
        self._nodes += 1
        if depth > _DEEPEST:
            raise BadSchema("its schema is nested too deeply")
        if self._nodes > _MOST_NODES:
            raise BadSchema("its schema is too large without its references")
        if isinstance(node, list):
            return [self.schema(item, within, depth + 1) for item in node]
        if not isinstance(node, dict):
            return node
        found: dict[str, Any] = {}
        for key, value in node.items():
            if key in _REFERENCES:
                found |= self._target(value, within, depth)
            elif key in _VALUES:
                found[key] = value
            elif key == "properties" and isinstance(value, dict):  # names, not keywords
                found[key] = {
                    name: self.schema(item, within, depth + 1) for name, item in value.items()
                }
            elif key in _OTHERS and "patternProperties" in node:
                continue  # it would refuse what a pattern allows
            elif key not in (*_LEFT_OUT, *_PATTERNS):
                found[key] = self.schema(value, within, depth + 1)
        return found

    def _target(self, reference: Any, within: tuple[str, ...], depth: int) -> dict[str, Any]:
        shown = repr(str(reference)[:100])
        if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
            raise BadSchema(f"its schema refers to another document: {shown}")
        if reference in within:
            return {}
        target: Any = self._root
        for part in reference.split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            try:
                target = target[int(name)] if isinstance(target, list) else target[name]
            except (KeyError, IndexError, ValueError, TypeError):
                raise BadSchema(f"its schema has an unresolved reference: {shown}") from None
        if isinstance(target, bool):
            return {} if target else {"not": {}}
        if not isinstance(target, dict):
            raise BadSchema(f"its schema has a reference that is not to a schema: {shown}")
        inlined = self.schema(target, (*within, reference), depth + 1)
        assert isinstance(inlined, dict)
        return inlined
