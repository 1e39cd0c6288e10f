"""Shared options, the configuration they select, and the engine of a command."""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

import typer
from typer.models import OptionInfo

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.config import Config
    from thalamus.errors import ConfigError, UsageError
    from thalamus.events import ThalamusEvents

_HANDED_OVER = ("config", "problems")
F = TypeVar("F", bound=Callable[..., Any])

# name -> declarations, placeholder of the value, help
SHARED: dict[str, tuple[tuple[str, ...], str, str]] = {
    "home": (("--home",), "DIR", "Keep configuration, store and cache in this directory."),
    "store": (("--store",), "URL", "Use the store in this PostgreSQL database."),
    "tenant": (("--tenant",), "NAME", "Select the store; each tenant has its own."),
    "user": (("--user",), "NAME", "Select the user whose memories are used."),
    "agent": (("--agent",), "NAME", "Select the agent whose memories are used."),
    "persona": (("--persona",), "NAME", "Select the persona of the assistant."),
    "session": (("--session", "-s"), "NAME", "Select the session."),
    "project": (
        ("--project",),
        "NAME",
        "Prefer what belongs to this project [default: that of the directory].",
    ),
    "flow": (
        ("--flow",),
        "NAME",
        "The flow: classic, routed, deliberate, one of your own, or stages a,b,c.",
    ),
    "model": (
        ("--model", "-m"),
        "MODEL",
        "Chat model: auto, ollama:NAME, llamacpp:PATH, openai:NAME or scripted.",
    ),
    "min_relevance": (
        ("--min-relevance",),
        "N",
        "Print nothing if no result is as relevant, 0 to 1; 0 keeps all.",
    ),
    "min_score": (
        ("--min-score",),
        "N",
        "Leave out results with less of the best score, 0 to 1, unless --min-relevance is 0.",
    ),
    "embedder": (
        ("--embedder",),
        "MODEL",
        "Embedding model: auto, static, multilingual, ollama:NAME, openai:NAME, none …",
    ),
    "reranker": (
        ("--reranker",),
        "MODEL",
        "Reranking model: llamacpp:PATH, ollama:NAME, openai:NAME or none.",
    ),
}
STORE = ("home", "store", "tenant")
OWNER = ("user", "agent")
PERSONA = ("persona", *OWNER)  # for commands that build prompts or store messages
MODELS = ("model", "embedder")
RECALL = (
    *MODELS,
    "reranker",
)  # for commands that recall something or check models

MOST = 1_000_000_000  # for numbers of rows
MOST_RESULTS = 1000  # the limit of one instruction of a plan

NoMemory = Annotated[bool, typer.Option("--no-memory", help="Neither recall nor store anything.")]
Debug = Annotated[
    bool, typer.Option("--debug", help="Print to stderr what was planned, retrieved and stored.")
]
Events = Annotated[
    str | None,
    typer.Option(
        "--events", metavar="FILE", help="Append events to FILE as JSON lines (- for stderr)."
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(
        "--limit", "-n", min=0, max=MOST_RESULTS, metavar="N", help="Return at most N; 0: 1,000."
    ),
]
ListLimit = Annotated[
    int | None,
    typer.Option("--limit", "-n", min=0, max=MOST, metavar="N", help="List at most N; 0: all."),
]
Since = Annotated[
    str | None,
    typer.Option(metavar="DATE", help="Only what was said since DATE (2026-05-08, 7d, yesterday)."),
]
Until = Annotated[
    str | None,
    typer.Option(
        metavar="DATE", help="Only what was said before DATE, or until the end of a time in words."
    ),
]
Metadata = Annotated[
    list[str] | None,
    typer.Option("--metadata", metavar="KEY=VALUE", help="Only with this metadata; repeatable."),
]
Everywhere = Annotated[
    bool, typer.Option("--everywhere", help="Prefer no project, also in the directory of one.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON records, one per line.")]
Redacted = Annotated[
    bool,
    typer.Option("--redacted", help="Mask what is personal, quotations, names and paths."),
]


KeepGoing = Annotated[
    bool,
    typer.Option("--keep-going", help="Report a bad line and go on; exit status 3 at the end."),
]
FailEmpty = Annotated[
    bool, typer.Option("--fail-empty", help="Exit with status 4 if there are no results.")
]


def _flag(name: str, annotation: Any) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=False, annotation=annotation)


