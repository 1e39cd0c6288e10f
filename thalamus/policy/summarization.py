"""Summarization: groups of memories that share a summary, pruning to a budget, extractive
summaries, and the statements that a summary omits.

A summary replaces its sources only if it holds what they say, so a group is never longer than a
summary may be.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from thalamus.text.analyzer import fold, words
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.names import capitalized, folded_words, is_cased, numbers, stands
from thalamus.text.sentences import sentences
from thalamus.text.statements import negated, statement_words
from thalamus.text.tokens import content_words, overlap, share_found

MOST = 900  # characters of a summary
LARGEST = 40  # memories in one summary
SMALLEST = 3  # per topic and month; fewer are combined with other topics
SAME = 0.8  # share of common words above which two sentences say the same
HELD = 0.5  # share of a statement's own words from which a summary holds it
_BOUNDARY = lazy_regex(r"(?<=[.!?…؟])\s+|(?<=[。！？])\s*|\n+")

Decision = Literal["drop", "compress", "demote"]


class Removal(Struct, frozen=True):
    """A memory that is not kept: the decision with its rule and reason, the properties shared with
    others in a summary, the length of its text, and its value."""

    id: str
    decision: Decision
    rule: str
    reason: str
    kind: str
    topic: str | None
    month: str
    owner: tuple[str | None, str | None, str, str]  # user, agent, sensitivity, client
    length: int = 0
    value: float = 0.0


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
    parts = [part for items in whole for part in _parts(items)]
    return sorted(parts, key=lambda part: (part[0].month, part[0].kind, part[0].id))


def _parts(items: Sequence[Removal]) -> list[list[Removal]]:
    """The items in groups whose texts fit a summary, with none alone that can be with another."""
    parts: list[list[Removal]] = [[]]
    for item in items:
        if parts[-1] and not _fits([*parts[-1], item]):
            parts.append([])
        parts[-1].append(item)
    if len(parts) > 1 and len(parts[-1]) == 1 and len(parts[-2]) > 2:
        *rest, last = parts[-2]
        if _fits([last, *parts[-1]]):
            parts[-2:] = [rest, [last, *parts[-1]]]
    return parts


def _fits(items: Sequence[Removal]) -> bool:
    length = sum(item.length + 2 for item in items)  # each with a full stop and a space
    return len(items) <= LARGEST and length <= MOST


def fit_budget(
    live: int, removals: Sequence[Removal], staying: Iterable[tuple[float, Removal]], most: int
) -> list[Removal]:
    """Removals needed so that at most ``most`` of ``live`` memories are left, including new
    summaries.

    ``staying``: memories that may be removed, with their values; the least valuable go first. A
    memory that would be alone in a summary is dropped without one. Where it is worth more than all
    sources of a summary, that summary is given up first.
    """
    order = [
        replace(item, value=value)
        for value, item in sorted(staying, key=lambda pair: (pair[0], pair[1].id))
    ]
    poor: set[str] = set()
    while True:
        chosen, alone = _chosen(live, removals, order, most, poor)
        made = summary_groups(chosen)
        worst = min(made, key=_value, default=None)
        lost = max((item.value for item in chosen if item.id in alone), default=0.0)
        fits = _left(live, chosen) <= most
        if worst is None or (fits and lost <= _value(worst)):
            return chosen
        poor.update(item.id for item in worst)


def _chosen(
    live: int,
    removals: Sequence[Removal],
    order: Sequence[Removal],
    most: int,
    poor: Collection[str],
) -> tuple[list[Removal], set[str]]:
    """The removals with as many of the others, in their order, as are needed to fit or as there
    are; and which of these are dropped because they would be alone in a summary. The ``poor`` are
    dropped as well."""
    count = 0
    while True:
        chosen = [
            _dropped(item, "there is no room for a summary") if item.id in poor else item
            for item in (*removals, *order[:count])
        ]
        alone = _alone(chosen) & {item.id for item in order[:count]}
        chosen = [
            _dropped(item, "a summary would save no space") if item.id in alone else item
            for item in chosen
        ]
        over = _left(live, chosen) - most
        if over <= 0 or count == len(order):
            return chosen, alone
        count = min(len(order), count + over)


def _alone(chosen: Sequence[Removal]) -> set[str]:
    return {group[0].id for group in summary_groups(chosen) if len(group) == 1}


def _value(group: Sequence[Removal]) -> float:
    return max(item.value for item in group)


def _dropped(item: Removal, why: str) -> Removal:
    return replace(item, decision="drop", reason=f"{item.reason}; {why}")


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
    return sentence if sentence[-1:] in ".!?。！？؟…:;" else f"{sentence}."


# -- what a summary must hold ----------------------------------------------------------------------


def complete(summary: str, texts: Sequence[str], most: int = MOST) -> str:
    """The summary of the texts with each statement that it omits; the texts themselves, if that
    would be longer than ``most``."""
    made = " ".join([_stopped(summary), *omitted(summary, texts)])
    return made if len(made) <= most else whole(texts)


def whole(texts: Sequence[str]) -> str:
    """The texts one after another, each once."""
    return " ".join(_each_once(texts))


def omitted(summary: str, texts: Sequence[str]) -> list[str]:
    """Statements of the texts that a summary does not hold: their names, their numbers, a "not",
    and half of the words that no other text has. A script without capitals shows no names, so there
    it must hold all of these words."""
    count = Counter(word for text in texts for word in set(statement_words(text)))
    found: list[str] = []
    for text in texts:
        for statement in filter(str.strip, _BOUNDARY.split(text)):
            if not _holds(summary, statement, count):
                found.append(statement)
    return _each_once(found)


def _each_once(texts: Iterable[str]) -> list[str]:
    tidy = [_stopped(" ".join(text.split())) for text in texts]
    return list({fold(text): text for text in reversed(tidy)}.values())[::-1]


def _holds(summary: str, statement: str, count: Counter[str]) -> bool:
    wanted = statement_words(statement)
    if not wanted:
        return fold(statement).strip(" .!?") in fold(summary)
    among = frozenset(folded_words(summary))
    names = (name for name in capitalized(statement) if statement_words(name))
    if not ({*numbers(statement)} <= {*numbers(summary)} and all(stands(n, among) for n in names)):
        return False
    own = [word for word in wanted if count[word] == 1] or wanted
    cased = all(map(is_cased, filter(str.isalpha, statement)))
    if share_found(own, words(summary)) < (HELD if cased else 1):
        return False
    speaking = (one for one in sentences(summary) if share_found(own, words(one)) > 0)
    return not negated(statement) or any(map(negated, speaking))
