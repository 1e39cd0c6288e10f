"""The commands inside a chat, by subject. Each is a thin call of the API."""
