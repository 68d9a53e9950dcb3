"""Completion for bash, 3.2 and newer; nothing else is needed."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.files.sources import bundled_names
from rulesrun.shell import candidates
from rulesrun.terminal.arguments import COMMANDS, OPTIONS

HEAD = r"""# Completion for bash. In ~/.bashrc: eval "$(rulesrun completion bash)"

_rulesrun_add() {  # candidates from standard input that begin with $1
  local line
  while IFS= read -r line; do
    [[ $line == "$1"* ]] && COMPREPLY+=("$(printf '%q' "$line")")
  done
}

_rulesrun_files() {  # files that the pattern $2 leaves, and folders
  local line
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -X "$2" -- "$1"; compgen -d -- "$1")
}

_rulesrun_rules() {
  _rulesrun_files "$1" '!*.rules'
  _rulesrun_add "$1" <<< "$_rulesrun_bundled"
}
"""

BODY = r"""
_rulesrun() {
  local current previous command=run file= at skip= word part
  local -a words=()
  COMPREPLY=()
  for ((at = 1; at <= COMP_CWORD; at++)); do  # bash breaks words at `=` and `:`; here they are whole again
    part=${COMP_WORDS[at]}
    if ((${#words[@]})) && [[ $part == [=:]* || ${COMP_WORDS[at - 1]} == [=:] ]]; then
      words[${#words[@]} - 1]+=$part
    else
      words+=("$part")
    fi
  done
  current=${words[${#words[@]} - 1]} previous=
  ((${#words[@]} > 1)) && previous=${words[${#words[@]} - 2]}
  ((${#words[@]} > 1)) && [[ " $_rulesrun_commands " == *" ${words[0]} "* ]] && command=${words[0]}
  at=-1
  for word in "${words[@]}"; do
    at=$((at + 1))
    ((at == ${#words[@]} - 1)) && break
    if [[ -n $skip ]]; then skip=
    elif [[ " $_rulesrun_valued " == *" $word "* ]]; then skip=yes
    elif [[ $word != -* ]] && ! { ((at == 0)) && [[ $command != run ]]; }; then file=$word; break
    fi
  done
  if [[ $current == --*=* ]]; then
    previous=${current%%=*} word=${current#*=}
    _rulesrun_value "$previous" "$word"
  elif [[ $previous == --* ]] && _rulesrun_value "$previous" "$current"; then
    :
  elif [[ $current == -* ]]; then
    _rulesrun_add "$current" < <(_rulesrun_options "$command")
  else
    _rulesrun_place "$command" "$current"
    ((${#words[@]} == 1)) && _rulesrun_add "$current" < <(printf '%s\n' $_rulesrun_commands)
  fi
  if [[ $current == *[=:]* ]]; then  # what is put in replaces what stands behind the last of them
    local before=${current%"${current##*[=:]}"} shown
    [[ $current == --*=* ]] && before=${before#*=}
    before=$(printf '%q' "$before")
    for at in "${!COMPREPLY[@]}"; do shown=${COMPREPLY[at]}; COMPREPLY[at]=${shown#"$before"}; done
  fi
}

complete -F _rulesrun rulesrun"""


def write_bash() -> str:
    lines = [HEAD]
    lines += ["_rulesrun_commands='" + " ".join(command.name for command in candidates.named_commands()) + "'"]
    lines += ["_rulesrun_valued='" + " ".join(candidates.list_valued_options()) + "'"]
    lines += ["_rulesrun_bundled='" + "\n".join(bundled_names()) + "'", ""]
    lines += ["_rulesrun_options() {  # of the command $1", "  case $1 in", *_option_cases(), "  esac", "}", ""]
    lines += ["_rulesrun_value() {  # of the option $1, as far as it is typed: $2", "  case $1 in", *_value_cases()]
    lines += ["    *) return 1 ;;", "  esac", "}", ""]
    lines += ["_rulesrun_place() {  # a word behind the command $1", "  case $1 in", *_place_cases(), "  esac", "}"]
    return "\n".join([*lines, BODY]) + "\n"


def _option_cases() -> Iterator[str]:
    for command in COMMANDS.values():
        names = " ".join(f"--{option.name}" for option in candidates.list_options(command))
        yield f"    {command.name}) printf '%s\\n' {names} ;;"


def _value_cases() -> Iterator[str]:
    for option in OPTIONS.values():
        if option.takes is not None:
            yield f"    --{option.name}) {_offer(candidates.find_option_candidates(option))} ;;"


def _place_cases() -> Iterator[str]:
    """Where several things follow one another, what comes first is what `$file` does not have yet."""
    for command in COMMANDS.values():
        places = candidates.list_places(command)
        if len(places) > 1 and places[0] != places[-1]:
            first, last = _offer(places[0]), _offer(places[-1])
            yield f"    {command.name}) if [[ -n $file ]]; then {last}; else {first}; fi ;;"
        elif places:
            yield f"    {command.name}) {_offer(places[0])} ;;"


def _offer(offered: candidates.Candidates) -> str:
    match offered:
        case candidates.Words(words=words):
            return f"""_rulesrun_add "$2" < <(printf '%s\\n' {" ".join(words)})"""
        case candidates.RulesFile():
            return '_rulesrun_rules "$2"'
        case candidates.AnyFile():
            return "_rulesrun_files \"$2\" ''"
        case candidates.Folder():
            return "_rulesrun_files \"$2\" '*'"
        case candidates.FromRules(subject=subject):
            return f'_rulesrun_add "$2" < <(command rulesrun completion {subject} $file 2>/dev/null)'
        case candidates.Anything():
            return ":"
