"""What stages were given and gave is kept with the turn, encrypted, for some time."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import NOW
from tests.forked import python
from tests.stored import clean_environment, edit, holding, store_of, stored
from thalamus.api import Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.memory.forget.erase import ForgetOptions
from thalamus.records import Memory, StageLog, Turn
from thalamus.transfer.export import Selection, export_lines

LATER = "2026-09-01T12:00:00Z"


def engine(home: Path, at: str = NOW, **settings: Any) -> Thalamus:
    given = {"model": "scripted", "embedder": "scripted", "min_relevance": 0.0} | settings
    clock = Clock(parse_time(at))
    return Thalamus(clock=clock, home=str(home), store=store_of(home), **given)


def every(thalamus: Thalamus) -> list[StageLog]:
    return [*thalamus.database.each(StageLog)]


def stages(thalamus: Thalamus, turn: Turn) -> list[str]:
    return [log.stage for log in thalamus.sessions.stage_logs(turn.id or "")]


def filled(home: Path, **settings: Any) -> Thalamus:
    thalamus = engine(home, recent_messages=0, **settings)
    thalamus.turn("I live in Lisbon and I love green tea.")
    thalamus.turn("My sister Ana works at Bosch.")
    return thalamus


def test_every_stage_of_a_turn(tmp_path: Path) -> None:
    with filled(tmp_path, planner="model") as thalamus:
        turn = thalamus.turn("Where does my sister Ana work?")
        logs = {log.stage: log for log in thalamus.sessions.stage_logs(turn.id or "")}
        assert list(logs) == ["retrieve", "answer", "reflect", "plan"]
        first = thalamus.sessions.last_turns(9)[0]
        assert "store" in [log.stage for log in thalamus.sessions.stage_logs(first)]
    found = logs["retrieve"].gave["evidence"]
    assert [item["id"] for item in found] == [item.id for item in turn.evidence]
    assert [item["text"] for item in found] == [item.text for item in turn.evidence]
    assert [item["score"] for item in found] == [item.score for item in turn.evidence]
    assert [item["rank"] for item in found] == list(range(1, len(found) + 1))
    answer = logs["answer"]
    assert answer.given["evidence"] == [
        {"id": item.id, "score": item.score, "rank": n} for n, item in enumerate(turn.evidence, 1)
    ]
    assert answer.messages[0].role == "system"
    assert turn.message in answer.messages[-1].content
    assert answer.reply == answer.gave["answer"] == turn.answer
    assert answer.model == "scripted"
    bosch = {item.id for item in turn.evidence if "Bosch" in item.text}
    assert bosch and bosch <= set(answer.gave["used"])
    plan = logs["plan"]
    assert plan.reply and "retrieval_instructions" in plan.reply
    assert {(log.session, log.turn) for log in logs.values()} == {("main", turn.id)}


def test_a_stage_that_asked_twice_has_both_calls(tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("- role: plan\n  reply: not JSON\n  times: 1\n")
    with engine(tmp_path, model=f"scripted:{script}", planner="model") as thalamus:
        turn = thalamus.turn("I live in Lisbon.")
        [plan] = [log for log in thalamus.sessions.stage_logs(turn.id or "") if log.stage == "plan"]
    assert plan.reply is not None and len(plan.calls) == 1
    assert plan.messages[: len(plan.calls[0].messages)] == plan.calls[0].messages


def test_they_are_encrypted_whatever_they_say(tmp_path: Path) -> None:
    """The prompt of a turn may quote what is personal in another."""
    with filled(tmp_path) as thalamus:
        thalamus.remember([Memory(content="My card number is 4111 1111 1111 1111.")])
        thalamus.turn("What is my card number?")
        thalamus.answer_turn("The heron stood by the northern lock.")
        assert {log.sensitivity for log in every(thalamus)} == {"personal"}
        said = str(every(thalamus))
        assert "4111 1111" in said and "northern lock" in said
        columns = "SELECT reply, messages, calls, given, gave FROM stage_log"
        rows = {tuple(row) for row in thalamus.database.fetch(columns)}
        assert {tuple(c or "" for c in row) for row in rows} == {("", "[]", "[]", "{}", "{}")}
    assert holding(tmp_path / "data", "4111 1111", "northern lock") == []


def test_without_encryption_they_are_plain_and_read_the_same(tmp_path: Path) -> None:
    with filled(tmp_path, encrypt_personal=False) as thalamus:
        turn = thalamus.turn("Where does my sister Ana work?")
        plain = thalamus.sessions.stage_logs(turn.id or "")
        assert {log.sensitivity for log in plain} == {"normal"}
        assert thalamus.database.fetch("SELECT id FROM encrypted") == []
        found = thalamus.database.fetch("SELECT gave FROM stage_log WHERE stage = 'retrieve'")
        assert "Bosch" in found[-1][0]
    other = tmp_path / "other"
    with filled(other) as thalamus:
        turn = thalamus.turn("Where does my sister Ana work?")
        closed = thalamus.sessions.stage_logs(turn.id or "")
    assert [(log.given, log.gave, log.messages) for log in closed] == [
        (log.given, log.gave, log.messages) for log in plain
    ]


def test_without_the_key_they_are_hidden(tmp_path: Path) -> None:
    with filled(tmp_path) as thalamus:
        turn = thalamus.turn("Where does my sister Ana work?")
        thalamus.keys.shred(thalamus.keys.of_subject("user"))
        logs = thalamus.sessions.stage_logs(turn.id or "")
        assert logs and "Bosch" not in str(logs)
        assert list(export_lines(thalamus.database, Selection(kinds=("stage_log",)))) == []


def test_signed_and_verified(tmp_path: Path) -> None:
    with filled(tmp_path) as thalamus, thalamus.store.verify() as verified:
        assert list(verified.findings()) == []
    last = "(SELECT max(key) FROM stage_log)"
    edit(tmp_path, f"UPDATE stage_log SET stage = 'other' WHERE key = {last}")
    with engine(tmp_path) as thalamus, thalamus.store.verify() as verified:
        assert [found.table for found in verified.findings()] == ["stage_log"]


# -- what is not logged ---------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{"log_days": 0}, {"memory": False}])
def test_nothing_is_logged(tmp_path: Path, settings: dict[str, Any]) -> None:
    filled(tmp_path, log_days=0).close()
    with engine(tmp_path, **settings) as thalamus:
        thalamus.turn("Where does my sister Ana work?")
        thalamus.recall("Where does Ana work?")
    with engine(tmp_path) as thalamus:
        assert every(thalamus) == []


def test_questions_write_nothing(tmp_path: Path) -> None:
    filled(tmp_path, log_days=0).close()
    with engine(tmp_path) as thalamus:
        before = dict(stored(tmp_path / "data"))
        thalamus.recall("Where does Ana work?")
        thalamus.turn("Where do I live?", flow="retrieve,answer")
    assert dict(stored(tmp_path / "data")) == before
    with engine(tmp_path) as thalamus:
        assert every(thalamus) == []


def test_filters_are_logged(tmp_path: Path) -> None:
    filled(tmp_path, log_days=0).close()
    with engine(tmp_path) as thalamus:
        thalamus.run_stage("retrieve", Turn(message="Where does Ana work?"))
    with engine(tmp_path) as thalamus:
        [log] = every(thalamus)
        assert log.stage == "retrieve"
        assert any("Bosch" in item["text"] for item in log.gave["evidence"])
        thalamus.run_stage("retrieve", Turn(message="Who is Ana?"))
        assert len(every(thalamus)) == 2


@pytest.mark.sqlite
def test_reading_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    filled(tmp_path).close()
    thalamus = engine(tmp_path, busy_timeout=30)
    before = len(every(thalamus))
    with closing(sqlite3.connect(thalamus.store.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        thalamus.run_stage("retrieve", Turn(message="Where does Ana work?"))
        thalamus.close()
        assert time.monotonic() - began < 5
        other.execute("ROLLBACK")
    with engine(tmp_path) as thalamus:
        assert len(every(thalamus)) == before


@pytest.mark.sqlite
def test_a_store_that_cannot_be_written(tmp_path: Path) -> None:
    thalamus = filled(tmp_path)
    before, folder = len(every(thalamus)), thalamus.store.file.parent
    thalamus.close()
    script = (
        "import sys; from thalamus.api import Thalamus\n"
        "with Thalamus(model='scripted', embedder='scripted', min_relevance=0.0) as t:\n"
        "    assert t.recall('Where does Ana work?')\n"
        "    assert t.turn('Where do I live?', flow='retrieve,answer').answer\n"
        "    print(len(t.failures))\n"
    )
    environment = clean_environment() | {"THALAMUS_HOME": str(tmp_path)}
    database = (folder / "thalamus.db").read_bytes()
    for path in folder.iterdir():
        if path.is_file():
            path.chmod(0o444)
    folder.chmod(0o555)
    try:
        command = [sys.executable, "-c", script]
        if os.getuid() == 0:  # whom modes do not keep from writing
            command = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all", *command]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
    finally:
        folder.chmod(0o755)
        for path in folder.iterdir():
            path.chmod(0o644 if path.is_file() else 0o755)
    assert (done.stdout, done.returncode) == ("0\n", 0), done.stderr
    assert (folder / "thalamus.db").read_bytes() == database
    with engine(tmp_path) as thalamus:
        assert len(every(thalamus)) == before


# -- forgetting, pruning, exporting ---------------------------------------------------------------


def test_a_log_that_quotes_what_is_forgotten_goes_whole(tmp_path: Path) -> None:
    with filled(tmp_path) as thalamus:
        thalamus.turn("Where does my sister Ana work?")
        thalamus.turn("The tide is high.")
        thalamus.recall("Where does Ana work?")
        thalamus.recall("When is the tide high?")
        [fact] = [f for f in thalamus.facts.find() if f.object == "Ana"]
        report = thalamus.forget(ForgetOptions(ids=(fact.id or "",)))
        assert report.complete and report.counts["stage_log"] >= 5
        left = every(thalamus)
        assert left and "Ana" not in str(left) and "Bosch" not in str(left)
        assert {log.turn for log in left} == {thalamus.sessions.last_turns(9)[0]}
        logged = {row[0] for row in thalamus.database.fetch("SELECT id FROM stage_log")}
        hidden = "SELECT id FROM encrypted WHERE kind = 'stage_log'"
        assert {row[0] for row in thalamus.database.fetch(hidden)} == logged
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []


@pytest.mark.parametrize("encrypted", [True, False])
def test_a_word_that_is_forgotten_is_in_no_log(tmp_path: Path, encrypted: bool) -> None:
    with filled(tmp_path, encrypt_personal=encrypted) as thalamus:
        thalamus.turn("Where does my sister Ana work?")
        thalamus.run_stage("retrieve", Turn(message="Has the zymurgist called?"))
        thalamus.remember([Memory(content="The tide is high.")])  # with the log of the question
        report = thalamus.forget(ForgetOptions(query="zymurgist"))
        assert report.complete and report.counts == {"stage_log": 1}
        report = thalamus.forget(ForgetOptions(query="Bosch"))
        assert report.complete
        assert "Bosch" not in str(every(thalamus))
        lines = b"".join(export_lines(thalamus.database, Selection(logs=True)))
        assert b"Bosch" not in lines and b"stage_log" in lines
    assert holding(tmp_path / "data", "Bosch") == []


def test_what_waits_while_something_is_forgotten_is_not_written(tmp_path: Path) -> None:
    """Another process forgets between a stage and the moment at which its log is written."""
    filled(tmp_path, log_days=0).close()
    with engine(tmp_path) as reading:
        reading.run_stage("retrieve", Turn(message="Where does Ana work?"))
        with engine(tmp_path) as thalamus:
            assert thalamus.forget(ForgetOptions(query="Bosch")).complete
        reading.remember([Memory(content="The tide is high.")])
    with engine(tmp_path) as thalamus:
        assert "Bosch" not in str(every(thalamus))


def test_a_session_is_forgotten_with_its_logs(tmp_path: Path) -> None:
    with filled(tmp_path) as thalamus:
        thalamus.forget(ForgetOptions(session="main"))
        assert every(thalamus) == []


def test_old_logs_are_pruned(tmp_path: Path) -> None:
    filled(tmp_path).close()
    with engine(tmp_path, LATER) as thalamus:
        new = thalamus.turn("The tide is high.")
        done = thalamus.memories.prune()
        assert done.logs == 8 - 1  # the first turn had nothing to retrieve
        assert {log.turn for log in every(thalamus)} == {new.id}
        assert len(
            thalamus.database.fetch("SELECT id FROM encrypted WHERE kind = ?", "stage_log")
        ) == len(every(thalamus))
    with engine(tmp_path, LATER, log_days=0) as thalamus:
        assert thalamus.memories.prune().logs == 3
        assert every(thalamus) == []
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []


def test_they_go_with_a_turn_that_is_removed(tmp_path: Path) -> None:
    with filled(tmp_path) as thalamus:
        [first, second] = thalamus.sessions.last_turns(2)
        with thalamus.database.writing() as writer:
            writer.remove(first)
        assert {log.turn for log in every(thalamus)} == {second}
        encrypted = thalamus.database.fetch("SELECT id FROM encrypted WHERE kind = ?", "stage_log")
        assert {row[0] for row in encrypted} == {log.id for log in every(thalamus)}


def test_an_export_has_them_only_when_asked(tmp_path: Path) -> None:
    with filled(tmp_path / "one") as thalamus:
        assert b"stage_log" not in b"".join(export_lines(thalamus.database))
        kept = every(thalamus)
        records = [*thalamus.store.export(Selection(logs=True))]
        assert [record for record in records if isinstance(record, StageLog)] == kept
    with engine(tmp_path / "two") as thalamus:
        assert thalamus.store.import_memory(records)["stage_log"] == len(kept)
        assert every(thalamus) == kept
        assert holding(tmp_path / "two" / "data", "Bosch") != []  # in the memories
        rows = thalamus.database.fetch("SELECT messages, gave FROM stage_log")
        assert {tuple(row) for row in rows} == {("[]", "{}")}


def test_reset_leaves_none(tmp_path: Path) -> None:
    with filled(tmp_path) as thalamus:
        thalamus.recall("Where does Ana work?")
        thalamus.store.erase()
        assert thalamus.database.fetch("SELECT id FROM stage_log") == []


# -- processes ----------------------------------------------------------------------------------

_LOOP = (
    "import sys; from thalamus.api import Thalamus\n"
    "with Thalamus(model='scripted', embedder='scripted') as t:\n"
    "    for n in range(int(sys.argv[2])):\n"
    "        turn = t.turn(f'The {sys.argv[1]} tide is {n} metres high.')\n"
    "        assert not turn.issues, turn.issues\n"
    "        t.recall(f'How high is {sys.argv[1]} tide {n}?')\n"
    "        print(turn.id, flush=True)\n"
)


def loop(home: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*python(), "-c", _LOOP, name, str(count)],
        env=clean_environment() | {"THALAMUS_HOME": str(home)},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_two_processes_at_once(tmp_path: Path) -> None:
    processes = [loop(tmp_path, name, 8) for name in ("red", "blue")]
    ids = [id for process in processes for id in process.communicate()[0].split()]
    assert [process.returncode for process in processes] == [0, 0]
    with engine(tmp_path) as thalamus:
        assert len(ids) == 16
        for id in ids:
            assert "answer" in [log.stage for log in thalamus.sessions.stage_logs(id)]
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []


def test_a_turn_and_its_logs_are_written_together(tmp_path: Path) -> None:
    """Killed at some moment: every turn that is there has its logs, and no log of `store` is there
    without its turn."""
    for number in range(4):
        process = loop(tmp_path, f"sea{number}", 50)
        assert process.stdout is not None
        for _ in range(number + 1):
            process.stdout.readline()
        time.sleep(0.013 * number)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    with engine(tmp_path) as thalamus:
        turns = {turn.id for turn in thalamus.database.each(Turn)}
        logs = every(thalamus)
        assert len(turns) >= 10
        assert turns == {log.turn for log in logs if log.stage == "answer"}
        assert {log.turn for log in logs if log.stage == "store"} <= turns
        with thalamus.store.verify() as verified:
            assert list(verified.findings()) == []
