"""Languages: messages in, sentences out. The catalogues of each language lie here, in `ru/` those of Russian.

What is found out is data, and messages (`dsl/text/messages.py`) where it has to be said. Only the front door knows the
language somebody reads: what it writes goes through `say` or `translate` here, names of the rules by their `words`
first. Nothing reads a finished sentence back.
"""
