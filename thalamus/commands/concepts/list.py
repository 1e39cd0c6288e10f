"""`thalamus concepts list` and `show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import MOST, OWNER, STORE, Json, settings, wrong_choice
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.records.concepts import Concept

LISTED = 50  # concepts

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of a concept, or its id.")]


@settings(*OWNER, *STORE, lists=True)
def list_concepts(
    config: Config,
    kind: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="Only this kind: entity, name, topic or phrase."),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="Only those mentioned since DATE (2026-05-08, 7d, yesterday)."
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="Only those mentioned before DATE, or until the end of a time in words.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", "-n", min=0, max=MOST, metavar="N", help="List at most N concepts; 0: all."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the concepts, the most frequent first.

    The first 50 are listed unless --limit is given; with --json, all.
    """
    from thalamus.commands.options import engine
    from thalamus.records.concepts import CONCEPT_KINDS
    from thalamus.terminal.concepts import concept_line
    from thalamus.terminal.dates import read_date
    from thalamus.terminal.lists import as_lines, print_list

    if kind is not None and kind not in CONCEPT_KINDS:
        raise wrong_choice("--kind", kind, CONCEPT_KINDS)
    with engine(config) as thalamus:
        begin, end = read_date(since, "--since"), read_date(until, "--until", until=True)

        def read(most: int) -> list[Concept]:
            return thalamus.memories.concepts(kind=kind, since=begin, until=end, limit=most)

        if (
            not print_list(read, as_lines(concept_line), limit, json=json, usual=LISTED)
            and not json
        ):
            some = (kind or since or until) and thalamus.memories.concepts(limit=1)
            complain("No concepts match." if some else "There are no concepts yet.")


@settings(*OWNER, *STORE)
def show(config: Config, name: Name, json: Json = False) -> None:
    """Show a concept: names, entries about it, related concepts, facts."""
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.concepts import detail_lines

    with engine(config) as thalamus:
        found = thalamus.memories.concept(name)
        if json:
            jsonl.write(found)
            return
        for line in detail_lines(found):
            say(line)
