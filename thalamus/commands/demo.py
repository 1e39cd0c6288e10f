"""`thalamus demo`: two short sessions, the second remembering the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import MODELS, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from thalamus.api import Demo
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
    """Plays two short sessions, the second remembering the first, in a temporary store. Nothing
    of your own memory is read or written.

    It takes the model that --model or the configuration names, else one of Ollama's, else a
    fetched one; when there is none it fetches a tiny one (98 MB), and when that is impossible it
    says why and goes on with the scripted model. With --json: the turn records.
    """
    import tempfile

    from thalamus.commands.options import engine
    from thalamus.terminal.narration import Narrator

    story = None if json else Narrator()
    with tempfile.TemporaryDirectory(prefix="thalamus-demo-") as folder:
        played = engine(config).demo(folder, scripted=scripted, report=complain)
        _play(played, story)
    if story is not None:
        _what_next(config, played, story)


def _play(played: Demo, story: Narrator | None) -> None:
    from thalamus.api import Thalamus, ThalamusEvents, recalled
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
            "one was recalled and handed to the model. It saw nothing else of it."
        )


def _narrate(story: Narrator | None) -> Callable[[str, Turn], None]:
    """Tells each stage, and a heading where a session begins."""
    begun: set[str | None] = set()

    def told(stage: str, turn: Turn) -> None:
        if story is None:
            return
        if stage == "said" and turn.session not in begun:
            later = ", a week later, in a new conversation" if begun else ""
            begun.add(turn.session)
            story.heading(f"The {turn.session} session{later}")
        story.tell(stage, turn)

    return told


def _introduce(played: Demo, story: Narrator) -> None:
    story.text("Two short sessions in a temporary store; the second one remembers the first.")
    story.text(f"Chat model: {played.model}. Embeddings: {played.config.embedder}.")
    if played.scripted:
        story.text(
            "The scripted model is no language model: it follows rules, and shows how everything "
            "works without one."
        )
    elif played.tiny:
        story.text(
            "This is a tiny model and much of what it says is nonsense. What it wants to remember "
            "is checked against your words, and what it made up is refused."
        )


def _what_next(config: Config, played: Demo, story: Narrator) -> None:
    story.text()
    story.text("The demo's store is gone again. Your own memory is kept in")
    say(f"  {config.store_dir}")
    chosen = f" --model {played.model}" if config.model != "auto" or played.scripted else ""
    hints = [
        (f"thalamus chat{chosen}", "talk, and be remembered"),
        (f'thalamus turn{chosen} "I moved to Oslo."', "the same for scripts"),
        ("thalamus ingest FILES", "let it read documents"),
        ('thalamus retrieve "a question"', "ask the memory itself"),
        ("thalamus models list", "which models there are"),
    ]
    if played.tiny or played.scripted:
        hints.append(("ollama pull qwen3:4b", "a model that makes more of it"))
    story.text()
    story.text("What to type next:")
    width = max(len(command) for command, _ in hints)
    for command, what in hints:
        if width + len(what) + 6 <= story.width:
            say(f"  {command:{width}}  {what}")
        else:
            say(f"  {command}")
            say(f"      {what}")
