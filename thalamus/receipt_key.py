"""The key that signs receipts: in a file that only its owner may read, made when first needed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from thalamus.config import Config
from thalamus.errors import ConfigError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SIGNING_KEY = "signing.key"


def signing_key(config: Config) -> Ed25519PrivateKey:
    """The Ed25519 key that signs receipts, from the configuration directory.

    Raises ``ConfigError`` when the file is no such key.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    path = config.config_dir / SIGNING_KEY
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    if not path.exists():
        pem = Ed25519PrivateKey.generate().private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        with os.fdopen(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
            file.write(pem)
            os.fsync(file.fileno())
        try:
            os.link(part, path)  # whoever comes first decides
        except FileExistsError:
            pass
        finally:
            part.unlink()
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError, OSError) as error:
        raise ConfigError(
            f"{path}: {error}", fix="Move the file away; a new one is made."
        ) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise ConfigError(f"{path} is no Ed25519 key", fix="Move the file away; a new one is made.")
    return key
