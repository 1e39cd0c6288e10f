"""The package as type checkers see it from outside: the examples, and ``typed.py``."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import thalamus
from tests.test_api import INTERNAL, VIEWS, public
from tests.test_docs import PAGES, ROOT, blocks
from thalamus import Thalamus
from thalamus.api import calls

CHECKERS = {"mypy": ["-m", "mypy", "--strict"], "pyright": ["-m", "pyright"]}
# of the library, and names for a choice of texts
PLAIN = {
    *("Any", "Callable", "Iterable", "Iterator", "Literal", "Path", "Sequence", "None"),
    *("AbstractContextManager", "S"),
}


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The Python examples of all pages, each as a file."""
    folder, found = tmp_path_factory.mktemp("examples"), []
    for page in [*PAGES, ROOT / "tests" / "typed.py"]:
        texts = [page.read_text()] if page.suffix == ".py" else blocks(page, "python")
        for number, text in enumerate(texts):
            if "hookimpl" in text:  # pluggy has no types for what it calls
                continue
            path = folder / f"{page.stem}_{number}.py"
            path.write_text(text)
            found.append(str(path))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("checker", CHECKERS)
def test_examples_are_typed(examples: list[str], checker: str, tmp_path: Path) -> None:
    command = [sys.executable, *CHECKERS[checker], *examples]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_type_of_a_signature_is_imported_from_the_top(thalamus_: Thalamus) -> None:
    missing = {}
    for owner in [thalamus_, *(getattr(thalamus_, view) for view in VIEWS)]:
        for name in public(owner) - {*INTERNAL}:
            function = getattr(getattr(type(owner), name), "__wrapped__", None)
            for annotation in getattr(function, "__annotations__", {}).values():
                for word in set(re.findall(r"\b[A-Z]\w+", annotation)) - PLAIN:
                    kind = calls._resolved(function.__module__, word)
                    if isinstance(kind, type) and word not in thalamus.__all__:
                        missing[word] = name
    assert missing == {}


def test_every_name_at_the_top_exists() -> None:
    for name in thalamus.__all__:
        assert getattr(thalamus, name) is not None


@pytest.fixture
def thalamus_(home: Path) -> Thalamus:
    return Thalamus(home=str(home), model="scripted")
