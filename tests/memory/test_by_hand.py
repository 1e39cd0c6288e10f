"""Changes by hand through the Python API: what they take, whose they are, and what they undo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from thalamus import Fact, ForgetOptions, Memory, PruneOptions, Thalamus
from thalamus.clock import Clock, parse_time
from thalamus.errors import NothingMatches, UsageError

SETTINGS = {"model": "scripted", "embedder": "scripted", "timezone": "UTC"}


@pytest.fixture
def thalamus(home: Path) -> Iterator[Thalamus]:
    with Thalamus(home=str(home), clock=Clock(parse_time("2026-05-20")), **SETTINGS) as engine:
        yield engine


def test_an_end_by_hand_counts_more_than_a_later_remark(thalamus: Thalamus) -> None:
    lives = Fact("user", "lives_in", "Porto")
    fact = thalamus.remember(
        Fact("user", "lives_in", "Porto", valid_from="2020-01-01", created_at="2026-01-10")
    )
    thalamus.remember(Fact("user", "lives_in", "Porto", created_at="2026-05-01"))
    before = thalamus.facts.find(history=True)
    thalamus.facts.end(fact.stored_id, "2026-02-01T00:00:00Z")
    assert thalamus.facts.find() == []
    [ended] = thalamus.facts.find(history=True)
    assert ended.object == lives.object and ended.valid_to == "2026-02-01T00:00:00Z"
    thalamus.undo()
    [again] = thalamus.facts.find(history=True)
    assert (again.valid_to, again.notes) == (None, before[0].notes)


def test_what_ended_as_stated_is_not_ended_again(thalamus: Thalamus) -> None:
    fact = thalamus.remember(
        Fact("user", "lives_in", "Rome", valid_from="2020-01-01", valid_to="2021-12-31")
    )
    with pytest.raises(UsageError, match="ended on 2021-12-31 already"):
        thalamus.facts.end(fact.stored_id, "2023-02-01")
    with pytest.raises(UsageError, match="later than --from"):
        thalamus.facts.correct(fact.stored_id, valid_from="2023-01-01")
    with pytest.raises(UsageError, match="zero character"):
        thalamus.facts.correct(fact.stored_id, "Ro\x00me")
    assert thalamus.store.batches() == []


def test_times_are_converted_or_refused(thalamus: Thalamus) -> None:
    fact = thalamus.remember(Fact("Ana", "lives_in", "Porto", valid_from="2026-01-01"))
    thalamus.facts.end(fact.stored_id, "2026-05-01T00:00:00+02:00")
    [found] = thalamus.facts.find("Ana", as_of="2026-03-01")
    assert found.valid_to == "2026-04-30T22:00:00Z"
    assert thalamus.facts.find("Ana", as_of="2026-05-01T00:30:00+02:00") == []
    for wrong in ("yesterday", ""):
        with pytest.raises(UsageError):
            thalamus.facts.end(fact.stored_id, wrong)
        with pytest.raises(UsageError):
            thalamus.facts.find("Ana", as_of=wrong)


def test_nobody_changes_or_reads_what_another_user_has(home: Path) -> None:
    clock = Clock(parse_time("2026-05-20"))
    with (
        Thalamus(home=str(home), user="ana", clock=clock, **SETTINGS) as ana,
        Thalamus(home=str(home), user="bob", clock=clock, **SETTINGS) as bob,
    ):
        fact = ana.remember(Fact("user", "lives_in", "Porto", valid_from="2020-01-01"))
        for change in (
            lambda: bob.facts.end(fact.stored_id, "2021-01-01"),
            lambda: bob.facts.correct(fact.stored_id, "Faro"),
            lambda: bob.facts.retract(fact.stored_id),
        ):
            with pytest.raises(UsageError, match="is not a fact"):
                change()
        assert [one.object for one in ana.facts.find()] == ["Porto"]
        turn = ana.turn("I have a secret garden.")
        assert ana.sessions.stage_logs(turn.stored_id)
        with pytest.raises(NothingMatches):
            bob.sessions.stage_logs(turn.stored_id)
        assert bob.store.get(turn.stored_id) is None
        old = [Memory(content=f"A heron {n}.", created_at="2020-01-01") for n in range(3)]
        kept = {memory.id for memory in ana.remember(old)}
        assert not kept & {verdict.id for verdict in bob.memories.would_prune()}
        bob.memories.prune(PruneOptions(most=1))
        assert kept <= {memory.id for memory in ana.memories.find()}
        assert kept <= {verdict.id for verdict in ana.memories.would_prune()}


@pytest.mark.parametrize(
    "wrong",
    [
        {"importance": "hgh"},
        {"scope": "weird"},
        {"content": "  "},
        {"content": "a\x00b"},
        {"content": "a\ud800b"},
        {"trust": 0.1},
    ],
)
def test_an_edit_is_checked_as_a_new_memory_is(
    thalamus: Thalamus, wrong: dict[str, object]
) -> None:
    memory = thalamus.remember("The pot is white.")
    with pytest.raises(UsageError):
        thalamus.memories.edit(memory.stored_id, **wrong)
    [kept] = thalamus.memories.find()
    assert kept.id == memory.id and kept.importance == "medium"


def test_a_personal_topic_is_encrypted(thalamus: Thalamus, home: Path) -> None:
    memory = thalamus.remember("The pot is white.")
    edited = thalamus.memories.edit(memory.stored_id, topic="jo.topic@example.org")
    assert edited.sensitivity == "personal" and edited.topic == "jo.topic@example.org"
    assert [one.topic for one in thalamus.memories.find()] == ["jo.topic@example.org"]
    thalamus.close()
    files = [path for path in home.rglob("*") if path.is_file()]
    assert files and not any(b"jo.topic" in path.read_bytes() for path in files)


def test_what_a_forgotten_fact_replaced_holds_again(thalamus: Thalamus) -> None:
    tea = thalamus.remember(Fact("user", "likes", "tea", valid_from="2020-01-01"))
    coffee = thalamus.remember(
        Fact("user", "likes", "coffee", valid_from="2024-05-01", replaces=tea.stored_id)
    )
    assert [one.object for one in thalamus.facts.find()] == ["coffee"]
    assert thalamus.forget(ForgetOptions(ids=(coffee.stored_id,))).complete
    assert [one.object for one in thalamus.facts.find()] == ["tea"]
