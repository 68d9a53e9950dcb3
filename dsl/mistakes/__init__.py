"""What an author probably meant by a line the grammar does not take.

The parser knows only where it stopped and what could have followed. Each module here holds the slips about one subject:
its functions take that place and give a message with a correction, or nothing. `syntax_errors` asks them in order, and
the first that recognises the slip wins. What would be written is written whole wherever the file says enough, with its
own names (`DeclaredWords`), for whoever follows a hint to the letter is to get a file that is right.
"""
