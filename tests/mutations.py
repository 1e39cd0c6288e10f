"""JSON values changed in a few places, as a damaged or hostile file may have them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

ODD = (
    *("null", "true", "0", "-1", "1e308", "-1e20", "NaN", "1" + "0" * 30, "253402300800"),
    *('""', '"x"', '"\\ud800"', '"\\u0000"', '"2025-13-45T99:99:99Z"', '"1e999"'),
    *("[]", "{}", "[[]]", "[null]", "[1, 2]", '{"a": {}}', '{"": null}'),
)


def mutated(value: Any, random: Random) -> Any:
    """A copy in which up to three values are gone, odd, or those of another place."""
    value = [json.loads(json.dumps(value))]
    for _ in range(random.choice((1, 1, 2, 3))):
        places = list(_places(value))
        parent, name = random.choice(places)
        how = random.random()
        if how < 0.15 and isinstance(parent, dict):
            del parent[name]
        elif how < 0.3:
            other, there = random.choice(places)
            parent[name] = json.loads(json.dumps(other[there]))
        else:
            parent[name] = json.loads(random.choice(ODD))
    return value[0]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each list or dictionary with each of its indices or keys."""
    names = value if isinstance(value, dict) else range(len(value))
    for name in list(names):
        yield value, name
        if isinstance(value[name], (dict, list)):
            yield from _places(value[name])
