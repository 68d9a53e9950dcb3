"""Pages on how a file is written: editions, indentation, signs, brackets, sizes."""

PAGES = """
= missing-edition
The first line of a file says in which edition of the language it is written, so that the file keeps its meaning
when the language grows.
- wrong whole
game "A game"
+ right
rules 1
game "A game"
players 2

= unknown-edition
There is no such edition of the language. This version reads edition 1.
- wrong whole
rules 7
game "A game"
+ right
rules 1
game "A game"
players 2

= tab-in-indentation
Lines are indented with spaces, two a level. A tab is as wide as each editor likes, so nobody could see what
belongs to what.
- wrong
step refill
\tdraw up to 1 from stock to hand
phase play: one turn each from 1
  choose pass
  do refill
+ right
step refill
  draw up to 1 from stock to hand
phase play: one turn each from 1
  choose pass
  do refill

= uneven-indentation
A line stands deeper or less deep than its neighbours, so that it is not clear what it belongs to. All lines
that belong to one line are indented alike.
- wrong
phase play: one turn each from 1
    choose pass
  end turn
+ right
phase play: one turn each from 1
  choose pass
  end turn

= unexpected-indentation
This line is indented, but there is nothing above it that it could belong to. A piece starts at the very left;
only what belongs to it is indented.
- wrong
number passes: 0..2 = 0
  choose pass
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

= too-deep
Brackets, indented lines or definitions that rest on each other go too deep for anybody to follow. Give the
inner part a name with `define` or `step`.
- wrong
define deep = @(80* not) yes
+ right
define deep = not yes
always "nothing": not deep

= file-too-large
A file has at most 20,000 lines and a million characters.
- wrong whole
rules 1
@20001 #
+ right
rules 1
game "A game"
players 2

= line-too-long
A line has at most 2,000 words and signs, together with the lines below on which it goes on.
- wrong
define many = 1 @(2001* + 1)
+ right
define many = 2001 * 1
always "many": count of stock < many

= too-many-errors
After a hundred mistakes the reader stops. Most of them usually have one cause near the top: mend the first
ones.
- wrong whole
rules 1
@150 shuffel stock
+ right
rules 1
game "A game"
players 2

= unclosed-text
A text starts with `"` and has no second `"` on its line.
- wrong
always "the stock is there: count of stock >= 0
+ right
always "the stock is not used up": count of stock >= 1

= curly-quotes
Word processors bend quotes. The language knows only the straight ones: `"`.
- wrong
always “the stock is not used up”: count of stock >= 1
+ right
always "the stock is not used up": count of stock >= 1

= pasted-sign
A dash, a special space or an invisible sign stands where it cannot be read. Text that was pasted from a PDF or
a web page brings such signs; type the place again.
- wrong
define left_over = count of stock – 1
always "one": left_over >= 0
+ right
define left_over = count of stock - 1
always "one": left_over >= 0

= wrong-sign
A sign from a programming language, or a sign in a place where it means nothing. Two things are compared by `=`,
`is not`, `<`, `<=`, `>`, `>=`; conditions are joined by `and` and `or`; a value is changed by `becomes`.
- wrong
always "four": count of stock == 4
+ right
always "four": count of stock = 4

= decimal-number
Numbers are whole numbers and fractions, so that every result is exact. Instead of a decimal point, divide.
- wrong
score at end
  points = 0.5
+ right
score at end
  points = 1 / 2

= number-too-large
A number has at most 15 digits.
- wrong
define much = 99999999999999999999
always "much": count of stock < much
+ right
define much = 99999999
always "some": count of stock + much > 7

= unclosed-bracket
A bracket is opened and not closed, closed and not opened, or closed by a bracket of another kind.
- wrong
score at end
  points = 2 * (count of hand + 1
+ right
score at end
  points = 2 * (count of hand + 1)

= missing-title
A rulebook has a title, by which reports and traces call it.
- wrong whole
rules 1
players 2
phase play: one turn each from 1
  choose pass
action pass
score at end
  points = 1
ranking: highest total, ties share
+ right
rules 1
game "Two passes"
players 2
phase play: one turn each from 1
  choose pass
action pass
score at end
  points = 1
ranking: highest total, ties share

= missing-players
It is not said how many may play: one number, or a range like `2..5`.
- wrong whole
rules 1
game "Two passes"
phase play: one turn each from 1
  choose pass
action pass
score at end
  points = 1
ranking: highest total, ties share
+ right
rules 1
game "Two passes"
players 2
phase play: one turn each from 1
  choose pass
action pass
score at end
  points = 1
ranking: highest total, ties share

= unfaithful-layout
`rulesrun fmt` reads what it has laid out before it writes it. Here the new text would not have said the same as the
old one, so the file was left as it is. This is a fault of rulesrun itself, not of the rules: please report it with the
file. Until it is mended, simpler lines may help, with a `define` for a part of them.
- wrong play
define is_over = not (not (stock is empty) and not (count of stock = 1))
+ right
define last_is_left = count of stock = 1
define is_over = stock is empty or last_is_left

= asked-too-early
Options, components, zones, keys and ranges are settled before the game. They may ask for `players`, for options that
stand above them, and for components that do not rest on them; nothing lies on the table yet, and it is nobody's turn.
- wrong
option few: 1..99 = count of stock
number seen: 0..few = 0
phase play: one turn each from 1
  choose pass
  seen becomes few
+ right
option few: 1..99 = count of Card
number seen: 0..few = 0
phase play: one turn each from 1
  choose pass
  seen becomes few
"""
