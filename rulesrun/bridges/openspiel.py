"""A rulebook as a game of OpenSpiel: `pyspiel.load_game("rulesrun(rules=classics/kuhn)")`, after `register()`.

Chance is explicit, choices at the same moment come one after the other and hidden from each other. What is proved of
the scores is said of the game; what is not, is not. `pip install 'rulesrun[openspiel]'`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from math import factorial
from typing import Any
from weakref import WeakValueDictionary

import numpy
from attrs import define, field, frozen

from rulesrun.api import Chance, Decision, Position, Rulebook, load
from rulesrun.api.actions import Actions
from rulesrun.api.game_bounds import MOST_LOOKED_AT, GameBounds
from rulesrun.api.native_position import NativePosition
from rulesrun.api.reports import write_settings
from rulesrun.bridges.extras import import_tool
from rulesrun.bridges.features import Features
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.play.player_memory import announcement
from rulesrun.interpreter.play.step import PlayerDecision
from rulesrun.interpreter.play.visibility import can_see
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait, ValueWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.backward_induction import has_open_information
from rulesrun.interpreter.spaces.action_numbers import ActionSteps
from rulesrun.interpreter.spaces.choice_values import Selections
from rulesrun.interpreter.spaces.rewards import (
    KINDS_OF_REWARD,
    PLACE,
    TEAM,
    WIN,
    constant_sum,
    default_reward,
    rewards_at_end,
    team_sign,
)
from rulesrun.records.recall import answers_of

pyspiel = import_tool("pyspiel", "openspiel")

NAME = "rulesrun"
PARAMETERS = {"rules": "classics/kuhn", "players": 0, "options": "", "reward": "", "limit": MOST_LOOKED_AT}
LONGEST = 10_000  # decisions of a game of which nothing is proved; the engine stops there
MOST_IN_A_TENSOR = 200_000


def register() -> None:
    """Makes rulebooks known to `pyspiel.load_game`. Calling it again does nothing."""
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(make_game_type(None), RulesGame)


def load_game(
    rules: Rulebook | str, players: int | None = None, *, reward: str | None = None, limit: int = MOST_LOOKED_AT,
    **options: object,
) -> RulesGame:
    """The game of one table; takes a `Rulebook`, too, which `pyspiel.load_game` cannot. `reward`: `score`, `place`,
    `win` or `team`, as for PettingZoo. `limit`: how many positions are looked at, at most, to prove which scores there
    are."""
    register()  # so that what OpenSpiel keeps of the game can be read again
    rules = load(rules) if isinstance(rules, str) else rules
    game = TableGame.of_rules(rules, players, options, reward, limit)
    written = ";".join(f"{name}:{value}" for name, value in write_settings(options).items())
    params = {"rules": rules._reading.name, "players": game.players, "options": written, "reward": game.reward}
    return RulesGame({**params, "limit": limit}, game)


def read_options(written: str) -> dict[str, object]:
    """`first:lot;cards:5`."""
    pairs = [one.partition(":") for one in written.split(";") if one.strip()]
    return {name.strip(): value.strip() for name, _, value in pairs}


# ---- the table


@define(eq=False)
class TableGame:
    """What all states of one game share."""

    start: Position
    table: Table
    actions: Actions
    reward: str
    bounds: GameBounds
    many: Any
    features: tuple[Features, ...] = field(init=False)
    _steps: ActionSteps = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.features = tuple(Features(self.many.layout(seat, relative=True)) for seat in range(1, self.players + 1))
        self._steps = ActionSteps.of_table(self.actions._numbers)

    @staticmethod
    def of_rules(
        rules: Rulebook, players: int | None, options: Mapping[str, object], reward: str | None, limit: int
    ) -> TableGame:
        start = rules.start(players, options, engine="native")
        table = start._game.table
        reward = reward or default_reward(table.bench)
        if reward not in KINDS_OF_REWARD:
            raise ValueError(f"there is no reward `{reward}`; there are: {', '.join(KINDS_OF_REWARD)}")
        bounds = rules.bounds(table.players, limit=limit, **dict(options))
        many = rules.many(table.players, options)
        game = TableGame(start, table, many.actions, reward, bounds, many)
        LOADED[game.key] = game
        return game

    def __deepcopy__(self, known: object) -> TableGame:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return find_loaded_game, (self.key,)

    @property
    def key(self) -> str:
        return repr((self.start._game.identity, self.reward))

    @property
    def players(self) -> int:
        return self.table.players

    @property
    def has_chance(self) -> bool:
        return any(isinstance(wait, ChanceWait) for wait in self.table.waits.values())

    @property
    def total(self) -> Fraction | None:
        """What all rewards come to, if that is proved."""
        by_kind = constant_sum(self.reward, self.players)
        return self.bounds.total if by_kind is None and self.reward != TEAM else by_kind

    @property
    def reward_bounds(self) -> tuple[float, float]:
        if self.reward in (PLACE, WIN):
            return (-1.0 if self.reward == PLACE else 0.0), 1.0
        if self.bounds.lowest is None or self.bounds.highest is None:
            return float("-inf"), float("inf")
        times = self.players * team_sign(self.table.bench) if self.reward == TEAM else 1
        low, high = sorted((self.bounds.lowest * times, self.bounds.highest * times))
        return float(low), float(high)

    @property
    def most_outcomes(self) -> int:
        """Of one chance event."""
        amounts = [count_outcomes(wait) for wait in self.table.waits.values() if isinstance(wait, ChanceWait)]
        return max(amounts, default=0)

    # ---- tensors

    @property
    def frame_width(self) -> int:
        return self.features[0].width + self.choice_width

    @property
    def choice_width(self) -> int:
        """The action and each of its values one by one."""
        longest = max((len(own.choices) for own in self.actions._numbers.actions), default=0)
        return (1 + longest) * len(self._steps)

    @property
    def has_whole_tensor(self) -> bool:
        """Whether all that a player has seen at any decision fits into a tensor."""
        longest = self.bounds.longest
        return longest is not None and (longest + 1) * self.frame_width <= MOST_IN_A_TENSOR

    def see(self, positions: list[Position], player: int) -> Any:
        rows = numpy.stack([numpy.frombuffer(block_of(one), dtype=numpy.uint8) for one in positions])
        numbers = self.many.observe_numbers(numpy.ascontiguousarray(rows), player, relative=True)
        return self.features[player - 1].encode(numbers)

    def write_choice(self, wait: DecisionWait, question: PlayerDecision, index: int, player: int, to: Any) -> None:
        """What a player knows of a choice: of the own one all, of others' what is announced."""
        key = question.options[index].key
        own = self.actions._numbers.by_number[key[0]]
        is_own = max(question.player, 1) == player
        if not is_own and (isinstance(wait, TogetherWait) or announcement(wait, key) is None):
            return
        size = len(self._steps)
        to[self._steps.actions[key[0]]] = 1
        ready = wait.offers[key[0]].action.choices
        for at, (values, words, value) in enumerate(zip(own.choices, own.external, key[1:], strict=True), start=1):
            if is_own or not ready[at - 1].is_component:
                first = at * size + self._steps.sets[words[0]]
                is_list = not isinstance(values, Selections)
                for number, place in enumerate(values.list_marks(value)):
                    if place >= 0:
                        to[first + place] += 0.5**number if is_list else 1  # in a list, what comes later is less


