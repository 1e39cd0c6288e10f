"""How Portuguese tells the assistant who it is and how it should speak, in its plain forms."""

from __future__ import annotations

from thalamus.policy.language.patterns import LazyPattern, on_one_line
from thalamus.policy.language.persona import NAME, PersonaForms

_MORE = r"(?:um\s+pouco\s+)?(?:mais\s+|muito\s+|sempre\s+)?"
_YOURS = r"(?:as\s+)?(?:tuas|suas)\s+(?:respostas|mensagens)"


def _trait(words: str) -> LazyPattern:
    return on_one_line(rf"(?:seja|sê|ser|sejas)\s+{_MORE}(?:{words})")


PERSONA = PersonaForms(
    expand=((on_one_line(r"\bemoticons?\b|\bemojis?\b"), "emojis"),),
    aside=on_one_line(
        r"^(?:olá|oi|ok|bom|e|mas|então|sim(?=,)|não(?=,))\b,?(?:\s+(?-i:[A-Z])\w+,)?|,?\s*\b(?:por\s+favor|se\s+faz\s+favor)\b,?|,?\s*\bobrigad[oa]$"
    ),
    lasting=on_one_line(
        r"\bsempre\b|\b(?:a\s+partir\s+de|desde)\s+(?:agora|hoje)\b|\bde\s+agora\s+em\s+diante\b|\bno\s+futuro\b|\bcomigo\b|\bnunca\b|,?\s*\bquando\s+me\s+(?:respondes|escreves|falas)$"
    ),
    names=on_one_line(
        rf"(?:(?:você\s+se\s+chama|tu\s+te\s+chamas|chamas-te|te\s+chamas|você\s+vai\s+se\s+chamar)|(?:o\s+)?(?:teu|seu)\s+(?:novo\s+)?nome\s+(?:é|será)|(?:eu\s+)?vou\s+(?:te\s+chamar|chamar-te|te\s+dar\s+o\s+nome)(?:\s+de)?|quero\s+(?:te\s+chamar|chamar-te)(?:\s+de)?)(?:\s+agora)?\s+{NAME}(?:\s+agora)?"
    ),
    may_name=on_one_line(rf"(?:você\s+é|tu\s+és|és|serás|você\s+será)(?:\s+agora)?\s+(?:a\s+|o\s+)?{NAME}"),
    unnames=on_one_line(rf"(?:(?:você\s+)?já\s+não\s+(?:se\s+chama|te\s+chamas|és|é)|você\s+não\s+se\s+chama\s+mais|o\s+(?:teu|seu)\s+nome\s+não\s+é)\s+{NAME}"),
    role=on_one_line(
        r"(?:você\s+é|tu\s+és|és)(?:\s+agora)?\s+(?:o\s+meu|a\s+minha|meu|minha)\s+(?P<role>(?:assistente|ajudante|professora?|tutora?|treinadora?|secretári[oa]|conselheir[oa]|tradutora?)(?:\s+(?:de|para)\s+[\w\s]{2,30}|\s+(?!favorit)\w+)?)"
    ),
    asks=on_one_line(r"^(?:quero\s+que\s+(?:você\s+)?|(?:você\s+)?(?:deve|pode|podes|deves|tem\s+que|tem\s+de|tens\s+de)\s+)"),
    ends=on_one_line(r"(?:você\s+)?(?:já\s+)?não\s+(?:precisa|precisas|tem|tens)\s+(?:mais\s+)?(?:(?:de|que)\s+)?"),
    does=(
        ("be formal with the user", True, on_one_line(r"(?:me\s+trate|trate-me|trata-me)\s+por\s+(?:senhora?|você)")),
        ("be formal with the user", False, _trait("formal")),
        ("be informal with the user", True, on_one_line(r"(?:me\s+trate|trate-me|trata-me|tratar-me)\s+por\s+tu")),
        ("be informal with the user", False, _trait("informal|menos\\s+formal|descontraíd[oa]")),
        ("be informal with the user", False, on_one_line(r"não\s+(?:seja|sejas)\s+(?:tão\s+)?formal")),
        ("keep its answers short", True, on_one_line(rf"(?:dê|dá)(?:-me)?\s+respostas\s+{_MORE}(?:curtas|breves)|mantenha\s+{_YOURS}\s+{_MORE}(?:curtas|breves)|{_YOURS}\s+devem\s+ser\s+{_MORE}(?:curtas|breves)")),
        ("keep its answers short", False, on_one_line(r"(?:seja|sê)\s+(?:mais\s+)?(?:breve|concis[oa])|respond[ea]\s+brevemente")),
        ("answer in detail", True, on_one_line(r"(?:dê|dá)-me\s+respostas\s+(?:longas|detalhadas)")),
        ("not use emojis", True, on_one_line(r"não\s+(?:uses|use|utilize|utilizes|ponhas|ponha)\s+(?:mais\s+)?emojis|sem\s+emojis|(?:uses?|utilizes?)\s+emojis")),
        ("use emojis", True, on_one_line(r"(?:usa|usar)\s+emojis(?:\s+outra\s+vez)?")),
        ("use simple words", True, on_one_line(r"(?:usa|use)\s+palavras\s+simples")),
        ("be friendly", False, _trait("simpátic[oa]|amigável|gentil")),
        ("be direct", False, _trait("diret[oa]")),
        ("be honest", False, _trait("honest[oa]|sincer[oa]")),
        ("be polite", False, _trait("educad[oa]|cortês")),
        ("be patient", False, _trait("paciente")),
        ("be funny", False, _trait("divertid[oa]|engraçad[oa]")),
        ("be serious", False, _trait("séri[oa]")),
    ),
    answers_in=on_one_line(
        r"(?:respond[ea](?:-me|r)?|respondas|fal[ae](?:-me|r)?|fales|escrev[ea](?:-me|r)?|escrevas)(?:\s+(?:só|apenas))?\s+em\s+(?P<language>[a-zêéãçáó]+)(?P<other>)"
    ),
    asks_who=on_one_line(
        r"como\s+(?:te\s+chamas|(?:você\s+)?se\s+chama|é\s+que\s+te\s+chamas)|quem\s+(?:és(?:\s+tu)?|é\s+você)|qual\s+é\s+o\s+(?:teu|seu)\s+nome|apresenta-te|apresente-se"
    ),
    languages={
        "português": "Portuguese", "inglês": "English", "francês": "French", "alemão": "German",
        "espanhol": "Spanish", "italiano": "Italian", "russo": "Russian", "chinês": "Chinese",
        "japonês": "Japanese", "árabe": "Arabic", "holandês": "Dutch", "polaco": "Polish",
    },
    role_as="the user's “{}”",
)  # fmt: skip
