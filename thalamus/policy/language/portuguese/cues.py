"""The Portuguese words by which a message says that it corrects the one before."""

from __future__ import annotations

from thalamus.policy.language.cues import Cues, ReplacementCues

CUES = Cues(
    opens=(
        r"não(?!\s+(?:me|te|tenho|quero|posso|sei|gosto)\b)|espera|desculpa|desculpe|correção|"
        r"aliás|quis\s+dizer|queria\s+dizer|quer\s+dizer|enganei-me|me\s+enganei|ops|opa|errado|"
        r"digo|esquece(?:\s+isso)?|errei|foi\s+mal|perdão|melhor\s+dizendo"
    ),
    closes=(
        r"desculpa|desculpe|melhor\s+dizendo|quer\s+dizer|para\s+ser\s+exat[oa]|me\s+confundi|"
        r"confundi-me|errei|me\s+enganei|enganei-me|quis\s+dizer|queria\s+dizer|foi\s+mal|perdão"
    ),
    rather=r"na\s+verdade|agora|já|afinal|só|na\s+realidade|melhor",
    surely=r"na\s+verdade|afinal|na\s+realidade",
    since="agora|já",
    is_=(
        r"fiz|fez|é|(?-i:são)|era|está|tem|tenho|faz|se\s+chama|chama-se|se\s+escreve|escreve-se|"
        r"sou|somos|ele\s+(?:é|tem)|ela\s+(?:é|tem)"
    ),
    not_=r"(?:e\s+)?não(?:\s+(?:é|são|era|está))?|em\s+vez\s+de",
    but=r"mas(?:\s+sim)?|é|sim",
    after_all=(
        r"já\s+não|não\b.*\bmais|afinal|no\s+fim|no\s+final|esquece|acabou\s+que|"
        r"mudança\s+de\s+planos"
    ),
    cancelled=(
        r"^(?:cancelad[oa]s?|desmarcad[oa]s?)\b|(?:decidimos|decidi)\s+não\b|"
        r"(?:mudei|mudámos|mudamos)\s+de\s+(?:ideia|planos)|foi\s+(?:desmarcad\w|adiad\w)|"
        r"foi\s+cancelad\w|cancelámos|cancelamos|cancelaram|está\s+cancelad\w|não\s+vai\s+dar"
    ),
    stays=r"ficamos|fico|v(?:ou|amos)\s+ficar",
)
REPLACEMENT_CUES = ReplacementCues(
    opens=(
        r"(?:não|espera|desculpa|desculpe|correção|aliás|quis\s+dizer|queria\s+dizer|enganei-me|"
        r"me\s+enganei)"
    ),
    is_=r"(?:é|são|quis\s+dizer|queria\s+dizer|na|no|às)",
    not_=r"(?:e\s+)?não",
    but=r"mas(?:\s+sim)?",
)
