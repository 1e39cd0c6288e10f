"""A plugin that keeps secrets out of the memory, puts facts first, adds a stage that takes Markdown
out of answers, and keeps a diary.

Each function may take any of its hook's arguments by name.
"""

import os
from pathlib import Path

import pluggy
from msgspec.structs import replace

from thalamus import Stage
from thalamus.records import Verdict

hookimpl = pluggy.HookimplMarker("thalamus")


@hookimpl
def before_write(memory):
    """Refuses what speaks of a password; files what speaks of boats under a topic of its own."""
    said = memory.content.lower()
    if "password" in said:
        return Verdict(decision="refuse", rule="no_secrets", reason="passwords are not kept")
    if "boat" in said:
        return replace(memory, topic="boats")
    return None


@hookimpl
def after_retrieve(evidence):
    """Facts first; the order is otherwise as it was."""
    return sorted(evidence, key=lambda item: item.kind != "fact")


def plain(turn, run):
    """The turn with an answer without Markdown emphasis."""
    return replace(turn, answer=(turn.answer or "").replace("**", "") or None)


@hookimpl
def add_stages():
    """A stage that a flow may name: retrieve,answer,plain,reflect,store."""
    return Stage("plain", plain, reads=("answer",), writes=("answer",))


@hookimpl
def on_task_complete(task):
    """A line for each turn and document, where DIARY says."""
    if diary := os.environ.get("DIARY"):
        with Path(diary).open("a") as file:
            print(task["task"], task.get("id"), file=file)
