"""The grammar, as data."""
