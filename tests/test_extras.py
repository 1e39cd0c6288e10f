"""The command that installs an optional package fits the installation that runs."""

from __future__ import annotations

import importlib.util
import json
import shlex
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from thalamus import extras

ROOT = Path(extras.__file__).parents[1]


@pytest.fixture(autouse=True)
def pip_on_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An environment that is activated: its `pip` is the first on PATH."""
    (tmp_path / "bin").mkdir()
    for name in ("python", "pip"):
        (tmp_path / "bin" / name).write_text("")
        (tmp_path / "bin" / name).chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: Any) -> ModuleType:
    """The module in a folder of packages, installed from ``origin``."""
    packages = tmp_path / "packages"
    about = packages / "thalamus_recall-0.1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: thalamus-recall\nVersion: 0.1.0\n"
    )
    if origin is not None:
        (about / "direct_url.json").write_text(json.dumps(origin))
    (packages / "thalamus").mkdir()
    file = shutil.copy(extras.__file__, packages / "thalamus" / "extras.py")
    monkeypatch.syspath_prepend(str(packages))
    spec = importlib.util.spec_from_file_location("extras_elsewhere", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_checkout_is_installed_again_with_the_extra() -> None:
    assert shlex.split(extras.install_command("ui")) == ["pip", "install", "-e", f"{ROOT}[ui]"]


@pytest.mark.parametrize(
    ("origin", "requirement"),
    [
        (None, "thalamus-recall[ui]"),
        (
            {"url": "file:///srv/my%20wheels/t.whl", "archive_info": {}},
            "thalamus-recall[ui] @ file:///srv/my%20wheels/t.whl",
        ),
        (
            {"url": "file:///srv/thalamus", "dir_info": {}},
            "thalamus-recall[ui] @ file:///srv/thalamus",
        ),
        (
            {
                "url": "https://example.org/t.git",
                "vcs_info": {"vcs": "git", "commit_id": "1f2e3d"},
            },
            "thalamus-recall[ui] @ git+https://example.org/t.git@1f2e3d",
        ),
    ],
)
def test_other_installations_are_named_by_their_origin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: Any, requirement: str
) -> None:
    command = elsewhere(tmp_path, monkeypatch, origin).install_command("ui")
    assert shlex.split(command) == ["pip", "install", requirement]


def test_an_environment_that_is_not_activated_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin")
    python = str(tmp_path / "bin" / "python")
    assert shlex.split(extras.install_command("web"))[:4] == [python, "-m", "pip", "install"]


def test_an_environment_without_pip_is_one_of_uv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pip", None)  # type: ignore[arg-type]
    words = shlex.split(extras.install_command("web"))
    assert words[:5] == ["uv", "pip", "install", "--python", str(tmp_path / "bin" / "python")]
