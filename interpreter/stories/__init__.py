"""A failing game told to people: the deal that matters, the moves, what each changed, the rule that
did it; and why something is legal, illegal or worth its points.
"""
