"""What somebody does as a noun or an infinitive: "Schwimmen" for "schwimme", "nadar" for "nado"."""

from __future__ import annotations

_DE = {
    "jogge": "Joggen", "schwimme": "Schwimmen", "wandere": "Wandern", "klettere": "Klettern",
    "meditiere": "Meditieren", "boxe": "Boxen", "tanze": "Tanzen", "rudere": "Rudern",
    "stricke": "Stricken", "häkle": "Häkeln", "töpfere": "Töpfern", "turne": "Turnen",
    "laufe": "Laufen", "reite": "Reiten", "angle": "Angeln", "singe": "Singen", "imkere": "Imkern",
    "segle": "Segeln", "paddle": "Paddeln", "male": "Malen", "nähe": "Nähen", "faste": "Fasten",
    "rauche": "Rauchen", "trinke": "Trinken", "kiffe": "Kiffen",
}  # fmt: skip
_FR = {
    "cours": "courir", "nage": "nager", "grimpe": "grimper", "rame": "ramer", "médite": "méditer",
    "randonne": "randonner", "tricote": "tricoter", "brode": "broder", "couds": "coudre",
    "jardine": "jardiner", "surfe": "surfer", "pêche": "pêcher", "chasse": "chasser",
    "jongle": "jongler", "fume": "fumer", "bois": "boire",
}  # fmt: skip
_ES = {
    "corro": "correr", "nado": "nadar", "escalo": "escalar", "remo": "remar", "patino": "patinar",
    "surfeo": "surfear", "medito": "meditar", "tejo": "tejer", "fumo": "fumar", "bebo": "beber",
}  # fmt: skip
_PT = {
    "corro": "correr", "nado": "nadar", "escalo": "escalar", "remo": "remar", "patino": "patinar",
    "surfo": "surfar", "medito": "meditar", "pedalo": "pedalar", "treino": "treinar",
    "malho": "malhar", "danço": "dançar", "caminho": "caminhar", "fumo": "fumar", "bebo": "beber",
}  # fmt: skip
_NOUNS = {"de": _DE, "fr": _FR, "es": _ES, "pt": _PT}


def activity_noun(phrase: str, code: str) -> str:
    """The phrase with a noun or infinitive for the verb that it begins with; unchanged where it
    begins with no verb that is known."""
    first, _, rest = phrase.partition(" ")
    noun = _NOUNS[code].get(first.casefold())
    return f"{noun} {rest}".strip() if noun is not None else phrase
