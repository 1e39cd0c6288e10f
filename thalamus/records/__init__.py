"""Every record that crosses a pipe.

One JSON object per line; ``record`` names the kind, ``v`` its version. Unknown fields are
refused (a misspelt ``created_at`` must not be silently stamped "now"); ``metadata`` is the place
for one's own. Fields are only ever added. ``schemas/*.json`` are generated from these classes.

Times are RFC 3339 text in UTC (``2023-05-08T13:56:00Z``); a bare date is accepted. An empty text
or a null means "not given".
"""

from __future__ import annotations

from thalamus.records.base import (
    IMPORTANCES,
    Decision,
    EvidenceKind,
    Importance,
    Issue,
    Mode,
    Record,
    Scope,
    Sensitivity,
    Text,
    Unit,
)
from thalamus.records.memories import (
    DOCUMENT_TYPES,
    Alias,
    Belief,
    Document,
    Fact,
    Link,
    Memory,
    Note,
    Predicate,
    Provenance,
    Quarantine,
)
from thalamus.records.reports import (
    Batch,
    Error,
    Evaluation,
    EvaluationResult,
    Event,
    Finding,
    Judged,
    MemoryCase,
    MemoryEvaluation,
    Score,
    Tally,
)
from thalamus.records.turns import (
    Dialogue,
    Evidence,
    Instruction,
    Plan,
    Reflection,
    Step,
    Turn,
    Verdict,
)

RECORDS: dict[str, type[Record]] = {
    "turn": Turn,
    "memory": Memory,
    "fact": Fact,
    "reflection": Reflection,
    "plan": Plan,
    "evidence": Evidence,
    "verdict": Verdict,
    "document": Document,
    "alias": Alias,
    "predicate": Predicate,
    "link": Link,
    "event": Event,
    "batch": Batch,
    "error": Error,
    "finding": Finding,
    "evaluation": Evaluation,
    "evaluation_result": EvaluationResult,
    "memory_evaluation": MemoryEvaluation,
    "memory_case": MemoryCase,
}

__all__ = [
    "DOCUMENT_TYPES",
    "IMPORTANCES",
    "RECORDS",
    "Alias",
    "Batch",
    "Belief",
    "Decision",
    "Dialogue",
    "Document",
    "Error",
    "Evaluation",
    "EvaluationResult",
    "Event",
    "Evidence",
    "EvidenceKind",
    "Fact",
    "Finding",
    "Importance",
    "Instruction",
    "Issue",
    "Judged",
    "Link",
    "Memory",
    "MemoryCase",
    "MemoryEvaluation",
    "Mode",
    "Note",
    "Plan",
    "Predicate",
    "Provenance",
    "Quarantine",
    "Record",
    "Reflection",
    "Scope",
    "Score",
    "Sensitivity",
    "Step",
    "Tally",
    "Text",
    "Turn",
    "Unit",
    "Verdict",
]
