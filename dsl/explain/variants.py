"""Pages on variants: what they change, and what they build on."""

PAGES = """
= not-a-variant
`change`, `remove`, `set` and `add` change what stands in another file, so only a variant can use them. A
variant says in its second line of which file it is one.
- wrong
remove action pass
+ right
number lap: 0..2 = 0
phase play: turns from 1 until lap = 2
  choose pass
action pass
  lap increases by 1

= missing-base
The file that this is a variant of was not found. Its name is looked for beside the variant, then among the
bundled games.
- wrong whole
rules 1
variant "Three passes" of "nowhere.rules"
+ right
number lap: 0..2 = 0
phase play: turns from 1 until lap = 2
  choose pass
action pass
  lap increases by 1

= unknown-base
There is no file and no bundled rulebook of the name that the variant builds on.
- wrong whole
rules 1
variant "Three passes" of "zerro.rules"
+ right
number lap: 0..2 = 0
phase play: turns from 1 until lap = 2
  choose pass
action pass
  lap increases by 1

= base-cycle
A variant builds on itself, or on so many other variants that there is no end to it. Somewhere there must be
rules that stand alone.
- wrong whole
rules 1
variant "A circle" of "this-file-itself.rules"
+ right
number lap: 0..2 = 0
phase play: turns from 1 until lap = 2
  choose pass
action pass
  lap increases by 1

= nothing-to-change
The base has no such piece, row, line or option, so that there is nothing to change, remove or set.
- wrong variant
remove action exchange
+ right
change phase play: one turn each from 2

= changed-twice
One variant touches the same piece in two places. Say it in one.
- wrong variant
change phase play: one turn each from 2
change phase play: one turn each from starter
+ right
change phase play: one turn each from 2

= conflicting-variants
Two variants that are used together touch the same piece, so that their order would decide. Use one of them, or
make one a variant of the other.
- wrong variants
change phase play: one turn each from 2
+ right
change phase play: one turn each from 2
"""
