"""Removal of what a web page hides from its readers, by attributes and by styles.

Styles in attributes and in ``style`` elements are followed as far as they are plain: rules for
tags, classes, ids and attributes, and for what stands in such elements. Rules with conditions
(printers, narrow screens, a pointer above the text) hide nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

Declarations = dict[str, str]
Priority = tuple[bool, tuple[int, int, int], int]  # importance, specificity, order

FAR = 500  # pixels outside of the window, from which nothing can be seen
MOST_RULES = 20_000  # of a page that are followed
_UNSEEN_TAGS = ("template", "noscript")
_OUT = {"left", "top", "right", "bottom", "text-indent", "margin-left", "margin-top"}
_USED = _OUT | {
    *("display", "visibility", "content-visibility", "opacity", "filter", "font-size", "font"),
    *("color", "background", "background-color", "position", "overflow", "width", "height"),
    *("max-width", "max-height", "clip", "clip-path", "transform", "mso-hide", "inset"),
}
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_APPLIES = re.compile(r"@(?:layer|supports|media\s+(?:all|screen))\b[^()]*\Z", re.IGNORECASE)
_COMPOUND = re.compile(r"([*\w-]+)?((?:[.#][\w-]+|\[[\w-]+(?:[*^$~|]?=[^\]]*)?\])*)\Z")
_SIMPLE = re.compile(r"([.#])([\w-]+)|\[([\w-]+)(?:([*^$~|]?)=[\"']?([^\]\"']*)[\"']?)?\]")
_NUMBER = re.compile(r"(-?\d*\.?\d+)\s*(px|pt|em|rem|ex|ch|vw|vh|%|cm|mm|in|)", re.IGNORECASE)
_PIXELS = {
    "": 1.0,
    "px": 1.0,
    "pt": 1.33,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "ch": 8.0,
    "vw": 12.0,
    "vh": 8.0,
    "%": 10.0,
    "cm": 38.0,
    "mm": 3.8,
    "in": 96.0,
}
_NAMED_COLORS = {"white": "ffffff", "black": "000000"}
_RGB = re.compile(r"rgba?\(([^)]*)\)")


class _Selector(Struct, frozen=True):
    """A selector: its compounds from right to left, each with the combinator on its right."""

    compounds: Sequence[tuple[str, str, str]]  # combinator, tag, classes and the like
    specificity: tuple[int, int, int]


class _Look(Struct, frozen=True):
    """The properties of an element that its content inherits."""

    visible: bool = True
    size: float = 16.0
    color: str | None = None
    background: str | None = None


def remove_hidden(tree: Any) -> None:
    """Removes the elements and texts of a parsed page that its readers do not see. The page itself
    counts as seen: scripts often show it when they are done."""
    styles = _styles(tree)
    backgrounds = {"background", "background-color"}
    plain = not tree.xpath("//link[contains(@rel, 'stylesheet')]") and not any(
        backgrounds & declared.keys() for declared in styles.values()
    )
    root = tree.getroottree().getroot()
    stack = [(root, _Look(background="ffffff" if plain else None))]
    dropped = []
    while stack:
        element, look = stack.pop()
        if not isinstance(element.tag, str) or element.tag == "head":
            continue
        declared = _merged(styles.get(element, {}), element.get("style"))
        page = element.tag in ("html", "body")
        if not page and (_is_unseen(element) or _hides(declared)):
            dropped.append(element)
            continue
        # the extraction drops whole elements by their style, with what is shown in them
        element.attrib.pop("style", None)
        look = _inherited(look, element, declared, page)
        if not _shows(look):
            _clear_texts(element)
        stack += [(child, look) for child in element]
    for element in dropped:
        _drop(element)


def _is_unseen(element: Any) -> bool:
    """True for an element that is hidden by its tag or its attributes."""
    attributes = element.attrib
    aria = attributes.get("aria-hidden", "").strip().lower() == "true"
    closed = element.tag == "dialog" and "open" not in attributes
    return element.tag in _UNSEEN_TAGS or "hidden" in attributes or aria or closed


def _hides(declared: Declarations) -> bool:
    """True if styles hide an element with everything in it."""
    if declared.get("display") == "none" or declared.get("content-visibility") == "hidden":
        return True
    if declared.get("mso-hide") == "all":
        return True
    opacity = _NUMBER.match(declared.get("opacity", "1"))
    if opacity and float(opacity[1]) * (0.01 if opacity[2] == "%" else 1) < 0.1:
        return True
    if re.search(r"opacity\(\s*0?\.?0*%?\s*\)", declared.get("filter", "")):
        return True
    return _is_clipped(declared) or _is_outside(declared)


def _is_clipped(declared: Declarations) -> bool:
    """True if styles leave no room for the content of an element."""
    overflow = declared.get("overflow", "")
    if overflow.startswith(("hidden", "clip")):
        sizes = ("width", "height", "max-width", "max-height")
        if any(abs(_pixels(declared.get(name), 99)) <= 1 for name in sizes):
            return True
    clip = declared.get("clip", "").replace(" ", "").replace(",", "")
    if re.fullmatch(r"rect\(((?:0|1)(?:px)?){4}\)", clip):
        return True
    path = declared.get("clip-path", "").replace(" ", "")
    if re.match(r"inset\((?:100|[5-9]\d)(?:\.\d+)?%|circle\(0|polygon\(00", path):
        return True
    return bool(re.search(r"scale[xy3d]*\(\s*0(?:\.0*)?\s*[,)]", declared.get("transform", "")))


def _is_outside(declared: Declarations) -> bool:
    """True if styles move an element out of the window."""
    moved = declared.get("position", "") in ("absolute", "fixed", "relative")
    for name in _OUT & declared.keys():
        sure = moved or name in ("text-indent", "margin-left", "margin-top")
        if sure and not -FAR < _pixels(declared[name], 0) < 10 * FAR:
            return True
    moves = re.findall(r"translate[xy3d]*\(([^)]*)\)", declared.get("transform", ""))
    return any(_pixels(part, 0) <= -FAR for move in moves for part in move.split(","))


def _inherited(look: _Look, element: Any, declared: Declarations, page: bool) -> _Look:
    """The look of an element's content."""
    visible, size, color, background = look.visible, look.size, look.color, look.background
    if "visibility" in declared and not page:
        visible = declared["visibility"] not in ("hidden", "collapse")
    if found := declared.get("font-size") or _size_in(declared.get("font", "")):
        number = _NUMBER.match(found)
        if number is not None:
            relative = number[2].lower() in ("em", "%")
            scale = (0.01 if number[2] == "%" else 1) * look.size
            size = float(number[1]) * scale if relative else _pixels(found, 16)
        else:
            size = 16.0
    color = _color(declared.get("color") or element.get("color"), color)
    given = declared.get("background-color") or declared.get("background")
    background = _color(given or element.get("bgcolor"), background)
    if given and ("url(" in given or "gradient" in given):
        background = None
    return _Look(visible, size, color, background)


