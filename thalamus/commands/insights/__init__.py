"""`thalamus insights`: conclusions from what was said."""

from thalamus.commands.groups import Group

group = Group(
    "List, show, search and reject insights, and undo their merging. Without a command: `list`.",
    {
        "list": "insights.list:list_insights",
        "show": "insights.list:show",
        "tree": "insights.list:tree",
        "search": "insights.list:search",
        "reject": "operation:insights reject",
        "undo": "insights.change:undo",
    },
    words="search",
)
