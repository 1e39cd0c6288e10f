"""How long memories are kept, and what goes when room is short."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from thalamus.clock import format_time
from thalamus.errors import ConfigError
from thalamus.memory.retention.rules import PACKAGED, load_rules
from thalamus.policy import retention
from thalamus.policy.reply_parsing import MEMORY_TYPES
from thalamus.policy.retention import Rule, Signals, verdict
from thalamus.policy.summarization import (
    LARGEST,
    Removal,
    extract_sentences,
    fit_budget,
    summary_groups,
)
from thalamus.records import Memory, Provenance

pytestmark = pytest.mark.storeless

NOW = datetime(2026, 5, 8, tzinfo=UTC)
STAMP = format_time(NOW)
RULES = load_rules(Path("/nonexistent"))


def ago(days: float) -> str:
    return format_time(NOW - timedelta(days=days))


kinds = st.sampled_from([*RULES, "something_else"])
days = st.floats(0, 4000)
memories = st.builds(
    Memory,
    content=st.just("The user saw a heron."),
    type=kinds,
    importance=st.sampled_from(["low", "medium", "high"]),
    scope=st.sampled_from(["core", "episodic", "archival"]),
    created_at=days.map(ago),
    trust=st.floats(0, 1),
    pinned=st.booleans(),
    expires_at=st.none() | st.floats(-100, 100).map(ago),
)
signals = st.builds(
    Signals,
    recalled=st.integers(0, 50),
    recalled_at=st.none() | days.map(ago),
    active_at=st.none() | days.map(ago),
)


def test_a_fraction_of_a_second_after_is_after() -> None:
    memory = Memory(content="The user saw a heron.", created_at=STAMP, expires_at=STAMP)
    later = format_time(NOW + timedelta(milliseconds=5))
    assert later < STAMP  # as text
    assert verdict(memory, later, RULES, Signals()).rule == "expired"
    before = Memory(content="The user saw a heron.", created_at=STAMP, expires_at=later)
    assert verdict(before, STAMP, RULES, Signals()).decision == "keep"


@settings(max_examples=50)
@given(memories, signals)
def test_pinned_and_core_are_never_let_go(memory: Memory, seen: Signals) -> None:
    found = verdict(memory, STAMP, RULES, seen)
    rule = retention.rule_for(RULES, memory.type)
    if memory.pinned or memory.scope == "core":
        assert found.decision == "keep"
        assert not retention.may_be_removed(memory, rule)
    elif memory.expires_at and datetime.fromisoformat(memory.expires_at) <= NOW:
        assert (found.decision, found.rule) == ("drop", "expired")
    elif rule.keep == "forever":
        assert found.decision == "keep"
    assert found.decision in ("keep", rule.then, "drop")
    assert found.reason and found.rule


@settings(max_examples=50)
@given(memories, signals, st.floats(0, 1000))
def test_what_has_gone_does_not_come_back_with_time(
    memory: Memory, seen: Signals, more: float
) -> None:
    first = verdict(memory, STAMP, RULES, seen)
    later = verdict(memory, format_time(NOW + timedelta(days=more)), RULES, seen)
    if first.decision != "keep":
        assert later.decision != "keep"


@settings(max_examples=50)
@given(memories, signals, st.floats(0, 1000))
def test_strength_and_value_only_fall_with_time(memory: Memory, seen: Signals, more: float) -> None:
    rule = retention.rule_for(RULES, memory.type)
    later = format_time(NOW + timedelta(days=more))
    for measure in (retention.retention, retention.value):
        now, then = measure(memory, STAMP, rule, seen), measure(memory, later, rule, seen)
        assert 0 <= then <= now <= 1


@settings(max_examples=50)
@given(memories, st.integers(0, 20), st.integers(1, 20))
def test_what_is_recalled_more_is_forgotten_later(memory: Memory, some: int, more: int) -> None:
    rule = retention.rule_for(RULES, memory.type)
    weaker = retention.retention(memory, STAMP, rule, Signals(some))
    stronger = retention.retention(memory, STAMP, rule, Signals(some + more))
    assert stronger >= weaker


def test_a_half_life_is_one() -> None:
    memory = Memory(content="x", created_at=ago(10))
    assert retention.retention(memory, STAMP, Rule(half_life=10)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("kind", "age", "seen", "decision", "rule"),
    [
        ("observation", 89, Signals(), "keep", "days"),
        ("observation", 91, Signals(), "compress", "days"),
        ("observation", 91, Signals(active_at=ago(3)), "compress", "days"),
        ("user_identity", 4000, Signals(), "keep", "forever"),
        ("project", 400, Signals(), "compress", "active"),
        ("project", 400, Signals(active_at=ago(100)), "keep", "active"),
        ("topic_of_interest", 89, Signals(), "keep", "window"),
        ("topic_of_interest", 95, Signals(), "keep", "relevant"),
        ("topic_of_interest", 120, Signals(), "drop", "window"),
        ("topic_of_interest", 120, Signals(active_at=ago(80)), "keep", "window"),
        ("topic_of_interest", 120, Signals(recalled=9, recalled_at=ago(60)), "keep", "relevant"),
        ("of_no_known_kind", 364, Signals(), "keep", "days"),
        ("of_no_known_kind", 366, Signals(), "compress", "days"),
    ],
)
def test_the_packaged_rules(kind: str, age: float, seen: Signals, decision: str, rule: str) -> None:
    memory = Memory(content="x", type=kind, created_at=ago(age))
    found = verdict(memory, STAMP, RULES, seen)
    assert (found.decision, found.rule) == (decision, rule)


def test_every_kind_that_reflection_uses_has_a_rule() -> None:
    assert set(MEMORY_TYPES) <= set(RULES)


def test_a_summary_is_as_old_as_its_writing() -> None:
    rules = {"summary": Rule("summary", keep="days", days=10, then="compress")}
    summary = Memory(content="x", type="summary", created_at=ago(500), recorded_at=ago(1))
    assert verdict(summary, STAMP, rules).decision == "keep"


def test_demoting_ends_at_low() -> None:
    rules = {"event": Rule("event", keep="days", days=10, then="demote")}
    event = Memory(content="x", type="event", created_at=ago(20))
    assert verdict(event, STAMP, rules).decision == "demote"
    event.importance = "low"
    assert verdict(event, STAMP, rules).decision == "keep"


@pytest.mark.parametrize(
    ("memory", "words"),
    [
        (Memory(content="x"), ""),
        (Memory(content="x", trust=0.9), "trust"),
        (Memory(content="x", provenance=Provenance(document="doc_1")), "document"),
        (Memory(content="x", type="document_chunk"), "document"),
    ],
)
def test_what_can_be_core(memory: Memory, words: str) -> None:
    problem = retention.core_problem(memory)
    assert words in problem and bool(problem) == bool(words)


# -- groups and pressure ---------------------------------------------------------------------


def going(n: int, decision: str = "compress", **more: object) -> Removal:
    values: dict[str, object] = {
        "id": f"m{n:04}",
        "decision": decision,
        "rule": "days",
        "reason": "over",
        "kind": "observation",
        "topic": "tea",
        "month": "2026-01",
        "owner": (None, None, "normal"),
    }
    return Removal(**(values | more))  # type: ignore[arg-type]


items = st.lists(
    st.builds(
        going,
        st.integers(0, 999),
        decision=st.sampled_from(["compress", "drop"]),
        topic=st.sampled_from([None, "tea", "bees"]),
        month=st.sampled_from(["2026-01", "2026-02"]),
        owner=st.sampled_from([(None, None, "normal"), ("ann", None, "normal")]),
    ),
    max_size=120,
    unique_by=lambda item: item.id,
)


@settings(max_examples=50)
@given(items)
def test_each_compressed_memory_is_in_one_group_of_its_own_kind(found: list[Removal]) -> None:
    made = summary_groups(found)
    ids = [item.id for group in made for item in group]
    assert sorted(ids) == sorted(item.id for item in found if item.decision == "compress")
    for group in made:
        assert 0 < len(group) <= LARGEST
        assert len({(item.kind, item.owner, item.month) for item in group}) == 1


@settings(max_examples=50)
@given(items, items, st.integers(0, 60), st.integers(1, 200))
def test_pressure_ends_below_the_limit_or_with_everything_gone(
    first: list[Removal], second: list[Removal], protected: int, most: int
) -> None:
    taken = {item.id for item in first}
    staying = [(n / 7 % 1, item) for n, item in enumerate(second) if item.id not in taken]
    live = len(first) + len(staying) + protected
    made = fit_budget(live, first, staying, most)
    gone = {item.id for item in made}
    left = live - len(made) + len(summary_groups(made))
    assert taken <= gone <= taken | {item.id for _, item in staying}
    assert len(made) == len(gone)
    assert left <= most or (len(made) == len(first) + len(staying) and left == protected)
    if len(gone) > len(taken):  # the least valuable
        chosen = [worth for worth, item in staying if item.id in gone]
        spared = [worth for worth, item in staying if item.id not in gone]
        assert not spared or max(chosen) <= min(spared)


@settings(max_examples=50)
@given(st.lists(st.text(max_size=200), max_size=8), st.integers(20, 400))
def test_extracts_are_short_and_verbatim(texts: list[str], most: int) -> None:
    made = extract_sentences(texts, most)
    assert len(made) <= most
    left = iter("".join(texts))
    assert all(character in left for character in made if character not in " .")


def test_an_extract_says_each_thing_once() -> None:
    made = extract_sentences(
        ["The user keeps bees. The user keeps bees.", "Ana sold the boat in May."], 200
    )
    assert made == "The user keeps bees. Ana sold the boat in May."


# -- the file --------------------------------------------------------------------------------


def test_ones_own_file_changes_what_it_names(tmp_path: Path) -> None:
    (tmp_path / "retention.yaml").write_text("observation: {days: 5}\nrecipe: {keep: forever}\n")
    rules = load_rules(tmp_path)
    assert rules["observation"] == replace(RULES["observation"], days=5)
    assert rules["recipe"].keep == "forever" and rules["recipe"].kind == "recipe"
    assert rules["event"] == RULES["event"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("event:\n  dayz: 5", "line 2: event: unknown field 'dayz'"),
        ("event:\n  days: 5\n  keep: sometimes", "line 3: event.keep must be forever or days"),
        ("event: {days: 0}", "line 1: event.days must be an integer of at least 1"),
        ("event: {days: many}", "event.days must be"),
        ("event: {half_life: 0}", "event.half_life must be a positive number of days"),
        ("event: {floor: 2}", "event.floor must be a number from 0 to 1"),
        ("event: {floor: 0.5}", "floor requires keep: window"),
        ("event: {pressure: 3}", "event.pressure must be true or false"),
        ("event: {then: burn}", "event.then must be drop or compress or demote, not 'burn'"),
        ("event: 5", "line 1: event must be `name: value` pairs"),
        ("- a", "line 1: a kind must be"),
        ("event: {}\nevent: {}", "line 2: 'event' is defined twice"),
        ("event: [", "line 1"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "retention.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_rules(tmp_path)
    assert words in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_the_packaged_file_is_there() -> None:
    assert PACKAGED.is_file()
