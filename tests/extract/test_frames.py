"""Plain frames: the facts that they find without a model, and all that must give none."""

from __future__ import annotations

from datetime import date

import pytest

from thalamus.extract import frames
from thalamus.extract.source import KnownItem

pytestmark = pytest.mark.storeless

SAID = date(2026, 3, 18)  # a Wednesday


def found(message: str) -> list[tuple[str, str]]:
    """The predicates and objects of the facts about the user."""
    facts = frames.propose(message, SAID).facts
    assert {fact.subject for fact in facts} <= {"user"}
    return [(fact.predicate, fact.object) for fact in facts]


FOUND = {
    # name
    "My name is Ada Lovelace.": "name Ada Lovelace",
    "hi, my name's Ada": "name Ada",
    "I'm called Ada and paint.": "name Ada",
    "Call me Ada.": "nickname Ada",
    "My name is Rosa da Silva.": "name Rosa da Silva",
    "my name is ana": "name Ana",
    "my brother paul works at the port": "brother Paul",
    "mein bruder heißt klaus": "brother Klaus",
    # home
    "I live in Oslo 😊": "lives_in Oslo",
    "I live in St. Brannock. I work for Dr. Miller.": "lives_in St. Brannock, works_at Dr. Miller",
    "By the way, I currently live in New York City with my cat.": "lives_in New York City",
    "I'm living in Rio de Janeiro now.": "lives_in Rio de Janeiro",
    "I’m based in Frankfurt am Main, for now.": "lives_in Frankfurt am Main",
    "We live in The Hague these days.": "lives_in The Hague",
    "I just moved to Lisbon, Portugal.": "lives_in Lisbon",
    "I've recently moved to Lisbon!": "lives_in Lisbon",
    # home without capitals
    "i live in ghent": "lives_in Ghent",
    "I live in ghent": "lives_in Ghent",
    "i just moved to new york city": "lives_in New York City",
    "im based in san jose, costa rica": "lives_in San Jose",
    "we live in rio de janeiro and it's hot": "lives_in Rio de Janeiro",
    "ich wohne in dusseldorf": "lives_in Dusseldorf",
    "vivo en ciudad de méxico": "lives_in Ciudad de México",
    "j'habite à nice": "lives_in Nice",
    "moro no brasil": "lives_in Brasil",
    # work
    "I work at Johnson & Johnson.": "works_at Johnson & Johnson",
    "I still work for Bank of Utopia as a clerk.": "works_at Bank of Utopia",
    "I work at Otto's and sleep all day.": "works_at Otto's",
    "I started working at Acme last week.": "works_at Acme",
    "I work as a night nurse at Acme.": "works_as night nurse",
    "I'm working as an electrician.": "works_as electrician",
    # allergies
    "im allergic to cats": "allergic_to cats",
    "I'm allergic to peanuts.": "allergic_to peanuts",
    "I'm severely allergic to nuts, tree pollen and bee stings.": (
        "allergic_to nuts, allergic_to tree pollen, allergic_to bee stings"
    ),
    "I'm allergic to dust and it is awful.": "allergic_to dust",
    "I'm allergic to cats unfortunately, and dust btw": "allergic_to cats",
    "I prefer tea tbh": "prefers tea",
    "Ich bin allergisch gegen Hunde leider": "allergic_to Hunde",
    # likes
    "I really love spicy food!": "likes spicy food",
    "I also enjoy night walks, but not alone.": "likes night walks",
    "I'm a huge fan of chamber music.": "likes chamber music",
    "I like green tea": "likes green tea",
    "I also speak Dutch.": "speaks Dutch",
    "Well, I usually prefer window seats because of my knee.": "prefers window seats",
    # people and pets
    "My older sister is called Ada.": "sister Ada",
    "My husband's name is Tom, and he paints.": "husband Tom",
    "I have a cat named Milo.": "cat Milo",
    "We have a dog called Rex.": "dog Rex",
    "I went skating with my friend Ada and her father.": "friend Ada",
    "That was my little cousin Tom's idea.": "cousin Tom",
    "I had lunch with my partner Sam O'Brien.": "partner Sam O'Brien",
    "My cat, Milo, is asleep.": "cat Milo",
    "This is a toy for my puppy, Rex.": "dog Rex",
    "My coworker Ada and I met my best friend Eve.": "colleague Ada, best_friend Eve",
    # several
    "My name is Ada and I live in Oslo, but I work at Acme.": (
        "name Ada, lives_in Oslo, works_at Acme"
    ),
    "I love chess because my brother Tom plays it.": "likes chess, brother Tom",
    # other languages
    "Ich heiße Jana Krug und wohne in Köln.": "name Jana Krug",
    "Mein Name ist Jonas.": "name Jonas",
    "Ich wohne jetzt in Frankfurt am Main.": "lives_in Frankfurt am Main",
    "Ich bin nach Bremen gezogen, weil es dort regnet.": "lives_in Bremen",
    "Ich arbeite bei Krupp als Schlosserin.": "works_at Krupp",
    "Ich arbeite als Imker in Kiel.": "works_as Imker",
    "Ich bin stark allergisch gegen Nüsse und Pollen.": "allergic_to Nüsse, allergic_to Pollen",
    "Ich bin gegen Penicillin allergisch.": "allergic_to Penicillin",
    "Meine Schwester heißt Lena.": "sister Lena",
    "Ich koche gern und mein Hund heißt Bello.": "dog Bello",
    "Hola, me llamo Ana Ruiz y vivo en Lima.": "name Ana Ruiz, lives_in Lima",
    "Mi nombre es Pedro.": "name Pedro",
    "Ahora vivo en Santiago de Chile.": "lives_in Santiago de Chile",
    "Me he mudado a Sevilla.": "lives_in Sevilla",
    "Yo trabajo para Utopía.": "works_at Utopía",
    "Trabajo como profesora en Quito.": "works_as profesora",
    "Soy alérgica a las nueces y al polen.": "allergic_to nueces",
    "Soy alérgico al polen.": "allergic_to polen",
    "Mi hermano se llama Hugo.": "brother Hugo",
    "Mi perro se llama Toby y duerme mucho.": "dog Toby",
    "Je m'appelle Anne Petit et j'habite à Lyon.": "name Anne Petit, lives_in Lyon",
    "Bonjour, mon nom est Paul.": "name Paul",
    "J’habite maintenant à Nantes.": "lives_in Nantes",
    "J'habite au Canada depuis longtemps.": "lives_in Canada",
    "J'ai déménagé à Nice.": "lives_in Nice",
    "Je travaille chez Utopie depuis mars.": "works_at Utopie",
    "Je travaille comme infirmière à Lille.": "works_as infirmière",
    "Je suis très allergique aux noix et au lait.": "allergic_to noix",
    "Ma sœur s'appelle Léa.": "sister Léa",
    "Mon chat s'appelle Minou.": "cat Minou",
    "Chamo-me Rita Melo e moro em Braga.": "name Rita Melo, lives_in Braga",
    "O meu nome é Pedro.": "name Pedro",
    "Agora moro no Rio de Janeiro.": "lives_in Rio de Janeiro",
    "Eu me mudei para Coimbra.": "lives_in Coimbra",
    "Eu trabalho para a Utopia.": "works_at Utopia",
    "Trabalho como enfermeira em Faro.": "works_as enfermeira",
    "Sou alérgica a nozes.": "allergic_to nozes",
    "Eu sou alérgico à penicilina.": "allergic_to penicilina",
    "A minha irmã chama-se Inês.": "sister Inês",
    "Meu cachorro se chama Rex e dorme muito.": "dog Rex",
}


