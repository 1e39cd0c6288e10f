"""`thalamus sources`: the commands about sources on the network."""

from thalamus.commands.groups import Group

group = Group(
    "List, add, approve and read sources on the network. Without a command: `list`.",
    {
        "list": "sources.list:list_sources",
        "show": "sources.list:show",
        "add": "sources.change:add",
        "approve": "sources.change:approve",
        "disable": "sources.change:disable",
        "crawl": "sources.crawl:crawl",
        "remove": "sources.remove:remove",
    },
    words="show",
)
