"""Completion for fish."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.files.sources import bundled_names
from rulesrun.shell import candidates
from rulesrun.terminal.arguments import COMMANDS, Command

HEAD = r"""# Completion for fish. rulesrun completion fish > ~/.config/fish/completions/rulesrun.fish

set -g __rulesrun_commands @commands@
set -g __rulesrun_valued @valued@

function __rulesrun_command  # whether it is the command $argv[1] that is typed
    set -l words (commandline -opc)
    set -l command run
    if set -q words[2]; and contains -- $words[2] $__rulesrun_commands
        set command $words[2]
    end
    test $command = $argv[1]
end

function __rulesrun_files  # the words that are no options and no commands
    set -l words (commandline -opc)
    set -e words[1]
    if set -q words[1]; and contains -- $words[1] $__rulesrun_commands
        set -e words[1]
    end
    set -l skip
    for word in $words
        if test -n "$skip"
            set skip
        else if contains -- $word $__rulesrun_valued
            set skip yes
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

function __rulesrun_asked  # what the rules of this command line know about $argv[1]
    set -l files (__rulesrun_files)
    command rulesrun completion $argv[1] $files[1] 2>/dev/null
end

function __rulesrun_rules
    for path in (complete -C "'' "(commandline -ct))  # as any file, then those and folders alone
        string match -q -r '(/|\.rules)$' -- (string split \t -- $path)[1]; and echo $path
    end
    printf '%s\tbundled rulebook\n' @bundled@
end

complete -c rulesrun -f"""


def write_fish() -> str:
    commands = candidates.named_commands()
    head = HEAD.replace("@commands@", " ".join(command.name for command in commands))
    head = head.replace("@valued@", " ".join(candidates.list_valued_options()))
    head = head.replace("@bundled@", " ".join(bundled_names()))
    lines = [head]
    for command in commands:
        first = "test (count (commandline -opc)) -eq 1"
        lines.append(f"complete -c rulesrun -n '{first}' -a {command.name} -d {_quote(command.says)}")
    for command in COMMANDS.values():
        lines += _command_lines(command)
    return "\n".join(lines) + "\n"


def _command_lines(command: Command) -> Iterator[str]:
    start = f"complete -c rulesrun -n '__rulesrun_command {command.name}'"
    places = candidates.list_places(command)
    for number, place in enumerate(places):
        if number == 0 or place != places[number - 1]:
            behind = f"; and test (count (__rulesrun_files)) -{'ge' if number else 'lt'} {number or len(places)}"
            when = f"complete -c rulesrun -n '__rulesrun_command {command.name}{behind}'"
            repeats = place == places[-1] and command.most != len(places)
            yield f"{start if repeats and number == 0 else when} {_offer(place)}"
    for option in candidates.list_options(command):
        offer = "" if option.takes is None else f" {_offer(candidates.find_option_candidates(option))}"
        yield f"{start} -l {option.name} -d {_quote(option.says)}{offer}"


def _offer(offered: candidates.Candidates) -> str:
    match offered:
        case candidates.Words(words=words):
            return f"-x -a {_quote(' '.join(words))}"
        case candidates.RulesFile():
            return "-x -a '(__rulesrun_rules)'"
        case candidates.AnyFile():
            return "-r -F"
        case candidates.Folder():
            return "-x -a '(__fish_complete_directories)'"
        case candidates.FromRules(subject=subject):
            return f"-x -a '(__rulesrun_asked {subject})'"
        case candidates.Anything():
            return "-x"


def _quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
