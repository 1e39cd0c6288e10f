"""A turn explained to a newcomer: plain text, at most 80 columns."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.terminal.lines import one_line, quoted, statement
from thalamus.terminal.streams import say, say_text

if TYPE_CHECKING:
    from thalamus.records import Evidence, Instruction, Turn

WIDTH = 80
LABEL = 12
LONGEST = 160  # characters of one thing
KNOWN = ("exists", "reinforce")  # decisions that add nothing new
MOST = 3  # things shown of one kind

_NOUNS = {"turn": "said in the", "memory": "memory of the", "fact": "fact of the"}


class Narrator:
    """Prints what each stage of a turn did, as soon as it is done."""

    def __init__(self) -> None:
        wanted = shutil.get_terminal_size((WIDTH, 24)).columns if "COLUMNS" in os.environ else 0
        if not wanted and sys.stdout.isatty():
            wanted = os.get_terminal_size(sys.stdout.fileno()).columns
        self.width = max(30, min(WIDTH, wanted or WIDTH))

    def text(self, text: str = "") -> None:
        """A paragraph."""
        say_text(textwrap.fill(text, self.width, break_long_words=False, break_on_hyphens=False))

    def heading(self, text: str) -> None:
        """The beginning of a session."""
        say_text(f"\n{text}\n{'-' * min(self.width, len(text))}")

    def line(self, label: str, text: str) -> None:
        """One labelled line, wrapped under itself."""
        filled = textwrap.fill(
            text,
            self.width,
            initial_indent=f"{label:{LABEL}}",
            subsequent_indent=" " * LABEL,
            break_on_hyphens=False,
        )
        say_text(filled)

    def lines(self, label: str, items: Sequence[str], most: int = MOST) -> None:
        """Several things under one label, with the number of further ones."""
        shown = [*items[:most]]
        if len(items) > most:
            shown.append(f"… and {len(items) - most} more")
        for number, item in enumerate(shown):
            self.line("" if number else label, item)

    def show(self, stage: str, turn: Turn) -> None:
        """Prints the results of a stage; ``said`` stands for the message itself."""
        if stage == "said":
            say()
            self.line("you", turn.message)
        elif stage == "retrieve":
            self.lines("recalled", [found(item) for item in turn.evidence] or ["nothing"])
        elif stage == "answer":
            known = turn.profile or []
            self.lines("profile", [quoted(line.text, LONGEST) for line in known])
            self.line("answered", answer(turn))
        elif stage == "reflect" and turn.reflection is not None:
            refused = turn.reflection.refused
            self.lines("refused", [f"{quoted(v.content, 80)}: {v.reason}" for v in refused], 2)
        elif stage == "store":
            self.lines("remembered", [*kept(turn), "what you and the model said, word for word"], 9)
        elif stage == "plan":
            planned = turn.plan.retrieval_instructions if turn.plan else []
            self.lines("planned", [lookup(item) for item in planned])
        for issue in turn.issues:
            if issue.stage == stage:
                self.line("trouble", one_line(issue.message, LONGEST))


def found(item: Evidence) -> str:
    """A piece of evidence: its words, its kind and its session."""
    from thalamus.policy.evidence_text import without_answer

    text = without_answer(item)
    source = f"{_NOUNS.get(item.kind, item.kind)} {item.session or 'other'} session"
    return f"{quoted(text, LONGEST)} ({source})"


def answer(turn: Turn) -> str:
    """The answer on one line, with an ellipsis if it was cut at the limit."""
    cut = any(step.stage == "answer" and step.detail.get("cut_short") for step in turn.trace)
    return one_line(turn.answer or "(no answer)", LONGEST * 2) + (" …" if cut else "")


def kept(turn: Turn) -> list[str]:
    """The memories and facts that were stored in addition to the messages."""
    reflection = turn.reflection
    if reflection is None:
        return []
    decisions = {verdict.id: verdict.decision for verdict in turn.stored}
    again = " (known already)"
    memories = [
        f"memory: {one_line(m.content, LONGEST)}{again if decisions.get(m.id) in KNOWN else ''}"
        for m in reflection.memories_to_store
        if m.id and m.status == "active"
    ]
    facts = [
        f"fact: {statement(f)}{again if decisions.get(f.id) in KNOWN else ''}"
        for f in reflection.facts
    ]
    return memories + facts


def lookup(item: Instruction) -> str:
    """An instruction of the plan for the next turn."""
    where = "everything" if item.mode == "all" else item.mode
    return f"look in {where} for {quoted(item.query, 60)}"
