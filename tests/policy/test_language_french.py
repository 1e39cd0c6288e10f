"""French, read without a model: what is a fact, what is remembered, and what is neither."""

from __future__ import annotations

from datetime import date

import pytest

from thalamus.policy.fact_dates import Said, dates
from thalamus.policy.language.languages import detect, lexicon
from thalamus.policy.language.reading import read


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
        ("Bonjour, je m'appelle Léa et j'habite à Lyon depuis 2019.", ["user name Léa", "user lives_in Lyon"]),
        ("Bonjour, moi c'est Aminata, j'ai 29 ans et je parle wolof et français.", ["user name Aminata", "user age 29", "user speaks wolof", "user speaks français"]),
        ("Depuis trois ans, je travaille chez Renault comme ingénieure.", ["user works_at Renault", "user works_as ingénieure"]),
        ("Je suis infirmière et j'ai deux enfants.", ["user works_as infirmière", "user has deux enfants"]),
        ("Ma femme Anne est professeure et travaille dans un collège.", ["user wife Anne", "Anne works_as professeure", "Anne works_at collège"]),
        ("Mon frère s'appelle Hugo et vit à Nantes.", ["user brother Hugo", "Hugo lives_in Nantes"]),
        ("J'ai une chienne qui s'appelle Luna.", ["user dog Luna"]),
        ("J'ai un chat nommé Milo.", ["user cat Milo"]),
        ("Je n'habite plus à Paris.", ["user lives_in Paris (over)"]),
        ("Avant, j'habitais à Lille.", ["user lives_in Lille (over)"]),
        ("J'ai déménagé à Bordeaux en mars.", ["user lives_in Bordeaux"]),
        ("Le mois prochain je déménage à Brest.", ["user lives_in Brest (coming)"]),
        ("À partir de janvier, je travaillerai chez Airbus.", ["user works_at Airbus (coming)"]),
        ("J'aime le café et je déteste le thé.", ["user likes café", "user dislikes thé"]),
        ("Je n'aime pas les olives.", ["user dislikes olives"]),
        ("J'aime pas la pluie.", ["user dislikes pluie"]),
        ("J'adore les chiens.", ["user likes chiens"]),
        ("Je préfère le thé au café.", ["user prefers thé"]),
        ("J'aime mieux la mer que la montagne.", ["user prefers mer"]),
        ("Je suis allergique aux noix.", ["user allergic_to noix"]),
        ("Je suis allergique au pollen et à la pénicilline.", ["user allergic_to pollen", "user allergic_to pénicilline"]),
        ("Ma couleur préférée est le vert.", ["user favourite_couleur vert"]),
        ("Je parle français, anglais et un peu d'espagnol.", ["user speaks français", "user speaks anglais", "user speaks espagnol"]),
        ("Je suis née à Dakar.", ["user born_in Dakar"]),
        ("Je suis né le 3 mai 1990 à Metz.", ["user born_in Metz", "user born_on 3 mai 1990"]),
        ("J'ai 34 ans.", ["user age 34"]),
        ("Mon anniversaire est le 4 juillet.", ["user birthday 4 juillet"]),
        ("J'étudie le droit à l'université de Rennes.", ["user studies_at université de Rennes", "user studies droit"]),
        ("J'ai de l'asthme.", ["user has asthme"]),
        ("Je prends de la metformine tous les jours.", ["user takes metformine"]),
        ("Je joue du piano et je fais du yoga.", ["user plays piano", "user practises yoga"]),
        ("Je n'ai pas d'enfants.", []),
        ("Je ne suis pas médecin.", []),
        ("J'aimerais vivre au bord de la mer.", []),
        ("Je vis avec mon copain Paul à Toulouse.", ["user boyfriend Paul", "user lives_in Toulouse"]),
        ("Souviens-toi que la poussette est chez madame Bouvier, au troisième.", []),
        ("Je vais commencer à travailler chez Michelin lundi.", ["user works_at Michelin (coming)"]),
        ("Je suis mariée avec Julien.", ["user married_to Julien"]),
        ("Je suis végétarienne.", ["user is végétarienne"]),
        ("Je veux apprendre la guitare.", []),
        ("Ma fille aînée, Emma, étudie la médecine à Lille.", ["user daughter Emma", "Emma studies médecine"]),
        ("Mon chat Gaston a 17 ans et il est diabétique, je lui fais ses piqûres matin et soir.", ["user cat Gaston", "Gaston age 17", "Gaston is diabétique"]),
        ("J'ai une 2CV de 1978 au garage, elle démarre une fois sur deux.", ["user has 2CV de 1978"]),
        ("J'habite à Nice, tu connais un bon resto ?", ["user lives_in Nice"]),
        ("J'ai quitté Google l'année dernière.", ["user works_at Google (over)"]),
        ("J'habite au troisième étage.", []),
        ("Marthe est ma fille.", ["user daughter Marthe"]),
        ("Paul, mon voisin, est pompier.", ["user neighbour Paul", "Paul works_as pompier"]),
        ("L'année prochaine nous allons visiter le Japon.", ["user plans_to visiter le Japon"]),
        ("J'apprends l'allemand.", ["user learns allemand"]),
        ("Mes parents habitent à Pau.", []),
        ("On habite à Rouen avec nos trois enfants.", ["user lives_in Rouen"]),
        ("Je travaille de nuit.", []),
        ("Je travaille à mi-temps dans une boulangerie.", []),
        ("Mon mari et moi habitons à Rennes.", ["user lives_in Rennes"]),
        ("Ma sœur Julie a un chien qui s'appelle Rex.", ["user sister Julie", "Julie has chien"]),
        ("On déménage à Metz en juin.", ["user lives_in Metz (coming)"]),
        ("Mon fils Léo, 8 ans, adore les dinosaures.", ["user son Léo", "Léo age 8", "Léo likes dinosaures"]),
        ("Je suis professeur de maths au lycée Voltaire.", ["user works_as professeur de maths"]),
        ("Ma mère est née en Algérie.", ["user's mother born_in Algérie"]),
        ("J'ai arrêté de fumer en 2020.", ["user practises fumer (over)"]),
        ("Je ne mange pas de porc.", ["user avoids porc"]),
        ("Je m'appelle pas Kevin.", []),
        ("Mon meilleur ami s'appelle Karim.", ["user best_friend Karim"]),
        ("Je suis français.", ["user nationality français"]),
        ("J'ai deux chats, Mimi et Félix.", ["user cat Mimi", "user cat Félix"]),
        ("Voilà, j'habite à Dijon maintenant.", ["user lives_in Dijon"]),
        ("Salut, moi c'est Anne-Gaëlle mais Gaëlle tout court suffit, 38 ans, installée à Tourcoing", ["user name Anne-Gaëlle", "user nickname Gaëlle", "user age 38", "user lives_in Tourcoing"]),
        ("coucou moi c'est Rémi, 23 ans, plombier", ["user name Rémi", "user age 23", "user works_as plombier"]),
        ("je viens de Quimper", ["user home_town Quimper"]),
        ("jsuis née à Oran et j'ai grandi à Marseille", ["user born_in Oran", "user home_town Marseille"]),
        ("on vit à cinq dans un mobil-home à Royan", ["user lives_in Royan"]),
        ("j'habite Créteil", ["user lives_in Créteil"]),
        ("on vient d'emménager à Angers", ["user lives_in Angers"]),
        ("je taffe chez Decathlon", ["user works_at Decathlon"]),
        ("je tiens une librairie à Vannes", ["user owns librairie"]),
        ("je suis en licence de psycho à Nanterre", ["user studies psycho", "user studies_at Nanterre"]),
        ("mes fils s'appellent Tom et Léo", ["user son Tom", "user son Léo"]),
        ("Ma fille Zoé, 6 ans, est intolérante au lactose.", ["user daughter Zoé", "Zoé age 6", "Zoé is intolérante au lactose"]),
        ("je souffre d'endométriose", ["user has endométriose"]),
        ("je suis sous Seroplex depuis mars", ["user takes Seroplex"]),
        ("je mange pas de viande", ["user avoids viande"]),
        ("j'ai horreur des huîtres", ["user dislikes huîtres"]),
        ("le jazz c'est pas mon truc", ["user dislikes jazz"]),
        ("l'opéra m'a toujours ennuyée", ["user dislikes opéra"]),
        ("je kiffe le rap", ["user likes rap"]),
        ("je suis plutôt thé que café", ["user prefers thé"]),
        ("j'ai arrêté le café", ["user practises café (over)"]),
        ("j'ai rendez-vous chez le dentiste mardi", ["user plans_to rendez-vous chez le dentiste"]),
        ("on part au Portugal en août", ["user plans_to part au Portugal"]),
        ("J'ai été contrôleur pendant onze ans avant d'ouvrir ma crêperie.", ["user works_as contrôleur (over)", "user owns crêperie"]),
        ("je suis en train d'écrire un roman policier", ["user current_project roman policier"]),
        ("je fais de la poterie le jeudi", ["user practises poterie"]),
        ("je suis gaucher", ["user is gaucher"]),
        ("je joue aux échecs en club", ["user plays échecs"]),
    ],
)  # fmt: skip
def test_facts(message: str, facts: list[str]) -> None:
    assert detect(message).code == "fr"
    assert found(message) == set(facts)
    assert read(message).memories


