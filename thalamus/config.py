"""Configuration: flags > environment > project file > user file > defaults; immutable once loaded.

Every value has its origin (``Config.origin``). Files are YAML, so JSON too. The user file is
``config.yaml`` in the configuration directory; a project file is the nearest ``.thalamus.yaml`` in
the working directory or above it. Since it may come with other people's files, all but harmless
settings in it are ignored until the user trusts its folder.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, field

from thalamus import files
from thalamus.errors import CannotWrite, ConfigError, UnknownSetting
from thalamus.names import normal_name, normalize, too_long

PROJECT_FILE = ".thalamus.yaml"
USER_FILE = "config.yaml"
FILE = "trusted-folders.json"
DAY = 86_400

# settings that are one of several words
CHOICES: dict[str, tuple[str, ...]] = {
    "cassette_mode": ("replay", "record"),
    "log_level": ("debug", "info", "warning", "error"),
    "planner": ("none", "model"),
    "memory_backend": ("thalamus", "openmemory"),
    "key_store": ("file", "keyring", "none"),
    "tool_policy": ("fixed", "ucb"),
    "auto_sources": ("never", "ask", "approve"),
}
AUTO: Literal["auto"] = "auto"  # of settings that are otherwise a number
Tokens = int | Literal["auto"]
# settings that are names, of which each has one form
NAMES = ("tenant", "user", "agent", "persona", "session")
# minimum and maximum, inclusive, of every number in ``Config``
RANGES: dict[str, tuple[float, float]] = {
    "model_timeout": (0, DAY),
    "context": (256, 10_000_000),
    "threads": (0, 1024),
    "max_memory_results": (1, 1000),
    "min_relevance": (0, 1),
    "min_score": (0, 1),
    "recent_messages": (0, 10_000),
    "token_budget": (1, 10_000_000),
    "max_answer_tokens": (1, 1_000_000),
    "temperature": (0, 5),
    "store_connections": (2, 1000),
    "busy_timeout": (0, DAY),
    "batch_size": (1, 100_000),
    "ingest_timeout": (0.01, DAY),
    "crawl_pages": (1, 10_000),
    "crawl_days": (0, 36_500),
    "crawl_timeout": (1, DAY),
    "crawl_megabytes": (1, 512),
    "undo_days": (0, 36_500),
    "log_days": (0, 36_500),
    "max_memories": (0, 1_000_000_000),
    "core_limit": (0, 10_000),
    "core_tokens": (0, 1_000_000),
    "profile_tokens": (0, 1_000_000),
}


def check_range(name: str, value: object) -> None:
    """Raises ``ConfigError`` for a number outside its range, including NaN."""
    if name not in RANGES or not isinstance(value, int | float):
        return
    least, most = RANGES[name]
    if not least <= value <= most:
        raise ConfigError(f"{name} must be between {least:,} and {most:,}, not {value}")


class Ignored(Struct, frozen=True):
    """Ignored settings of a project file: its folder is not trusted, or the file has ``changed``
    since it was."""

    file: str
    names: tuple[str, ...]
    changed: bool = False

    @property
    def message(self) -> str:
        """The ignored settings, with the reason."""
        why = "changed since it was trusted" if self.changed else "is not trusted"
        what = f"{', '.join(self.names)} {'is' if len(self.names) == 1 else 'are'} ignored"
        return f"{self.file} {why}: {what}"

    @property
    def advice(self) -> str:
        """The command that accepts the file."""
        import shlex

        folder = shlex.quote(str(Path(self.file).parent))
        return f"Review it, then accept it with `thalamus config trust {folder}`."

    def log(self) -> None:
        """Logs the message, for users of the Python API."""
        from thalamus.logs import logger

        logger(__name__).warning("%s. %s", self.message, self.advice)


class Config(Struct, frozen=True):
    """All settings. ``thalamus config show`` explains each with the comment after it."""

    home: str = ""  # one directory for everything; empty: the XDG directories
    store: str = ""  # postgresql://USER@HOST/DATABASE, without a password; empty: SQLite
    store_connections: int = 4  # connections of a process to a PostgreSQL database at most
    tenant: str = "default"  # whose store; each tenant has one of its own
    user: str = ""  # whose memories; empty: those of everyone in the tenant
    agent: str = ""  # which agent's memories; empty: those of all agents
    persona: str = ""  # the assistant's persona; empty: what holds for all of them
    session: str = "main"  # the session of turns without one
    project: str = "auto"  # recall prefers this project: a name, none, or auto: by the directory

    model: str = "auto"  # chat model: auto, ollama:NAME, llamacpp:PATH, openai:NAME, scripted
    models: Mapping[str, str] = field(default_factory=dict)  # per role: answer, reflect, plan…
    embedder: str = "auto"  # auto, static, multilingual, ollama:NAME, openai:NAME, none …
    reranker: str = "none"  # llamacpp:PATH, ollama:NAME, openai:NAME, none
    ollama_host: str = ""  # empty: OLLAMA_HOST, or 127.0.0.1:11434
    openai_base_url: str = ""  # e.g. http://127.0.0.1:8080/v1; the key from OPENAI_API_KEY
    model_timeout: float = 300.0  # seconds to wait for a model's reply
    keep_alive: str = "30m"  # how long Ollama keeps the model loaded
    context: Tokens = AUTO  # tokens of context window; auto: what the model has, at most 32,768
    threads: int = 0  # of a model in this process; 0: all cores to read, all but one to write
    deterministic: bool = False  # llama.cpp in process: replies independent of earlier calls
    cassette: str = ""  # a recording of model calls to replay or make
    cassette_mode: str = "replay"  # replay or record

    memory: bool = True  # false: turns recall nothing and are not stored
    remember: Mapping[str, str] = field(default_factory=dict)  # type: ask, never or always
    flow: str = "classic"  # the flow that `turn` runs
    flows: Mapping[str, Any] = field(default_factory=dict)  # your own flows: name -> stages
    enable_reflection: bool = True  # false: reflect and plan are skipped
    summarize_tasks: bool = False  # a goal that was reached leaves a summary of its turns
    crystallize: bool = True  # false: no insights are concluded from new turns
    planner: str = "none"  # who plans what the next turn recalls: none, or model
    max_memory_results: int = 10  # results that `retrieve` prints; a prompt may hold more
    min_relevance: float = 0.3  # of the best result, else there is none; 0: keep all that is found
    min_score: float = 0.4  # least share of the best result's score; 0: keep all that is found
    recent_messages: int = 10  # messages of the session in the prompt
    token_budget: Tokens = AUTO  # tokens of notes and instructions; auto: what the model can take
    max_answer_tokens: int = 512  # tokens of an answer
    temperature: float = 0.0  # for answers; reflection and planning always use 0

    network: bool = False  # sources may be read when nobody asks: `crawl --due`, `consolidate`
    auto_sources: str = "ask"  # links you share become: never, ask (candidates), approve (sources)
    crawl_allow: str = ""  # private hosts and networks that may be read: wiki.local, 10.1.0.0/16
    crawl_proxy: str = ""  # a proxy to read through; empty: none, whatever the environment says
    crawl_pages: int = 20  # documents read from a source in one crawl at most
    crawl_days: float = 1.0  # days after which a source is due again
    crawl_timeout: float = 600.0  # seconds for one source in one crawl at most
    crawl_megabytes: int = 20  # size of one page at most, also after decompression

    hnsw: bool = True  # keep an HNSW index over 250,000 vectors or more; false: scan them
    busy_timeout: float = 30.0  # seconds to wait for another process's write
    batch_size: int = 1000  # records per transaction in bulk writes
    ingest_timeout: float = 60.0  # seconds to read one document at most

    key_store: str = "file"  # where the store key is kept: file, keyring (of the system) or none
    encrypt_personal: bool = True  # encrypt personal data
    key_file: str = ""  # empty: keys/TENANT.key in the configuration directory
    undo_days: float = 30.0  # days until what a prune retired is deleted for good
    log_days: float = 90.0  # days that what stages were given and gave is kept; 0: not at all
    max_memories: int = 0  # memories that `prune` keeps at most; 0: no limit
    core_limit: int = 20  # core memories per user at most
    core_tokens: int = 400  # tokens of the prompt for core memories at most
    profile_tokens: int = 200  # tokens of the prompt for the user's profile; 0: no profile
    plugins: bool = True  # whether installed plugins are used

    timezone: str = ""  # IANA name such as Europe/Lisbon; empty: the system's
    plugin_settings: Mapping[str, Any] = field(default_factory=dict)  # of each, by its name
    skills: Mapping[str, Any] = field(default_factory=dict)  # your own skills: name -> tools
    allow: Mapping[str, Any] = field(default_factory=dict)  # stage -> the skills it may use
    voice: Mapping[str, str] = field(default_factory=dict)  # listen and speak: shell commands
    mcp: Mapping[str, Any] = field(default_factory=dict)  # MCP servers whose tools may be used
    tool_policy: str = "fixed"  # order of the tools: fixed, or ucb (by what came of their calls)
    memory_backend: str = "thalamus"  # whose memory the memory tools use: thalamus or openmemory

    prompts_dir: str = ""  # your own prompts; empty: prompts/ in the configuration directory
    log_level: str = "warning"  # debug, info, warning, error
    log_file: str = ""  # empty: log to standard error
    log_prompts: bool = False  # log prompts and replies (level debug, and --events)

    origin: Mapping[str, str] = field(default_factory=dict)
    ignored: Ignored | None = None

    def __post_init__(self) -> None:
        normalize(self, NAMES)

    @property
    def config_dir(self) -> Path:
        """The directory of the configuration and of custom prompts."""
        return self._directory("config", "XDG_CONFIG_HOME", ".config")

    @property
    def prompts_folder(self) -> Path:
        """Folder of custom prompts, which may not exist."""
        if self.prompts_dir:
            return Path(self.prompts_dir).expanduser()
        return self.config_dir / "prompts"

    def own_prompts(self) -> Path:
        """Folder of custom prompts. Raises ``ConfigError`` if a configured one is missing:
        otherwise the packaged prompts would be used silently."""
        folder = self.prompts_folder
        if self.prompts_dir and not folder.is_dir():
            fix = "Create it, or correct the setting."
            raise ConfigError(f"prompts_dir is not a directory: {folder}", fix=fix)
        return folder

    @property
    def data_dir(self) -> Path:
        """The directory of the stores."""
        return self._directory("data", "XDG_DATA_HOME", ".local/share")

    @property
    def cache_dir(self) -> Path:
        """Directory of pulled models: everything in it can be downloaded again."""
        return self._directory("cache", "XDG_CACHE_HOME", ".cache")

    @property
    def state_dir(self) -> Path:
        """The directory of the chat prompt's history."""
        return self._directory("state", "XDG_STATE_HOME", ".local/state")

    @property
    def history_file(self) -> Path:
        """The lines typed in chats of this tenant."""
        name = "history" if self.tenant == "default" else f"history-{self.tenant}"
        return self.state_dir / name

    @property
    def store_dir(self) -> Path:
        """The folder of this tenant's store, if it is a SQLite file, and of its indexes."""
        return self.data_dir / self.tenant

    @property
    def store_place(self) -> str:
        """The place of this tenant's store in words: its folder, or its database and tenant."""
        if not self.store:
            return str(self.store_dir)
        from thalamus.store_url import parse_store_url

        return parse_store_url(self.store).place(self.tenant)

    @property
    def tenant_places(self) -> tuple[Path, ...]:
        """The folders and files that are named after the tenant."""
        keys = self.config_dir / "keys" / f"{self.tenant}.key"
        return (self.store_dir, keys, self.history_file)

    def model_for(self, role: str) -> str:
        """The model spec for a role (``models.protocol.Role``).

        Unless set, the model that reflects also verifies.
        """
        own = self.models.get(role)
        if not own and role == "verify":
            own = self.models.get("reflect")
        return own or self.model

    def _directory(self, name: str, variable: str, fallback: str) -> Path:
        if self.home:
            return Path(self.home).expanduser() / name
        base = Path(os.environ.get(variable, ""))
        if not base.is_absolute():  # ignored, as the XDG specification demands
            base = Path.home() / fallback
        return base / "thalamus"


