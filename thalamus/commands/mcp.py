"""`thalamus mcp`: this memory for other agents, over the Model Context Protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config
from thalamus.extras import install_command, installed

if TYPE_CHECKING:
    from thalamus.serving.mcp import Offer

app = typer.Typer(rich_markup_mode=None, add_completion=False)

HOST, PORT = "127.0.0.1", 8765


@app.command()
@settings(
    *("session", "project", "embedder", "reranker", "min_relevance", "min_score"),
    *OWNER,
    *STORE,
    blank=("host",),
    recalls=True,
)
def mcp(
    config: Config,
    http: Annotated[
        bool, typer.Option("--http", help="Serve HTTP instead of standard input and output.")
    ] = False,
    host: Annotated[
        str | None,
        typer.Option(metavar="HOST", help=f"Loopback address to listen on [default: {HOST}]."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, metavar="N", help=f"Port; 0 takes a free one [default: {PORT}]."
        ),
    ] = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Offer only tools that read.")
    ] = False,
    allow_forget: Annotated[
        bool, typer.Option("--allow-forget", help="Let the tool `forget` delete.")
    ] = False,
    output_schemas: Annotated[
        bool, typer.Option("--output-schemas", help="Describe the results of tools, too.")
    ] = False,
) -> None:
    """Give other agents this memory, over the Model Context Protocol (MCP).

    The client starts `thalamus mcp` and talks to it on standard input and output. With --http any
    number of clients on this machine connect to a running server; each needs a token: that of
    THALAMUS_MCP_TOKEN, or else of a file that is created, or one of `thalamus token create`.

    Tools: retrieve, facts, why, profile, remember and forget, which reports what would be deleted
    and deletes nothing without --allow-forget. A program may change what it remembered itself;
    what would replace anything else waits in `thalamus memory proposals`. Documents and the
    profile are resources.
    """
    from thalamus.errors import UsageError

    if read_only and allow_forget:
        raise UsageError("--read-only and --allow-forget cannot be combined.")
    if not http and (host is not None or port is not None):
        raise UsageError(f"{'--host' if host is not None else '--port'} requires --http.")
    address = _loopback(HOST if host is None else host)
    _check_installed()
    from thalamus.serving.mcp import Offer, serve_stdio
    from thalamus.serving.workers import Workers
    from thalamus.terminal.streams import complain, typed

    offer = Offer(read_only, allow_forget, output_schemas)
    if http:
        _serve_http(config, offer, address, PORT if port is None else port)
        return
    if typed():
        complain("thalamus: waiting for an MCP client on standard input; Ctrl-C ends it")
    serve_stdio(Workers(config), offer)


def _serve_http(config: Config, offer: Offer, host: str, port: int) -> None:
    from thalamus.clock import Clock
    from thalamus.serving.mcp import PATH, listen, serve_http
    from thalamus.serving.tokens import VARIABLE, Verifier, bearer_token
    from thalamus.serving.workers import Workers
    from thalamus.terminal.streams import complain

    token, file = bearer_token(config)
    listening = listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    complain(f"thalamus: serving http://{shown}:{listening.getsockname()[1]}{PATH}")
    complain(f"  token: {file if file is not None else VARIABLE}")
    verifier = Verifier(token, config, Clock.from_environment())
    serve_http(Workers(config), offer, verifier, listening)


def _loopback(host: str) -> str:
    """The address to listen on. Raises ``UsageError`` for one that other machines can reach."""
    import ipaddress

    from thalamus.errors import UsageError

    if host == "localhost":
        return HOST
    try:
        if ipaddress.ip_address(host).is_loopback:
            return host
    except ValueError:
        pass
    raise UsageError(
        f"invalid --host {host!r} (choose 127.0.0.1, ::1 or localhost)",
        fix="The memory is served to this machine only; a tunnel such as `ssh -L` leads to it.",
    )


def _check_installed() -> None:
    """Raises ``UsageError`` if the extra is missing."""
    from thalamus.errors import UsageError

    if not installed("mcp") or not installed("mcp_types"):
        raise UsageError(
            "The package mcp is not installed.", fix=f"Run `{install_command('mcp')}`."
        )