@pytest.mark.parametrize(
    "message",
    [
        "Si j'avais de l'argent, je vivrais à Tahiti.",
        "Peut-être que je vais déménager à Nice.",
        "Je suis fatigué.",
        "J'ai faim.",
        "J'ai sommeil.",
        "Peux-tu me recommander un livre ?",
        "Écris un poème sur mon chat.",
        "J'ai mal à la tête.",
        "Mon chef dit que je travaille trop.",
        "D'après le journal, Paris a deux millions d'habitants.",
        "Bonjour, comment ça va ?",
        "Merci pour ton aide.",
        "Je ne comprends pas ta réponse.",
        "Mdr, je suis le roi de France.",
        "Les chiens ne doivent pas manger de chocolat.",
        "Il faut que j'y aille.",
        "Je cherche une recette de cassoulet.",
        "Je n'ai jamais dit que j'aimais le foot.",
        "Je crois que je vais déménager au Canada.",
        "Traduis en anglais : Je suis médecin et j'habite à Nice.",
        "Attends deux minutes, j'ai une casserole sur le feu.",
        "La tour Eiffel grandit de quinze centimètres en été à cause de la chaleur.",
        "Il a 7 ans.",
        "Je suis d'accord avec toi.",
        "Je t'aime.",
        "C'est une bonne idée.",
        "J'ai une question.",
        "J'ai peur des araignées.",
        "Ne m'appelle pas Kevin.",
        "Je rêve d'avoir un chien.",
        "Mon médecin dit que j'ai du diabète.",
        "Dans ce film, je suis un espion.",
        "« Je est un autre », c'est dans quelle lettre déjà",
        "oui oui, et ma tante est championne du monde de boxe",
    ],
)  # fmt: skip
def test_nothing(message: str) -> None:
    reading = read(message)
    assert not reading.statements and not reading.memories