@pytest.mark.parametrize("message", FOUND)
def test_what_is_said_plainly_is_found(message: str) -> None:
    assert ", ".join(map(" ".join, found(message))) == FOUND[message]


NOTHING = {
    "places that are words": """
        i live in fear
        i live in a flat
        i live in hope
        i live in reading week
        i live in nice
        i live in mobile homes
        i live in ghent village
        i moved to split
        we live in most
        ich lebe in angst
        ich wohne in essen
        vivo en la paz
        vivo en paz
        moro em recife
        j'habite en ville""",
    "questions": """
        Do I live in Cork?
        Where is Cork? I live in Cork.
        I live in Cork. Who else lives there
        Hey, when does it close. My name is Ada.""",
    "requests": """
        Please remember that I live in Oslo.
        Translate this: I live in Oslo.
        Translate into French. I live in Oslo.
        Also, please translate this. My name is Ada.
        Ok, now write a letter. I work at Acme.
        Let's play. My name is Ada.
        I want you to act as a baker. My name is Ada.
        Here is my essay. I love jazz.""",
    "hypotheses": """
        If I lived in Oslo, I would ski.
        I wish I lived in Oslo.
        I would love to live in Oslo.
        I'd love coffee.
        I might move to Oslo.
        Suppose I live in Oslo.
        I live in Oslo if all goes well.
        I will have moved to Oslo in May.
        I moved to Oslo next month.""",
    "role play and stories": """
        Pretend my name is Ada.
        You are a pirate. My name is Jack.
        *waves* My name is Ada.
        Narrator: My name is Ada.
        I live in Oslo in my dreams.
        In my dream I live in Oslo.
        I live in Utopia in this story.
        Once upon a time there was a king. My name is Ada.""",
    "the words of others": """
        Tom says I live in Oslo.
        I live in Oslo, said the king.
        "I live in Oslo," said the king.
        He said ‘I work at Acme’ and left.
        Tom said that he was late and I live in Oslo.
        She thinks I'm allergic to nuts.
        > I live in Oslo
        Dear Tom, my name is Ada.
        My name is Ada. Kind regards""",
    "negations": """
        I don't live in Cork.
        I no longer work at Acme.
        I don't work at Acme any more.
        I never lived in Cork.
        I'm not allergic to nuts.
        I'm not a fan of chamber music.
        My name is not Ada.
        I have not moved to Cork.
        It is not true that I live in Oslo.
        I live in Oslo. Just kidding.
        I live in Oslo (not really).
        I apparently live in Oslo.""",
    "what is taken back": """
        I live in Oslo! No wait, Bergen. I keep mixing them up.
        I live in Oslo. Joking!
        I have a cat named Milo, or had.
        I moved to Oslo last year, it was awful so I'm back in Cork.
        I'm allergic to Mondays.
        I prefer Tuesday.
        Ich wohne in Köln. Kleiner Scherz!
        Ich bin nach Bonn gezogen, bin aber schon wieder in Kiel.
        Soy alérgico a los lunes.
        Vivo en Roma. Es broma.
        J'habite à Rome. Je plaisante !
        Je suis allergique aux lundis.
        Moro em Roma. Brincadeira!""",
    "the past": """
        I lived in Cork.
        I was living in Cork in 2019.
        I moved to Cork when I was three.
        I moved to Cork for two years.
        I moved to Cork in 2010, then to Oslo.
        I have moved to Cork twice.
        I started at Acme as a trainee and left.
        My dog Rex died last year.
        I used to live in Cork.""",
    "other people": """
        My sister lives in Rome.
        My sister is allergic to nuts.
        My brother works as a nurse at Acme.
        Her name is Ada.
        Her sister's name is Ada.
        Tom's dog is called Rex.
        I met a dog named Rex.
        My sister-in-law Ada called.
        My former colleague Ada called.
        We were there with Tom, his wife Eve and his friend Sam.""",
    "no people": """
        I stayed home with my wife Christmas Eve.
        I walked with my wife Saturday.
        I taught my son French.
        I told my friend Acme is closed.
        I met my sisters Ada and Eve.
        I went with my wife, Eve, and Tom.
        I love my cat, Milo and Otto.
        Call me when you can.
        Call me Monday.""",
    "no places and no employers": """
        I live in the past.
        I live in a house.
        I live in Apartment 4B.
        I live in Building C.
        I live in Bosnia and Herzegovina.
        I LIVE IN A HOUSE
        I work at home.
        I work for myself.
        I work at Otto and Sons.
        I work as a team with my wife.""",
    "no things": """
        I love it.
        I love that!
        I love you so much.
        I love your idea.
        I love the idea of a garden.
        I love how it looks.
        I love seeing them.
        I love to hike.
        I love warm, quiet rooms.
        I love dark and bitter chocolate.
        I love places with a view.
        I love books that make me think.
        I enjoy trying new recipes.
        I enjoy what I do.
        I prefer the second one.
        I prefer tea to coffee.
        I'm allergic to my job.
        I'm allergic to animals with fur.""",
    "German": """
        Wohne ich in Köln?
        Bitte übersetze das. Ich wohne in Köln.
        Stell dir vor, ich wohne in Rom.
        Ich wohne nicht mehr in Köln.
        Ich habe in Köln gewohnt.
        Meine Schwester wohnt in Rom.
        Wenn ich in Rom wohnen würde, wäre ich froh.
        Er sagt, ich wohne in Rom.
        „Ich wohne in Rom“, sagte sie.
        Ich bin nach Hause gezogen.
        Ich bin nach Bremen gezogen, als ich drei war.
        Ich heiße Sie herzlich willkommen.
        Ich arbeite bei Nacht.
        Ich bin nicht allergisch gegen Nüsse.
        Seine Frau heißt Eva.""",
    "Spanish": """
        ¿Vivo en Lima?
        Traduce esto. Vivo en Lima.
        Imagina que vivo en Roma.
        No vivo en Lima.
        Ya no vivo en Lima.
        Antes vivía en Lima.
        Mi hermana vive en Roma.
        Si viviera en Roma, sería feliz.
        «Vivo en Roma», dijo.
        Me mudé a Sevilla cuando tenía tres años.
        Trabajo como siempre en casa.
        Trabajo en Madrid.
        No soy alérgico al polen.
        Su perro se llama Toby.""",
    "French": """
        Est-ce que j'habite à Lyon ?
        Traduis cette phrase. J'habite à Lyon.
        Imagine que j'habite à Rome.
        Je n'habite plus à Lyon.
        J'habitais à Lyon.
        Ma sœur habite à Rome.
        Si j'habitais à Rome, je serais content.
        « J'habite à Rome », dit-elle.
        J'ai déménagé à Nice quand j'avais trois ans.
        Je travaille comme d'habitude chez moi.
        Je travaille chez moi.
        Je ne suis pas allergique au lait.
        Son chien s'appelle Rex.""",
    "Portuguese": """
        Moro em Lisboa?
        Traduz isto. Moro em Lisboa.
        Imagina que moro em Roma.
        Não moro em Lisboa.
        Já não moro em Lisboa.
        Eu morava em Lisboa.
        A minha irmã mora em Roma.
        Se eu morasse em Roma, seria feliz.
        Moro em Roma, disse o rei.
        Mudei-me para Coimbra quando tinha três anos.
        Trabalho como sempre em casa.
        Trabalho na Alemanha.
        Não sou alérgico a leite.
        O cão dela chama-se Rex.""",
}