class Elsewhere(Config, frozen=True):
    """The user's settings with the stores in another ``folder``, whatever their database."""

    folder: str = ""

    @classmethod
    def of(cls, values: Mapping[str, Any], folder: str) -> "Elsewhere":
        """These settings, without the user's database."""
        return cls(**{**values, "store": "", "folder": folder})

    @property
    def data_dir(self) -> Path:
        """The directory of the stores."""
        return Path(self.folder)


SETTINGS: dict[str, Any] = {
    name: kind for name, kind in Config.__annotations__.items() if name not in ("origin", "ignored")
}
# variables that are not settings
OTHER_VARIABLES = (
    "THALAMUS_MCP_TOKEN",
    "THALAMUS_NOW",
    "THALAMUS_STRICT_STAGES",
)
# settings of an untrusted project file that take effect: they connect to nothing, open no file,
# delete nothing, protect nothing, and do not choose whose memory is read and written
HARMLESS = (
    "persona project flow max_memory_results min_relevance min_score recent_messages token_budget"
    " max_answer_tokens temperature core_limit core_tokens profile_tokens timezone"
).split()


def load(
    flags: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    problems: list[ConfigError] | None = None,
) -> Config:
    """Loads the configuration.

    ``flags``: values from the command line (None for not given). Raises ``ConfigError`` for an
    unreadable file, an unknown setting or a value of the wrong type. With ``problems``, errors are
    added to that list instead, and invalid values are left out.
    """
    environ = os.environ if environ is None else environ
    flag_values = {k: v for k, v in (flags or {}).items() if v is not None}
    from_env = {
        name: environ[variable]
        for name in SETTINGS
        if (variable := f"THALAMUS_{name.upper()}") in environ
    }
    layers: list[tuple[str, Mapping[str, Any]]] = []
    home = flag_values.get("home") or from_env.get("home")
    if home:
        _check_home(Path(str(home)).expanduser())  # never left out: another one would be used
    own = user_dir(home)
    if os.path.isfile(own / USER_FILE):  # noqa: PTH113  # False for a folder that cannot be read
        with _collecting(problems):
            layers.append((str(own / USER_FILE), read_file(own / USER_FILE)))
    ignored = None
    project = find_project_file(cwd or Path.cwd())
    if project is not None:
        with _collecting(problems):
            settings, ignored = read_project_file(project, own)
            layers.append((str(project), settings))
    layers.append(("environment", {k: v for k, v in from_env.items() if v != ""}))
    layers.append(("flag", flag_values))

    values: dict[str, Any] = {}
    origin: dict[str, str] = {}
    for source, layer in layers:
        for name, value in layer.items():
            place = f"THALAMUS_{name.upper()}" if source == "environment" else source
            with _collecting(problems):
                values[name] = read_setting(name, value, place)
                origin[name] = place
    return Config(**values, origin=origin, ignored=ignored)


