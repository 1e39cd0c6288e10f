"""`thalamus help`: the help of a command, a section of commands, the shared options, or a topic."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from thalamus.commands.options import SHARED
from thalamus.terminal.streams import say_text

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command("help")
def help_(
    ctx: typer.Context,
    topic: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TOPIC]", help="A command, a section, options, or a topic."),
    ] = None,
) -> None:
    """Show the help of a command, a section, the shared options, or a topic.

    Without a topic, the first screen. `knowledge` and `maintenance` are sections that the first
    screen only names; `options` lists the shared options. `topics` lists the pages of the manual;
    `thalamus help recipes` shows one, `thalamus help topics chat` one that is named like a command.
    """
    import click

    from thalamus.terminal import topics

    words = list(topic or ())
    command: Any = ctx.find_root().command
    section = " ".join(words).capitalize()
    if section in command.more:
        _list(ctx, section, list(command.more[section].items()))
        return
    if words == ["options"]:
        shared = [(f"{', '.join(names)} {value}", text) for names, value, text in SHARED.values()]
        _list(ctx, "Shared options", shared)
        return
    page = topics.INDEX if words == ["topics"] else words[-1] if words else ""
    named = words[:1] == ["topics"] or (len(words) == 1 and page not in command.list_commands(ctx))
    if named and page in topics.names():
        topics.show(page)
        return
    if words[:1] == ["topics"]:
        ctx.fail(f"There is no page {page!r}; `thalamus help topics` lists them.")
    context: Any = ctx.find_root()
    for word in words:
        if not hasattr(command, "resolve_command"):
            context.fail(f"`{context.command_path}` has no commands.")
        name, command, _ = command.resolve_command(context, [word])
        context = click.Context(command, parent=context, info_name=name)
    say_text(context.get_help())


def _list(ctx: typer.Context, title: str, rows: list[tuple[str, str]]) -> None:
    formatter = ctx.make_formatter()
    with formatter.section(title):
        formatter.write_dl(rows)
    say_text(formatter.getvalue().rstrip())
