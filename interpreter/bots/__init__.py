"""Players that think. They see observations, never positions, and know no game.

`observer` watches a game for every seat and keeps what that seat knows; `consistent_deals` deals everything else anew
in agreement with it. Bots think on such deals: one step ahead (`greedy`), by rollouts, or by Monte-Carlo tree search
over information sets (`mcts`).
"""
