"""Python processes that work on a store's files next to the one that starts them."""

from __future__ import annotations

import sys
from pathlib import Path


def command(module: str, folder: Path) -> list[str]:
    """Command line that runs ``module.main()`` with the store's folder in ``sys.argv[1]``. The
    package's folder goes last in the path, and the working directory is not in it, so that nothing
    there can replace a module that the process imports."""
    package = str(Path(__file__).parents[3])
    code = f"import sys; sys.path.append({package!r}); from {module} import main; main()"
    return [sys.executable, "-P", "-c", code, str(folder)]
