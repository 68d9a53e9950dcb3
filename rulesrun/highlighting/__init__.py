"""Colours for editors and pages, from the words of the language.

A word of the language is a keyword in some places and a name in others; only the parser knows for certain. An editor
colours a line before anything is parsed, so `patterns.py` says with regular expressions what the parser would say,
from the words in `dsl/text/keywords.py` and the grammar's first words. The same patterns are written down for TextMate
(VS Code and many others), for CodeMirror and for Pygments; `python -m rulesrun.highlighting.build` writes the files,
`--check` compares them.
"""