def user_dir(home: object = None) -> Path:
    """The user's own configuration directory, with the user file and the list of trusted folders;
    no file can change it. ``home``: value of the flag or of THALAMUS_HOME."""
    return Config(home=str(home or "")).config_dir


def user_file(config: Config) -> Path:
    """The user's configuration file, which may not exist."""
    flag_values = config.origin.get("home") in ("flag", "THALAMUS_HOME")
    return user_dir(config.home if flag_values else None) / USER_FILE


@contextmanager
def _collecting(problems: list[ConfigError] | None) -> Iterator[None]:
    """Collects errors in a list, if there is one, instead of raising them."""
    try:
        yield
    except ConfigError as error:
        if problems is None:
            raise
        problems.append(error)


def find_project_file(start: Path) -> Path | None:
    """The nearest project file in ``start`` or above it."""
    for folder in (start, *start.parents):
        path = folder / PROJECT_FILE
        if path.is_file():
            return path
    return None


def read_project_file(path: Path, own: Path) -> tuple[dict[str, Any], Ignored | None]:
    """The effective and the ignored settings of a project file. ``own``: directory with the list of
    trusted folders. Raises ``ConfigError``."""
    data = _bytes(path)
    values = _parsed(path, data)
    for name in values:
        if name not in SETTINGS:
            raise UnknownSetting(f"{path}{line_of(name, str(path))}: {unknown_setting(name)}")
    restricted = tuple(name for name in values if name not in HARMLESS)
    if not restricted:
        return values, None

    accepted = TrustedFolders(own).accepted(path.parent)
    if accepted == digest(data):
        return values, None
    remaining = {name: value for name, value in values.items() if name in HARMLESS}
    return remaining, Ignored(str(path), restricted, changed=accepted is not None)


