"""The French words for times."""

from __future__ import annotations

from thalamus.policy.language.romance.times import POINT, Times, time_words

TIME_WORDS = time_words(
    Times(
        months="janvier f[eé]vrier mars avril mai juin juillet ao[uû]t septembre octobre novembre d[eé]cembre".split(),
        units={"jours?": "days", "semaines?": "weeks", "mois": "months", r"an(?:n[eé]e)?s?": "years"},
        numbers=r"une? deux trois quatre cinq six sept huit neuf dix onze douze quinze vingt trente".split(),
        about=r"(?:(?:environ|presque|plus\s+de|bient[oô]t|d[eé]j[aà])\s+)*",
        phrases=(
            (r"\bdepuis\s+{about}(\w+)\s+{unit}\b", r"since \1 {english} ago"),
            (r"\bil\s+y\s+a\s+{about}(\w+)\s+{unit}\b", r"\1 {english} ago"),
            (r"\b(?:ça|cela)\s+fait\s+{about}(\w+)\s+{unit}\s+que\b", r"since \1 {english} ago"),
        ),
        near=(
            (r"\bl'(?:an|année)\s+derni(?:er|ère)\b", "last year"), (r"\ble\s+mois\s+dernier\b", "last month"),
            (r"\bla\s+semaine\s+dernière\b", "last week"), (r"\bl'(?:an|année)\s+prochaine?\b", "next year"),
            (r"\ble\s+mois\s+prochain\b", "next month"), (r"\bla\s+semaine\s+prochaine\b", "next week"),
            (r"\bavant-hier\b", "day before yesterday"), (r"\bhier\b", "yesterday"), (r"\baprès-demain\b", "in two days"),
            (r"\bdemain\b", "tomorrow"), (r"\b(?:ai|avons)\s+(?:vécu|habité)\b|\b(?:habitais|vivais|habitions)\b", "lived"),
            (r"\b(?:ai|avons)\s+(?:travaillé|bossé)\b|\btravaillais\b", "worked"), (r"\b(?:déménagée?s?|installée?s?|emménagé)\b", "moved"),
            (r"\bétais\b|\bai\s+été\b", "was"),
        ),
        from_to=(rf"\bde\s+{POINT}(.{{3,18}}?)\s+[aà]\s+{POINT}", rf"\bentre\s+{POINT}(.{{3,18}}?)\s+et\s+{POINT}"),
        since=rf"\b(?:depuis|d[eè]s|[aà]\s+partir\s+d[eu])\s+(?:le\s+|l')?{POINT}",
        until=rf"\bjusqu'(?:en|au|à)\s+(?:le\s+)?{POINT}",
        in_="en|au",
    )
)  # fmt: skip
