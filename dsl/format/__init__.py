"""The one canonical layout of a rules file.

A syntax tree becomes lines with their depth; long lines break where the language lets a line go on. What is written is
read back and compared with the tree before anybody gets it.
"""
