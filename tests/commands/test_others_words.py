"""Whose words are kept at the command line, and what is denied, with a model that proposes what it
should not as well."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.extracting import script
from tests.conftest import Result

Run = Callable[..., Result]
MAIL = "What does he want?\n\nVon: Ole <ole@example.org>\nBetreff: Bienen\n\nIch imkere in Graz."
CHAT = "so\n12/11/2026, 20:15 - Ole: I keep bees\n12/11/2026, 20:16 - Olga: me too"
FACT, MEMORY = {"predicate": "keeps", "object": "bees"}, {"content": "The user keeps bees."}
PROPOSED: dict[str, list[dict[str, Any]]] = {
    "I keep bees": [MEMORY, FACT],
    "I don't keep bees, Ole does.": [
        {"id": "f1"},
        {"id": "m1"},
        {"subject": "Ole", **FACT},
        {"content": "Ole keeps bees."},
    ],
    "I don't keep any bees.": [MEMORY, FACT],
    "- I keep **bees** ☀": [
        {"quote": "I keep **bees**", "content": "- The user keeps **bees**."},
        {"quote": "bees", "predicate": "keeps", "object": "**bees** ☀"},
    ],
    MAIL: [{"quote": "Ich imkere in Graz", "predicate": "lives_in", "object": "Graz"}],
    CHAT: [{"quote": "I keep bees", **MEMORY}, {"quote": "I keep bees", **FACT}],
}


@pytest.fixture
def environment(environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    return environment | {"THALAMUS_MODEL": script(tmp_path / "script.json", PROPOSED)}


@pytest.fixture
def kept(run: Run) -> Callable[..., list[str]]:
    """Says messages, and returns what is known after them."""

    def say(*messages: str) -> list[str]:
        for message in messages:
            done = run("turn", "--json", "-", input=message)
            assert done.code == 0, done.stderr
        facts = run("facts", "--json").records
        memories = run("memory", "--json").records
        found = [f"{fact['subject']} {fact['predicate']} {fact['object']}" for fact in facts]
        return found + [one["content"] for one in memories if one["stale"] is None]

    return say


def test_a_denial_ends_what_it_denies(kept: Callable[..., list[str]]) -> None:
    assert kept("I keep bees") == ["user keeps bees", "The user keeps bees."]
    assert kept("I don't keep bees, Ole does.") == ["I don't keep bees, Ole does."]


def test_a_denial_is_no_second_mention(kept: Callable[..., list[str]]) -> None:
    assert kept("I don't keep any bees.") == ["I don't keep any bees."]


def test_words_of_others_are_not_the_users(kept: Callable[..., list[str]]) -> None:
    assert kept(MAIL, CHAT) == []


def test_marks_are_left_out(kept: Callable[..., list[str]]) -> None:
    assert kept("- I keep **bees** ☀") == ["user keeps bees", "The user keeps bees."]
