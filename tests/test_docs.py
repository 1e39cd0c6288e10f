"""The examples in the documentation run, and print what they say.

``console`` blocks are commands after ``$`` with what they print; ``…`` stands for anything within
a line, a line of ``…`` for any lines, ``[exit N]`` for the exit status. The blocks of one file are
one session. ``python`` blocks run; ``sh``, ``yaml`` and ``json`` blocks are parsed.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests import forked
from tests import make_reference as reference
from thalamus.commands.table import COMMANDS
from thalamus.config import SETTINGS

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# whose examples name files of the store, or use two homes
OF_FILES = {"commands.md", "forgetting.md", "keys.md", "pipeline.md", "report.md", "world.md"}
RUN = [
    pytest.param(page, marks=[pytest.mark.sqlite] if page.name in OF_FILES else [])
    for page in PAGES
]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [body for found, body in _BLOCK.findall(page.read_text()) if found == language]


@pytest.fixture
def shell(environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """An environment in which ``thalamus`` is this one."""
    forked.script(tmp_path / "bin" / "thalamus")
    return environment | {"PATH": f"{tmp_path / 'bin'}:{environment['PATH']}"}


def steps(text: str) -> list[tuple[str, list[str]]]:
    """(command, the lines it prints) of a console block."""
    found: list[tuple[str, list[str]]] = []
    here_document = False
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
            here_document = "<<'END'" in line
        elif here_document:
            found[-1] = (f"{found[-1][0]}\n{line}", [])
            here_document = line != "END"
        else:
            found[-1][1].append(line)
    return found


def pattern(lines: list[str]) -> str:
    parts = []
    for line in lines:
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*?".join(re.escape(piece) for piece in line.split("…")) + r"\n")
    return "".join(parts)


def printed_by(command: str, environment: dict[str, str], folder: Path) -> tuple[str, int]:
    """The output of a command and its exit status; without a shell where none is needed."""
    if command.startswith("thalamus ") and not re.search(r"[|&;<>()$`*?~{\n]", command):
        arguments = shlex.split(command)[1:]
        out, err, code = forked.server().run(arguments, b"", environment, folder, timeout=60)
        return (out + err).decode(), code
    done = subprocess.run(
        ["bash", "-c", command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment,
        cwd=folder,
        timeout=60,
    )
    return done.stdout + done.stderr, done.returncode


@pytest.mark.parametrize("page", RUN, ids=lambda p: p.name)
def test_console_examples(page: Path, shell: dict[str, str], tmp_path: Path) -> None:
    if "| jq" in page.read_text() and shutil.which("jq") is None:
        pytest.skip("the examples of this page use jq")
    for command, printed in [step for text in blocks(page, "console") for step in steps(text)]:
        if command.startswith("export "):
            shell |= dict(word.split("=", 1) for word in shlex.split(command)[1:])
        code = 0
        if printed and (exit_line := re.fullmatch(r"\[exit (\d+)\]", printed[-1])):
            code = int(exit_line.group(1))
            printed = printed[:-1]
        output, ended = printed_by(command, shell, tmp_path)
        assert ended == code, f"{command}\n{output}"
        expected = pattern(printed)
        assert re.fullmatch(expected, output), f"{command}\nprinted:\n{output}\nnot:\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_python_examples(page: Path, environment: dict[str, str], tmp_path: Path) -> None:
    for text in blocks(page, "python"):
        done = subprocess.run(
            [*forked.python(), "-c", text],
            capture_output=True,
            text=True,
            env=environment,
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_other_examples_are_well_formed(page: Path) -> None:
    for text in blocks(page, "sh"):
        done = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
        assert done.returncode == 0, f"{text}\n{done.stderr}"
    for text in blocks(page, "json"):
        json.loads(text)
    for text in blocks(page, "yaml"):
        yaml.safe_load(text)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_commands_in_the_text_are_those_of_the_program(page: Path) -> None:
    """A command in a sentence or a table exists, and has the options that it is shown with."""
    from tests.commands.test_vocabulary import OPTIONS

    prose = _BLOCK.sub("", page.read_text())
    for text in re.findall(r"`thalamus ([a-z][^`]*)`", prose):
        words = re.split(r"[\s|;&]+", text.replace("\\|", "|").split(" | ")[0])
        plain = [word for word in words if re.fullmatch(r"[a-z][a-z-]*", word)]
        group = words[0]
        paths = {path for path in OPTIONS if path.split()[0] == group}
        assert paths or group == "help", text
        if len(paths) > 1 and words[1:2] == plain[1:2] != []:
            assert " ".join(words[:2]) in paths, text
        exact = {path for path in (" ".join(plain[:2]), group) if path in paths}
        known = set().union(*(OPTIONS[path] for path in exact or paths))
        given = {w.split("=")[0] for w in words if re.match(r"--[a-z]|-[a-z]$", w)}
        assert given <= known | {"-h", "--help"}, text


def test_the_page_of_the_commands_is_what_they_say() -> None:
    text = (ROOT / "docs" / "commands.md").read_text()
    assert text == reference.page(text), "run `just commands`"


def test_the_index_lists_every_page() -> None:
    listed = re.findall(r"\]\(([\w-]+)\.md\)", (ROOT / "docs" / "README.md").read_text())
    assert sorted(listed) == sorted(p.stem for p in PAGES if p.stem != "README")


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff formats man pages")
def test_man_pages_are_well_formed() -> None:
    pages = reference.man_pages()
    assert set(pages) == {"thalamus.1", *(f"thalamus-{name}.1" for name in COMMANDS)}
    for name, text in pages.items():
        command = ["groff", "-man", "-Tutf8", "-ww"]
        done = subprocess.run(command, input=text.encode(), capture_output=True)
        assert not done.stderr, f"{name}: {done.stderr.decode()}"
    shown = subprocess.run(
        ["groff", "-man", "-Tascii", "-P-c"],
        input=pages["thalamus-facts.1"].encode(),
        capture_output=True,
    )
    assert b"thalamus facts --as-of 2026-03-01 --json" in shown.stdout.replace(b"\x08", b"")


def test_every_setting_is_documented() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text()
    missing = [name for name in SETTINGS if f"`{name}`" not in text]
    assert missing == []


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "CHANGELOG.md", *(ROOT / "bench").rglob("*.md")]:
        for target, place in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text()):
            linked = page.parent / target if target else page
            assert linked.exists(), f"{page.name}: {target}"
            assert not place or place in places(linked), f"{page.name}: {target}#{place}"


def places(page: Path) -> set[str]:
    """The names by which headings of a page are linked to."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\s-]", "", text).lower().replace(" ", "-") for text in headings}


def test_the_retention_rules_are_shown_as_they_are() -> None:
    shown = blocks(ROOT / "docs" / "retention.md", "yaml")[0]
    assert shown == (ROOT / "thalamus" / "data" / "retention.yaml").read_text()
