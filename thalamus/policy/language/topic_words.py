"""The words of a text that may be what it is about: no units of time, no calendar, no code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thalamus.policy.language.languages import is_function_word
from thalamus.policy.language.patterns import LazyPattern
from thalamus.text.tokens import content_words

_CALENDAR = frozenset(
    "january february march april may june july august september october november december"
    " monday tuesday wednesday thursday friday saturday sunday i"
    " mondays tuesdays wednesdays thursdays fridays saturdays sundays"
    " januar jänner februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag"
    " samstag sonnabend sonntag montags dienstags mittwochs donnerstags freitags samstags sonntags"
    " janvier février avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi"
    " vendredi samedi dimanche enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre"
    " diciembre lunes martes miércoles jueves viernes sábado domingo janeiro fevereiro março maio junho julho"
    " setembro outubro novembro dezembro segunda-feira terça-feira quarta-feira quinta-feira sexta-feira".split()
)
# units and parts of time, in the five languages
_TIME = frozenset(
    """second seconds minute minutes hour hours day days week weeks weekend weekends month months year years
    decade decades century morning mornings afternoon afternoons evening evenings night nights noon midnight
    today tomorrow yesterday tonight daily weekly monthly yearly time times moment while ago soon later
    early late lately recently spring summer autumn fall winter o'clock oclock
    stunde stunden tag tage tagen woche wochen wochenende monat monate monaten jahr jahre jahren heute morgen
    gestern abend morgens abends uhr zeit
    minuto minutos hora horas día días semana semanas mes meses año años hoy mañana ayer noche tarde
    heure heures jour jours semaine semaines mois an ans année années demain hier soir matin
    dia dias mês ano anos hoje amanhã ontem noite manhã""".split()
)
_EMPTY = frozenset(
    """ve ll re said don doesn didn isn told know not no his him mine them also very just too yes please ok okay
    since until till before after during mr mrs ms dr herr frau
    one two three four five six seven eight nine ten eleven twelve
    last next every each other another same first second third once twice
    yet still already ever never much many more most lot lots here there moved move moving went gone came got
    all any some hi hey hello tell say so remember may might shall""".split()
)
# where one is, who is there and how it is, which the topic only is where nothing else is
_VAGUE = frozenset(
    """school work home house place town room office people person man woman guy girl boy kid kids child
    children family friend friends colleague colleagues neighbour neighbours neighbor someone everyone
    everybody somebody nobody thing things something anything everything nothing stuff way ways kind sort
    part side end start bit lot lots life world name idea fun
    really seriously honestly actually always never often usually sometimes again away back together
    hate hates love loves like likes stand enjoy want wants need needs miss misses used using switched started stopped probably maybe perhaps
    look looks looking mind story great left died stolen feet
    good great nice bad big small little new old happy sad
    schule arbeit haus leute familie freund freunde freundin escuela trabajo casa gente familia amigo amigos amiga
    école travail maison gens famille ami amis amie escola pessoas família""".split()
)
_TOOLS = frozenset(
    "pip pip3 pipx npm npx yarn pnpm apt brew conda sudo cd ls rm mkdir chmod curl wget grep sed awk stdin stdout".split()
)
_NO_TOPIC = _EMPTY | _TIME | _CALENDAR | _TOOLS
# a quotation of code, a command with what is handed to it, and words that only code has
_CODE = LazyPattern(
    r"```.*?(?:```|$)|`[^`]*`"
    r"|(?<![\w-])(?:sudo\s+)?(?:(?:pip3?|pipx|npm|npx|yarn|pnpm|apt(?:-get)?|brew|conda|cargo|go|docker|kubectl|systemctl|git|poetry|uv|python3?\s+-m)"
    r"\s+(?:install|uninstall|add|remove|run|build|update|upgrade|get|init|clone|commit|push|pull|checkout|rebase|merge|apply|start|restart|status|compose|exec|sync|pip)"
    r"|(?:cd|ls|rm|mkdir|chmod|curl|wget|ssh|scp|grep)(?=\s+[-~./\w]*[-~./]))(?:\s+(?!(?:and|but|to|in|on|for|with|because|when|so|then|after|before)\b)[\w.@:/~=+-]+)*"
    r"|\S*(?:[=<>{}\[\]\\|$;]|::|->|\(\)|__)\S*|(?<!\S)-{1,2}[a-z][\w-]*|\b\w+(?:_\w+)+\b|(?<!\S)\S*/\S+/\S*|\b[\w-]+\.(?:py|js|ts|json|ya?ml|toml|sh|txt|md|csv|html|css|c|h|cpp|rs|go)\b",
    re.S,
)


def without_code(text: str) -> str:
    """A text without the code and the commands in it."""
    return _CODE.sub(" ", text)


def topic_words(text: str) -> list[str]:
    """The words of a text that may be its topic, in order."""
    return [word for word in re.findall(r"[^\W_]+", without_code(text)) if is_topic(word)]


def telling(left: Sequence[str]) -> str:
    """The last of some words that says what a text is about, the last of all where none does."""
    return next((word for word in reversed(left) if word.casefold() not in _VAGUE), left[-1])


def is_topic(name: str) -> bool:
    """Whether a name may be a topic: some word of it is no time, no tool and not empty."""
    return any(
        content_words(word)
        and word not in _NO_TOPIC
        and not word[0].isdigit()
        and not is_function_word(word)
        for word in re.findall(r"[^\W_]+", name.lower())
    )
