"""The reference engine. It defines what a rulebook means.

A `Table` is a program for one number of players and one choice of options. Setting it up turns every expression into a
closure and every statement into operations of the flow, so nothing of a rules file is ever run as Python. The engine
stops at each decision and each event of chance; who answers is no business of its own.
"""
