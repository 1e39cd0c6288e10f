"""Commands that have subcommands, one of which is meant when none is named."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup


class DefaultsToList(TyperGroup):
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