def read_file(path: Path, data: bytes | None = None) -> dict[str, Any]:
    """Reads a YAML file of settings, or ``data`` as its content. Raises ``ConfigError`` with the
    line of a mistake."""
    return _parsed(path, _bytes(path) if data is None else data)


def check_settings(values: Mapping[str, Any], source: str) -> dict[str, Any]:
    """The settings converted to their types. Raises ``ConfigError``."""
    return {name: read_setting(name, value, source) for name, value in values.items()}


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: {error}") from None


def _parsed(path: Path, data: bytes) -> dict[str, Any]:
    import yaml

    try:
        loaded = yaml.safe_load(data.decode("utf-8"))
    except RecursionError:
        raise ConfigError(f"{path}: nested too deeply") from None
    except yaml.MarkedYAMLError as error:
        for mark in (error.context_mark, error.problem_mark):
            if mark is not None:
                mark.buffer = None  # the lines of the file are not quoted: one may hold a password
        raise ConfigError(f"{path}: {error}") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path}: {error}") from None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise ConfigError(f"{path}: expected `name: value` lines")
    return {str(key): value for key, value in loaded.items() if value is not None}


def read_setting(name: str, value: Any, place: str) -> Any:
    """A setting's converted value. Raises ``ConfigError`` with its place: the variable, or the file
    with the line."""
    try:
        converted = _convert(name, value)
        _check({name: converted})
    except ConfigError as error:
        where = "" if place == "flag" else f"{place}{line_of(name, place)}: "
        raise type(error)(f"{where}{error.args[0]}", fix=error.fix) from None
    return converted


