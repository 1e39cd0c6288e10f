"""noting: where a thing comes from as links, and what was decided as the ledger keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.records import Link

if TYPE_CHECKING:
    from thalamus.records import Fact, Memory, Verdict
    from thalamus.storage.protocol import Writer


def link_source(item: Memory | Fact, writer: Writer) -> None:
    """Links a memory or a fact to the turn and the document that it came from."""
    source = item.provenance
    for target in (source.turn, source.document) if source else ():
        if target:
            writer.add_link(Link(source=item.id or "", relation="derived_from", target=target))


def decision(verdict: Verdict) -> dict[str, object]:
    """A verdict for the ledger: without a word of what it is about, which may be forgotten."""
    names = ("id", "decision", "rule", "reason")
    return {name: getattr(verdict, name) for name in names}
