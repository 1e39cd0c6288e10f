"""Commands that have subcommands, one of which is meant when none is named."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import typer
import typer.main
from typer.core import TyperGroup


class Suggesting(TyperGroup):
    """A group that knows what a mistyped command may have been meant to be."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        names = self.list_commands(ctx)
        if args and args[0] not in names and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], names, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"There is no command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


class DefaultsToList(Suggesting):
    """``thalamus facts --json`` means ``thalamus facts list --json``."""

    default = "list"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Puts the default's name before arguments that begin with no subcommand."""
        asks_help = any(arg in ctx.help_option_names for arg in args[:1])
        if not asks_help and (not args or args[0].startswith("-")):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


class DefaultsToShow(DefaultsToList):
    """``thalamus config`` means ``thalamus config show``."""

    default = "show"


class Group(DefaultsToList):
    """A group of many commands: only the one that is called is imported and made.

    ``places``: name -> MODULE:FUNCTION below ``thalamus.commands``.
    """

    def __init__(self, help: str, places: Mapping[str, str]) -> None:
        super().__init__(help=help, rich_markup_mode=None)
        self._places = places

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self._places)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self._places:
            return None
        module, function = self._places[cmd_name].split(":")
        app = typer.Typer(rich_markup_mode=None, add_completion=False)
        app.command(cmd_name)(getattr(importlib.import_module(f"{__package__}.{module}"), function))
        return typer.main.get_command(app)
