"""What the numbers among the settings may be."""

from __future__ import annotations

from thalamus.errors import ConfigError

DAY = 86_400

# name -> the least and the most, both allowed; every number of ``config.Config`` is here
RANGES: dict[str, tuple[float, float]] = {
    "model_timeout": (0, DAY),
    "context": (256, 10_000_000),
    "threads": (0, 1024),
    "second_look": (0, 1),
    "max_memory_results": (1, 1000),
    "recent_messages": (0, 10_000),
    "token_budget": (1, 10_000_000),
    "max_answer_tokens": (1, 1_000_000),
    "temperature": (0, 5),
    "busy_timeout": (0, DAY),
    "batch_size": (1, 100_000),
    "ingest_timeout": (0.01, DAY),
    "chunk_tokens": (1, 100_000),
    "undo_days": (0, 36_500),
    "max_memories": (0, 1_000_000_000),
    "core_limit": (0, 10_000),
    "core_tokens": (0, 1_000_000),
    "dialogue_share": (0, 1),
}


def check_range(name: str, value: object) -> None:
    """Raises ``ConfigError`` for a number out of its range; NaN is in none."""
    if name not in RANGES or not isinstance(value, int | float):
        return
    least, most = RANGES[name]
    if not least <= value <= most:
        raise ConfigError(f"{name} must be from {least:,} to {most:,}, not {value}")
