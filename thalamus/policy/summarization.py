"""Summarization: groups of memories that share a summary, pruning to a budget, and extractive
summaries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from thalamus.text.tokens import content_words, overlap, sentences

LARGEST = 40  # memories in one summary
SMALLEST = 3  # per topic and month; fewer are combined with other topics
SAME = 0.8  # share of common words above which two sentences say the same

Decision = Literal["drop", "compress", "demote"]


class Removal(Struct, frozen=True):
    """A memory that is not kept: the decision with its rule and reason, and the properties shared
    with others in a summary."""

    id: str
    decision: Decision
    rule: str
    reason: str
    kind: str
    topic: str | None
    month: str
    owner: tuple[str | None, str | None, str]  # user, agent, sensitivity


def summary_groups(removals: Iterable[Removal]) -> list[list[Removal]]:
    """Groups of memories to compress, by kind, topic, owner and month, in a fixed order."""
    by_topic: dict[tuple[object, ...], list[Removal]] = defaultdict(list)
    for item in removals:
        if item.decision == "compress":
            by_topic[(item.kind, item.owner, item.month, item.topic)].append(item)
    whole: list[list[Removal]] = []
    small: dict[tuple[object, ...], list[Removal]] = defaultdict(list)
    for (kind, owner, month, _), items in by_topic.items():
        if len(items) < SMALLEST:
            small[(kind, owner, month)] += items
        else:
            whole.append(items)
    whole += small.values()
    parts = [
        items[start : start + LARGEST] for items in whole for start in range(0, len(items), LARGEST)
    ]
    return sorted(parts, key=lambda part: (part[0].month, part[0].kind, part[0].id))


def fit_budget(
    live: int, removals: Sequence[Removal], staying: Iterable[tuple[float, Removal]], most: int
) -> list[Removal]:
    """Removals needed so that at most ``most`` of ``live`` memories are left, including new
    summaries.

    ``staying``: memories that may be removed, with their values; the least valuable go first. A
    memory that would be alone in a summary is dropped without one, and if summaries do not fit, the
    smallest groups are.
    """
    order = [item for _, item in sorted(staying, key=lambda pair: (pair[0], pair[1].id))]
    count = 0
    while True:
        chosen = [*removals, *_not_alone(removals, order[:count])]
        over = _left(live, chosen) - most
        if over <= 0:
            return chosen
        if count == len(order):
            break
        count = min(len(order), count + over)
    bare: set[str] = set()
    for group in sorted(summary_groups(chosen), key=len)[:over]:
        bare.update(item.id for item in group)
    return [_bare(item) if item.id in bare else item for item in chosen]


def _not_alone(removals: Sequence[Removal], chosen: list[Removal]) -> list[Removal]:
    ids = {item.id for item in chosen}
    alone = {
        group[0].id
        for group in summary_groups([*removals, *chosen])
        if len(group) == 1 and group[0].id in ids
    }
    return [_bare(item) if item.id in alone else item for item in chosen]


def _bare(item: Removal) -> Removal:
    reason = f"{item.reason}; a summary would save no space"
    return replace(item, decision="drop", reason=reason)


def _left(live: int, removals: Sequence[Removal]) -> int:
    count = sum(1 for item in removals if item.decision != "demote")
    return live - count + len(summary_groups(removals))


def extract_sentences(texts: Sequence[str], most: int) -> str:
    """The most informative sentences, verbatim and in their order, at most ``most`` characters.

    A sentence is weighted by the frequency of its words over all texts (SumBasic, Nenkova and
    Vanderwende 2005: the words of a chosen sentence count for less from then on). Sentences that
    repeat a chosen one are left out.
    """
    found = [_stopped(part) for text in texts for part in sentences(" ".join(text.split()))]
    bearing = [frozenset(content_words(sentence)) for sentence in found]
    weights = Counter(word for words in bearing for word in words)
    left = [number for number, words in enumerate(bearing) if words]
    taken: list[int] = []
    while left:
        best = max(left, key=lambda n: (_weight(bearing[n], weights), -n))
        left.remove(best)
        if any(overlap(bearing[best], bearing[n]) >= SAME for n in taken):
            continue
        if sum(len(found[n]) + 1 for n in taken) + len(found[best]) > most:
            continue
        taken.append(best)
        for word in bearing[best]:
            weights[word] = weights[word] // 2
    if not taken:
        return " ".join(" ".join(texts).split())[:most].strip()
    return " ".join(found[n] for n in sorted(taken))


def _weight(words: frozenset[str], weights: Counter[str]) -> float:
    """Mean weight of a sentence's words, with longer sentences slightly preferred."""
    return sum(weights[word] for word in words) / (len(words) + 1)


def _stopped(sentence: str) -> str:
    return sentence if sentence[-1] in ".!?。！？…:;" else f"{sentence}."
