"""Exports of other systems: one file for each format, and a table that recognizes them."""
