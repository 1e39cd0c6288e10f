"""Fitting what was recalled into a prompt: a token budget, dates, no near-duplicates."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thalamus.policy.prompts import fence
from thalamus.policy.tokens import STOP_WORDS, content_words, words
from thalamus.records import Evidence, Turn

LONGEST_LINE = 600  # characters of one piece of evidence in the prompt
DUPLICATE = 0.9  # share of words in common from which two lines say the same
ANSWERED = "\nAssistant: "  # between the two sides of a turn in evidence
EVIDENCE_SHARE = 0.5  # of the budget that is left, how much evidence may take

_YOU_SAID = re.compile(
    r"\b(you|your)\b.*\b(sa(id|y)|t(old|ell)|suggest\w*|recommend\w*|advi[sc]\w*|mention\w*"
    r"|propos\w*|g(a|i)ve|wrote|written|answer\w*|list\w*|explain\w*)\b"
)


def estimate_tokens(text: str) -> int:
    """A rough count that errs upwards: four ASCII characters a token, other characters one each."""
    ascii_count = sum(1 for character in text if character < "\x80")
    return -(-ascii_count // 4) + len(text) - ascii_count + 1


def evidence_lines(
    evidence: Sequence[Evidence], budget: int, question: str = ""
) -> tuple[list[str], list[str]]:
    """(lines, ids used), the most useful first, until ``budget`` tokens are spent.

    A line reads ``- [2024-05-01] text``; what comes from a file is marked ``[document]``. Of past
    turns only the user's words are given, unless the question is about what the assistant said:
    a model must not take for a memory what it once made up itself.
    """
    both = asks_for_answers(question)
    lines: list[str] = []
    used: list[str] = []
    seen: list[set[str]] = []
    for item in evidence:
        line = evidence_line(item, both)
        cost = estimate_tokens(line)
        bearing = set(content_words(shown_text(item, both)))
        if cost > budget or any(_overlap(bearing, other) >= DUPLICATE for other in seen):
            continue
        budget -= cost
        lines.append(line)
        used.append(item.id)
        seen.append(bearing)
    return lines, used


def asks_for_answers(question: str) -> bool:
    """Whether a question is about what the assistant said. English is recognised; of a question
    in another language nothing is known, and both sides are given."""
    said = words(question)
    english = len(STOP_WORDS.intersection(said)) > 1
    return not english or _YOU_SAID.search(question.lower()) is not None


def shown_text(item: Evidence, with_answer: bool) -> str:
    """What of a piece of evidence goes into the prompt."""
    if item.kind == "turn" and not with_answer:
        return item.text.split(ANSWERED, 1)[0].removeprefix("User: ")
    return item.text


def evidence_line(item: Evidence, with_answer: bool = True) -> str:
    """One piece of evidence as one line of the prompt, fenced and cut to a bearable length."""
    text = " ".join(fence(shown_text(item, with_answer)).split())
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
