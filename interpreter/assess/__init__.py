"""What good players show of a game, and how far it can be trusted.

**Who judges.** A claim about who is favoured, what is worth it or when a game is decided is a claim about people who
try to win. Players at random answer it wrongly, sometimes with the opposite sign. So a small game is solved, and a
larger one is played by the strongest search that the work allows; games at random are only set beside.

**Work is counted, not timed.** A few games of greedy players, which count for nothing else, say how many choices a
game has. From that follows, before the first game that counts, how far is searched and how many games are played. So
the same file, options and seed give the same bytes on a slow machine too, and nobody stops because of what was seen:
there is one look, at the end, and an interval for a fixed number of games holds as it says. Where the clock is
to end it, each kind of games has its part of the time. The game at hand when that is over is left out, whatever it
showed.

**Intervals** (`intervals`), all of 95 %. A share of wins has Wilson's for as many games as its spread is worth: a
shared first place spreads less than a win or a loss, and the seats of one deal, played by turns, are no games of their
own (the effective sample size of Kish, 1965). A mean has Student's. A difference of paired games has Student's too, but
where fewer than ten pairs differ, how often they may differ bounds it.

**The same deals.** A player who does without something plays the deals of the other games again, with the same chance.
As long as they would not have chosen it, theirs is the same game, so only the deals in which it was chosen are played
(common random numbers); all others add an exact nought. Several things are asked about at once, so each gets a wider
interval, and all of them hold together (Bonferroni).

**When it is decided** needs no points: a game is cut after a quarter, a half and three quarters of its choices, the
rest is played again with other chance, and it is asked how often the same player wins. Points are looked at only where
they are counted in the course of the game, for only those are known to the players.
"""
