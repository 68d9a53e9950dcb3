"""Commands that serve somebody until they leave: people at a table, browsers, editors, shells. One a module, named as
the command: `run(request)` gives the exit code.
"""
