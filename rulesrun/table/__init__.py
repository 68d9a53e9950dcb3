"""People and bots at one table: `Session`. Events in, for each seat the messages it may have out; no input or output.

One object serves the terminal, the server and a worker in a browser. A message follows from what its seat remembers
(`records.recall`) and from what is known to everybody who sits there; so nothing else can be read from it, neither
from its words nor from its number. The contract stands in `docs/table.md`.
"""
