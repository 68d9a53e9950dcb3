"""What stands where in a rules file: its pieces, every name with what it means, as data for who reads or edits it.

Also of text that is half written: a piece that cannot be read is taken as it was when it could be read last.
"""
