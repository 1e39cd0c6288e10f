"""An act is written once; the command, the slash command and completion are derived."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from tests.commands.test_vocabulary import OPTIONS
from tests.conftest import Result
from thalamus import Thalamus
from thalamus.commands.completion import kind_of
from thalamus.errors import NothingFound
from thalamus.operations import OPERATIONS
from thalamus.records import Memory
from thalamus.terminal.slash_commands import COMMANDS

Run = Callable[..., Result]


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_is_a_command(name: str, run: Run) -> None:
    operation = OPERATIONS[name]
    act = operation.load()
    shown = " ".join(run(*name.split(), "-h").stdout.split())
    assert operation.help in shown and operation.more in shown
    assert {"--json", "--home"} <= set(OPTIONS[name])
    for field in msgspec.structs.fields(act.takes):
        [meta] = [one for one in field.type.__metadata__ if isinstance(one, msgspec.Meta)]
        assert f"{meta.title} {meta.description}" in shown
    done = run(*name.split())
    required = any(field.required for field in msgspec.structs.fields(act.takes))
    assert (done.code, "Missing argument" in done.stderr) == (
        (2, True) if required else (10, False)
    )


def test_a_chat_has_those_that_are_meant_for_it(run: Run) -> None:
    run("store", input='{"record":"memory","content":"Ana keeps bees.","id":"mem_bees"}\n')
    for name, operation in OPERATIONS.items():
        word = name.split()[-1]
        if operation.chat:
            assert COMMANDS[word].completes == operation.completes
            assert "mem_bees" in run("chat", input=f"/{word} mem_bees\n").stdout
            assert f"/{word} takes ID." in run("chat", input=f"/{word}\n").stderr


def test_what_it_takes_is_completed() -> None:
    class Argument:
        param_type_name = "argument"

    for name, operation in OPERATIONS.items():
        assert kind_of(name, Argument()) == operation.completes


def test_a_confirmed_memory_is_no_longer_doubted(thalamus: Thalamus, run: Run) -> None:
    said = {"created_at": "2024-03-01T00:00:00Z", "content": "Ana keeps bees."}
    thalamus.remember(
        [Memory(id="mem_bees", stale="over since 2025 [x]", valid_to="2025", **said),
         Memory(id="mem_hens", content="Ana has hens.", valid_to="2030")]
    )  # fmt: skip
    [marked] = [one for one in thalamus.memories.find() if one.id == "mem_bees"]
    assert marked.stale
    confirmed = thalamus.memories.confirm("mem_bees")
    assert (confirmed.stale, confirmed.valid_to, confirmed.seen) == (None, None, 2)
    assert thalamus.memories.get("mem_bees") == confirmed
    assert "(last said 2026-05-08)  [mem_bees]" in run("memory").stdout
    assert thalamus.memories.confirm("mem_hens").valid_to == "2030"  # when it ends is still known
    thalamus.undo()
    thalamus.undo()
    assert thalamus.memories.get("mem_bees") == marked
    with pytest.raises(NothingFound):
        thalamus.memories.confirm("mem_nobody")
