"""prune: what was judged is what is announced and what is done."""

from __future__ import annotations

from thalamus.api import Thalamus
from thalamus.memory.retention import prune
from thalamus.memory.retention.prune import PruneOptions
from thalamus.records import Memory, Verdict
from thalamus.store.values import Filter
from thalamus.turn_run import TurnRun

OVER = "2026-05-01T00:00:00Z"
OPTIONS = PruneOptions(use_model=False)


def expired(name: str) -> Memory:
    return Memory(id=name, content=f"The code {name} is valid.", expires_at=OVER)


def test_what_is_added_while_it_runs_is_not_announced_as_dropped(thalamus: Thalamus) -> None:
    thalamus.remember([expired("mem_a"), expired("mem_b")])
    announced: list[Verdict] = []

    def listen(verdict: Verdict) -> None:
        announced.append(verdict)
        if len(announced) == 1:
            thalamus.remember([expired("mem_later")])

    done = thalamus.memories.prune(OPTIONS, listen)
    assert [(v.id, v.decision) for v in announced] == [("mem_a", "drop"), ("mem_b", "drop")]
    assert done.dropped == 2
    retired = thalamus.memories.find(Filter(status="retired"))
    assert {memory.id for memory in retired} == {"mem_a", "mem_b"}


def test_what_is_added_after_the_plan_is_neither_announced_nor_done(thalamus: Thalamus) -> None:
    thalamus.remember([expired("mem_a"), Memory(id="mem_kept", content="The user has a boat.")])
    store, context, rules = thalamus.database, TurnRun(thalamus.engine), thalamus.rules
    decided = prune.plan(context, rules, OPTIONS, everything=True)
    thalamus.remember([expired("mem_later")])
    announced = list(prune.verdicts(decided, store))
    assert {(v.id, v.decision) for v in announced} == {("mem_a", "drop"), ("mem_kept", "keep")}
    assert all(verdict.content for verdict in announced)
    assert prune.prune(decided, context, rules, OPTIONS).dropped == 1


def test_what_changes_meanwhile_is_announced_as_it_was_judged(thalamus: Thalamus) -> None:
    thalamus.remember([expired("mem_a"), Memory(id="mem_kept", content="The user has a boat.")])
    store, context, rules = thalamus.database, TurnRun(thalamus.engine), thalamus.rules
    decided = prune.plan(context, rules, OPTIONS, everything=True)
    thalamus.memories.edit("mem_kept", expires_at=OVER)
    announced = {verdict.id: verdict.decision for verdict in prune.verdicts(decided, store)}
    assert announced == {"mem_a": "drop", "mem_kept": "keep"}


def test_a_summary_does_not_mix_the_user_with_agents(thalamus: Thalamus) -> None:
    places = ("mill", "quay", "barn")
    said = [f"The user swept the {place} in the storm." for place in places]
    claimed = [f"The user sold the {place} to Zorblat." for place in places]
    at = "2025-05-08T00:00:00Z"
    thalamus.remember([Memory(content=text, created_at=at) for text in said])
    by = {"client": "Wizard"}
    thalamus.memories.propose([Memory(content=c, created_at=at, metadata=by) for c in claimed])
    thalamus.memories.prune(OPTIONS)
    summaries = {
        one.trust: one.content for one in thalamus.memories.find(Filter(types=("summary",)))
    }
    assert set(summaries) == {0.5, 1.0}
    assert "Zorblat" not in summaries[1.0] and "swept" not in summaries[0.5]
