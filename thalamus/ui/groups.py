"""The tree of groups at the side of the memory browser, each a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from textual.widgets import Tree

from thalamus.terminal.lines import one_line
from thalamus.ui.query import Query

if TYPE_CHECKING:
    from thalamus.api import Thalamus

MOST = 30  # of each kind
LONG = 22  # characters of a name
_MEMORIES = {
    "core": {"scope": "core"},
    "episodic": {"scope": "episodic"},
    "archival": {"scope": "archival"},
    "quarantined": {"status": "quarantined"},
    "superseded": {"status": "superseded"},
    "retired": {"status": "retired"},
}


class Groups(Struct):
    """The names of all groups."""

    subjects: list[str] = []
    projects: list[str] = []
    topics: list[str] = []
    concepts: list[str] = []


def groups(thalamus: Thalamus) -> Groups:
    """Subjects of facts, projects, topics and concepts. Raises ``NoStore``."""
    known = thalamus.facts.entities()
    often = sorted(known, key=lambda entity: -entity[2])
    return Groups(
        subjects=list(dict.fromkeys(name for name, _, _ in often))[:MOST],
        projects=[project.name for project in thalamus.projects.find()],
        topics=[concept.name for concept in thalamus.memories.concepts(kind="topic", limit=MOST)],
        concepts=[concept.name for concept in thalamus.memories.concepts(limit=MOST)],
    )


class GroupTree(Tree[Query]):
    """The groups; choosing one lists its entries."""

    DEFAULT_CSS = """
    GroupTree { width: 28; background: $surface; border: round $foreground 30%; padding: 0; }
    GroupTree:focus { border: round $primary; }
    """

    def __init__(self) -> None:
        super().__init__("Memory", id="groups")
        self.border_title = "Groups"
        self.show_root = False
        self.guide_depth = 2

    def fill(self, found: Groups) -> None:
        """Shows the groups."""
        self.clear()
        memories = self.root.add("Memories", Query(), expand=True)
        for name, filters in _MEMORIES.items():
            memories.add_leaf(name, Query(filters=dict(filters)))
        self.root.add_leaf("Profile", Query(filters={"kind": "profile"}))
        facts = self.root.add("Facts", Query(filters={"kind": "fact"}), expand=True)
        for name in found.subjects:
            facts.add_leaf(_short(name), Query(filters={"subject": name}))
        self._add("Projects", "project", found.projects)
        self._add("Topics", "topic", found.topics)
        self._add("Concepts", "about", found.concepts)
        self.root.add_leaf("Insights", Query(filters={"kind": "insight"}))
        self.root.add_leaf("Documents", Query(filters={"kind": "document"}))
        self.root.add_leaf("Turns", Query(filters={"kind": "turn"}))

    def _add(self, title: str, filter: str, names: list[str]) -> None:
        if not names:
            return
        node = self.root.add(title, None, expand=title == "Projects")
        for name in names:
            node.add_leaf(_short(name), Query(filters={filter: name}))


def _short(name: str) -> str:
    return one_line(name, LONG).replace("[", r"\[")
