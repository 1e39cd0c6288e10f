"""German, read without a model: what is a fact, what is remembered, and what is neither."""

from __future__ import annotations

from datetime import date

import pytest

from thalamus.policy import fact_dates
from thalamus.policy.language.languages import detect, lexicon
from thalamus.policy.language.reading import read

NOW = date(2026, 3, 15)  # a Sunday


def found(message: str) -> set[str]:
    """The facts of a message, each as one line."""
    return {
        f"{item.subject} {item.predicate} {item.object}"
        + (" (over)" if item.over else "")
        + (" (coming)" if item.coming else "")
        for item in read(message).statements
    }


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        # names, age, birthday
        ("ich heiße jonas und bin krankenpfleger", ["user name jonas", "user works_as krankenpfleger"]),
        ("Mein Name ist Tobias Weber.", ["user name Tobias Weber"]),
        ("Hallo, ich bin die Jana, 34 Jahre alt.", ["user name Jana", "user age 34"]),
        ("Nenn mich einfach Basti.", ["user name Basti"]),
        ("Ich heiße Weber, nicht Becker.", ["user name Weber"]),
        ("Ich habe am 3. März Geburtstag.", ["user birthday 3. März"]),
        ("Mein Geburtstag ist am 12. Juli.", ["user birthday 12. Juli"]),
        ("Ich bin am 3. März 1990 in Ulm geboren.", ["user born_in Ulm", "user born_on 3. März 1990"]),
        # home
        ("Seit 2019 wohne ich in Köln.", ["user lives_in Köln"]),
        ("In Bremen wohne ich nicht mehr.", ["user lives_in Bremen (over)"]),
        ("Ich habe früher in Rom gewohnt.", ["user lives_in Rom (over)"]),
        ("Wir sind im Oktober von Bochum nach Flensburg gezogen, der Kinder wegen.", ["user lives_in Flensburg"]),
        ("Ich bin ausgewandert nach Kanada.", ["user lives_in Kanada"]),
        ("Ab nächster Woche wohne ich in Mainz.", ["user lives_in Mainz (coming)"]),
        ("Wir ziehen im März nach Porto.", ["user lives_in Porto (coming)"]),
        ("Ich wohne bei meinen Eltern in Essen.", ["user lives_in Essen"]),
        ("Ich komme aus Polen, lebe aber seit 2010 in Berlin.", ["user home_town Polen", "user lives_in Berlin"]),
        # work and study
        ("Seit Januar arbeite ich bei Bosch.", ["user works_at Bosch"]),
        ("Ich kann nicht kommen, weil ich bei Siemens arbeite.", ["user works_at Siemens"]),
        ("Ab Januar arbeite ich bei Siemens.", ["user works_at Siemens (coming)"]),
        ("Am Montag fange ich bei der Sparkasse an.", ["user works_at Sparkasse (coming)"]),
        ("Letztes Jahr habe ich meinen Job bei Bosch gekündigt.", ["user works_at Bosch (over)"]),
        ("Ich bin nicht mehr bei Siemens.", ["user works_at Siemens (over)"]),
        ("Ich arbeite Teilzeit in einer Bäckerei.", ["user works_at Bäckerei"]),
        ("Ich war früher Koch, jetzt bin ich Busfahrer.", ["user works_as Koch (over)", "user works_as Busfahrer"]),
        ("Ich studiere Medizin an der Charité.", ["user studies Medizin", "user studies_at Charité"]),
        # family and pets
        ("Meine Frau heißt Leila.", ["user wife Leila"]),
        ("Meine Schwester Ana arbeitet bei Bosch.", ["user sister Ana", "Ana works_at Bosch"]),
        ("Unser Sohn heißt Paul, er ist 7 Jahre alt.", ["user son Paul", "Paul age 7"]),
        ("Seit Mai arbeitet meine Frau Eva bei Siemens.", ["user wife Eva", "Eva works_at Siemens"]),
        ("Luna ist meine Katze.", ["user cat Luna"]),
        ("Ich lebe mit meinem Freund Ben in Leipzig.", ["user boyfriend Ben", "user lives_in Leipzig"]),
        ("Wir haben eine Katze, sie heißt Minka.", ["user cat Minka"]),
        ("Mein Hund Balu hat Arthrose.", ["user dog Balu", "Balu has Arthrose"]),
        ("Ich bin mit Peter verheiratet.", ["user married_to Peter"]),
        # likes and dislikes
        ("Ich mag keinen Fisch.", ["user dislikes Fisch"]),
        ("Rosenkohl mag ich überhaupt nicht.", ["user dislikes Rosenkohl"]),
        ("Spinnen kann ich nicht ausstehen.", ["user dislikes Spinnen"]),
        ("Ich esse nicht gern Spinat.", ["user dislikes Spinat"]),
        ("Ich esse gern Pizza und Nudeln.", ["user likes Pizza", "user likes Nudeln"]),
        ("Ich trinke lieber Tee als Kaffee.", ["user prefers Tee"]),
        ("Am liebsten esse ich abends Brot mit Radieschen.", ["user likes Brot mit Radieschen"]),
        ("Ich mag Kaffee nicht mehr.", ["user likes Kaffee (over)"]),
        ("Meine Lieblingsfarbe ist Grün.", ["user favourite_farbe Grün"]),
        # health, languages, plans
        ("Ich bin gegen Nüsse allergisch.", ["user allergic_to Nüsse"]),
        ("Ich habe Asthma und eine Nussallergie.", ["user has Asthma", "user allergic_to Nuss"]),
        ("Ich nehme jeden Morgen Ramipril.", ["user takes Ramipril"]),
        ("Ich spreche Deutsch und ein bisschen Polnisch.", ["user speaks Deutsch", "user speaks Polnisch"]),
        ("Jeden Dienstag gehe ich zum Yoga.", ["user practises Yoga"]),
        ("Ich habe vor, im Herbst den Jakobsweg zu gehen.", ["user plans_to Jakobsweg zu gehen"]),
        # said without "ich", or with its verb clipped
        ("wohn seit zwei jahren in gera", ["user lives_in gera"]),
        ("Bin gelernter Dachdecker und arbeit bei der Firma Hölscher.",
         ["user works_as Dachdecker", "user works_at Hölscher"]),
        ("Sind letztes Jahr nach Husum gezogen.", ["user lives_in Husum"]),
        ("hab nen Hund, der heißt Rocky", ["user dog Rocky"]),
        ("Geh jeden Mittwoch zum Kegeln.", ["user practises Kegeln"]),
        ("Montags Bauchtanz, mittwochs Chor, freitags Skat.", ["user practises Chor", "user practises Skat"]),
        ("Ich hab Hühner, komm aber nicht zum Füttern.", ["user has Hühner"]),
        # who somebody is, by other words
        ("Servus, ich bin der Wastl, 47, Zimmerer aus Tölz.",
         ["user name Wastl", "user age 47", "user works_as Zimmerer", "user lives_in Tölz"]),
        ("Alle sagen Kalle zu mir.", ["user nickname Kalle"]),
        ("Du kannst mich Steffi nennen.", ["user name Steffi"]),
        ("Ich bin 1,85 groß und wiege 90 Kilo.", ["user height 1,85", "user weight 90 Kilo"]),
        ("Mich hat's 2019 nach Jena verschlagen.", ["user lives_in Jena"]),
        ("Aufgewachsen bin ich in Plön.", ["user home_town Plön"]),
        ("Ich wohne in der Lindenstraße 12.", ["user address Lindenstraße 12"]),
        ("Ich bin Österreicherin.", ["user nationality Österreicherin"]),
        ("Ich schaffe beim Daimler.", ["user works_at Daimler"]),
        ("Ich mach beruflich Webdesign.", ["user works_as Webdesign"]),
        ("Ich studier in Halle Chemie.", ["user studies_at Halle", "user studies Chemie"]),
        ("Bin seit letztem Jahr in Rente.", ["user is in Rente"]),
        # family and pets
        ("Meine Schwiegermutter, die Gerda, wohnt in Ulm.", ["user mother_in_law Gerda", "Gerda lives_in Ulm"]),
        ("Unsere Kleine heißt Lotta.", ["user daughter Lotta"]),
        ("Ich habe zwei Söhne, Paul und Emil.", ["user son Paul", "user son Emil"]),
        ("Unsere Katzen heißen Minka und Mohrle.", ["user cat Minka", "user cat Mohrle"]),
        ("Meine Großmutter heißt Erna.", ["user grandmother Erna"]),
        # health and diet
        ("Bei mir wurde Diabetes festgestellt.", ["user has Diabetes"]),
        ("Hab Morbus Crohn.", ["user has Morbus Crohn"]),
        ("Nüsse vertrag ich nicht.", ["user avoids Nüsse"]),
        ("Ich darf kein Gluten essen.", ["user avoids Gluten"]),
        ("Ich esse seit Jahren kein Fleisch mehr.", ["user avoids Fleisch"]),
        ("Ich ernähre mich vegan.", ["user diet vegan"]),
        ("Ich nehm Bisoprolol gegen Bluthochdruck.", ["user takes Bisoprolol"]),
        # likes and dislikes in idioms
        ("Ohne Musik geht bei mir nichts.", ["user likes Musik"]),
        ("Für Kuchen bin ich immer zu haben.", ["user likes Kuchen"]),
        ("Ich wandere für mein Leben gern.", ["user likes wandern"]),
        ("Bin totaler Krimi-Fan.", ["user likes Krimi"]),
        ("Oper ist nicht so meins.", ["user dislikes Oper"]),
        ("Mit Rosenkohl kannst du mich jagen.", ["user dislikes Rosenkohl"]),
        ("Lakritz kannste behalten, bäh", ["user dislikes Lakritz"]),
        ("Mit Golf kann ich nix anfangen.", ["user dislikes Golf"]),
        ("Lieber Berge als Meer.", ["user prefers Berge"]),
        ("Ich zieh Hunde Katzen vor.", ["user prefers Hunde"]),
        ("Ich mag Kaffee, aber Tee nicht.", ["user likes Kaffee"]),
        ("Kaffee mag ich, Tee nicht.", ["user likes Kaffee"]),
        ("Mein Geburtstag ist der 8. August.", ["user birthday 8. August"]),
        # what is over, and what is to come
        ("Hab mit dem Rauchen aufgehört.", ["user practises Rauchen (over)"]),
        ("Ich spiele kein Tennis mehr.", ["user plays Tennis (over)"]),
        ("Ich bin aus der Kirche ausgetreten.", ["user member_of Kirche (over)"]),
        ("Am 3. Mai hab ich einen Termin beim Zahnarzt.", ["user plans_to Termin beim Zahnarzt"]),
        ("Im Juni fliegen wir nach Island.", ["user plans_to nach Island"]),
        # projects, possessions, habits
        ("Zurzeit restauriere ich einen alten Traktor.", ["user current_project alten Traktor"]),
        ("Ich hab mir ein Lastenrad zugelegt.", ["user owns Lastenrad"]),
        ("Ich fahr mit dem Rad zur Arbeit.", ["user commutes_by Rad"]),
        ("Zweimal die Woche gehe ich joggen.", ["user practises joggen"]),
        # nothing that a frame may take for one
        ("Ich bin der Meinung, dass Berlin zu teuer ist.", []),
        ("Ich komme aus der Dusche.", []),
        ("Mein Drucker geht gar nicht.", []),
        ("Die Suppe schmeckt mir nicht.", []),
        ("Ich bin gerade in Ulm gelandet.", []),
        ("Mein Kleiner Finger tut weh.", []),
        ("Das Buch ist nichts für mich.", []),
        ("Den zweiten Vorschlag mag ich nicht.", []),
        ("Ich darf keinen Fehler machen.", []),
        ("Ich trinke heute keinen Kaffee mehr.", []),
        ("Im Sommer fahre ich immer nach Italien.", []),
        ("Am 3. Mai war ich in Köln.", []),
        ("Ich habe mir ein Eis gekauft.", []),
        ("Ich arbeite an einem Problem.", []),
        ("Heiße Schokolade mit Sahne, bitte, die mag meine Frau.", []),
        ("Ich habe nächste Woche keinen Termin.", []),
        ("Ich habe meiner Mutter Blumen gekauft.", []),
        ("Gestern hat meine Schwester Pizza gegessen.", []),
        ("Heute hat meine Tochter Geburtstag.", []),
        ("Ich bin kein Arzt.", []),
        ("Ich bin nicht allergisch gegen Katzen.", []),
        ("Ich habe keine Kinder.", []),
        ("Ich wohne im dritten Stock.", []),
        ("Der Hund meiner Nachbarin heißt Bello.", []),
        ("Mein Nachbar hat eine Katze namens Mimi.", ["user's neighbour has Katze"]),
        ("Katzen mögen keinen Regen.", []),
        ("Ich stehe auf der Leitung.", []),
        ("Ich habe ein Buch über Pferde.", []),
        ("Ich habe den Hund gefüttert.", []),
        ("Ich habe nie in Rom gewohnt.", []),
        ("Der Sohn meiner Schwester geht in Köln zur Schule.", []),
    ],
)  # fmt: skip
def test_facts(message: str, facts: list[str]) -> None:
    assert detect(message).code == "de"
    assert found(message) == set(facts)


