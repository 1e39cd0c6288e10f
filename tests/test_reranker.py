"""The reranker in use: in a turn, in a search, in an evaluation, and when it fails."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.commands.evaluating import PETS
from tests.conftest import Result
from thalamus import CancelToken, Thalamus
from thalamus.policy.reranking import RERANKED
from thalamus.records import Memory

Run = Callable[..., Result]
# the second is nearest by its words, the first answers
NOTES = [
    "The kayak is in barn nine.",
    "Where the otter sleeps, sleeps the heron, and where the heron sleeps, nobody knows.",
    "An otter sleeps in barn one.",
]
ASKED = "Where does the otter sleep?"


def play(tmp_path: Path, entries: str) -> dict[str, str]:
    """The environment with a reranker that can tell a yes from a no and plays these entries."""
    path = tmp_path / "judge.yaml"
    plain = "{match: Hedda lives in Turin, reply: yes}, {match: I love figs, reply: no}"
    path.write_text(f"[{plain}, {entries}]", encoding="utf-8")
    return {"THALAMUS_RERANKER": f"scripted:{path}"}


@pytest.fixture
def filled(thalamus: Thalamus, run: Run) -> Run:
    thalamus.remember([Memory(content=note) for note in NOTES])
    thalamus.close()
    return run


@pytest.fixture
def barn(tmp_path: Path) -> dict[str, str]:
    """A reranker that likes nothing as much as barn one."""
    return play(tmp_path, "{match: barn one, reply: yes}, {reply: no}")


def texts(result: Result) -> list[str]:
    return [record["text"] for record in result.records]


def test_without_one_nothing_changes(filled: Run) -> None:
    plain = filled("retrieve", "--json", ASKED)
    assert filled("retrieve", "--json", ASKED, "--reranker", "none").stdout == plain.stdout
    assert all("reranker" not in record["scores"] for record in plain.records)


def test_a_search_is_ordered_by_it(filled: Run, barn: dict[str, str]) -> None:
    assert texts(filled("retrieve", "--json", ASKED))[0] == NOTES[1]
    found = filled("retrieve", "--json", ASKED, env=barn)
    first, second = found.records[:2]
    assert (first["text"], first["scores"]["reranker"]) == (NOTES[2], 1.0)
    assert first["why"].endswith("; the reranker gives it 1.00")
    assert (second["text"], second["scores"]["reranker"]) == (NOTES[1], 0.0)
    assert first["score"] > second["score"]
    assert found.stderr == ""
    explained = filled("retrieve", "--explain", "-n", "1", ASKED, env=barn).stdout
    assert "├─ moved to a place with 1.000 by the reranker\n" in explained


def test_a_turn_is_ordered_by_it(filled: Run, barn: dict[str, str]) -> None:
    turn = filled("turn", "--json", ASKED, env=barn).records[0]
    assert turn["evidence"][0]["text"] == NOTES[2]
    assert turn["issues"] == []
    own = turn["retrieval_instructions"][-1]
    assert (own["query"], own["limit"]) == (ASKED, 10)


def test_it_reaches_what_stands_behind_the_limit(filled: Run, barn: dict[str, str]) -> None:
    assert texts(filled("retrieve", "--json", ASKED, "-n", "1", env=barn)) == [NOTES[2]]
    small = barn | {"THALAMUS_MAX_MEMORY_RESULTS": "1"}
    turn = filled("turn", "--json", ASKED, env=small).records[0]
    assert [item["text"] for item in turn["evidence"]] == [NOTES[2]]


def test_the_scripted_one(filled: Run) -> None:
    found = filled("retrieve", "--json", ASKED, "--reranker", "scripted").records
    assert [record["scores"]["reranker"] for record in found] == [1.0, 1.0, 0.0]


def test_when_it_fails_the_ranking_stands_and_it_is_said(filled: Run, tmp_path: Path) -> None:
    plain = filled("retrieve", "--json", ASKED)
    message = json.dumps({"record": "turn", "message": ASKED})
    for entries, code, words in (
        ("{error: unreachable}", "model_unreachable", "judge.yaml"),
        ("{error: missing}", "model_missing", "judge.yaml"),
        ("{reply: Hm}", "model_failed", "neither yes nor no"),
        ("{reply: yes, times: 1}, {error: failed}", "model_failed", "judge.yaml"),
    ):
        env = play(tmp_path, entries)
        found = filled("retrieve", "--json", ASKED, env=env)
        assert (found.stdout, found.code) == (plain.stdout, 0)
        assert found.stderr.startswith("thalamus: ranked without the reranker: ")
        assert words in found.stderr

        turn = filled("retrieve", input=message, env=env).records[0]
        assert [item["text"] for item in turn["evidence"]] == texts(plain)
        [issue] = turn["issues"]
        assert (issue["stage"], issue["code"]) == ("retrieve", code)


def test_a_name_that_is_not_a_rerankers(filled: Run) -> None:
    found = filled("retrieve", "--json", ASKED, "--reranker", "wordllama")
    assert texts(found)[0] == NOTES[1]
    assert "'wordllama' is not the name of a reranker" in found.stderr


def test_one_result_is_not_judged(run: Run, tmp_path: Path) -> None:
    run("store", input=json.dumps({"record": "memory", "content": NOTES[2]}))
    found = run("retrieve", "--json", ASKED, env=play(tmp_path, "{error: failed}"))
    assert (texts(found), found.stderr) == ([NOTES[2]], "")


class Counting:
    """Likes what was found last best."""

    name = "counting"

    def __init__(self, scores: Callable[[Sequence[str]], list[float]]) -> None:
        self.asked: list[str] = []
        self._scores = scores

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        self.asked += texts
        return self._scores(texts)


def many(thalamus: Thalamus, count: int) -> None:
    thalamus.remember([Memory(content=f"The otter sleeps in barn {n}.") for n in range(count)])


def configured(home: Path, judge: object, **settings: object) -> Thalamus:
    thalamus = Thalamus(
        home=str(home), model="scripted", embedder="scripted", reranker="scripted", **settings
    )
    thalamus.engine.models.reranker = lambda: judge  # type: ignore[method-assign,assignment,return-value]
    return thalamus


def test_the_best_thirty_are_judged_and_the_rest_stays_behind(home: Path) -> None:
    judge = Counting(lambda texts: [1.0 if "barn 7." in text else 0.0 for text in texts])
    with configured(home, judge) as thalamus:
        many(thalamus, 45)
        found = thalamus.recall(ASKED, limit=40)
    assert len(judge.asked) == RERANKED == 30
    assert [item.text for item in found[:30]] != judge.asked
    assert sorted(item.text for item in found[:30]) == sorted(judge.asked)
    assert len(found) == 40
    assert all("reranker" not in item.scores for item in found[30:])


@pytest.mark.parametrize("nonsense", [[], [2.0] * 5, [float("nan")] * 5])
def test_scores_that_make_no_sense(home: Path, nonsense: list[float]) -> None:
    with configured(home, Counting(lambda _: nonsense)) as thalamus:
        many(thalamus, 5)
        assert len(thalamus.recall(ASKED)) == 5
        [(stage, error)] = thalamus.failures
    assert (stage, str(error)) == ("rerank", "The model counting failed: its scores are invalid")


def test_one_that_takes_too_long(home: Path) -> None:
    def slowly(texts: Sequence[str]) -> list[float]:
        threading.Event().wait(0.05)
        return [0.5] * len(texts)

    judge = Counting(slowly)
    with configured(home, judge, model_timeout=0.01) as thalamus:
        many(thalamus, 20)
        assert len(thalamus.recall(ASKED)) == 10
        [(_, error)] = thalamus.failures
    assert "it judged 5 of 20 texts in 0.01 seconds" in str(error)
    assert len(judge.asked) == 5


def test_it_stops_when_the_turn_is_cancelled(home: Path) -> None:
    token = CancelToken()

    def cancelled(texts: Sequence[str]) -> list[float]:
        token.cancel()
        return [0.5] * len(texts)

    judge = Counting(cancelled)
    with configured(home, judge) as thalamus:
        many(thalamus, 20)
        turn = thalamus.turn(ASKED, cancel=token)
    assert (turn.interrupted, turn.evidence) == ("retrieve", [])
    assert len(judge.asked) == 5


def test_an_evaluation_uses_it_and_says_so(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    records = [
        {"record": "memory", "content": f"The {pet} sleeps in barn {n}.", "id": f"n{n}"}
        for n, pet in enumerate(PETS)
    ]
    case = {"question": "Where does the lynx sleep?", "gold": ["n6"], "records": records}
    file.write_text(json.dumps(case), encoding="utf-8")
    command = ["eval", "retrieval", str(file), "-k", "1", "--json"]
    plain = run(*command).records[0]
    assert (plain["reranker"], plain["scores"]["recall@1"]) == ("none", 0.0)

    env = play(tmp_path, "{match: stoat, reply: yes}, {reply: no}")
    judged = run(*command, env=env).records[0]
    assert judged["reranker"] == env["THALAMUS_RERANKER"]
    assert "reranker scripted:" in run(*command[:-1], env=env).stdout

    out = ["--output", str(tmp_path / "out.jsonl")]
    assert run(*command, *out).code == 0
    other = run(*command, *out, env=env)
    assert (other.code, "another --reranker" in other.stderr) == (2, True)

    broken = run(*command, env=play(tmp_path, "{error: unreachable}"))
    assert (broken.code, broken.stdout) == (12, "")


def test_it_is_shown_among_the_models(run: Run, tmp_path: Path) -> None:
    assert "reranker" not in run("models").stdout
    assert "reranker" not in run("models", "check").stdout
    assert "reranker" not in run("doctor").stdout
    env = {"THALAMUS_RERANKER": "scripted"}
    [used] = [r for r in run("models", "--json", env=env).records if "reranker" in r["roles"]]
    assert used["name"] == "scripted"
    assert "reranker: scripted" in run("models", "check", env=env).stdout
    assert "scripted gives" in run("doctor", env=env).stdout
    assert "reranker: scripted" in run("config", "check", env=env).stdout

    down = play(tmp_path, "{error: unreachable}")
    assert run("models", "check", env=down).code == 12
    assert run("doctor", env=down).code == 1
    wrong = run("config", "check", env={"THALAMUS_RERANKER": "wordllama"})
    assert "'wordllama' is not the name of a reranker" in wrong.stdout + wrong.stderr
