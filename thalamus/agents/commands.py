"""`thalamus hook`: install, remove and list hooks, and what they run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import click
import typer

from thalamus.commands.groups import DefaultsToList
from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.errors import ConfigError
from thalamus.terminal.streams import complain, say, say_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from thalamus.agents.hook import HookInput
    from thalamus.agents.install import Client
    from thalamus.api import Thalamus
T = TypeVar("T")


class _Hooks(DefaultsToList):
    """``thalamus hook`` means ``thalamus hook status``."""

    default = "status"


app = typer.Typer(
    cls=_Hooks,
    help="Give coding agents this memory, and record what they do.",
    rich_markup_mode=None,
    add_completion=False,
)
EXAMPLES = {
    "hook install": (
        "thalamus hook install claude-code --dry-run",
        "thalamus hook install codex --yes --user ana",
        "thalamus hook install git --project . --yes",
    ),
    "hook remove": ("thalamus hook remove claude-code --yes",),
    "hook status": ("thalamus hook",),
    "hook run": ("""echo '{"hook_event_name": "SessionStart"}' | thalamus hook run claude-code""",),
}
PROGRAMS = ("claude-code", "codex", "gemini", "git")
LATELY, MOST_FAILURES = 7, 5  # days and failures of hooks that are shown
ALSO = {"claude": "claude-code", "gemini-cli": "gemini"}  # other names of these


class _Program(click.Choice):  # type: ignore[type-arg]  # generic since click 8.2
    """One of the programs, by any of its names."""

    def convert(self, value: str, param: Any, ctx: Any) -> str:
        return str(super().convert(ALSO.get(value, value), param, ctx))


Program = Annotated[
    str,
    typer.Argument(
        metavar="PROGRAM", click_type=_Program(PROGRAMS), help=f"One of {', '.join(PROGRAMS)}."
    ),
]
Folder = Annotated[
    str | None,
    typer.Option(
        "--project", metavar="DIR", help="Change the configuration in this project, not the user's."
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change; change nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@app.command()
@settings(*OWNER, *STORE)
def install(
    config: Config,
    program: Program,
    project: Folder = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Install the hooks of a coding agent, or of git.

    Adds them to the program's own configuration, after showing the change: at the start of a
    session and at each prompt the agent then gets what is remembered, and what it does is recorded.
    --home, --tenant, --user and --agent become part of the hooks.

    `thalamus hook remove` takes them out again.
    """
    _change(config, program, project, dry_run, yes, json, remove=False)


