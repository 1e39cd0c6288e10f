"""The same questions to several models, or with and without a memory, for side-by-side reading
without judging."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.errors import UsageError
from thalamus.records import Turn
from thalamus.records.evaluations import PersonaAnswers

if TYPE_CHECKING:
    from thalamus.config import Config

FLOW = "retrieve,answer"  # nothing is stored


def read_questions(path: Path | None) -> list[str]:
    """Questions from a file, one per line, or the packaged ones. Raises ``UsageError``."""
    if path is None:
        packaged = files("thalamus") / "data" / "persona-questions.txt"
        text = packaged.read_text(encoding="utf-8")
    else:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise UsageError(f"Cannot read {path}: {reason}.") from None
    found = [line.strip() for line in text.splitlines() if line.strip()]
    if not found:
        raise UsageError(f"There are no questions in {path}.", fix="Write one on each line.")
    return found


def ask_all(
    questions: Sequence[str],
    sides: Sequence[tuple[str, Config]],
    progress: Callable[[int], None] = lambda _: None,
) -> Iterator[PersonaAnswers]:
    """Answers to each question, by the names of the ``sides``. One side answers everything before
    the next is opened, so that only one model is loaded; each question is its own session. A
    failure is reported in place of the answer."""
    from thalamus.api import Thalamus

    answers: list[dict[str, str]] = [{} for _ in questions]
    for name, config in sides:
        with Thalamus(config=config) as engine:
            for number, question in enumerate(questions):
                turn = Turn(message=question, session=f"eval persona {number}")
                answered = engine.turn(turn, flow=FLOW)
                problems = "; ".join(issue.message for issue in answered.issues)
                answers[number][name] = answered.answer or f"(no answer: {problems})"
                progress(1)
    for question, given in zip(questions, answers, strict=True):
        yield PersonaAnswers(question=question, answers=given)