LOADED: WeakValueDictionary[str, TableGame] = WeakValueDictionary()


def find_loaded_game(key: str) -> TableGame:
    """Of a state that was kept as bytes; its game is loaded first."""
    found = LOADED.get(key)
    if found is None:
        raise ValueError("the game of this state is not loaded: load it first, with the same rules and options")
    return found


def block_of(position: Position) -> bytes:
    if not isinstance(position, NativePosition):
        raise RuntimeError("this game left machine code for the reference; it has no tensor")
    return position._memory


def count_outcomes(wait: ChanceWait) -> int:
    match wait:
        case DrawWait():
            return len(wait.origin.kinds)
        case OrderWait():
            return factorial(len(wait.values))
        case ValueWait():
            return len(wait.values)
        case _:
            raise TypeError(f"an unknown chance event: {wait.what}")


def make_game_type(game: TableGame | None) -> Any:
    """Of a table what is known of it; of no table what holds for all."""
    kind = pyspiel.GameType
    utility, has_chance, is_open, has_tensor, long_name = kind.Utility.GENERAL_SUM, True, False, True, "Rules files"
    if game is not None:
        has_chance, is_open, has_tensor = game.has_chance, has_open_information(game.table), game.has_whole_tensor
        long_name = game.table.program.game.title
        if game.reward == TEAM:
            utility = kind.Utility.IDENTICAL
        elif game.total is not None:
            utility = kind.Utility.ZERO_SUM if game.total == 0 else kind.Utility.CONSTANT_SUM
    return kind(
        short_name=NAME, long_name=long_name, dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if has_chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION if is_open else kind.Information.IMPERFECT_INFORMATION,
        utility=utility, reward_model=kind.RewardModel.TERMINAL, max_num_players=99 if game is None else game.players,
        min_num_players=1 if game is None else game.players, provides_information_state_string=True,
        provides_information_state_tensor=has_tensor, provides_observation_string=True,
        provides_observation_tensor=True, provides_factored_observation_string=True, parameter_specification=PARAMETERS,
    )


