"""The Spanish, French and Portuguese words for times as the English ones that the rules for dates
read. They are applied to a case-folded quote.

Only what is plain: a month, a year, a day, how long ago, since when and until when. A weekday or
a season alone, and what comes round every week, gets no date.
"""

from __future__ import annotations

import re

TimeWords = tuple[tuple[re.Pattern[str], str], ...]
_ENGLISH_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_MONTHS = {
    "es": "enero febrero marzo abril mayo junio julio agosto sep?tiembre octubre noviembre diciembre",
    "fr": "janvier f[eé]vrier mars avril mai juin juillet ao[uû]t septembre octobre novembre d[eé]cembre",
    "pt": "janeiro fevereiro mar[cç]o abril maio junho julho agosto setembro outubro novembro dezembro",
}
_UNITS = {
    "es": {r"d[ií]as?": "days", r"semanas?": "weeks", r"mes(?:es)?": "months", r"a[nñ]os?": "years"},
    "fr": {"jours?": "days", "semaines?": "weeks", "mois": "months", r"an(?:n[eé]e)?s?": "years"},
    "pt": {"dias?": "days", "semanas?": "weeks", r"m[eê]s(?:es)?": "months", "anos?": "years"},
}  # fmt: skip
_NUMBERS = {
    "es": r"una? dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta",
    "fr": r"une? deux trois quatre cinq six sept huit neuf dix onze douze quinze vingt trente",
    "pt": r"uma? d(?:oi|ua)s tr[eê]s quatro cinco seis sete oito nove dez onze doze quinze vinte trinta",
}
_ENGLISH_NUMBERS = "one two three four five six seven eight nine ten eleven twelve 15 20 30".split()
_ABOUT = {
    "es": r"(?:(?:como|unos|unas|casi|m[aá]s\s+de|ya|apenas)\s+)*",
    "fr": r"(?:(?:environ|presque|plus\s+de|bient[oô]t|d[eé]j[aà])\s+)*",
    "pt": r"(?:(?:uns|umas|quase|mais\s+de|j[aá]|cerca\s+de)\s+)*",
}
_MONTH = "|".join(_ENGLISH_MONTHS)
_POINT = rf"(?=\d{{1,2}}\s+(?:{_MONTH})|(?:{_MONTH})\b|(?:19|20)\d\d\b)"
# since when, until when, and what is said of a stretch of time
_PHRASES = {
    "es": (
        (r"\bdesde\s+hace\s+{about}(\w+)\s+{unit}\b", r"since \1 {english} ago"),
        (r"\bhace\s+{about}(\w+)\s+{unit}\s+que\b(?=.*\b(?:vivo|trabajo|estoy|soy|tengo|estudio|llevo)\b)", r"since \1 {english} ago"),
        (r"\bhace\s+{about}(\w+)\s+{unit}\b", r"\1 {english} ago"),
        (r"\bllevo\s+{about}(\w+)\s+{unit}\b", r"since \1 {english} ago"),
    ),
    "fr": (
        (r"\bdepuis\s+{about}(\w+)\s+{unit}\b", r"since \1 {english} ago"),
        (r"\bil\s+y\s+a\s+{about}(\w+)\s+{unit}\b", r"\1 {english} ago"),
        (r"\b(?:ça|cela)\s+fait\s+{about}(\w+)\s+{unit}\s+que\b", r"since \1 {english} ago"),
    ),
    "pt": (
        (r"\bdesde\s+h[aá]\s+{about}(\w+)\s+{unit}\b", r"since \1 {english} ago"),
        (r"\b(?:h[aá]|faz)\s+{about}(\w+)\s+{unit}\s+que\b(?=.*\b(?:moro|vivo|trabalho|estou|sou|tenho|estudo)\b)", r"since \1 {english} ago"),
        (r"\b(?:moro|vivo|trabalho|estou|sou|estudo)\b(.*?)\b(?:h[aá]|faz)\s+{about}(\w+)\s+{unit}\b(?!\s+atr[aá]s)", r"\1 since \2 {english} ago"),
        (r"\b(?:h[aá]|faz)\s+{about}(\w+)\s+{unit}\b(?:\s+atr[aá]s)?", r"\1 {english} ago"),
        (r"\b(\w+)\s+{unit}\s+atr[aá]s\b", r"\1 {english} ago"),
    ),
}  # fmt: skip
_SINCE = {
    "es": rf"\b(?:desde|a\s+partir)\s+(?:el\s+|de\s+|del\s+)?{_POINT}",
    "fr": rf"\b(?:depuis|d[eè]s|[aà]\s+partir\s+d[eu])\s+(?:le\s+|l')?{_POINT}",
    "pt": rf"\b(?:desde|a\s+partir)\s+(?:o\s+|de\s+|do\s+)?{_POINT}",
}
_UNTIL = {
    "es": rf"\bhasta\s+(?:el\s+)?{_POINT}",
    "fr": rf"\bjusqu'(?:en|au|à)\s+(?:le\s+)?{_POINT}",
    "pt": rf"\baté\s+(?:o\s+|ao\s+|a\s+)?{_POINT}",
}
_IN = {"es": "en", "fr": "en|au", "pt": "em"}
_FROM_TO = {
    "es": (rf"\bde(?:sde)?\s+{_POINT}(.{{3,18}}?)\s+(?:a|hasta)\s+{_POINT}", rf"\bentre\s+{_POINT}(.{{3,18}}?)\s+y\s+{_POINT}"),
    "fr": (rf"\bde\s+{_POINT}(.{{3,18}}?)\s+[aà]\s+{_POINT}", rf"\bentre\s+{_POINT}(.{{3,18}}?)\s+et\s+{_POINT}"),
    "pt": (rf"\bde\s+{_POINT}(.{{3,18}}?)\s+(?:a|até)\s+{_POINT}", rf"\bentre\s+{_POINT}(.{{3,18}}?)\s+e\s+{_POINT}"),
}  # fmt: skip
_NEAR = {
    "es": (
        (r"\b(?:el\s+)?año\s+pasado\b", "last year"), (r"\b(?:el\s+)?mes\s+pasado\b", "last month"),
        (r"\b(?:la\s+)?semana\s+pasada\b", "last week"), (r"\b(?:el\s+)?(?:año\s+que\s+viene|pr[oó]ximo\s+año)\b", "next year"),
        (r"\b(?:el\s+)?(?:mes\s+que\s+viene|pr[oó]ximo\s+mes)\b", "next month"), (r"\banteayer\b", "day before yesterday"),
        (r"\b(?:la\s+)?(?:semana\s+que\s+viene|pr[oó]xima\s+semana)\b", "next week"), (r"\bayer\b", "yesterday"),
        (r"(?<!la )(?<!por la )(?<!cada )(?<!una )\bmañana\b", "tomorrow"), (r"\bya\s+no\b", "no longer"),
        (r"\b(?:viv[ií]|vivía|vivíamos|vivimos\s+(?=.*\b(?:hasta|antes))|he\s+vivido)(?!\w)", "lived"),
        (r"\b(?:trabaj[eé]|trabajaba|he\s+trabajado)(?!\w)", "worked"), (r"\b(?:mudé|mudamos|mudado|trasladé)\b", "moved"),
        (r"\bera\b|\bfui\b", "was"),
    ),
    "fr": (
        (r"\bl'(?:an|année)\s+derni(?:er|ère)\b", "last year"), (r"\ble\s+mois\s+dernier\b", "last month"),
        (r"\bla\s+semaine\s+dernière\b", "last week"), (r"\bl'(?:an|année)\s+prochaine?\b", "next year"),
        (r"\ble\s+mois\s+prochain\b", "next month"), (r"\bla\s+semaine\s+prochaine\b", "next week"),
        (r"\bavant-hier\b", "day before yesterday"), (r"\bhier\b", "yesterday"), (r"\baprès-demain\b", "in two days"),
        (r"\bdemain\b", "tomorrow"), (r"\b(?:ai|avons)\s+(?:vécu|habité)\b|\b(?:habitais|vivais|habitions)\b", "lived"),
        (r"\b(?:ai|avons)\s+(?:travaillé|bossé)\b|\btravaillais\b", "worked"), (r"\b(?:déménagée?s?|installée?s?|emménagé)\b", "moved"),
        (r"\bétais\b|\bai\s+été\b", "was"),
    ),
    "pt": (
        (r"\b(?:[on]o?\s+)?ano\s+passado\b", "last year"), (r"\b(?:[on]o?\s+)?mês\s+passado\b", "last month"),
        (r"\b(?:n?a\s+)?semana\s+passada\b", "last week"), (r"\b(?:[on]o?\s+)?(?:ano\s+que\s+vem|próximo\s+ano)\b", "next year"),
        (r"\b(?:[on]o?\s+)?(?:mês\s+que\s+vem|próximo\s+mês)\b", "next month"), (r"\banteontem\b", "day before yesterday"),
        (r"\b(?:n?a\s+)?(?:semana\s+que\s+vem|próxima\s+semana)\b", "next week"), (r"\bontem\b", "yesterday"),
        (r"\bamanhã\b", "tomorrow"), (r"\b(?:morei|morava|vivi|vivia|morávamos)\b", "lived"),
        (r"\b(?:trabalhei|trabalhava)\b", "worked"), (r"\b(?:mudei|mudámo|mudámos|mudamos|mudou)\b", "moved"),
        (r"\bera\b|\bfui\b", "was"),
    ),
}  # fmt: skip