@pytest.mark.parametrize(
    ("message", "memory"),
    [
        ("Ich habe mit dem Rauchen aufgehört.", "The user said: “Ich habe mit dem Rauchen aufgehört.”"),
        ("Mein Schwager Detlef ist Imker und wohnt bei Lüchow.",
         "The user said: “Mein Schwager Detlef ist Imker und wohnt bei Lüchow.”"),
        ("Merk dir bitte, dass der Handwerker am Donnerstag kommt.",
         "The user said: “Der Handwerker am Donnerstag kommt.”"),
        ("Ich baue gerade ein Cembalo, kennst du ein gutes Buch darüber?",
         "The user said: “Ich baue gerade ein Cembalo.”"),
    ],
)  # fmt: skip
def test_memories(message: str, memory: str) -> None:
    assert [item.content for item in read(message).memories] == [memory]


@pytest.mark.parametrize(
    "message",
    """Guten Morgen!
    Schreib mir eine Mail an meinen Chef.
    Bau mir eine Webseite.
    Schreibe einen Text über meine Katze Luna.
    Deine Antwort finde ich super.
    Mit deinem Code kann ich nichts anfangen.
    Das geht gar nicht.
    Liebe Grüße aus Hamburg
    Leben in München ist teuer.
    Danke dir, das hilft mir sehr.
    Wie viele Einwohner hat eigentlich Liechtenstein?
    Bist du allergisch gegen Nüsse?
    Schreibe eine Geschichte über einen Mann, der in Rom wohnt und Katzen liebt.
    Übersetze ins Englische: Ich wohne in Berlin und habe zwei Katzen. Mein Name ist Eva.
    Kannst du mir ein Buch empfehlen?
    Ich hätte gern ein Rezept für Lasagne.
    Wenn ich im Lotto gewinnen würde, würde ich nach Hawaii ziehen.
    Vielleicht ziehe ich nach Wien.
    Ich wünschte, ich hätte einen Hund.
    Ich wäre gern Pilot.
    Mein Bruder sagt, ich wohne in einer Bruchbude.
    Laut Wikipedia leben in Wien zwei Millionen Menschen.
    „Ich heiße Ismael und wohne in einem Wal“ ist ein guter Anfang.
    Klar, ich wohne im Kühlschrank und heiße Frostine, haha.
    Ja klar, ich bin der Kaiser von China.
    Ich bin total müde heute.
    Mir ist kalt.
    Ich muss jetzt los.
    Ich gehe gleich ins Bett.
    Wir essen gerade Pizza.
    Ich habe nicht behauptet, dass ich Arzt bin.
    Ich verstehe deine Antwort nicht.
    Ich dachte, du wohnst in Berlin.
    Meine Frage ist, ob Hunde Schokolade essen dürfen.
    Hunde haben vier Beine.
    In meinem Traum war ich Astronaut und wohnte auf dem Mars.""".splitlines(),
)
def test_nothing(message: str) -> None:
    reading = read(message.strip())
    assert not reading.statements and not reading.memories


