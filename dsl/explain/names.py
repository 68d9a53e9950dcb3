"""Pages on names: unknown ones, ones that are there twice, ones that cannot be used here."""

PAGES = """
= unknown-name
Nothing of that name is declared, and it is no name of the language. Mostly it is a slip of the pen; the hint
names what is near.
- wrong
always "few passes": pases <= 2
number passes: 0..2 = 0
phase play: turns from 1 until passes = 2
  choose pass
action pass
  passes increases by 1
+ right
always "few passes": passes <= 2
number passes: 0..2 = 0
phase play: turns from 1 until passes = 2
  choose pass
action pass
  passes increases by 1

= unknown-zone
There is no zone of that name. Every place where components can lie is declared with `zone`.
- wrong
setup
  shuffle all Card into stok
  deal 2 from stock to each hand
+ right
setup
  shuffle all Card into stock
  deal 2 from stock to each hand

= unknown-action
There is no action of that name. What can be chosen is declared with `action`.
- wrong
phase play: one turn each from 1
  choose pas
+ right
phase play: one turn each from 1
  choose pass

= unknown-property
An example says `then still "…"`, but no property has this title, or one that is counted over many games and cannot be
broken by one. `always`, `never`, `at end of …` and `after …` can.
- wrong
example "a pass changes nothing"
  when 1: pass
  then still "one card each"
+ right
always "two cards each": every p in players has count of hand of p = 2
example "a pass changes nothing"
  when 1: pass
  then still "two cards each"

= unknown-step
There is no step of that name. `do` needs the name of a `step`.
- wrong
phase play: one turn each from 1
  do a_tern
step a_turn
  choose pass
+ right
phase play: one turn each from 1
  do a_turn
step a_turn
  choose pass

= unknown-phase
There is no phase of that name.
- wrong
example "it starts with the play"
  then phase = plai
+ right
example "it starts with the play"
  then phase = play

= unknown-word
The type that is expected here has no such word. The hint names the nearest one.
- wrong
define reds = count of hand where colour = redd
always "few": reds of 1 < 5
+ right
define reds = count of hand where colour = red
always "few": reds of 1 < 5

= unknown-type
There is no type of that name. A type is a `values` name, the name of some components, a range like `1..5`,
`player`, or `yes or no`.
- wrong
define in_hand(c Color) = count of hand where colour = c
always "few": in_hand(red) of 1 < 5
+ right
define in_hand(c Colour) = count of hand where colour = c
always "few": in_hand(red) of 1 < 5

= unknown-component
There are no components of that name, or no component is written like this. A component is written as its
attributes side by side, in the order of their declaration, or by its name if it has one.
- wrong
example "the hand"
  given hand of 1: red 9
  then count of hand of 1 = 2
+ right
example "the hand"
  given hand of 1: red 3
  then count of hand of 1 = 2

= unknown-attribute
Components of this kind have no such attribute. What can be asked of them stands in their declaration.
- wrong
define highest_card = highest of value of c over c in hand
always "low": highest_card of 1 <= 4
+ right
define highest_card = highest of rank of c over c in hand
always "low": highest_card of 1 <= 4

= unknown-option
There is no option or reading of that name to be set.
- wrong
option fast: yes or no = no
require fast or players = 2
example "the fast game"
  set fest = yes
  then players = 2
+ right
option fast: yes or no = no
require fast or players = 2
example "the fast game"
  set fast = yes
  then players = 2

= unknown-memory
There is no memory of that name. Positions are kept in a `memory` and counted by `times(…)`.
- wrong
memory seen
phase play: turns from 1 until times(seen) = 2
  choose pass
action pass
  record player in sen
+ right
memory seen
phase play: turns from 1 until times(seen) = 2
  choose pass
action pass
  record player in seen

= ambiguous-word
Several types have this word, and nothing at this place says which of them is meant. Compare it with something,
or use it where one type is expected.
- wrong
values Sign: plus, minus
values Mark: plus, cross
define first_word = plus
marker sign: Sign
marker mark: Mark
always "words": sign = minus or mark = cross or first_word = plus
+ right
values Sign: plus, minus
values Mark: plus, cross
marker sign: Sign
marker mark: Mark
always "words": sign = plus or mark = cross

= duplicate-name
Two things have one name, so that nobody could say which of them is meant. In a variant, what the base has
already is replaced by writing `change` before it.
- wrong
number passes: 0..2 = 0
marker passes: player or nothing
phase play: turns from 1 until passes = 2
  choose pass
action pass
  passes increases by 1
+ right
number passes: 0..2 = 0
marker passer: player or nothing
phase play: turns from 1 until passes = 2 or passer = 2
  choose pass
action pass
  passes increases by 1
  passer becomes player

= reserved-name
This is a name of the language (`player`, `players`, `round`, `total` …). Something else of that name would hide
it.
- wrong
number round: 0..2 = 0
+ right
number lap: 0..2 = 0
phase play: turns from 1 until lap = 2
  choose pass
action pass
  lap increases by 1

= no-element
`it` is the component or value that a `where` or a body with `over` is looking at. Here nothing is being looked
at.
- wrong
always "low": rank of it <= 4
+ right
always "low": (count of hand of 1 where rank of it > 4) = 0

= before-outside-after
`before (…)` is the value before an action, so it makes sense only in a property that begins with `after`.
- wrong
always "as before": count of stock = before (count of stock)
+ right
after pass "as before": count of stock = before (count of stock)

= recursive-definition
A definition, step or action rests on itself, directly or by way of others. Nobody could ever work it out.
- wrong
define less = more - 1
define more = less + 1
always "more": more > less
+ right
define less = count of stock
define more = less + 1
always "more": more > count of hand of 1
"""
