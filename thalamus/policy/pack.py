"""Fitting what was recalled into a prompt: a token budget, dates, no near-duplicates."""

from __future__ import annotations

from collections.abc import Sequence

from thalamus.policy.prompts import fence
from thalamus.policy.tokens import content_words
from thalamus.records import Evidence, Turn

LONGEST_LINE = 600  # characters of one piece of evidence in the prompt
DUPLICATE = 0.9  # share of words in common from which two lines say the same
EVIDENCE_SHARE = 0.5  # of the budget that is left, how much evidence may take


def estimate_tokens(text: str) -> int:
    """A rough count that errs upwards: four ASCII characters a token, other characters one each."""
    ascii_count = sum(1 for character in text if character < "\x80")
    return -(-ascii_count // 4) + len(text) - ascii_count + 1


def evidence_lines(evidence: Sequence[Evidence], budget: int) -> tuple[list[str], list[str]]:
    """(lines, ids used), the most useful first, until ``budget`` tokens are spent.

    A line reads ``- [2024-05-01] text``; what comes from a file is marked ``[document]``.
    """
    lines: list[str] = []
    used: list[str] = []
    seen: list[set[str]] = []
    for item in evidence:
        line = evidence_line(item)
        cost = estimate_tokens(line)
        words = set(content_words(item.text))
        if cost > budget or any(_overlap(words, other) >= DUPLICATE for other in seen):
            continue
        budget -= cost
        lines.append(line)
        used.append(item.id)
        seen.append(words)
    return lines, used


def evidence_line(item: Evidence) -> str:
    """One piece of evidence as one line of the prompt, fenced and cut to a bearable length."""
    text = " ".join(fence(item.text).split())
    if len(text) > LONGEST_LINE:
        text = text[: LONGEST_LINE - 1].rsplit(" ", 1)[0] + "…"
    day = f"[{item.at[:10]}] " if item.at else ""
    source = "[document] " if item.kind == "document" else ""
    return f"- {day}{source}{text}"


def dialogue(turns: Sequence[Turn], messages: int, budget: int) -> list[Turn]:
    """The newest turns that fit: at most ``messages`` messages and ``budget`` tokens."""
    kept: list[Turn] = []
    for turn in reversed(turns):
        count = 2 if turn.answer else 1
        cost = estimate_tokens(turn.message) + estimate_tokens(turn.answer or "")
        if messages < count or budget < cost:
            break
        messages -= count
        budget -= cost
        kept.append(turn)
    return kept[::-1]


def _overlap(one: set[str], other: set[str]) -> float:
    """Jaccard similarity of two sets of words."""
    union = one | other
    return len(one & other) / len(union) if union else 1.0
