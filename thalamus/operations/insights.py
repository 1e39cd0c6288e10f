"""Acts on insights."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from thalamus.operations import Act
from thalamus.terminal.insights import insight_line


class Reject(Struct, frozen=True):
    """The insights that are wrong."""

    ids: Annotated[
        list[str], Meta(title="ID…", description="The id of an insight, or a prefix of it.")
    ]


REJECT = Act(
    Reject,
    lambda t, given: [t.insights.reject(id) for id in given.ids],
    lambda found: map(insight_line, found),
)
