"""Consent: which types of findings may be kept (the setting ``remember``), and which only the user
may state."""

from __future__ import annotations

from collections.abc import Mapping

from thalamus.policy.retention import Rules, rule_for
from thalamus.policy.speakers import PROPOSED_TRUST
from thalamus.records import Memory, Verdict

RULE = "consent"  # rule of a verdict
IDENTITY = "user_identity"  # type of memories about who the user is


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


def is_reserved(type: str, rules: Rules) -> bool:
    """True for a type whose memories say who the user or the assistant is, or become core: only the
    user may state them."""
    name = "_".join(type.casefold().replace("-", " ").replace("_", " ").split())
    return name == IDENTITY or rule_for(rules, name).scope == "core"


def of_agent(memory: Memory, remember: Mapping[str, str], rules: Rules) -> Verdict | None:
    """The verdict for another program's memory of a reserved type, which waits in quarantine for
    the user's consent; None for any other."""
    if remember.get(memory.type) == "always" or memory.trust > PROPOSED_TRUST:
        return None
    if not is_reserved(memory.type, rules):
        return None
    reason = f"another program proposed {memory.type}, which only the user may state"
    return Verdict(decision="quarantine", rule=RULE, reason=reason)
