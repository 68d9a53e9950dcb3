"""The commands of the command line that ask something of rules, or write them, one a module, named as the command:
`run(request)` gives the exit code. Those that serve somebody are in `rulesrun.serving`.
"""
