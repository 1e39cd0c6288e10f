"""Python processes that work on a store's files next to the one that starts them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess


def command(module: str, folder: Path, function: str = "main") -> list[str]:
    """Command line that runs a function of a module with the store's folder in ``sys.argv[1]``. The
    package's folder goes last in the path, and the working directory is not in it, so that nothing
    there can replace a module that the process imports."""
    package = str(Path(__file__).parents[3])
    imported = f"from {module} import {function}; {function}()"
    code = f"import sys; sys.path.append({package!r}); {imported}"
    return [sys.executable, "-P", "-c", code, str(folder)]


def start(module: str, folder: Path, function: str = "main") -> subprocess.Popen[bytes]:
    """A process that runs a function of a module and may outlive this one. Raises ``OSError``."""
    import subprocess

    if getattr(sys, "frozen", False):
        raise OSError("the program is no Python interpreter")
    return subprocess.Popen(
        command(module, folder.absolute(), function),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
