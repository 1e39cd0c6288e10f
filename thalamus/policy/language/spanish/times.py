"""The Spanish words for times."""

from __future__ import annotations

from thalamus.policy.language.romance.times import POINT, Times, time_words

TIME_WORDS = time_words(
    Times(
        months="enero febrero marzo abril mayo junio julio agosto sep?tiembre octubre noviembre diciembre".split(),
        units={r"d[ií]as?": "days", r"semanas?": "weeks", r"mes(?:es)?": "months", r"a[nñ]os?": "years"},
        numbers=r"una? dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta".split(),
        about=r"(?:(?:como|unos|unas|casi|m[aá]s\s+de|ya|apenas)\s+)*",
        phrases=(
            (r"\bdesde\s+hace\s+{about}(\w+)\s+{unit}\b", r"since \1 {english} ago"),
            (r"\bhace\s+{about}(\w+)\s+{unit}\s+que\b(?=.*\b(?:vivo|trabajo|estoy|soy|tengo|estudio|llevo)\b)", r"since \1 {english} ago"),
            (r"\bhace\s+{about}(\w+)\s+{unit}\b", r"\1 {english} ago"),
            (r"\bllevo\s+{about}(\w+)\s+{unit}\b", r"since \1 {english} ago"),
        ),
        near=(
            (r"\b(?:el\s+)?año\s+pasado\b", "last year"), (r"\b(?:el\s+)?mes\s+pasado\b", "last month"),
            (r"\b(?:la\s+)?semana\s+pasada\b", "last week"), (r"\b(?:el\s+)?(?:año\s+que\s+viene|pr[oó]ximo\s+año)\b", "next year"),
            (r"\b(?:el\s+)?(?:mes\s+que\s+viene|pr[oó]ximo\s+mes)\b", "next month"), (r"\banteayer\b", "day before yesterday"),
            (r"\b(?:la\s+)?(?:semana\s+que\s+viene|pr[oó]xima\s+semana)\b", "next week"), (r"\bayer\b", "yesterday"),
            (r"(?<!la )(?<!por la )(?<!cada )(?<!una )\bmañana\b", "tomorrow"), (r"\bya\s+no\b", "no longer"),
            (r"\b(?:viv[ií]|vivía|vivíamos|vivimos\s+(?=.*\b(?:hasta|antes))|he\s+vivido)(?!\w)", "lived"),
            (r"\b(?:trabaj[eé]|trabajaba|he\s+trabajado)(?!\w)", "worked"), (r"\b(?:mudé|mudamos|mudado|trasladé)\b", "moved"),
            (r"\bera\b|\bfui\b", "was"),
        ),
        from_to=(rf"\bde(?:sde)?\s+{POINT}(.{{3,18}}?)\s+(?:a|hasta)\s+{POINT}", rf"\bentre\s+{POINT}(.{{3,18}}?)\s+y\s+{POINT}"),
        since=rf"\b(?:desde|a\s+partir)\s+(?:el\s+|de\s+|del\s+)?{POINT}",
        until=rf"\bhasta\s+(?:el\s+)?{POINT}",
        in_="en",
    )
)  # fmt: skip
