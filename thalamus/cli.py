"""Registers the commands; the one place where errors become exit codes."""

from __future__ import annotations

import gc
import importlib
import io
import os
import sys
from typing import TYPE_CHECKING, Any

gc.set_threshold(20_000)  # start-up makes many objects and little garbage
# numpy multiplies one vector at a time here: threads for it only make its import slower, by 50 ms
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import typer  # noqa: E402
import typer.main  # noqa: E402

from thalamus import __version__  # noqa: E402
from thalamus.commands.groups import Suggesting  # noqa: E402
from thalamus.errors import (  # noqa: E402
    REPORT,
    Interrupted,
    OutputFailed,
    ThalamusError,
    UsageError,
)
from thalamus.terminal import streams  # noqa: E402
from thalamus.terminal.problems import leave_quietly, report  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

# name -> what it does; the module of the same name is imported only when the command is used
COMMANDS: dict[str, str] = {
    "turn": "Run a whole turn: recall, answer, reflect, store, plan.",
    "chat": "Talk with a model that remembers.",
    "retrieve": "Filter: put evidence on turns; or ask the memory a question.",
    "answer": "Filter: let the chat model answer turns.",
    "reflect": "Filter: find what is worth keeping in turns.",
    "store": "Filter: write turns, memories and facts.",
    "plan": "Filter: prepare the memory for the next turn.",
    "ingest": "Read documents into memory.",
    "facts": "List facts, add one, or show how they changed.",
    "memory": "List, show, search and change memories.",
    "prune": "Let go of what has had its time, summed up first.",
    "undo": "Take back the last prune or edit.",
    "forget": "Delete something and all that rests on it, and prove it.",
    "why": "Show where a memory, a fact or an answer came from.",
    "trace": "Show what each stage of a turn did.",
    "export": "Write everything as JSON lines or Markdown.",
    "import": "Read an export, or ChatGPT's or Claude's.",
    "models": "List, pull and check models.",
    "config": "Show and check the configuration.",
    "schema": "Show the JSON Schema of the records.",
    "doctor": "Check the store, the indexes and the models.",
    "eval": "Measure retrieval on questions with known answers, and compare.",
    "reindex": "Make the search indexes anew.",
    "backup": "Copy the store to a file while it is in use.",
    "restore": "Bring a backup back.",
    "verify": "Find what was changed in the store by something else.",
    "key": "Show or change the store key, or sign a store anew.",
    "demo": "Two short sessions, the second remembering the first.",
}
MODULES = {"import": "import_"}  # where the name of a command cannot be that of a module


class LazyCommands(Suggesting):
    """A group whose commands are imported when they are called: start-up stays fast."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"thalamus.commands.{MODULES.get(cmd_name, cmd_name)}")
        group = getattr(module, "group", None)
        command = group or typer.main.get_command(module.app)
        command.name = cmd_name
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


app = typer.Typer(
    cls=LazyCommands,
    name="thalamus",
    help="Long-term memory for local language models: every step a filter over JSON lines.",
    epilog="Guides are in docs/; `thalamus demo` shows it at work.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        streams.say(f"thalamus {__version__}")
        raise typer.Exit()


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", "-V", is_eager=True, callback=_version, help="Show the version."
    ),
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line. Errors are told on standard error and become the exit status."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in arguments
    streams.hold_places()
    try:
        # what is wrong with the command line is told here, and not by typer
        code = app(arguments, prog_name="thalamus", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except OutputFailed as error:
        streams.give_up()
        report(error, as_json)
        sys.exit(error.code)
    except ThalamusError as error:
        report(error, as_json)
        sys.exit(error.code)
    except (KeyboardInterrupt, typer.Abort):
        report(Interrupted(), as_json)
        sys.exit(Interrupted.code)
    except BrokenPipeError:
        leave_quietly()
    except Exception as error:
        failure = _understood(error, arguments, as_json)
        if failure is not None:
            report(failure, as_json)
        sys.exit(failure.code if failure else 2)


def _understood(error: Any, arguments: Sequence[str], as_json: bool) -> ThalamusError | None:
    """An exception as an error of ours; None when it has been told: typer's, for people."""
    if hasattr(error, "format_message"):
        if as_json:
            return _wrong_usage(error)
        text = io.StringIO()
        error.show(text)
        streams.complain(text.getvalue(), end="")
        return None
    if isinstance(error, UnicodeEncodeError) and any(map(_is_odd, arguments)):
        return UsageError("The command line holds bytes that are not UTF-8.")
    if isinstance(error, OSError) and streams.is_ours(error):  # typer could not print its help
        streams.give_up()
        return OutputFailed(error.strerror)
    if os.environ.get("THALAMUS_LOG_LEVEL") == "debug":
        import traceback

        streams.complain("".join(traceback.format_exception(error)), end="")
    return ThalamusError(
        f"unexpected {type(error).__name__}: {error}",
        fix=REPORT,
    )


def _is_odd(argument: str) -> bool:
    """Whether it came with bytes that are no UTF-8, which Python keeps as halves of characters."""
    return any("\ud800" <= character <= "\udfff" for character in argument)


def _wrong_usage(error: Any) -> ThalamusError:
    """What typer has to say about the command line, as an error of ours."""
    command = error.ctx.command_path if getattr(error, "ctx", None) else "thalamus"
    return UsageError(error.format_message(), fix=f"`{command} -h` shows how it is called.")
