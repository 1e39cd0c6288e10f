"""Verification of insights: which of a model's connections may be kept.

A model that is asked for connections invents them, or repeats a single note as if it were news.
Code checks what can be checked in any language: where the words, names and numbers come from.
Whether the notes plainly support the insight is a question for the model (``extract.second_look``).
Unlike a claim about a message (``extract.verify``), an insight rests on no quote and on notes of
several days, so that only the checks for instructions, names and numbers are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, structs
from msgspec.structs import replace

from thalamus.extract.second_look import LEAST_YES, yes_probability
from thalamus.policy.entities import USER, key_of
from thalamus.policy.injection import injection_verdict
from thalamus.policy.insights import SourceText
from thalamus.policy.prompts import fence
from thalamus.records import Verdict
from thalamus.text.analyzer import words
from thalamus.text.names import names, script, unsupported_name
from thalamus.text.questions import is_question
from thalamus.text.sentences import sentences
from thalamus.text.statements import share_said, statement_words
from thalamus.text.tokens import share_found

if TYPE_CHECKING:
    from thalamus.turn_run import TurnRun

RESTATED = 0.85  # share of an insight's words in one source above which it only repeats that source
LEAST_SOURCES = 2
LEAST_CONCEPTS = 2  # concepts are added until there are this many
DOUBTED = "doubted"  # rule of an insight that the second look rejects


class JudgedInsight(Struct, frozen=True):
    """The verdict on an insight, and the sources that share a content word with it."""

    verdict: Verdict
    sources: Sequence[SourceText] = ()


def verify_insight(content: str, sources: Sequence[SourceText], run: TurnRun) -> JudgedInsight:
    """Verdict on an insight from code's checks and the model's second look. Raises the model's
    errors."""
    judged = judge(content, sources)
    if judged.verdict.decision != "add":
        return judged
    source_lines = "\n".join(fence(source.line) for source in judged.sources)
    claim = fence(judged.verdict.content)
    yes = yes_probability("verify", run, USER_MESSAGE=source_lines, CLAIM=claim)
    return decide(judged, yes)


def judge(content: str, sources: Sequence[SourceText]) -> JudgedInsight:
    """Verdict on an insight before the second look. An instruction, or a name or number that no
    source contains, is quarantined."""
    content = " ".join(content.split())
    used = [source for source in sources if _shares_words(content, source)]
    if (disguised := injection_verdict(content)) is not None:
        return JudgedInsight(structs.replace(disguised, content=content), sources=used)
    if not statement_words(content):
        return _refuse(content, "empty", "it has no content words")
    if any(map(is_question, sentences(content))):
        return _refuse(content, "question", "it is a question")
    if _origins(used) < LEAST_SOURCES:
        return _refuse(content, "one_source", "it rests on fewer than two sources")
    if (script := _unsupported_script(content, used)) is not None:
        return _refuse(content, "strange_script", f"no source uses {script} letters")
    strange = unsupported_name(content, "\n".join(source.line for source in used))
    if strange is not None:
        reason = f"“{strange}” is not in its sources"
        return replace(_refuse(content, "invented", reason, "quarantine"), sources=used)
    if any(_repeats(content, source) for source in used):
        return _refuse(content, "restated", "it only repeats one of its sources")
    verdict = Verdict(
        decision="add", rule="grounded", reason="its sources support it", content=content
    )
    return JudgedInsight(verdict, sources=used)


def decide(judged: JudgedInsight, probability: float | None) -> JudgedInsight:
    """Verdict after the second look. ``probability``: how likely the model finds that the sources
    support the insight (None where it cannot be asked); an improbable insight is refused."""
    if probability is None or probability >= LEAST_YES or judged.verdict.decision != "add":
        return judged
    return _refuse(judged.verdict.content, DOUBTED, "its sources do not plainly support it")


def concepts(content: str, given: Sequence[str], more: Sequence[str] = ()) -> list[str]:
    """Concepts that an insight connects: those of ``given`` that occur in it, then, while they are
    fewer than ``LEAST_CONCEPTS``, those of ``more`` and the names in the text."""
    found: dict[str, str] = {}
    source_words = words(content)
    for place, name in enumerate([*given, *more, *names(content)]):
        if place >= len(given) and len(found) >= LEAST_CONCEPTS:
            break
        parts = words(name)
        if parts and share_found(parts, source_words) == 1 and key_of(name) != USER:
            found.setdefault(key_of(name), " ".join(name.split()))
    return list(found.values())


# -- checks against the sources --------------------------------------------------------------------


def _shares_words(content: str, source: SourceText) -> bool:
    return share_said(content, source.text) > 0


def _repeats(content: str, source: SourceText) -> bool:
    """True if one source contains nearly all of the insight's words."""
    return share_said(content, source.line) >= RESTATED


def _unsupported_script(content: str, sources: Sequence[SourceText]) -> str | None:
    """A script that no source uses: small models switch languages in the middle of a sentence."""
    source_words = _scripts(" ".join(source.line for source in sources))
    return next(
        (script for script in sorted(_scripts(content)) if script not in source_words), None
    )


def _scripts(text: str) -> set[str]:
    """The scripts of a text's letters, such as Latin or Cyrillic."""
    return {script(letter).title() for letter in text if letter.isalpha()}


def _origins(sources: Sequence[SourceText]) -> int:
    return len({source.origin or source.id for source in sources})


def _refuse(content: str, rule: str, reason: str, decision: str = "refuse") -> JudgedInsight:
    verdict = Verdict(decision=decision, rule=rule, reason=reason, content=content)  # type: ignore[arg-type]
    return JudgedInsight(verdict)
