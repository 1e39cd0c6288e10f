"""The records that cross a pipe.

One JSON object per line; ``record`` names the kind, ``v`` its version. Unknown fields are refused
(a misspelt ``created_at`` must not be silently stamped "now"); ``metadata`` is the place for custom
fields. Fields are only ever added. ``schemas/*.json`` are generated from these classes. Times are
RFC 3339 text in UTC (``2023-05-08T13:56:00Z``); a bare date is accepted. An empty text or a null
means "not given".

Records that commands read or print and nothing stores (``reports``, ``metrics``, ``golden`` …) are
imported from their own modules; ``registry`` lists all.
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
from thalamus.records.exported_files import ExportedFile
from thalamus.records.insights import INSIGHT_STATUSES, Insight, InsightStatus
from thalamus.records.ledger import Event
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
from thalamus.records.profiles import PersonaPrefs, Profile, ProfileLine
from thalamus.records.projects import Manifest, ManifestItem, Project, ProjectStatus
from thalamus.records.sessions import Session, SessionMatch, SessionTitle
from thalamus.records.sources import DiscoverySource, SourceStatus, SourceType
from thalamus.records.stage_logs import LoggedCall, PromptMessage, StageLog
from thalamus.records.turns import (
    ContextSource,
    Dialogue,
    Ending,
    Evidence,
    Explanation,
    Instruction,
    MemoryRequest,
    Plan,
    Reflection,
    Route,
    Signal,
    SourceItem,
    SourceKind,
    Step,
    ToolCall,
    Turn,
    TurnContext,
    Verdict,
)
from thalamus.records.worlds import OPERATORS, TOPICS, Operator, World, WorldChange, WorldOperation

__all__ = [
    "DOCUMENT_TYPES",
    "IMPORTANCES",
    "INSIGHT_STATUSES",
    "OPERATORS",
    "TOPICS",
    "Alias",
    "Belief",
    "ContextSource",
    "Decision",
    "Dialogue",
    "DiscoverySource",
    "Document",
    "Ending",
    "Event",
    "Evidence",
    "EvidenceKind",
    "Explanation",
    "ExportedFile",
    "Fact",
    "Importance",
    "Insight",
    "InsightStatus",
    "Instruction",
    "Issue",
    "Link",
    "LoggedCall",
    "Manifest",
    "ManifestItem",
    "Memory",
    "MemoryRequest",
    "Mode",
    "Note",
    "Operator",
    "PersonaPrefs",
    "Plan",
    "Predicate",
    "Profile",
    "ProfileLine",
    "Project",
    "ProjectStatus",
    "PromptMessage",
    "Provenance",
    "Quarantine",
    "Record",
    "Reflection",
    "Route",
    "Scope",
    "Sensitivity",
    "Session",
    "SessionMatch",
    "SessionTitle",
    "Signal",
    "SourceItem",
    "SourceKind",
    "SourceStatus",
    "SourceType",
    "StageLog",
    "Step",
    "Text",
    "ToolCall",
    "Turn",
    "TurnContext",
    "Unit",
    "Verdict",
    "World",
    "WorldChange",
    "WorldOperation",
]
