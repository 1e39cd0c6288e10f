"""What is over is found as over, nothing of it as present; and what is told every day."""

from __future__ import annotations

import pytest

from thalamus.policy.language.reading import read


def facts(message: str) -> list[str]:
    return [
        f"{said.subject} {said.predicate} {said.object}{' (over)' if said.over else ''}"
        for said in read(message).statements
    ]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I was a nurse until 2019.", ["user works_as nurse (over)"]),
        ("we had a cat", ["user has cat (over)"]),
        ("I don't play the cello any more", ["user plays cello (over)"]),
        ("I no longer play chess", ["user plays chess (over)"]),
        ("I gave up the violin", ["user plays violin (over)"]),
        ("I used to do judo", ["user practises judo (over)"]),
        ("I don't go to church anymore", ["user practises going to church (over)"]),
        ("I'm no longer in the band", ["user member_of band (over)"]),
        ("I left the choir in March", ["user member_of choir (over)"]),
        ("I'm not in the tennis club any more", ["user member_of tennis club (over)"]),
        ("I once spent two years in Lima as a teacher", ["user lives_in Lima (over)"]),
        ("We ran a bakery in Ghent until 2015.", ["user owns bakery (over)"]),
        ("We used to keep bees", ["user owns bees (over)"]),
        ("We once had chickens", ["user has chickens (over)"]),
        ("I had a moped when I was a teenager", ["user owns moped (over)"]),
        ("We had a dog called Rufus.", ["user dog Rufus (over)"]),
        ("I broke up with Tom last month", ["user partner Tom (over)"]),
        ("My boyfriend Tom and I split up", ["user boyfriend Tom (over)"]),
        ("I'm no longer with Ana", ["user partner Ana (over)"]),
        (
            "I was married to Paul until 2012",
            ["user partner Paul (over)", "user is married (over)"],
        ),
        ("I studied physics for two years", ["user studies physics (over)"]),
        ("I dropped out of university", ["user studies_at university (over)"]),
        ("I stopped taking sertraline", ["user takes sertraline (over)"]),
        ("I came off the pill in May", ["user takes pill (over)"]),
        ("I was vegan for ten years", ["user is vegan (over)"]),
        ("I'm no longer vegetarian", ["user is vegetarian (over)"]),
        ("I used to be allergic to milk", ["user allergic_to milk (over)"]),
        ("I had asthma as a child", ["user has asthma (over)"]),
        ("I moved away from Leeds in 2019", ["user lives_in Leeds (over)"]),
        ("I was at Siemens for twelve years", ["user works_at Siemens (over)"]),
        ("I got rid of my car", ["user owns car (over)"]),
        ("I don't own a car any more", ["user owns car (over)"]),
        ("I no longer have a car", ["user owns car (over)"]),
        ("I don't smoke any more", ["user practises smoking (over)"]),
        ("I stopped using Windows", ["user uses Windows (over)"]),
        (
            "Our old neighbour Mrs Lund died last year",
            ["user neighbour Mrs Lund (over)", "Mrs Lund died_on last year"],
        ),
        ("I was in the army for six years", ["user member_of army (over)"]),
        ("I used to sing in a choir", ["user member_of choir (over)"]),
        ("I used to work nights", []),
        ("I used to speak Danish", ["user speaks Danish (over)"]),
        ("My ex-boss Karen lives in Hull.", ["user ex_boss Karen", "Karen lives_in Hull"]),
        (
            "My former flatmate Ines works at Lidl.",
            ["user former_flatmate Ines", "Ines works_at Lidl"],
        ),
        ("My ex-girlfriend lives in Porto.", ["user's ex girlfriend lives_in Porto"]),
        ("My ex lives in Porto.", ["user's ex partner lives_in Porto"]),
        ("I did ballet for eight years", ["user practises ballet (over)"]),
        ("Until 2018 I was a baker.", ["user works_as baker (over)"]),
        ("I lived in Rome for two years.", ["user lives_in Rome (over)"]),
        ("I've been a nurse since 2009.", ["user works_as nurse"]),
        ("I've had a cat since May.", ["user has cat"]),
        ("I had a cold last week", []),
        ("I had a great day", []),
        ("I was tired for years", []),
        ("My dog died.", ["user has dog (over)"]),
        ("I was diagnosed with asthma in June", ["user has asthma"]),
        ("I've been vegan since Christmas", ["user is vegan"]),
        ("I was born in Rome", ["user born_in Rome"]),
        ("I left Berlin at six this morning", []),
        ("I was with my mum until six", []),
        ("I had two coffees", []),
        ("We had a party for the kids", []),
        ("I had three exams in May", []),
        ("I used to be afraid of dogs", []),
        ("I don't have time any more", []),
        ("I studied hard", []),
        ("I stopped eating meat", ["user avoids meat"]),
        ("My grandmother Ida died in 2010.", ["user grandmother Ida", "Ida died_on 2010"]),
        ("My friend Tom has a dog", ["user friend Tom", "Tom has dog"]),
        ("I met Anna at a party", []),
        ("I quit smoking three years ago.", ["user practises smoking (over)"]),
        ("I stopped biting my nails", ["user practises biting my nails (over)"]),
        ("I quit my job at the library", []),
        ("Wir hatten mal Hühner.", ["user has Hühner (over)"]),
        ("Ich hatte einen Hund namens Rex.", ["user dog Rex (over)"]),
        ("Ich bin nicht mehr mit Anna zusammen.", ["user partner Anna (over)"]),
        ("Ich habe mich von Lukas getrennt.", ["user partner Lukas (over)"]),
        ("Meine Ex-Frau wohnt in Kiel.", ["user's ex wife lives_in Kiel"]),
        ("Mein Ex wohnt in Kiel.", ["user's ex partner lives_in Kiel"]),
        (
            "Meine ehemalige Chefin arbeitet jetzt bei Siemens.",
            ["user's former boss works_at Siemens"],
        ),
        ("Ich bin nicht mehr im Chor.", ["user member_of Chor (over)"]),
        ("Ich spiele nicht mehr Klavier.", ["user plays Klavier (over)"]),
        ("Ich spiele kein Tennis mehr.", ["user plays Tennis (over)"]),
        ("Ich mache kein Yoga mehr.", ["user practises Yoga (over)"]),
        ("Bis 2019 war ich Lehrer.", ["user works_as Lehrer (over)"]),
        ("Ich habe kein Auto mehr.", ["user owns Auto (over)"]),
        ("Ich habe mein Motorrad verkauft.", ["user owns Motorrad (over)"]),
        ("Früher hatte ich ein Motorrad.", ["user has Motorrad (over)"]),
        ("Ich habe vier Semester Jura studiert.", ["user studies Jura (over)"]),
        ("Ich habe mein Jurastudium abgebrochen.", ["user studies Jura (over)"]),
        ("Ich rauche nicht mehr.", ["user practises Rauchen (over)"]),
        ("Ich nehme die Pille nicht mehr.", ["user takes Pille (over)"]),
        ("Ich war zehn Jahre in der Feuerwehr.", ["user member_of Feuerwehr (over)"]),
        ("Ich habe ein Jahr in Lyon verbracht.", ["user lives_in Lyon (over)"]),
        ("Mi ex novia vive en Cádiz.", ["user's ex girlfriend lives_in Cádiz"]),
        ("Mi exmarido trabaja en Seat.", ["user's ex husband works_at Seat"]),
        ("Mon ex-mari habite à Lyon.", ["user's ex husband lives_in Lyon"]),
        ("Mon ex habite à Lyon.", ["user's ex partner lives_in Lyon"]),
        ("Meu ex-namorado mora em Curitiba.", ["user's ex boyfriend lives_in Curitiba"]),
        (
            "J'avais un lapin, Flocon, il est mort l'hiver dernier.",
            ["user pet Flocon (over)"],
        ),
        (
            "Teníamos un perro que se llamaba Toby.",
            ["user dog Toby (over)"],
        ),
        ("J'avais un chien.", ["user has chien (over)"]),
        ("Je ne joue plus au tennis.", ["user plays tennis (over)"]),
        ("Ya no juego al tenis.", ["user plays tenis (over)"]),
        ("Não jogo mais tênis.", ["user plays tênis (over)"]),
        ("Je ne fais plus de judo.", ["user practises judo (over)"]),
        ("Ya no hago yoga.", ["user practises yoga (over)"]),
        ("Não faço mais ioga.", ["user practises ioga (over)"]),
        ("Avant j'avais un chat", ["user has chat (over)"]),
        ("Antes tenía un gato", ["user has gato (over)"]),
        ("Eu tinha um cachorro", ["user has cachorro (over)"]),
    ],
)
def test_what_is_over(message: str, expected: list[str]) -> None:
    assert facts(message) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I turn forty in May.", ["user age forty"]),
        ("My son turns 18 next month.", ["user's son age 18"]),
        ("As of January I'm with Nokia.", ["user works_at Nokia"]),
        ("From Monday I'll be at Lidl.", ["user works_at Lidl"]),
        ("From March I'm a nurse at Guy's", ["user works_at Guy's", "user works_as nurse"]),
        (
            "gonna visit my cousin in Tromso over easter",
            ["user plans_to visit my cousin in Tromso over easter"],
        ),
        ("gonna grab a coffee", []),
        ("I still have my grandfather's watch", ["user owns grandfather's watch"]),
        ("I inherited my grandmother's piano", ["user owns grandmother's piano"]),
        (
            "every friday we get fish and chips, no excpetions",
            ["user practises getting fish and chips"],
        ),
        ("Every Sunday I call my mum", ["user practises calling my mum"]),
        ("on Thursdays we play bridge", ["user plays bridge"]),
        ("Every morning I get up at six", ["user practises getting up at six"]),
        ("remember that i have choir on wensdays", ["user practises choir"]),
        ("I've got football practice on Tuesdays", ["user practises football practice"]),
        ("I have a headache every Monday", []),
        ("I have piano lessons every Saturday", ["user practises piano lessons"]),
        ("our neighbours dog Rocky barks all night", ["user's neighbour dog Rocky"]),
        ("My sister's cat is called Momo.", ["user's sister cat Momo"]),
        ("My brother's wife Lena is a doctor", ["user's brother wife Lena"]),
        ("My two guinea pigs are Salt and Vinegar.", ["user pet Salt", "user pet Vinegar"]),
        (
            "Our three cats are Pip, Moss and Fern",
            ["user cat Pip", "user cat Moss", "user cat Fern"],
        ),
        (
            "My daughter Freya goes to Oakfield Primary",
            ["user daughter Freya", "Freya studies_at Oakfield Primary"],
        ),
        ("My son goes to St. Mark's School", ["user's son studies_at St Mark's School"]),
        ("got a one-bed in Gdansk since saturday", ["user lives_in Gdansk"]),
        ("We found a flat in Utrecht", ["user lives_in Utrecht"]),
        ("I bought a flat in Malaga to rent out", []),
        ("From Monday to Friday I work", []),
        ("I'm at home from Monday", []),
        ("starting in May I'm at Philips", ["user works_at Philips"]),
        ("I had enough of it", []),
        ("I get the bus every day", []),
        ("I'm going to visit my gran at Christmas", ["user plans_to visit my gran at Christmas"]),
        ("Ab Januar bin ich bei Nokia.", ["user works_at Nokia"]),
        ("Jeden Freitag essen wir Pizza.", ["user practises essen Pizza"]),
        ("Ich habe dienstags Chor.", ["user practises Chor"]),
        ("Dienstags habe ich Chorprobe.", ["user practises Chorprobe"]),
        (
            "Meine Tochter Lea geht auf die Goethe-Schule.",
            ["user daughter Lea", "Lea studies_at Goethe-Schule"],
        ),
        ("Meine Katze ist 16.", ["user's cat age 16", "user has cat"]),
        (
            "Meine zwei Meerschweinchen heißen Salz und Pfeffer.",
            ["user pet Salz", "user pet Pfeffer"],
        ),
        ("Wir haben eine Wohnung in Leipzig gefunden.", ["user lives_in Leipzig"]),
    ],
)
def test_everyday_talk(message: str, expected: list[str]) -> None:
    assert facts(message) == expected


def test_what_one_stopped_going_to_is_past_and_the_habit_itself() -> None:
    """ "going to" tells of what is to come only where nothing was stopped."""
    [over] = read("I stopped going to the gym in March.").statements
    [habit] = read("I go to the gym twice a week.").statements
    assert (over.object, over.over, over.clause.tense) == (habit.object, True, "past")