def _shows(look: _Look) -> bool:
    """True if a text with this look can be seen."""
    same = look.color is not None and look.color == look.background
    return look.visible and look.size > 2 and look.color != "transparent" and not same


def _size_in(font: str) -> str:
    """The size in the shorthand of a font: ``0/0 a``, ``bold 0px serif``."""
    found = re.search(r"(?:^|\s)(\d*\.?\d+(?:px|pt|em|rem|%)?)(?:/|\s)", font)
    return found[1] if found else ""


def _color(text: str | None, before: str | None) -> str | None:
    """A color as six hexadecimal digits, its name, or ``transparent``; ``before`` if none is
    given."""
    color = (text or "").strip().lower().split("url(")[0].strip()
    if not color or color in ("inherit", "unset", "none", "initial", "currentcolor"):
        return before
    if rgb := _RGB.match(color):
        parts = [part for part in re.split(r"[\s,/]+", rgb[1].strip()) if part]
        if len(parts) == 4 and _pixels(parts[3], 1) == 0:
            return "transparent"
        with_numbers = [min(255, max(0, round(float(_number(part))))) for part in parts[:3]]
        return "".join(f"{number:02x}" for number in with_numbers)
    if color.startswith("#"):
        digits = color[1:].split()[0] if color[1:] else ""
        if len(digits) in (4, 8) and digits[3:4] + digits[7:8] in ("0", "00"):
            return "transparent"
        digits = "".join(2 * digit for digit in digits[:3]) if len(digits) in (3, 4) else digits
        return digits[:6]
    word = color.split()[0]
    return _NAMED_COLORS.get(word, word)


