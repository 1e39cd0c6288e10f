"""Speakers of notes: the user, a document, or another program that works for the user.

Only the user's own words are trusted more than ``PROPOSED_TRUST``, so a claim of another program
is known by its trust, whichever way it came in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from thalamus.policy.activities import is_activity

if TYPE_CHECKING:
    from thalamus.records import Provenance

PROPOSED_TRUST = 0.5  # maximum trust of memories from other programs
# types of memories that Thalamus infers from how often the user mentions something
INFERRED_TYPES = frozenset({"topic_of_interest"})
AGENT, DOCUMENT, TOOL = "another agent", "document", "tool"
CLIENT = "client"  # metadata key: the name that another program gave itself


class Said(Protocol):
    """A record or piece of evidence with its origin."""

    @property
    def trust(self) -> float: ...

    @property
    def metadata(self) -> dict[str, Any]: ...

    @property
    def provenance(self) -> Provenance | None: ...


def speaker_of(item: Said) -> str:
    """The speaker of a note as marked in prompts; empty for the user."""
    if is_activity(item.metadata):
        return AGENT
    if item.provenance is not None and item.provenance.document is not None:
        return DOCUMENT
    inferred = getattr(item, "type", None) in INFERRED_TYPES
    return "" if inferred or item.trust > PROPOSED_TRUST else AGENT


def said_by_agent(item: Said) -> bool:
    """True if another program said it, not the user and not a document."""
    return speaker_of(item) == AGENT


def outranks(trust: float, other: float) -> bool:
    """True if words with this trust are the user's own and those with the other are not."""
    return other <= PROPOSED_TRUST < trust


def may_replace(item: Said, old: Said) -> bool:
    """True if words may take the place of others by themselves: the user's own of any; those of a
    program only of what the same program said."""
    if outranks(old.trust, item.trust):
        return False
    return item.trust > PROPOSED_TRUST or item.metadata.get(CLIENT) == old.metadata.get(CLIENT)


def without_client(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata without the name of the program that said it."""
    return {name: value for name, value in metadata.items() if name != CLIENT}
