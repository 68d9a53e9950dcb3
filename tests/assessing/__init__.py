"""Answers for designers, against games whose truth is known."""
