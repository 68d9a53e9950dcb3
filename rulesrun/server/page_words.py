"""What the page says: whole sentences with named holes, by key. The page fills them; names come from the rules."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter

from rulesrun.dsl.text.messages import message, template
from rulesrun.locale.catalogue import list_languages, load_catalogue
from rulesrun.locale.language import Language

# Keys that the modules of `page/` ask for.
SENTENCES: Mapping[str, str] = {
    # the table
    "waiting": template("One moment …"),
    "round": template("Round {round}"),
    "over": template("The game is over"),
    "team-turn": template("The team decides"),
    "your-turn": template("Your turn"),
    "turn-of": template("It is player {player}'s turn"),
    "all-choose": template("All choose at once"),
    "seat": template("Player {player}"),
    "seat-you": template("Player {player} – you"),
    "away": template("away"),
    "thinks": template("thinking"),
    "choose-player": template("Choose player {player}"),
    "points": template("Points"),
    "take-back": template("Take over again"),
    "let-bot-play": template("Let a bot play for me"),
    "middle": template("The middle of the table"),
    "shown": template("Shown"),
    "top-of": template("top of {zone}"),
    "of-player": template("of player {player}"),
    "empty": template("empty"),
    "face-down": template("face down"),
    "your-choice": template("Your choice"),
    "held": template("Chosen. The others are still thinking."),
    "still-thinking": template("Still thinking: {players}"),
    "wait-for": template("Player {player} is thinking."),
    "undo": template("Take back"),
    "undo-asking": template("Take back …"),
    "undo-asks": template("The others are asked first."),
    "undo-wanted": template("Player {player} would like to take back a choice."),
    "agree": template("Agree"),
    "refuse": template("No"),
    "why-not": template("Why not?"),
    "why-can-i-not": template("Why can I not choose this?"),
    "ask-why": template("Ask the rules"),
    "is-offered": template("You can choose this now."),
    "close": template("Close"),
    "choose-now": template("Choose something highlighted."),
    "choose-secretly": template("Choose: nobody sees it until all have chosen."),
    "team-chooses": template("Anybody may choose for the team."),
    "go-on": template("and then?"),
    "ready": template("Press again to confirm."),
    "clear": template("Clear"),
    "all-options": template("Options ({count})"),
    "more-options": template("and {count} more"),
    "filter": template("Type an option"),
    "log": template("What has happened"),
    "all-tie": template("Everybody shares the same place"),
    "winner": template("Player {players} wins"),
    "winners": template("Players {players} share the victory"),
    "partners": template("Players {players} win together"),
    "you-win": template("You win!"),
    "sheet": template("Score sheet"),
    "place": template("Place"),
    "how-counted": template("How the points were counted"),
    "ranking": template("How ties were broken"),
    "stopped": template("The rules do not say how the game goes on"),
    # around the table
    "title": template("The rules"),
    "choose-rules": template("What shall we play?"),
    "find-rules": template("Find a game"),
    "players-of": template("Players: {players}"),
    "games": template("Games"),
    "classics": template("Classics"),
    "gallery": template("Boards and cards"),
    "variants": template("House rules"),
    "players": template("How many play"),
    "who-plays": template("Who plays"),
    "person": template("A person"),
    "you": template("Me"),
    "options": template("Options"),
    "readings": template("Where the rulebook is unclear"),
    "when-away": template("When somebody is away"),
    "away-wait": template("everybody waits"),
    "away-soon": template("a bot plays after 20 seconds"),
    "away-later": template("a bot plays after 2 minutes"),
    "sit-down": template("Start"),
    "invite": template("Invite the others"),
    "link-of": template("Link for player {player}"),
    "watch-link": template("Link to watch"),
    "copy": template("Copy"),
    "copied": template("Copied"),
    "qr": template("QR code"),
    "lost": template("Connection lost. Reconnecting …"),
    "again": template("Play again"),
    "to-next": template("To the next game"),
    "another": template("Another game"),
    "replay": template("Watch the game again"),
    "moment-of": template("Step {moment} of {count}"),
    "back-to-now": template("Back to now"),
    "first": template("To the start"),
    "before": template("Back"),
    "after": template("Forward"),
    "play-on": template("Play"),
    "pause": template("Pause"),
    "you-watch": template("You are watching."),
    "language": template("Language"),
    "colours": template("Colours"),
    "colours-auto": template("auto"),
    "colours-light": template("light"),
    "colours-dark": template("dark"),
    "no-table": template("There is no such table here."),
    "no-answer": template("The server does not answer."),
    "debug": template("All seats"),
    "rewind": template("Start a new table from here"),
    "copy-example": template("Copy this position as an example"),
    "skip": template("To the table"),
    "playground": template("Write rules"),
}  # fmt: skip


def page_language(code: str | None) -> str:
    return code if code in list_languages() else "en"


def speak(code: str) -> Language:
    return Language(code, load_catalogue(code), {})


def say_on_page(code: str, sentence: str, **values: object) -> str:
    return speak(page_language(code)).translate(message(sentence, **values))


def list_page_words(code: str) -> dict[str, str]:
    """Every sentence in the language, its holes as they are."""
    language = speak(page_language(code))
    return {key: language.translate(message(sentence, **keep_holes(sentence))) for key, sentence in SENTENCES.items()}


def keep_holes(sentence: str) -> dict[str, str]:
    """Each hole filled by itself: `{player}` stays `{player}`."""
    return {name: f"{{{name}}}" for _, name, _, _ in Formatter().parse(sentence) if name}
