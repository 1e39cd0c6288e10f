"""Records that were damaged or made to do harm: a clear error, and a store that holds together."""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.marked import every_kind
from tests.mutations import mutated, mutated_bytes
from thalamus.api import Thalamus
from thalamus.errors import ThalamusError
from thalamus.records import Fact, Memory, Turn
from thalamus.terminal.jsonl import decode
from thalamus.transfer.importer import importable

AT = "2026-05-08T13:56:00Z"
RECORDS = [
    *every_kind(),
    Memory(content="The user likes figs.", id="mem_figs", type="preference", created_at=AT),
    Fact(subject="user", predicate="lives_in", object="Porto", id="fact_porto", created_at=AT),
    Turn(message="I live in Porto.", answer="Good.", session="main", id="turn_1", created_at=AT),
]
LINES = [msgspec.json.encode(record) for record in RECORDS]


def damaged(line: bytes, random: Random) -> bytes:
    if random.random() < 0.2:
        return mutated_bytes(line, random, LINES).replace(b"\n", b" ")
    return json.dumps(mutated(json.loads(line), random)).encode()


@given(random=st.randoms(use_true_random=False))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_records(random: Random, thalamus: Thalamus) -> None:
    for line in LINES:
        with suppress(ThalamusError):
            record = decode(damaged(line, random), 1, *importable())
            if isinstance(record, (Memory, Fact, Turn)) and random.random() < 0.5:
                thalamus.remember([record], decide=random.random() < 0.5)  # type: ignore[call-overload]
            else:
                thalamus.store.import_memory([record])
    assert all(map(msgspec.json.encode, thalamus.store.export()))
    thalamus.recall("Where does the user live?")
    with thalamus.store.verify() as verified:
        assert list(verified.findings()) == []


@pytest.mark.parametrize("record", RECORDS[-3:], ids=lambda record: type(record).__name__)
def test_an_empty_id_is_none(record: Memory | Fact | Turn, thalamus: Thalamus) -> None:
    """Two records with it are two, and an export must have one."""
    for text in ("figs", "plums"):
        fields = {"object": text} if isinstance(record, Fact) else {"session": text}
        fields |= {"content": text} if isinstance(record, Memory) else {}
        for id in ("", " "):
            [stored] = thalamus.remember([msgspec.structs.replace(record, id=id, **fields)])
            assert (stored.id or "").strip()
    with pytest.raises(ThalamusError, match="`id`: is missing"):
        thalamus.store.import_memory([msgspec.structs.replace(record, id=" ")])