def make_game_info(game: TableGame) -> Any:
    low, high = game.reward_bounds
    total = {} if game.total is None else {"utility_sum": float(game.total)}
    return pyspiel.GameInfo(
        num_distinct_actions=len(game.actions), max_chance_outcomes=game.most_outcomes, num_players=game.players,
        min_utility=low, max_utility=high, max_game_length=game.bounds.longest or LONGEST, **total,
    )


class RulesGame(pyspiel.Game):  # type: ignore[misc,name-defined]
    """A table as a game. Made by `load_game`, here or in pyspiel."""

    def __init__(self, params: Mapping[str, Any] | None = None, game: TableGame | None = None) -> None:
        params = {**PARAMETERS, **(params or {})}
        if game is None:
            reward, limit = params["reward"] or None, params["limit"]
            options = read_options(params["options"])
            game = TableGame.of_rules(load(params["rules"]), params["players"] or None, options, reward, limit)
        self.game = game
        self.played_by = params
        super().__init__(make_game_type(game), make_game_info(game), params)

    def new_initial_state(self, state_as_string: str | None = None) -> RulesState:
        return RulesState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RulesObserver:
        if params:
            raise ValueError(f"an observer takes no parameters, not {params}")
        return RulesObserver(self.game, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


@frozen(eq=False)
class Trail:
    """The decisions that led somewhere, the last one first; chance in between is left out."""

    before: Trail | None
    position: Position
    index: int


@frozen(eq=False)
class Place:
    """A position of a game, and what was decided before. Shared by all states behind it."""

    game: TableGame
    position: Position
    trail: Trail | None = None

    def __deepcopy__(self, known: object) -> Place:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return replay_answers, (self.game, answers_of(self.position._remembered.path))

    def follow(self, index: int) -> Place:
        is_decision = isinstance(self.position.pending, Decision)
        trail = Trail(self.trail, self.position, index) if is_decision else self.trail
        return Place(self.game, self.position.apply(index), trail)


def replay_answers(game: TableGame, answers: tuple[int, ...]) -> Place:
    place = Place(game, game.start)
    for index in answers:
        place = place.follow(index)
    return place


class RulesState(pyspiel.State):  # type: ignore[misc,name-defined]
    """A position, and the decisions that led to it."""

    def __init__(self, game: RulesGame) -> None:
        super().__init__(game)
        self.place = Place(game.game, game.game.start)

    @property
    def game(self) -> TableGame:
        return self.place.game

    @property
    def position(self) -> Position:
        return self.place.position

    @property
    def trail(self) -> Trail | None:
        return self.place.trail

    def current_player(self) -> int:
        asked = self.position.pending
        if isinstance(asked, Decision):
            return max(asked.player, 1) - 1
        chance, terminal = pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.TERMINAL
        return int(chance if isinstance(asked, Chance) else terminal)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.game.actions.legal(self.position))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, float(one.odds)) for number, one in enumerate(self.position.legal())]

    def _apply_action(self, action: int) -> None:
        is_decision = isinstance(self.position.pending, Decision)
        index = self.game.actions.legal(self.position).index(action) if is_decision else int(action)
        self.place = self.place.follow(index)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            choice = self.game.actions[action]
            return " ".join([choice.action, *(f"{name}={value}" for name, value in choice.arguments)])
        asked = self.position.pending
        if not isinstance(asked, Chance) or action >= len(self.position.legal()):
            return f"chance {action}"
        values = ", ".join(str(value) for value in self.position.legal()[action].values)
        return " ".join(part for part in (asked.what, asked.origin, asked.target, values) if part)

    def is_terminal(self) -> bool:
        return not isinstance(self.position.pending, Decision | Chance)

    def returns(self) -> list[float]:
        result = self.position.result()
        if result is None:
            return [0.0] * self.game.players
        sign = team_sign(self.game.table.bench)
        found = rewards_at_end(self.game.reward, sign, result.scores, result.places)
        return [float(found[player]) for player in range(1, self.game.players + 1)]

    def __str__(self) -> str:
        return " ".join(str(action) for action in self.history()) or "the beginning"


