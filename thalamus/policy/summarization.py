"""Summarization: the groups of memories that share a summary, what else is dropped to fit a budget,
and extractive summaries, in the words of the text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from thalamus.text.tokens import content_words, overlap, sentences

LARGEST = 40  # memories in one summary
SMALLEST = 3  # of one topic and month; fewer are summed up with those of other topics
ALIKE = 0.8  # share of words in common from which two sentences say the same

Decision = Literal["drop", "compress", "demote"]


class Removal(NamedTuple):
    """A memory that is not kept: what happens to it, by which rule and why; and what it shares
    with those that it is summed up with."""

    id: str
    decision: Decision
    rule: str
    reason: str
    kind: str
    topic: str | None
    month: str
    owner: tuple[str | None, str | None, str]  # user, agent, sensitivity


def summary_groups(going: Iterable[Removal]) -> list[list[Removal]]:
    """Those that are to be compressed, by kind, topic, owner and month, in a fixed order."""
    by_topic: dict[tuple[object, ...], list[Removal]] = defaultdict(list)
    for item in going:
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
    live: int, going: Sequence[Removal], staying: Iterable[tuple[float, Removal]], most: int
) -> list[Removal]:
    """What goes so that at most ``most`` of ``live`` memories are left, new summaries counted.

    ``staying``: those that may go when they must, with what they are worth; the least valuable go
    first. One that would be alone in a summary goes without, and when there is no room for
    summaries at all the smallest groups do.
    """
    order = [item for _, item in sorted(staying, key=lambda pair: (pair[0], pair[1].id))]
    count = 0
    while True:
        chosen = [*going, *_not_alone(going, order[:count])]
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


def _not_alone(going: Sequence[Removal], chosen: list[Removal]) -> list[Removal]:
    ids = {item.id for item in chosen}
    alone = {
        group[0].id
        for group in summary_groups([*going, *chosen])
        if len(group) == 1 and group[0].id in ids
    }
    return [_bare(item) if item.id in alone else item for item in chosen]


def _bare(item: Removal) -> Removal:
    reason = f"{item.reason}; a summary would save no space"
    return item._replace(decision="drop", reason=reason)


def _left(live: int, going: Sequence[Removal]) -> int:
    gone = sum(1 for item in going if item.decision != "demote")
    return live - gone + len(summary_groups(going))


def extract_sentences(texts: Sequence[str], most: int) -> str:
    """The sentences that say most, verbatim and in their order, of at most ``most`` characters.

    A sentence counts as much as its words are frequent over all texts, each word once (SumBasic,
    Nenkova and Vanderwende 2005: after a sentence is taken, its words count for less); what says
    the same as one already taken is left out.
    """
    found = [_stopped(part) for text in texts for part in sentences(" ".join(text.split()))]
    bearing = [frozenset(content_words(sentence)) for sentence in found]
    weights = Counter(word for words in bearing for word in words)
    left = [number for number, words in enumerate(bearing) if words]
    taken: list[int] = []
    while left:
        best = max(left, key=lambda n: (_weight(bearing[n], weights), -n))
        left.remove(best)
        if any(overlap(bearing[best], bearing[n]) >= ALIKE for n in taken):
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
    """The mean weight of a sentence's words, longer sentences a little before shorter ones."""
    return sum(weights[word] for word in words) / (len(words) + 1)


def _stopped(sentence: str) -> str:
    return sentence if sentence[-1] in ".!?。！？…:;" else f"{sentence}."
