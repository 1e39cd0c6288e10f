"""Results of verification: proposals kept, doubted and refused, and known items that ended."""

from __future__ import annotations

from msgspec import Struct, field

from thalamus.extract.proposals import ProposedFact, ProposedMemory
from thalamus.extract.source import KnownItem
from thalamus.text.partial_dates import PartialDate
from thalamus.text.quotes import Span

Claim = ProposedMemory | ProposedFact


class Checked(Struct, frozen=True):
    """A proposal with the findings of its checks.

    ``quote``: words of the source it rests on; ``doubts``: reasons for a second look; ``verbatim``:
    keep the quote instead of the model's sentence; ``begin`` and ``end``: its dates where
    plausible; ``over``: it has ended, at an unknown time; ``about``: ``begin`` is approximate;
    ``replaces``: the known item it replaces; ``affirmed``: words of the assistant that the message
    affirms.
    """

    item: Claim
    quote: str
    span: Span
    doubts: tuple[str, ...] = ()
    verbatim: bool = False
    begin: PartialDate | None = None
    end: PartialDate | None = None
    over: bool = False
    about: bool = False
    replaces: KnownItem | None = None
    affirmed: str = ""

    @property
    def is_memory(self) -> bool:
        """True for a memory, False for a fact."""
        return isinstance(self.item, ProposedMemory)


class Ended(Struct, frozen=True):
    """A known item that no longer holds, the words that say so, and its last day if given."""

    item: KnownItem
    quote: str
    end: PartialDate | None = None


class Refused(Struct, frozen=True):
    """A refused proposal with the rule and the reason. ``quarantine``: it is quarantined for
    review; ``strange``: the invented name or number; ``item``: the proposal, unless it was an
    ending."""

    text: str
    rule: str
    reason: str
    quarantine: bool = False
    strange: str = ""
    item: Claim | None = None


class Verified(Struct):
    """Results for one reply: kept, doubted and refused proposals, ended items, and those that the
    user asks to forget."""

    kept: list[Checked] = field(default_factory=list)
    doubted: list[Checked] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)
    forget: list[KnownItem] = field(default_factory=list)
