"""The graph of concepts: what is around one, paths, and how it is shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.memory.test_world import engine
from thalamus.api import Thalamus
from thalamus.errors import NothingFound
from thalamus.records import Fact, Memory
from thalamus.records.graphs import Graph

Run = Callable[..., Result]


def fact(subject: str, predicate: str, object: str, **more: str) -> Fact:
    return Fact(subject=subject, predicate=predicate, object=object, **more)  # type: ignore[arg-type]


@pytest.fixture
def known(thalamus: Thalamus) -> Thalamus:
    """user → Porto; Porto and Lisbon stand together; Anna → Lisbon; Anna → Galp until 2021."""
    ended = {"valid_from": "2020-01-01T00:00:00Z", "valid_to": "2021-01-01T00:00:00Z"}
    thalamus.remember(
        [
            fact("user", "lives_in", "Porto"),
            fact("Anna", "lives_in", "Lisbon"),
            fact("Anna", "works_at", "Galp", **ended),
            fact("Anna", "age", "35"),
            Memory(content="We drove from Porto to Lisbon."),
            Memory(content="From Lisbon we went on to Porto."),
            Memory(content="We met Zoe in Oslo."),
        ]
    )
    return thalamus


def shown(graph: Graph) -> tuple[set[str], set[tuple[str, str, str]]]:
    """The names of nodes, and the edges as (name, label or weight, name)."""
    names = {node.id: node.name for node in graph.nodes}
    edges = {
        (names[edge.source], edge.label or str(edge.weight), names[edge.target])
        for edge in graph.edges
    }
    return set(names.values()), edges


def test_what_is_around_a_concept(known: Thalamus) -> None:
    names, edges = shown(known.memories.graph("lisbon", depth=1))
    assert names == {"Lisbon", "Anna", "Porto"}
    assert ("Anna", "lives_in", "Lisbon") in edges and ("Lisbon", "2", "Porto") in edges
    names, edges = shown(known.memories.graph("Lisbon"))
    assert names == {"Lisbon", "Anna", "Porto", "user"}
    assert ("user", "lives_in", "Porto") in edges
    assert not any("works_at" in edge for edge in edges)


def test_the_distance_and_the_limit(known: Thalamus) -> None:
    graph = known.memories.graph("Lisbon")
    assert {node.name: node.distance for node in graph.nodes}["user"] == 2
    assert len(known.memories.graph("Lisbon", limit=2).nodes) == 2
    assert len(known.memories.graph("Lisbon", limit=1).edges) == 0


def test_facts_of_another_time(known: Thalamus) -> None:
    graph = known.memories.graph("Anna", every=True)
    [edge] = [edge for edge in graph.edges if edge.label == "works_at"]
    assert edge.valid_to == "2021-01-01T00:00:00Z" and edge.fact
    graph = known.memories.graph("Anna", as_of="2020-06-01T00:00:00Z")
    assert "works_at" in {edge.label for edge in graph.edges}
    assert graph.as_of == "2020-06-01T00:00:00Z"


def test_the_shortest_path(known: Thalamus) -> None:
    graph = known.memories.graph("user", other="Anna")
    names = {node.id: node.name for node in graph.nodes}
    assert [names[id] for id in graph.path] == ["user", "Porto", "Lisbon", "Anna"]
    assert len(graph.edges) == 3
    assert known.memories.graph("Anna", other="anna").path == [graph.path[-1]]
    with pytest.raises(NothingFound, match="no path from 'Zoe' to 'Anna'"):
        known.memories.graph("Zoe", other="Anna")
    with pytest.raises(NothingFound, match="the concept 'Zorro'"):
        known.memories.graph("Zorro")


def test_merged_names_are_one_node(known: Thalamus) -> None:
    known.remember([fact("Annie", "plays", "chess")])
    known.memories.merge_concepts("Annie", "Anna")
    names, edges = shown(known.memories.graph("Anna", depth=1))
    assert "Annie" not in names and ("Anna", "plays", "chess") in edges


def test_each_user_sees_his_own_graph(home: Path) -> None:
    with engine(home, user="ben") as ben:
        ben.remember([fact("Anna", "lives_in", "Porto")])
    with engine(home, user="eva") as eva:
        eva.remember([fact("Anna", "lives_in", "Rome")])
        assert shown(eva.memories.graph("Anna"))[0] == {"Anna", "Rome"}


def test_the_same_graph_twice(known: Thalamus) -> None:
    assert known.memories.graph("Lisbon") == known.memories.graph("Lisbon")


# -- the command -----------------------------------------------------------------------------------

SAID = """{"record":"fact","subject":"Anna","predicate":"lives_in","object":"Lisbon"}
{"record":"memory","content":"Anna read Pride & \\"Prejudice <script>alert(1)</script> in Lisbon."}
{"record":"fact","subject":"Anna","predicate":"likes","object":"R&B"}
"""


class Page(HTMLParser):
    """The elements of a page, and where it would load something from."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [name for name, _ in attrs if name in ("src", "href") or name[:2] == "on"]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_self_contained(run: Run) -> None:
    run("store", input=SAID)
    text = run("concepts", "graph", "Anna", "--html").stdout
    page = Page(text)
    assert page.open == [] and page.loads == []
    assert {"svg", "title", "h1", "ul", "circle", "line"} <= set(page.tags)
    assert "script" not in page.tags and "R&amp;B" in text and "R&B" not in text
    assert 'role="img"' in text and "Anna lives in Lisbon" in text
    assert text == run("concepts", "graph", "Anna", "--html").stdout
    assert "\\n" not in text and len(text.splitlines()) > 10
    [style] = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert "\\" not in style and style.count("\n") > 3


def test_graphviz(run: Run) -> None:
    run("store", input=SAID)
    lines = run("concepts", "graph", "Anna", "--dot").stdout.splitlines()
    assert lines[0] == "digraph concepts {" and lines[-1] == "}"
    string = r'"(?:[^"\\]|\\.)*"'
    node = re.compile(rf"  {string} \[label={string}(, penwidth=2)?\];")
    edge = re.compile(rf"  {string} -> {string} \[(dir=none, style=dotted, )?label={string}\];")
    assert all(node.fullmatch(line) or edge.fullmatch(line) for line in lines[2:-1])


def test_texts_are_quoted_for_graphviz() -> None:
    from thalamus.terminal.graph import dot_lines

    graph = Graph(root="a", nodes=[])
    graph.nodes = [node("a", 'say "hi" \\'), node("b", "two\nlines")]
    lines = list(dot_lines(graph))
    assert lines[2] == '  "a" [label="say \\"hi\\" \\\\", penwidth=2];'
    assert lines[3] == '  "b" [label="two lines"];'


def node(id: str, name: str):  # type: ignore[no-untyped-def]
    from thalamus.records.graphs import GraphNode

    return GraphNode(id=id, name=name, kind="name")


def test_the_tree_and_the_path(run: Run) -> None:
    run("store", input=SAID)
    lines = run("concepts", "graph", "Anna").stdout.splitlines()
    assert lines[0].startswith("Anna") and any("—lives_in→ Lisbon" in line for line in lines)
    assert run("concepts", "graph", "Lisbon", "--path", "Anna").stdout == "Lisbon ←lives_in— Anna\n"
    done = run("concepts", "graph", "Anna", "--json")
    assert done.records[0]["record"] == "graph"
    assert run("concepts", "graph", "Zorro").code == 4
    assert run("concepts", "graph", "Anna", "--dot", "--html").code == 2
    assert run("concepts", "graph", "Anna", "--as-of", "2020-01-01", "--all").code == 2
