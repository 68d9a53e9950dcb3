"""Findings as text for a terminal and as JSON. Takes what services found, changes nothing."""
