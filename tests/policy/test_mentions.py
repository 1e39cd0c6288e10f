"""The words of a subject, and what speaks of it."""

from __future__ import annotations

import pytest

from thalamus.policy.erasure import ScanItem
from thalamus.policy.mentions import mentions, subject_words

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        ("my brother", ["brother"]),
        ("I live in Porto", ["live", "porto"]),
        ("meinen Bruder", ["bruder"]),
        ("j'habite à Porto", ["habite", "porto"]),
        ("o meu irmão", ["irmao"]),
        ("it", []),
    ],
)
def test_the_words_of_a_subject(topic: str, words: list[str]) -> None:
    assert subject_words(topic) == words


def fact(id: str, subject: str, predicate: str, object: str, turn: str) -> ScanItem:
    texts = [f"{subject} {predicate} {object}"]
    return ScanItem("fact", id, texts, [object], subject=subject, turn=turn)


def said(id: str, message: str, answer: str = "I see.") -> ScanItem:
    return ScanItem("turn", id, [message, answer], [message, answer])


def test_what_speaks_of_something() -> None:
    rows = [
        said("turn_1", "My brother Paul is a nurse and I work at Bosch."),
        ScanItem("memory", "mem_1", ["The user's brother Paul is a nurse."], turn="turn_1"),
        ScanItem("memory", "mem_2", ["The user works at Bosch."], turn="turn_1"),
        fact("fact_1", "user", "brother", "Paul", "turn_1"),
        fact("fact_2", "user", "works_at", "Bosch", "turn_1"),
        said("turn_2", "How are my brothers?", "Fine."),
        said("turn_3", "How are you?", "As well as your brother."),
        ScanItem("memory", "mem_3", ["Big brother is a novel."], document="doc_1"),
    ]
    found = mentions("my brother", rows)
    assert found.ids == ["mem_1", "fact_1", "turn_2"] and found.names == ["Paul"]
    assert mentions("I work at Bosch", rows).ids == ["mem_2", "fact_2"]
    assert mentions("my sister", rows).ids == [] and mentions("it", rows).ids == []
