"""From text to the syntax tree: lines by their indentation, each line by the grammar.

Blocks come from the indentation, so that a mistake in one line leaves the lines after it alone. Lark reads the words of
one logical line at a time; this folder is the only one that imports it.
"""
