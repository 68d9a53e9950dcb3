"""Pages on what fits where: types, numbers of things, ranges, sizes."""

PAGES = """
= not-a-share
A share of all games is a whole number over another one, from 0/1 to 1/1.
- wrong
at most 3/2 of games "one has nothing": some p in players has total of p = 0
+ right
at most 1/2 of games "one has nothing": some p in players has total of p = 0

= wrong-type
Something of one kind stands where another kind is needed: a number where a player is expected, a zone where one
component is, a truth where a number is. The message says what was expected and what was found.
- wrong
always "turns": player = red
+ right
always "turns": player = 1 or player = 2

= not-a-collection
Several things are needed here (a zone, a list, a range, all values of a type), and this is a single one.
- wrong
always "some": count of 4 > 0
+ right
always "some": count of stock > 0

= not-a-zone
A zone is needed here: components can lie only in zones. Values are chosen with `in`, components with `from`.
- wrong
phase play: one turn each from 1
  choose name
action name(colour from Colour)
  marked becomes colour
marker marked: Colour
+ right
phase play: one turn each from 1
  choose name
action name(colour in Colour)
  marked becomes colour
marker marked: Colour

= not-callable
This takes nothing in brackets. Only definitions and tables with parameters do, and a few words of the language.
- wrong
always "some": stock(1) > 0
+ right
always "some": count of stock > 0

= not-assignable
Only numbers and markers can be changed. Zones change by moving components; options are fixed before the game;
definitions follow from other things.
- wrong
define held = count of hand
always "few": held of 1 < 9
phase play: one turn each from 1
  choose pass
  held becomes 3
+ right
number held of player: 0..9 = 0
phase play: one turn each from 1
  choose pass
  held becomes 3

= not-movable
It is not known where this component lies, so it cannot be taken from there. Move what was chosen `from` a zone,
what was drawn, the `top of` a zone, or what `each … in` a zone names.
- wrong
phase play: one turn each from 1
  choose put
action put(card in Card)
  move card to stock
+ right
phase play: one turn each from 1
  choose put
action put(card from hand)
  move card to stock

= not-per-player
This exists once, for all players together: it cannot be asked of one player, nor dealt to each.
- wrong
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  deal 1 from stock to each discard
zone discard: pile of Card, public
+ right
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to discard
zone discard: pile of Card, public

= missing-key
There are several of these, one for each key, and it is not said which one is meant.
- wrong
zone column[1..2]: row of Card, public
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to column
+ right
zone column[1..2]: row of Card, public
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to column[1]

= wrong-number-of-arguments
This takes another number of things in its brackets. They stand in the order in which they are declared.
- wrong
define at_most(n 0..9) = count of hand <= n
always "few": at_most(2, 3) of 1
+ right
define at_most(n 0..9) = count of hand <= n
always "few": at_most(2) of 1

= wrong-number-of-cases
A table that lists values without keys needs exactly one for each key of its first parameter.
- wrong
table worth(n 1..4): 10, 20, 30
always "worth": worth(1) < worth(2)
+ right
table worth(n 1..4): 10, 20, 30, 50
always "worth": worth(1) < worth(2)

= wrong-number-of-cells
A row of components has one value for each column, in the order of the columns.
- wrong
card Card: number 1..9, worth 0..5
  low: 1
  high: 9, 5
zone stock: pile of Card, hidden
setup
  shuffle all Card into stock
always "all there": count of stock = 2
+ right
card Card: number 1..9, worth 0..5
  low: 1, 0
  high: 9, 5
zone stock: pile of Card, hidden
setup
  shuffle all Card into stock
always "all there": count of stock = 2

= wrong-number-of-chances
A roll with chances needs one chance for each value, in the order of the values.
- wrong
marker coin: Colour
phase play: one turn each from 1
  roll coin with chances 2, 1, 1
  choose pass
+ right
marker coin: Colour
phase play: one turn each from 1
  roll coin with chances 2, 1
  choose pass

= wrong-players
The numbers of players that are allowed are not possible: the smaller number comes first, and at least one
plays.
- wrong
players 4..2
+ right
players 2..4

= wrong-zone-component
A zone holds components of one kind, and these are of another.
- wrong
card Card: rank 1..8
token Chip: worth 1..3
zone stock: pile of Card, hidden
zone bank: set of Chip, public
setup
  shuffle all Card into stock
  move all Chip to bank
  draw 1 from stock to bank
+ right
card Card: rank 1..8
token Chip: worth 1..3
zone stock: pile of Card, hidden
zone shown: set of Card, public
zone bank: set of Chip, public
setup
  shuffle all Card into stock
  move all Chip to bank
  draw 1 from stock to shown

= empty-range
The lower bound of this range is above the upper one, so that no number lies in it.
- wrong
number passes: 2..0 = 0
phase play: turns from 1 until passes = 2
  choose pass
action pass
  passes increases by 1
+ right
number passes: 0..2 = 0
phase play: turns from 1 until passes = 2
  choose pass
action pass
  passes increases by 1

= empty-table
A table has no cases, so that it never gives anything.
- wrong
table worth(n 1..4):
always "worth": worth(1) = 10
+ right
table worth(n 1..4): 1: 10, otherwise: 20
always "worth": worth(1) < worth(2)

= leaves-range
This value can never be in the range that it is for.
- wrong
number passes: 0..2 = 5
phase play: turns from 1 until passes = 2
  choose pass
action pass
  passes increases by 1
+ right
number passes: 0..2 = 0
phase play: turns from 1 until passes = 2
  choose pass
action pass
  passes increases by 1

= never-nothing
This value is always there; only a marker that was declared with `or nothing` can be nothing.
- wrong
marker passer: player
phase play: one turn each from 1
  choose pass
  passer becomes player
always "passed": passer is not nothing
+ right
marker passer: player or nothing
phase play: one turn each from 1
  choose pass
  passer becomes player
can happen "passed": passer is not nothing

= no-such-seat
There are fewer players than this number.
- wrong
phase play: one turn each from 3
  choose pass
+ right
phase play: one turn each from 2
  choose pass

= division-by-zero
Nothing can be divided by 0. When the number after `/`, `div` or `mod` can become 0, ask first.
- wrong
define half = count of hand / 0
always "half": half of 1 < 9
+ right
define half = count of hand / 2
always "half": half of 1 < 9

= too-many-components
There would be more components than a table can hold: at most 10,000 different ones and 100,000 in all.
- wrong
card Card: number 1..1000, side 1..1000
zone stock: pile of Card, hidden
setup
  shuffle all Card into stock
always "some": count of stock > 1
+ right
card Card: number 1..60
zone stock: pile of Card, hidden
setup
  shuffle all Card into stock
always "all": count of stock = 60

= too-many-keys
A zone, number or marker with keys exists once for every key, and there are too many keys.
- wrong
marker owner[1..200, 1..200]: player or nothing
phase play: one turn each from 1
  choose mark
action mark(row in 1..9, column in 1..9)
  owner[row, column] becomes player
+ right
marker owner[1..9, 1..9]: player or nothing
phase play: one turn each from 1
  choose mark
action mark(row in 1..9, column in 1..9)
  owner[row, column] becomes player

= too-many-values
A range has so many values that nobody could look at, or choose among, all of them.
- wrong
number bid of player: 0..9 = 0
phase play: one turn each from 1
  choose offer
action offer(amount in 1..99999999)
  bid becomes 1
always "offers": bid of 1 < amount_limit
define amount_limit = 10
+ right
number bid of player: 0..9 = 0
phase play: one turn each from 1
  choose offer
action offer(amount in 1..9)
  bid becomes amount
"""
