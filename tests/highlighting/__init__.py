"""Colours of highlighters, compared with what the parser makes of the words."""
