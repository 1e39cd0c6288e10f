"""The turn as a pipeline of processes, and as one command: the same record."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.conftest import Result
from tests.forked import python
from thalamus.api import Thalamus
from thalamus.records import Memory, Turn

Run = Callable[..., Result]
FILTERS = ("retrieve", "answer", "reflect", "store", "plan")
LISBON = {"record": "turn", "message": "I moved to Lisbon in May and I prefer short answers."}


def pipeline(environment: dict[str, str], data: str, *stages: str) -> tuple[str, list[int]]:
    """Runs the filters as one shell pipeline would: all at once, joined by pipes."""
    processes: list[subprocess.Popen[bytes]] = []
    source: Any = subprocess.PIPE
    for stage in stages:
        process = subprocess.Popen(
            [*python(), "-m", "thalamus", stage],
            stdin=source,
            stdout=subprocess.PIPE,
            env=environment,
        )
        if processes and processes[-1].stdout:
            processes[-1].stdout.close()
        processes.append(process)
        source = process.stdout
    assert processes[0].stdin
    processes[0].stdin.write(data.encode())
    processes[0].stdin.close()
    output, _ = processes[-1].communicate(timeout=100)
    return output.decode(), [process.wait(100) for process in processes]


def test_the_pipeline_and_the_turn_give_the_same_record(
    environment: dict[str, str], run: Run, tmp_path: Path
) -> None:
    output, codes = pipeline(environment, json.dumps(LISBON) + "\n", *FILTERS)
    assert codes == [0] * 5
    alone = run("turn", "--json", input=json.dumps(LISBON), env={"THALAMUS_HOME": f"{tmp_path}/b"})
    assert alone.code == 0, alone.stderr
    assert json.loads(output) == alone.records[0]


def test_a_turn_record_is_complete(run: Run, snapshot: SnapshotAssertion) -> None:
    done = run("turn", "--json", LISBON["message"])
    assert done.records == snapshot


def test_another_process_and_session_recall_it(
    environment: dict[str, str], run: Run, snapshot: SnapshotAssertion
) -> None:
    first, _ = pipeline(environment, json.dumps(LISBON), *FILTERS)
    assert json.loads(first)["plan"]["retrieval_instructions"] == []  # no planner
    question = {"record": "turn", "message": "Where do I live?", "session": "another"}
    second, codes = pipeline(environment, json.dumps(question), *FILTERS)
    record = json.loads(second)
    assert codes == [0] * 5
    assert "Lisbon" in record["answer"]
    # "live" is no word of "moved": the profile says it
    assert any("Lisbon" in item["text"] for item in [*record["evidence"], *record["profile"]])
    # the recall loop: what was recalled is not stored again
    assert record["reflection"]["memories_to_store"] == []


PLANNING = {"THALAMUS_PLANNER": "model"}


def test_the_saved_plan_is_executed_by_the_next_turn_of_the_session(run: Run) -> None:
    run("store", input='{"record":"memory","content":"Ana keeps bees in Porto."}')
    planned = run("turn", "--json", "I will call Ana tomorrow.", env=PLANNING).records[0]["plan"]
    assert planned["retrieval_instructions"]
    later = run("retrieve", input='{"record":"turn","message":"What is the weather like?"}')
    record = later.records[0]
    assert record["retrieval_instructions"][:-1] == planned["retrieval_instructions"]
    assert record["retrieval_instructions"][-1]["query"] == "What is the weather like?"
    assert any("Ana" in item["text"] for item in record["evidence"])
    elsewhere = run(
        "retrieve", input='{"record":"turn","message":"What is the weather like?","session":"b"}'
    )
    assert len(elsewhere.records[0]["retrieval_instructions"]) == 1


def test_no_model_is_asked_for_a_plan(run: Run, tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text("[{role: plan, error: failed}]")
    model = ("--model", f"scripted:{tmp_path}/script.yaml")
    done = run("turn", "--json", "I moved to Lisbon in May.", *model)
    [record] = done.records
    assert done.code == 0 and record["issues"] == []
    assert record["plan"]["retrieval_instructions"] == [] and record["plan"]["session"] == "main"
    assert record["trace"][-1]["detail"] == {"note": "planner: none"}
    filtered = run("plan", *model, input='{"record":"turn","message":"I moved to Lisbon."}')
    assert filtered.code == 0 and filtered.records[0]["plan"]["retrieval_instructions"] == []
    asked = run("turn", "I moved to Lisbon in May.", *model, env=PLANNING)
    assert "plan: " in asked.stderr and "its script says so" in asked.stderr


def test_a_plan_does_not_outlive_its_planner(run: Run) -> None:
    run("turn", "I will call Ana tomorrow.", env=PLANNING)
    planned = run("retrieve", input='{"record":"turn","message":"Hello."}').records[0]
    assert len(planned["retrieval_instructions"]) > 1
    run("turn", "Bees need water.")
    asked = run("retrieve", input='{"record":"turn","message":"Hello."}').records[0]
    assert len(asked["retrieval_instructions"]) == 1


def test_a_message_that_says_nothing_goes_on_with_the_one_before(run: Run) -> None:
    run("store", input='{"record":"memory","content":"Ana keeps her bees behind the mill."}')
    notes = ({"record": "memory", "content": f"Note {n}: where it was."} for n in range(30))
    run("store", input="\n".join(map(json.dumps, notes)))
    run("turn", "Who has bees?", "--session", "s")
    asked = run("retrieve", input='{"record":"turn","message":"And where?","session":"s"}')
    record = asked.records[0]
    assert record["retrieval_instructions"][-1]["query"] == "And where? bees"
    assert record["message"] == "And where?" and "behind the mill" in record["evidence"][0]["text"]
    alone = run("retrieve", input='{"record":"turn","message":"And where?","session":"else"}')
    assert alone.records[0]["retrieval_instructions"][-1]["query"] == "And where?"


def test_a_past_question_does_not_stand_before_what_answers_it(run: Run) -> None:
    env = {"THALAMUS_EMBEDDER": "wordllama"}
    run("turn", "I moved to Lisbon in May.", env=env)
    run("turn", "--session", "b", "Where do I live now?", env=env)
    found = run("retrieve", "--json", "Where do I live now?", env=env).records
    kinds = [(item["kind"], "Where" in item["text"]) for item in found]
    assert kinds[0] == ("fact", False)
    assert ("turn", True) in kinds[1:]
    history = run(
        "retrieve", "--json", "--mode", "history", "Where do I live now?", env=env
    ).records
    assert "Where" in history[0]["text"]


def test_many_records_go_through_in_order(environment: dict[str, str]) -> None:
    lines = [json.dumps({"record": "turn", "message": f"I like colour {n}."}) for n in range(5)]
    output, codes = pipeline(environment, "\n".join(lines), *FILTERS)
    records = [json.loads(line) for line in output.splitlines()]
    assert [r["message"] for r in records] == [f"I like colour {n}." for n in range(5)]
    assert len({r["id"] for r in records}) == 5
    assert codes == [0] * 5


def test_the_same_message_twice_is_two_turns(run: Run) -> None:
    ids = [run("turn", "--json", "Hello there!").records[0]["id"] for _ in range(2)]
    assert len(set(ids)) == 2
    counts = run("export").stdout.count('"record":"turn"')
    assert counts == 2


def test_a_stored_turn_piped_in_again_changes_nothing(run: Run) -> None:
    record = run("turn", "--json", LISBON["message"]).stdout
    before = run("export").records
    again = run("store", input=record).records[0]
    assert again["stored"][0]["rule"] == "same_id"
    after = run("export").records
    kinds = ("turn", "memory", "fact", "link", "plan")
    assert [r for r in after if r["record"] in kinds] == [r for r in before if r["record"] in kinds]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"record":"turn"}', ["Line 2", "message"]),
        ('{"record":"turn","mesage":"x"}', ["Line 2", "mesage"]),
        ('{"record":"turn","message":7}', ["Line 2", "message"]),
        ("not json", ["Line 2", "JSON"]),
        ('{"record":"memory","content":"x"}', ["Line 2", "memory"]),
    ],
)
def test_a_bad_record_is_named_and_those_before_it_are_kept(
    run: Run, line: str, words: list[str]
) -> None:
    done = run("retrieve", input=json.dumps(LISBON) + "\n" + line + "\n")
    assert done.code == 3
    assert len(done.records) == 1
    assert all(word in done.stderr for word in words), done.stderr


def test_an_error_is_a_record_with_json(run: Run) -> None:
    done = run("turn", "--json", input='{"record":"turn","mesage":"x"}')
    error = json.loads(done.stderr.splitlines()[-1])
    assert done.code == 3
    assert (error["record"], error["code"], error["line"]) == ("error", 3, 1)
    assert "message" in error["message"]
    assert error["field"] == "mesage"


def test_a_plain_message_on_standard_input(run: Run) -> None:
    done = run("turn", input="I keep two cats\nin Rome.\n")
    assert done.code == 0
    assert "two cats" in done.stdout


def test_no_memory_neither_reads_nor_writes(run: Run, home: Path) -> None:
    done = run("turn", "--no-memory", LISBON["message"])
    assert done.code == 0
    assert not (home / "data").exists()


def test_a_flow_of_ones_own(run: Run, home: Path) -> None:
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.yaml").write_text("flows:\n  quiet: [retrieve, answer]\n")
    record = run("turn", "--json", "--flow", "quiet", "I am Bo.").records[0]
    assert [step["stage"] for step in record["trace"]] == ["retrieve", "answer"]
    wrong = run("turn", "--flow", "loud", "I am Bo.")
    assert wrong.code == 2
    assert "quiet" in wrong.stderr


def test_events_are_written_as_lines(run: Run, tmp_path: Path) -> None:
    run("turn", "--events", str(tmp_path / "e.jsonl"), "I am Bo.")
    events = [json.loads(line) for line in (tmp_path / "e.jsonl").read_text().splitlines()]
    names = [event["name"] for event in events]
    assert names[0] == "session_started"
    assert names[-1] == "session_ended"
    assert {"chat_message", "status_update", "thalamus_control_entry"} <= set(names)


def test_debug_tells_what_was_done(run: Run) -> None:
    run("turn", LISBON["message"], env=PLANNING)
    told = run("turn", "--debug", "Where do I live?", env=PLANNING).stderr
    for word in ("this turn: ", "evidence ", "Lisbon", "next turn: ", "stages "):
        assert word in told


def test_a_message_that_says_nothing_new_is_kept_word_for_word(run: Run) -> None:
    said = "decisions   kept word for word"
    assert said in run("turn", "--debug", "How are you?").stderr
    assert said not in run("turn", "--debug", "I live in Rome.").stderr
    for options in (("--flow", "retrieve,answer,reflect"), ("--no-memory",)):
        assert "word for word" not in run("turn", "--debug", "How are you?", *options).stderr


def test_a_closed_pipe_ends_quietly(environment: dict[str, str], run: Run) -> None:
    memories = "".join(
        json.dumps({"record": "memory", "content": f"note {n} " + "x" * 2000}) + "\n"
        for n in range(100)  # more than a pipe holds
    )
    assert run("store", input=memories).code == 0
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{sys.executable} -m thalamus export | head -1"],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.parametrize("how", ["flag", "variable", "file"])
def test_memory_is_a_setting(run: Run, home: Path, how: str) -> None:
    run("turn", LISBON["message"])
    before = run("export").stdout
    env = {"THALAMUS_MEMORY": "off"} if how == "variable" else {}
    if how == "file":
        (home / "config").mkdir(parents=True, exist_ok=True)
        (home / "config" / "config.yaml").write_text("memory: false\n")
    flags = ["--no-memory"] if how == "flag" else []
    done = run("turn", "--json", *flags, "Where do I live?", env=env)
    [turn] = done.records
    assert (done.code, turn["evidence"], turn["stored"]) == (0, [], [])
    assert "Lisbon" not in turn["answer"]
    if how == "variable":
        piped = '{"record":"turn","message":"Where do I live?"}'
        for stage in ("retrieve", "answer", "reflect", "store", "plan"):
            piped = run(stage, input=piped, env=env).stdout
        assert json.loads(piped)["answer"] == turn["answer"]
        assert run("retrieve", "Where do I live?", env=env).stdout  # asked by a person
    assert run("export").stdout == before


def test_what_is_stored_by_its_own_command_is_stored_without_memory(run: Run) -> None:
    lines = '{"record":"turn","message":"Hi."}\n{"record":"memory","content":"Ana sings."}\n'
    done = run("store", input=lines, env={"THALAMUS_MEMORY": "no"})
    assert (done.code, done.records[0]["stored"]) == (0, [])
    assert [r["record"] for r in run("export").records if r["record"] != "event"] == ["memory"]
    wrong = run("turn", "Hi.", env={"THALAMUS_MEMORY": "perhaps"})
    assert wrong.code == 2
    assert "memory must be true or false, not 'perhaps'" in wrong.stderr


def test_through_python_without_memory(home: Path) -> None:
    settings = {"home": str(home), "model": "scripted", "embedder": "scripted"}
    with Thalamus(memory=False, **settings) as engine:
        turn = engine.turn("I live in Rome.")
        done = engine.remember([turn, Memory(content="Ana sings."), turn])
        assert [type(item) for item in done] == [Turn, Memory, Turn]
        assert engine.database.counts()["turn"] == 0
