"""Acts on one source of documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from thalamus.operations import OWNER, Act
from thalamus.terminal.sources import source_line

if TYPE_CHECKING:
    from thalamus.records import DiscoverySource


class Add(Struct, frozen=True):
    """The address of a new source."""

    url: Annotated[
        str, Meta(title="URL", description="Address of a feed, a page or a git repository.")
    ]


class OfSource(Struct, frozen=True):
    """The source that an act is about."""

    source: Annotated[
        str,
        Meta(title="SOURCE", description="The address of a source, or its id or a prefix of it."),
    ]


def _lines(found: Sequence[DiscoverySource]) -> Iterable[str]:
    return map(source_line, found)


def _hint(found: Sequence[DiscoverySource]) -> str:
    unread = any(one.status == "active" and one.last_crawled is None for one in found)
    return "`thalamus sources crawl` reads it." if unread else ""


ADD = Act(Add, lambda t, given: [t.sources.add(given.url)], _lines, OWNER, _hint)
APPROVE = Act(OfSource, lambda t, given: [t.sources.approve(given.source)], _lines, OWNER, _hint)
DISABLE = Act(OfSource, lambda t, given: [t.sources.disable(given.source)], _lines, OWNER, _hint)
