"""Numbers of people, as of identity cards and for taxes, recognized by their check digits: those of
python-stdnum whose form few other numbers have, and others next to their name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module

from thalamus.text.lazy_regex import lazy_regex

# forms by module of stdnum
_FORMS = {
    "be.nn": r"\d\d\.\d\d\.\d\d-\d{3}[. ]\d\d",
    "br.cpf": r"\d{3}\.\d{3}\.\d{3}-\d{2}",
    "ch.ssn": r"756\.\d{4}\.\d{4}\.\d\d",
    "cn.ric": r"\d{17}[\dX]",
    "es.dni": r"\d{8}[ -]?[A-Z]",
    "es.nie": r"[XYZ][ -]?\d{7}[ -]?[A-Z]",
    "fi.hetu": r"\d{6}[+A-F-]\d{3}[\dA-Z]",
    "fr.nir": r"[12] ?\d\d ?\d\d ?\d[\dAB] ?\d{3} ?\d{3} ?\d\d",
    "it.codicefiscale": r"[A-Z]{6}\d\d[A-Z]\d\d[A-Z]\d{3}[A-Z]",
    "kr.rrn": r"\d{6}-\d{7}",
    "mx.curp": r"[A-Z]{4}\d{6}[HM][A-Z]{5}[\dA-Z]\d",
    "no.fodselsnummer": r"\d{6} ?\d{5}",
}
_NAMES = {
    "au.tfn": r"tfn|tax file number",
    "bg.egn": r"egn|егн",
    "br.cpf": r"cpf",
    "ca.sin": r"(?-i:SIN)|social insurance number",
    "cz.rc": r"rodné číslo|rč",
    "de.idnr": r"steuer-?id|steuer-?identifikationsnummer|idnr",
    "dk.cpr": r"cpr",
    "gb.nhs": r"nhs",
    "gr.amka": r"amka|αμκα",
    "hr.oib": r"oib",
    "ie.pps": r"ppsn?",
    "in_.aadhaar": r"aadhaar",
    "nl.bsn": r"bsn|burgerservicenummer",
    "pl.pesel": r"pesel",
    "pt.nif": r"nif|número de contribuinte",
    "ro.cnp": r"cnp|cod numeric personal",
    "se.personnummer": r"personnummer",
    "tr.tckimlik": r"t\.?c\.? kimlik(?: no)?|tckn",
}
# what all of them have, found in a twentieth of the time: seven digits, or six and a letter, or the
# end of the name in an Italian one
_DIGITS = re.compile(
    r"\d(?:(?:[ ./-]?\d){6}|\d{5}[+A-Z]| ?\d\d ?\d\d ?\d[AB]|\d(?<=[A-Z]{6}\d\d)[A-Z]\d\d)",
    re.IGNORECASE,
).search
_FORM = lazy_regex(
    rf"(?<![\w.,/+-])(?:({')|('.join(_FORMS.values())}))(?![\w/]|[.,-]\d)", re.IGNORECASE
)
_NAMED = lazy_regex(
    rf"(?<!\w)(?:({')|('.join(_NAMES.values())}))\b"
    r"[^\d\n]{0,25}(?P<number>\d(?:[ ./-]?\d){6,12}[A-Z]{0,2})(?!\w)",
    re.IGNORECASE,
)


def identity_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the numbers in a text: start, end (exclusive)."""
    if not _DIGITS(text):
        return
    for names, pattern, part in ((_FORMS, _FORM, 0), (_NAMES, _NAMED, "number")):
        for found in pattern.finditer(text):
            place = next(n for n, group in enumerate(found.groups()) if group)
            module = import_module(f"stdnum.{[*names][place]}")
            if module.is_valid(found[part]):
                yield found.span(part)
