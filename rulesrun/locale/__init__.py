"""Reports in other languages: each line that is said in English has its phrase in a table, and is put by it.

`russian` has the phrases of the plain form, examples and stories; `russian_figures` those of what is measured,
compared, solved and explored; `russian_pages` those of pages alone.
"""
