"""The pictures of the documentation, drawn from real runs into docs/pictures.

``tour MODEL``: a conversation on two days and what is made of it, as a terminal shows it;
``transcript MODEL``: the same as text; ``screen``: the full screen, with the scripted model;
``report``: the page of `thalamus report`, which needs Chromium; ``schemes``: the pipeline, and what
a store believed when.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
WIDTH = 104
FIRST, LATER = "2026-10-03T18:20:00Z", "2026-11-20T09:05:00Z"
TOLD = (
    "My name is Ines and I moved to Porto in September.",
    "My sister Rita is getting married in June! I am making the invitations.",
    "I'm allergic to nuts, so the cake will be without.",
)
ASKED = (
    "What was I making for Rita?",
    "What am I allergic to?",
    "What is Rita's husband called?",
)


class Session:
    """Commands with a model, in a home of their own, with the clock set."""

    def __init__(self, model: str) -> None:
        self.home = tempfile.mkdtemp()
        self.console = Console(record=True, width=WIDTH, file=StringIO())
        self._env = {
            **os.environ,
            "THALAMUS_HOME": self.home,
            "THALAMUS_MODEL": model,
            "THALAMUS_TEMPERATURE": "0",
            "COLUMNS": str(WIDTH),
        }

    def run(self, command: str, clock: str, lines: tuple[str, ...] = ()) -> str:
        """The output of a command, which also gets these lines."""
        done = subprocess.run(
            ["bash", "-c", command],
            input="".join(f"{line}\n" for line in lines),
            capture_output=True,
            text=True,
            env={**self._env, "THALAMUS_NOW": clock},
        )
        if done.returncode:
            raise SystemExit(f"{command}\n{done.stderr}")
        return done.stdout

    def chat(self, clock: str, lines: tuple[str, ...]) -> None:
        """A conversation: each line as it is typed, and the reply to it."""
        self.comment(f"# {clock[:10]}")
        self.prompt("thalamus chat")
        for number, line in enumerate(lines):
            again = "--continue " if number else ""
            reply = self.run(f"thalamus chat {again}", clock, (line,))
            self.console.print(Text(f"> {line}", style="bold cyan"))
            self.console.print(Text(reply.strip()))
        self.console.print()

    def show(self, command: str, clock: str, last: int = 0) -> None:
        """A command with its output, or the ``last`` lines of it; ids are shortened."""
        self.prompt(_short(command))
        lines = self.run(command, clock).rstrip().splitlines()
        if last:
            self.comment("…")
        for line in lines[-last:]:
            self.console.print(Text(_short(line)))
        self.console.print()

    def prompt(self, command: str) -> None:
        self.console.print(Text.assemble(("$ ", "green"), (command, "bold")))

    def comment(self, text: str) -> None:
        self.console.print(Text(text, style="bright_black"))

    def fact(self, name: str) -> str:
        """The id of the fact with this predicate."""
        found = self.run(f"thalamus facts --predicate {name} --json", LATER)
        return str(json.loads(found.splitlines()[0])["id"])


def _short(text: str) -> str:
    return re.sub(r"\b([a-z]+_[0-9a-z]{6})[0-9a-z]{15}\b", r"\1…", text)


def tour(model: str) -> Session:
    """The conversation on two days, and what is done with what it leaves."""
    session = Session(model)
    session.chat(FIRST, TOLD)
    session.chat(LATER, ASKED)
    session.show("thalamus facts", LATER)
    home = session.fact("lives_in")
    session.show(f"thalamus why {home}", LATER)
    session.show(f"thalamus facts correct {home} Braga", LATER)
    session.show('thalamus forget --about "my sister" --yes', LATER, last=2)
    return session


def write_svg(console: Console, name: str) -> None:
    svg = console.export_svg(title="thalamus", unique_id=name)
    _write(name, svg)


def _write(name: str, svg: str) -> None:
    """Writes a picture that loads no font from elsewhere."""
    svg = re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.svg").write_text(svg)


SAID = ("I moved to Lisbon in May.", "My sister Rita keeps bees.", "Where do I live?")


def screen() -> None:
    """The full screen after a short conversation with the scripted model, and the console."""
    from thalamus.config import load
    from thalamus.terminal.printer import Printer
    from thalamus.ui.app import ThalamusApp
    from thalamus.ui.composer import Composer

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        given = {"home": home, "model": "scripted", "embedder": "scripted", "session": "main"}

        async def drive() -> str:
            with Printer(stream=False, log=None) as printer:
                app = ThalamusApp(load(flags=given), printer)
                async with app.run_test(size=(132, 38)) as pilot:
                    await pilot.pause(2)
                    for line in SAID:
                        app.chat_page.query_one(Composer).text = line
                        await pilot.press("enter")
                        await pilot.pause(3)
                    drawn = app.export_screenshot(title="thalamus ui")
                    app.exit()
                    return drawn

        _write("screen", asyncio.run(drive()))


LIFE = {
    "2026-04-02": ("I moved to Lisbon.", "My sister Rita keeps bees.", "I have a dog called Sol."),
    "2026-05-11": ("My project is the herb garden.", "Rita lives in Porto."),
    "2026-06-20": ("I planted thyme in the herb garden.", "Rita harvested her first honey."),
    "2026-08-03": ("I work at the aquarium.", "Sol sleeps in the herb garden.", "I like figs."),
    "2026-10-09": ("Rita is getting married in June.", "I moved to Porto."),
}


def report() -> None:
    """The page for a browser, over half a year, as Chromium draws it."""
    session = Session("scripted")
    for day, lines in LIFE.items():
        for line in lines:
            session.run(f"thalamus turn '{line}'", f"{day}T18:00:00Z")
    page = Path(session.home, "report.html")
    session.run(f"thalamus report -o {page}", LATER)
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    options += [f"--user-data-dir={session.home}/chromium", "--window-size=900,1500"]
    FOLDER.mkdir(exist_ok=True)
    options.append(f"--screenshot={FOLDER / 'report.png'}")
    subprocess.run(["chromium", *options, page.as_uri()], check=True, capture_output=True)


# -- schemes ---------------------------------------------------------------------------------------

STYLE = """<style>
text { font: 14px system-ui, sans-serif; fill: #24292f; text-anchor: middle }
.small { font-size: 12px; fill: #57606a } .left { text-anchor: start }
.code { font-family: monospace }
rect { fill: #f6f8fa; stroke: #8c959f; rx: 6 } .store { fill: #ddf4ff } .model { fill: #fff8c5 }
.a { fill: #b6e3ff } .b { fill: #aceebb } .c { fill: #ffd8b5 }
path { stroke: #57606a; fill: none; stroke-width: 1.5; marker-end: url(#tip) }
.line { marker-end: none; stroke: #d0d7de }
</style><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"
orient="auto"><path d="M0 0 8 4 0 8z" style="fill:#57606a;stroke:none"/></marker></defs>"""


class Drawing:
    """An SVG of boxes, arrows and words, on white so that it is readable on any page."""

    def __init__(self, width: int, height: int) -> None:
        size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        self._parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', STYLE]
        self.box(0, 0, width, height, style="fill:#fff;stroke:none")

    def box(self, x: int, y: int, width: int, height: int, kind: str = "", style: str = "") -> None:
        place = f'x="{x}" y="{y}" width="{width}" height="{height}"'
        self._parts.append(f'<rect {place} class="{kind}" style="{style}"/>')

    def words(self, x: int, y: int, text: str, kind: str = "") -> None:
        self._parts.append(f'<text x="{x}" y="{y}" class="{kind}">{text}</text>')

    def arrow(self, way: str, kind: str = "") -> None:
        self._parts.append(f'<path d="{way}" class="{kind}"/>')

    def save(self, name: str) -> None:
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.svg").write_text("\n".join([*self._parts, "</svg>"]) + "\n")


STEPS = (
    ("retrieve", "adds evidence"),
    ("answer", "adds the answer"),
    ("reflect", "adds what to keep"),
    ("store", "adds ids"),
    ("plan", "adds a plan"),
)


def pipeline() -> None:
    """The five steps of a turn, with what each adds to it, the model and the store."""
    drawing = Drawing(820, 250)
    drawing.box(250, 14, 272, 36, "model")
    drawing.words(386, 37, "the language model")
    drawing.box(90, 200, 670, 36, "store")
    drawing.words(425, 223, "the store: one SQLite file; indexes for words and for meaning")
    drawing.words(36, 122, "a message")
    for number, (name, adds) in enumerate(STEPS):
        x = 90 + 138 * number
        drawing.arrow(f"M{x - 16} 118 {x - 2} 118")
        drawing.box(x, 96, 120, 44)
        drawing.words(x + 60, 116, name, "code")
        drawing.words(x + 60, 132, adds, "small")
    for x in (288, 426):  # answer and reflect ask the model
        drawing.arrow(f"M{x - 6} 94V54")
        drawing.arrow(f"M{x + 6} 52V92")
    drawing.words(330, 78, "prompt, reply", "small left")
    drawing.arrow("M150 198V144")
    drawing.words(158, 176, "what is known", "small left")
    drawing.arrow("M426 198V144")
    drawing.words(434, 176, "what it changes", "small left")
    drawing.arrow("M564 142V196")
    drawing.words(572, 176, "what is new", "small left")
    drawing.arrow("M702 142V196")
    drawing.words(710, 176, "the plan", "small left")
    drawing.save("pipeline")


BELIEFS = (
    ("10 January", "Porto, since 2020", (("a", "Porto", 0, 48),)),
    ("10 February", "Lisbon, since 2022", (("a", "Porto", 0, 24), ("b", "Lisbon", 24, 48))),
    (
        "10 March",
        "Madrid, March to May 2021",
        (("a", "Porto", 0, 14), ("c", "", 14, 17), ("a", "Porto", 17, 24), ("b", "Lisbon", 24, 48)),
    ),
)


def beliefs() -> None:
    """What held when, as the store believed it after each of three messages of 2023."""
    drawing = Drawing(820, 256)
    left, month = 300, 10
    drawing.words(20, 26, "told in 2023", "small left")
    drawing.words(left, 26, "where the user lived, as the store believed it then", "small left")
    for year in range(5):
        x = left + year * 12 * month
        drawing.arrow(f"M{x} 40V214", "line")
        if year < 4:
            drawing.words(x + 60, 244, str(2020 + year), "small")
    for row, (day, said, spans) in enumerate(BELIEFS):
        y = 48 + 58 * row
        drawing.words(20, y + 19, day, "left")
        drawing.words(20, y + 36, said, "small left")
        for kind, place, begin, end in spans:
            drawing.box(left + begin * month, y, (end - begin) * month, 40, kind)
            drawing.words(left + (begin + end) * month // 2, y + 25, place)
    drawing.words(left + 155, 222, "Madrid", "small")
    drawing.save("beliefs")


def main() -> None:
    what, *rest = sys.argv[1:] or ["help"]
    if what == "tour":
        write_svg(tour(rest[0]).console, "tour")
    elif what == "transcript":
        print(tour(rest[0]).console.export_text())
    elif what == "screen":
        screen()
    elif what == "report":
        report()
    elif what == "schemes":
        pipeline()
        beliefs()
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
