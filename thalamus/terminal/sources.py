"""Sources as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from thalamus.terminal.lines import counted, one_line, quoted
from thalamus.terminal.local import day, minute

if TYPE_CHECKING:
    from thalamus.records import DiscoverySource, Document


def source_line(source: DiscoverySource) -> str:
    """``active     rss  0.50  https://figs.example/feed: Figs  (read 2026-05-08)  [src_…]``."""
    title = f": {one_line(source.title, 80)}" if source.title else ""
    notes = [f"read {day(source.last_crawled)}"] if source.last_crawled else []
    notes += [one_line(source.error, 120)] if source.error else []
    if source.status == "candidate":
        notes.append(counted({"mention": source.mentions}))
        notes += [f"may answer {quoted(source.looked_for[-1], 80)}"] if source.looked_for else []
    note = f"  ({'; '.join(notes)})" if notes else ""
    head = f"{source.status:9}  {source.type:3}  {source.score:.2f}"
    return f"{head}  {one_line(source.uri)}{title}{note}  [{source.id}]"


def source_fields(source: DiscoverySource) -> Iterator[str]:
    """A line for each field that is set."""
    origin = source.provenance
    fields = {
        "address": source.uri,
        "id": source.id,
        "title": source.title,
        "type": source.type,
        "status": source.status,
        "added by": "you" if source.added_by == "user" else "Thalamus",
        "score": f"{source.score:.2f} after {counted({'use': source.uses})}"
        if source.uses
        else f"{source.score:.2f}, not used yet",
        "mentions": str(source.mentions) if source.mentions else None,
        "added": day(source.created_at),
        "said in": origin.turn if origin else None,
        "with": quoted(origin.quote) if origin and origin.quote else None,
        "read": day(source.last_crawled) if source.last_crawled else "never",
        "not before": minute(source.not_before),
        "problem": source.error,
        "user": source.user,
        "sensitivity": source.sensitivity if source.sensitivity != "normal" else None,
    }
    for name, value in fields.items():
        if value:
            yield f"{name:11}  {one_line(value)}"
    for question in source.looked_for:
        yield f"{'may answer':11}  {quoted(question)}"


def document_lines(documents: Iterable[Document]) -> Iterator[str]:
    """A line for each document of a source."""
    for document in documents:
        when = f", published {day(document.published)}" if document.published else ""
        title = f"{quoted(document.title)} " if document.title else ""
        read = f"read {day(document.recorded_at)}{when}"
        yield f"{'document':11}  {title}{one_line(document.path)}  ({read})  [{document.id}]"


def crawled_line(source: DiscoverySource, new: int, failed: int) -> str:
    """The result of reading a source: ``read https://figs.example/feed: 3 new documents``."""
    if source.not_before and not new:
        until = f"its server is busy, and left alone until {minute(source.not_before)}"
        return f"put off    {one_line(source.uri)}: {until}  [{source.id}]"
    if source.error and not new:
        return f"failed     {one_line(source.uri)}: {one_line(source.error)}  [{source.id}]"
    parts = [f"{counted({'new document': new})}" if new else "nothing new"]
    parts += [f"{failed} could not be read"] if failed else []
    return f"read       {one_line(source.uri)}: {', '.join(parts)}  [{source.id}]"
