"""`thalamus profile`: who the user is."""

from thalamus.commands.groups import Group

group = Group(
    "Show, set and edit who the user is. Without a command: `show`.",
    {
        "show": "profile.show:show",
        "set": "profile.change:set_fields",
        "edit": "profile.change:edit",
    },
    default="show",
)
