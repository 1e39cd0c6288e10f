"""Keys that nothing but their form tells."""

from __future__ import annotations

import random
import string
import uuid

import pytest

from thalamus.policy.random_keys import random_keys
from thalamus.policy.sensitivity import personal, personal_spans

pytestmark = pytest.mark.storeless

LETTERS = string.ascii_letters + string.digits


def drawn(characters: str, size: int, draw: random.Random) -> str:
    return "".join(draw.choice(characters) for _ in range(size))


@pytest.mark.parametrize("more", ["", "+/", "-_"])
@pytest.mark.parametrize(("size", "least"), [(32, 0.9), (40, 0.95), (64, 0.99)])
def test_random_words(more: str, size: int, least: float) -> None:
    draw = random.Random(7)
    words = [drawn(LETTERS + more, size, draw) for _ in range(400)]
    found = [word for word in words if any(random_keys(f"Use {word} for the feed."))]
    assert len(found) >= least * len(words)


def test_what_is_found_is_replaced_and_encrypted() -> None:
    word = drawn(LETTERS, 40, random.Random(7))
    for text in (f"STORAGE={word}", f"--token={word}", f"Name=a;Key={word}==;x"):
        assert personal(text) == "token"
    text = f"The feed's key: {word}."
    assert personal(text) == "token"
    assert [(text[a:b], rule) for a, b, rule in personal_spans(text)] == [(word, "token")]


@pytest.mark.parametrize(
    "text",
    [
        f"commit {'8f14e45fceea167a5a36' * 2}",
        f"request {uuid.UUID(int=2**120 + 7 * 2**64 + 99)}",
        "mem_1m8g7zq6emmg2wqbs1vah",
        "sha384-KyZXEAg3QhqLMpG8r+Knujsl5/J5f5jU1wFzgW6xZI6loz6ldkgnC6fH1W9W1qw",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGxFhOYxBjWzzkbTZL4bVgnXAgSL0wHcuEtT0VLLyHqk",
        "https://example.org/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
        "getElementsByTagNameAndClassNameV2OfTheDocument",
        "Meta-Llama/Meta-Llama-3-8B-Instruct-Q4_K_M",
        "https://example.org/watch?list=PLFt_AvWsXl0dPhqVsKt1Ni_46ARyiCGSqq7",
        "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
        "xmlSecTmplX509DataAddSubjectName",
        "_ZN4node16NodeMainInstance3RunEvPKc",
        "Ny-Alesund/78N/11E/2024-Mar-Apr/2025",
        "Donaudampfschifffahrtsgesellschaftskapitän2024",
        "TEST_SUITE_FOR_THE_LONG_NAMES_2024_With_Lower",
    ],
)
def test_what_is_no_key(text: str) -> None:
    assert not any(random_keys(text))
