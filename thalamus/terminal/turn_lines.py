"""Lines about a turn by section, for --debug, the debug console of the full screen, and `trace
--follow`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from thalamus.terminal.lines import instruction_line, one_line, quoted
from thalamus.terminal.local import day
from thalamus.terminal.tool_calls import call_text, outcome_text

if TYPE_CHECKING:
    from thalamus.records import (
        Dialogue,
        Evidence,
        Instruction,
        Issue,
        Plan,
        ProfileLine,
        Reflection,
        Step,
        ToolCall,
        Turn,
        TurnContext,
        Verdict,
    )

LONG = 240  # characters of one text
VERBATIM = "kept word for word"  # all that is stored of a message of which nothing was understood
LABEL = 12  # columns before the lines of a section


def _planned(when: str) -> Callable[[Iterable[Instruction]], list[str]]:
    return lambda found: [f"{when}: {instruction_line(item)}" for item in found or ()]


def _next(plan: Plan | None) -> list[str]:
    return _planned("next turn")(plan.retrieval_instructions if plan else ())


def _profile(lines: Iterable[ProfileLine]) -> list[str]:
    return [f"profile: {one_line(line.text, LONG)}" for line in lines or () if line.in_prompt]


def _dialogue(found: Dialogue) -> list[str]:
    if not found:
        return []
    counts = {"in the prompt": len(found.shown), "without room in the prompt": len(found.evicted)}
    return [f"exchanges {where}: {count}" for where, count in counts.items() if count]


def _context(found: TurnContext) -> list[str]:
    sources = found.sources if found else ()
    return [f"{item.kind}: {one_line(item.title)} ({len(item.items)} items)" for item in sources]


def _evidence(found: Iterable[Evidence]) -> list[str]:
    """Each piece with its score, and below it the reasons for it."""
    lines = []
    for item in found:
        when = f"  {day(item.at)}" if item.at else ""
        lines.append(f"{item.score:.2f}{when}  {item.kind}  {one_line(item.text, LONG)}")
        scores = dict(item.scores)
        if item.relevance is not None:
            scores["relevance"] = item.relevance
        figures = "  ".join(f"{name} {value:.2f}" for name, value in scores.items())
        parts = [part for part in (one_line(item.why), figures) if part]
        lines.append(f"  {'; '.join(parts)}  [{item.id}]" if parts else f"  [{item.id}]")
        if item.stale:
            lines.append(f"  no longer: {one_line(item.stale)}")
    return lines


def _reflection(found: Reflection | None) -> list[str]:
    if found is None:
        return []
    lines = []
    for memory in found.memories_to_store:
        topic = f"  ({one_line(memory.topic)})" if memory.topic else ""
        lines.append(f"memory: {one_line(memory.content, LONG)}{topic}")
    for fact in found.facts:
        lines.append(f"fact: {one_line(f'{fact.subject} {fact.predicate} {fact.object}', LONG)}")
        if fact.quote:
            lines.append(f"  from {quoted(fact.quote, LONG)}")
    lines += [f"refused: {_verdict(verdict)}" for verdict in found.refused]
    lines += [f"no longer: {ending.id}" for ending in found.no_longer]
    return lines or ["no memory or fact"]


def _stored(found: Iterable[Verdict]) -> list[str]:
    return [f"{verdict.decision}: {_verdict(verdict)}" for verdict in found]


def _verdict(verdict: Verdict) -> str:
    id = f"  [{verdict.id}]" if verdict.id else ""
    reason = f"({verdict.rule}: {one_line(verdict.reason)})"
    return f"{one_line(verdict.content, LONG)}  {reason}{id}"


def _tool_calls(found: Iterable[ToolCall]) -> list[str]:
    lines = []
    for call in found or ():
        lines.append(f"{call.stage}: {call_text(call.name, call.args)}  {call.ms} ms")
        lines.append(f"  → {outcome_text(call.result, call.error)}")
    return lines


def _issues(found: Iterable[Issue]) -> list[str]:
    lines = []
    for issue in found:
        lines.append(f"{issue.stage}: {one_line(issue.message)} ({issue.code})")
        lines += [f"  {one_line(issue.fix)}"] if issue.fix else []
    return lines


def _trace(steps: list[Step]) -> list[str]:
    lines = [f"{step.stage:<{LABEL}}{cost(step)}" for step in steps]
    if lines:
        lines.append(f"{'together':<{LABEL}}{sum(step.ms for step in steps):,} ms")
    return lines


def cost(step: Step) -> str:
    """``1,240 ms, 812 tokens in, 34 out, qwen2.5``: the model last, by the name of its file."""
    parts = [f"{step.ms:,} ms"]
    if step.tokens_in is not None:
        cached = f" ({step.tokens_cached:,} cached)" if step.tokens_cached else ""
        parts.append(f"{step.tokens_in:,} tokens in{cached}")
    if step.tokens_out is not None:
        parts.append(f"{step.tokens_out:,} out")
    if step.model:
        parts.append(step.model.rpartition("/")[2])
    return ", ".join(parts)


# field of a turn -> its lines
FIELDS: dict[str, Callable[[Any], list[str]]] = {
    "route": lambda route: [f"route: {route}"] if route else [],
    "draft": lambda draft: [f"draft: {one_line(draft, LONG)}"] if draft else [],
    "retrieval_instructions": _planned("this turn"),
    "search_plan": _planned("because of the draft"),
    "plan": _next,
    "profile": _profile,
    "dialogue": _dialogue,
    "context": _context,
    "evidence": _evidence,
    "reflection": _reflection,
    "stored": _stored,
    "tool_calls": _tool_calls,
    "issues": _issues,
    "trace": _trace,
}
# section -> its fields, in order
SECTIONS: dict[str, tuple[str, ...]] = {
    "plan": ("route", "draft", "retrieval_instructions", "search_plan", "plan"),
    "evidence": ("profile", "dialogue", "context", "evidence"),
    "reflection": ("reflection",),
    "decisions": ("stored",),
    "tools": ("tool_calls",),
    "issues": ("issues",),
    "stages": ("trace",),
}


def section_lines(turn: Turn, section: str) -> list[str]:
    """Lines of one section of a turn."""
    lines = [line for name in SECTIONS[section] for line in FIELDS[name](getattr(turn, name))]
    return [VERBATIM] if section == "decisions" and not lines and is_stored(turn) else lines


def is_stored(turn: Turn) -> bool:
    """True if the messages of a turn are in the store."""
    return any(step.stage == "store" for step in turn.trace)


def turn_lines(turn: Turn) -> list[str]:
    """Lines of all sections of a turn, each next to its name."""
    lines = [f"[turn {turn.id} in session {turn.session}]"]
    for section in SECTIONS:
        label = section
        for line in section_lines(turn, section):
            lines.append(f"{label:<{LABEL}}{line}")
            label = ""
    return lines
