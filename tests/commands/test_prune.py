"""`thalamus prune` and `thalamus undo`: what goes, what is left of it, and what comes back."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from thalamus.api import Thalamus
from thalamus.memory.retention.prune import PruneOptions
from thalamus.records import Link, Memory, Turn
from thalamus.store.values import Filter
from thalamus.transfer.export import export_lines
from thalamus.turn_run import TurnRun

Run = Callable[..., Any]
LATER = {"THALAMUS_NOW": "2026-06-20T00:00:00Z"}
HERONS = [
    ("mem_h1", "The user saw a grey heron at the pond.", "2025-12-01"),
    ("mem_h2", "The heron stood still for an hour.", "2025-12-09"),
    ("mem_h3", "Ana photographed the heron at dawn.", "2025-12-20"),
]


@pytest.fixture
def stored(thalamus: Thalamus) -> Thalamus:
    """Of every kind something: what is over, what stays, what is pinned, core and expired."""
    said = [
        Memory(id=id, content=content, topic="herons", created_at=at, trust=trust)
        for (id, content, at), trust in zip(HERONS, (1.0, 0.5, 0.8), strict=True)
    ]
    more: list[dict[str, Any]] = [
        {"id": "mem_new", "content": "The user saw an owl.", "created_at": "2026-04-01"},
        {"id": "mem_name", "content": "The user is Jo.", "type": "user_identity"},
        {"id": "mem_pin", "content": "The user keeps a boat.", "pinned": True},
        {"id": "mem_core", "content": "Answer in French.", "scope": "core"},
        {"id": "mem_ttl", "content": "Code 4711 is valid.", "expires_at": "2026-05-01"},
        {"id": "mem_lake", "content": "The lake froze over.", "created_at": "2025-11-02"},
    ]
    said += [Memory(**({"created_at": "2020-01-01"} | fields)) for fields in more]
    thalamus.remember(said)
    thalamus.close()
    return thalamus


def ids(thalamus: Thalamus, found: Filter | None = None) -> list[str]:
    """The ids of memories, of active ones unless others are asked for."""
    made = sorted(memory.stored_id for memory in thalamus.memories.find(found))
    thalamus.close()
    return made


def exported(thalamus: Thalamus) -> list[bytes]:
    lines = list(export_lines(thalamus.database))
    thalamus.close()
    return lines


def test_without_a_store_it_says_so(run: Run) -> None:
    assert run("prune").code == 10
    assert run("undo").code == 10
    assert run("prune", "--rules").stdout.startswith("default ")


def test_a_dry_run_gives_one_verdict_each_and_names_what_the_run_does(
    run: Run, stored: Thalamus
) -> None:
    before = exported(stored)
    dry = run("prune", "--dry-run", "--json").records
    assert exported(stored) == before
    assert {(v["id"], v["decision"], v["rule"]) for v in dry} == {
        ("mem_h1", "compress", "days"),
        ("mem_h2", "compress", "days"),
        ("mem_h3", "compress", "days"),
        ("mem_lake", "compress", "days"),
        ("mem_new", "keep", "days"),
        ("mem_name", "keep", "forever"),
        ("mem_pin", "keep", "pinned"),
        ("mem_core", "keep", "core"),
        ("mem_ttl", "drop", "expired"),
    }
    *told, event = run("prune", "--json").records
    assert told == [verdict for verdict in dry if verdict["decision"] != "keep"]
    assert (event["name"], event["data"]["compressed"], event["data"]["dropped"]) == (
        "pruned",
        4,
        1,
    )
    kept = {memory for memory in ids(stored) if memory.startswith("mem_") and len(memory) < 10}
    assert kept == {"mem_new", "mem_name", "mem_pin", "mem_core"}


def test_one_line_fit_for_mail_and_a_second_run_that_does_nothing(
    run: Run, stored: Thalamus
) -> None:
    first = run("prune")
    assert first.code == 0
    assert first.stdout.startswith(
        "prune: 4 compressed into 2 summaries, 1 dropped, 4 kept; undo with `thalamus undo prune_"
    )
    after = exported(stored)
    second = run("prune")
    assert second.stdout == "prune: nothing to do, 6 kept\n"
    assert run("prune", "--quiet").stdout == ""
    assert exported(stored) == after


def test_a_summary_stands_for_what_it_came_from(run: Run, stored: Thalamus) -> None:
    assert run("prune", "--no-model").code == 0
    found = run("memory", "--type", "summary", "--topic", "herons", "--json").records
    assert len(found) == 1
    summary = found[0]
    assert summary["content"].startswith("Observations about herons, 1 December 2025 to 20 Dec")
    for _, content, _ in HERONS:
        assert content in summary["content"]
    assert summary["trust"] == 0.5
    assert summary["created_at"] == "2025-12-20T00:00:00Z"
    assert summary["metadata"]["count"] == 3
    links = run("memory", "show", summary["id"], "--json").records[1:]
    assert {link["target"] for link in links} == {id for id, *_ in HERONS}
    told = run("why", summary["id"]).stdout
    assert "Ana photographed the heron at dawn." in told
    recalled = run("retrieve", "heron photographed by Ana", "--json").records
    assert recalled[0]["id"] == summary["id"]
    assert not {id for id, *_ in HERONS} & {item["id"] for item in recalled}
    assert ids(stored, Filter(status="retired", topic="herons")) == [id for id, *_ in HERONS]
    old = run("memory", "show", "mem_h1", "--json").records[0]
    assert old["status"] == "retired" and old["batch"].startswith("prune_")


def test_what_a_model_makes_up_is_not_believed(run: Run, stored: Thalamus, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    reply = {"summary": "The user bought a yacht in Monaco.", "topic": "yachts"}
    script.write_text(json.dumps([{"role": "summary", "reply": reply}]))
    done = run("prune", "--json", "--model", f"scripted:{script}")
    assert done.records[-1]["data"]["refused"] == 2
    text = " ".join(memory["content"] for memory in run("memory", "--json").records)
    assert "Monaco" not in text and "grey heron" in text


@pytest.mark.parametrize("error", ["unreachable", "failed"])
def test_a_model_that_is_down_is_told_and_done_without(
    run: Run, stored: Thalamus, tmp_path: Path, error: str
) -> None:
    script = tmp_path / "script.yaml"
    script.write_text(json.dumps([{"error": error}]))
    done = run("prune", "--model", f"scripted:{script}")
    assert done.code == 0
    assert done.stderr.count("thalamus: summary: ") == 1
    assert "4 compressed into 2 summaries" in done.stdout


def test_undo_brings_everything_back(run: Run, stored: Thalamus) -> None:
    def content() -> list[bytes]:
        return [line for line in exported(stored) if b'"record":"event"' not in line]

    before = content()
    run("prune")
    listed = run("undo", "--list", "--json").records
    assert [(b["action"], b["counts"], b["until"]) for b in listed] == [
        ("prune", {"retired": 5, "made": 2}, "2026-06-07T13:56:00Z")
    ]
    what = (
        "“The user saw a grey heron at the pond.”, “The heron stood still for an hour.” and 3 more"
    )
    line = run("undo", "--list").stdout
    assert line.startswith(f"2026-05-08  prune     {what} → “Observations") and "2026-06-07" in line
    done = run("undo")
    assert done.stdout.startswith(f"undone: prune of 2026-05-08: 2 removed, 5 restored: {what} → ")
    assert content() == before
    found = run("retrieve", "heron photographed by Ana", "--json").records
    assert found[0]["id"] == "mem_h3"
    again = run("undo")
    assert again.code == 4
    assert run("undo", "--list").stdout == ""


def test_restored_memories_are_found_after_the_indexes_were_made_anew(
    run: Run, stored: Thalamus
) -> None:
    run("prune")
    run("store", "reindex")
    assert "mem_h3" not in run("retrieve", "photographed dawn", "--json").stdout
    run("undo")
    found = run("retrieve", "photographed dawn", "--json", env={"THALAMUS_EMBEDDER": "none"})
    assert found.records[0]["id"] == "mem_h3"


def test_after_undo_days_what_was_retired_is_deleted_for_good(run: Run, stored: Thalamus) -> None:
    run("prune")
    summary = run("memory", "--type", "summary", "--topic", "herons", "--json").records[0]["id"]
    dry = run("prune", "--dry-run", "--json", env=LATER).records
    purged = {v["id"] for v in dry if v["decision"] == "forget"}
    assert purged == {"mem_h1", "mem_h2", "mem_h3", "mem_lake", "mem_ttl"}
    done = run("prune", env=LATER)
    assert "5 deleted permanently" in done.stdout
    assert run("memory", "show", "mem_h1", env=LATER).code == 4
    links = run("memory", "show", summary, "--json").records[1:]
    assert {link["target"] for link in links} == {id for id, *_ in HERONS}
    assert run("why", summary).stdout.count("no longer in the store") == 3
    undone = run("undo", env=LATER)
    assert undone.code == 4
    assert undone.stderr.startswith("thalamus: There is nothing to undo.\n")
    assert "`thalamus undo --turn last`" in undone.stderr
    assert run("doctor", "--no-model").code == 0


def test_a_summary_that_was_retired_itself_is_undone_last(
    run: Run, stored: Thalamus, home: Path
) -> None:
    (home / "config").mkdir(parents=True, exist_ok=True)
    (home / "config" / "retention.yaml").write_text(
        "summary: {keep: days, days: 20, then: compress}\n"
    )
    first = run("prune", "--json").records[-1]["data"]["batch"]
    later = {"THALAMUS_NOW": "2026-05-30T00:00:00Z"}
    second = run("prune", "--json", env=later).records[-1]["data"]["batch"]
    assert second != first
    wrong = run("undo", first, env=later)
    assert wrong.code == 2 and f"thalamus undo {second}" in wrong.stderr
    assert run("undo", env=later).code == 0
    assert run("undo", first[:-3], env=later).code == 0
    assert {"mem_h1", "mem_h2", "mem_h3", "mem_lake"} <= set(ids(stored))


def test_only_some_kinds(run: Run, thalamus: Thalamus) -> None:
    old = "2020-01-01"
    thalamus.remember(
        [
            Memory(id="mem_a", content="The user saw a hare.", created_at=old),
            Memory(id="mem_b", content="The user sold a car.", type="event", created_at=old),
        ]
    )
    thalamus.close()
    dry = run("prune", "--dry-run", "--type", "event", "--json").records
    assert [(v["id"], v["decision"]) for v in dry] == [("mem_b", "compress")]
    run("prune", "--type", "event")
    left = ids(thalamus)
    assert "mem_a" in left and "mem_b" not in left


def test_size_pressure_lets_the_least_valuable_go(run: Run, thalamus: Thalamus) -> None:
    importances = ["low", "medium", "high"]
    said = [
        Memory(
            id=f"mem_{n:02}",
            content=f"The user counted {n} swans on the lake.",
            topic="swans",
            importance=importances[n % 3],  # type: ignore[arg-type]
            created_at=f"2026-05-0{1 + n % 5}",
        )
        for n in range(30)
    ]
    identity = Memory(id="mem_id", content="The user is Jo.", type="user_identity")
    thalamus.remember([*said, identity])
    thalamus.close()
    dry = run("prune", "--max-memories", "12", "--dry-run", "--json").records
    going = {v["id"] for v in dry if v["decision"] != "keep"}
    assert {v["rule"] for v in dry if v["id"] in going} == {"pressure"}
    assert {f"mem_{n:02}" for n in range(0, 30, 3)} <= going and "mem_id" not in going
    run("prune", "--max-memories", "12")
    left = ids(thalamus)
    assert len(left) <= 12 and "mem_id" in left and not going & set(left)
    assert "nothing to do" in run("prune", "--max-memories", "12").stdout
    assert "nothing to do" in run("prune", env={"THALAMUS_MAX_MEMORIES": "12"}).stdout


def test_what_is_protected_stays_when_there_are_too_many(run: Run, stored: Thalamus) -> None:
    run("prune", "--max-memories", "1")
    assert ids(stored) == ["mem_core", "mem_name", "mem_pin"]
    assert "nothing to do" in run("prune", "--max-memories", "1").stdout


@pytest.mark.sqlite
def test_a_prune_while_another_is_at_work_leaves(run: Run, stored: Thalamus, home: Path) -> None:
    lock = home / "data" / "default" / "prune.lock"
    with lock.open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        for command in ("prune", "undo"):
            done = run(command, env={"THALAMUS_BUSY_TIMEOUT": "0.2"})
            assert done.code == 11
        assert run("prune", "--dry-run").code == 0
    assert run("prune").code == 0


def test_what_changed_after_the_decision_is_left_alone(
    thalamus: Thalamus, stored: Thalamus
) -> None:
    """Between the decision and the transaction the model may take minutes."""
    from thalamus.memory.retention import prune

    wish = PruneOptions(use_model=False)
    decided = prune.plan(TurnRun(thalamus.engine), thalamus.rules, wish)
    assert len(decided.removals) == 5
    thalamus.memories.pin("mem_h2")
    with thalamus.database.writing() as writer:
        writer.remove("mem_ttl")
    done = prune.prune(decided, TurnRun(thalamus.engine), thalamus.rules, wish)
    assert (done.compressed, done.summaries, done.dropped) == (1, 1, 0)
    kept = {memory.id for memory in thalamus.memories.find()}
    assert {"mem_h1", "mem_h2", "mem_h3"} <= kept
    assert not thalamus.memories.find(Filter(types=("summary",), topic="herons"))


def test_sessions_that_are_over_are_summed_up_once(run: Run, thalamus: Thalamus) -> None:
    def said(n: int, day: str, session: str) -> Turn:
        message = f"I planted {n} apple trees in garden {n}."
        return Turn(
            id=f"turn_{session}{n}",
            message=message,
            answer="Noted.",
            session=session,
            created_at=f"2026-05-{day}",
        )

    thalamus.remember([said(n, "01", "old") for n in range(3)])
    thalamus.remember([said(9, "08T13:00:00Z", "new")])
    thalamus.close()
    assert run("prune").stdout == "prune: nothing to do, 0 kept\n"
    dry = run("prune", "--sessions", "--dry-run", "--json").records
    assert [(v["decision"], v["rule"], v["content"]) for v in dry] == [("add", "session", "old")]
    assert "1 session summarized" in run("prune", "--sessions").stdout
    assert "nothing to do" in run("prune", "--sessions").stdout
    found = run("memory", "--type", "session_summary", "--json").records
    assert len(found) == 1
    assert (found[0]["scope"], found[0]["session"]) == ("episodic", "old")
    assert "apple trees" in found[0]["content"]
    links = run("memory", "show", found[0]["id"], "--json").records[1:]
    assert {link["target"] for link in links} == {f"turn_old{n}" for n in range(3)}
    again = said(4, "02", "old")
    run("store", input=json.dumps({"record": "turn"} | _plain(again)))
    run("prune", "--sessions")
    found = run("memory", "--type", "session_summary", "--json").records
    assert sorted(memory["metadata"]["turns"] for memory in found) == [1, 3]
    assert run("export").stdout.count('"record":"turn"') == 5


def _plain(turn: Turn) -> dict[str, Any]:
    names = ("id", "message", "answer", "session", "created_at")
    return {name: getattr(turn, name) for name in names}


def test_recalled_and_active_count(thalamus: Thalamus) -> None:
    """A topic that is spoken of stays as a whole; an answer that used a memory strengthens it."""
    old, new = "2025-12-01", "2026-05-01"
    kind: dict[str, Any] = {"type": "topic_of_interest"}
    thalamus.remember(
        [
            Memory(
                id="mem_1", content="The user reads on bees.", topic="Bees", created_at=old, **kind
            ),
            Memory(id="mem_2", content="Bees dance.", topic="bees", created_at=new, **kind),
            Memory(
                id="mem_3", content="The user reads on tin.", topic="tin", created_at=old, **kind
            ),
            Memory(
                id="mem_4", content="The user reads on gold.", topic="au", created_at=old, **kind
            ),
            Turn(id="turn_1", message="What metal?", session="s", created_at=new),
        ]
    )
    with thalamus.database.writing() as writer:
        writer.add(Link(source="mem_4", relation="evidence_of", target="turn_1"))
    decisions = {v.id: (v.decision, v.rule) for v in thalamus.memories.would_prune()}
    assert decisions == {
        "mem_1": ("keep", "window"),
        "mem_2": ("keep", "window"),
        "mem_3": ("drop", "window"),
        "mem_4": ("keep", "relevant"),
    }


def test_a_wrong_rule_is_a_usage_error(run: Run, stored: Thalamus, home: Path) -> None:
    (home / "config").mkdir(parents=True, exist_ok=True)
    (home / "config" / "retention.yaml").write_text("event:\n  days: soon\n")
    done = run("prune")
    assert done.code == 2
    assert "line 2: event.days must be" in done.stderr
    check = run("config", "check")
    assert check.code == 2 and "event.days" in check.stdout


def test_documents_and_exports_keep_what_was_retired(
    run: Run, stored: Thalamus, tmp_path: Path
) -> None:
    run("prune")
    lines = run("export").stdout
    other = {"THALAMUS_HOME": str(tmp_path / "other")}
    assert run("import", "-", input=lines, env=other).code == 0
    assert run("export", env=other).stdout == lines
    assert run("memory", env=other).stdout == run("memory").stdout


def test_reflection_keeps_a_kind_where_its_rule_says(run: Run, home: Path) -> None:
    (home / "config").mkdir(parents=True, exist_ok=True)
    (home / "config" / "retention.yaml").write_text("preference: {scope: core}\n")
    run("turn", "I prefer short answers.")
    assert [m["type"] for m in run("memory", "--scope", "core", "--json").records] == ["preference"]


def test_embed_makes_missing_embeddings_for_cron(run: Run) -> None:
    run("store", "--embedder", "none", input='{"record":"memory","content":"Ana keeps bees."}')
    done = run("prune", "--embed")
    assert (done.code, done.stdout) == (0, "prune: 1 embedded, 1 kept\n")
    assert run("prune", "--embed", "--quiet").stdout == ""
    assert run("store", "reindex", "--json").records[0]["data"]["missing"] == 0
    [event] = run("prune", "--embed", "--json").records
    assert event["data"]["embedded"] == 0
    none = run("prune", "--embed", "--embedder", "none")
    assert none.code == 2 and "No embedder is configured." in none.stderr
    both = run("prune", "--embed", "--dry-run")
    assert both.code == 2 and "--embed cannot be combined with --dry-run" in both.stderr


def test_a_dry_run_promises_only_what_a_run_keeps(run: Run) -> None:
    for type, content in (("preference", "Ana likes tea."), ("user_identity", "The user is Jo.")):
        run("store", input=json.dumps({"record": "memory", "type": type, "content": content}))
    shown = run("prune", "--dry-run").stdout
    assert "preference does not expire: Ana" in shown and "user_identity is kept forever:" in shown
    dry = run("prune", "--max-memories", "1", "--dry-run").stdout.splitlines()
    decisions = {line.partition(": ")[2].partition(".")[0]: line.split()[0] for line in dry}
    assert decisions == {"Ana likes tea": "drop", "The user is Jo": "keep"}
    assert "1 dropped, 1 kept" in run("prune", "--max-memories", "1").stdout
    assert "Jo" in run("memory").stdout and "tea" not in run("memory").stdout


def test_the_rules_are_put_into_words(run: Run) -> None:
    run("store", input='{"record":"memory","content":"Ana keeps bees."}')
    lines = {line.split()[0]: line for line in run("prune", "--rules").stdout.splitlines()}
    assert lines["user_identity"].endswith("kept forever")
    assert "kept until there are too many memories;" in lines["preference"]
    assert "kept for 90 days after it was last mentioned, then summarized;" in lines["observation"]
    assert "or as long as it stays relevant, then retired" in lines["topic_of_interest"]


def test_quiet_does_not_mention_that_there_is_no_model(run: Run, stored: Thalamus) -> None:
    without = {"THALAMUS_MODEL": ""}
    done = run("prune", "--quiet", env=without)
    assert "prune: " in done.stdout and done.stderr == ""


def test_a_dry_run_names_the_logs_that_would_be_deleted(run: Run) -> None:
    run("turn", "I keep bees.")
    assert "log" not in run("prune", "--dry-run").stdout
    later = {"THALAMUS_NOW": "2027-05-08T00:00:00Z"}
    told = run("prune", "--dry-run", env=later).stdout.splitlines()[-1]
    done = run("prune", env=later).stdout
    count = told.split()[2]
    assert told == f"and delete {count} stage logs (older than `log_days`)"
    assert f"{count} stage logs" in done or f"{count} logs" in done, done
