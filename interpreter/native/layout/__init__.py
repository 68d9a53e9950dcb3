"""A position as one block of memory: which field lies where and how wide it is, and the machine that is
written over it.
"""
