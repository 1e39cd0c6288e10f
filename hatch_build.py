"""Build hook: an editable install compiles the package, as an ordinary one does.

Where Python is told not to write bytecode, every start would otherwise compile all modules anew.
"""

from __future__ import annotations

import compileall
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles ``thalamus/`` in place when ``version`` is "editable"."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            compileall.compile_dir(Path(self.root) / "thalamus", quiet=2)
