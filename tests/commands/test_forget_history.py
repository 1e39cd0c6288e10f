"""`thalamus forget` and the chat's own history of what was typed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from prompt_toolkit.history import FileHistory

from tests.conftest import Result
from tests.stored import holding
from thalamus.api import Thalamus
from thalamus.memory.forget.erase import ForgetOptions, SaysForgotten
from thalamus.records import Fact, Reflection, Turn
from thalamus.store import chat_history
from thalamus.terminal.history import drop_personal, typed_lines

Run = Callable[..., Result]
SAID = "My cat Misoula has asthma since March."
KEPT = ["What is the weather like?", "line one\nline + two\r\n# no comment", "/facts", "größe 東京"]


@pytest.fixture
def typed_before(home: Path) -> Path:
    """What was typed in a chat."""
    path = home / "state" / "history"
    path.parent.mkdir(parents=True)
    path.touch(mode=0o600)
    typed = FileHistory(str(path))
    for text in (
        KEPT[0],
        SAID,
        KEPT[1],
        "Hi",
        "/memory Misoula",
        *KEPT[2:],
        f'"""\n{SAID}\nBye.\n"""',
    ):
        typed.store_string(text)
    return path


@pytest.fixture
def history(typed_before: Path, thalamus: Thalamus) -> Path:
    """What was typed in a chat, two of whose messages are stored."""
    thalamus.turn(SAID)
    thalamus.turn(KEPT[0])
    thalamus.close()
    return typed_before


def entries(path: Path) -> list[str]:
    return list(FileHistory(str(path)).load_history_strings())[::-1]


@pytest.mark.parametrize("how", [["--query", "asthma"], "turn", "memory"])
def test_its_words_go_from_the_history(
    run: Run, home: Path, history: Path, how: list[str] | str
) -> None:
    if isinstance(how, str):
        records = run("export").records
        what = [r["id"] for r in records if r["record"] == how and "Misoula" in str(r)]
    else:
        what = how
    shown = run("forget", "--dry-run", *what)
    assert "chat history entries: " in shown.stdout and SAID in entries(history)
    done = run("forget", "--yes", "--json", *what)
    assert done.code == 0, done.stderr
    report = done.records[-1]["data"]
    assert report["residue"] == [] and report["counts"]["history"] == 3
    left = entries(history)
    assert left == [KEPT[0], KEPT[1], "Hi", *KEPT[2:]]
    assert holding(home, "Misoula") == []
    assert history.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in history.parent.iterdir()] == ["history"]


def test_other_entries_stay_byte_by_byte(run: Run, history: Path) -> None:
    before = history.read_bytes()
    run("forget", "--yes", "--query", "Misoula")
    after = history.read_bytes()
    assert len(after) < len(before)
    assert entries(history) == [KEPT[0], KEPT[1], "Hi", *KEPT[2:]]
    for block in after.split(b"\n# ")[1:]:
        assert b"\n# " + block in before
    FileHistory(str(history)).store_string("More.")
    assert entries(history)[-1] == "More."


def test_a_short_message_goes_where_it_is_all_of_an_entry(run: Run, history: Path) -> None:
    id = run("turn", "--json", "Hi").records[0]["id"]
    FileHistory(str(history)).store_string("Hi, what is the weather like?")
    assert run("forget", "--yes", id).code == 0
    assert "Hi" not in entries(history)
    assert "Hi, what is the weather like?" in entries(history) and SAID in entries(history)


def test_what_only_the_history_holds(run: Run, history: Path) -> None:
    FileHistory(str(history)).store_string("Call Vukovic.")
    asked = run("forget", "--query", "Vukovic", "--no-input")
    assert asked.code == 2 and "Call Vukovic." in entries(history)
    done = run("forget", "--query", "Vukovic", "--yes")
    assert done.code == 0 and "deleted: 1 chat history entry" in done.stdout
    assert "Call Vukovic." not in entries(history)
    assert run("forget", "--query", "Vukovic", "--yes").code == 4


def test_a_history_that_cannot_be_written_is_told(
    run: Run, history: Path, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    """The search names what is left, and the exit status says so."""
    target = history.with_name("elsewhere")
    history.rename(target)
    history.mkdir()  # it can be neither read nor replaced
    done = run("forget", "--yes", "--query", "Misoula")
    assert "Traceback" not in done.stderr and done.code in (0, 1)
    history.rmdir()
    history.symlink_to(target)
    assert run("forget", "--yes", "--query", "Misoula").code == 0
    assert history.is_symlink() and "Misoula" not in target.read_text()


def test_what_a_chat_adds_meanwhile_is_not_lost(typed_before: Path) -> None:
    history = typed_before
    typed = typed_lines(history, lambda: True)
    added = [f"message {n}" for n in range(300)]
    chat = threading.Thread(target=lambda: [typed.store_string(text) for text in added])
    said = SaysForgotten(["Misoula"], [])
    chat.start()
    while chat.is_alive():
        try:
            chat_history.drop(history, lambda _, text: said(text))
        except OSError:
            continue  # it says so, and has changed nothing
    chat.join()
    chat_history.drop(history, lambda _, text: said(text))
    left = entries(history)
    assert [text for text in left if text.startswith("message")] == added
    assert not any("Misoula" in text for text in left)


def test_through_python(thalamus: Thalamus, history: Path) -> None:
    thalamus.turn("The spare key lies under the blue pot.")
    FileHistory(str(history)).store_string("The spare key lies under the blue pot.")
    report = thalamus.forget(ForgetOptions(query="blue pot"))
    assert report.done and report.complete and report.history == 1
    assert "blue pot" not in history.read_text() and "Misoula" in history.read_text()


def test_personal_lines_are_not_kept(typed_before: Path) -> None:
    """By a rule at once, by what was extracted from them afterwards."""
    history = typed_before
    typed = typed_lines(history, lambda: True)
    typed.append_string("Write to ana@example.org.")
    typed.append_string("I have epilepsy.")
    typed.append_string('"""\nI have epilepsy.\n"""')
    typed.append_string("I like tea.")
    assert typed.get_strings()[-4] == "Write to ana@example.org."  # for the arrow keys
    assert "ana@example.org" not in history.read_text()
    found = Fact(subject="user", predicate="has_condition", object="epilepsy")
    for facts in ([], [found]):
        turn = Turn(message="I have epilepsy.", reflection=Reflection(facts=facts))
        drop_personal(history, turn)
        assert ("epilepsy" in history.read_text()) == (facts == [])
    assert "I like tea." in history.read_text() and "Misoula" in history.read_text()
