"""The language server: `rulesrun.editing` over the wire. Only positions and names are translated here.

One thread does everything. What changes is checked when the typing pauses; a request that the editor takes back
before its turn is never begun.
"""