@pytest.mark.parametrize(
    "message", [line.strip() for lines in NOTHING.values() for line in lines.split("\n") if line]
)
def test_nothing_is_found_in_what_does_not_say_it_of_the_user(message: str) -> None:
    assert found(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "About me:\n- I live in Oslo\n- I work at Acme",
        "– I live in Oslo.",
        "*waves* I live in Oslo.",
        "I live in Oslo *smiles*.",
        "My landlord wrote: I live in Oslo.",
        "My aunt dictated this. I live in Oslo.",
        "Pasting Ole's text. I live in Oslo.",
        "OLE\nI live in Oslo.",
        "[Ole] It rains and I live in Oslo.",
        "I live in Oslo. ~ Ole",
        "Here is my aunt's letter: It rains. I live in Oslo.",
        "I live in Oslo. -> translate to German",
        "I live in Oslo, in German please.",
        "This is Ole, typing on her laptop. I live in Oslo.",
        "It's Ole here. I live in Oslo.",
        "I'm her son Ole. I live in Oslo.",
        "I'm writing for my aunt. I live in Oslo.",
        "Hier schreibt Ole. Ich wohne in Oslo.",
        "Je suis son fils. J'habite à Oslo.",
        "```\nI live in Oslo\n```",
        'print("I live in Oslo")',
        "# I live in Oslo",
        "Subject: Keys\nFrom: Ada\nTo: Tom\n\nI live in Oslo.",
        "[10:14] Ada: I live in Oslo\n[10:15] Tom: I work at Acme",
        "My name is Ada / I live in the rain / I work at night",
        "♪ My name is Ada ♪",
        "My name is Ada\nI live in Oslo\nI walk by the river\nI never come home",
    ],
)
def test_lists_code_mail_logs_and_songs_are_not_read(message: str) -> None:
    assert found(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "- I live in Oslo\n* I work at Acme",
        "1. I live in Oslo.\n2. I keep bees.\n3. I work at Acme.",
        "I live in **Oslo** and I work at `Acme`.",
        "I live in Oslo 🇳🇴 and I work at *Acme* 😀",
        "I li\u200bve in Os\u00adlo and I work at Acme.",
    ],
)
def test_marks_of_writing_are_no_part_of_a_fact(message: str) -> None:
    assert found(message) == [("lives_in", "Oslo"), ("works_at", "Acme")]


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("I moved to Lisbon.", None),
        ("I moved to Lisbon yesterday, and I love it.", "2026-03-17"),
        ("I moved to Lisbon on May 3rd, 2023.", "2023-05-03"),
        ("I moved to Lisbon on the 3rd of May 2023.", "2023-05-03"),
        ("I moved to Lisbon in May 2023.", "2023-05"),
        ("I moved to Lisbon last month.", "2026-02"),
        ("I moved to Lisbon last week.", "2026-03-12"),
        ("I moved to Lisbon two weeks ago.", "2026-03-04"),
        ("I moved to Lisbon in 2010.", "2010"),
        ("I moved to Lisbon three years ago.", "2023-03-19"),
        ("I moved to Lisbon about three years ago.", "2023-03-19"),
        ("I moved to Lisbon a few years ago.", "2023-03-19"),
        ("I moved to Lisbon a couple of months ago.", "2026-01-17"),
        ("I moved to Lisbon half a year ago.", "2025-09-17"),
        ("I moved to Lisbon a year and a half ago.", "2024-09-16"),
        ("I moved to Lisbon a decade ago.", "2016-03-18"),
        ("I moved to Lisbon last summer.", "2025-07-16"),
        ("I moved to Lisbon in the summer of 2019.", "2019-07-16"),
        ("I moved to Lisbon in early 2019.", "2019-03-01"),
        ("I moved to Lisbon at the end of 2019.", "2019-10-31"),
        ("I moved to Lisbon around 2015.", "2015"),
        ("I moved to Lisbon between 2015 and 2017.", "2016-07-01"),
        ("I moved to Lisbon in 05/2019.", "2019-05"),
        ("I moved to Lisbon on 03.05.2019.", "2019-05-03"),
        ("I moved to Lisbon on 03/05/2019.", "2019"),  # in May or in March
        ("I moved to Lisbon on 2019/05/03.", "2019-05-03"),
        ("I work at Acme since last autumn.", "2025-10-16"),
        ("I work at Acme for two years.", "2024-03-18"),
        ("I started at Acme on Monday.", "2026-03-16"),
        ("I live in Lisbon in summer.", None),
        ("I work at Acme on Monday.", None),
    ],
)
def test_a_fact_has_the_time_at_which_it_began_as_exactly_as_it_is_known(
    message: str, day: str | None
) -> None:
    (fact,) = frames.propose(message, SAID).facts
    assert fact.valid_from == day


