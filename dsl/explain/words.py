"""Pages on what stands in a line: unknown beginnings, misplaced lines, missing words and signs."""

PAGES = """
= unknown-piece
A line at the very left starts a piece of the rulebook: `game`, `players`, `card`, `zone`, `setup`, `phase`,
`action`, `score` and so on. This word starts none.
- wrong
zones discard: pile of Card, public
+ right
zone discard: pile of Card, public
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to discard

= unknown-statement
An indented line says what happens: `shuffle`, `deal`, `draw`, `move`, `choose`, `if`, `end turn`, `… becomes …`
and so on. This line starts like none of them.
- wrong
setup
  shufle all Card into stock
  deal 2 from stock to each hand
+ right
setup
  shuffle all Card into stock
  deal 2 from stock to each hand

= unknown-line
Below an example stand lines that begin with `players`, `set`, `given`, `next`, `when`, `then` or `todo`. And
where the name of a line of the score sheet is needed, as in `latest(points)`, only such a name can stand.
- wrong
example "two cards each"
  expect count of hand of 1 = 2
+ right
example "two cards each"
  then count of hand of 1 = 2

= misplaced-statement
What happens stands below a piece that says when: `setup`, a `phase`, a `step` or an `action`. At the very left
only pieces can stand; the indentation may have been forgotten.
- wrong
action pass
draw up to 1 from stock to hand
+ right
action pass
  draw up to 1 from stock to hand

= misplaced-piece
A piece (a zone, a number, an action …) starts at the very left. It cannot stand below another piece;
below `small` stand pieces, but no examples, labels or titles.
- wrong
phase play: one turn each from 1
  choose pass
  zone discard: pile of Card, public
+ right
phase play: one turn each from 1
  choose pass
  draw 1 from stock to discard
zone discard: pile of Card, public

= misplaced-needs
`needs` says when an action may be chosen. It stands below an `action`, before what the action does.
- wrong
phase play: one turn each from 1
  needs stock is not empty
  choose pass
+ right
phase play: one turn each from 1
  choose pass
action pass
  needs stock is not empty

= misplaced-otherwise
`otherwise` answers an `if` that stands right above it, indented alike. One `if` has one last `otherwise`.
- wrong
setup
  shuffle all Card into stock
  otherwise
    deal 2 from stock to each hand
+ right
setup
  shuffle all Card into stock
  if players = 2
    deal 2 from stock to each hand
  otherwise
    deal 1 from stock to each hand

= misplaced-except
`except` leaves a player out of `one turn each`. `turns` go round and round; there a player is left out with
`skipping`.
- wrong
number passes: 0..2 = 0
phase play: turns from 1 except 2 until passes = 2
  choose pass
action pass
  passes increases by 1
+ right
phase play: one turn each from 1 except 2
  choose pass

= misplaced-next
`one turn each` goes round the table once, to the left or `, to the right`. Where the rules say whose turn comes next,
`turns` go on from player to player until their `until` holds.
- wrong
number passes: 0..2 = 0
phase play: one turn each from 1, next player
  choose pass
action pass
  passes increases by 1
+ right
number passes: 0..2 = 0
phase play: turns from 1, next player until passes = 2
  choose pass
action pass
  passes increases by 1

= said-twice
The same thing is said twice about one piece. It is not clear which of the two holds.
- wrong
zone discard: pile of Card, public, hidden
+ right
zone discard: pile of Card, public
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to discard

= empty-body
This line needs lines below it, indented, that say what happens.
- wrong
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  if players = 2
+ right
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  if players = 2
    draw 1 from stock to hand of 1

= missing-colon
A `:` is missing: between the name of a piece and what is said about it, or after the title of a property.
- wrong
zone discard pile of Card, public
+ right
zone discard: pile of Card, public
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to discard

= missing-comma
A `,` is missing between two things that stand side by side.
- wrong
zone discard: pile of Card public
+ right
zone discard: pile of Card, public
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to discard

= missing-brackets
`where`, `has`, `else` and `over` take in everything up to the end of the line. When something is to be said
about the whole, put brackets around it.
- wrong
always "few": count of distinct rank over hand + 1 < 9
+ right
always "few": every p in players has (count of distinct rank over hand of p) + 1 < 4

= chained-comparison
Two comparisons cannot stand in a row. Join them with `and`, or ask whether something is in a range.
- wrong
always "some": 0 < count of stock < 8
+ right
always "some": count of stock in 1..7

= wrong-word
This word is nearly right, or means something else in this language: the message says which word is meant.
- wrong
always "some": count of stock is 4
+ right
always "some": count of stock = 4

= unexpected-word
The line is in order up to here, but this word cannot follow. The message says what can stand in its place.
- wrong
setup
  shuffle all Card into stock
  deal 2 stock to each hand
+ right
setup
  shuffle all Card into stock
  deal 2 from stock to each hand

= unfinished-line
The line stops before everything is said. The message says what is still to come.
- wrong
setup
  shuffle all Card into stock
  deal 2 from stock
+ right
setup
  shuffle all Card into stock
  deal 2 from stock to each hand

= bad-visibility
Only `public top` can be said of the top of a pile: the topmost component is seen by everybody, the others by
nobody.
- wrong
zone discard: pile of Card, hidden top
+ right
zone discard: pile of Card, public top
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to discard

= reserved-word
Words that can begin or join an expression (`count`, `some`, `if`, `and` …) cannot be names: a line with them
could be read in two ways.
- wrong
number count: 0..2 = 0
+ right
number first_count: 0..2 = 0
phase play: turns from 1 until first_count = 2
  choose pass
action pass
  first_count increases by 1
"""
