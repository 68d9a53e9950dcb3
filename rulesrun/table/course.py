"""One game as it is played at a table: answers in, what each seat remembers out. Chance follows from the seed.

Knows nothing of messages. What was answered is kept, so that the game can go back to any of its decisions.
"""

from __future__ import annotations

from attrs import define, field, frozen

from rulesrun.interpreter.model.instructions import AskTogether
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import PC, PLAYER, Fault, State, fault
from rulesrun.interpreter.play.game_loop import MOST_BY_CHANCE, MOST_DECISIONS, endless_chance_fault
from rulesrun.interpreter.play.step import ChanceDecision, GameOver, PlayerDecision, make_option, pending_decision
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.records.recall import History, ReferenceRecall, Told


@frozen(eq=False)
class Asking:
    """What is to be answered now, by whom (0: the team). Several: they choose at the same moment."""

    decisions: dict[int, PlayerDecision]
    is_together: bool = False
    is_known_who: bool = True  # who is asked follows from what everybody sees


@define(eq=False)
class Decided:
    """One answered decision: where the answers were before it, and how far chance had come. Those that were made at
    once share their marks."""

    seat: int
    answers: int
    marks: dict[str, int]


@define(eq=False)
class Course:
    table: Table
    seed: int
    chance: Streams | None = None  # in place of what follows from the seed
    recall: ReferenceRecall = field(init=False)
    streams: Streams = field(init=False)
    answers: list[int] = field(init=False, factory=list)  # of players the option, of chance the number thrown
    decided: list[Decided] = field(init=False, factory=list)
    asking: Asking | None = field(init=False, default=None)
    over: GameOver | None = field(init=False, default=None)
    broken: Fault | None = field(init=False, default=None)
    _told: Told = field(init=False)
    _asked_marks: dict[str, int] = field(init=False, factory=dict)  # how far chance had come when this was asked

    def __attrs_post_init__(self) -> None:
        self.recall = ReferenceRecall(self.table, first=0, keeps_offers=False)
        self.streams = self.chance or Streams(self.seed)
        self._told = self.recall.begin_game()
        self._go_on()

    @property
    def state(self) -> State:
        return self._told[0]

    def history(self, seat: int) -> History:
        """All that the seat remembers; 0: who only watches."""
        return self._told[1].histories[seat]

    # ---- forward

    def apply(self, choices: dict[int, int]) -> None:
        """An option for everybody who is asked."""
        assert self.asking is not None
        try:
            marks, asking = self._asked_marks, self.asking
            for seat, question in asking.decisions.items():
                if len(self.decided) >= MOST_DECISIONS:
                    raise fault("too-long", "the game goes on and on", self.table.program.game.span)
                self.decided.append(Decided(seat, len(self.answers), marks))
                self.answers.append(choices[seat])
                known = None if asking.is_together else question
                self._told = self.recall.follow_answer(self._told, choices[seat], known)
            self._go_on()
        except Fault as problem:
            self.asking, self.broken = None, problem

    def _go_on(self) -> None:
        """Chance, until somebody is asked or the game is over."""
        try:
            for _ in range(MOST_BY_CHANCE):
                question = pending_decision(self.table, self.state)
                if not isinstance(question, ChanceDecision):
                    break
                self.answers.append(self.streams.random_below(question.total, question.stream))
                self._told = self.recall.follow_answer(self._told, question.index_at_weight(self.answers[-1]), question)
            else:
                raise endless_chance_fault(self.table.program.game.span)
        except Fault as problem:
            self.asking, self.broken = None, problem
            return
        if isinstance(question, GameOver):
            self.asking, self.over = None, question
        else:
            self.asking, self._asked_marks = self._find_asked(question), self.streams.stream_states()

    def _find_asked(self, question: PlayerDecision) -> Asking:
        wait = self.table.waits[self.state.slots[PC]]
        if not isinstance(wait, TogetherWait):
            return Asking({question.player: question})
        decisions = {}
        for seat in question.together or ():
            S = self.table.to_slots(self.state)
            S[PLAYER] = seat
            options = tuple(make_option(self.table, wait, key) for key in wait.list_options(S))
            if options:
                decisions[seat] = PlayerDecision(seat, question.together, options)
        return Asking(decisions, True, is_known_who(self.table, wait))

    # ---- back

    def count_chance_since(self, decision: int) -> int:
        """How often chance was asked since a decision was answered."""
        return len(self.answers) - self.decided[decision].answers - (len(self.decided) - decision)

    def go_back(self, decision: int) -> None:
        """To before the decision of this number was answered; of several at once, before the first of them."""
        kept = self.answers[: self.decided[decision].answers]
        self.streams = self.streams.resume_at(self.decided[decision].marks)
        del self.decided[decision:]
        self.answers = kept
        self.over = self.broken = None
        self._told = self.recall.begin_game()
        for number in kept:
            question = pending_decision(self.table, self.state)
            index = question.index_at_weight(number) if isinstance(question, ChanceDecision) else number
            self._told = self.recall.follow_answer(self._told, index, question)
        self._go_on()


def is_known_who(table: Table, wait: DecisionWait) -> bool:
    """Whether everybody can work out who takes part: nobody is left out for what only some can see."""
    asked = table.operations[wait.pc].instruction
    if wait.if_possible or wait.otherwise is not None or not isinstance(asked, AskTogether):
        return False
    return asked.condition is None or not table.bench.names_secrets(asked.condition)
