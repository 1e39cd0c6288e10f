"""Requests in a message to the memory itself: to forget something.

Only a message that is as a whole one plain request in the imperative with an object counts. An
overlooked request is answered like any other message, while a wrong match would lose data.
"""

from __future__ import annotations

import re

from thalamus.text.lazy_regex import lazy_regex

LONGEST = 200  # characters of a request
_POLITE = r"(?:please|bitte|por favor|s['’]il (?:te|vous) pla[iî]t)"
_THANKS = rf"(?:{_POLITE}|thanks|thank you|danke|gracias|merci|obrigad[oa])"

# In each language: what was said about X; all about X; that X is so; my X. {p} is an optional
# "please", and {few} up to three more words.
_FORMS = (
    # English
    r"(?:forget|delete|erase|remove){p}"
    r" (?:all|everything|anything|whatever|what|the things?|the stuff)(?: of| that)?"
    r" (?:i|i've|i have|we|we've|we have)(?: ever| just| once)?"
    r" (?:said|told you|told|mentioned|wrote|shared)(?: to you)? (?:about|of|on) (.+)",
    r"(?:forget|delete|erase|remove){p} (?:all|everything|anything)"
    r"(?:(?: that)? you (?:know|remember|have|stored|saved))? about (.+)",
    r"forget{p} that ((?:i|i'm|i've|i'd|we|we're|my|our|he|she|his|her|they|their) .+)",
    r"forget{p} ((?:my|our) (?!last\b|previous\b|question|message|request|words?\b|point\b|comment"
    r"|remark|idea|suggestion|order\b|instruction|mistake|bad\b|manners|trouble|worr)[^ ]+{few})",
    # German
    r"(?:vergiss|vergesst|vergessen sie|lösche?|löschen sie){p}(?: alles| das)?,? was (?:ich|wir)"
    r"(?: dir| ihnen| euch)?(?: je| jemals)? (?:über|von|zu|zum|zur) (.+?)"
    r" (?:gesagt|erzählt|geschrieben|erwähnt|berichtet)(?: habe| haben)?",
    r"(?:vergiss|vergesst|vergessen sie|lösche?|löschen sie){p} alles"
    r"(?:,? was du)? (?:über|von|zu) (.+?)(?: weißt)?",
    r"(?:vergiss|vergesst|vergessen sie){p},? dass"
    r" ((?:ich|wir|mein\w*|unser\w*|er|sie|ihr\w*|sein\w*) .+)",
    r"(?:vergiss|vergesst|vergessen sie){p} ((?:mein\w*|unser\w*)"
    r" (?!letzte|frage|nachricht|bitte|worte|kommentar|vorschlag|idee)[^ ]+{few})",
    # Spanish
    r"(?:olvida|olvide|olvídate|olvídese|borra|borre|elimina|elimine){p}(?: de)?(?: todo)? lo que"
    r"(?: yo)?(?: te| le| os)?(?: he)?"
    r" (?:dije|dicho|conté|contado|mencioné|mencionado|escribí|escrito)"
    r" (?:sobre|acerca de|de) (.+)",
    r"(?:olvida|olvide|borra|borre|elimina|elimine){p} todo(?: lo que sabes)?"
    r" (?:sobre|acerca de) (.+)",
    r"(?:olvida|olvide){p} que ((?!te |lo |me has )[^ ]+ .+)",
    r"(?:olvida|olvide){p} ((?:mis?|nuestr[oa]s?)"
    r" (?!últim|pregunta|mensaje|petición|comentario|idea)[^ ]+{few})",
    # French
    r"(?:oublie|oubliez|efface|effacez|supprime|supprimez){p}(?: tout)? ce que"
    r" (?:je t['’]ai|je vous ai|j['’]ai) (?:dit|raconté|écrit|mentionné)"
    r" (?:sur|à propos de|à propos du|au sujet de|au sujet du|de|du) (.+)",
    r"(?:oublie|oubliez|efface|effacez){p} tout(?: ce que tu sais)? (?:sur|à propos de) (.+)",
    r"(?:oublie|oubliez){p} (?:que |qu['’])"
    r"((?:je |j['’]|nous |mon |ma |mes |notre |nos |il |elle |son |sa |ses |on ).+)",
    r"(?:oublie|oubliez){p} ((?:mon|ma|mes|notre|nos)"
    r" (?!derni|question|message|demande|commentaire|idée)[^ ]+{few})",
    # Portuguese
    r"(?:esqueça|esquece|apaga|apague){p}(?: tudo)? o que(?: eu)?(?: te| lhe)?"
    r" (?:disse|contei|falei|mencionei|escrevi)(?: a você)?"
    r" (?:sobre|acerca de|acerca do|acerca da|de|do|da) (.+)",
    r"(?:esqueça|esquece|apaga|apague){p} tudo(?: o que (?:você sabe|sabes))? sobre (.+)",
    r"(?:esqueça|esquece){p} que ((?!te |lhe |me )[^ ]+ .+)",
    r"(?:esqueça|esquece){p} ((?:[ao]s? )?(?:meus?|minhas?|noss[oa]s?)"
    r" (?!últim|pergunta|mensagem|pedido|comentário|ideia)[^ ]+{few})",
)
_PLEASE, _FEW = rf"(?:,? {_POLITE},?)?", "(?: [^ ]+){0,3}"
# a beginning of the verb of each form
_VERBS = (
    *("forget", "delete", "erase", "remove", "vergiss", "vergess", "lösch", "olvid", "olvíd"),
    *("borra", "borre", "elimin", "oubli", "efface", "supprim", "esque", "apag"),
)
_REQUESTS = [
    lazy_regex(
        rf"(?:{_POLITE},? )*{form.replace('{p}', _PLEASE).replace('{few}', _FEW)}", re.IGNORECASE
    )
    for form in _FORMS
]
_END = lazy_regex(rf"(?:[,.!]* {_THANKS})*[ .!]*$", re.IGNORECASE)
# the message is more than the request
_MORE = lazy_regex(
    r"[?;:]|[.!] |, ?(?:but|and|then|or|just|instead|aber|und|dann|sondern|pero|y|sino|mais|et|mas"
    r"|e|porque|because|weil|denn|car)\b",
    re.IGNORECASE,
)
# pronouns that name nothing to forget
_NOTHING = lazy_regex(
    r"it|that|this|them|everything|anything|das|es|dies|alles|eso|esto|ello|todo|[çc]a|cela|tout"
    r"|isso|isto|tudo",
    re.IGNORECASE,
)


def to_forget(message: str) -> str | None:
    """The subject that a message asks to forget, in its own words ("my brother", "I live in
    Porto"); None if it is not such a request."""
    text = message.strip()
    if len(text) > LONGEST or "\n" in text:
        return None
    folded = text.casefold()
    if not any(verb in folded for verb in _VERBS):
        return None
    text = _END.sub("", " ".join(text.split()))
    if _MORE.search(text):
        return None
    for request in _REQUESTS:
        found = request.fullmatch(text)
        if found is not None:
            what = found.group(1).strip(" ,.!\"“”'’")
            return None if not what or "," in what or _NOTHING.fullmatch(what) else what
    return None
