"""Admission of a memory from any source: its salience, limits on text that is not the user's own,
and quarantine for disguised instructions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from msgspec import structs

from thalamus.policy.injection import injection_verdict, suspicious
from thalamus.policy.salience import salience
from thalamus.records import Memory, Quarantine, Verdict

ANSWER_TRUST = 0.5  # trust of records that rest on the assistant's words; the user's own have more
DOCUMENT_TRUST = 0.5  # trust of text from a file
SUSPICIOUS_TRUST = 0.2  # trust of a document chunk that reads like an instruction
QUARANTINE = timedelta(days=30)  # time that a memory stays in quarantine


def admit(memory: Memory, now: str, *, machine_made: bool = False) -> tuple[Memory, Verdict | None]:
    """A memory as it may be stored, and a verdict if anything but its salience changed.

    Only text that is not the user's own is checked for instructions: what is not fully trusted or
    is ``machine_made``. A document chunk that reads like one stays a document, with a mark and less
    trust.
    """
    memory, changed = with_limits(memory)
    own = memory.trust >= 1 and not machine_made
    if memory.status != "active" or memory.released or own:
        return memory, changed
    if memory.is_document:
        pattern = suspicious(memory.content)
        return (mark_suspicious(memory, pattern) if pattern else memory), changed
    verdict = injection_verdict(memory.content)
    if verdict is None:
        return memory, changed
    return quarantine(memory, verdict.rule, verdict.reason, now), verdict


def with_limits(memory: Memory) -> tuple[Memory, Verdict | None]:
    """A memory with its salience, no more trust than its source has, and outside the core unless it
    is the user's own words."""
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
        changes["salience"] = salience(memory)
    if memory.seen_at is None:
        changes["seen_at"] = memory.created_at
    return structs.replace(memory, **changes), changed


def from_document(memory: Memory) -> bool:
    """True if a memory was taken from a document."""
    return memory.provenance is not None and memory.provenance.document is not None


def mark_suspicious(memory: Memory, pattern: str) -> Memory:
    """A document chunk marked with the instruction pattern it contains."""
    return structs.replace(memory, suspicious=pattern, trust=min(memory.trust, SUSPICIOUS_TRUST))


def quarantine(memory: Memory, rule: str, reason: str, now: str) -> Memory:
    """A memory put in quarantine with a reason, until its time is over."""
    return structs.replace(
        memory,
        status="quarantined",
        scope="archival",
        expires_at=expiry(now),
        quarantine=Quarantine(rule=rule, reason=reason),
        released=False,
    )


def released(memory: Memory) -> Memory:
    """A memory released from quarantine after a person has reviewed it."""
    return structs.replace(memory, status="active", expires_at=None, quarantine=None, released=True)


def expiry(now: str) -> str:
    """End of a quarantine that begins now (RFC 3339)."""
    moment = datetime.fromisoformat(now) + QUARANTINE
    return moment.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def least_trust(own: float, sources: Iterable[float]) -> float:
    """Trust of a derived record: the minimum over its own and its sources'."""
    return min((own, *sources))


def _verdict(decision: Any, rule: str, reason: str) -> Verdict:
    return Verdict(decision=decision, rule=rule, reason=reason)
