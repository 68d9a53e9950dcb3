"""Completion for shells and the manual page, both written from the table of commands and options.

`candidates.py` says what may stand behind a word; `bash.py`, `zsh.py` and `fish.py` put that into the words of a shell.
What only the rules know (their options, personas, small tables) a script asks for with `rulesrun completion set FILE`
while somebody types; `answers.py` tells it.
"""
