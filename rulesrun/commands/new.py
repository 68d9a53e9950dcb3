"""`rulesrun new NAME`: a first rules file that runs. What is there already stays as it is."""

from __future__ import annotations

import os

from rulesrun.dsl.text.messages import message
from rulesrun.files.atomic_files import write_atomically
from rulesrun.locale.language import translate
from rulesrun.services.new import make_first_text, name_file
from rulesrun.terminal.output import print_json, print_text
from rulesrun.terminal.requests import NewRequest
from rulesrun.terminal.trouble import Trouble


def run(request: NewRequest) -> int:
    name = request.files[0]
    if name in ("", "-") or not os.path.basename(name):
        raise Trouble(message("`{name}` cannot be the name of a file", name=name))
    file = name_file(name)
    text = make_first_text(name, request.origin)
    if os.path.lexists(file):
        raise Trouble(message("{file} already exists; choose another name", file=file))
    write_atomically(file, text)
    if request.json:
        print_json({"file": file})
    elif not request.quiet:
        print_text(translate(message("{file}: play it with `rulesrun play {file}`, check it with `rulesrun {file}`",
                                     file=file)))  # fmt: skip
    return 0
