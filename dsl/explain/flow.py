"""Pages on what the checker thinks about: what is never used, never legal, never reached, seen by the wrong people."""

PAGES = """
= unused-name
This is declared and used nowhere. Either it is left over, or something was forgotten.
- wrong
number lap: 0..2 = 0
+ right
number lap: 0..2 = 0
phase play: turns from 1 until lap = 2
  choose pass
action pass
  lap increases by 1

= unknown-label
A label in `words` is for a name that nothing in the rules has, so nobody would ever read it. Mostly it is misspelt.
- wrong
words en
  pas: "do nothing"
+ right
words en
  pass: "do nothing"

= unknown-look
A `look` tells a page how things are drawn: their `colours`, `symbols` or `layout`. This one cannot be drawn, so nothing
would come of it.
- wrong
look colours
  stock: "reddish"
+ right
look colours
  stock: "#a3271c"

= same-for-all
What is asked of each of several does not look at which one it is, so all give the same. The number or place of a
player, named alone, is that of `player`, whose turn it is.
- wrong
number chips of player: 0..9 = 0
always "few": sum of chips over players < 20
+ right
number chips of player: 0..9 = 0
always "few": sum of chips of p over p in players < 20

= shadowed-name
A name hides another one that could be meant at the same place. Give one of them another name.
- wrong
define few = 3
define at_most(few 0..9) = count of hand <= few
always "few": at_most(few) of 1
+ right
define few = 3
define at_most(n 0..9) = count of hand <= n
always "few": at_most(few) of 1

= always-true
This condition holds whatever happens, so it says nothing. Perhaps another one was meant.
- wrong
phase play: one turn each from 1
  if players >= 2
    choose pass
+ right
phase play: one turn each from 1
  if count of hand >= 2
    choose pass

= always-false
This condition never holds, whatever happens. What depends on it never comes.
- wrong
phase play: one turn each from 1
  if players > 2
    choose pass
+ right
players 2..4
phase play: one turn each from 1
  if players > 2
    choose pass

= may-leave-range
This number can leave its range here. Ask before changing it, widen the range, or write `clamped` if it is to
stop at its bounds.
- wrong
number steps: 0..3 = 0
phase play: one turn each from 1
  choose pass
action pass
  steps increases by 2
+ right
number steps: 0..3 = 0
phase play: one turn each from 1
  choose pass
action pass
  if steps < 2
    steps increases by 2

= never-legal
This action can never be chosen: what it needs never holds.
- wrong
phase play: one turn each from 1
  choose pass or stop
action pass
action stop
  needs players > 2 because "only with three"
  end game
+ right
players 2..3
phase play: one turn each from 1
  choose pass or stop
action pass
action stop
  needs players > 2 because "only with three"
  end game

= action-never-offered
No `choose` names this action, so nobody can ever choose it.
- wrong
action stop
  end game
+ right
phase play: one turn each from 1
  choose pass or stop
action pass
action stop
  end game

= phase-never-reached
The game never comes to this phase: its condition never holds, or everything ends before it.
- wrong
phase play: one turn each from 1
  choose pass
phase last when players > 2: one turn each from 1
  choose pass
+ right
players 2..3
phase play: one turn each from 1
  choose pass
phase last when players > 2: one turn each from 1
  choose pass

= phase-never-left
Nothing ends this loop: it has no `until` that could come true, and nothing in it ends the phase, the round or
the game.
- wrong
phase play: turns from 1
  choose pass
+ right
number passes: 0..4 = 0
phase play: turns from 1 until passes = 4
  choose pass
action pass
  passes increases by 1

= visibility-not-said
It is not said who sees what lies in this zone: `hidden` (nobody), `private` (its owner), `public` or `public
top`.
- wrong
zone discard: pile of Card
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to discard
+ right
zone discard: pile of Card, public
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to discard

= empty-choice
It can happen that somebody must choose and nothing is legal. Say what happens then: `choose … if possible`,
`choose …, else …`, or an action that can always be taken. If the rules make sure that something is legal, promise it:
`choose give, always possible`. Every game that is played and every position that is explored checks the promise.
- wrong
phase play: one turn each from 1
  choose give
action give(card from hand)
  needs rank of card = 1
  move card to stock
+ right
phase play: one turn each from 1
  choose give if possible
action give(card from hand)
  needs rank of card = 1
  move card to stock

= choice-runs-out
A choice from a zone of the player's own comes more often than anything can lie there: in every game somebody must
choose among nothing. Counted are deals and draws, turns that everybody has, and repetitions of a known number.
- wrong
zone heap: pile of Card, public
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
phase play: repeat 3 times
  one turn each from 1
    choose lay
action lay(card from hand)
  move card to heap
+ right
zone heap: pile of Card, public
setup
  shuffle all Card into stock
  deal 3 from stock to each hand
phase play: repeat 3 times
  one turn each from 1
    choose lay
action lay(card from hand)
  move card to heap

= identical-actions
Two actions of one choice have the same needs, the same choices and do the same. Nobody could tell them apart.
- wrong
phase play: one turn each from 1
  choose pass or wait
action pass
action wait
+ right
phase play: one turn each from 1
  choose pass or stop
action pass
action stop
  end phase

= nobody-chooses
Nobody ever chooses anything in this game.
- wrong
phase play: one turn each from 1
  draw up to 1 from stock to hand
+ right
phase play: one turn each from 1
  draw up to 1 from stock to hand
  choose pass

= turn-within-turn
What is kept `each turn` belongs to the outermost turn. Turns inside it ask players, and the outer turn goes on: nothing
is set back before each of them. Where a phase has turns among its lines, and none in its header, those are the turns:
what the phase has set above them is set back before the first of them.
- wrong
number laid: 0..40 = 0, each turn
phase play: one turn each from 1
  one turn each from left of player except player
    repeat until laid >= 2
      laid increases by 1
      choose pass
+ right
number laid: 0..40 = 0, each turn
phase play: one turn each from 1
  one turn each from left of player except player
    laid becomes 0
    repeat until laid >= 2
      laid increases by 1
      choose pass

= whose-alone
Every player has one of these, and it is named alone where it is nobody's turn: in a `setup`, in a phase without turns.
Then that of the starter is meant, which is seldom what the author had in mind.
- wrong
setup
  shuffle all Card into stock
  deal 2 from stock to hand
+ right
setup
  shuffle all Card into stock
  deal 2 from stock to each hand

= top-of-hidden
What lies on top of a hidden pile is known to nobody, so no rule can depend on it before it is drawn.
- wrong
phase play: one turn each from 1
  if stock is not empty and rank of top of stock = 1
    end phase
  choose pass
+ right
zone shown: pile of Card, public
phase play: one turn each from 1
  draw 1 from stock to shown
  if rank of top of shown = 1
    end phase
  choose pass

= secret-leak
What somebody may choose depends on components that this player cannot see, so the list of choices would tell.
- wrong
phase play: one turn each from 1
  choose pass or stop
action pass
action stop
  needs some c in stock has rank of c = 1
  end game
+ right
phase play: one turn each from 1
  choose pass or stop
action pass
action stop
  needs some c in hand has rank of c = 1
  end game

= undecided-tie
Two players can be equal by every criterion of the ranking, and nothing says what then. Add a criterion, or
`ties share`.
- wrong
ranking: highest total
+ right
ranking: highest total, ties share

= no-ranking
Points are counted, but it is not said who wins: the highest total is assumed.
- wrong whole
rules 1
game "Two passes"
players 2
phase play: one turn each from 1
  choose pass
action pass
score at end
  points = if player = starter then 1 else 0
+ right
rules 1
game "Two passes"
players 2
phase play: one turn each from 1
  choose pass
action pass
score at end
  points = if player = starter then 1 else 0
ranking: highest total, ties share

= not-enough-components
At some number of players the setup deals more than there is.
- wrong
setup
  shuffle all Card into stock
  deal 5 from stock to each hand
+ right
setup
  shuffle all Card into stock
  deal 4 from stock to each hand

= player-without-turn
Some player never gets to choose anything.
- wrong
phase play
  choose pass
+ right
phase play: one turn each from 1
  choose pass

= never-placed
These components never come to lie anywhere: the setup leaves all of them in the box.
- wrong
token Chip: worth 1..3
card Card: rank 1..8
zone stock: pile of Card, hidden
zone bank: set of Chip, public
setup
  shuffle all Card into stock
always "no more": count of stock + count of bank < 12
+ right
token Chip: worth 1..3
card Card: rank 1..8
zone stock: pile of Card, hidden
zone bank: set of Chip, public
setup
  shuffle all Card into stock
  move all Chip to bank
always "no more": count of stock + count of bank < 12

= double-component
How many copies there are is said twice: at the head of the table, and by its rows, of which each makes one component.
Write the copies at the end of a row.
- wrong
card Card: number 1..9, worth 0..5, 2 of each
  low: 1, 0
zone stock: pile of Card, hidden
setup
  shuffle all Card into stock
+ right
card Card: number 1..9, worth 0..5
  low: 1, 0, 2 of each
zone stock: pile of Card, hidden
setup
  shuffle all Card into stock

= double-label
Two words of a type are written alike outside, so that nobody could tell them apart.
- wrong
values Sign: plus "+", more "+"
marker sign: Sign
phase play: one turn each from 1
  choose name
action name(chosen in Sign)
  sign becomes chosen
+ right
values Sign: plus "+", minus "-"
marker sign: Sign
phase play: one turn each from 1
  choose name
action name(chosen in Sign)
  sign becomes chosen

= nobody-owns-it
Only what belongs to a player can be private: its owner sees it. What belongs to nobody is `hidden` or `public`.
- wrong
zone spare: pile of Card, private
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  draw 1 from stock to spare
+ right
zone spare of player: pile of Card, private
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
  deal 1 from stock to each spare

= unreachable
This never comes about, because what stands before it ends everything or decides every case.
- wrong
phase play: one turn each from 1
  choose pass
  end turn
  draw up to 1 from stock to hand
+ right
phase play: one turn each from 1
  choose pass
  draw up to 1 from stock to hand
  end turn
"""