HOME = KnownItem("f1", "1", "fact", "user | lives_in | Cork")
WORK = KnownItem("f2", "2", "fact", "user | works_at | Acme")


@pytest.mark.parametrize(
    ("message", "id", "day"),
    [
        ("I used to live in Cork.", "f1", None),
        ("I moved away from Cork last month.", "f1", "2026-02"),
        ("I quit Acme yesterday!", "f2", "2026-03-17"),
        ("I stopped working at ACME in May 2025.", "f2", "2025-05"),
        ("I used to work for Acme.", "f2", None),
        ("I no longer live in Cork since May 2025", "f1", "2025-05"),
        ("I don’t work at Acme any more and I love it.", "f2", None),
        ("Ich wohne nicht mehr in Cork.", "f1", None),
        ("Ya no trabajo para Acme.", "f2", None),
        ("Je n'habite plus à Cork", "f1", None),
        ("Não moro mais em Cork.", "f1", None),
    ],
)
def test_what_is_over_ends_what_is_known(message: str, id: str, day: str | None) -> None:
    found = frames.propose(message, SAID, lambda: [HOME, WORK])
    assert [(end.id, end.valid_to) for end in found.no_longer] == [(id, day)]
    assert not found.facts


@pytest.mark.parametrize(
    "message",
    [
        "I used to live in Rome.",
        "I quit sugar.",
        "I quit Cork.",
        "I don't work at Acme on Mondays.",
        "I no longer work at Acme on Mondays.",
        "I no longer work at Acme full time.",
        "I don't work at Acme any more than I have to.",
        "Mum says I don't live in Cork any more.",
        "I feel like I don't live in Cork any more.",
        "Ich arbeite nicht mehr bei Acme im Lager.",
    ],
)
def test_what_is_over_ends_nothing_else(message: str) -> None:
    found = frames.propose(message, SAID, lambda: [HOME, WORK])
    assert not found.no_longer
    assert not found.facts


