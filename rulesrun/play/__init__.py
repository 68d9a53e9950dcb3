"""A table in the terminal, line by line: what a seat is sent becomes text in 80 columns, what is typed an answer.

Nothing here knows the rules or the position: everything is drawn from the messages of `rulesrun.table`, as a page in a
browser draws it. Pipes and screen readers get the same lines as a person at a terminal.
"""
