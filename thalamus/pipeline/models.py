"""Check of a flow's models before its first turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.errors import MODEL_ERRORS, ModelMissing, NoChatModel, UsageError
from thalamus.models.protocol import Presence
from thalamus.pipeline.flow import Flow, find_stage

if TYPE_CHECKING:
    from thalamus.engine import Engine


def look_up(flow: Flow, engine: Engine) -> None:
    """Raises ``ModelMissing`` for the first role of a flow whose model is certainly missing, and
    ``UsageError`` for one whose name is not that of a model. Each model is checked once per
    process; other problems show up in the turn."""
    for name in flow.names():
        stage = find_stage(name, engine.plugins)
        if stage is None or stage.role is None or not _uses_model(name, engine):
            continue
        spec = engine.config.model_for(stage.role)
        looked_up: set[str] = engine.once("looked up", set)
        if spec in looked_up:
            continue
        looked_up.add(spec)
        try:
            chat = engine.models.chat(stage.role)
            if isinstance(chat, Presence):
                chat.look_up()
        except NoChatModel:
            continue  # no model is configured; the message is stored all the same
        except (ModelMissing, UsageError):
            looked_up.discard(spec)
            raise
        except MODEL_ERRORS:
            continue


def _uses_model(stage: str, engine: Engine) -> bool:
    """True if the settings let a stage ask its model."""
    config = engine.config
    if stage == "plan":
        return config.enable_reflection and config.planner == "model"
    return config.enable_reflection or stage not in ("reflect", "topics")
