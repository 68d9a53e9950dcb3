"""Findings as text for a terminal and as JSON. Takes what services found, changes nothing.

The text of the plain form is in `rulesrun.services.reports`, that of stories in `rulesrun.services.stories`.
"""