def test_the_sentence_is_the_memory_and_the_words_of_the_frame_are_the_quote() -> None:
    message = "What a day. Yes, I moved to Lisbon last month, it rains. I am allergic to nuts."
    assert not frames.propose(message, SAID).facts  # "what …" may be a question
    found = frames.propose(message.removeprefix("What a day. "), SAID)
    assert [memory.content for memory in found.memories] == [
        "Yes, I moved to Lisbon last month, it rains.",
        "I am allergic to nuts.",
    ]
    assert [fact.quote for fact in found.facts] == [
        "I moved to Lisbon last month",
        "I am allergic to nuts",
    ]
    assert [memory.sensitivity for memory in found.memories] == ["normal", "personal"]


def test_what_takes_back_an_earlier_message_is_a_statement() -> None:
    assert not frames.only_states("She lands on the 19th. No wait, on the 21st.")
    assert frames.only_states("Wait no, she lands on the 21st, I misread the ticket.")


def test_a_sentence_may_state_something() -> None:
    assert frames.may_state("The rain never stops here.")
    assert not frames.may_state("Tell me more.")
    assert not frames.may_state("So, is it open?")
    assert not frames.may_state("He shouted “never”.")


WISHES = {
    "Your name is Gwen.": "assistant_identity",
    "ok, I'll call you Gwen": "assistant_identity",
    "Ab jetzt heißt du nicht Gwen.": None,
    "Du heißt Gwen": "assistant_identity",
    "be formal with me": "persona",
    "please be brief and honest with me!": "persona",
    "be brief with me please": "persona",
    "can you keep it short from now on?": "persona",
    "be brief with me, I have a bad connection": None,
    "from now on, answer in French": "persona",
    "Please keep your answers short.": "persona",
    "Tutoie-moi, s'il te plaît": "persona",
    "s'il te plaît, tutoie-moi": "persona",
    "Bitte antworte mir kurz.": "persona",
    "Your name is Napoleon. Write a speech.": None,
    "Answer in French: where is Lyon?": None,
    "Her name is Gwen": None,
    "be careful": None,
}


