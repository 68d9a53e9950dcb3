"""What is said at a table: whole sentences with named holes, by the name of what has happened."""

from __future__ import annotations

from collections.abc import Mapping

from rulesrun.dsl.text.messages import message, template
from rulesrun.locale.language import Language

SENTENCES: Mapping[str, str] = {
    # the log
    "you-chose": template("You: {choice}."),
    "team-chose": template("The team: {choice}."),
    "heard": template("Player {player}: {choice}."),
    "team-heard": template("The team: {choice}."),
    "moved": template("{component}: {origin} → {target}"),
    "came": template("{component} goes to {target}"),
    "gone": template("{component} leaves {origin}"),
    "came-several": template("{component} go to {target}"),
    "gone-several": template("{component} leave {origin}"),
    "came-unseen-alone": template("{count} unseen goes to {target}"),
    "gone-unseen-alone": template("{count} unseen leaves {origin}"),
    "moved-unseen": template("{count} unseen: {origin} → {target}"),
    "came-unseen": template("{count} unseen go to {target}"),
    "gone-unseen": template("{count} unseen leave {origin}"),
    "became": template("{name}: {value}"),
    "round": template("Round {round} begins."),
    "phase": template("Now: {phase}."),
    "shown": template("Shown from {zone}: {components}"),
    "shown-alone": template("Shown: {components}"),
    "shown-top": template("On top of {zone}, from above: {components}"),
    "told": template("Shown: {name} is {value}"),
    "shown-elsewhere": template("Somebody else is shown something."),
    "points": template("Points of round {round}, player {player}: {lines}"),
    "end": template("The game is over."),
    "end-scores": template("Player {player}: {score}, place {place}"),
    "result": template("Result: {result}"),
    "undone": template("Player {player} takes back a choice."),
    "rewound": template("The game goes back."),
    "undo-asked": template("Player {player} would like to take back a choice."),
    "undo-refused": template("The choice stays."),
    "bot-sits": template("{bot} plays for player {player}."),
    "person-sits": template("Player {player} plays."),
    "stopped": template("The rules do not say how the game goes on (line {line}): {rule}"),
    "zone-of-player": template("{zone} of player {player}"),
    "zone-of-you": template("{zone} (you)"),
    "player": template("player {player}"),
    "nothing": template("nothing"),
    # why not
    "game-over": template("the game is over"),
    "not-asked": template("you have nothing to choose now"),
    "not-your-turn": template("it is the turn of player {player}"),
    "others-choose": template("others are still choosing"),
    "no-such-question": template("there is no question {question}"),
    "question-is-closed": template("question {question} has been answered"),
    "no-such-option": template("there is no option {option}; they go from 0 to {last}"),
    "chosen-already": template("you have already chosen; the others are still thinking"),
    "no-such-action": template("there is no action `{action}`; there are: {actions}"),
    "no-such-choice": template("`{action}` has no choice called `{choice}`"),
    "choice-is-missing": template("`{action}` needs `{choice}`"),
    "choice-is-empty": template("nothing fits `{choice}`: the rules say `{rule}`"),
    "too-many-words": template("“{words}” cannot follow `{action}`"),
    "choice-is-impossible": template("`{choice}` cannot be {value}: the rules say `{rule}`"),
    "not-offered": template("the rules do not offer `{choice}` here"),
    "not-possible": template("`{choice}` is not possible now, for a reason that may be hidden from you"),
    "cannot-undo": template("there is nothing to take back"),
    "undo-waits": template("the others must agree first"),
    "nothing-to-agree": template("nobody has asked to take back a choice"),
    "no-such-seat": template("there is no seat {seat}"),
    "seat-is-taken": template("seat {seat} is played by {bot}"),
    "no-such-words": template("“{words}” is not one of the options; they begin with {actions}"),
    "several-options": template("“{words}” could be any of these options: {options}"),
    "it-is-offered": template("it is offered"),
}


def say_at_table(language: Language, key: str, **values: object) -> str:
    """The sentence in the language; in English where it has none."""
    return language.translate(message(SENTENCES[key], **values))
