"""Admission of a memory, whatever wrote it: its score, limits on what is not the user's own word,
and quarantine for instructions in disguise."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from msgspec import structs

from thalamus.policy.injection import suspicious
from thalamus.policy.reconciliation import REASONS
from thalamus.policy.salience import salience
from thalamus.records import Memory, Quarantine, Verdict

ANSWER_TRUST = 0.5  # of what rests on the assistant's words; what is trusted more the user said
DOCUMENT_TRUST = 0.5  # of what stands in a file
PROPOSED_TRUST = 0.5  # of what another program says or wants kept, at most
SUSPICIOUS_TRUST = 0.2  # of a piece of a file that reads like an instruction
QUARANTINE = timedelta(days=30)  # how long a memory stays in quarantine


def admit(memory: Memory, now: str) -> tuple[Memory, Verdict | None]:
    """A memory as it may be stored, and what was done to it; None when it is as it was, but for
    its score.

    Only what is not the user's own word is looked at for instructions; a piece of a document that
    reads like one stays a document, with a mark and less trust.
    """
    memory, changed = with_limits(memory)
    if memory.status != "active" or memory.trust >= 1 or memory.released:
        return memory, changed
    pattern = suspicious(memory.content)
    if pattern is None:
        return memory, changed
    if memory.is_document:
        return mark_suspicious(memory, pattern), changed
    reason = f"{REASONS['injection']}: {pattern}"
    return quarantine(memory, "injection", reason, now), _verdict("quarantine", "injection", reason)


def with_limits(memory: Memory) -> tuple[Memory, Verdict | None]:
    """A memory with its score, no more trust than its source, and out of the core unless it is
    the user's own word."""
    changes: dict[str, Any] = {}
    changed = None
    trust = min(memory.trust, DOCUMENT_TRUST) if from_document(memory) else memory.trust
    if trust != memory.trust:
        changes["trust"] = trust
    if memory.scope == "core" and trust < 1:
        changes["scope"] = "archival"
        reason = "only the user's own statements can be core; stored as archival"
        changed = _verdict("add", "not_core", reason)
    if memory.salience is None:
        changes["salience"] = salience(memory).score
    if memory.seen_at is None:
        changes["seen_at"] = memory.created_at
    return structs.replace(memory, **changes), changed


def from_document(memory: Memory) -> bool:
    """Whether a memory was taken from a document."""
    return memory.provenance is not None and memory.provenance.document is not None


def mark_suspicious(memory: Memory, pattern: str) -> Memory:
    """A piece of a document with the pattern of an instruction that it holds."""
    return structs.replace(memory, suspicious=pattern, trust=min(memory.trust, SUSPICIOUS_TRUST))


def quarantine(memory: Memory, rule: str, reason: str, now: str) -> Memory:
    """A memory in quarantine, with why, until its time is over."""
    return structs.replace(
        memory,
        status="quarantined",
        scope="archival",
        expires_at=expiry(now),
        quarantine=Quarantine(rule=rule, reason=reason),
        released=False,
    )


def released(memory: Memory) -> Memory:
    """A memory out of quarantine: a person has looked at it."""
    return structs.replace(memory, status="active", expires_at=None, quarantine=None, released=True)


def expiry(now: str) -> str:
    """The end of a quarantine that begins now (RFC 3339)."""
    moment = datetime.fromisoformat(now) + QUARANTINE
    return moment.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def least_trust(own: float, sources: Iterable[float]) -> float:
    """The trust of what is derived: never more than that of anything it came from."""
    return min((own, *sources))


def _verdict(decision: Any, rule: str, reason: str) -> Verdict:
    return Verdict(decision=decision, rule=rule, reason=reason)
