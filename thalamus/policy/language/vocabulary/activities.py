"""What people speak and play: languages, and instruments, sports and games of long standing."""

from __future__ import annotations

import re
import unicodedata

_LANGUAGES = frozenset(
    """english german french spanish portuguese italian dutch polish russian arabic turkish greek
    deutsch englisch französisch spanisch portugiesisch italienisch niederländisch holländisch polnisch
    russisch ukrainisch arabisch türkisch griechisch schwedisch norwegisch dänisch finnisch tschechisch
    ungarisch rumänisch kroatisch serbisch bosnisch albanisch persisch farsi kurdisch hebräisch
    chinesisch mandarin japanisch koreanisch vietnamesisch hindi urdu latein plattdeutsch platt sorbisch
    friesisch schweizerdeutsch bulgarisch slowakisch slowenisch isländisch irisch esperanto
    gebärdensprache katalanisch baskisch lettisch litauisch estnisch swahili suaheli tigrinya dari
    paschtu georgisch armenisch thai
    español castellano inglés francés alemán portugués italiano catalán valenciano gallego euskera
    vasco chino japonés árabe ruso rumano polaco holandés neerlandés griego turco coreano quechua
    guaraní sueco noruego danés finlandés ucraniano hebreo latín aimara
    français anglais allemand espagnol portugais italien néerlandais arabe russe polonais chinois
    japonais coréen turc grec roumain suédois norvégien danois finnois wolof breton occitan basque
    corse créole berbère kabyle hébreu hindi bambara lingala peul catalan ukrainien tchèque hongrois
    vietnamien flamand alsacien latin persan
    português inglês francês alemão espanhol italiano chinês japonês árabe russo polaco polonês romeno
    holandês neerlandês grego turco coreano sueco norueguês dinamarquês finlandês ucraniano crioulo
    mirandês galego catalão hebraico latim mandarim libras guarani tupi""".split()
)
_PLAYED = frozenset(
    """klavier gitarre geige cello flöte querflöte blockflöte trompete saxophon saxofon klarinette
    schlagzeug bass e-gitarre akkordeon harfe orgel posaune horn bratsche ukulele mundharmonika oboe
    fußball fussball handball volleyball basketball tennis tischtennis badminton squash golf hockey eishockey
    schach skat doppelkopf rugby theater cembalo kontrabass
    piano guitarra violín violín batería trompeta flauta saxofón acordeón clarinete arpa órgano bajo
    violonchelo ukelele gaita fútbol baloncesto tenis pádel voleibol balonmano ajedrez golf
    guitare violon violoncelle flûte trompette batterie accordéon clarinette harpe orgue basse
    saxophone contrebasse cornemuse ukulélé foot football tennis handball basket volley rugby
    échecs pétanque badminton ping-pong alto
    violão guitarra violino bateria trompete flauta saxofone acordeão clarinete harpa órgão
    baixo violoncelo cavaquinho ukulele pandeiro sanfona futebol basquete basquetebol ténis tênis
    vôlei voleibol andebol handebol xadrez padel bandolim viola teclado
    fútbol futbol fulbito futbito rugby béisbol beisbol softbol hockey waterpolo ráquetbol squash frontón petanca
    billar dardos ajedrez dominó bádminton pimpón bandoneón charango zampoña cajón tambor
    gaita dulzaina bandurria castañuelas clavecín oboe fagot tuba bombardino trombón corneta armónica
    saxo teclado bajo contrabajo
    futsal pétanque billard fléchettes échecs belote tarot scrabble banjo mandoline hautbois basson
    tuba trombone cor clairon harmonica saxo synthé djembé biniou bombarde vielle clavecin basse
    contrebasse water-polo base-ball
    pelada futsal vôlei peteca sinuca bilhar dardos damas dominó gaita cuíca surdo agogô berimbau
    oboé fagote tuba trombone gaita concertina contrabaixo rabeca adufe cavaco atabaque""".split()
)
_PURSUITS = frozenset(
    """yoga ioga pilates taichi karate kárate karaté judo judô aikido taekwondo boxeo boxe kickboxing
    esgrima escrime natación natation natação escalada escalade senderismo randonnée trilha trilhas
    montañismo alpinismo alpinisme ciclismo cyclisme spinning crossfit zumba aerobic gimnasia
    gimnástica gymnastique ginástica atletismo athlétisme running footing triatlón triathlon
    meditación méditation meditação danza danse dança ballet balé flamenco salsa tango bachata capoeira
    baile teatro théâtre cerámica céramique cerâmica poterie olaria pintura peinture acuarela aquarelle
    aquarela dibujo dessin desenho escultura sculpture bordado broderie punto ganchillo tricot crochet
    croché crochê tricô tejido costura couture fotografía photographie fotografia jardinería jardinage
    jardinagem equitación équitation equitação surf surfe kitesurf windsurf vela voile remo aviron
    kayak canoa buceo plongée mergulho esquí ski esqui snowboard patinaje patinage patinação hípica
    halterofilia musculación musculation musculação calistenia pesas senderisme orientación vélo course
    marche caminata caminatas caminhada caminhadas corrida parkour paddle vóley voleibol rugby fútbol
    futebol foot tenis tênis ténis tennis pádel golf basket basquete baloncesto badminton malabares jonglage
    coro chorale origami carpintería menuiserie marcenaria apicultura apiculture ajedrez échecs xadrez
    pesca pêche chasse caza caça petanca pétanque voluntariado bénévolat teatro impro astronomía
    astronomie astronomia spéléo espeleología parapente trail jiu-jitsu""".split()
)


def without_accents(text: str) -> str:
    """The text without accents: many leave them out."""
    apart = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


_BARE_LANGUAGES = frozenset(map(without_accents, _LANGUAGES))
_BARE_PLAYED = frozenset(map(without_accents, _PLAYED))
_BARE_PURSUITS = frozenset(map(without_accents, _PURSUITS))
_PLAIN_WORD = re.compile(r"[^\W\d_][\w'-]*")


# instruments, sports, games, arts and crafts: single words in lower case, with and without accents
ACTIVITIES = _PLAYED | _PURSUITS | _BARE_PLAYED | _BARE_PURSUITS


def is_language(object: str) -> bool:
    """Whether a word names a language."""
    return without_accents(object.casefold()) in _BARE_LANGUAGES


def is_instrument_or_sport(object: str) -> bool:
    """Whether somebody who plays it has an instrument, a sport or a game of long standing."""
    words = _PLAIN_WORD.findall(object.casefold())
    return 0 < len(words) <= 3 and without_accents(words[-1]) in _BARE_PLAYED


def is_hobby(object: str) -> bool:
    """Whether somebody who does it has a sport, an art or a craft: yoga, judo, pottery."""
    words = _PLAIN_WORD.findall(object.casefold())
    return 0 < len(words) <= 4 and without_accents(words[0]) in _BARE_PURSUITS
