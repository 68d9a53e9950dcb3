"""What is certain about a checked game before it is played: which statement stands under which conditions,
which bounds an expression has, whether an action is legal whatever lies on the table. The checks build on it.
"""