def line_of(name: str, file: str) -> str:
    """``, line 3``: the line of a setting in a file; empty if it is unknown."""
    import yaml

    try:
        root: Any = yaml.compose(Path(file).read_text(encoding="utf-8"))
        lines = [key.start_mark.line + 1 for key, _ in root.value if key.value == name]
    except (OSError, ValueError, AttributeError, RecursionError, yaml.YAMLError):
        return ""
    return f", line {lines[-1]}" if lines else ""


_IN_WORDS: dict[Any, str] = {
    str: "a string",
    int: "an integer",
    float: "a number",
    bool: "true or false",
    Tokens: "an integer or auto",
}


def _convert(name: str, value: Any) -> Any:
    kind = _kind(name)
    try:
        return _as_kind(kind, value)
    except OverflowError:  # an infinite number
        check_range(name, float(value))
        raise
    except (TypeError, ValueError):
        restricted = _IN_WORDS.get(kind, "a mapping")
        given = "" if name == "store" else f", not {value!r}"  # it may hold a password
        raise ConfigError(f"{name} must be {restricted}{given}") from None


def _kind(name: str) -> Any:
    kind = SETTINGS.get(name)
    if kind is None:
        raise UnknownSetting(unknown_setting(name))
    return kind


def unknown_setting(name: str) -> str:
    """Message for an unknown setting, with the most similar name."""
    return f"unknown setting {name!r}{_suggestion(name)}"


