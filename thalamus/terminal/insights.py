"""Insights as lines, and merges of insights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from thalamus.terminal.lines import counted, one_line
from thalamus.terminal.local import day

if TYPE_CHECKING:
    from thalamus.records import Insight
    from thalamus.records.reports import DeepReflection


def insight_line(insight: Insight) -> str:
    """``2026-05-08 1 Ana and Bo both play chess. (about: chess, Ana) [ins_…]``: day, strength,
    content and concepts."""
    concepts = f"  (about: {', '.join(insight.concepts)})" if insight.concepts else ""
    head = f"{day(insight.created_at)}  {insight.strength:g}"
    line = f"{head}  {one_line(insight.content)}{concepts}  [{insight.id or '-'}]"
    if insight.status == "quarantined":
        reason = f": {one_line(insight.quarantine.reason)}" if insight.quarantine else ""
        return f"{line}  (quarantined{reason})"
    if insight.status == "archived":
        return f"{line}  (merged into {insight.merged_into})"
    return line if insight.status == "active" else f"{line}  ({insight.status})"


def insight_fields(insight: Insight) -> Iterator[str]:
    """A line for each field; ``-`` for an empty one."""
    for name in insight.__struct_fields__:
        if name == "v":
            continue
        value = getattr(insight, name)
        if isinstance(value, list):
            value = ", ".join(value)
        if name == "quarantine" and value is not None:
            value = f"{value.rule}: {value.reason}"
        if isinstance(value, float):
            value = f"{value:g}"
        yield f"{name:12}  {value or '-'}"


def reflection_lines(report: DeepReflection) -> Iterator[str]:
    """Lines about a merge of insights: one for each group, and a summary."""
    for group in report.groups:
        if group.decision == "left":
            yield f"left    {group.concept}: {len(group.members)} insights, {group.reason}"
            continue
        word = "would merge" if report.dry_run else "merged"
        content = f": {one_line(group.content)}" if group.content else ""
        named = f"  [{group.insight}]" if group.insight else ""
        yield f"{word}  {group.concept}: {len(group.members)} insights{content}{named}"
    alone = counted({"insight": report.alone})
    if not report.groups:
        yield f"nothing to merge: {alone} without a similar one"
        return
    verb = "would be archived" if report.dry_run else "archived"
    yield (
        f"{counted({'group': report.merged})} merged, {report.archived} {verb}, {alone} without a"
        f" similar one; strength {report.strength:g}"
    )
