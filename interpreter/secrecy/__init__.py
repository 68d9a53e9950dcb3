"""Whether a game gives away what a player must not know.

Two methods. `information_flow` reads the rules: it follows secrets by value and by control, and proves that what a
player is offered, or that they are asked at all, depends on nothing hidden from them. What it does not know it refuses
to prove. `leaks` plays: it exchanges components a seat cannot tell apart and looks whether the seat would notice.
"""
