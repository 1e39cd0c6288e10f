"""What became of a proposal: kept, in need of a second look, refused; and what is over."""

from __future__ import annotations

from dataclasses import dataclass, field

from thalamus.extract.dates import PartialDate
from thalamus.extract.proposals import ProposedFact, ProposedMemory
from thalamus.extract.source import KnownItem
from thalamus.text.quotes import Span

Claim = ProposedMemory | ProposedFact


@dataclass(frozen=True)
class Checked:
    """A proposal with what code found of it.

    ``quote``: the words of the source that it rests on; ``doubts``: why a second look is needed;
    ``verbatim``: the quote is to be kept in place of the model's sentence; ``begin`` and ``end``:
    its dates, as far as they can be right; ``replaces``: what it takes the place of; ``affirmed``:
    the words of the assistant that the message affirms.
    """

    item: Claim
    quote: str
    span: Span
    doubts: tuple[str, ...] = ()
    verbatim: bool = False
    begin: PartialDate | None = None
    end: PartialDate | None = None
    about: bool = False
    replaces: KnownItem | None = None
    affirmed: str = ""
    trust: float = 1.0

    @property
    def is_memory(self) -> bool:
        """Whether it is a memory, and not a fact."""
        return isinstance(self.item, ProposedMemory)


@dataclass(frozen=True)
class Ended:
    """Something known that is over, the words that say it, and its last day where one is given."""

    item: KnownItem
    quote: str
    end: PartialDate | None = None


@dataclass(frozen=True)
class Refused:
    """A proposal that is not kept, with the rule and the reason; ``quarantine``: it is put where
    a person can look at it; ``strange``: the name or number that nobody said."""

    text: str
    rule: str
    reason: str
    quarantine: bool = False
    strange: str = ""


@dataclass
class Verified:
    """The items of a reply: kept, in need of a second look, refused, and what is over."""

    kept: list[Checked] = field(default_factory=list)
    doubted: list[Checked] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)
