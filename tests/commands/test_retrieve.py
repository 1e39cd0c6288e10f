"""`thalamus retrieve "question"`: filters, dates, other scripts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Result
from thalamus.api import Thalamus
from thalamus.records import Memory, Turn

Run = Callable[..., Result]
Shared = Callable[[Callable[[Run], None]], Run]

MEMORIES: list[dict[str, Any]] = [
    {"content": "Ana adopted a kitten.", "created_at": "2024-01-05", "topic": "pets", "user": "a"},
    {"content": "Ana sold her bicycle.", "created_at": "2024-03-05", "type": "event", "user": "b"},
    {"content": "The kitten is called Miso.", "created_at": "2024-06-05", "session": "s2"},
    {"content": "Old news of the kitten.", "created_at": "2024-06-06", "expires_at": "2024-07-01"},
    {"content": "Ich wohne seit Mai in Köln.", "metadata": {"lang": "de"}},
    {"content": "Моя собака любит снег.", "metadata": {"lang": "ru"}},
    {"content": "私は東京の図書館で働いています。", "metadata": {"lang": "ja"}},
    {"content": "أحب القهوة العربية في الصباح.", "metadata": {"lang": "ar"}},
]


@pytest.fixture
def filled(shared: Shared) -> Run:
    """Commands with a store that holds these memories."""

    def store(run: Run) -> None:
        data = "".join(json.dumps({"record": "memory", **memory}) + "\n" for memory in MEMORIES)
        assert run("store", input=data).code == 0

    return shared(store)


def texts(done: Result) -> list[str]:
    return [record["text"] for record in done.records]


def test_a_piece_of_evidence_has_what_is_promised(filled: Run) -> None:
    item = filled("retrieve", "--json", "What is the kitten called?", "-n", "1").records[0]
    assert item["record"] == "evidence"
    assert item["text"] == "The kitten is called Miso."
    assert item["kind"] == "memory"
    assert item["at"] == "2024-06-05T00:00:00Z"
    assert item["session"] == "s2"
    assert item["score"] == 1.0
    assert "words" in item["why"]


FILTERS: list[tuple[list[str], set[str]]] = [
    (["--topic", "pets"], {"Ana adopted a kitten."}),
    (["--type", "event"], {"Ana sold her bicycle."}),
    (["--session", "s2"], {"The kitten is called Miso."}),
    (["--since", "2024-06-01", "--until", "2024-06-06"], {"The kitten is called Miso."}),
    (["--since", "juin 2024", "--until", "6. Juni 2024"], {"The kitten is called Miso."}),
    (["--since", "5 June 2024", "--until", "2024年6月5日"], {"The kitten is called Miso."}),
    (["--as-of", "im Februar 2024"], {"Ana adopted a kitten."}),
    (["--as-of", "2024-02-01"], {"Ana adopted a kitten."}),
    (["--user", "a", "--until", "2024-05-01"], {"Ana adopted a kitten."}),
    (["--mode", "facts"], set()),
]


def test_filters(filled: Run) -> None:
    asked = ("retrieve", "--json", "Ana kitten", "--min-relevance", "0")
    for arguments, expected in FILTERS:
        assert set(texts(filled(*asked, *arguments))) == expected, arguments


def test_what_has_expired_is_not_recalled(filled: Run) -> None:
    assert "Old news of the kitten." not in texts(filled("retrieve", "--json", "kitten news"))
    then = filled("retrieve", "--json", "kitten news", "--as-of", "2024-06-20")
    assert "Old news of the kitten." in texts(then)


def test_what_is_over_is_found_and_marked(run: Run) -> None:
    visit = {"record": "memory", "content": "The user sees the dentist on Friday."}
    visit |= {"valid_from": "2026-05-08", "valid_to": "2026-05-08"}
    assert run("store", input=json.dumps(visit)).code == 0
    on_the_day, later = (
        run("retrieve", "dentist", env={"THALAMUS_NOW": f"2026-{day}T20:00:00Z"}).stdout
        for day in ("05-08", "06-08")
    )
    assert "sees the dentist" in on_the_day and "no longer" not in on_the_day
    assert "sees the dentist" in later and "(no longer: ended 2026-05-08)" in later
    assert "sees the dentist" in run("memory", env={"THALAMUS_NOW": "2026-06-08"}).stdout


OTHER_LANGUAGES = [
    ("Wo wohne ich? Koln?", "de"),
    ("Что любит собака?", "ru"),
    ("東京で何をしていますか", "ja"),
    ("القهوة", "ar"),
]


def test_other_languages_are_found(filled: Run) -> None:
    for question, language in OTHER_LANGUAGES:
        found = filled("retrieve", "--json", question, "-n", "1").records
        assert found[0]["metadata"] == {"lang": language}, question


def test_no_question_trips_the_search(filled: Run) -> None:
    for question in ("what's (foo AND", "a:b:c", "-kitten", '"', "\\", "?", "*"):
        assert filled("retrieve", "--json", "--", question).code == 0, question


def test_nothing_found_is_no_error_unless_asked_for(run: Run) -> None:
    run("store", input='{"record":"fact","subject":"a","predicate":"b","object":"c"}')
    assert run("retrieve", "x", "--mode", "document").code == 0
    assert run("retrieve", "x", "--mode", "document", "--fail-empty").code == 4


def test_turns_without_evidence_fail_when_asked_to(run: Run) -> None:
    asked = '{"record":"turn","message":"Where does Ana keep her tea?"}\n'
    nothing = run("retrieve", "--fail-empty", input=asked)
    assert nothing.code == 4 and nothing.records[0]["evidence"] == []
    assert "Found nothing for any of the turns." in nothing.stderr
    assert run("retrieve", input=asked).code == 0
    run("store", input='{"record":"memory","content":"Ana keeps her tea in a tin."}')
    assert run("retrieve", "--fail-empty", input=asked).code == 0
    words_only = ("retrieve", "--fail-empty", "--embedder", "none")
    other = '{"record":"turn","message":"zurk"}\n'
    assert run(*words_only, input=asked + other).code == 0  # one is enough
    assert run(*words_only, input=other).code == 4
    assert run("retrieve", "--fail-empty", input=asked + "{}\n").code == 3


def test_plain_text_on_standard_input_is_a_question(filled: Run) -> None:
    options = ("-n", "1", "--json")
    for text in (
        "What is the kitten called?\n",
        "\ufeffWhat is the kitten called?",
        "\n[12:30] What is\nthe kitten called?\n",
    ):
        asked = filled("retrieve", *options, text.strip("\n\ufeff")).records
        assert asked and filled("retrieve", *options, input=text).records == asked, text
    assert filled("retrieve", "-", *options, input=text).records == asked


@pytest.mark.parametrize(
    "data", ['[{"record":"turn","message":"hi"}]\n', '{"message":\n', b"caf\xe9\n"]
)
def test_what_is_neither_text_nor_a_record_is_refused(run: Run, data: str | bytes) -> None:
    assert run("retrieve", input=data).code == 3


def test_other_filters_take_no_plain_text(run: Run) -> None:
    for command in ("answer", "reflect", "store", "plan"):
        done = run(command, input="What is the kitten called?\n")
        assert done.code == 3 and "Line 1: not JSON" in done.stderr


@pytest.mark.parametrize("embedder", ["none", "scripted"])
def test_words_that_are_nowhere_find_nothing(filled: Run, embedder: str) -> None:
    done = filled("retrieve", "qqzz xxyy", "--fail-empty", "--embedder", embedder)
    assert (done.code, done.stdout) == (4, "")
    assert done.stderr == "thalamus: Found nothing for “qqzz xxyy”.\n"
    empty = filled("retrieve", "qqzz xxyy", "--embedder", embedder).stderr
    assert empty.startswith("No results. --min-relevance 0")


def test_what_has_nothing_to_do_with_the_question_is_left_out(filled: Run) -> None:
    asked = ("retrieve", "Which concert did the kitten play the trombone at?", "--embedder", "none")
    assert filled(*asked, "--fail-empty").code == 4
    everything = filled(*asked, "--json", "--min-relevance", "0").records
    assert len(everything) == 2
    assert all(0 <= item["relevance"] < 0.25 for item in everything)
    done = filled("retrieve", "x", "--min-relevance", "2")
    assert done.code == 2 and "min_relevance must be between 0 and 1" in done.stderr


def test_a_question_for_nothing_in_particular_finds_what_there_is(filled: Run) -> None:
    found = filled("retrieve", "What do you know?", "--json").records
    assert len(found) > 3 and all(item["relevance"] is None for item in found)


def test_what_is_not_relevant_is_no_evidence_of_a_turn(filled: Run) -> None:
    questions = ("What is the kitten called?", "Which concert did the kitten play the trombone at?")
    asked = [{"record": "turn", "message": question} for question in questions]
    data = "".join(json.dumps(turn) + "\n" for turn in asked)
    known, unknown = filled("retrieve", "--embedder", "none", input=data).records
    assert known["evidence"][0]["text"] == "The kitten is called Miso."
    assert unknown["evidence"] == []
    every = ("retrieve", "--embedder", "none", "--min-relevance", "0")
    kept = filled(*every, input=data).records
    assert kept[1]["evidence"] != []


@pytest.mark.parametrize(
    "option", [("--mode", "facts"), ("-n", "3"), ("--since", "2024"), ("--embedding", "@x")]
)
def test_what_only_a_question_has(run: Run, option: tuple[str, str]) -> None:
    """Turn records bring their own: an option that would be ignored is refused."""
    done = run("retrieve", *option, input='{"record":"turn","message":"hi"}')
    name = "--limit" if option[0] == "-n" else option[0]
    assert done.code == 2 and f"{name} requires a QUESTION." in done.stderr


def test_without_a_store(run: Run) -> None:
    asked = run("retrieve", "anything")
    assert asked.code == 10
    assert "thalamus store" in asked.stderr
    filtered = run("retrieve", input='{"record":"turn","message":"hi"}')
    assert filtered.code == 0
    assert filtered.records[0]["evidence"] == []
    assert filtered.records[0]["issues"] == []


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--since", "someday"], "--since"),
        (["--since", "yesterday or today"], "last week"),
        (["--until", "3/5/2024"], "--until"),
        (["--since", "999999d"], "out of range"),
        (["--mode", "dreams"], "mode"),
        (["-n", "-1"], "limit"),
        (["--embedding", "@/nowhere"], "--embedding"),
    ],
)
def test_bad_options(filled: Run, arguments: list[str], word: str) -> None:
    done = filled("retrieve", "kitten", *arguments)
    assert done.code == 2
    assert word in done.stderr


def test_without_an_embedder_words_serve(filled: Run) -> None:
    found = filled("retrieve", "--json", "kitten Miso", env={"THALAMUS_EMBEDDER": "none"})
    assert texts(found)[0] == "The kitten is called Miso."
    assert "vector" not in found.records[0]["scores"]


def test_an_empty_question_is_refused(run: Run) -> None:
    for question in ("", "  "):
        asked = run("retrieve", question)
        assert asked.code == 2 and "The question is empty." in asked.stderr


def test_the_block_as_a_model_sees_it(run: Run, thalamus: Thalamus, tmp_path: Path) -> None:
    thalamus.turn(Turn(message="My cat Miso has asthma.", session="old"))
    thalamus.close()
    question = "What does my cat Miso have?"
    done = run("retrieve", "--format", "prompt", question)
    assert done.code == 0 and "<memories>" in done.stdout and "Miso" in done.stdout
    # a model that is not there is not asked
    down = {"THALAMUS_MODEL": "ollama:tea", "THALAMUS_OLLAMA_HOST": "http://127.0.0.1:9"}
    assert run("retrieve", "--format", "prompt", question, env=down).stdout == done.stdout
    # what stands in the profile is no evidence of a turn
    env = {"THALAMUS_LOG_PROMPTS": "1", "THALAMUS_PROFILE_TOKENS": "0"}
    run("turn", "--session", "new", "--events", "events", question, env=env)
    lines = [json.loads(line) for line in (tmp_path / "events").read_text().splitlines()]
    [call] = [line["data"] for line in lines if line["name"] == "model_call"]
    assert call["messages"][-1] == ["user", done.stdout.rstrip("\n")]
    empty = run("retrieve", "--format", "prompt", "--type", "skill", "--embedder", "none", "zzz")
    assert (empty.stdout, "No results." in empty.stderr) == ("", True)
    for arguments, problem in (
        (["--format", "poem", question], "invalid --format 'poem' (choose prompt)"),
        (["--format", "prompt", "--json", question], "--format prompt and --json cannot"),
        (["--format", "prompt"], "--format requires a QUESTION"),
    ):
        wrong = run("retrieve", *arguments)
        assert (wrong.code, problem in wrong.stderr) == (2, True), wrong.stderr


BELIEFS = [
    "Uses Neovim for all editing.",
    "GitHub Actions (GHA): secrets live in the vault of the organisation.",
    "The staging database is Postgres on Neon.",
    "Database backups are kept for 35 days.",
    "Refunds over 500 euros must be confirmed by Priya.",
    "Priya leads the payments team.",
    "Drinks flat whites with oat milk.",
    "Plays bass in a cover band on Thursdays.",
]
EXACT: list[tuple[str, list[int]]] = [
    ("GHA secrets config", [1]),
    ("how long are database backups kept", [3]),
    ("who has to confirm a refund of 800 euros", [4]),
    ("what does Priya do", [4, 5]),
    ("Neon", [2]),
    ("which band does he play in", [7]),
    ("GraphQL schema stitching", []),
]


@pytest.mark.parametrize(("question", "right"), EXACT)
def test_only_what_is_asked_for_is_printed(
    run: Run, thalamus: Thalamus, question: str, right: list[int]
) -> None:
    thalamus.remember([Memory(content=text) for text in BELIEFS])
    found = run("retrieve", question, "--json").records
    assert {one["text"] for one in found} == {BELIEFS[number] for number in right}
    assert len(run("retrieve", question, "--json", "--min-relevance", "0").records) >= len(right)


def test_how_far_behind_the_best_a_result_may_be(run: Run, thalamus: Thalamus) -> None:
    thalamus.remember([Memory(content=text) for text in BELIEFS])
    asked = ("retrieve", "how long are database backups kept", "--json")
    everything = [one["score"] for one in run(*asked, "--min-score", "0").records]
    for least in (0.2, 0.5, 1.0):
        found = [one["score"] for one in run(*asked, "--min-score", str(least)).records]
        assert found == [score for score in everything if score >= least]
    wrong = run(*asked, "--min-score", "2")
    assert wrong.code == 2 and "min_score must be between 0 and 1" in wrong.stderr


def test_what_has_little_to_do_with_the_question_is_marked(run: Run, thalamus: Thalamus) -> None:
    thalamus.remember(
        [
            Memory(content="Ana planted a fig tree behind the old house in spring."),
            Memory(content="The house has a gate."),
        ]
    )
    asked = "Which tree did Ana plant behind the old house in spring?"
    every = {"THALAMUS_MIN_SCORE": "0"}
    printed = run("retrieve", asked, "--json", env=every).records
    found = {r["text"]: r["relevance"] for r in printed}
    weak = {text for text, relevance in found.items() if relevance < 0.4}
    assert len(found) == 2 and weak == {"The house has a gate."}
    for command in (("retrieve", asked), ("memory", "search", *asked.split())):
        lines = run(*command, env=every)
        marked = [line for line in lines.stdout.splitlines() if "  (weak)  [mem_" in line]
        assert len(marked) == 1 and "The house has a gate." in marked[0]
