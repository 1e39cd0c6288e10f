"""`thalamus token`: tokens for clients that are not the local command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.groups import DefaultsToList
from thalamus.commands.options import OWNER, STORE, Json, settings, wrong_choice
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.records.installation import Token

app = typer.Typer(
    cls=DefaultsToList,
    rich_markup_mode=None,
    add_completion=False,
    help="Create, list and revoke tokens for other agents. Without a command: `list`.",
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the token.")]


@app.command()
@settings(*OWNER, *STORE)
def create(
    config: Config,
    name: Name,
    role: Annotated[
        str,
        typer.Option(
            metavar="ROLE", help="redacted (reads, with what is personal masked) or full."
        ),
    ] = "redacted",
    expires: Annotated[
        str | None,
        typer.Option(
            metavar="PERIOD", help="Valid for this long, such as 12h, 30d, 8w, 1y; else for ever."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Create a token and print it, once.

    Clients of `thalamus mcp --http` need one. --user and --agent say whose memory it reaches;
    without them, it is that of the server. Only a digest of the token is kept.
    """
    from typing import get_args

    from thalamus.commands.options import engine
    from thalamus.records.installation import Token, TokenRole
    from thalamus.serving.tokens import NamedTokens, check_name, expiry, log_event
    from thalamus.terminal import jsonl

    if role not in get_args(TokenRole):
        raise wrong_choice("--role", role, get_args(TokenRole))
    with engine(config) as thalamus:
        new = Token(
            name=check_name(name),
            role=role,  # type: ignore[arg-type]
            user=thalamus.user,
            agent=thalamus.agent,
            expires_at=expiry(expires, thalamus.clock.stamp()) if expires is not None else None,
        )
        token = NamedTokens(config, thalamus.clock).create(new)
        log_event(thalamus, "token_created", {"name": token.name, "role": token.role})
    if json:
        jsonl.write(token)
        return
    say(token.token or "")
    complain(f"{_line(token, 'active')}. It is not shown again.")


@app.command("list")
@settings(*STORE)
def list_tokens(config: Config, json: Json = False) -> None:
    """List tokens with their roles. The tokens themselves are never shown."""
    from thalamus.commands.options import engine
    from thalamus.serving.tokens import NamedTokens
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        now = thalamus.clock.stamp()
        found = NamedTokens(config, thalamus.clock).find()
    if json:
        jsonl.write(*found)
        return
    for token in found:
        say(_line(token, token.state(now)))
    if not found:
        complain("There are no tokens yet. `thalamus token create NAME` creates one.")


@app.command()
@settings(*STORE)
def revoke(config: Config, name: Name, json: Json = False) -> None:
    """Revoke a token. A running server refuses it from the next request on."""
    from thalamus.commands.options import engine
    from thalamus.serving.tokens import NamedTokens, log_event
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        token = NamedTokens(config, thalamus.clock).revoke(name)
        log_event(thalamus, "token_revoked", {"name": token.name})
    if json:
        jsonl.write(token)
    else:
        say(_line(token, "revoked"))


def _line(token: Token, state: str) -> str:
    """One line about a token."""
    from thalamus.terminal.lines import one_line
    from thalamus.terminal.local import day

    parts = [f"{one_line(token.name)}: {token.role}", state]
    parts += [f"user {one_line(token.user)}"] if token.user else []
    parts += [f"agent {one_line(token.agent)}"] if token.agent else []
    if token.expires_at and state == "active":
        parts.append(f"until {day(token.expires_at)}")
    return ", ".join(parts)
