"""How German tells the assistant who it is and how it should speak."""

from __future__ import annotations

from thalamus.policy.language.patterns import LazyPattern, on_one_line
from thalamus.policy.language.persona import NAME, PersonaForms

_MORE = r"(?:etwas\s+|ein\s+bisschen\s+|ein\s+wenig\s+|sehr\s+|ganz\s+|so\s+|mehr\s+|zu\s+|nicht\s+so\s+)*"
_YOURS = r"(?:deine|ihre)\s+(?:antworten|nachrichten|erklärungen)"
_USE = r"(?:verwende|benutze?|nutze?|schreibe?|setze?|schicke?)"
_WRITING = r"(?:\s+(?:in\s+(?:deinen|den)\s+(?:antworten|nachrichten)|mehr|wenn\s+du\s+(?:mir\s+)?(?:schreibst|antwortest)))?"
_ROLE = (
    r"(?!(?:lieblings|traum)\w+)[A-ZÄÖÜ]?[\w-]*(?:assistent(?:in)?|helfer(?:in)?|lehrer(?:in)?|coach|trainer(?:in)?|berater(?:in)?|sekretär(?:in)?|"
    r"mentor(?:in)?|begleiter(?:in)?|übersetzer(?:in)?|lektor(?:in)?|butler|tutor(?:in)?)"
)


def _trait(words: str) -> LazyPattern:
    return on_one_line(rf"(?:sei|seien\s+sie)\s+{_MORE}(?:{words})|{_MORE}(?:{words})\s+sein")


