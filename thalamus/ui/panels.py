"""What the panels of the debug console say of a turn: the record of `turn --json`, part by part, as
plain lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.terminal.lines import instruction_line, one_line, quoted
from thalamus.terminal.local import day
from thalamus.terminal.tool_calls import call_text, outcome_text

if TYPE_CHECKING:
    from thalamus.records import Instruction, Turn

LONG = 240  # characters of one text


def plan_lines(turn: Turn) -> list[str]:
    """What was to be looked up for the turn, and what will be for the next one."""
    lines = []
    if turn.route:
        lines.append(f"route: {turn.route}")
    if turn.draft:
        lines.append(f"draft: {one_line(turn.draft, LONG)}")
    lines += _planned("this turn", turn.retrieval_instructions)
    lines += _planned("because of the draft", turn.search_plan or [])
    lines += _planned("next turn", turn.plan.retrieval_instructions if turn.plan else [])
    return lines


def evidence_lines(turn: Turn) -> list[str]:
    """What was known: the lines of the profile, and what was recalled, the best first, each with
    its score and why it was found."""
    known = turn.profile or []
    lines = [f"profile: {one_line(line.text, LONG)}" for line in known if line.in_prompt]
    for found in turn.evidence:
        relevance = "" if found.relevance is None else f" relevance {found.relevance:.2f}"
        when = f" {day(found.at)}" if found.at else ""
        lines.append(f"{found.score:.2f}{relevance}{when} {found.kind}")
        lines.append(f"  {one_line(found.text, LONG)}")
        scores = "  ".join(f"{name} {value:.2f}" for name, value in found.scores.items())
        parts = [part for part in (one_line(found.why), scores) if part]
        if parts:
            lines.append(f"  {'; '.join(parts)}  [{found.id}]")
        if found.stale:
            lines.append(f"  no longer: {one_line(found.stale)}")
    return lines


def reflection_lines(turn: Turn) -> list[str]:
    """What was found worth keeping, and what was refused and why."""
    if turn.reflection is None:
        return []
    lines = []
    for memory in turn.reflection.memories_to_store:
        lines.append(f"memory ({memory.type}): {one_line(memory.content, LONG)}")
    for fact in turn.reflection.facts:
        said = f"{fact.subject} {fact.predicate} {fact.object}"
        lines.append(f"fact: {one_line(said, LONG)}")
        if fact.quote:
            lines.append(f"  from {quoted(fact.quote, LONG)}")
    for verdict in turn.reflection.refused:
        lines.append(f"refused: {one_line(verdict.content, LONG)}")
        lines.append(f"  {one_line(verdict.reason)} ({verdict.rule})")
    lines += [f"no longer: {ending.id}" for ending in turn.reflection.no_longer]
    return lines or ["nothing worth keeping"]


def decision_lines(turn: Turn) -> list[str]:
    """What was decided about memories and facts when the turn was stored."""
    lines = []
    for verdict in turn.stored:
        lines.append(f"{verdict.decision}: {one_line(verdict.content, LONG)}")
        id = f"  [{verdict.id}]" if verdict.id else ""
        lines.append(f"  {one_line(verdict.reason)} ({verdict.rule}){id}")
    return lines


def tool_lines(turn: Turn) -> list[str]:
    """The tools that were called, with what they gave."""
    lines = []
    for call in turn.tool_calls or []:
        lines.append(f"{call.stage}: {call_text(call.name, call.args)}  {call.ms} ms")
        lines.append(f"  → {outcome_text(call.result, call.error)}")
    return lines


def stage_lines(turn: Turn) -> list[str]:
    """How long each stage took, with which model and how many tokens."""
    lines = []
    for step in turn.trace:
        tokens = f"{step.tokens_in or 0} in, {step.tokens_out} out" if step.tokens_out else ""
        lines.append(f"{step.stage:<10}{step.ms:>7,} ms  {tokens:<20} {step.model or ''}".rstrip())
    if lines:
        lines.append(f"{'together':<10}{sum(step.ms for step in turn.trace):>7,} ms")
    return lines


def issue_lines(turn: Turn) -> list[str]:
    """What went wrong in the turn without stopping it."""
    lines = []
    for issue in turn.issues:
        lines.append(f"{issue.stage}: {one_line(issue.message)} ({issue.code})")
        lines += [f"  {one_line(issue.fix)}"] if issue.fix else []
    return lines


# name -> (title, the lines of a turn), in the order in which they are shown
PANELS: dict[str, tuple[str, Callable[[Turn], list[str]]]] = {
    "plan": ("Plan", plan_lines),
    "evidence": ("Evidence", evidence_lines),
    "reflection": ("Reflection", reflection_lines),
    "decisions": ("Decisions and facts", decision_lines),
    "tools": ("Tools", tool_lines),
    "prompts": ("Prompts and replies", lambda turn: []),
    "issues": ("Issues", issue_lines),
    "stages": ("Time and tokens", stage_lines),
}


def together(answered: Turn, finished: Turn) -> Turn:
    """A turn as it was answered, with what was found and stored behind the answer."""
    return structs.replace(
        answered,
        reflection=finished.reflection,
        stored=finished.stored,
        plan=finished.plan,
        trace=[*answered.trace, *finished.trace],
        issues=[*answered.issues, *(i for i in finished.issues if i not in answered.issues)],
    )


def _planned(when: str, instructions: Sequence[Instruction]) -> list[str]:
    return [f"{when}: {instruction_line(item)}" for item in instructions]
