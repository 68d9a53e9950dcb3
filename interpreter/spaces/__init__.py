"""What may be answered at a table, before any game is played: all actions under fixed numbers, and what games are
worth. Learners and other people's tools need both; machine code numbers the same answers by the same tables.
"""
