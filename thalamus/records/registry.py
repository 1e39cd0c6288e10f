"""All records by the name in their field ``record``, in the order in which they are listed."""

from __future__ import annotations

from thalamus.records import (
    Alias,
    DiscoverySource,
    Document,
    Event,
    Evidence,
    ExportedFile,
    Fact,
    Insight,
    Link,
    Manifest,
    Memory,
    Plan,
    Predicate,
    Profile,
    Project,
    Record,
    Reflection,
    Session,
    SessionMatch,
    SessionTitle,
    StageLog,
    Turn,
    Verdict,
    World,
    WorldChange,
)
from thalamus.records.activities import Activity
from thalamus.records.concepts import Concept, ConceptDetails
from thalamus.records.evaluations import (
    AnswerEvaluation,
    AnswerResult,
    Evaluation,
    EvaluationResult,
    MemoryCase,
    MemoryEvaluation,
    PersonaAnswers,
)
from thalamus.records.golden import Golden, GoldenCard, Personality
from thalamus.records.graphs import Graph
from thalamus.records.installation import (
    Check,
    ConfigPath,
    Model,
    ModelCheck,
    RetentionRule,
    Schema,
    Setting,
    Token,
    TrustedFolder,
)
from thalamus.records.kinds import kinds
from thalamus.records.metrics import Metrics
from thalamus.records.reports import Batch, DeepReflection, Error, Finding, Origin, StageDescription
from thalamus.records.statistics import Statistics
from thalamus.records.timelines import TimelineItem
from thalamus.records.tools import ToolDescription, ToolPerformance, ToolResult

RECORDS: dict[str, type[Record]] = {
    "turn": Turn,
    "memory": Memory,
    "fact": Fact,
    "reflection": Reflection,
    "plan": Plan,
    "activity": Activity,
    "evidence": Evidence,
    "verdict": Verdict,
    "document": Document,
    "profile": Profile,
    "project": Project,
    "discovery_source": DiscoverySource,
    "world": World,
    "world_change": WorldChange,
    "manifest": Manifest,
    "insight": Insight,
    "concept": Concept,
    "concept_details": ConceptDetails,
    "graph": Graph,
    "alias": Alias,
    "predicate": Predicate,
    "link": Link,
    "session": Session,
    "session_title": SessionTitle,
    "session_match": SessionMatch,
    "stage_log": StageLog,
    "timeline_item": TimelineItem,
    "statistics": Statistics,
    "metrics": Metrics,
    "golden": Golden,
    "golden_card": GoldenCard,
    "exported_file": ExportedFile,
    "personality": Personality,
    "persona_answers": PersonaAnswers,
    "event": Event,
    "batch": Batch,
    "deep_reflection": DeepReflection,
    "error": Error,
    "finding": Finding,
    "evaluation": Evaluation,
    "evaluation_result": EvaluationResult,
    "memory_evaluation": MemoryEvaluation,
    "memory_case": MemoryCase,
    "answer_evaluation": AnswerEvaluation,
    "answer_result": AnswerResult,
    "stage": StageDescription,
    "tool": ToolDescription,
    "tool_performance": ToolPerformance,
    "tool_result": ToolResult,
    "origin": Origin,
    "check": Check,
    "model": Model,
    "model_check": ModelCheck,
    "setting": Setting,
    "path": ConfigPath,
    "trusted_folder": TrustedFolder,
    "token": Token,
    "retention_rule": RetentionRule,
    "schema": Schema,
}
RECORDS |= {kind.name: kind.record for kind in kinds() if kind.name not in RECORDS}
