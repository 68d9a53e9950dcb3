"""`python -m rulesrun` is `rulesrun`."""

import sys

from rulesrun.cli import main

sys.exit(main())
