"""The pinned versions are of all packages that may be installed, and in their ranges."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.storeless

ROOT = Path(__file__).parents[1]
UNPINNED = {"train", "bench"}  # of programs beside this one


def test_every_package_is_pinned_in_its_range() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = project["dependencies"] + [
        one for name in extras.keys() - UNPINNED for one in extras[name]
    ]
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = {
        canonicalize_name(name): version
        for name, _, version in (line.partition("==") for line in lines)
    }
    assert all(pinned.values())
    for requirement in map(Requirement, wanted):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None and requirement.specifier.contains(version), requirement