def _number(text: str) -> str:
    found = _NUMBER.match(text)
    return found[1] if found else "0"


def _pixels(text: str | None, otherwise: float) -> float:
    """A length in pixels, roughly; ``otherwise`` for anything else."""
    found = _NUMBER.match(text.strip()) if text else None
    if found is None:
        return otherwise
    return float(found[1]) * _PIXELS[found[2].lower()]


def _clear_texts(element: Any) -> None:
    """Removes the texts of an element that are not in its children."""
    element.text = None
    for child in element:
        child.tail = " " if child.tail else None


def _drop(element: Any) -> None:
    """Removes an element, but not the text behind it."""
    parent = element.getparent()
    if parent is None:
        return
    tail, before = element.tail or "", element.getprevious()
    if before is not None:
        before.tail = f"{before.tail or ''} {tail}"
    else:
        parent.text = f"{parent.text or ''} {tail}"
    parent.remove(element)


# -- styles ----------------------------------------------------------------------------------------


def _merged(sheets: Mapping[str, tuple[str, bool]], own: str | None) -> Declarations:
    """The declarations for an element: its own ones win, unless those of a sheet are important."""
    found = {name: value for name, (value, _) in sheets.items()}
    for name, value, important in _declared(own or ""):
        if important or not sheets.get(name, ("", False))[1]:
            found[name] = value
    return found


def _declared(block: str) -> Iterator[tuple[str, str, bool]]:
    """The declarations of a block that matter here: name, value, and importance."""
    for part in _unescaped(block).split(";"):
        name, _, value = part.partition(":")
        name, value = name.strip().lower(), " ".join(value.lower().split())
        if name in _USED and value:
            plain = value.removesuffix("important").rstrip()
            important = plain.endswith("!")
            yield name, plain[:-1].rstrip() if important else value, important


def _unescaped(text: str) -> str:
    def character(found: re.Match[str]) -> str:
        code = int(found[1], 16) if found[1] else 0
        return chr(code) if 0 < code < 0x110000 else (found[2] or "")

    return _ESCAPE.sub(character, _COMMENT.sub(" ", text))


def _styles(tree: Any) -> dict[Any, dict[str, tuple[str, bool]]]:
    """The declarations of a page's own style sheets for its elements, the winning one of each, with
    its importance."""
    index: dict[str, list[Any]] = {}
    winning: dict[Any, dict[str, tuple[Priority, str]]] = {}
    for order, (selector, declared) in enumerate(_rules(tree)):
        if not index:
            index = _indexed(tree)
        for element in _selected(selector, index):
            of = winning.setdefault(element, {})
            for name, value, important in declared:
                priority = (important, selector.specificity, order)
                if name not in of or of[name][0] <= priority:
                    of[name] = priority, value
    return {
        element: {name: (value, priority[0]) for name, (priority, value) in of.items()}
        for element, of in winning.items()
    }


