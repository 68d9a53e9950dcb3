"""The plain form: everything there is to say about one file, found in a few seconds.

Examples and random games come first. A second process meanwhile tries other options, looks for what is rare and goes
through the small tables that the rules declare. What fails gets the shortest story that shows it.
"""
