"""Looking up the models of a flow before its first turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.errors import MODEL_ERRORS, ModelMissing, NoChatModel
from thalamus.models.protocol import Presence
from thalamus.pipeline.flow import Flow, find_stage

if TYPE_CHECKING:
    from thalamus.context import Context


def look_up(flow: Flow, context: Context) -> None:
    """Raises ``ModelMissing`` for the first model of a flow's roles that is certainly not there.
    Each is looked up once in a process; what else may be wrong with it, the turn tells."""
    for name in flow.names():
        stage = find_stage(name, context.plugins)
        if stage is None or stage.role is None or not _is_asked(name, context):
            continue
        spec = context.config.model_for(stage.role)
        if spec in context.looked_up:
            continue
        context.looked_up.add(spec)
        try:
            chat = context.models.chat(stage.role)
            if isinstance(chat, Presence):
                chat.look_up()
        except NoChatModel:
            continue  # none was named; the message is kept all the same
        except ModelMissing:
            context.looked_up.discard(spec)
            raise
        except MODEL_ERRORS:
            continue


def _is_asked(stage: str, context: Context) -> bool:
    """Whether the settings let a stage ask its model at all."""
    config = context.config
    if stage == "plan":
        return config.enable_reflection and config.planner == "model"
    return config.enable_reflection or stage not in ("reflect", "topics")
