"""Checks of the configuration: files, variables, prompt templates, model names, flows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from thalamus import config as configuration
from thalamus.config import Config
from thalamus.errors import ThalamusError
from thalamus.models.protocol import ROLES

State = Literal["ok", "warning", "problem"]
OTHER_VARIABLES = ("THALAMUS_NOW",)  # those that are no settings


class Check(Struct, kw_only=True):
    """What was looked at (``name``), how it stands, what was seen, what to do about it."""

    name: str
    state: State
    detail: str
    fix: str = ""


def check_configuration(home: str = "") -> Iterator[Check]:
    """Everything that can be wrong with the configuration, before a turn meets it.

    ``home``: the folder given as a flag, if any. Nothing is raised: a problem is a check.
    """
    home = home or os.environ.get("THALAMUS_HOME", "")
    files = list(check_files(home))
    yield from files
    yield from check_variables()
    yield from check_prompts(Config(home=home).config_dir / "prompts")
    try:
        config = configuration.load({"home": home or None})
    except ThalamusError as error:
        if all(check.state == "ok" for check in files):  # else it has been told
            yield failed("settings", error)
        return
    yield Check(name="settings", state="ok", detail=f"{len(config.origin)} set, the rest default")
    yield from check_models(config)
    yield from check_flows(config)
    yield from check_retention(config)


def failed(name: str, error: ThalamusError, state: State = "problem") -> Check:
    """An error as a check."""
    return Check(name=name, state=state, detail=error.message, fix=error.advice)


def check_files(home: str) -> Iterator[Check]:
    """The user file and the project file: each setting of each file."""
    own = configuration.user_dir(home)
    project = configuration.find_project_file(Path.cwd())
    for path in (own / configuration.USER_FILE, project):
        if path is None or not path.is_file():
            continue
        try:
            values = configuration.read_file(path)
        except ThalamusError as error:
            yield failed("file", error)
            continue
        problems = list(_wrong_settings(values, str(path)))
        yield from problems
        if not problems:
            yield Check(name="file", state="ok", detail=f"{path}: {len(values)} settings")
            if path == project:
                yield from _ignored(path, own)


def check_variables() -> Iterator[Check]:
    """Variables that look like ours and set nothing."""
    known = {f"THALAMUS_{name.upper()}" for name in configuration.SETTINGS} | {*OTHER_VARIABLES}
    for name in sorted(os.environ):
        if name.startswith("THALAMUS_") and name not in known:
            fix = _nearest(name, known)
            yield Check(name="variable", state="warning", detail=f"{name} sets nothing", fix=fix)


def check_prompts(own: Path) -> Iterator[Check]:
    """Each template as it would be used, and files among the user's own that are none."""
    from thalamus.policy.prompts import TOKENS
    from thalamus.templates import Templates

    templates = Templates(own)
    for name in TOKENS:
        try:
            templates.load(name)
        except ThalamusError as error:
            yield failed("prompt", error)
        else:
            yield Check(name="prompt", state="ok", detail=f"{name}: {templates.path(name)}")
    for path in sorted(own.glob("*")):
        if path.name not in {f"{name}.md" for name in TOKENS}:
            fix = _nearest(path.stem, set(TOKENS)) or f"Templates are: {', '.join(TOKENS)}."
            yield Check(name="prompt", state="warning", detail=f"{path} is never used", fix=fix)


def check_models(config: Config) -> Iterator[Check]:
    """Whether the names of models can be understood, and what they name is on this machine.
    Servers are not asked."""
    for role in config.models:
        if role not in ROLES:
            fix = f"Roles are {', '.join(ROLES)}."
            yield Check(
                name="model", state="problem", detail=f"models.{role}: no such role", fix=fix
            )
    for spec, roles in specs(config).items():
        yield _understood(spec, f"model for {', '.join(roles)}", config, chat=True)
    yield _understood(config.embedder, "embedder", config, chat=False)


def specs(config: Config) -> dict[str, list[str]]:
    """The names of the chat models with the roles that they play."""
    found: dict[str, list[str]] = {}
    for role in ROLES:
        found.setdefault(config.model_for(role), []).append(role)
    return found


def check_flows(config: Config) -> Iterator[Check]:
    """Whether the flow that turns run, and each of one's own, is a list of stages."""
    from thalamus.stages.turn import flow

    for name in dict.fromkeys([config.flow, *config.flows]):
        try:
            stages = flow(name, config.flows)
        except ThalamusError as error:
            yield failed("flow", error)
        else:
            yield Check(name="flow", state="ok", detail=f"{name}: {' → '.join(stages)}")


def check_retention(config: Config) -> Iterator[Check]:
    """The retention rules, packaged and one's own."""
    from thalamus.retention import FILE, load_rules

    try:
        rules = load_rules(config.config_dir)
    except ThalamusError as error:
        yield failed("retention", error)
        return
    own = config.config_dir / FILE
    source = str(own) if own.is_file() else "packaged"
    yield Check(name="retention", state="ok", detail=f"{len(rules)} kinds, {source}")


def _understood(spec: str, purpose: str, config: Config, chat: bool) -> Check:
    from thalamus.errors import ModelMissing
    from thalamus.models import choose

    if spec == "auto" and chat:
        return Check(name="model", state="ok", detail=f"{purpose}: auto")
    try:
        if chat:
            choose.chat_model(spec, config)
        else:
            choose.embedder(spec, config)
    except ModelMissing as error:
        return failed("model", error, "warning")
    except ThalamusError as error:
        return failed("model", error)
    return Check(name="model", state="ok", detail=f"{purpose}: {spec}")


def _ignored(project: Path, own: Path) -> Iterator[Check]:
    try:
        ignored = configuration.read_project_file(project, own)[1]
    except ThalamusError as error:
        yield failed("file", error)
        return
    if ignored is not None:
        yield Check(name="file", state="warning", detail=ignored.message, fix=ignored.advice)


def _wrong_settings(values: dict[str, Any], source: str) -> Iterator[Check]:
    """All that is wrong in a file, where loading stops at the first."""
    for name, value in values.items():
        try:
            configuration.read_setting(name, value, source)
        except ThalamusError as error:
            yield failed("file", error)


def _nearest(name: str, known: set[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f"Did you mean {near[0]}?" if near else ""
