"""Groups of insights about the same concept, which may be merged.

Grouping is greedy by the most shared concept: grouping by indirect connections would soon include
everything. An insight is in one group at most. A concept that most insights have (the user's own
name, for example) does not distinguish them and forms no group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from msgspec import Struct

from thalamus.policy.entities import key_of

LEAST = 2  # insights in a group
MOST = 8
COMMON_SHARE = 0.5  # share of the insights above which a concept forms no group
COMMON_NAME_SHARE = 0.25  # the same for a name: the people of a conversation occur in everything
MANY = 4  # least number of insights with such a concept


class Member(Struct, frozen=True):
    """An insight: its id, the keys of its concepts, its strength and level. A merged insight has
    the concepts that its members have in common; all of them would connect everything."""

    id: str
    concepts: frozenset[str]
    strength: float = 1.0
    level: int = 1


class ConceptGroup(Struct, frozen=True):
    """Insights that share a concept, the strongest first."""

    concept: str
    members: tuple[Member, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its members."""
        return tuple(member.id for member in self.members)

    @property
    def common(self) -> list[str]:
        """Concepts that at least two members have, the group's first."""
        count = Counter(key for member in self.members for key in member.concepts)
        rest = sorted(
            (key for key in count if count[key] >= LEAST and key != self.concept),
            key=lambda key: (-count[key], key),
        )
        return [self.concept, *rest]


def everywhere(concepts: Sequence[Sequence[str]]) -> frozenset[str]:
    """Keys of concepts that too many insights have, given the concepts of each insight."""
    count = Counter(key for names in concepts for key in {key_of(name) for name in names})
    names = {key_of(name) for found in concepts for name in found if name[:1].isupper()}
    return frozenset(
        key
        for key, n in count.items()
        if n >= MANY and n > len(concepts) * (COMMON_NAME_SHARE if key in names else COMMON_SHARE)
    )


def groups(
    members: Sequence[Member],
    common: Collection[str] = (),
    but: Collection[frozenset[str]] = (),
) -> list[ConceptGroup]:
    """Groups of insights, with each insight in at most one. ``common`` concepts form none; groups
    whose ids are in ``but`` were tried before and are skipped. The result does not depend on the
    order of the insights."""
    left = {member.id: member for member in members}
    found = []
    tried: set[str] = set()
    while (concept := _most_shared(list(left.values()), {*common, *tried})) is not None:
        sharing = sorted((one for one in left.values() if concept in one.concepts), key=_order)
        group = ConceptGroup(concept, tuple(sharing[:MOST]))
        if frozenset(group.ids) in but:
            tried.add(concept)
            continue
        found.append(group)
        for id in group.ids:
            del left[id]
    return found


def part(group: ConceptGroup, ids: Collection[str]) -> ConceptGroup:
    """The group with only the members that have these ids."""
    return ConceptGroup(
        group.concept, tuple(member for member in group.members if member.id in ids)
    )


def merged(group: ConceptGroup, id: str) -> Member:
    """The merged insight of a group, with the members' total strength."""
    return Member(
        id=id,
        concepts=frozenset(group.common),
        strength=sum(member.strength for member in group.members),
        level=max(member.level for member in group.members) + 1,
    )


def _most_shared(members: Sequence[Member], but: Collection[str]) -> str | None:
    """The concept that most members share, the first by name among equals; None if no two share
    one."""
    count = Counter(key for member in members for key in member.concepts if key not in but)
    best = min(count, key=lambda key: (-count[key], key), default=None)
    return best if best is not None and count[best] >= LEAST else None


def _order(member: Member) -> tuple[float, int, str]:
    return -member.strength, -member.level, member.id
