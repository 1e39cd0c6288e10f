"""JSON values changed in a few places, as a damaged or hostile file may have them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
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


# what breaks parsers, of text and of several formats
_PIECES = (
    *(b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\n\n"),
    *(b"<", b">", b"&#0;", b"-->"),
    *(b"<![CDATA[", b"]]>", b"<!DOCTYPE x [<!ENTITY a 'b'>]>&a;", b"<template>", b"</body></html>"),
    *(b"---\n", b"```\n", b"=?utf-8?b?/w==?=", b"Content-Type: multipart/mixed; boundary=x\n\n--x"),
    *(b"endobj", b"stream\n", b"<</Length -1>>", b"9 0 R", b"[[[[[[[[", b'{"a":' * 9, b"9" * 40),
)


def mutated_bytes(data: bytes, random: Random, others: Sequence[bytes] = ()) -> bytes:
    """A copy in which up to four places are changed, gone, repeated, or those of another file."""
    for _ in range(random.choice((1, 1, 2, 4))):
        start = random.randrange(len(data) + 1)
        end = min(len(data), start + random.choice((0, 1, 1, 8, 200, 4000)))
        part = data[start:end]
        other = random.choice(others) if others else data
        at = random.randrange(len(other) + 1)
        part = random.choice(
            (
                bytes(random.randrange(256) for _ in part),
                b"",
                part * random.choice((2, 3, 50)),
                random.choice(_PIECES),
                other[at : at + random.choice((1, 20, 500))],
                part + random.choice(_PIECES),
            )
        )
        data = data[:start] + part + data[end:]
    return data
