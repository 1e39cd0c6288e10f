"""The Portuguese words for times."""

from __future__ import annotations

from thalamus.policy.language.romance.times import POINT, Times, time_words

TIME_WORDS = time_words(
    Times(
        months="janeiro fevereiro mar[cç]o abril maio junho julho agosto setembro outubro novembro dezembro".split(),
        units={"dias?": "days", "semanas?": "weeks", r"m[eê]s(?:es)?": "months", "anos?": "years"},
        numbers=r"uma? d(?:oi|ua)s tr[eê]s quatro cinco seis sete oito nove dez onze doze quinze vinte trinta".split(),
        about=r"(?:(?:uns|umas|quase|mais\s+de|j[aá]|cerca\s+de)\s+)*",
        phrases=(
            (r"\bdesde\s+h[aá]\s+{about}(\w+)\s+{unit}\b", r"since \1 {english} ago"),
            (r"\b(?:h[aá]|faz)\s+{about}(\w+)\s+{unit}\s+que\b(?=.*\b(?:moro|vivo|trabalho|estou|sou|tenho|estudo)\b)", r"since \1 {english} ago"),
            (r"\b(?:moro|vivo|trabalho|estou|sou|estudo)\b(.*?)\b(?:h[aá]|faz)\s+{about}(\w+)\s+{unit}\b(?!\s+atr[aá]s)", r"\1 since \2 {english} ago"),
            (r"\b(?:h[aá]|faz)\s+{about}(\w+)\s+{unit}\b(?:\s+atr[aá]s)?", r"\1 {english} ago"),
            (r"\b(\w+)\s+{unit}\s+atr[aá]s\b", r"\1 {english} ago"),
        ),
        near=(
            (r"\b(?:[on]o?\s+)?ano\s+passado\b", "last year"), (r"\b(?:[on]o?\s+)?mês\s+passado\b", "last month"),
            (r"\b(?:n?a\s+)?semana\s+passada\b", "last week"), (r"\b(?:[on]o?\s+)?(?:ano\s+que\s+vem|próximo\s+ano)\b", "next year"),
            (r"\b(?:[on]o?\s+)?(?:mês\s+que\s+vem|próximo\s+mês)\b", "next month"), (r"\banteontem\b", "day before yesterday"),
            (r"\b(?:n?a\s+)?(?:semana\s+que\s+vem|próxima\s+semana)\b", "next week"), (r"\bontem\b", "yesterday"),
            (r"\bamanhã\b", "tomorrow"), (r"\b(?:morei|morava|vivi|vivia|morávamos)\b", "lived"),
            (r"\b(?:trabalhei|trabalhava)\b", "worked"), (r"\b(?:mudei|mudámo|mudámos|mudamos|mudou)\b", "moved"),
            (r"\bera\b|\bfui\b", "was"),
        ),
        from_to=(rf"\bde\s+{POINT}(.{{3,18}}?)\s+(?:a|até)\s+{POINT}", rf"\bentre\s+{POINT}(.{{3,18}}?)\s+e\s+{POINT}"),
        since=rf"\b(?:desde|a\s+partir)\s+(?:o\s+|de\s+|do\s+)?{POINT}",
        until=rf"\baté\s+(?:o\s+|ao\s+|a\s+)?{POINT}",
        in_="em",
    )
)  # fmt: skip
