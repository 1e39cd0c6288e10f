"""What is said about what to do next, and when there is nothing to show."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.terminal.test_streams import shell
from thalamus import Thalamus
from thalamus.policy.evidence_text import credited, used_words
from thalamus.records import Memory

Run = Callable[..., Result]

SAID = "I moved to Lisbon in May."
CLAUDE = [
    {
        "uuid": "c1",
        "name": "Moving",
        "created_at": "2026-03-01T10:00:00Z",
        "chat_messages": [
            {"uuid": "m1", "sender": "human", "text": SAID, "created_at": "2026-03-01T10:00:00Z"},
            {"uuid": "m2", "sender": "assistant", "text": "Enjoy it."}
            | {"created_at": "2026-03-01T10:00:05Z"},
        ],
    }
]


@pytest.fixture
def imported(run: Run, tmp_path: Path) -> Callable[..., Result]:
    (tmp_path / "conversations.json").write_text(json.dumps(CLAUDE))
    return lambda *more: run("import", "--from", "claude", "conversations.json", *more)


def test_after_an_import_one_line_says_how_to_extract_and_it_works(
    imported: Callable[..., Result], run: Run, environment: dict[str, str]
) -> None:
    run("turn", "I have a dog.", "--flow", "retrieve,answer,store")
    done = imported()
    assert done.code == 0 and done.stdout.startswith("imported 1 turn of 1 conversation")
    (line,) = done.stderr.splitlines()
    command = re.search(r"`(thalamus .*)`", line)
    assert command is not None and "extracts" in line
    assert json.loads(run("facts", "--json").stdout or "null") is None
    after: subprocess.CompletedProcess[str] = shell(
        environment, command.group(1).replace("thalamus ", "$T ")
    )
    assert after.returncode == 0, after.stderr
    assert "Lisbon" in run("facts").stdout and "moved to Lisbon" in run("memory").stdout
    assert "dog" not in run("memory").stdout  # only what was imported is reflected over
    (fact,) = run("facts", "--json").records
    assert fact["created_at"].startswith("2026-03-01") and fact["provenance"]["turn"]


def test_an_import_that_adds_nothing_and_json_say_no_more(imported: Callable[..., Result]) -> None:
    assert imported("--json").stderr == ""
    assert imported().stderr == ""


def test_an_export_of_some_kinds(run: Run) -> None:
    run("turn", SAID)
    turns = run("export", "--kind", "turn").records
    assert [record["record"] for record in turns] == ["turn"]
    both = run("export", "--kind", "memory", "--kind", "fact", "--session", "main").records
    assert {record["record"] for record in both} == {"memory", "fact"}
    assert {r["record"] for r in run("export", "--kind", "event").records} == {"event"}
    wrong = run("export", "--kind", "turns")
    assert wrong.code == 2 and "--kind 'turns' (choose turn, memory" in wrong.stderr


NOTHING = [
    (("memory",), "There are no memories"),
    (("facts",), "There are no facts"),
]
NO_MATCH = [
    (("memory", "--topic", "zurk"), "No memory has the topic 'zurk' (choose "),
    (("memory", "search", "Lisbon", "--topic", "zurk"), "No memory has the topic 'zurk'"),
    (("retrieve", "Lisbon", "--topic", "zurk"), "No memory has the topic 'zurk'"),
    (("memory", "--status", "quarantined"), "No memories match"),
    (("facts", "--subject", "Zoe"), "No facts match"),
    (("facts", "history", "Zoe"), "There are no facts about “Zoe”. `thalamus facts entities`"),
    (("timeline", "--facts", "--subject", "Zoe"), "There are no facts about “Zoe”."),
    (("timeline", "--facts", "--subject", "Zoe", "--predicate", "likes"), "No facts match"),
]


def test_nothing_is_said_to_be_nothing(run: Run, thalamus: Thalamus) -> None:
    def check(command: tuple[str, ...], words: str) -> None:
        done = run(*command)
        assert (done.code, done.stdout) == (0, ""), command
        assert words in done.stderr and done.stderr.count("\n") == 1, (command, done.stderr)
        quiet = run(*command, "--json")
        assert (quiet.stdout, quiet.stderr) == ("", ""), command

    thalamus.open_store(create=True)
    for command, words in NOTHING:
        check(command, words)
    thalamus.turn(SAID)
    thalamus.remember([Memory(content="Herons fish at dawn.", topic="herons")])
    for command, words in NO_MATCH:
        check(command, words)


def test_why_tells_the_prompt_from_the_answer(run: Run, tmp_path: Path) -> None:
    for number, text in enumerate(("The cat is called Miso.", "The cat sleeps on the boiler.")):
        run("store", input=json.dumps({"record": "memory", "content": text, "id": f"mem_{number}"}))
    script = tmp_path / "script.yaml"
    script.write_text(json.dumps([{"role": "answer", "reply": "Your cat is Miso."}]))
    run("turn", "Which cat do I have?", "--model", f"scripted:{script}")
    (origin,) = run("why", "--json").records
    found = {child["id"]: child for child in origin["origins"]}
    assert (found["mem_0"]["in_prompt"], found["mem_0"]["shared"]) == (True, ["miso"])
    assert (found["mem_1"]["in_prompt"], found["mem_1"]["shared"]) == (True, [])
    plain = run("why").stdout
    assert "in the prompt, and in the answer (miso): memory The cat is called Miso." in plain
    assert "in the prompt, no words of it in the answer: memory The cat sleeps" in plain
    assert "by shared words alone" in plain


def test_why_says_what_found_no_room_in_the_prompt(run: Run) -> None:
    run("store", input='{"record":"memory","content":"The cat is called Miso.","id":"mem_0"}')
    run("turn", "Which cat do I have?", env={"THALAMUS_TOKEN_BUDGET": "1"})
    (origin,) = run("why", "--json").records
    assert [child["in_prompt"] for child in origin["origins"]] == [False]
    assert "recalled, not in the prompt: memory The cat" in run("why").stdout


@pytest.mark.parametrize(
    ("evidence", "message", "answer", "shared"),
    [
        ("user lives_in Lisbon", "Where do I live?", "You live in Lisbon.", ["lisbon"]),
        ("user lives_in Lisbon", "Do I live in Lisbon?", "Yes, in Lisbon.", []),
        ("The user moves to Porto.", "What of Porto?", "You moved there.", ["moved"]),
        ("Ana keeps bees.", "Who?", "", []),
        ("猫の名前は味噌です", "誰", "味噌です", ["味噌", "噌で", "です"]),
    ],
)
def test_what_counts_as_shared(evidence: str, message: str, answer: str, shared: list[str]) -> None:
    assert used_words(evidence, message, answer) == shared


def test_a_common_word_is_taken_from_the_note_that_explains_the_answer_best() -> None:
    """A month and a number that many notes have are not credited to each of them."""
    notes = {
        "visit": "Bozena arrives on 20 June and stays for ten days.",
        "fact": "Bozena visits user, 20 June",
        "cooking": "The user cooks until the end of June.",
        "delivery": "The boat is delivered on 11 June.",
        "deposit": "The deposit is 30 percent.",
        "bees": "Perran keeps bees.",
    }
    answer = "Until the end of the month: Bozena stays from 20 June to 30 June."
    found = credited(notes, "How long is she here?", answer)
    assert {"visit", "deposit"} <= found.keys() and not {"delivery", "bees"} & found.keys()
    assert found["visit"] == ["bozena", "stays", "20", "june"]


def test_all_that_say_the_same_are_credited() -> None:
    notes = {"turn": "i work at bosch now", "memory": "The user works at Bosch.", "tea": "Tea."}
    found = credited(notes, "Where do I work?", "You work at Bosch.")
    assert found == {"turn": ["bosch"], "memory": ["bosch"]}
    assert credited(notes, "Where do I work?", "I do not know.") == {}
