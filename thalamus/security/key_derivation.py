"""Deriving keys for one purpose from a store key, and naming a key."""

from __future__ import annotations


def derive(root: bytes, purpose: str) -> bytes:
    """HKDF-SHA256 (RFC 5869) without salt: 32 bytes for one purpose."""
    import hmac  # loads OpenSSL: what only reads a store needs none of it

    secret = hmac.digest(bytes(32), root, "sha256")
    return hmac.digest(secret, b"thalamus " + purpose.encode() + b"\x01", "sha256")


def fingerprint(root: bytes) -> str:
    """A name for a key, from which nothing about it follows."""
    return derive(root, "fingerprint").hex()[:16]
