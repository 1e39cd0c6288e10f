"""The records of every list, as JSON: what scripts read must not change unnoticed."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.json import JSONSnapshotExtension

from tests.conftest import Result

Run = Callable[..., Result]
SAID = (
    "My name is Ana and I moved to Lisbon in May.",
    "My sister Rita keeps bees.",
    "My project is the herb garden.",
)
LISTS: dict[str, tuple[str, ...]] = {
    "concepts graph": ("Rita",),
    "concepts list": (),
    "facts entities": (),
    "facts history": ("user",),
    "facts list": (),
    "memory list": (),
    "profile show": (),
    "project list": (),
    "retrieve": ("Who keeps bees?",),
    "session list": (),
    "session search": ("bees",),
    "session show": ("main",),
    "stage list": (),
    "timeline": (),
    "why": (),
    "world history": (),
}


@pytest.fixture
def records(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(JSONSnapshotExtension)


@pytest.fixture
def lived(run: Run) -> Run:
    for message in SAID:
        assert run("turn", message).code == 0
    assert run("project", "add", "Harbour").code == 0
    assert run("world", "apply", "set", "project", "Balcony").code == 0
    return run


def test_the_lists(lived: Run, records: SnapshotAssertion) -> None:
    shown = {}
    for words, arguments in LISTS.items():
        done = lived(*words.split(), *arguments, "--json")
        assert done.code == 0, (words, done.stderr)
        shown[words] = [json.loads(line) for line in done.stdout.splitlines()]
        assert shown[words], words
    assert shown == records
