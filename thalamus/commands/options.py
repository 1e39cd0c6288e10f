"""Options that many commands share, and opening the engine from them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from thalamus.api import Thalamus, ThalamusEvents
    from thalamus.config import Config
    from thalamus.errors import ConfigError, UsageError

_HANDED_OVER = ("config", "problems")
F = TypeVar("F", bound=Callable[..., Any])

_SHARED: dict[str, tuple[Any, str]] = {
    "home": (str, "One folder for configuration, store and cache."),
    "tenant": (str, "Which store; each tenant has its own."),
    "user": (str, "Whose memories."),
    "agent": (str, "Which agent's memories."),
    "session": (str, "The session."),
    "model": (str, "Chat model: auto, ollama:NAME, llamacpp:PATH, openai:NAME, scripted."),
    "embedder": (str, "Embedding model: wordllama, ollama:NAME, llamacpp:PATH, none."),
}
STORE = ("home", "tenant")
OWNER = ("user", "agent")
MODELS = ("model", "embedder")

MOST = 1_000_000_000  # of what is counted in rows
MOST_RESULTS = 1000  # as many as one instruction of a plan may ask for

NoMemory = Annotated[
    bool, typer.Option("--no-memory", help="Neither recall nor remember anything.")
]
Debug = Annotated[
    bool, typer.Option("--debug", help="Tell what was planned, fetched, kept and stored.")
]
Events = Annotated[
    str | None, typer.Option("--events", help="Write events as JSON lines to FILE (- for stderr).")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON records, one per line.")]


def settings(*names: str, lenient: bool = False) -> Callable[[F], F]:
    """Adds the shared options ``names`` to a command and hands them over as ``config``.

    ``lenient``: what is wrong in the configuration is left out; the command takes a keyword
    ``problems`` and says what that is.

    The command takes a keyword ``config``: the loaded configuration with the flags on top.
    Broken pipes and Ctrl-C are passed on as Thalamus's own, so that click does not swallow them.
    """

    def decorate(function: F) -> F:
        signature = inspect.signature(function, eval_str=True)
        kept = [p for name, p in signature.parameters.items() if name not in _HANDED_OVER]
        added = [_parameter(name) for name in names]

        @functools.wraps(function)
        def run(**values: Any) -> Any:
            from thalamus.config import load
            from thalamus.errors import Interrupted

            flags = {name: values.pop(name) for name in names}
            try:
                problems: list[ConfigError] | None = [] if lenient else None
                config = load(flags, problems=problems)
                _warn(config)
                _start_log(config)
                if lenient:
                    values["problems"] = problems
                return function(**values, config=config)
            except KeyboardInterrupt:
                raise Interrupted() from None
            except BrokenPipeError:
                from thalamus.terminal.problems import leave_quietly

                leave_quietly()

        run.__signature__ = signature.replace(parameters=[*kept, *added])  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in (*kept, *added)}
        return run  # type: ignore[return-value]

    return decorate


def wrong_choice(option: str, value: str, choices: Sequence[str]) -> UsageError:
    """An option's value that is not among those that it may have."""
    from thalamus.errors import UsageError

    *others, last = choices
    return UsageError(f"invalid {option} {value!r} (choose {', '.join(others)} or {last})")


def engine(
    config: Config, *, events: ThalamusEvents | None = None, memory: bool = True
) -> Thalamus:
    """The engine for a command."""
    from thalamus.api import Thalamus

    return Thalamus(config=config, events=events, use_memory=memory)


def _parameter(name: str) -> inspect.Parameter:
    kind, help_text = _SHARED[name]
    option = typer.Option(f"--{name}", help=help_text, rich_help_panel="Shared")
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind | None, option],
    )


def _warn(config: Config) -> None:
    """Says on standard error which settings of a project file do not count."""
    if config.ignored is not None:
        from thalamus.terminal.streams import complain

        complain(f"thalamus: {config.ignored.message}")
        complain(f"  {config.ignored.advice}")


def _start_log(config: Config) -> None:
    from thalamus.terminal.log import start

    start(config.log_level, config.log_file)