def _as_kind(kind: Any, value: Any) -> Any:
    if kind is bool:
        return _as_bool(value)
    if kind is str:
        if isinstance(value, (dict, list)):
            raise TypeError
        return str(value)
    if kind == Tokens:
        return AUTO if str(value).strip().lower() == AUTO else _as_kind(int, value)
    if kind in (int, float):
        if isinstance(value, bool):
            raise TypeError
        number = kind(value)
        if kind is int and isinstance(value, float) and number != value:
            raise ValueError
        return number
    if not isinstance(value, Mapping):
        raise TypeError
    return dict(value)


def _as_bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    words = {"1": True, "true": True, "yes": True, "on": True}
    words |= {"0": False, "false": False, "no": False, "off": False}
    word = str(value).lower()
    if word not in words:
        raise ValueError(value)
    return words[word]


def _check(values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        check_range(name, value)
        if name in NAMES:
            check_name(name, value)
    for name, (*others, last) in CHOICES.items():
        if name in values and values[name] not in (*others, last):
            raise ConfigError(f"{name} must be {', '.join(others)} or {last}")
    for type, consent in values.get("remember", {}).items():
        if consent not in ("ask", "never", "always"):
            raise ConfigError(f"remember.{type} must be ask, never or always, not {consent!r}")
    for name, command in values.get("voice", {}).items():
        if name not in ("listen", "speak") or not isinstance(command, str):
            raise ConfigError(f"voice.{name} is not a command; voice has listen and speak")
    _check_hosts(str(values.get("crawl_allow", "")))
    if values.get("store"):
        from thalamus.store_url import parse_store_url

        parse_store_url(str(values["store"]))
    if values.get("timezone"):
        _check_time_zone(str(values["timezone"]))
    check_tenant(str(values.get("tenant", "default")))


def check_name(kind: str, name: str) -> None:
    """Raises ``ConfigError`` for a name that is blank or too long. ``kind``: of what it is the
    name."""
    if name and not normal_name(name):
        raise ConfigError(f"the name of the {kind} is blank", fix="Give a name with a letter.")
    if problem := too_long(normal_name(name)):
        raise ConfigError(f"the name of the {kind} {problem}", fix="Choose a shorter name.")


def _check_home(home: Path) -> None:
    """Raises ``ConfigError`` for a home that is no folder, cannot be created or may not be used."""
    place = next(part for part in (home, *home.absolute().parents) if os.path.lexists(part))
    if place.is_symlink() and not os.path.exists(place):  # noqa: PTH110
        problem = f"is a link to {os.readlink(place)}, which does not exist"  # noqa: PTH115
        fix = "Create the folder it points to, or remove the link."
    elif not os.path.isdir(place):  # noqa: PTH112
        problem, fix = "is a file, not a folder", "Choose another folder."
    elif not os.access(place, os.R_OK | os.X_OK):
        problem, fix = "may not be read by this account", "Change its permissions."
    else:
        return
    raise ConfigError(f"home: {place} {problem}", fix=fix)


def check_tenant(name: str) -> None:
    """Raises ``ConfigError`` for an invalid name of a tenant."""
    if not normal_name(name).replace("-", "").replace("_", "").isalnum():
        raise ConfigError("tenant may only contain letters, digits, - and _: it names a directory")


def _check_hosts(text: str) -> None:
    import ipaddress
    import re

    for entry in re.split(r"[,\s]+", text.strip()) if text.strip() else ():
        try:
            ipaddress.ip_network(entry, strict=False)
        except ValueError:
            if not re.fullmatch(r"[\w.-]+", entry):
                problem = f"must name hosts and networks (wiki.local, 10.1.0.0/16), not {entry!r}"
                raise ConfigError(f"crawl_allow {problem}") from None


def _check_time_zone(name: str) -> None:
    from thalamus.clock import time_zone

    try:
        time_zone(name)
    except ValueError:
        raise ConfigError(
            f"timezone must be an IANA name such as Europe/Lisbon or UTC, not {name!r}"
        ) from None


def _suggestion(name: str) -> str:
    import difflib

    similar = difflib.get_close_matches(name, SETTINGS, n=1)
    return f"; did you mean {similar[0]!r}?" if similar else ""


def unknown_variables(config: Config, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Variables that begin like settings but are not, each with the most similar name or an empty
    string. Variables for MCP servers are left out."""
    prefix = "THALAMUS_"
    known = [*map(str.upper, SETTINGS), *(name.removeprefix(prefix) for name in OTHER_VARIABLES)]
    for variable in sorted(environ):
        name = variable.removeprefix(prefix)
        if name != variable and name not in known and variable not in str(config.mcp):
            import difflib

            similar = difflib.get_close_matches(name, known, n=1)
            yield variable, f"{prefix}{similar[0]}" if similar else ""


def as_table(config: Config) -> list[tuple[str, Any, str]]:
    """(name, value, origin) of every setting."""
    return [(name, getattr(config, name), config.origin.get(name, "default")) for name in SETTINGS]


def meanings() -> dict[str, str]:
    """Meaning of each setting by name: the comment after its definition."""
    import re

    source = Path(__file__).read_text(encoding="utf-8")
    lines = re.finditer(r"^    (\w+): .*?  # (.*)$", source, re.MULTILINE)
    return {line[1]: line[2] for line in lines if line[1] in SETTINGS}


class TrustedFolders:
    """Folders whose project file the user has accepted, each with a digest of that file.

    The list is stored in ``directory``, which must be the user's own: no project file may choose
    it.
    """

    def __init__(self, directory: Path) -> None:
        self.path = directory / FILE

    def digests(self) -> dict[str, str]:
        """Folder -> digest of its project file. Raises ``ConfigError`` for a damaged list."""
        import json

        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise ConfigError(f"{self.path}: {error}", fix=_DAMAGED) from None
        if not isinstance(found, dict) or not all(isinstance(d, str) for d in found.values()):
            raise ConfigError(f"{self.path}: not a list of directories", fix=_DAMAGED)
        return found

    def add(self, folder: Path, data: bytes) -> None:
        """Accepts the current project file of a folder."""
        self._write({**self.digests(), _name(folder): digest(data)})

    def remove(self, folder: Path) -> bool:
        """Removes a folder from the list; False if it is not on it."""
        remaining = self.digests()
        if remaining.pop(_name(folder), None) is None:
            return False
        self._write(remaining)
        return True

    def accepted(self, folder: Path) -> str | None:
        """Digest of the accepted project file in a folder; None if there is none."""
        return self.digests().get(_name(folder))

    def _write(self, digests: dict[str, str]) -> None:
        import json

        text = json.dumps(dict(sorted(digests.items())), indent=1)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with files.replacing(self.path) as out:
                out.write(text.encode())
        except OSError as error:
            raise CannotWrite(self.path, error) from None


_DAMAGED = "Remove the file, then trust the directories again with `thalamus config trust DIR`."


def digest(data: bytes) -> str:
    """The digest of a project file."""
    import hashlib

    return hashlib.sha256(data).hexdigest()


def _name(folder: Path) -> str:
    return str(folder.resolve())
