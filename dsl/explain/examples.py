"""Pages on worked examples that do not come out as they say."""

PAGES = """
= failed-example
What the example says does not hold in the position it describes. What is not said is free: the example is played at
eight tables, with other deals and throws, and must hold at all of them, so say all that matters. The report shows the
values that were found, what chance has brought, and whose choice it is.
- wrong play
example "a hand of two"
  given hand of 1: red 1, red 2
  then (sum of rank over hand of 1) = 4
+ right
example "a hand of two"
  given hand of 1: red 1, red 2
  then (sum of rank over hand of 1) = 3

= not-the-turn
It is somebody else's choice, or nobody's; the message says whose. `given turn of 2` begins a turn of the phase whose
first line has the turns, unless that player is skipped or the phase is over; where the turns stand inside a phase, say
with whom it begins: `given phase play` and `given starter = 2`.
- wrong play
example "the second passes"
  when 2: pass
  then passes = 1
number passes: 0..9 = 0
action pass
  passes increases by 1
+ right
example "the second passes"
  given turn of 2
  when 2: pass
  then passes = 1
number passes: 0..9 = 0
action pass
  passes increases by 1

= illegal-move
What is done in the example is not legal there. The message says which `needs` line is against it.
- wrong play
action lay(given from hand)
  needs rank of given > 2 because "small ones stay"
  move given to stock
phase play: one turn each from 1
  choose lay if possible
example "a small one"
  given hand of 1: red 1, red 3
  when 1: lay(red 1)
+ right
action lay(given from hand)
  needs rank of given > 2 because "small ones stay"
  move given to stock
phase play: one turn each from 1
  choose lay if possible
example "a small one"
  given hand of 1: red 1, red 3
  then 1 cannot lay(red 1)
  when 1: lay(red 3)

= cannot-come
What chance is said to bring cannot come there: it lies elsewhere, or the question is another one. `next:` names what
comes in the order in which it is asked for.
- wrong play
zone drawn: row of Card, public
phase play: one turn each from 1
  choose pass
  draw 1 from stock to drawn
example "the next one"
  given hand of 1: red 1, red 2
  next: red 1
  when 1: pass
  then 2 can pass
+ right
zone drawn: row of Card, public
phase play: one turn each from 1
  choose pass
  draw 1 from stock to drawn
example "the next one"
  given hand of 1: red 1, red 2
  next: red 3
  when 1: pass
  then rank of top of drawn = 3

= never-used
Something is said in vain: chance never brings what `next:` names, a choice waits for players who have not chosen yet,
or the rules set anew what is given before anybody chooses. `given` says what the table is like when the moment begins;
then the rules do their part.
- wrong play
zone drawn: row of Card, public
phase play: one turn each from 1
  draw 1 from stock to drawn
  choose pass
example "the next one"
  given turn of 1
  next: red 1, red 2
  then rank of top of drawn = 1
+ right
zone drawn: row of Card, public
phase play: one turn each from 1
  draw 1 from stock to drawn
  choose pass
example "the next one"
  given turn of 1
  next: red 1, red 2
  when 1: pass
  then rank of top of drawn = 2
"""