_FILTERS = [_flag("json", Json), _flag("keep_going", KeepGoing)]
_LISTS = [_flag("fail_empty", FailEmpty)]
_RECALLS = [_flag("everywhere", Everywhere)]


def settings(
    *names: str,
    lenient: bool = False,
    blank: Collection[str] = (),
    filters: bool = False,
    lists: bool = False,
    recalls: bool = False,
) -> Callable[[F], F]:
    """Decorator that adds the shared options ``names`` to a command and loads the configuration.

    ``filters``: the command reads records from standard input and writes records: it gets --json,
    which makes its errors records, and --keep-going. ``lists``: it may find nothing: it gets
    --fail-empty. ``recalls``: it recalls something, and gets --everywhere. A ``limit`` of 0 stands
    for as many as are allowed.

    A parameter whose type is a Struct becomes one option for each of its fields.

    The command takes a keyword ``config``: the loaded configuration, overridden by the flags. With
    ``lenient`` it also takes ``problems``: the errors in the configuration, which are then left out
    instead of raised. A text option with an empty value is a usage error, because a shell variable
    that is not set must not lift a restriction; those in ``blank`` the command judges itself.
    Broken pipes and Ctrl-C are raised as Thalamus's own errors, because click would swallow them.
    """

    def decorate(function: F) -> F:
        signature = inspect.signature(function, eval_str=True)
        taken = [p for name, p in signature.parameters.items() if name not in _HANDED_OVER]
        grouped: dict[str, type[Any]] = {
            p.name: p.annotation for p in taken if hasattr(p.annotation, "__struct_fields__")
        }
        fields = {name: _fields(group) for name, group in grouped.items()}
        own = [fields.get(p.name, [p.replace(kind=p.KEYWORD_ONLY)]) for p in taken]
        wanted = [*_FILTERS * filters, *_LISTS * lists, *_RECALLS * recalls]
        known = {p.name for p in itertools.chain(*own)}
        added = [p for p in wanted if p.name not in known]
        parameters = [*itertools.chain(*own), *added, *map(_parameter, names)]

        @functools.wraps(function)
        def run(**values: Any) -> Any:
            from thalamus.config import load
            from thalamus.errors import Interrupted
            from thalamus.terminal import problems, streams
            from thalamus.terminal.local import use_zone

            for parameter in parameters:
                if parameter.name not in blank:
                    _check_given(parameter, values[parameter.name])
                if parameter.name == "limit" and values["limit"] == 0:
                    values["limit"] = _most(parameter)
            flags = {name: values.pop(name) for name in names}
            given = {parameter.name: values.pop(parameter.name) for parameter in added}
            if given.get("everywhere"):
                flags["project"] = "none"
            problems.reporting.begin(keep_going=given.get("keep_going", False))
            try:
                found: list[ConfigError] | None = [] if lenient else None
                config = load(flags, problems=found)
                use_zone(config.timezone)
                _warn(config)
                _start_log(config)
                if lenient:
                    values["problems"] = found
                for name, group in grouped.items():
                    values[name] = group(**{p.name: values.pop(p.name) for p in fields[name]})
                written = streams.written()
                result = function(**values, config=config)
                problems.reporting.end()
                if given.get("fail_empty") and streams.written() == written:
                    problems.leave_empty()
                return result
            except KeyboardInterrupt:
                raise Interrupted() from None
            except BrokenPipeError:
                from thalamus.terminal.problems import leave_quietly

                leave_quietly()

        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        return run  # type: ignore[return-value]

    return decorate


def shared_options(*names: str) -> Callable[[F], F]:
    """Decorator that adds the shared options ``names`` to a command as keywords."""

    def decorate(function: F) -> F:
        signature = inspect.signature(function, eval_str=True)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        parameters = [*own, *map(_parameter, names)]
        function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        function.__annotations__ = {p.name: p.annotation for p in parameters}
        return function

    return decorate


