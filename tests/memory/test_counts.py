"""How much is remembered: as much as the listings have."""

from __future__ import annotations

from thalamus.api import Thalamus
from thalamus.records import Fact, Memory

YESTERDAY, TOMORROW = "2026-05-07T10:00:00Z", "2026-05-09T10:00:00Z"


def test_what_has_expired_or_ended_is_not_counted(thalamus: Thalamus) -> None:
    thalamus.remember(
        [
            Memory(content="The parcel arrives.", created_at=YESTERDAY, expires_at=TOMORROW),
            Memory(content="The bridge is closed.", created_at=YESTERDAY, expires_at=YESTERDAY),
            Memory(content="Soft water, page 3.", type="document_chunk"),
        ]
    )
    for fact in (
        Fact("user", "likes", "tea"),
        Fact("user", "likes", "the lease", valid_to=TOMORROW),
        Fact("user", "likes", "the rain", valid_from="2026-01-01T00:00:00Z", valid_to=YESTERDAY),
        Fact("user", "likes", "the boat", valid_from=TOMORROW),
    ):
        thalamus.facts.add(fact)
    listed = {"memory": len(thalamus.memories.find()), "fact": len(thalamus.facts.find())}
    assert thalamus.memories.count() == listed == {"memory": 1, "fact": 2}
