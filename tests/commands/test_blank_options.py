"""An option with an empty value lifts no restriction: it is a usage error."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.errors import ConfigError, UsageError
from thalamus.records import Memory
from thalamus.tools.mcp_settings import read_servers

Run = Callable[..., Result]
COMMANDS = {
    "--against": ("doctor", "--signatures"),
    "--user": ("forget", "--query", "heron", "--yes"),
    "--agent": ("token", "create", "phone"),
    "--tenant": ("forget", "--everything", "--confirm", "default"),
    "--home": ("turn", "Hello."),
    "--store": ("turn", "Hello."),
    "--session": ("export",),
    "--since": ("export",),
    "--until": ("timeline",),
    "--subject": ("facts",),
    "--query": ("forget", "--session", "main", "--yes"),
    "--expires": ("token", "create", "phone"),
    "--role": ("token", "create", "phone"),
    "--grant": ("store", "init", "postgresql://127.0.0.1:1/none"),
    "--type": ("retrieve", "heron"),
}


@pytest.mark.parametrize("option", COMMANDS)
def test_an_empty_value_is_a_usage_error(run: Run, thalamus: Thalamus, option: str) -> None:
    thalamus.remember([Memory(content="A heron.")])
    value = " " * (len(option) % 3)
    done = run(*COMMANDS[option], option, value)
    assert done.code == 2 and f"{option} is empty" in done.stderr, done.stderr
    assert [memory.content for memory in thalamus.memories.find()] == ["A heron."]
    assert not (thalamus.config.config_dir / "tokens.json").exists()


def test_the_owner_of_an_export_is_not_everybody(run: Run) -> None:
    done = run("export", "--user", "")
    assert done.code == 2 and done.stdout == ""


def test_an_empty_head_is_compared_with_nothing_in_no_interface(thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content="A heron.")])
    for empty in ("", "\n"):
        with pytest.raises(UsageError, match="head"), thalamus.store.verify(empty):
            pass


def test_a_topic_can_be_removed(run: Run, thalamus: Thalamus) -> None:
    [one] = thalamus.remember([Memory(content="A heron.", topic="birds")])
    assert run("memory", "edit", str(one.id), "--topic", "").code == 0
    assert thalamus.memories.get(str(one.id)).topic is None


@pytest.mark.storeless
@pytest.mark.parametrize("tools", [[], [""], [" "]])
def test_an_empty_list_of_tools_allows_not_all(tools: list[str]) -> None:
    with pytest.raises(ConfigError, match=r"mcp\.notes\.tools is empty"):
        read_servers({"notes": {"command": "notes", "tools": tools}})
