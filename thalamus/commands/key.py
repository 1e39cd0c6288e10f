"""`thalamus key`: the store key, a new one, and signing a store anew."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="The store key: where it is (show), a new one (rotate), signing a store anew"
    " (adopt), making what is sealed of somebody unreadable (shred).",
)
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@app.command()
@settings(*STORE)
def show(config: Config, json: Json = False) -> None:
    """Tells where the key is, its fingerprint, and whether it is the one that signed the store.
    The key itself is never shown."""
    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        state = thalamus.key_state()
        if json:
            jsonl.write(Event(name="key", at=thalamus.clock.stamp(), data=state))
            return
    say(f"place        {state['place']}")
    say(f"fingerprint  {state['fingerprint'] or 'no key yet: the first write makes it'}")
    say(f"store        {state['store']}")


@app.command()
@settings(*STORE)
def rotate(config: Config, json: Json = False) -> None:
    """Makes a new key and signs the store with it, after it was verified with the present one.

    When this is interrupted, run it again. A head that was kept for `verify --against` is of no
    use afterwards.
    """
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        _tell(thalamus.rotate_key(), thalamus.clock.stamp(), json)


@app.command()
@settings(*STORE)
def adopt(config: Config, yes: Yes = False, json: Json = False) -> None:
    """Signs the store anew with the present key, as it is: for a store that came from another
    machine, or whose key is lost. What was changed before can never be found afterwards. Where
    the store itself is lost, begins a new one."""
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        if thalamus.store_is_lost:
            lost = f"There was a store at {config.store_dir}: what it remembered is not there."
            _ask(lost, "Begin a new one?", yes)
        else:
            _ask(
                f"Everything in {thalamus.store.path} is trusted as it is found: whatever was"
                " edited, removed or inserted until now will look genuine ever after.",
                "Sign it anew?",
                yes,
            )
        _tell(thalamus.adopt_store(), thalamus.clock.stamp(), json)


@app.command()
@settings(*STORE)
def shred(
    config: Config,
    subject: Annotated[str, typer.Argument(help="A user, or whom facts are about.")] = "user",
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Destroys the key of a subject: what is sealed of it can never be read again, in the store
    and in every backup of it. Exit status 4 when there is no such key."""
    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        found = thalamus.subject_keys(subject)
        _ask(
            f"Everything sealed of {', '.join(found)} becomes unreadable for ever, in backups too.",
            "Shred the key?",
            yes,
        )
        thalamus.shred_keys(found)
        at = thalamus.clock.stamp()
    if json:
        jsonl.write(Event(name="key_shredded", at=at, data={"subjects": found}))
    else:
        say(f"The key of {', '.join(found)} is gone.")


def _ask(warning: str, question: str, yes: bool) -> None:
    """Says what will happen, and asks on a terminal; elsewhere ``--yes`` must be given."""
    from thalamus.errors import Interrupted, UsageError
    from thalamus.terminal import streams

    complain(warning)
    if yes:
        return
    if not streams.can_ask():
        raise UsageError("Nobody can be asked here.", fix="Give --yes to go on.")
    if not streams.agreed(question):
        raise Interrupted()


def _tell(done: dict[str, str], at: str, json: bool) -> None:
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    if json:
        jsonl.write(Event(name=f"key_{done['what']}", at=at, data=done))
    else:
        say(f"Signed with the key {done['key']}; before: {done['before'] or 'not signed'}.")