def _rules(tree: Any) -> Iterator[tuple[_Selector, list[tuple[str, str, bool]]]]:
    """The rules of a page's style sheets that matter here."""
    count = 0
    for style in tree.xpath("//style"):
        media = style.get("media", "").strip().lower()
        if media and not media.startswith(("all", "screen")):
            continue
        for prelude, block in _blocks(_COMMENT.sub(" ", style.text or "")):
            declared = list(_declared(block))
            for text in prelude.split(",") if declared else ():
                selector = _selector(text.strip())
                count += 1
                if selector is not None and count <= MOST_RULES:
                    yield selector, declared


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """The rules of a style sheet: selectors and declarations."""
    start = 0
    while (opened := sheet.find("{", start)) >= 0:
        prelude = sheet[start:opened].rpartition(";")[2].strip()
        depth, end = 1, opened + 1
        while depth and (found := re.compile(r"[{}]").search(sheet, end)):
            depth += 1 if found[0] == "{" else -1
            end = found.end()
        inner = sheet[opened + 1 : end - 1 if not depth else len(sheet)]
        if not prelude.startswith("@"):
            yield prelude, inner
        elif _APPLIES.match(prelude):
            yield from _blocks(inner)
        start = end if not depth else len(sheet)


def _selector(text: str) -> _Selector | None:
    """A selector; None for one with a condition or of another form."""
    parts = re.split(r"\s*([>+~])\s*|\s+", _unescaped(text))
    compounds: list[tuple[str, str, str]] = []
    counts = [0, 0, 0]
    for position in range(0, len(parts), 2):
        found = _COMPOUND.match(parts[position] or "")
        combinator = (parts[position + 1] or " ") if position + 1 < len(parts) else ""
        if not found or not found[0] or combinator in ("+", "~"):
            return None
        tag = "" if found[1] in (None, "*") else found[1].lower()
        compounds.insert(0, (combinator, tag, found[2]))
        counts[0] += found[2].count("#")
        counts[1] += found[2].count(".") + found[2].count("[")
        counts[2] += bool(tag)
    return _Selector(compounds, (counts[0], counts[1], counts[2]))


def _indexed(tree: Any) -> dict[str, list[Any]]:
    """Elements by ``.class``, ``#id`` and tag, and all under ``*``."""
    index: dict[str, list[Any]] = {}
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        names = {"*", element.tag, *(f".{name}" for name in element.get("class", "").split())}
        names |= {f"#{element.get('id')}"} if element.get("id") else set()
        for name in names:
            index.setdefault(name, []).append(element)
    return index


def _selected(selector: _Selector, index: dict[str, list[Any]]) -> Iterator[Any]:
    """The elements that a selector is about."""
    _, tag, rest = selector.compounds[0]
    named = re.match(r"[.#][\w-]+", rest)
    for element in index.get(named[0] if named else tag or "*", ()):
        if _is(element, tag, rest) and _stands_in(element, selector.compounds[1:]):
            yield element


def _is(element: Any, tag: str, rest: str) -> bool:
    if tag and element.tag != tag:
        return False
    for sign, name, attribute, operator, wanted in _SIMPLE.findall(rest):
        if sign == "." and name not in element.get("class", "").split():
            return False
        if sign == "#" and element.get("id") != name:
            return False
        if attribute and not _has(element.get(attribute), operator, wanted):
            return False
    return True


def _has(value: str | None, operator: str, wanted: str) -> bool:
    """True if the value of an attribute is as a selector wants it."""
    if value is None:
        return False
    if operator == "^":
        return value.startswith(wanted)
    if operator == "$":
        return value.endswith(wanted)
    if operator == "*":
        return wanted in value
    if operator == "~":
        return wanted in value.split()
    return not wanted or value == wanted


def _stands_in(element: Any, compounds: Sequence[tuple[str, str, str]]) -> bool:
    """True if the ancestors of an element match compounds, from the nearest on."""
    for combinator, tag, rest in compounds:
        element = element.getparent()
        while element is not None and not _is(element, tag, rest):
            if combinator == ">":
                return False
            element = element.getparent()
        if element is None:
            return False
    return True
