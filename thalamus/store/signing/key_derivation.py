"""Derivation of single-purpose keys from a store key, and key fingerprints."""

from __future__ import annotations


def derive(root: bytes, purpose: str) -> bytes:
    """HKDF-SHA256 (RFC 5869) without salt: 32 bytes for one purpose."""
    import hmac  # loads OpenSSL, which readers do not need

    secret = hmac.digest(bytes(32), root, "sha256")
    return hmac.digest(secret, b"thalamus " + purpose.encode() + b"\x01", "sha256")


def fingerprint(root: bytes) -> str:
    """A name for a key, which reveals nothing about it."""
    return derive(root, "fingerprint").hex()[:16]
