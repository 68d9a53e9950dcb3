"""Beginnings of the names of zones that no author writes: there are blanks in them."""

from __future__ import annotations

BOX = "box of "  # where the faces of dice lie that are not shown
ASIDE = "top of "  # where what is looked at lies for a moment
