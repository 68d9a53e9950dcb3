"""Worked examples: a position made as the example says, its moves played, its lines compared.

`given` says what the table is like when the named moment begins, so the game is first played there at random. What an
example leaves open is varied over several tables; an example that holds at some of them alone fails.
"""
