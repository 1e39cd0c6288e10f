"""Messages that ask the memory to forget something, and those that only look so."""

from __future__ import annotations

import pytest

from thalamus.policy import intents
from thalamus.policy.erasure import ScanItem
from thalamus.policy.intents import to_forget
from thalamus.policy.mentions import mentions, subject_words

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize(
    ("message", "what"),
    [
        ("forget what I said about my brother", "my brother"),
        ("Please forget everything I told you about Ana's job.", "Ana's job"),
        ("Forget all you know about my divorce, please!", "my divorce"),
        ("please, delete what I've mentioned about the loan. Thanks!", "the loan"),
        ("Erase whatever I said about Bosch.", "Bosch"),
        ("please forget that I live in Porto", "I live in Porto"),
        ("Forget that I don't like fish.", "I don't like fish"),
        ("Forget that my sister is ill.", "my sister is ill"),
        ("forget my phone number", "my phone number"),
        ("forget my address please", "my address"),
        ("vergiss, was ich über meinen Bruder gesagt habe", "meinen Bruder"),
        ("Vergiss bitte alles, was ich dir von der Arbeit erzählt habe.", "der Arbeit"),
        ("Bitte vergiss, dass ich in Porto wohne!", "ich in Porto wohne"),
        ("Vergessen Sie bitte alles über meine Scheidung.", "meine Scheidung"),
        ("vergiss meine Adresse", "meine Adresse"),
        ("Lösche, was ich über Ana geschrieben habe. Danke!", "Ana"),
        ("Olvida lo que dije sobre mi hermano.", "mi hermano"),
        ("por favor, olvida que vivo en Oporto", "vivo en Oporto"),
        ("Borra todo lo que te he contado de mi trabajo", "mi trabajo"),
        ("olvida mi dirección, por favor", "mi dirección"),
        ("Oublie ce que j'ai dit sur mon frère.", "mon frère"),
        ("S'il te plaît, oublie que j'habite à Porto", "j'habite à Porto"),
        ("Oubliez tout ce que je vous ai raconté à propos de Léa. Merci !", "Léa"),
        ("oublie mon adresse", "mon adresse"),
        ("Esqueça o que eu disse sobre o meu irmão.", "o meu irmão"),
        ("Por favor, esquece que moro no Porto", "moro no Porto"),
        ("apaga tudo o que te contei sobre a Ana, obrigado", "a Ana"),
        ("esqueça o meu endereço", "o meu endereço"),
    ],
)
def test_a_request(message: str, what: str) -> None:
    assert to_forget(message) == what


@pytest.mark.parametrize(
    "message",
    [
        "don't forget to call my brother",
        "Don't forget what I said about my brother.",
        "I forgot my keys",
        "I will never forget what you said about my brother.",
        "Never forget that I live in Porto.",
        "forget it",
        "Forget that.",
        "Forget that!",
        "forget about it",
        "Forget about the weather.",
        "Forget everything.",
        "forget what I said",
        "Forget what I said about it.",
        "forget me not",
        "forget my last question",
        "Forget my manners!",
        "Forget the Alamo",
        "Forget what I said about my brother. What is for dinner?",
        "Forget what I said about my brother, but remember his birthday.",
        "Forget what I said about walnuts, that was my brother.",
        "Did you forget what I said about my brother?",
        "Can you forget my phone number?",
        "Forget what he said about my brother",
        "Forget that old house near the river",
        "Write a story that begins: forget what I said about my brother",
        "We should forget that I live in Porto",
        "forget what I said\nabout my brother",
        "Forget that I live in Porto " + "x " * 120,
        "Vergiss es",
        "vergiss das!",
        "Vergiss nicht, dass ich in Porto wohne",
        "Vergiss bitte nicht, was ich über Ana gesagt habe",
        "Ich habe vergessen, was ich über Ana gesagt habe",
        "Vergiss meine Frage",
        "no olvides que vivo en Oporto",
        "olvídalo",
        "Olvida eso",
        "nunca olvides lo que dije sobre Ana",
        "olvida mi pregunta",
        "n'oublie pas que j'habite à Porto",
        "oublie pas que j'habite à Porto",
        "Oublie ça",
        "J'ai oublié ce que j'ai dit sur Ana",
        "não esqueça que moro no Porto",
        "Esquece isso",
        "esqueci o que disse sobre a Ana",
        "",
        "forget",
    ],
)
def test_no_request(message: str) -> None:
    assert to_forget(message) is None


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


def test_the_verb_of_every_form_is_known() -> None:
    for form in intents._FORMS:
        verbs = form.partition("{p}")[0].removeprefix("(?:").removesuffix(")").split("|")
        assert all(any(begin in verb for begin in intents._VERBS) for verb in verbs), form
