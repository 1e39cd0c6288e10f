"""Signed receipts of erasures, with digests of the forgotten content."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any

from thalamus import files
from thalamus.errors import ConfigError
from thalamus.records.json_line import safe_json

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from thalamus.config import Config


KIND = "thalamus.forget"
SIGNING_KEY = "signing.key"  # a file that only its owner may read
FIELDS = ("receipt", "v", "at", "counts", "rows", "digests", "checks", "ledger", "public_key")


def digest(salt: str, text: str) -> str:
    """Digest of a text in a receipt: HMAC-SHA256 keyed with its salt, over the text with case
    folded and spaces collapsed."""
    plain = " ".join(text.casefold().split()).encode("utf-8", "replace")
    return hmac.new(bytes.fromhex(salt), plain, hashlib.sha256).hexdigest()


class ReceiptSigner:
    """Signs receipts with the key of this machine, which is created if there is none.

    Raises ``ConfigError`` when the key's file cannot be read.
    """

    def __init__(self, config: Config) -> None:
        self._key = signing_key(config)

    def digest(self, salt: str, text: str) -> str:
        """Digest of a text in a receipt."""
        return digest(salt, text)

    def sign(self, contents: dict[str, object]) -> bytes:
        """The receipt as JSON, with the public key and the signature."""
        public = self._key.public_key().public_bytes_raw().hex()
        receipt = {"receipt": KIND, "v": 1} | contents | {"public_key": public}
        receipt["signature"] = self._key.sign(_signed(receipt)).hex()
        text = json.dumps(receipt, ensure_ascii=False, sort_keys=True, indent=1)
        return safe_json(text.encode()) + b"\n"


def verify_receipt(data: bytes) -> list[str]:
    """Problems of a receipt; empty when it is complete and signed by the key that it names."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        receipt = json.loads(data)
    except (ValueError, RecursionError):
        return ["not JSON"]
    if not isinstance(receipt, dict) or receipt.get("receipt") != KIND:
        return ["not a receipt of `thalamus forget`"]
    missing = [name for name in (*FIELDS, "signature") if name not in receipt]
    if missing:
        return [f"{', '.join(missing)}: missing"]
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(receipt["public_key"]))
        public.verify(bytes.fromhex(receipt["signature"]), _signed(receipt))
    except (ValueError, TypeError):
        return ["its key or signature is malformed"]
    except InvalidSignature:
        return ["the signature does not match: it was altered"]
    return []


def is_own_receipt(data: bytes, config: Config) -> bool:
    """True when the key of this machine signed a receipt. Raises ``ConfigError`` when that key
    cannot be read."""
    if not (config.config_dir / SIGNING_KEY).is_file():
        return False
    public = signing_key(config).public_key().public_bytes_raw().hex()
    return bool(json.loads(data)["public_key"] == public)


def covers(data: bytes, text: str) -> list[str]:
    """Ids of the receipt's items that were this text (``name``: the request itself)."""
    entries = json.loads(data)["digests"]
    return [e["id"] or e["kind"] for e in entries if digest(e["salt"], text) == e["digest"]]


def _signed(receipt: dict[str, Any]) -> bytes:
    plain = {name: value for name, value in receipt.items() if name != "signature"}
    return json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()


def signing_key(config: Config) -> Ed25519PrivateKey:
    """The Ed25519 key that signs receipts, from the configuration directory.

    Raises ``ConfigError`` when the file is not such a key.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    path = config.config_dir / SIGNING_KEY
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        pem = Ed25519PrivateKey.generate().private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        files.create(path, pem)
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError, OSError) as error:
        raise ConfigError(
            f"{path}: {error}", fix="Move the file away; a new one will be created."
        ) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise ConfigError(
            f"{path} is not an Ed25519 key", fix="Move the file away; a new one will be created."
        )
    return key
