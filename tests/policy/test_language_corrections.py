"""What a message makes of the one before it, and which messages make nothing of it."""

from __future__ import annotations

import pytest

from thalamus.policy.language.corrections.ellipsis import complete
from thalamus.policy.language.corrections.previous_message import amend
from thalamus.policy.language.corrections.unmatched import strip_remarks


@pytest.mark.parametrize(
    ("earlier", "message", "right"),
    [
        # of the same kind
        ("The fair is on the 7th.", "scrap that, it opens on the 9th", "The fair is on the 9th."),
        ("Our collie Bess is 4.", "She's a whippet", "Our whippet Bess is 4."),
        ("My uncle keeps bees.", "sorry, my great-uncle I mean", "My great-uncle keeps bees."),
        ("Meine Tante ist da.", "meine Patentante mein ich", "Meine Patentante ist da."),
        # what became so since
        ("Ich bin 35.", "stimmt gar nicht mehr, seit Montag 36", "Ich bin 36."),
        ("My son is 8.", "not any more, he turned 9 on Friday", "My son is 9."),
        ("J'ai 50 ans.", "plus maintenant, 51 depuis hier", "J'ai 51 ans."),
        # a kind of it only
        ("I'm allergic to nuts.", "only walnuts, others are fine", "I'm allergic to walnuts."),
        ("Ich vertrage keine Milch.", "nur Kuhmilch", "Ich vertrage keine Kuhmilch."),
        # names that share a word
        ("I live at 9 Mill Lane.", "it's Mill Road, no. 9 is right", "I live at 9 Mill Road."),
        # several at once
        ("We wed in 1950 in Bari.", "1952, and it was Lecce not Bari", "We wed in 1952 in Lecce."),
        ("My aunt Di is from Ely.", "niece, not aunt. she's from Rye", "My niece Di is from Rye."),
        # the wrong one is all right
        ("I can't eat soy.", "soy is fine, it's wheat I can't have", "I can't eat wheat."),
        ("I play harp in a trio.", "cello I mean, the harp is my aunt", "I play cello in a trio."),
        ("My daughter Ines is 12.", "13!", "My daughter Ines is 13."),
        ("My train leaves at 14:05.", "14:15, my mistake", "My train leaves at 14:15."),
        ("I was born on 12 March 1990.", "13 March, typo", "I was born on 13 March 1990."),
        ("Our baby is due in May.", "It's actually in June", "Our baby is due in June."),
        ("I'm moving to Oslo in spring.", "actually in autumn", "I'm moving to Oslo in autumn."),
        ("I live on the second floor.", "third floor, sorry", "I live on the third floor."),
        ("We have a goat.", "make that two goats", "We have two goats."),
        ("I have a dog and two cats.", "no, three cats", "I have a dog and three cats."),
        ("We have two boys.", "no, two girls", "We have two girls."),
        ("My aunt is a pilot.", "sorry, I meant my uncle", "My uncle is a pilot."),
        ("Meine Tante ist krank.", "ich meinte meinen Onkel", "Mein Onkel ist krank."),
        ("Tengo dos gatos.", "son tres en realidad", "Tengo tres gatos."),
        ("On part à Rome en mai.", "en juin plutôt", "On part à Rome en juin."),
        ("Minha avó tem 80 anos.", "81!", "Minha avó tem 81 anos."),
        # named as wrong
        ("I live in Hull.", "not Hull – Halifax", "I live in Halifax."),
        ("I live in Hull.", "Halifax! Not Hull.", "I live in Halifax."),
        ("I work at Aldi in Ulm.", "I said Aldi but I meant Lidl", "I work at Lidl in Ulm."),
        ("My wife is a lawyer.", "she's not a lawyer, she's a notary", "My wife is a notary."),
        ("My number is 07700 900123.", "it ends in 132, not 123", "My number is 07700 900132."),
        ("Alex is my boss, he works nights.", "they, not he", "Alex is my boss, they work nights."),
        ("Mon fils joue au foot.", "au rugby, pas au foot", "Mon fils joue au rugby."),
        ("Ich wohne in Köln.", "nicht in Köln, sondern in Bonn", "Ich wohne in Bonn."),
        ("My husband Piet snores.", "not my husband yet, we're engaged", "My fiancé Piet snores."),
        # spelled nearly the same
        ("I'm from Austria.", "*Australia", "I'm from Australia."),
        ("My boss is Katherine.", "wrong, it's spelled Cathryn", "My boss is Cathryn."),
        ("Unser Hund heißt Balu.", "Balou, mit ou", "Unser Hund heißt Balou."),
        # a name for a name, a thing for a thing
        ("Moro em Lisboa.", "não, no Porto", "Moro no Porto."),
        ("My brother plays the cello.", "no, the double bass", "My brother plays the double bass."),
        ("My flatmate Ida is a chemist.", "no she's a tailor", "My flatmate Ida is a tailor."),
        ("I work as a nurse at Elms.", "actually I'm a midwife", "I work as a midwife at Elms."),
    ],
)  # fmt: skip
def test_what_is_right_takes_the_place_of_what_is_of_its_kind(
    earlier: str, message: str, right: str
) -> None:
    made = amend(earlier, message)
    assert made is not None
    assert made.text == right


