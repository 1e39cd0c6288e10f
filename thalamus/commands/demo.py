"""`thalamus demo`: two short sessions, the second remembering the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import MODELS, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from thalamus.evaluation.demo import Demo
    from thalamus.records import Turn
    from thalamus.terminal.narration import Narrator

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*MODELS, "home")
def demo(
    config: Config,
    scripted: Annotated[
        bool, typer.Option("--scripted", help="Use the deterministic model: instant, no download.")
    ] = False,
    json: Json = False,
) -> None:
    """Play two short sessions, the second remembering the first.

    Uses a temporary store; your own memory is neither read nor written. The model is that of
    --model or the configuration, else one from Ollama, else a pulled one, else a tiny one that is
    downloaded (98 MB), else the scripted model. With --json: the turn records.
    """
    import tempfile

    from thalamus.evaluation.demo import SCRIPTED, Demo, find_model
    from thalamus.terminal.narration import Narrator

    story = None if json else Narrator()
    with tempfile.TemporaryDirectory(prefix="thalamus-demo-") as folder:
        model = SCRIPTED if scripted else find_model(config, complain)
        played = Demo(config, folder, model)
        _play(played, story)
    if story is not None:
        _what_next(config, played, story)


def _play(played: Demo, story: Narrator | None) -> None:
    from thalamus.api import Thalamus
    from thalamus.evaluation.demo import recalled
    from thalamus.events import ThalamusEvents
    from thalamus.terminal import jsonl
    from thalamus.terminal.repl import Status

    events = ThalamusEvents()
    status = Status()
    events.bind("on_status_update", status.update)
    turns = []
    try:
        with Thalamus(config=played.config, events=events, clock=played.clock) as thalamus:
            if story is not None:
                _introduce(played, story)
            for turn in played.play(thalamus, _narrate(story)):
                turns.append(turn)
                if story is None:
                    jsonl.write(turn)
    finally:
        status.clear()
    if story is not None:
        helped, asked = recalled(turns)
        story.text()
        story.text(
            f"In {helped} of the {asked} turns of the second session, what was said in the first "
            "one was handed to the model: recalled for the message, or in the user's profile. It "
            "saw nothing else of it."
        )


def _narrate(story: Narrator | None) -> Callable[[str, Turn], None]:
    """The callback that prints each stage, and a heading for each session."""
    begun: set[str | None] = set()

    def narrate(stage: str, turn: Turn) -> None:
        if story is None:
            return
        if stage == "said" and turn.session not in begun:
            later = ", a week later, in a new conversation" if begun else ""
            begun.add(turn.session)
            story.heading(f"The {turn.session} session{later}")
        story.show(stage, turn)

    return narrate


def _introduce(played: Demo, story: Narrator) -> None:
    story.text("Two short sessions in a temporary store; the second one remembers the first.")
    story.text(f"Chat model: {played.model}. Embeddings: {played.config.embedder}.")
    if played.scripted:
        story.text(
            "The scripted model is not a language model: it follows rules, to show how everything "
            "works without one."
        )
    elif played.tiny:
        story.text(
            "This is a tiny model and much of what it says is nonsense. What it proposes to "
            "remember is checked against the message, and what it made up is rejected."
        )


def _what_next(config: Config, played: Demo, story: Narrator) -> None:
    story.text()
    story.text("The store of the demo was deleted. Your own memory is kept in")
    say(f"  {config.store_place}")
    chosen = f" --model {played.model}" if config.model != "auto" or played.scripted else ""
    hints = [
        (f"thalamus chat{chosen}", "chat with a model that remembers"),
        (f'thalamus turn{chosen} "I moved to Oslo."', "a single turn, for scripts"),
        ("thalamus ingest FILES", "read documents into memory"),
        ('thalamus retrieve "a question"', "query the memory directly"),
        ("thalamus models list", "list the models"),
    ]
    if played.tiny or played.scripted:
        hints.append(("ollama pull qwen3:4b", "get a better model"))
    story.text()
    story.text("What to type next:")
    width = max(len(command) for command, _ in hints)
    for command, what in hints:
        if width + len(what) + 6 <= story.width:
            say(f"  {command:{width}}  {what}")
        else:
            say(f"  {command}")
            say(f"      {what}")