def time_words(code: str) -> TimeWords:
    """The replacements for one of the languages, in the order in which they are made."""
    rules: list[tuple[str, str]] = []
    months = zip(_MONTHS[code].split(), _ENGLISH_MONTHS, strict=True)
    rules += [(rf"(?<!\w){word}(?!\w)", english) for word, english in months]
    # "3 de mayo de 1990" is "3 may 1990", "le 1er mai" is "le 1 may"
    rules += [
        (rf"\b(\d{{1,2}})(?:er|º)?\s+(?:de\s+)?(?=(?:{_MONTH})\b)", r"\1 "),
        (rf"\b({_MONTH})\s+(?:del?\s+)?(?=(?:19|20)\d\d\b)", r"\1 "),
    ]
    for unit, english in _UNITS[code].items():
        numbers = zip(_NUMBERS[code].split(), _ENGLISH_NUMBERS, strict=True)
        rules += [(rf"(?<!\w){word}(?=\s+{unit}\b)", number) for word, number in numbers]
        rules += [
            (
                pattern.replace("{about}", _ABOUT[code]).replace("{unit}", unit),
                made.replace("{english}", english),
            )
            for pattern, made in _PHRASES[code]
        ]
    rules += list(_NEAR[code])
    from_to, between = _FROM_TO[code]
    rules += [
        (from_to, r"from \1 to "),
        (between, r"between \1 and "),
        (_SINCE[code], "since "),
        (_UNTIL[code], "until "),
        (rf"\b(?:{_IN[code]})\s+{_POINT}", "in "),
    ]
    return tuple((re.compile(pattern), word) for pattern, word in rules)
