"""Reading and checking without playing: a reading in, the same reading with all that is to be said of it out."""

from __future__ import annotations

from rulesrun.files.loading import Reading
from rulesrun.run.engine_choice import check_compilable, with_notes
from rulesrun.services.tables import smallest_table


def check_rules(reading: Reading) -> Reading:
    """Also whether machine code can be made of the rules."""
    table = smallest_table(reading.program) if reading.program is not None else None
    if table is not None:
        check_compilable(table)
    return with_notes(reading)
