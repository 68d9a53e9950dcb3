"""The edge to the person at the terminal: the command line's words, standard output and error, notes, progress,
interruption.
"""
