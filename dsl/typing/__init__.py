"""What every name means and which type every expression has.

Types are finite: each says which values there are. The result is a set of side tables keyed by nodes of the syntax
tree; the tree itself is never changed.
"""