def search_text(words: Sequence[str]) -> str:
    """The words of a search as one text. Raises ``UsageError`` without any."""
    from thalamus.errors import UsageError

    text = " ".join(words).strip()
    if not text:
        raise UsageError("There are no words to search for.")
    return text


def wrong_choice(option: str, value: str, choices: Sequence[str]) -> UsageError:
    """The error for an option with an invalid choice."""
    from thalamus.errors import UsageError

    *others, last = choices
    return UsageError(f"invalid {option} {value!r} (choose {', '.join(others)} or {last})")


def engine(config: Config, *, events: ThalamusEvents | None = None) -> Thalamus:
    """The engine for a command."""
    from thalamus.api import Thalamus

    return Thalamus(config=config, events=events)


def without_memory(config: Config, no_memory: bool) -> Config:
    """The configuration after applying ``--no-memory``."""
    from msgspec import structs

    return structs.replace(config, memory=False) if no_memory else config


def _check_given(parameter: inspect.Parameter, value: object) -> None:
    """Raises ``UsageError`` if an option was given an empty value, or one of spaces."""
    options = [one for one in get_args(parameter.annotation) if isinstance(one, OptionInfo)]
    texts = value if isinstance(value, list) else [value]
    if not options or value == parameter.default or all(_is_given(text) for text in texts):
        return
    from thalamus.errors import UsageError

    declared = (options[0].default, *(options[0].param_decls or ()))
    long = [name for name in declared if isinstance(name, str) and name.startswith("--")]
    name = long[0] if long else f"--{parameter.name.replace('_', '-')}"
    raise UsageError(f"{name} is empty", fix="Give it a value, or leave it out.")


def _is_given(value: object) -> bool:
    return not isinstance(value, str) or bool(value.strip())


def _most(parameter: inspect.Parameter) -> int:
    """The maximum of an option."""
    [option] = [one for one in get_args(parameter.annotation) if isinstance(one, OptionInfo)]
    return int(option.max or MOST)


def _fields(group: type) -> list[inspect.Parameter]:
    """The options of a Struct, one for each field, and an argument for each without a default."""
    from msgspec import NODEFAULT
    from msgspec.structs import fields

    kind = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(
            field.name,
            kind,
            default=inspect.Parameter.empty if field.default is NODEFAULT else field.default,
            annotation=_described(field.type, field.default is NODEFAULT),
        )
        for field in fields(group)
    ]


def _described(annotation: Any, required: bool) -> Any:
    """The type of a field as typer takes it, with what its ``Meta`` says of it: the placeholder, or
    "--name PLACEHOLDER" for an option that must be given, and the help."""
    from msgspec import Meta

    found = [one for one in get_args(annotation) if isinstance(one, Meta)]
    if not found:
        return annotation
    kind, title, text = get_args(annotation)[0], found[0].title or "", found[0].description
    if not required:
        return Annotated[kind, typer.Option(metavar=title, help=text)]
    if not title.startswith("--"):
        return Annotated[kind, typer.Argument(metavar=title, help=text)]
    option, _, placeholder = title.partition(" ")
    return Annotated[kind, typer.Option(option, metavar=placeholder, help=text)]


def _parameter(name: str) -> inspect.Parameter:
    declarations, placeholder, help_text = SHARED[name]
    option = typer.Option(
        *declarations, metavar=placeholder, help=help_text, rich_help_panel="Shared"
    )
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[str | None, option],
    )


def _warn(config: Config) -> None:
    """Prints warnings about ignored settings: those of an untrusted project file, and misspelt
    variables."""
    import os

    from thalamus.config import unknown_variables
    from thalamus.terminal.streams import complain

    if config.ignored is not None:
        complain(f"thalamus: {config.ignored.message}")
        complain(f"  {config.ignored.advice}")
    for name, similar in unknown_variables(config, os.environ):
        complain(f"thalamus: {name} is not a setting and is ignored.")
        complain(
            f"  Did you mean {similar}?" if similar else "  `thalamus config show` lists them."
        )


def _start_log(config: Config) -> None:
    from thalamus.terminal.log import start

    start(config.log_level, config.log_file)
