"""Receipts of forgetting: what went, in digests, signed."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any

from thalamus.records.encoding import safe_json

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KIND = "thalamus.forget"
FIELDS = ("receipt", "v", "at", "counts", "rows", "digests", "checks", "ledger", "public_key")


def digest(salt: str, text: str) -> str:
    """What a receipt says of a text: HMAC-SHA256 keyed with its salt, over the text in one case
    and with single spaces."""
    plain = " ".join(text.casefold().split()).encode("utf-8", "replace")
    return hmac.new(bytes.fromhex(salt), plain, hashlib.sha256).hexdigest()


def sign(contents: dict[str, Any], key: Ed25519PrivateKey) -> bytes:
    """The receipt as JSON, with the public key and the signature."""
    public = key.public_key().public_bytes_raw().hex()
    receipt = {"receipt": KIND, "v": 1} | contents | {"public_key": public}
    receipt["signature"] = key.sign(_signed(receipt)).hex()
    text = json.dumps(receipt, ensure_ascii=False, sort_keys=True, indent=1)
    return safe_json(text.encode()) + b"\n"


def verify_receipt(data: bytes) -> list[str]:
    """What is wrong with a receipt; empty when it is whole and signed by the key that it names."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        receipt = json.loads(data)
    except (ValueError, RecursionError):
        return ["it is not JSON"]
    if not isinstance(receipt, dict) or receipt.get("receipt") != KIND:
        return ["it is no receipt of forgetting"]
    missing = [name for name in (*FIELDS, "signature") if name not in receipt]
    if missing:
        return [f"{', '.join(missing)}: missing"]
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(receipt["public_key"]))
        public.verify(bytes.fromhex(receipt["signature"]), _signed(receipt))
    except (ValueError, TypeError):
        return ["its key or its signature cannot be read"]
    except InvalidSignature:
        return ["the signature is not of this receipt: it was altered"]
    return []


def covers(data: bytes, text: str) -> list[str]:
    """The ids of what a receipt says went and that was this text (``name``: it was asked for)."""
    entries = json.loads(data)["digests"]
    return [e["id"] or e["kind"] for e in entries if digest(e["salt"], text) == e["digest"]]


def _signed(receipt: dict[str, Any]) -> bytes:
    plain = {name: value for name, value in receipt.items() if name != "signature"}
    return json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()
