"""Rulebooks that can be played: check them, play them, ask them."""
