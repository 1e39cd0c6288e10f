"""Thalamus: long-term memory for local language models.

``from thalamus import Thalamus`` is the Python API, and every type that it takes or returns has its
name here; the command line is ``thalamus``. Names are loaded on first use, so that ``import
thalamus`` costs nothing.
"""

from typing import TYPE_CHECKING, Any

from thalamus.version import VERSION as __version__

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.api.aio import AsyncThalamus
    from thalamus.cancel import CancelToken
    from thalamus.clock import Clock
    from thalamus.config import Config
    from thalamus.errors import ThalamusError
    from thalamus.events import ThalamusEvent, ThalamusEvents
    from thalamus.memory.draft import Storable
    from thalamus.memory.encrypt_stored import EncryptionReport
    from thalamus.memory.forget.erase import ForgetOptions, ForgetReport
    from thalamus.memory.forget.fingerprints import ForgottenRecords
    from thalamus.memory.jobs import Job
    from thalamus.memory.join_names import Joined
    from thalamus.memory.retention.prune import PruneOptions, PruneResult
    from thalamus.memory.undo.undo import Undone
    from thalamus.memory.views.timeline import TimelineQuery
    from thalamus.memory.write import Written
    from thalamus.pipeline.consolidate import ConsolidateOptions
    from thalamus.pipeline.crystallize import Crystallized
    from thalamus.pipeline.flow import Flow
    from thalamus.pipeline.jobs import JobResult
    from thalamus.policy.predicates import PredicateEntry
    from thalamus.records import (
        Alias,
        DiscoverySource,
        Document,
        Event,
        Evidence,
        Fact,
        Insight,
        Instruction,
        Issue,
        Link,
        Manifest,
        Memory,
        Plan,
        Profile,
        Project,
        Provenance,
        Record,
        Reflection,
        Session,
        SessionMatch,
        StageLog,
        Turn,
        Verdict,
        World,
        WorldChange,
        WorldOperation,
    )
    from thalamus.records.activities import Activity
    from thalamus.records.concepts import Concept, ConceptDetails
    from thalamus.records.graphs import Graph
    from thalamus.records.installation import Model, ModelCheck
    from thalamus.records.metrics import Metrics
    from thalamus.records.reports import Batch, DeepReflection, Origin, StageDescription
    from thalamus.records.statistics import Statistics
    from thalamus.records.timelines import TimelineItem
    from thalamus.records.tools import ToolDescription, ToolPerformance, ToolResult
    from thalamus.store.maintenance import CopyReport, HnswResult, IndexState, Initialization
    from thalamus.store.signing.audit import StoreVerification
    from thalamus.store.values import Change, Filter, Vector
    from thalamus.transfer.export import Selection
    from thalamus.transfer.reset import ResetReport
    from thalamus.turn_run import Stage, TurnRun

__all__ = [
    "Activity",
    "Alias",
    "AsyncThalamus",
    "Batch",
    "CancelToken",
    "Change",
    "Clock",
    "Concept",
    "ConceptDetails",
    "Config",
    "ConsolidateOptions",
    "CopyReport",
    "Crystallized",
    "DeepReflection",
    "DiscoverySource",
    "Document",
    "EncryptionReport",
    "Event",
    "Evidence",
    "Fact",
    "Filter",
    "Flow",
    "ForgetOptions",
    "ForgetReport",
    "ForgottenRecords",
    "Graph",
    "HnswResult",
    "IndexState",
    "Initialization",
    "Insight",
    "Instruction",
    "Issue",
    "Job",
    "JobResult",
    "Joined",
    "Link",
    "Manifest",
    "Memory",
    "Metrics",
    "Model",
    "ModelCheck",
    "Origin",
    "Plan",
    "PredicateEntry",
    "Profile",
    "Project",
    "Provenance",
    "PruneOptions",
    "PruneResult",
    "Record",
    "Reflection",
    "ResetReport",
    "Selection",
    "Session",
    "SessionMatch",
    "Stage",
    "StageDescription",
    "StageLog",
    "Statistics",
    "Storable",
    "StoreVerification",
    "Thalamus",
    "ThalamusError",
    "ThalamusEvent",
    "ThalamusEvents",
    "TimelineItem",
    "TimelineQuery",
    "ToolDescription",
    "ToolPerformance",
    "ToolResult",
    "Turn",
    "TurnRun",
    "Undone",
    "Vector",
    "Verdict",
    "World",
    "WorldChange",
    "WorldOperation",
    "Written",
    "__version__",
]

