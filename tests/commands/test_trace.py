"""`thalamus trace`: the ledger of a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thalamus.api import Thalamus
from thalamus.memory.sessions import FIRST_LOOK, last_turns
from thalamus.records import Issue, Memory, Step, Turn

Run = Callable[..., Any]
SAID = "I moved to Lisbon in May and I prefer short answers."


def test_shows_each_stage_of_the_last_turn(run: Run, thalamus: Thalamus) -> None:
    thalamus.turn("Hello.")
    turn = thalamus.turn(SAID)
    thalamus.close()
    shown = run("trace").stdout
    lines = shown.splitlines()
    assert lines[0] == f"{turn.id}  2026-05-08T13:56:00Z  session main  “{SAID}”"
    *stages, plan = [line.split()[1] for line in lines if line.startswith(("├─", "└─"))]
    assert stages == ["retrieve", "answer", "reflect", "store"]
    assert plan == "plan:" and lines[-1] == "└─ plan: none saved"
    step = next(step for step in turn.trace if step.stage == "answer")
    assert f"├─ answer  scripted  {step.tokens_in}+{step.tokens_out} tokens  0 ms" in lines
    assert f"out {turn.id}  “{turn.answer}”" in shown
    assert "add: user lives_in Lisbon" in shown

    records = run("trace", (turn.id or "")[:-1], "--json").records
    assert {record["turn"] for record in records} == {turn.id}
    assert [record["data"]["stage"] for record in records] == stages
    assert all(record["record"] == "event" and record["hash"] for record in records)


def test_the_plan_that_a_turn_saved_is_shown(run: Run) -> None:
    run("turn", SAID, env={"THALAMUS_PLANNER": "model"})
    [plan] = [record for record in run("export").records if record["record"] == "plan"]
    lines = run("trace").stdout.splitlines()
    at = lines.index(f"   ├─ out {plan['id']}")
    assert lines[at - 2].startswith("└─ plan  scripted  ")
    instructions = plan["retrieval_instructions"]
    assert len(instructions) == 3
    assert lines[at + 1 : at + 4] == [
        f"   │  {mark} {item['mode']}: {item['query']}, at most {item['limit']}"
        for mark, item in zip(("├─", "├─", "└─"), instructions, strict=True)
    ]
    assert "none saved" not in "\n".join(lines)


def test_the_last_turns_are_a_line_each(run: Run, thalamus: Thalamus) -> None:
    turns = [thalamus.turn(f"Message {number}.") for number in range(3)]
    thalamus.new_session("other")
    thalamus.turn("Elsewhere.")
    thalamus.remember([Memory(content="Not a turn.")])
    thalamus.close()
    lines = run("trace", "--last", "2", "--session", "main").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [turn.id for turn in turns[1:]]
    assert "retrieve answer reflect store" in lines[0]
    assert "“Message 1.”" in lines[0]


def test_unusable_replies_and_issues_are_shown(run: Run, thalamus: Thalamus) -> None:
    step = Step(
        stage="reflect",
        at="2026-05-08T13:56:00Z",
        model="tiny",
        detail={"unusable_replies": ["I am a poet."], "memories": 0},
    )
    problem = Issue(stage="reflect", code="unusable_reply", message="no JSON", fix="Use more.")
    thalamus.remember([Turn(message="Hi.", id="turn_x", trace=[step], issues=[problem])])
    thalamus.close()
    lines = run("trace", "turn_x").stdout.splitlines()
    assert any(line.endswith("  └─ I am a poet.") for line in lines)
    assert "└─ issue in reflect: no JSON" in lines
    assert lines[-1] == "   └─ Use more."
    assert "1 issue" in run("trace", "--last", "1").stdout


def test_turns_are_found_behind_many_other_entries(thalamus: Thalamus) -> None:
    thalamus.remember([Turn(message="Hi.", id="turn_old")])
    for number in range(FIRST_LOOK + 1):
        thalamus.remember([Memory(content=f"Note {number}.")])
    assert last_turns(thalamus.database, 1) == ["turn_old"]
    assert last_turns(thalamus.database, 5) == ["turn_old"]


def test_what_there_is_not(run: Run, thalamus: Thalamus) -> None:
    assert run("trace").code == 10
    thalamus.remember([Memory(id="mem_1", content="No turn.")])
    thalamus.close()
    nothing = run("trace")
    assert nothing.code == 4 and nothing.stderr == "thalamus: There are no turns yet.\n"
    elsewhere = run("trace", "--session", "x")
    assert elsewhere.stderr.startswith("thalamus: There are no turns in the session 'x'.\n")
    of_memory = run("trace", "mem_1")
    assert of_memory.code == 4 and "The ledger has no entries about mem_1" in of_memory.stderr
    assert "`thalamus trace --last 10`" in of_memory.stderr
    assert run("why").stderr == nothing.stderr
    assert run("why", "--session", "x").stderr == elsewhere.stderr
    assert run("undo", "--turn", "last").stderr == nothing.stderr
    assert run("trace", "mem_1", "--last", "2").code == 2


def test_details_of_stages_are_put_into_words(run: Run) -> None:
    for message in ("I am allergic to nuts.", "What am I allergic to?"):
        run("turn", message, env={"THALAMUS_PROFILE_TOKENS": "0"})
    recorded = [r["data"] for r in run("trace", "--json").records if r["name"] == "stage"]
    (recalled,) = [data["outputs"] for data in recorded if data["stage"] == "retrieve"]
    shown = run("trace").stdout
    assert recalled and all(id in shown for id in recalled)
    assert "messages in the prompt: " in shown and "searches: 1" in shown
    assert "cut_short" not in shown and "cut short" not in shown and "loop" not in shown
    left_out = shown.partition("left out of the prompt\n")[2]
    assert "“I am allergic to nuts.”: another line says it" in left_out


def test_a_tool_is_shown_with_its_arguments_and_its_result(run: Run) -> None:
    run("turn", "--flow", "routed", "How much is 12 * 7?")
    shown = run("trace").stdout
    assert 'tool calculate(expression="12 * 7") → expression: 12 * 7, value: 84  (' in shown
    assert "{" not in shown and "left out of the prompt: none" in shown
    assert 'tool calculate(expression="12 * 7") → ' in run("chat", "-c", input="/trace\n").stdout
    run("turn", "--flow", "routed", "How much is 2 * 8?", env={"THALAMUS_LOG_DAYS": "0"})
    assert "tool calculate  (" in run("trace").stdout
