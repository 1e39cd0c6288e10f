"""What a page hides from its readers is not read."""

from __future__ import annotations

import time

import pytest

from thalamus.readers.html import read_html

pytestmark = pytest.mark.storeless

SEEN = "The lighthouse keeper paints the railing green every spring before the visitors come."
BEHIND = "The stairs are swept on Mondays."
UNSEEN = "Zorblat owns the lighthouse."


def text_of(body: str, head: str = "") -> str:
    html = (
        f"<html><head><title>Light</title>{head}</head><body><article><h1>Light</h1>"
        f"<p>{SEEN}</p>{body}<p>{SEEN.replace('green', 'red')}</p></article></body></html>"
    )
    return read_html(html.encode(), "https://light.example/").pages[0].text


STYLES = [
    "display:none",
    "DISPLAY : none !important",
    "color:red;display:/* x */none",
    r"d\69splay:none",
    "visibility:hidden",
    "visibility:collapse",
    "content-visibility:hidden",
    "opacity:0",
    "opacity:.01",
    "opacity:0%",
    "filter:opacity(0)",
    "font-size:0",
    "font-size:0px",
    "font-size:1px",
    "font-size:0.01em",
    "font:0/0 a",
    "position:absolute;left:-9999px",
    "position:fixed;top:-100vh",
    "position:absolute;left:-999em",
    "position:relative;left:99999px",
    "text-indent:-9999px",
    "margin-left:-5000px",
    "transform:translateX(-9999px)",
    "transform:scale(0)",
    "clip:rect(0,0,0,0);position:absolute",
    "clip:rect(1px 1px 1px 1px)",
    "clip-path:inset(100%)",
    "clip-path:circle(0)",
    "height:0;overflow:hidden",
    "max-height:0px;overflow:hidden",
    "width:1px;height:1px;overflow:hidden",
    "color:transparent",
    "color:rgba(0,0,0,0)",
    "color:#fff;background:#ffffff",
    "color:rgb(10, 20, 30);background-color:#0a141e",
    "color:white",
    "mso-hide:all",
]


@pytest.mark.parametrize("style", STYLES)
def test_a_style_hides(style: str) -> None:
    for tag in ("p", "div", "span"):
        text = text_of(f'<{tag} style="{style}">{UNSEEN}</{tag}><p>{BEHIND}</p>')
        assert "Zorblat" not in text and BEHIND in text and SEEN in text, tag


@pytest.mark.parametrize("style", STYLES)
def test_a_style_sheet_hides(style: str) -> None:
    rules = f"p, .note.small, #n1 {{ margin: 0 }} article .pre > b {{ {style} }}"
    head = f"<style>/* {{ */ {rules}</style>"
    text = text_of(f'<p class="pre">{BEHIND} <b>{UNSEEN}</b></p>', head)
    assert "Zorblat" not in text and BEHIND in text


@pytest.mark.parametrize(
    "element",
    [
        f"<p hidden>{UNSEEN}</p>",
        f'<p hidden="until-found">{UNSEEN}</p>',
        f'<p aria-hidden="true">{UNSEEN}</p>',
        f"<template><p>{UNSEEN}</p></template>",
        f"<dialog><p>{UNSEEN}</p></dialog>",
        f"<noscript><p>{UNSEEN}</p></noscript>",
        f'<div style="display:none"><div style="display:block"><p>{UNSEEN}</p></div></div>',
        f'<div style="opacity:0"><p style="opacity:1">{UNSEEN}</p></div>',
        f'<div style="font-size:0"><p>{UNSEEN}</p></div>',
        f'<p><font color="#FFFFFF">{UNSEEN}</font></p>',
        f'<table bgcolor="navy"><tr><td><font color="navy">{UNSEEN}</font></td></tr></table>',
    ],
)
def test_an_element_hides(element: str) -> None:
    text = text_of(f"{element}<p>{BEHIND}</p>")
    assert "Zorblat" not in text and BEHIND in text


@pytest.mark.parametrize(
    "element",
    [
        f"<details><summary>More</summary><p>{UNSEEN}</p></details>",
        f'<p aria-hidden="false">{UNSEEN}</p>',
        f'<p style="opacity:0.9;font-size:12px;left:-10px;position:relative">{UNSEEN}</p>',
        f'<p style="color:white;background:black">{UNSEEN}</p>',
        f'<div style="background:#222"><p style="color:#fff">{UNSEEN}</p></div>',
        f'<p style="height:0">{UNSEEN}</p>',
        f'<p style="font-size:0.9em">{UNSEEN}</p>',
        f'<div style="visibility:hidden">x<p style="visibility:visible">{UNSEEN}</p></div>',
        f'<div style="font-size:0"><p style="font-size:14px">{UNSEEN}</p></div>',
        f'<p class="tip open">{UNSEEN}</p>',
        f'<p class="printed">{UNSEEN}</p>',
        f'<p class="wide">{UNSEEN}</p>',
        f'<p class="hover">{UNSEEN}</p>',
        f'<p class="inline" style="display:block">{UNSEEN}</p>',
    ],
)
def test_what_can_be_seen_is_read(element: str) -> None:
    head = (
        "<style>.tip{display:none} .tip.open{display:block} .inline{display:none}"
        "@media print{.printed{display:none}} @media (max-width:600px){.wide{display:none}}"
        ".hover:hover{display:none} .other{display:none}</style>"
    )
    assert "Zorblat" in text_of(element, head), element


def test_a_sheet_may_be_more_important() -> None:
    head = "<style>.a{display:none!important}</style>"
    assert "Zorblat" not in text_of(f'<p class="a" style="display:block">{UNSEEN}</p>', head)


def test_a_page_that_a_script_shows_is_read() -> None:
    html = f'<html><head><title>L</title></head><body style="opacity:0"><p>{SEEN}</p></body></html>'
    assert SEEN in read_html(html.encode(), "https://light.example/").pages[0].text


def test_many_rules_and_deep_pages_take_no_time() -> None:
    rules = "".join(f".c{n} .d{n}{{display:none}}" for n in range(30_000))
    deep = "<div>" * 400 + SEEN + "</div>" * 400
    began = time.perf_counter()
    assert SEEN in text_of(deep + f"<p>{BEHIND}</p>" * 300, f"<style>{rules}</style>")
    assert time.perf_counter() - began < 10