@pytest.mark.parametrize(
    ("message", "begin", "end"),
    [
        ("Seit Januar arbeite ich bei Bosch.", "2026-01-01", None),
        ("Ich arbeite seit drei Jahren bei Bosch.", "2023-03-15", None),
        ("Ich bin im Oktober nach Köln gezogen.", "2025-10-01", None),
        ("Ich bin vor zwei Jahren nach Köln gezogen.", "2024-03-15", None),
        ("Letztes Jahr bin ich nach Köln gezogen.", "2025-01-01", None),
        ("Ich bin gestern nach Köln gezogen.", "2026-03-14", None),
        ("Seit letztem Sommer lebe ich in Wien.", "2025-06-01", None),
        ("Ich habe am 3. März 2024 bei Bosch angefangen.", "2024-03-03", None),
        ("Ich habe am 3.3.2024 bei Bosch angefangen.", "2024-03-03", None),
        ("In Bremen wohne ich nicht mehr.", None, "2026-03-15"),
        ("Seit 2019 wohne ich nicht mehr in Bremen.", None, "2019-01-01"),
        ("Von 2015 bis 2019 habe ich in Rom gewohnt.", "2015-01-01", "2019-01-01"),
        ("Ich habe zwischen 2012 und 2014 in Ulm gewohnt.", "2012-01-01", "2014-01-01"),
        ("Ich habe 2010 in Rom gewohnt.", "2010-01-01", "2011-01-01"),
        ("Ich habe bis 2019 bei Opel gearbeitet.", None, "2019-01-01"),
        ("Ich arbeite noch bis Juni bei Rewe.", None, "2026-06-01"),
        ("Ab Januar arbeite ich bei Siemens.", "2027-01-01", None),
        ("Am Montag fange ich bei Siemens an.", "2026-03-16", None),
        ("Nächsten Monat fange ich bei Siemens an.", "2026-04-01", None),
        ("Ich werde am 1. Mai bei Bosch anfangen.", "2026-05-01", None),
        ("Morgen ziehe ich nach Köln.", "2026-03-16", None),
        ("Ich wohne jetzt in Köln.", None, None),
        ("Am Wochenende ziehe ich nach Köln.", None, None),
    ],
)
def test_dates(message: str, begin: str | None, end: str | None) -> None:
    [item] = read(message).statements
    clause = item.clause
    said = fact_dates.Said(clause.tense, item.over, lexicon(clause.language).time_words)
    dates = fact_dates.dates(clause.text, item.predicate, item.object, NOW, said)
    assert (dates.begin and str(dates.begin), dates.end and str(dates.end)) == (begin, end)
