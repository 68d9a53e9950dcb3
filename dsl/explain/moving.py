"""Pages on components that cannot be moved or seen as the rules want it, which shows only when the game is played."""

PAGES = """
= not-known-yet
A shuffled pile has no order until it is drawn from: what is on top of it is decided by the draw, even where
everybody could look. So it is with `item k of` it, and with the `position` of a component in it. What is put on or
under the pile afterwards lies where it was put. A pile into which everything is shuffled is told beforehand, in a
warning.
- wrong play
zone open_pile: pile of Card, public
setup
  shuffle all Card into open_pile
  deal 2 from open_pile to each hand
phase play: one turn each from 1
  choose pass
  if rank of top of open_pile = 1
    end phase
+ right
zone open_pile: pile of Card, public
setup
  shuffle all Card into stock
  draw 1 from stock to open_pile
phase play: one turn each from 1
  choose pass
  if rank of top of open_pile = 1
    end phase

= no-such-component
At this table (with these options, this number of players) there is no such component.
- wrong play
option highest_rank: 2..4 = 2
card Card: rank 1..highest_rank
zone stock: pile of Card, hidden
setup
  shuffle all Card into stock
can happen "it is there": some c in stock has c in {4}
+ right
option highest_rank: 2..4 = 2
card Card: rank 1..highest_rank
zone stock: pile of Card, hidden
setup
  shuffle all Card into stock
can happen "it is there": some c in stock has rank of c = 4

= zone-full
More components would lie in a zone than its `up to` allows, or a `place` would hold two.
- wrong play
zone shown: place of Card, public
phase play: one turn each from 1
  choose pass
  draw 1 from stock to shown
+ right
zone shown: pile of Card, public
phase play: one turn each from 1
  choose pass
  draw 1 from stock to shown

= empty-zone
Something is to be drawn from a zone that is empty. Write `draw up to`, or ask first whether something is there.
- wrong play
phase play: one turn each from 1
  choose pass
  draw 3 from stock to hand
+ right
phase play: one turn each from 1
  choose pass
  draw up to 3 from stock to hand

= nothing-to-draw
Nothing in the zone satisfies the condition of the draw. Write `draw up to`, or ask first.
- wrong play
phase play: one turn each from 1
  choose pass
  draw 1 from stock where rank > 3 to hand
+ right
phase play: one turn each from 1
  choose pass
  draw up to 1 from stock where rank > 3 to hand

= too-few
Some components are to be moved, and there are not so many of them.
- wrong play
token Chip: worth 1..1, 9 of each
zone bank: pile of Chip, public
zone chips of player: pile of Chip, public
setup
  move all Chip to bank
phase play: one turn each from 1
  choose pass
  move 5 of bank to chips
+ right
token Chip: worth 1..1, 9 of each
zone bank: pile of Chip, public
zone chips of player: pile of Chip, public
setup
  move all Chip to bank
phase play: one turn each from 1
  choose pass
  move 4 of bank to chips

= not-alike
Some of several components are to be moved, and they are not all alike: it matters which. Let somebody choose,
or draw; or say which, as in `the c in hand with lowest rank of c`. Where they should be alike, declare copies,
`piece Disc: owner player, 21 of each`, instead of a number for each.
- wrong play
phase play: one turn each from 1
  choose pass
  move 1 of hand to stock
+ right
phase play: one turn each from 1
  choose put
action put(card from hand)
  move card to stock

= not-shuffled
Only what lies in a pile, or an `order`, can be shuffled. A row shows its order to whoever sees it, and what is `sorted
by` something always has the same one.
- wrong
zone line: row of Card, public
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to line
  shuffle line
+ right
zone discard: pile of Card, hidden
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to discard
  shuffle discard

= not-a-place
Components can be moved to zones only, and what is drawn comes to lie on top.
- wrong play
zone discard: pile of Card, hidden
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to bottom of discard
+ right
zone discard: pile of Card, hidden
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to discard

= nowhere
A component is to be moved that lies in no zone (any more).
- wrong play
phase play: one turn each from 1
  choose put
action put(card from hand)
  move all hand to stock
  move card to hand of left of player
  move all hand to stock
  draw 1 from stock to hand
+ right
phase play: one turn each from 1
  choose put
action put(card from hand)
  move card to stock
  draw 1 from stock to hand
"""