@pytest.mark.parametrize(
    "message",
    [
        "J'ai promené le chien.",
        "Le fils de ma sœur habite à Metz.",
        "Je n'ai jamais habité à Rome.",
        "J'aimerais travailler chez Airbus.",
        "je travaille comme un fou",
        "j'adore cette réplique",
        "on m'appelle sans arrêt",
        "mon fils ne mange pas de légumes",
        "je viens de rentrer",
        "j'ai arrêté de lire au chapitre 3",
        "je viens de Paul, il m'a tout dit",
    ],
)
def test_no_fact(message: str) -> None:
    assert not found(message)


@pytest.mark.parametrize(
    ("message", "begin", "end"),
    [
        ("J'habite à Nice depuis le 3 mai 2021.", "2021-05-03", None),
        ("Depuis trois ans, je travaille chez Renault.", "2022-08-03", None),
        ("J'ai déménagé à Bordeaux en mars.", "2025-03-01", None),
        ("J'ai habité à Lyon de 2010 à 2015.", "2010-01-01", "2015-01-01"),
        ("J'ai arrêté de fumer il y a trois ans.", None, "2022-08-03"),
        ("Je vis à Metz en ce moment.", None, None),
    ],
)
def test_dates(message: str, begin: str | None, end: str | None) -> None:
    (item,) = read(message).statements
    said = Said(tense=item.clause.tense, over=item.over, time_words=lexicon("fr").time_words)
    found = dates(item.clause.text, item.predicate, item.object, date(2025, 8, 3), said)
    assert [day and day.isoformat() for day in (found.begin, found.end)] == [begin, end]
