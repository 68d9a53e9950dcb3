"""A rulebook in other people's tools: environments of PettingZoo and Gymnasium, a game of OpenSpiel, a tree for Gambit.

Each module needs its tool and imports it when it is imported itself; an extra of the same name installs it. What they
have in common — rows of positions, fixed numbers of answers, rewards — comes from the core: `games` plays it, many at a
time.
"""
