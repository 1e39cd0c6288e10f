"""`thalamus tools`: the tools that stages and their models may use."""

from thalamus.commands.groups import Group

group = Group(
    "List and show tools, call one by hand, see how they perform. Without a command: `list`.",
    {
        "list": "tools.list:list_tools",
        "show": "tools.list:show",
        "call": "tools.call:call",
        "performance": "tools.performance:performance",
    },
    words="show",
)
