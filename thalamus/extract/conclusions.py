"""Conclusions: what of the insights that a model states may be kept.

A model that is asked for connections invents them, or repeats one note as news. Code checks what it
can check in any language: where the words, names and numbers come from. Whether the notes plainly
say it is asked of the model itself (``extract.second_look``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from thalamus.extract.verify import PROBABLE
from thalamus.policy.entities import USER, key_of
from thalamus.policy.injection import suspicious
from thalamus.policy.insights import SourceText
from thalamus.records import Verdict
from thalamus.text.names import capitals_are_names, folded_words, names, numbers, script, stands
from thalamus.text.questions import is_question
from thalamus.text.statements import share_said, statement_words
from thalamus.text.tokens import sentences, share_found, words

RESTATED = 0.85  # share of an insight's words in one source from which it only repeats that
LEAST_SOURCES = 2
LEAST_CONCEPTS = 2  # from which on none is added to those that the model names
DOUBTED = "doubted"  # the rule of what the notes do not plainly say


@dataclass(frozen=True)
class JudgedInsight:
    """The verdict on an insight, the names of what it connects, and the sources that it rests on:
    those that it has a word of."""

    verdict: Verdict
    concepts: Sequence[str] = ()
    sources: Sequence[SourceText] = ()


def judge(content: str, sources: Sequence[SourceText]) -> JudgedInsight:
    """Whether an insight of these sources may be kept, before the second look. Quarantined: an
    instruction, and a name or a number that no source has."""
    content = " ".join(content.split())
    used = [source for source in sources if _shares_words(content, source)]
    if (pattern := suspicious(content)) is not None:
        reason = f"it reads like an instruction to the assistant: {pattern}"
        return replace(_no(content, "injection", reason, "quarantine"), sources=used)
    if not statement_words(content):
        return _no(content, "empty", "it says nothing in particular")
    if any(map(is_question, sentences(content))):
        return _no(content, "question", "it asks")
    if _origins(used) < LEAST_SOURCES:
        return _no(content, "one_source", "it rests on fewer than two sources")
    if (script := _strange_script(content, used)) is not None:
        return _no(content, "strange_script", f"no source is written in {script} letters")
    if (strange := _strange(content, used)) is not None:
        reason = f"“{strange}” does not stand in its sources"
        return replace(_no(content, "invented", reason, "quarantine"), sources=used)
    if any(_repeats(content, source) for source in used):
        return _no(content, "restated", "one of its sources says all of it")
    verdict = Verdict(decision="add", rule="grounded", reason="its sources say so", content=content)
    return JudgedInsight(verdict, sources=used)


def decide(
    judged: JudgedInsight, probability: float | None, least: float = PROBABLE
) -> JudgedInsight:
    """What is kept after the second look: ``probability`` that the sources plainly say it, None
    where the model cannot be asked, which has to be at ``least`` so high."""
    if probability is None or probability >= least or judged.verdict.decision != "add":
        return judged
    return _no(judged.verdict.content, DOUBTED, "its sources do not plainly say it")


def concepts(content: str, given: Sequence[str], more: Sequence[str] = ()) -> list[str]:
    """The names of what an insight connects: those ``given`` that stand in it; where these are too
    few, ``more`` that do, and its names."""
    found: dict[str, str] = {}
    said = words(content)
    for place, name in enumerate([*given, *more, *names(content)]):
        if place >= len(given) and len(found) >= LEAST_CONCEPTS:
            break
        parts = words(name)
        if parts and share_found(parts, said) == 1 and key_of(name) != USER:
            found.setdefault(key_of(name), " ".join(name.split()))
    return list(found.values())


# -- what its sources have -------------------------------------------------------------------------


def _shares_words(content: str, source: SourceText) -> bool:
    return share_said(content, source.text) > 0


def _repeats(content: str, source: SourceText) -> bool:
    """Tells whether a source says nearly all of it."""
    return share_said(content, source.line) >= RESTATED


def _strange(content: str, sources: Sequence[SourceText]) -> str | None:
    """A number or a name that stands in no source, and is not of its speaker or its day."""
    there = "\n".join(source.line for source in sources)
    known = set(numbers(there))
    for number in numbers(content):
        if number not in known:
            return number
    if not capitals_are_names(f"{content}\n{there}"):
        return None
    said = frozenset(folded_words(there))
    return next((name for name in names(content) if not stands(name, said)), None)


def _strange_script(content: str, sources: Sequence[SourceText]) -> str | None:
    """A script of which no source has a letter: small models change the language in the middle of
    a sentence."""
    said = _scripts(" ".join(source.line for source in sources))
    return next((script for script in sorted(_scripts(content)) if script not in said), None)


def _scripts(text: str) -> set[str]:
    """The scripts of a text's letters: Latin, Cyrillic."""
    return {script(letter).title() for letter in text if letter.isalpha()}


def _origins(sources: Sequence[SourceText]) -> int:
    return len({source.origin or source.id for source in sources})


def _no(content: str, rule: str, reason: str, decision: str = "refuse") -> JudgedInsight:
    verdict = Verdict(decision=decision, rule=rule, reason=reason, content=content)  # type: ignore[arg-type]
    return JudgedInsight(verdict)
