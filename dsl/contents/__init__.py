"""What a rulebook declares, as plain answers for those who tell of it: nobody outside walks its tree for that.

Also what may be said otherwise in it: which sizes may be smaller (`small_tables`), what a house rule words anew or
leaves out (`rule_changes`). Whoever plays such rules is given programs and places.
"""
