"""The full screen: chat, debug console, memory browser and settings, built with Textual.

It contains no logic of its own: it calls ``thalamus.api`` and listens to events.
"""
