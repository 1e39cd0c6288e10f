"""Completion at the prompt of a chat, and the session that a chat goes on in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import fragment_list_to_text

from tests.conftest import Result
from thalamus import Thalamus
from thalamus.terminal.completion import ChatCompleter

Run = Callable[..., Result]


def offered(thalamus: Thalamus, line: str) -> dict[str, str]:
    """What is offered for a line, with what stands beside it."""

    def sibling() -> Thalamus:
        other = thalamus.sibling()
        other.session = thalamus.session
        return other

    found = ChatCompleter(sibling).get_completions(Document(line, len(line)), CompleteEvent())
    return {one.text: fragment_list_to_text(one.display_meta) for one in found}


def test_commands_are_completed(thalamus: Thalamus) -> None:
    assert list(offered(thalamus, "/f"))[:3] == ["facts", "flow", "forget"]
    assert "undo" in offered(thalamus, "/last") and "copy" in offered(thalamus, "/")
    assert offered(thalamus, "hello /f") == {} and offered(thalamus, "/zzz ") == {}


def test_ids_are_completed_by_what_they_stand_for(thalamus: Thalamus) -> None:
    assert offered(thalamus, "/why ") == {}  # without a store
    turn = thalamus.turn("I moved to Lisbon in May. I like green tea.")
    [memory] = [m for m in thalamus.memories.find() if "Lisbon" in m.content]
    found = offered(thalamus, "/forget lisb")
    assert turn.id in found and found[memory.id or ""].startswith("I moved to Lisbon")
    assert set(offered(thalamus, "/correct fact_")) == {f.id for f in thalamus.facts.find()}
    assert list(offered(thalamus, f"/pin {memory.id}")) == [memory.id]
    assert offered(thalamus, "/undo mem_") == {}
    assert "user" in offered(thalamus, "/facts u")
    assert offered(thalamus, "/correct fact_x some") == {}


def test_names_are_completed(thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.sessions.use_persona("Mira")
    thalamus.turn("Hello!")
    assert offered(thalamus, "/rename H") == {"Hello!": "its first message"}
    thalamus.sessions.rename(thalamus.session, "A greeting")
    assert offered(thalamus, "/rename A gr") == {"A greeting": "its title"}
    assert offered(thalamus, "/resume gree") == {thalamus.session: "A greeting"}
    assert list(offered(thalamus, "/flow r")) == ["routed"]
    assert "none" in offered(thalamus, "/persona n")
    (tmp_path / "notes.md").write_text("x")
    assert list(offered(thalamus, f"/ingest {tmp_path}/no")) == ["tes.md"]


def test_the_last_session_is_gone_on_in(run: Run) -> None:
    nothing = run("chat", "--continue", input="Hello!\n")
    assert nothing.code == 0
    first = [r["session"] for r in run("export").records if r["record"] == "turn"]
    run("turn", "--session", "other", "I like tea.")
    run("chat", "-c", input="And coffee!\n")
    run("chat", "--resume", first[0], input="Hello again!\n")
    sessions = [r["session"] for r in run("export").records if r["record"] == "turn"]
    assert sessions == [first[0], "other", "other", first[0]]


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("-c", "--session", "x"), 2, "only one of --session, --continue and --resume"),
        (("--resume", "nowhere"), 4, "nowhere"),
    ],
)
def test_a_session_that_cannot_be_gone_on_in(
    run: Run, options: tuple[str, ...], code: int, said: str
) -> None:
    run("turn", "Hello!")
    done = run("chat", *options, input="")
    assert done.code == code and said in done.stderr


def test_each_tenant_has_its_own_history(home: Path) -> None:
    one, other = (Thalamus(home=str(home), tenant=name).config for name in ("default", "work"))
    assert one.history_file == home / "state" / "history"
    assert other.history_file != one.history_file and other.history_file.parent == home / "state"