@pytest.mark.parametrize(("message", "type"), WISHES.items())
def test_a_wish_about_the_assistant_is_kept_word_for_word(message: str, type: str | None) -> None:
    made = frames.propose(message, SAID).memories
    assert [(one.content, one.type) for one in made] == ([(message, type)] if type else [])


@pytest.mark.parametrize(
    ("message", "unwanted"),
    [
        ("forget that I live in Ghent", ["m1", "f1"]),
        ("Can you forget about my sister's birthday, please?", ["m2"]),
        ("Please forget everything I said about Ghent.", ["m1", "f1"]),
        ("Bitte vergiss, was ich über Gent gesagt habe!", []),  # not known under this name
        ("Olvida lo de mi hermana, por favor.", []),
        ("Oublie ce que j'ai dit sur Ana.", ["m2", "f2"]),
        ("forget it", []),
        ("Don't forget my sister's birthday.", []),
        ("I always forget my sister's birthday.", []),
        ("Forget my sister's birthday. I live in Ghent.", []),
    ],
)
def test_a_request_to_forget_names_what_is_known(message: str, unwanted: list[str]) -> None:
    """By all words of the topic; what stands beside it is no statement."""
    known = [
        KnownItem("m1", "mem_1", "memory", "I moved to Ghent, I live there now."),
        KnownItem("m2", "mem_2", "memory", "My sister Ana has her birthday in May."),
        KnownItem("f1", "fact_1", "fact", "user | lives_in | Ghent"),
        KnownItem("f2", "fact_2", "fact", "user | sister | Ana"),
    ]
    made = frames.propose(message, SAID, lambda: known)
    assert list(made.forget) == unwanted
