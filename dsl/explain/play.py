"""Pages on what shows only when the game is played: values, choices, sizes."""

PAGES = """
= nothing-used
A marker holds nothing, or nobody, at a moment when its value is needed. Ask `is not nothing` first.
- wrong play
marker passer: player or nothing
phase play: one turn each from left of passer
  choose pass
+ right
marker passer: player or nothing
phase play: one turn each from (if passer is nothing then 1 else left of passer)
  choose pass
  passer becomes player

= of-nothing
The top, the first, the best of something was asked for, and there was nothing. Ask `is not empty` first.
- wrong play
zone discard: pile of Card, public
phase play: one turn each from 1
  choose put
  if rank of top of discard = 1
    end phase
action put(n in 0..1)
  if n = 1
    draw 1 from stock to discard
+ right
zone discard: pile of Card, public
phase play: one turn each from 1
  choose put
  if discard is not empty and rank of top of discard = 1
    end phase
action put(n in 0..1)
  if n = 1
    draw 1 from stock to discard

= of-several
`the p in … where …` is the only one for which it holds; here it held for several. Say which of them: `with highest …`,
or of players `the first p from …`.
- wrong play
number bid of player: 0..3 = 1
phase play: one turn each from 1
  starter becomes the p in players where bid of p > 0
  choose pass
+ right
number bid of player: 0..3 = 1
phase play: one turn each from 1
  starter becomes the first p from left of starter where bid of p > 0
  choose pass

= no-value
This word of the language has no value by itself at this place. The message says what it needs.
- wrong play
define points_so_far = total
always "few": points_so_far of 1 <= 9
+ right
define points_so_far = counted(points)
always "few": points_so_far of 1 <= 9

= not-whole
A number is to become a fraction. Numbers on the table are whole; `div` rounds down.
- wrong play
number half: 0..9 = 0
phase play: one turn each from 1
  choose pass
  half becomes count of stock / 3
+ right
number half: 0..9 = 0
phase play: one turn each from 1
  choose pass
  half becomes count of stock div 3

= nothing-to-end
There is nothing of this kind that could end here: `end turn` stands outside all turns, for example.
- wrong play
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  end turn
+ right
phase play: one turn each from 1
  choose pass
  end turn

= no-entry
A table was asked for a key for which it has no case. Add the case, or `otherwise`.
- wrong play
table worth(n 0..8): 1: 10, 2: 20
score at end
  points = worth(count of stock)
+ right
table worth(n 0..8): 1: 10, 2: 20, otherwise: 30
score at end
  points = worth(count of stock)

= no-such-item
A list or row was asked for an item that it does not have.
- wrong play
score at end
  points = item 9 of list of rank over hand
+ right
score at end
  points = item 1 of list of rank over hand

= no-such-place
There is no zone or number with this key.
- wrong play
number left_in[1..3]: 0..9 = 0
score at end
  points = left_in[count of stock]
+ right
number left_in[1..4]: 0..9 = 0
score at end
  points = left_in[count of stock]

= no-such-player
A player was asked for who does not sit at this table: `hand of 3` with two players. Speak of all `players`, or let the
example say for how many it is.
- wrong play
players 2..3
score at end
  points = count of hand of 3
+ right
players 2..3
score at end
  points = if players = 3 then count of hand of 3 else 0

= no-values
A type has no values at this table, so that there is nothing to begin with, to choose or to roll.
- wrong play
option low: 1..3 = 3
number face: low..2
phase play: one turn each from 1
  roll face
  choose pass
+ right
option low: 1..3 = 3
number face: low..6
phase play: one turn each from 1
  roll face
  choose pass

= not-fixed
The size of a zone and the bounds of a number must be whole numbers that are known before the game begins. They
may depend on the number of players and on options, on nothing else.
- wrong play
zone shown: pile of Card, public, up to players / 4
phase play: one turn each from 1
  choose pass
  draw 1 from stock to shown
+ right
zone shown: pile of Card, public, up to 2 * players
phase play: one turn each from 1
  choose pass
  draw 1 from stock to shown

= not-over-yet
Final places are known only when the game is over.
- wrong play
phase play: one turn each from 1
  choose pass
  if place of player = 1
    end phase
+ right
phase play: one turn each from 1
  choose pass
at end of game "one comes first": some p in players has place of p = 1

= no-way-out
The game came to a position from which no end can be reached, whatever is chosen and whatever chance brings: every
position that can follow has been looked at. Say what ends it there.
- wrong play
marker stopped: yes or no = no
phase play: turns from 1 until stopped
  choose pass
+ right
marker stopped: yes or no = no
phase play: turns from 1 until stopped
  choose pass or stop
action stop
  stopped becomes yes

= too-long
The game was not over after very many decisions. Perhaps nothing brings it to an end.
- wrong play
number steps: 0..9 = 0
phase play: turns from 1 until steps = 9
  choose pass or go
action pass
action go
  if steps < 1
    steps increases by 1
+ right
number steps: 0..9 = 0
phase play: turns from 1 until steps = 9
  choose pass or go
action pass
  steps increases by 1
action go
  steps increases by 1

= too-large
The rules need a table that is too large: too many places, or numbers that grow without end.
- wrong play
marker owner[1..90, 1..90]: player or nothing
phase play: one turn each from 1
  choose mark
action mark(row in 1..90, column in 1..90)
  owner[row, column] becomes player
+ right
marker owner[1..9, 1..9]: player or nothing
phase play: one turn each from 1
  choose mark
action mark(row in 1..9, column in 1..9)
  owner[row, column] becomes player

= too-much-work
Working out whether something holds, or what may be chosen, takes so many steps that nobody would wait for it: a search
within a search within a search over large ranges. Ask of fewer, or count once what is asked again and again.
- wrong play
define found = some a in 1..5000 has some b in 1..5000 has some c in 1..5000 has a * b * c = -players
score at end
  points = if found then 1 else 0
+ right
define found = some a in 1..50 has a * a = players
score at end
  points = if found then 1 else 0

= too-many-options
There are more ways to choose than anybody could look through. Let fewer be chosen at once, or one after
another.
- wrong play
card Card: rank 1..60
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
setup
  shuffle all Card into stock
  deal 30 from stock to each hand
phase play: one turn each from 1
  choose put
action put(1..15 cards from hand)
  move all cards to stock
+ right
phase play: one turn each from 1
  choose put
action put(1..2 cards from hand)
  move all cards to stock

= too-many-orders
A random order of so many things has more outcomes than can be listed.
- wrong play
marker layout: order of 1..12
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  shuffle layout
always "numbers": layout[1] >= 1
+ right
marker layout: order of 1..5
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  shuffle layout
can happen "in order": layout[1] = 1

= wrong-chances
A roll with chances needs one chance for each value that is possible at this table.
- wrong play
option die: 2..6 = 2
number face: 1..die = 1
phase play: one turn each from 1
  roll face with chances 1, 1, 1, 1, 1, 3
  choose pass
+ right
option die: 2..6 = 2
number face: 1..die = 1
phase play: one turn each from 1
  roll face
  choose pass

= wrong-option
An option has, or was given, a value that it cannot have at this table.
- wrong play
players 2..3
option prize: 1..5 = 8 - players
score at end
  points = prize
+ right
players 2..3
option prize: 1..6 = 8 - players
score at end
  points = prize

= not-allowed-together
The options that were chosen are not allowed together: a `require` of the rules says so.
- wrong play
option fast: yes or no = yes
require players > 1 and not fast because "the fast game is not ready"
+ right
option fast: yes or no = no
require players > 1 and not fast because "the fast game is not ready"

= endless
Something goes on and on without anybody being asked: a `repeat` or turns whose end never comes.
- wrong play
number steps: 0..9 = 0
phase play: one turn each from 1
  choose pass
  repeat until steps = 5
    steps becomes (steps + 2) mod 10
+ right
number steps: 0..9 = 0
phase play: one turn each from 1
  choose pass
  repeat until steps = 5
    steps becomes (steps + 1) mod 10

= reference-engine
A note, neither error nor warning: there is no machine code for this line, so the reference engine plays these rules,
with the same results, some hundred times slower. Nothing is wrong with them. Where another way to say it has machine
code, the note says which.
- wrong play
rounds 2
number share: 1..500 = 4
score each round
  points = 1 + total / share
+ right
rounds 2
number share: 1..500 = 4
score each round
  points = 1 + total div share

= impossible-given
An example asks for a position that cannot be: more of a component than there are, more than there is room for,
or something that no game can lead to.
- wrong play
example "two of a kind"
  given hand of 1: red 3, red 3
  then count of hand of 1 = 2
+ right
example "two of a kind"
  given hand of 1: red 3, blue 3
  then count of hand of 1 = 2
"""
