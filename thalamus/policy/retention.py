"""Retention of memories: rules by kind, decay, time-to-live, and pruning when space is short.

Decay follows the forgetting curve that MemoryBank took from Ebbinghaus (Zhong et al. 2023,
arXiv:2305.10250): retention R = exp(-t / S) at time t after a memory was last said, where the
strength S grows each time it is said or recalled. Here S is measured in half-lives of the memory's
kind and grows logarithmically: the tenth time adds less than the second.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from typing import Literal

from msgspec import Struct

from thalamus.records import Memory, Scope, Verdict
from thalamus.text.local_time import local_day

Keep = Literal["forever", "days", "active", "window"]
Then = Literal["drop", "compress", "demote"]
SESSION_SUMMARY = "session_summary"  # of a conversation, or of its beginning
TASK_SUMMARY = "task_summary"  # of a goal that was reached
SUMMARY = "summary"  # of memories that it replaced
SUMMARIES = (SUMMARY, SESSION_SUMMARY, TASK_SUMMARY)
IDLE = 1  # days without a turn after which a conversation is over
_SALIENCE = {"low": 0.25, "medium": 0.5, "high": 1.0}  # for memories without a salience
_STALE = 0.5  # factor for memories that rest on something outdated


class Rule(Struct, frozen=True):
    """Retention rule of one kind of memory; ``data/retention.yaml`` explains the fields."""

    kind: str = "default"
    scope: Scope = "archival"
    keep: Keep = "forever"
    days: int = 0
    then: Then = "drop"
    half_life: float = 365.0
    floor: float = 0.0
    pressure: bool = True


Rules = Mapping[str, Rule]


class Signals(Struct, frozen=True):
    """Usage data for the rules besides the memory itself.

    ``recalled``: times that it was evidence for an answer; ``recalled_at``: the last time;
    ``active_at``: the last time that anything of its kind, topic and owner was said.
    """

    recalled: int = 0
    recalled_at: str | None = None
    active_at: str | None = None


def rule_for(rules: Rules, kind: str) -> Rule:
    """The rule of a kind, or the default rule."""
    return rules.get(kind) or rules.get("default") or Rule()


def verdict(
    memory: Memory,
    now: str,
    rules: Rules,
    signals: Signals | None = None,
    zone: tzinfo = UTC,
) -> Verdict:
    """The decision about a memory: keep, drop, compress or demote.

    ``zone``: the user's time zone, for days in the reason.
    """
    rule = rule_for(rules, memory.type)
    decision, name, reason = _judged(memory, now, rule, signals or Signals(), zone)
    return Verdict(
        decision=decision,  # type: ignore[arg-type]
        rule=name,
        reason=reason,
        id=memory.id,
        content=memory.content,
    )


def _judged(
    memory: Memory, now: str, rule: Rule, signals: Signals, zone: tzinfo
) -> tuple[str, str, str]:
    if memory.pinned:
        return "keep", "pinned", "pinned"
    if memory.scope == "core":
        return "keep", "core", "core memory"
    if memory.expires_at and _moment(memory.expires_at) <= _moment(now):
        return "drop", "expired", f"expired on {local_day(memory.expires_at, zone)}"
    if rule.keep == "forever":
        kept = "does not expire" if rule.pressure else "is kept forever"
        return "keep", "forever", f"{rule.kind} {kept}"
    age = _days(last_said_at(memory), now)
    if rule.keep in ("active", "window") and signals.active_at:
        age = min(age, _days(signals.active_at, now))
    if age < rule.days:
        return "keep", rule.keep, f"{rule.kind}: day {math.floor(age)} of {rule.days}"
    reason = f"{rule.kind}: day {math.floor(age)}, past {rule.days} days"
    if rule.keep == "window":
        relevance = retention(memory, now, rule, signals)
        if relevance >= rule.floor:
            return "keep", "relevant", f"{rule.kind}: relevance {relevance:.2f} of {rule.floor:g}"
        reason = f"{rule.kind}: relevance {relevance:.2f} is below {rule.floor:g}"
    if rule.then == "demote" and memory.importance == "low":
        return "keep", "demoted", f"{rule.kind}: already of low importance"
    return rule.then, rule.keep, reason


def last_said_at(memory: Memory) -> str:
    """The last time that a memory was said. A summary counts from its creation, not from its
    sources."""
    moments = [memory.created_at, memory.seen_at]
    if memory.type in SUMMARIES:
        moments.append(memory.recorded_at)
    return max((at for at in moments if at), key=_moment, default="")


def retention(memory: Memory, now: str, rule: Rule, signals: Signals | None = None) -> float:
    """Remaining share of a memory's strength, from 0 to 1."""
    signals = signals or Signals()
    last = max(last_said_at(memory), signals.recalled_at or "")
    strength = math.log(2 + _times(memory) - 1 + signals.recalled, 2)
    return math.exp2(-_days(last, now) / max(rule.half_life * strength, 1e-9))


def value(memory: Memory, now: str, rule: Rule, signals: Signals | None = None) -> float:
    """Value of a memory when space is short, from 0 to 1: its decayed salience, weighted by
    trust."""
    salience = _SALIENCE[memory.importance] if memory.salience is None else memory.salience
    worth = salience * retention(memory, now, rule, signals) * (0.5 + memory.trust / 2)
    return worth * (_STALE if memory.stale else 1.0)


def may_be_removed(memory: Memory, rule: Rule) -> bool:
    """True if a memory may be removed when space is short."""
    return rule.pressure and not memory.pinned and memory.scope != "core"


def core_problem(memory: Memory) -> str:
    """Reason why a memory cannot be core, or an empty text: core is part of every prompt, so it
    must be the user's own words."""
    source = memory.provenance
    if memory.is_document or (source is not None and source.document):
        return "it comes from a document"
    if memory.trust < 1:
        return f"its trust is {memory.trust:g}, not 1"
    return ""


def _times(memory: Memory) -> float:
    """Number of times it was said, at least one. An explicit strength counts as that many times."""
    return max(1.0, float(memory.seen), memory.strength)


def _days(since: str, now: str) -> float:
    """Days from one moment to another; 0 if the first is later or unknown."""
    if not since or since >= now:
        return 0.0
    return max(0.0, (_moment(now) - _moment(since)).total_seconds() / 86400)


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