_PLACES = {
    "Activity": "thalamus.records.activities",
    "Alias": "thalamus.records",
    "Batch": "thalamus.records.reports",
    "CancelToken": "thalamus.cancel",
    "Change": "thalamus.store.values",
    "Clock": "thalamus.clock",
    "Concept": "thalamus.records.concepts",
    "ConceptDetails": "thalamus.records.concepts",
    "Config": "thalamus.config",
    "ConsolidateOptions": "thalamus.pipeline.consolidate",
    "CopyReport": "thalamus.store.maintenance",
    "Crystallized": "thalamus.pipeline.crystallize",
    "DeepReflection": "thalamus.records.reports",
    "DiscoverySource": "thalamus.records",
    "Document": "thalamus.records",
    "EncryptionReport": "thalamus.memory.encrypt_stored",
    "Event": "thalamus.records",
    "Evidence": "thalamus.records",
    "Fact": "thalamus.records",
    "Filter": "thalamus.store.values",
    "Flow": "thalamus.pipeline.flow",
    "ForgetOptions": "thalamus.memory.forget.erase",
    "ForgetReport": "thalamus.memory.forget.erase",
    "ForgottenRecords": "thalamus.memory.forget.fingerprints",
    "Graph": "thalamus.records.graphs",
    "HnswResult": "thalamus.store.maintenance",
    "IndexState": "thalamus.store.maintenance",
    "Initialization": "thalamus.store.maintenance",
    "Insight": "thalamus.records",
    "Instruction": "thalamus.records",
    "Issue": "thalamus.records",
    "Job": "thalamus.memory.jobs",
    "JobResult": "thalamus.pipeline.jobs",
    "Joined": "thalamus.memory.join_names",
    "Link": "thalamus.records",
    "Manifest": "thalamus.records",
    "Memory": "thalamus.records",
    "Metrics": "thalamus.records.metrics",
    "Model": "thalamus.records.installation",
    "ModelCheck": "thalamus.records.installation",
    "Origin": "thalamus.records.reports",
    "Plan": "thalamus.records",
    "PredicateEntry": "thalamus.policy.predicates",
    "Profile": "thalamus.records",
    "Project": "thalamus.records",
    "Provenance": "thalamus.records",
    "PruneOptions": "thalamus.memory.retention.prune",
    "PruneResult": "thalamus.memory.retention.prune",
    "Record": "thalamus.records",
    "Reflection": "thalamus.records",
    "ResetReport": "thalamus.transfer.reset",
    "Selection": "thalamus.transfer.export",
    "Session": "thalamus.records",
    "SessionMatch": "thalamus.records",
    "Stage": "thalamus.turn_run",
    "StageDescription": "thalamus.records.reports",
    "StageLog": "thalamus.records",
    "Statistics": "thalamus.records.statistics",
    "Storable": "thalamus.memory.draft",
    "StoreVerification": "thalamus.store.signing.audit",
    "AsyncThalamus": "thalamus.api.aio",
    "Thalamus": "thalamus.api",
    "ThalamusError": "thalamus.errors",
    "ThalamusEvent": "thalamus.events",
    "ThalamusEvents": "thalamus.events",
    "TimelineItem": "thalamus.records.timelines",
    "TimelineQuery": "thalamus.memory.views.timeline",
    "ToolDescription": "thalamus.records.tools",
    "ToolPerformance": "thalamus.records.tools",
    "ToolResult": "thalamus.records.tools",
    "Turn": "thalamus.records",
    "TurnRun": "thalamus.turn_run",
    "Undone": "thalamus.memory.undo.undo",
    "Vector": "thalamus.store.values",
    "Verdict": "thalamus.records",
    "World": "thalamus.records",
    "WorldChange": "thalamus.records",
    "WorldOperation": "thalamus.records",
    "Written": "thalamus.memory.write",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'thalamus' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return __all__
