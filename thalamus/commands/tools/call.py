"""`thalamus tools call`: one call of a tool by hand."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config

if TYPE_CHECKING:
    from collections.abc import Iterator

FIX = """Give the arguments as an object, such as '{"query": "tea"}'."""


@settings("session", "embedder", *OWNER, *STORE, filters=True)
def call(
    config: Config,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a tool.")],
    arguments: Annotated[
        str | None,
        typer.Argument(metavar="JSON", help="The arguments; if omitted, read from stdin."),
    ] = None,
) -> None:
    """Call a tool by hand.

    Changes and proposals of the tool are applied at once. Reads the arguments as a JSON object from
    the command line, or one per line from standard input, and writes a `tool_result` record for
    each. A call that fails is written with its `error`, and the exit status is 1.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.streams import complain

    failed = False
    with engine(config) as thalamus:
        thalamus.tools.get(name)  # an unknown name is reported before reading
        for args in _objects(arguments):
            result = thalamus.tools.call(name, args)
            jsonl.write(result)
            if result.error is not None:
                complain(f"thalamus: {result.error}")
                failed = True
    if failed:
        sys.exit(1)


def _objects(given: str | None) -> Iterator[dict[str, Any]]:
    """The arguments of each call. Raises ``UsageError`` or ``BadRecord``."""
    import json

    from thalamus.errors import BadRecord, UsageError
    from thalamus.terminal import jsonl
    from thalamus.terminal.problems import reporting

    if given is None:
        for lines in jsonl.numbered_lines():
            for number, line in lines:
                try:
                    value = json.loads(line)
                except ValueError as error:
                    reporting.bad_line(BadRecord(number, str(error), fix=FIX))
                    continue
                if isinstance(value, dict):
                    yield value
                else:
                    reporting.bad_line(BadRecord(number, "expected a JSON object", fix=FIX))
        return
    try:
        value = json.loads(given)
    except ValueError as error:
        raise UsageError(f"invalid JSON argument {given!r}: {error}", fix=FIX) from None
    if not isinstance(value, dict):
        raise UsageError(f"invalid JSON argument {given!r}: not an object", fix=FIX)
    yield value
