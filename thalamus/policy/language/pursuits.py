"""What people speak and play: languages, and instruments, sports and games of long standing."""

from __future__ import annotations

import re

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
    vôlei voleibol andebol handebol xadrez padel bandolim viola teclado""".split()
)
_PLAIN_WORD = re.compile(r"[^\W\d_][\w'-]*")


def tongue(object: str) -> bool:
    """Whether a word names a language."""
    return object.casefold() in _LANGUAGES


def plays(object: str) -> bool:
    """Whether somebody who plays it has an instrument, a sport or a game of long standing."""
    words = _PLAIN_WORD.findall(object.casefold())
    return 0 < len(words) <= 3 and words[-1] in _PLAYED
