"""Completion for zsh, by its own `_arguments`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulesrun.files.sources import bundled_names
from rulesrun.shell import candidates
from rulesrun.terminal.arguments import COMMANDS, REPEATABLE, Command, Option

HEAD = r"""#compdef rulesrun
# Completion for zsh. In ~/.zshrc, behind compinit: eval "$(rulesrun completion zsh)"

_rulesrun_rules() {
  _alternative 'files:rules file:_files -g "*.rules(-.)"' "bundled:bundled rulebook:(($_rulesrun_bundled))"
}

_rulesrun_asked() {  # what the rules of this command line know about $1
  local word skip= file=
  for word in "${(@)words[2,CURRENT-1]}"; do
    if [[ -n $skip ]]; then skip=
    elif [[ " $_rulesrun_valued " == *" $word "* ]]; then skip=yes
    elif [[ $word != -* ]]; then file=${(Q)word}; break
    fi
  done
  local -a found
  found=("${(@f)$(command rulesrun completion $1 ${file:+"$file"} 2>/dev/null)}")
  compadd -a found
}
"""

BODY = r"""
_rulesrun() {
  local command=run
  local -a described=(
@commands@
  )
  if (( CURRENT == 2 )); then
    [[ $PREFIX == -* ]] || _describe command described
  elif [[ " @names@ " == *" $words[2] "* ]]; then
    command=$words[2]
    shift words
    (( CURRENT-- ))
  fi
  case $command in
@cases@
  esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _rulesrun "$@"; else compdef _rulesrun rulesrun; fi"""


def write_zsh() -> str:
    commands = candidates.named_commands()
    described = "\n".join(f"    {_quote(f'{command.name}:{command.says}')}" for command in commands)
    body = BODY.replace("@commands@", described).replace("@names@", " ".join(command.name for command in commands))
    body = body.replace("@cases@", "\n".join(line for command in COMMANDS.values() for line in _command_case(command)))
    valued = f"_rulesrun_valued='{' '.join(candidates.list_valued_options())}'"
    bundled = f"_rulesrun_bundled='{' '.join(bundled_names())}'"
    return "\n".join([HEAD, valued, bundled, body]) + "\n"


def _command_case(command: Command) -> Iterator[str]:
    yield f"    {command.name}) _arguments -S \\"
    for option in candidates.list_options(command):
        yield f"      {_option_spec(option)} \\"
    places = candidates.list_places(command)
    for number, place in enumerate(places, 1):
        where = str(number) if number < len(places) or command.most == number else "*"
        yield f"      {_quote(f'{where}:{_message(place)}:{_action(place)}')} \\"
    yield "      ;;"


def _option_spec(option: Option) -> str:
    again = "*" if option.name in (*REPEATABLE, "set", "with") else ""
    if option.takes is None:
        return _quote(f"--{option.name}[{_escape(option.says)}]")
    found = candidates.find_option_candidates(option)
    return _quote(f"{again}--{option.name}=[{_escape(option.says)}]:{option.takes}:{_action(found)}")


def _message(offered: candidates.Candidates) -> str:
    named = {candidates.RulesFile: "rules", candidates.AnyFile: "file", candidates.Folder: "folder"}
    return named.get(type(offered), "word")


def _action(offered: candidates.Candidates) -> str:
    match offered:
        case candidates.Words(words=words):
            return f"({' '.join(words)})"
        case candidates.RulesFile():
            return "_rulesrun_rules"
        case candidates.AnyFile():
            return "_files"
        case candidates.Folder():
            return "_files -/"
        case candidates.FromRules(subject=subject):
            return f" _rulesrun_asked {subject}"  # the blank: without what _arguments would put before it
        case candidates.Anything():
            return " "


def _escape(text: str) -> str:
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def _quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