class RulesObserver:
    """What a player sees, as text and as a tensor; with perfect recall, all that was seen at any decision."""

    def __init__(self, game: TableGame, kind: Any) -> None:
        self.game, self.recalls = game, kind.perfect_recall
        self.has_open = kind.public_info
        self.has_private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        frames = (game.bounds.longest or 0) + 1 if self.recalls else 1
        is_whole = not self.recalls or game.has_whole_tensor
        width = game.frame_width if self.recalls else game.features[0].width
        self.tensor = numpy.zeros(game.players + frames * width if is_whole else 0, numpy.float32)
        self.dict: dict[str, Any] = {}
        if is_whole:
            self.dict = {
                "player": self.tensor[: game.players], "seen": self.tensor[game.players :].reshape(frames, width)
            }
        self._kept = self.columns_kept()

    def columns_kept(self) -> Any:
        """Among the floats of what is seen, those that this observer tells."""
        kept = numpy.ones(self.game.features[0].width, dtype=numpy.float32)
        if self.has_open and self.has_private:
            return kept
        names = private_names(self.game.table, 1)
        for plain, part in zip(
            sorted_names(self.game, 1), self.game.many.layout(1, relative=True), strict=True
        ):
            if (plain in names) != self.has_private or (plain not in names) != self.has_open:
                for column in range(part.offset, part.offset + part.amount):
                    kept[self.game.features[0].columns_of(column)] = 0
        return kept

    def set_from(self, state: RulesState, player: int) -> None:
        self.tensor.fill(0)
        if not self.dict:
            return
        self.dict["player"][player] = 1
        path, trail = [], state.trail
        while trail is not None and self.recalls:
            path.append(trail)
            trail = trail.before
        path.reverse()
        seen = self.game.see([*(one.position for one in path), state.position], player + 1) * self._kept
        frames = self.dict["seen"]
        frames[: len(seen), : seen.shape[1]] = seen
        for frame, one in zip(frames, path, strict=False):
            question = one.position._pending_question()
            assert isinstance(question, PlayerDecision)
            wait = self.wait_of(one.position)
            self.game.write_choice(wait, question, one.index, player + 1, frame[seen.shape[1] :])

    def wait_of(self, position: Position) -> DecisionWait:
        assert isinstance(position, NativePosition)
        asked = position._retold.blocks.question_at(block_of(position))
        assert asked is not None
        assert isinstance(asked[1], DecisionWait)
        return asked[1]

    def string_from(self, state: RulesState, player: int) -> str:
        seen = state.position.observe(player + 1)
        if self.recalls and self.has_open and self.has_private:
            return "\n".join([f"player {player + 1}", *seen.history])
        private = private_names(self.game.table, player + 1)
        now = seen.now
        parts = ("zones", "variables")
        own = {part: {name: value for name, value in now[part].items() if name in private} for part in parts}
        chosen = self.hidden_choice(state, player)
        if self.has_open and self.has_private:
            return json.dumps([f"player {player + 1}", now, chosen], ensure_ascii=False)
        if self.has_private:
            return json.dumps([own, chosen], ensure_ascii=False) if any(own.values()) or chosen else ""
        for part in parts:
            now[part] = {name: value for name, value in now[part].items() if name not in private}
        return json.dumps({**now, "shown": []}, ensure_ascii=False)

    def hidden_choice(self, state: RulesState, player: int) -> str | None:
        """The player's own choice at this moment, as long as the others do not know of it."""
        asked, trail = state.position.pending, state.trail
        if not isinstance(asked, Decision) or not asked.together or player + 1 not in asked.together:
            return None
        while trail is not None and trail.position.pending != Decision(player + 1, asked.together):
            trail = trail.before
        if trail is None or asked.player <= player + 1:
            return None
        return str(trail.position.legal()[trail.index])


def private_names(table: Table, player: int) -> frozenset[str]:
    """The zones and variables that this player sees and who only watches does not."""
    rooms: list[ZoneRoom | VariableRoom] = [*table.bench.zones.values(), *table.bench.variables.values()]
    return frozenset(
        room.names[number] for room in rooms for number in range(room.amount)
        if can_see(room, number, player) and not can_see(room, number, 0)
    )


def sorted_names(game: TableGame, player: int) -> list[str]:
    """The names of the parts, in the order in which the player sees them."""
    view = game.many._number_view(player, True).seats[0]
    return [part.name for part in sorted(view.observer.parts, key=view.place_of)]
