"""What is written short, spelled out before anybody checks or plays it: engines and proofs know what it stands for.

The lines keep their places in the file, so whatever is told of them shows what the author wrote.
"""
