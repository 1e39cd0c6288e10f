"""Golden records: successful turns as training data, and the files they are exported to."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from thalamus.records.base import EvidenceKind, Record
from thalamus.records.stage_logs import PromptMessage
from thalamus.records.turns import Instruction


class GoldenEvidence(Struct, kw_only=True, forbid_unknown_fields=True):
    """A piece of recalled evidence; ``used``: the answer's words show that it was used."""

    id: str
    kind: EvidenceKind
    text: str
    score: float
    rank: Annotated[int, Meta(ge=1)]
    used: bool = False


class GoldenContext(Struct, kw_only=True, forbid_unknown_fields=True):
    """The rest of the prompt: the earlier ``dialogue`` and lines of the user's ``profile``. ``at``:
    when the message was sent."""

    at: str | None = None
    dialogue: list[PromptMessage] = []
    profile: list[str] = []


class GoldenOutcome(Struct, kw_only=True, forbid_unknown_fields=True):
    """Outcome of a turn: how much of its evidence was ``used``, the number of `store`'s
    ``decisions`` of each kind, and how many of the next three turns of its session ``followed``
    without correcting it."""

    used: int = 0
    decisions: dict[str, int] = {}
    followed: int = 0


class Golden(Record, tag="golden"):
    """A successful turn, from message to answer: nothing failed, the answer used the recalled
    evidence, and none of that was corrected within three turns."""

    turn: str
    impulse: str
    context: GoldenContext
    final_synthesis: str
    outcome: GoldenOutcome
    generated_plan: list[Instruction] = []
    recall_result: list[GoldenEvidence] = []
    models: dict[str, str] = {}


class GoldenFile(Struct, kw_only=True, forbid_unknown_fields=True):
    """A file of a data set, with the number of its ``rows`` and its SHA-256."""

    name: str
    rows: int
    sha256: str


class GoldenCard(Record, tag="golden_card"):
    """Description of a data set. ``turns``: turns considered; ``left_out``: excluded turns by
    reason; ``first`` and ``last``: times of its turns; ``models``: rows by model."""

    at: str
    version: str
    format: str
    files: list[GoldenFile] = []
    turns: int = 0
    rows: int = 0
    left_out: dict[str, int] = {}
    filters: dict[str, str] = {}
    split: dict[str, float] = {}
    redacted: bool = True
    personal: bool = False
    models: dict[str, int] = {}
    first: str | None = None
    last: str | None = None


class Personality(Record, tag="personality"):
    """First line of an exported personality, with the number of memories, insights and
    dialogues."""

    at: str
    version: str
    memories: int = 0
    insights: int = 0
    dialogues: int = 0
