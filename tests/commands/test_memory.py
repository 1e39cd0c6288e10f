"""`thalamus memory`: list, show, search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from thalamus.api import Thalamus
from thalamus.records import Fact, Memory, Provenance, Turn

Run = Callable[..., Any]


@pytest.fixture
def stored(thalamus: Thalamus) -> None:
    said = "I only drink green tea."
    thalamus.remember(
        [
            Turn(message=said, id="turn_1", session="s1", created_at="2023-05-08"),
            Memory(
                id="mem_tea",
                content="The user drinks\ngreen tea.",
                type="preference",
                topic="drinks",
                created_at="2023-05-08",
                metadata={"ref": "D1:3"},
                provenance=Provenance(turn="turn_1", quote=said),
            ),
            Memory(id="mem_boat", content="The user has a boat.", created_at="2024-01-01"),
            Memory(id="mem_core", content="Call me Jo.", scope="core", created_at="2022-01-01"),
            Memory(id="chunk", content="A piece of a file.", type="document_chunk"),
            Fact(id="fact_1", subject="user", predicate="likes", object="tea"),
        ]
    )
    thalamus.close()


def test_without_a_store_it_says_so(run: Run) -> None:
    assert run("memory").code == 10


def test_lists_newest_first_on_one_line_each(run: Run, stored: None) -> None:
    assert run("memory").stdout.splitlines() == [
        "2024-01-01  observation    The user has a boat.  [mem_boat]",
        "2023-05-08  preference     The user drinks green tea.  (about: drinks)  [mem_tea]",
        "2022-01-01  observation    Call me Jo.  [mem_core]",
    ]


def test_filters_narrow_the_list(run: Run, stored: None) -> None:
    def ids(*arguments: str) -> list[str]:
        return [memory["id"] for memory in run("memory", *arguments, "--json").records]

    assert ids("--type", "preference", "--topic", "Drinks") == ["mem_tea"]
    assert ids("list", "--since", "2022-06-01", "--until", "2024-01-01") == ["mem_tea"]
    assert ids("--scope", "core") == ["mem_core"]
    assert ids("--limit", "1") == ["mem_boat"]
    assert ids("--type", "document_chunk") == ["chunk"]
    assert run("memory", "--scope", "warm").code == 2


def test_show_takes_the_beginning_of_an_id(run: Run, stored: None) -> None:
    shown = run("memory", "show", "mem_t").stdout
    assert "id            mem_tea\n" in shown
    assert 'metadata      {"ref":"D1:3"}' in shown
    assert "“" not in shown.splitlines()[1]
    assert shown.splitlines()[-1] == (
        "link          derived_from turn I only drink green tea.  [turn_1]"
    )
    memory, link = run("memory", "show", "mem_tea", "--json").records
    assert memory["metadata"] == {"ref": "D1:3"}
    assert (link["record"], link["target"]) == ("link", "turn_1")


def test_show_tells_several_none_and_other_kinds_apart(run: Run, stored: None) -> None:
    several = run("memory", "show", "mem_")
    assert several.code == 2
    assert "mem_boat, mem_core, mem_tea" in several.stderr
    assert run("memory", "show", "mem_x").code == 4
    other = run("memory", "show", "fact_1")
    assert other.code == 2
    assert "thalamus why fact_1" in other.stderr


def test_search_finds_memories_only(run: Run, stored: None) -> None:
    found = run("memory", "search", "green", "tea", "--json").records
    assert found[0]["id"] == "mem_tea"
    assert {item["kind"] for item in found} == {"memory"}
    assert run("memory", "search", "tea", "--type", "preference", "-n", "1").stdout.endswith(
        "[mem_tea]\n"
    )


def test_show_prints_words_and_not_python(run: Run) -> None:
    run("store", input='{"record":"memory","content":"Herons fish at dawn."}\n')
    id = run("memory", "--json").records[0]["id"]
    shown = run("memory", "show", id).stdout
    assert "UNSET" not in shown and "True" not in shown and "False" not in shown
    assert "pinned        no\n" in shown
