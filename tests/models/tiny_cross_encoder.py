"""A cross-encoder of a few kilobytes for llama.cpp: one layer of BERT with weights set by hand.

It has no idea of the question: its score rises with the share of words about boats in what it
reads. That is enough to see in which order real scores come back, and on which scale.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

WIDTH = 32
CONTEXT = 64
BOATS = ("boat", "sail", "harbour")
_OTHERS = "who what when sold the a my tea is in mara tom likes".split()
_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"▁{w}" for w in (*BOATS, *_OTHERS))]
_ALIGNMENT = 32
_INT, _SIGNED, _FLOAT, _BOOL, _TEXT, _ARRAY = 4, 5, 6, 7, 8, 9


def write_cross_encoder(path: Path, architecture: str = "bert", pooling: int | None = 4) -> Path:
    """Writes the model. Another ``architecture`` or ``pooling`` (4: rank) makes a file that cannot
    be used, but whose header reads like that of another kind of model."""
    settings: dict[str, object] = {
        "general.architecture": architecture,
        f"{architecture}.context_length": CONTEXT,
        f"{architecture}.block_count": 1,
        f"{architecture}.embedding_length": WIDTH,
        f"{architecture}.feed_forward_length": WIDTH,
        f"{architecture}.attention.head_count": 1,
        f"{architecture}.attention.layer_norm_epsilon": 1e-12,
        f"{architecture}.attention.causal": False,
        **({} if pooling is None else {f"{architecture}.pooling_type": pooling}),
        "tokenizer.ggml.model": "bert",
        "tokenizer.ggml.token_type_count": 1,
        "tokenizer.ggml.tokens": _TOKENS,
        "tokenizer.ggml.scores": [0.0] * len(_TOKENS),
        "tokenizer.ggml.token_type": [3] * 5 + [1] * (len(_TOKENS) - 5),
        "tokenizer.ggml.unknown_token_id": 1,
        "tokenizer.ggml.padding_token_id": 0,
        "tokenizer.ggml.cls_token_id": 2,
        "tokenizer.ggml.bos_token_id": 2,
        "tokenizer.ggml.seperator_token_id": 3,
        "tokenizer.ggml.eos_token_id": 3,
        "tokenizer.ggml.mask_token_id": 4,
    }
    path.write_bytes(_file(settings, _tensors()))
    return path


def _tensors() -> dict[str, list[list[float]]]:
    zeros, ones = [[0.0] * WIDTH], [[1.0] * WIDTH]
    nothing = [[0.0] * WIDTH for _ in range(WIDTH)]
    same = _diagonal(1.0)
    block = {
        f"blk.0.{name}.{part}": value
        for name, weight in {
            "attn_q": nothing,  # each word looks at all words alike
            "attn_k": nothing,
            "attn_v": same,
            "attn_output": _diagonal(4.0),
            "ffn_up": nothing,
            "ffn_down": nothing,
        }.items()
        for part, value in {"weight": weight, "bias": zeros}.items()
    }
    norms = ("token_embd_norm", "blk.0.attn_output_norm", "blk.0.layer_output_norm")
    return {
        "token_embd.weight": [_embedding(token) for token in _TOKENS],
        "position_embd.weight": [[0.0] * WIDTH for _ in range(CONTEXT)],
        "token_types.weight": zeros,
        **{f"{name}.weight": ones for name in norms},
        **{f"{name}.bias": zeros for name in norms},
        **block,
        "cls.weight": same,
        "cls.bias": zeros,
        "cls.output.weight": [[8.0] + [0.0] * (WIDTH - 1)],
        "cls.output.bias": [[-2.0]],
    }


def _embedding(token: str) -> list[float]:
    """Axis 0 is boats; the rest tells words apart."""
    number = _TOKENS.index(token)
    values = [math.sin(7 * (number + 1) * (axis + 1)) for axis in range(WIDTH)]
    return [8.0 if token.strip("▁") in BOATS else 0.0, *values[1:]]


def _diagonal(value: float) -> list[list[float]]:
    return [[value * (row == column) for column in range(WIDTH)] for row in range(WIDTH)]


def _file(
    settings: Mapping[str, object], tensors: Mapping[str, Sequence[Sequence[float]]]
) -> bytes:
    """GGUF version 3: header, settings, the places of the tensors, and the tensors."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(settings))
    head += b"".join(_text(key) + _value(value) for key, value in settings.items())
    data = b""
    for name, rows in tensors.items():
        flat = [value for row in rows for value in row]
        one = len(rows) == 1 and not name.endswith("types.weight") and "cls.output.w" not in name
        shape = [len(rows[0])] if one else [len(rows[0]), len(rows)]
        head += _text(name) + struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
        head += struct.pack("<IQ", 0, len(data))
        data += _padded(struct.pack(f"<{len(flat)}f", *flat))
    return _padded(head) + data


def _value(value: object) -> bytes:
    if isinstance(value, list):
        items = [_scalar(item) for item in value]
        kind = _SIGNED if items[0][0] == _INT else items[0][0]  # llama.cpp insists in lists
        return struct.pack("<IIQ", _ARRAY, kind, len(items)) + b"".join(data for _, data in items)
    kind, data = _scalar(value)
    return struct.pack("<I", kind) + data


def _scalar(value: object) -> tuple[int, bytes]:
    if isinstance(value, bool):
        return _BOOL, struct.pack("<?", value)
    if isinstance(value, int):
        return _INT, struct.pack("<I", value)
    if isinstance(value, float):
        return _FLOAT, struct.pack("<f", value)
    return _TEXT, _text(str(value))


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % _ALIGNMENT)
