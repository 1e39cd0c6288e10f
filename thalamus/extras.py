"""Optional packages: what is installed, and the command that installs the rest."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

DISTRIBUTION = "thalamus-recall"


def installed(package: str) -> bool:
    """True if a package can be imported."""
    try:
        return find_spec(package) is not None
    except ValueError:  # somebody disabled it by `sys.modules`
        return False


def install_command(extra: str) -> str:
    """Shell command that adds the packages of an extra of ``pyproject.toml`` to the running
    installation, wherever that came from."""
    root = Path(__file__).parents[1]
    if (root / "pyproject.toml").is_file():  # a checkout
        return f"{_installer()} -e {shlex.quote(f'{root}[{extra}]')}"
    return f"{_installer()} {shlex.quote(_requirement(extra))}"


def _installer() -> str:
    """Installs into the environment of this interpreter; ``pip install`` where that is on PATH."""
    if not installed("pip"):  # made by uv
        return f"uv pip install --python {shlex.quote(sys.executable)}"
    found = shutil.which("pip")
    if found is not None and Path(found).parent == Path(sys.executable).parent:
        return "pip install"
    return f"{shlex.quote(sys.executable)} -m pip install"


def _requirement(extra: str) -> str:
    """The distribution with an extra, from where it was installed (PEP 610); by its name if that
    was a package index."""
    from importlib.metadata import PackageNotFoundError, distribution

    named = f"{DISTRIBUTION}[{extra}]"
    try:
        written = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:
        written = None
    if not written:
        return named
    origin = json.loads(written)
    url = origin["url"]
    if repository := origin.get("vcs_info"):
        url = f"{repository['vcs']}+{url}@{repository['commit_id']}"
    return f"{named} @ {url}"
