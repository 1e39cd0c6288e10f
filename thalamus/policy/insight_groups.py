"""Which insights are about the same and may become one.

Greedily by the concept that most of them share: what is merely connected through others would soon
be all of them. An insight is in one group at most; a concept that most insights have (the user's
own name, say) tells them apart from nothing and makes none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from thalamus.policy.entities import key_of

LEAST = 2  # insights of a group
MOST = 8
EVERYWHERE = 0.5  # share of the insights from which a concept is no reason to group them
NAMED = 0.25  # the same of a name: the people of a conversation are in everything that is said
MANY = 4  # insights that such a concept has at least


@dataclass(frozen=True)
class Member:
    """An insight: its id, the keys of its concepts, its strength and level. Of one that others were
    merged into, the concepts that they had in common: the rest would connect everything."""

    id: str
    concepts: frozenset[str]
    strength: float = 1.0
    level: int = 1


@dataclass(frozen=True)
class ConceptGroup:
    """Insights that share a concept, the strongest first."""

    concept: str
    members: tuple[Member, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its members."""
        return tuple(member.id for member in self.members)

    @property
    def common(self) -> list[str]:
        """The concepts that at least two of its members have, that of the group first."""
        count = Counter(key for member in self.members for key in member.concepts)
        rest = sorted(
            (key for key in count if count[key] >= LEAST and key != self.concept),
            key=lambda key: (-count[key], key),
        )
        return [self.concept, *rest]


def everywhere(concepts: Sequence[Sequence[str]]) -> frozenset[str]:
    """The keys of concepts that too many insights have, given the names of each insight's."""
    count = Counter(key for names in concepts for key in {key_of(name) for name in names})
    names = {key_of(name) for found in concepts for name in found if name[:1].isupper()}
    return frozenset(
        key
        for key, n in count.items()
        if n >= MANY and n > len(concepts) * (NAMED if key in names else EVERYWHERE)
    )


def groups(
    members: Sequence[Member],
    common: Collection[str] = (),
    but: Collection[frozenset[str]] = (),
) -> list[ConceptGroup]:
    """The groups of insights, each in one at most; none is formed by a ``common`` concept. Those of
    the ids in ``but`` were tried before and are not formed again. The same insights always give the
    same groups, whatever their order."""
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
    """Those members of a group that have these ids."""
    return ConceptGroup(
        group.concept, tuple(member for member in group.members if member.id in ids)
    )


def merged(group: ConceptGroup, id: str) -> Member:
    """What a group becomes: as strong as its members together."""
    return Member(
        id=id,
        concepts=frozenset(group.common),
        strength=sum(member.strength for member in group.members),
        level=max(member.level for member in group.members) + 1,
    )


def _most_shared(members: Sequence[Member], but: Collection[str]) -> str | None:
    """The concept that most of them share, the first by name of several; None when none is shared
    by two."""
    count = Counter(key for member in members for key in member.concepts if key not in but)
    best = min(count, key=lambda key: (-count[key], key), default=None)
    return best if best is not None and count[best] >= LEAST else None


def _order(member: Member) -> tuple[float, int, str]:
    return -member.strength, -member.level, member.id
