"""What the tool can do: options in, findings out. A service is named as its command; the modules beside it hold what
several services share. The command line, the Python API, the pages and the pytest plugin call them; none prints.

Most findings get their words in `rulesrun.report`. The plain form's are written here: `reports`, and `stories` for
games that fail.
"""
