"""Command line: registers the commands and turns errors into exit codes."""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import importlib
import os
import re
import sys
import threading
from typing import TYPE_CHECKING, Any, NoReturn

gc.set_threshold(50_000)  # start-up creates many objects and little garbage
# numpy multiplies one vector at a time here: its threads only slow down its import, by 50 ms
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import typer  # noqa: E402
import typer.main  # noqa: E402
from typer import _completion_shared  # noqa: E402

from thalamus import __version__  # noqa: E402
from thalamus.commands.groups import Suggesting, ranges_in_words, simplify_help  # noqa: E402
from thalamus.commands.options import SHARED, shared_options  # noqa: E402
from thalamus.commands.table import COMMANDS, GROUPS, MODULES, MORE  # noqa: E402
from thalamus.errors import (  # noqa: E402
    REPORT,
    Interrupted,
    OutputFailed,
    ThalamusError,
    UsageError,
    write_advice,
)
from thalamus.terminal import streams  # noqa: E402
from thalamus.terminal.problems import leave_quietly, report, reporting  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence


class LazyCommands(Suggesting):
    """A group whose commands are imported when they are called, so that start-up stays fast."""

    more = MORE

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(MODULES.get(cmd_name, f"thalamus.commands.{cmd_name}"))
        group = getattr(module, "group", None)
        command = group or typer.main.get_command(module.app)
        command.name = cmd_name
        return command if group else simplify_help(command)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        simplify_help(self)
        super().format_options(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        width = max(len(name) for commands in GROUPS.values() for name in commands)
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), text) for name, text in commands.items()])
        sections = ", ".join(f"`thalamus help {title.lower()}`" for title in MORE)
        with formatter.section(f"More ({sections})"):
            formatter.write_dl([(title, ", ".join(names)) for title, names in MORE.items()])


# With typer's own script the first Tab does nothing: zsh loads the file then, without calling it.
_completion_shared._completion_scripts["zsh"] = """
#compdef %(prog_name)s

%(complete_func)s() {
  eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" %(autocomplete_var)s=complete_zsh \\
    %(prog_name)s)
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  %(complete_func)s "$@"
else
  compdef %(complete_func)s %(prog_name)s
fi
"""

app = typer.Typer(
    cls=LazyCommands,
    name="thalamus",
    help="Long-term memory for local language models.",
    epilog="`thalamus COMMAND -h` shows the options of a command, `thalamus help options` those"
    " that most commands share: --home, --user, --model … `thalamus demo` shows it at work.",
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
@shared_options(*SHARED)
def _root(
    version: bool = typer.Option(
        False, "--version", "-V", is_eager=True, callback=_version, help="Print the version."
    ),
    **given: object,  # passed to the command by ``Suggesting``
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line. Errors are printed on standard error and become the exit status."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    reporting.as_json = "--json" in arguments
    streams.hold_places()
    try:
        # usage errors are printed here, not by typer
        code = app(arguments, prog_name="thalamus", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except OutputFailed as error:
        streams.give_up()
        report(error)
        sys.exit(error.code)
    except ThalamusError as error:
        _log_traceback(error)
        report(error)
        sys.exit(error.code)
    except (KeyboardInterrupt, typer.Abort):
        report(Interrupted())
        sys.exit(Interrupted.code)
    except BrokenPipeError:
        leave_quietly()
    except Exception as error:
        failure = _converted(error, arguments)
        if failure is not None:
            report(failure)
        sys.exit(failure.code if failure else 2)


def run() -> NoReturn:
    """Entry point of the program: ``main``, then an exit without tearing down the interpreter:
    that would take as long as many a command, and abort the process if a background thread is in
    native code."""
    code: Any = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    with contextlib.suppress(OSError, ValueError, AttributeError):
        try:
            threading._shutdown()  # type: ignore[attr-defined]  # waits for all but daemons
        except KeyboardInterrupt:
            code = Interrupted.code
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))
    sys.exit(code)


def _log_traceback(error: Exception) -> None:
    """Logs the origin of an error at level debug."""
    from thalamus.logs import logger

    logger("thalamus").debug("failed", exc_info=error)


def _converted(error: Any, arguments: Sequence[str]) -> ThalamusError | None:
    """An exception as one of our errors; None for the help of a group without arguments, which
    typer raises as an error and which is printed here."""
    if type(error).__name__ == "NoArgsIsHelpError":
        streams.complain(error.format_message())
        return None
    if hasattr(error, "format_message"):
        return _wrong_usage(error)
    if isinstance(error, ValueError) and any(map(_is_odd, arguments)):
        return UsageError("The command line contains bytes that are not UTF-8.")
    if isinstance(error, OSError) and streams.is_ours(error):  # typer could not print its help
        streams.give_up()
        return OutputFailed(error.strerror)
    if isinstance(error, OSError) and error.filename and error.errno in _REFUSED:
        return ThalamusError(
            f"Cannot use {error.filename}: {error.strerror}.", fix=write_advice(error.errno)
        )
    if os.environ.get("THALAMUS_LOG_LEVEL") == "debug":
        import traceback

        streams.complain("".join(traceback.format_exception(error)), end="")
    return ThalamusError(
        f"unexpected {type(error).__name__}: {error}",
        fix=REPORT,
    )


# refusals by the system, wherever the error was raised
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)


def _is_odd(argument: str) -> bool:
    """True if it contains bytes that are not UTF-8, which Python keeps as lone surrogates."""
    return any("\ud800" <= character <= "\udfff" for character in argument)


def _wrong_usage(error: Any) -> ThalamusError:
    """A usage error of typer as one of ours."""
    command = error.ctx.command_path if getattr(error, "ctx", None) else "thalamus"
    message = ranges_in_words(error.format_message())
    for kind, name in (("int", "a whole number"), ("float", "a number")):
        message = re.sub(rf"a valid {kind}\w*( range)?\b", name, message)
    return UsageError(message, fix=f"`{command} -h` shows the usage.")
