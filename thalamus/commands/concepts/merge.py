"""`thalamus concepts merge` and `split`."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say


@settings(*OWNER, *STORE)
def merge(
    config: Config,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The concept to merge.")],
    into: Annotated[str, typer.Argument(metavar="INTO", help="The concept to merge it into.")],
    json: Json = False,
) -> None:
    """Merge two concepts that are the same, by name or id.

    The same as `thalamus facts merge`: facts about NAME become facts about INTO as well. `split`
    undoes it.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.concepts import concept_line

    with engine(config) as thalamus:
        merged = thalamus.memories.merge_concepts(name, into)
        if json:
            jsonl.write(merged)
            return
        say(concept_line(merged))


@settings(*OWNER, *STORE)
def split(
    config: Config,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name that was merged.")],
    json: Json = False,
) -> None:
    """Undo `merge`: NAME is a concept of its own again."""
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.concepts import concept_line
    from thalamus.terminal.lines import one_line

    with engine(config) as thalamus:
        found = thalamus.memories.split_concept(name)
        if json:
            if found is not None:
                jsonl.write(found)
            return
        say(concept_line(found) if found else f"{one_line(name)} means itself again.")
