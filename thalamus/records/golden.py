"""What a turn that succeeded can teach, and the files that it was written to."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from thalamus.records.base import EvidenceKind, Record
from thalamus.records.stage_logs import PromptMessage
from thalamus.records.turns import Instruction


class GoldenEvidence(Struct, kw_only=True, forbid_unknown_fields=True):
    """Something that was recalled; ``used``: whether the answer did, as far as its words show."""

    id: str
    kind: EvidenceKind
    text: str
    score: float
    rank: Annotated[int, Meta(ge=1)]
    used: bool = False


class GoldenContext(Struct, kw_only=True, forbid_unknown_fields=True):
    """What stood in the prompt besides the evidence: the ``dialogue`` before, and lines of the
    user's ``profile``; ``at``: when the message was said."""

    at: str | None = None
    dialogue: list[PromptMessage] = []
    profile: list[str] = []


class GoldenOutcome(Struct, kw_only=True, forbid_unknown_fields=True):
    """How a turn ended: how much of its evidence was ``used``, how many ``decisions`` of each kind
    `store` made, and how many turns of its session ``followed`` without correcting it, of the
    three that are looked at."""

    used: int = 0
    decisions: dict[str, int] = {}
    followed: int = 0


class Golden(Record, tag="golden"):
    """A turn that succeeded, from the message to the answer: nothing went wrong in it, its answer
    used what was recalled, and nothing of that was corrected within three turns."""

    turn: str
    impulse: str
    context: GoldenContext
    final_synthesis: str
    outcome: GoldenOutcome
    generated_plan: list[Instruction] = []
    recall_result: list[GoldenEvidence] = []
    models: dict[str, str] = {}


class GoldenFile(Struct, kw_only=True, forbid_unknown_fields=True):
    """A file of a data set: its ``name``, how many ``rows`` it has, and its SHA-256."""

    name: str
    rows: int
    sha256: str


class GoldenCard(Record, tag="golden_card"):
    """What a data set is made of. ``turns``: how many were looked at; ``left_out``: how many of
    them were left out, by reason; ``first`` and ``last``: when its turns were said; ``models``: how
    many rows rest on each."""

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


class ExportedFile(Record, tag="exported_file"):
    """A file that a data set or a report was written to; ``holds`` are the ids of the turns, and of
    what else it quotes, so that `forget` can say which files hold what it deletes."""

    path: str
    format: str
    id: str | None = None
    at: str | None = None
    rows: int = 0
    holds: list[str] = []


class Personality(Record, tag="personality"):
    """The first line of an exported personality: the number of memories, insights and dialogues."""

    at: str
    version: str
    memories: int = 0
    insights: int = 0
    dialogues: int = 0
