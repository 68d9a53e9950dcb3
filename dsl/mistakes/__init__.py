"""What an author probably meant by a line the grammar does not take.

The parser knows only where it stopped and what could have followed. Each module here holds one family of slips: it
takes that place and gives a message with a correction, or nothing. The first family that recognises the slip wins.
"""
