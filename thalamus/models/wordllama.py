"""WordLlama's static token embeddings of English, read from its package; half of ``static``.

The weights (32,000 tokens x 256 dimensions, float16, 16 MB) and the tokenizer are part of the
package ``wordllama``. They are read directly: importing the package takes some 220 ms (pydantic,
requests), and its own ``load`` misses the bundled tokenizer and goes to the network. The matrix is
memory-mapped, so that embedding one question touches only a few pages.

A text's vector is the mean of its tokens' rows, scaled to length 1, as in the package itself. Other
languages fall apart into short tokens and single bytes.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.errors import ModelMissing
from thalamus.models.protocol import EmbedKind
from thalamus.text.tokens import query_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from thalamus.models.wordllama_sentences import SentenceVectors

PACKAGE = "wordllama"
WEIGHTS = Path("weights/l2_supercat_256.safetensors")
TOKENIZER = Path("tokenizers/l2_supercat_tokenizer_config.json")
TENSOR = "embedding.weight"
DIMENSION = 256
_MAX_HEADER = 1 << 20  # bytes; the real one has 88
_BATCH = 256  # texts tokenized at once; bounds the memory of the tokenizer's results
_SLICE = 8192  # tokens summed at once; bounds the memory for a very long text


class WordLlamaEmbedder:
    """Embeds with WordLlama ``l2_supercat``, 256 dimensions. No server, no download.

    ``folder``: the package's folder, if it is not to be looked up. ``embed`` raises
    ``ModelMissing`` if the package or one of its two files is missing or invalid.
    """

    name: str = f"{PACKAGE}:{WEIGHTS.stem}"

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._loaded: tuple[Any, NDArray[np.float16]] | None = None
        self._sentences: SentenceVectors | None = None

    def dimension(self) -> int:
        return DIMENSION

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One unit vector per text. Of a question only the content words count: in a plain mean,
        "what did … say about" would weigh as much as the subject.

        A text without tokens gets the first axis, so that every row has a vector; its similarity to
        any real text is near 0.
        """
        if not texts:
            return []
        if self._loaded is None:
            self._loaded = self._load()
        tokenizer, matrix = self._loaded
        if kind == "query":
            texts = [query_text(text) for text in texts]
        vectors: list[bytes] = []
        for start in range(0, len(texts), _BATCH):
            batch = [_encodable(text) for text in texts[start : start + _BATCH]]
            for tokens in _tokenize(tokenizer, batch):
                vectors.append(_pool(matrix, tokens))
        return vectors

    def embed_sentences(self, texts: Sequence[str]) -> list[bytes]:
        """See ``protocol.SentenceEmbedder``. Raises the errors of ``embed``."""
        if self._loaded is None:
            self._loaded = self._load()
        if self._sentences is None:
            from thalamus.models.wordllama_sentences import SentenceVectors

            self._sentences = SentenceVectors(*self._loaded)
        return [self._sentences.of(_encodable(text)) for text in texts]

    def _load(self) -> tuple[Any, NDArray[np.float16]]:
        folder = self._folder or find_package()
        for file in (folder / WEIGHTS, folder / TOKENIZER):
            if not file.is_file():
                raise _missing(f"{file} does not exist")
        matrix = map_matrix(folder / WEIGHTS)
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        except Exception as error:  # the library raises bare Exception
            raise _missing(f"{folder / TOKENIZER}: {error}") from None
        tokenizer.no_padding()
        tokenizer.no_truncation()
        if tokenizer.get_vocab_size() > len(matrix):
            raise _missing("its tokenizer and weights do not match")
        return tokenizer, matrix


def find_package() -> Path:
    """Folder of the package ``wordllama``, found without importing it.

    Raises ``ModelMissing`` if it is not installed.
    """
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise _missing("the package is not installed")
    return Path(next(iter(spec.submodule_search_locations)))


def map_matrix(path: Path) -> NDArray[np.float16]:
    """Memory-maps the token embeddings (tokens x 256, float16) in a safetensors file.

    The file holds the length of a JSON header (8 bytes, little-endian), the header (dtype, shape
    and data offsets of each tensor) and the data. Raises ``ModelMissing`` if it is damaged or has
    other content.
    """
    import numpy as np

    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if length > min(size - 8, _MAX_HEADER):
                raise ValueError("the header is longer than the file")
            tensor = json.loads(file.read(length))[TENSOR]
        rows, columns = tensor["shape"]
        begin, end = tensor["data_offsets"]
        if tensor["dtype"] != "F16" or columns != DIMENSION or end - begin != rows * columns * 2:
            raise ValueError("it does not contain the expected matrix")
        if rows < 1 or begin < 0 or 8 + length + end > size:
            raise ValueError("it is truncated")
        mapped = np.memmap(path, "<f2", "r", offset=8 + length + begin, shape=(rows, columns))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _missing(f"{path}: {error}") from None
    return np.asarray(mapped)  # a plain view: indexing np.memmap itself costs more per call


def _tokenize(tokenizer: Any, texts: list[str]) -> list[list[int]]:
    if len(texts) == 1:  # in this thread: a process that forks later must not inherit a pool
        return [tokenizer.encode(texts[0], add_special_tokens=False).ids]
    return [found.ids for found in tokenizer.encode_batch_fast(texts, add_special_tokens=False)]


def _pool(matrix: NDArray[np.float16], tokens: list[int]) -> bytes:
    """Sums the tokens' rows in float32 (the direction of the mean) and scales to length 1."""
    import numpy as np

    total = np.zeros(matrix.shape[1], np.float32)
    for start in range(0, len(tokens), _SLICE):
        total += matrix[tokens[start : start + _SLICE]].sum(axis=0, dtype=np.float32)
    length = float(np.linalg.norm(total))
    if length == 0:
        total[0] = length = 1.0
    return (total / length).astype("<f4").tobytes()


def _encodable(text: str) -> str:
    """The text without lone surrogates, which the tokenizer rejects."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _missing(reason: str) -> ModelMissing:
    return ModelMissing(
        PACKAGE,
        reason,
        fix="Reinstall it: `pip install --force-reinstall --no-deps 'wordllama>=0.3.9,<0.5'`; "
        "or choose another embedder with --embedder (none: full text only).",
    )
