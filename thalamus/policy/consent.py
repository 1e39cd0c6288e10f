"""Consent: which types of findings may be kept (the setting ``remember``)."""

from __future__ import annotations

from collections.abc import Mapping

from thalamus.records import Verdict

RULE = "consent"  # rule of a verdict


def forbidden(remember: Mapping[str, str], name: str) -> Verdict | None:
    """The verdict for a type of memory or a predicate that is never kept; None for any other."""
    if remember.get(name) != "never":
        return None
    reason = f"`remember` says that {name} is never kept"
    return Verdict(decision="refuse", rule=RULE, reason=reason)


def awaiting(remember: Mapping[str, str], name: str) -> Verdict | None:
    """The verdict for findings that wait in quarantine for consent; None for those that need
    none."""
    if remember.get(name) != "ask":
        return None
    reason = f"`remember` says that {name} is only kept with consent"
    return Verdict(decision="quarantine", rule=RULE, reason=reason)