@app.command()
@settings(*OWNER, *STORE)
def remove(
    config: Config,
    program: Program,
    project: Folder = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Remove the hooks of a coding agent, or of git.

    What was recorded stays; `thalamus forget` deletes it.
    """
    _change(config, program, project, dry_run, yes, json, remove=True)


@app.command()
@settings(*STORE)
def status(config: Config, json: Json = False) -> None:
    """Show which hooks are installed, and what went wrong lately."""
    from pathlib import Path

    from thalamus.agents.install import change_of
    from thalamus.clock import Clock, days_later
    from thalamus.errors import ThalamusError
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    shown: set[str] = set()
    for program in PROGRAMS:
        for place, folder in (("user", None), ("project", Path.cwd())):
            if program == "git" and folder is None:
                continue
            try:
                change = change_of(program, [], folder, remove=True)
                state = "installed" if change.diff else "not installed"
                path = str(change.path)
            except ThalamusError as error:
                state, path = "not installed", error.message
            if path in shown:  # the working directory is the home directory
                continue
            shown.add(path)
            if json:
                data = {"program": program, "place": place, "state": state, "path": path}
                jsonl.write(Event(name="hook", at=Clock.from_environment().stamp(), data=data))
            elif state == "installed" or folder is None:
                say(f"{program:12} {state:14} {path}")
    failures = _log_file(config)
    if not json and failures.exists():
        since = days_later(Clock().stamp(), -LATELY)
        lines = failures.read_text("utf-8", "replace").splitlines()
        for line in [line for line in lines if line >= since][-MOST_FAILURES:]:
            complain(line)


@app.command()
@settings(*OWNER, *STORE, lenient=True)
def run(config: Config, program: Program, problems: list[ConfigError]) -> None:
    """Answer a hook with what the agent is to know.

    Programs call it, with an event on standard input. A failure is written to `hooks.log` in the
    state directory, which `thalamus hook` shows; the exit status is always 0."""
    from thalamus.agents import hook
    from thalamus.agents.install import CLIENTS

    log = _log_file(config)
    try:
        if problems:
            raise problems[0]
        if program == "git":
            _run_git(config, log)
        else:
            _run_event(CLIENTS[program], config, log)
    except Exception as error:  # whatever it is, the agent goes on
        hook.log(log, _line(program, error))


def _run_git(config: Config, log: Path) -> None:
    from thalamus.agents import hook
    from thalamus.agents.commit import last_commit, record_commit
    from thalamus.commands.options import engine

    commit = last_commit()  # before git goes on

    def record() -> None:
        with engine(config) as thalamus:
            record_commit(commit, thalamus)

    hook.in_background(lambda: _guarded(record, log, "git commit"))


def _run_event(client: Client, config: Config, log: Path) -> None:
    import os
    from contextlib import suppress

    from thalamus.agents import hook
    from thalamus.terminal import streams

    def in_time(kind: str, work: Callable[[], T], name: str) -> T:
        late = f"took longer than {hook.SECONDS[kind]:g} s; nothing was shown"
        return hook.in_time(kind, work, lambda: hook.log(log, _line(name, late)))

    data = in_time("read", lambda: streams.read_input(hook.MOST_INPUT), client.name)
    event = hook.decoded(data)
    name = f"{client.name} {event.hook_event_name}"
    if event.cwd:
        with suppress(OSError):
            os.chdir(event.cwd)
    if event.kind in ("start", "tool", "stop"):
        hook.in_background(lambda: _guarded(lambda: _record(event, client, config), log, name))
    if event.kind in ("start", "prompt") and event.source != hook.REPEATED:
        in_time(event.kind, lambda: _answer(event, client.agent, config), name)


def _guarded(work: Callable[[], None], log: Path, name: str) -> None:
    """Does work in the background; what goes wrong is in the log."""
    from thalamus.agents import hook

    try:
        work()
    except Exception as error:
        hook.log(log, _line(name, error))


def _answer(event: HookInput, agent: str, config: Config) -> None:
    """Prints what the agent is to know."""
    from thalamus.agents import context, hook
    from thalamus.commands.options import engine
    from thalamus.terminal import streams

    session = f"{agent}:{event.session_id or ''}"
    with engine(config) as thalamus:
        if event.kind == "start":
            text = context.start_of_session(session, event.cwd or ".", thalamus)
        else:
            text = context.for_prompt(event.prompt or "", session, event.cwd or ".", thalamus)
    if text:
        streams.write_bytes(hook.output_of(event, text))


def _record(event: HookInput, client: Client, config: Config) -> None:
    """Stores what happened: a call at once, the rest from the transcript."""
    from pathlib import Path

    from thalamus.agents import hook
    from thalamus.agents.importing import TranscriptImporter
    from thalamus.commands.options import engine
    from thalamus.transfer.foreign.report import Report

    with engine(config) as thalamus:
        if event.kind == "tool":
            if event.tool_use_id:  # else only the transcript has an id
                hook.record_call(event, client.agent, thalamus)
            return
        forgotten = thalamus.store.forgotten()
        path = event.transcript_path
        for file in hook.transcripts(Path(path), event.kind == "start") if path else ():
            if file.exists():
                TranscriptImporter(thalamus.new_run(), Report(), forgotten).run(file, client.agent)


def _change(
    config: Config,
    program: str,
    project: str | None,
    dry_run: bool,
    yes: bool,
    json: bool,
    *,
    remove: bool,
) -> None:
    from pathlib import Path

    from thalamus.agents.install import CLIENTS, change_of
    from thalamus.clock import Clock
    from thalamus.errors import Interrupted, UsageError
    from thalamus.records import Event
    from thalamus.terminal import jsonl, streams

    folder = Path(project).expanduser().resolve() if project is not None else None
    if folder is not None and not folder.is_dir():
        raise UsageError(f"There is no directory {folder}.")
    change = change_of(program, _command(config), folder, remove=remove)
    if json:
        data = {"program": program, "path": str(change.path), "diff": change.diff}
        name = "hook_removed" if remove else "hook_installed"
        jsonl.write(Event(name=name, at=Clock.from_environment().stamp(), data=data))
    elif not change.diff:
        say(f"{change.path}: {'no hooks of Thalamus' if remove else 'already installed'}")
    else:
        say_text(change.diff.rstrip("\n"))
    if dry_run or not change.diff:
        if dry_run:
            complain("Nothing was changed (--dry-run).")
        return
    if not yes:
        if not streams.can_ask():
            raise UsageError("Cannot ask for confirmation here.", fix="Give --yes to proceed.")
        if not streams.agreed("Change the file?"):
            raise Interrupted()
    change.apply()
    complain(f"{'Removed from' if remove else 'Installed in'} {change.path}.")
    if program in CLIENTS and not remove and CLIENTS[program].note:
        complain(CLIENTS[program].note)


def _command(config: Config) -> list[str]:
    """The command with which hooks start Thalamus: this program, with the options given here."""
    import sys
    from pathlib import Path

    flags = {name: str(getattr(config, name)) for name in config.origin}
    flags = {name: value for name, value in flags.items() if config.origin[name] == "flag"}
    if "home" in flags:  # the hook runs in other directories
        flags["home"] = str(Path(flags["home"]).expanduser().resolve())
    given = [part for name, value in flags.items() for part in (f"--{name}", value)]
    program = Path(sys.argv[0]).resolve()
    start = [str(program)] if program.name == "thalamus" else [sys.executable, "-m", "thalamus"]
    return [*start, *given]


def _log_file(config: Config) -> Path:
    return config.state_dir / "hooks.log"


def _line(name: str, problem: Exception | str) -> str:
    """A line of the log."""
    from thalamus.clock import Clock
    from thalamus.errors import ThalamusError

    known = isinstance(problem, ThalamusError | str)
    text = str(problem) if known else f"{type(problem).__name__}: {problem}"
    return f"{Clock().stamp()} {name}: {text}"


def export_agents_md(thalamus: Thalamus, target: str, check: bool) -> None:
    """`thalamus export --agents-md`: writes the section, or with ``check`` shows how it differs and
    exits with 1."""
    from thalamus.agents.agents_md import agents_file, write
    from thalamus.terminal.lines import counted

    run = thalamus.new_run()
    found = agents_file(target, run)
    if check:
        if found.diff:
            say_text(found.diff.rstrip("\n"))
            raise typer.Exit(1)
        complain(f"{found.path} is up to date.")
        return
    if found.diff:
        write(found, run)
    if found.holds:
        complain(f"{found.path}: {counted({'statement': len(found.holds)})}.")
    else:
        complain("Nothing was agreed on the project yet, as far as memories were extracted of it:")
        complain("  `thalamus consolidate extract` does that.")
