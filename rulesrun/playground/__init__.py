"""Rules in a browser tab: an editor with help, games, a table, a link to share. A static folder, no server, no account.

`rulesrun playground DIR` writes it. Python runs in the browser (Pyodide, in a worker): `browser.py` answers there what
the page asks for, by `rulesrun.editing`, the command line and `rulesrun.table`. The page itself is `static/`: plain
modules, CodeMirror from the npm registry as Python is, and `<rules-table>` of the server.
"""
