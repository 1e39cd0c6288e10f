"""Replies that refuse or only repeat a statement."""

from __future__ import annotations

import pytest

from thalamus.evaluation.reply_faults import echoes, refuses, reply_fault

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize(
    "reply",
    [
        "I'm sorry, but I don't have any information about your move.",
        "I’m sorry, but I can't help with that.",
        "I do not have access to personal information.",
        "As an AI language model, I cannot feel pain.",
        "You have not told me where you live.",
        "You haven't mentioned a sister.",
        "I don't have any specific details about that.",
        "Es tut mir leid, aber ich habe keine Informationen dazu.",
        "Als KI kann ich das nicht wissen.",
        "Das hast du mir nicht erzählt.",
        "Lo siento, pero no tengo información sobre eso.",
        "No me has dicho dónde vives.",
        "Désolé, mais je n'ai pas d'informations à ce sujet.",
        "En tant qu’IA, je ne peux pas le savoir.",
        "Desculpe, mas não tenho informações sobre isso.",
        "Você não me contou isso: não me disse nada.",
    ],
)
def test_refusals(reply: str) -> None:
    assert refuses(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "Congratulations on the new job! When do you start?",
        "I'm sorry to hear that. Get well soon!",
        "Oh no, I'm sorry, that must hurt.",
        "Noted: You like tea.",
        "You don't have to tell me everything.",
        "Schön, dass du jetzt in Jena wohnst!",
        "¡Qué bien! Me alegro por ti.",
        "Super, et le chat ?",
        "Que bom, parabéns!",
    ],
)
def test_friendly_replies(reply: str) -> None:
    assert not refuses(reply)
    assert reply_fault("I moved to Jena with my cat.", reply) == ""


@pytest.mark.parametrize(
    ("message", "reply", "echo"),
    [
        ("I moved to Jena in May.", "I moved to Jena in May.", True),
        (
            "I moved to Jena in May.",
            "I moved to Jena in May. It is a nice city by the Saale.",
            True,
        ),
        ("I moved to Jena in May.", "You moved to Jena in May, how nice!", False),
        ("I moved to Jena in May.", "I love Jena, it was so warm in May!", False),
        ("my sister works at the zoo", "My sister works at the zoo.", True),
        ("my sister works at the zoo", "Your sister works at the zoo? Lovely.", False),
        ("Ich wohne jetzt in Jena", "Ich wohne jetzt in Jena.", True),
        ("J'habite à Lille", "J’habite à Lille.", True),
        ("Otto is 9, not 8", "Otto is 9, not 8.", True),
        (
            "Otto is 9, not 8",
            "Thanks for telling: Otto is 9 and not 8, so he is in third grade.",
            False,
        ),
        ("👋", "Hello!", False),
    ],
)
def test_echoes(message: str, reply: str, echo: bool) -> None:
    assert echoes(message, reply) is echo
    assert reply_fault(message, reply) == ("echo" if echo else "")
