"""Coding agents: their transcripts, hooks in their sessions, and what they read by themselves."""

from thalamus.features import Feature

FEATURE = Feature(
    commands={
        "Documents and exchange": {
            "hook": (
                "Give coding agents this memory, and record what they do.",
                "thalamus.agents.commands",
            ),
        }
    },
    examples="thalamus.agents.commands:EXAMPLES",
    formats=("claude-code", "codex", "gemini-cli", "opencode"),
    exports={"agents-md": "thalamus.agents.commands:export_agents_md"},
    importer="thalamus.agents.importing:TranscriptImporter",
)