PERSONA = PersonaForms(
    expand=(
        (on_one_line(r"\b(?:smileys?|emoticons?|emojis?)\b"), "emojis"),
        (on_one_line(r"\b(?:nie(?:mals)?)\s+emojis\b"), "immer keine emojis"),
    ),
    aside=on_one_line(
        r"^(?:hallo|hi|hey|ok(?:ay)?|also|und|aber|ja(?=,)|nein(?=,)|gut|dann|nun|so)\b(?!-),?(?:\s+(?-i:[A-ZÄÖÜ])\w+,)?|\bbitte\b|,?\s*\bdanke$"
        r"|\b(?:doch|mal|einfach|übrigens|lieber)\b|,?\s*\bwenn\s+es\s+(?:dir|ihnen)\s+nichts\s+ausmacht$|,?\s*\bja$"
    ),
    lasting=on_one_line(
        r"\bimmer\b|\bstets\b|\bgrundsätzlich\b|\b(?:ab|von)\s+(?:jetzt|sofort|nun|heute)(?:\s+an)?\b|\bin\s+zukunft\b|\bkünftig\b|\bzukünftig\b|\bvon\s+nun\s+an\b"
        r"|\bfür\s+immer\b|\bgenerell\b|\b(?:zu|mit|gegenüber)\s+mir\b|,?\s*\bwenn\s+du\s+(?:mit\s+)?mir\s+(?:schreibst|antwortest|sprichst|redest)$|,?\s*\bwenn\s+du\s+mit\s+mir\s+(?:sprichst|redest)$"
    ),
    names=on_one_line(
        rf"(?:du\s+heißt|du\s+heisst|heißt\s+du|dein\s+(?:neuer\s+)?name\s+(?:ist|lautet|sei)|ist\s+dein\s+name|ich\s+(?:nenne|nenn|taufe)\s+dich|ich\s+(?:werde|will|möchte|würde)\s+dich|nenne?\s+dich|nenne\s+ich\s+dich|du\s+sollst|sie\s+heißen)"
        rf"(?:\s+(?:jetzt|nun|fortan|gern))?\s+{NAME}(?:\s+(?:nennen|heißen|taufen))?(?:\s+jetzt)?"
    ),
    may_name=on_one_line(rf"(?:du\s+bist|bist\s+du|sie\s+sind)(?:\s+(?:jetzt|nun))?\s+{NAME}"),
    unnames=on_one_line(
        rf"(?:du\s+heißt|dein\s+name\s+ist|du\s+bist|ich\s+nenne\s+dich)\s+(?:nicht\s+(?:mehr|länger)|nicht)\s+{NAME}"
    ),
    role=on_one_line(
        rf"(?:du\s+(?:bist|wirst)|bist\s+du)(?:\s+(?:jetzt|nun))?\s+(?:mein|meine)\s+(?P<role>(?:(?!(?:gute|beste|liebe|schlechte|tolle|neue|einzige)[rsn]?\b)[\w-]+\s+){{0,2}}?{_ROLE})"
    ),
    asks=on_one_line(
        r"^(?:du\s+(?:sollst|solltest|kannst|darfst|musst|könntest)\s+|(?:kannst|könntest|würdest|magst)\s+du\s+|ich\s+(?:möchte|will|hätte\s+gerne?|wünsche\s+mir),?\s+dass\s+du\s+)"
    ),
    ends=on_one_line(r"(?:du\s+(?:musst|brauchst|sollst)\s+(?:nicht\s+(?:mehr|länger)|nicht)\s+)"),
    does=(
        ("be formal with the user", True, on_one_line(r"(?:siez(?:e|t|en\s+sie)?\s+mich|mich\s+(?:zu\s+)?siezen|sprich\s+mich\s+mit\s+(?-i:Sie)\s+an|mich\s+mit\s+(?-i:Sie)\s+an(?:zu)?(?:sprechen|reden)|sag(?:e|en)?\s+(?-i:Sie)|(?-i:Sie)\s+sagen)")),
        ("be formal with the user", False, _trait("förmlich(?:er)?|formell(?:er)?|formal(?:er)?")),
        ("be informal with the user", True, on_one_line(r"(?:duze?\s+mich|mich\s+(?:ruhig\s+)?(?:zu\s+)?duzen|(?:wir\s+können|lass\s+uns|wollen\s+wir)\s+(?:uns\s+)?duzen|sprich\s+mich\s+mit\s+du\s+an|mich\s+mit\s+du\s+an(?:sprechen|reden)|sage?\s+du|du\s+sagen)")),
        ("be informal with the user", False, _trait("locker(?:er)?|informell(?:er)?|lässig(?:er)?|weniger\\s+(?:förmlich|formell)|ungezwungen")),
        ("be informal with the user", False, on_one_line(r"sei\s+nicht\s+so\s+(?:förmlich|formell|steif)|nicht\s+so\s+(?:förmlich|formell|steif)\s+sein")),
        ("keep its answers short", True, on_one_line(rf"(?:halte?|formuliere?|schreibe?)\s+{_YOURS}\s+{_MORE}(?:kurz|kürzer|knapp|knapper)(?:\s+und\s+\w+)?|{_YOURS}\s+(?:sollen|sollten|müssen|können)\s+{_MORE}(?:kurz|kürzer|knapp|knapper)\s+sein|{_YOURS}\s+(?:kurz|knapp|kürzer)\s+(?:zu\s+)?halten|{_YOURS}\s+sind\s+(?:viel\s+)?zu\s+lang|gib\s+(?:mir\s+)?(?:nur\s+)?(?:kurze|knappe|kürzere)\s+antworten|ich\s+(?:will|möchte|hätte\s+gerne?)\s+(?:kurze|knappe|kürzere)\s+antworten")),
        ("keep its answers short", False, on_one_line(rf"fasse?\s+dich\s+{_MORE}(?:kurz|kürzer)|dich\s+{_MORE}(?:kurz|kürzer)\s+(?:zu\s+)?fassen|antworte\s+(?:mir\s+)?(?:nur\s+)?{_MORE}(?:kurz|knapp|in\s+einem\s+satz)|(?:kurz|knapp)\s+(?:zu\s+)?antworten")),
        ("answer in detail", True, on_one_line(r"gib\s+(?:mir\s+)?(?:ausführliche|ausführlichere|lange|längere|detaillierte)\s+antworten|ich\s+(?:will|möchte|hätte\s+gerne?)\s+(?:ausführliche|lange|detaillierte)\s+antworten")),
        ("answer in detail", False, on_one_line(rf"(?:antworte|erkläre?\s+(?:mir\s+)?alles)\s+(?:mir\s+)?{_MORE}(?:ausführlich|ausführlicher|genau|im\s+detail|detailliert)|{_MORE}ausführlich(?:er)?\s+(?:zu\s+)?(?:antworten|sein)|sei\s+{_MORE}ausführlich(?:er)?")),
        ("not use emojis", True, on_one_line(rf"{_USE}\s+(?:mir\s+)?(?:immer\s+)?keine\s+emojis{_WRITING}|keine\s+emojis(?:\s+(?:mehr|in\s+\w+\s+antworten))?(?:\s+(?:verwenden|benutzen|schreiben|nutzen))?{_WRITING}|lass(?:e)?\s+die\s+emojis\s+weg|ich\s+(?:mag|will)\s+keine\s+emojis{_WRITING}|hör\s+auf\s+mit\s+den\s+emojis")),
        ("use emojis", True, on_one_line(rf"{_USE}\s+(?:wieder\s+|ruhig\s+|gerne?\s+|mehr\s+)*emojis|(?:wieder\s+|ruhig\s+|gerne?\s+|mehr\s+)*emojis\s+(?:verwenden|benutzen|nutzen)")),
        ("use simple words", True, on_one_line(rf"{_USE}\s+(?:nur\s+)?(?:einfache|leichte|einfachere)\s+(?:wörter|worte|sprache)|erkläre?\s+(?:mir\s+)?alles\s+(?:ganz\s+)?(?:einfach|in\s+einfachen\s+worten)|sprich\s+in\s+(?:einfachen\s+worten|einfacher\s+sprache)")),
        ("use technical terms", True, on_one_line(rf"{_USE}\s+(?:die\s+)?(?:richtigen\s+)?fachbegriffe")),
        ("not use lists", True, on_one_line(rf"{_USE}\s+keine\s+(?:listen|aufzählungen|stichpunkte|tabellen)|keine\s+(?:listen|aufzählungen|stichpunkte)(?:\s+(?:verwenden|mehr))?")),
        ("use lists", True, on_one_line(rf"{_USE}\s+(?:listen|aufzählungen|stichpunkte)")),
        ("not ask questions back", True, on_one_line(r"stelle?\s+(?:mir\s+)?keine\s+(?:rückfragen|gegenfragen|fragen)(?:\s+am\s+ende)?(?:\s+mehr)?")),
        ("not make jokes", True, on_one_line(r"(?:mache?|erzähle?)\s+(?:mir\s+)?keine\s+witze(?:\s+mehr)?")),
        ("make jokes", False, on_one_line(r"(?:mache?|erzähle?)\s+(?:mir\s+)?(?:mehr|ruhig)\s+witze")),
        ("be friendly", False, _trait("freundlich(?:er)?|nett(?:er)?|herzlich(?:er)?|lieb(?:er)?")),
        ("be neutral", False, _trait("sachlich(?:er)?|neutral(?:er)?")),
        ("be polite", False, _trait("höflich(?:er)?")),
        ("be direct", False, _trait("direkt(?:er)?")),
        ("be gentle", False, _trait("behutsam(?:er)?|taktvoll(?:er)?|einfühlsam(?:er)?")),
        ("be honest", False, _trait("ehrlich(?:er)?")),
        ("be patient", False, _trait("geduldig(?:er)?")),
        ("be funny", False, _trait("witzig(?:er)?|lustig(?:er)?|humorvoll(?:er)?")),
        ("be serious", False, _trait("ernst(?:er)?|ernsthaft(?:er)?")),
        ("not be sarcastic", True, on_one_line(r"sei\s+nicht\s+(?:so\s+)?(?:sarkastisch|ironisch)")),
    ),
    answers_in=on_one_line(
        r"(?:antworte|antworten\s+sie|sprich|rede|schreibe?|sprechen\s+sie)(?:\s+mir)?(?:\s+(?:nur|wieder))?(?:\s+(?:auf|in))?\s+(?P<language>[a-zäöü]+)"
        r"|(?:mir\s+)?(?:nur\s+)?(?:auf\s+)(?P<other>[a-zäöü]+)\s+(?:zu\s+)?(?:antworten|sprechen|schreiben|reden)"
    ),
    asks_who=on_one_line(
        r"(?:und\s+)?wie\s+(?:heißt|heisst)\s+du(?:\s+(?:denn|eigentlich|nochmal|noch))*|wer\s+bist\s+du(?:\s+(?:denn|eigentlich))*|was\s+bist\s+du(?:\s+(?:denn|eigentlich))*|wie\s+(?:ist|lautet)\s+dein\s+name|wie\s+(?:soll|kann|darf)\s+ich\s+dich\s+nennen|hast\s+du\s+einen\s+namen|stell\s+dich\s+vor"
        r"|(?:heißt|bist)\s+du\s+(?-i:[A-ZÄÖÜ])\w+"
    ),
    languages=dict(
        zip(
            """deutsch englisch französisch spanisch portugiesisch italienisch niederländisch
            holländisch dänisch schwedisch norwegisch finnisch polnisch tschechisch ungarisch
            rumänisch griechisch türkisch russisch ukrainisch arabisch chinesisch japanisch
            koreanisch latein kroatisch serbisch""".split(),
            """German English French Spanish Portuguese Italian Dutch Dutch Danish Swedish Norwegian
            Finnish Polish Czech Hungarian Romanian Greek Turkish Russian Ukrainian Arabic Chinese
            Japanese Korean Latin Croatian Serbian""".split(),
            strict=True,
        )
    ),
    role_as="the user's “{}”",
)  # fmt: skip