@pytest.mark.parametrize(
    ("earlier", "message"),
    [
        ("I have a dog.", "and two cats"),
        ("I have a dog.", "No, that's all"),
        ("My exam is on Monday at 10am.", "10am is too early for me"),
        ("My trip goes from Monday to Friday.", "no, Thursday"),
        ("I play tennis on Mondays.", "Actually I also play on Thursdays"),
        ("I live in Leeds.", "No, it's not far from London"),
        ("My sister lives in Rome.", "My brother lives in Paris."),
        ("My son Leo is 4.", "sorry, he has 2 sisters"),
        ("I'm learning Danish.", "Oops, wrong chat"),
        ("I moved to Cork in 2019.", "We moved to Rotterdam last week."),
        ("Ich habe drei Kinder.", "um 8 passt mir gut"),
        ("Mon rendez-vous est mardi.", "non merci"),
        ("Vivo en Madrid.", "no muy lejos de Toledo"),
        ("My cousin is 30.", "I'm 28"),
        ("My brother lives in Leeds.", "He moved to York last week"),
        ("I went to Nice for the surfing.", "I'm starving"),
        ("Je ne joue plus au tennis.", "Avant, j'étais prof de maths."),
        ("My son is 6.", "since Monday he goes to school"),
        ("I love my job.", "sorry for the typo"),
    ],
)
def test_what_only_looks_like_a_correction(earlier: str, message: str) -> None:
    assert amend(earlier, message) is None


@pytest.mark.parametrize(
    ("earlier", "message", "denied"),
    [
        ("We're moving to Ghent.", "we're not moving after all", "We're not moving after all."),
        ("I'm having surgery on Monday.", "it was cancelled", "It was cancelled."),
        ("My son has a cold.", "turns out it isn't a cold, he has flu", "My son has flu."),
        ("Wir fliegen im Mai nach Kreta.", "wir fliegen doch nicht", "Wir fliegen doch nicht."),
        ("I drive to work.", "used to I mean, I walk now", "I walk now."),
        ("Wir haben am Freitag Elternabend.", "abgesagt", "Abgesagt."),
        ("We're getting a cat.", "we decided against the cat", "We decided against the cat."),
        ("Me voy a Chile en mayo.", "ya no me voy", "Ya no me voy."),
    ],
)  # fmt: skip
def test_what_is_taken_back(earlier: str, message: str, denied: str) -> None:
    made = amend(earlier, message)
    assert made is not None
    assert made.denied == denied


def test_what_else_a_message_says_is_left_to_be_read() -> None:
    made = amend("My son Leo is 4.", "sorry, 5! He got a kite, autocorrect does that")
    assert made is not None
    assert (made.text, made.rest) == ("My son Leo is 5.", "He got a kite")


@pytest.mark.parametrize(
    ("earlier", "message", "full"),
    [
        ("We have a dog called Bo.", "and a goat too", "We have a goat"),
        ("Tengo un perro.", "y dos gatos también", "Tengo dos gatos"),
        ("Gosto de fado.", "e de jazz também", "Gosto de jazz"),
        ("My sister lives in Rome.", "and my brother too", None),
        ("I like tea.", "and what about coffee?", None),
        ("I speak Dutch and Thai.", "and some Welsh too", "I speak some Welsh"),
        ("Ich mag Oliven.", "ja genau, und Kapern auch", "Ich mag Kapern"),
        ("J'aime le thé.", "et le cacao aussi", "J'aime le cacao"),
        ("I love tea.", "and you too", None),
    ],
)
def test_what_a_message_adds_is_read_in_full(earlier: str, message: str, full: str | None) -> None:
    assert complete(earlier, message) == full


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("I always mix that up", ""),
        ("ich verwechsle das immer", ""),
        ("je confonds toujours les deux", ""),
        ("what was I thinking. I live in Hull", "I live in Hull"),
        ("flute I mean, the harp is my aunt", "The harp is my aunt"),
        ("I mix cocktails in a bar", "I mix cocktails in a bar"),
        ("My phone is a Pixel 8", "My phone is a Pixel 8"),
    ],
)
def test_remarks_around_a_correction_are_left_out(message: str, left: str) -> None:
    assert strip_remarks(message) == left
