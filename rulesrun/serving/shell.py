"""`rulesrun completion SHELL`: the script by which a shell completes our words; `completion set FILE` answers it.
`rulesrun man`: the manual page.
"""

from __future__ import annotations

from rulesrun.dsl.text.messages import message
from rulesrun.shell.candidates import SHELLS, SUBJECTS
from rulesrun.shell.manual import write_manual
from rulesrun.terminal.output import print_text
from rulesrun.terminal.requests import CompletionRequest, ManualRequest
from rulesrun.terminal.trouble import WrongUse


def run(request: CompletionRequest | ManualRequest) -> int:
    if isinstance(request, ManualRequest):
        print_text(write_manual(), end="")
        return 0
    asked, *files = request.files
    if asked in SHELLS:
        print_text(_write_script(asked), end="")
    elif asked in SUBJECTS.values():
        from rulesrun.shell.answers import list_answers

        for line in list_answers(asked, tuple(files)):
            print_text(line)
    else:
        raise WrongUse(message("there is no completion for `{shell}`, only for {shells}", shell=asked, shells=SHELLS))
    return 0


def _write_script(shell: str) -> str:
    from rulesrun.shell.bash import write_bash
    from rulesrun.shell.fish import write_fish
    from rulesrun.shell.zsh import write_zsh

    return {"bash": write_bash, "zsh": write_zsh, "fish": write_fish}[shell]()
