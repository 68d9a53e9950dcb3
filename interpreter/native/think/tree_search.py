"""Monte-Carlo tree search in machine code: the same games, chances and figures as `bots.tree_search`, to the last one.

The tree is a table of entries found by a number mixed from all that the reference's key holds: key, how often
available, visits, the sum of worths. It lies behind everything else in memory; its size is given for each search.
"""

from __future__ import annotations

from functools import partial

from attrs import define, field

from rulesrun.interpreter.bots.evaluation import ONE
from rulesrun.interpreter.bots.tree_search import FEW, LEAST_SPREAD, MOST_DEPTH, MOST_OPTIONS, UNKNOWN_SPREAD
from rulesrun.interpreter.form.form import (
    NUMBER,
    Field,
    Function,
    Value,
    binary,
    compare,
    integer_root,
    logic,
    number,
    select,
)
from rulesrun.interpreter.native.layout.memory_access import (
    FunctionWriter,
    begin_function,
    finish_function,
    narrow_to_natural,
)
from rulesrun.interpreter.native.think.rollouts import (
    RolloutSteps,
    deal_fitting_function,
    deal_once_function,
    together_questions,
)
from rulesrun.interpreter.native.views.view_hashes import combine_hashes, view_hash_function

ENTRY = 4  # numbers of an entry
KEY, AVAILABLE, VISITS, TOTAL = range(ENTRY)
ROOT = 0x3C6EF372FE94F82B
KIND = 0x1F83D9ABFB41BD6B
FULL = -1
NO_MAXIMUM = -(1 << 62)

__all__ = ["ENTRY", "ROOT", "UNKNOWN_SPREAD", "add_search_functions"]


@define(eq=False)
class TreeFunctions:
    """The functions of the search; `steps` are those of looking ahead."""

    steps: RolloutSteps
    functions: dict[str, Function]

    def lay_out_search(self) -> None:
        plan = self.steps.plan
        for name in ("tree mask", "tree used", "tree most", "curiosity", "is split", "ahead", "soon", "width"):
            plan.add_scratch(name, 64)
        for name in ("games", "sum", "squares"):
            plan.add_scratch(name, 64)
        plan.add_scratch("alike", 32, MOST_OPTIONS)
        most_kinds = max(len(one.actions) for one in self.steps.questions)
        plan.add_scratch("kind starts", 32, 1 + most_kinds)
        plan.add_scratch("kind entries", 64, most_kinds)
        for name in ("path chooser", "path node", "path option", "path kind"):
            plan.add_scratch(name, 64, MOST_DEPTH)
        for name in ("at once chooser", "at once node", "at once option", "at once kind"):
            plan.add_scratch(name, 64, plan.bench.players)

    def place_tree(self) -> None:
        """Behind all other memory, when all of it is known."""
        plan = self.steps.plan
        plan.scratch_end = (plan.scratch_end + 63) // 64 * 64
        plan.fields["tree"] = Field("tree", 64, 1, plan.scratch_end)

    def entry_place(self, entry: Value, which: int) -> Value:
        return binary("add", binary("mul", entry, number(ENTRY)), number(which))

    def load_part(self, writing: FunctionWriter, entry: Value, which: int) -> Value:
        return writing.load("tree", self.entry_place(entry, which))


def find_function(tree: TreeFunctions) -> Function:
    """The entry of a key; where there is none, -1 less the place where it would be."""
    function, writing = begin_function(tree.steps.plan, "find", ("key",), NUMBER)
    lines, key = writing.lines, Value("local", NUMBER, extra="key")
    mask = writing.load("tree mask")
    at = lines.variable(Value("and", NUMBER, (key, mask)), "i")
    with lines.loop():
        there = tree.load_part(writing, at, KEY)
        with lines.when(compare("=", there, key)):
            lines.emit("return", at)
        with lines.when(compare("=", there, number(0))):
            lines.emit("return", binary("sub", number(-1), at))
        lines.set(at, Value("and", NUMBER, (binary("add", at, number(1)), mask)))
    return finish_function(function, writing)


def find_or_add_function(tree: TreeFunctions, find: Function) -> Function:
    """The entry of a key, made when there is none; `FULL` when there is no room."""
    function, writing = begin_function(tree.steps.plan, "note", ("key",), NUMBER, is_inner=False)
    lines, key = writing.lines, Value("local", NUMBER, extra="key")
    at = writing.call(find, key)
    with lines.when(compare(">=", at, number(0))):
        lines.emit("return", at)
    with lines.when(compare(">=", writing.load("tree used"), writing.load("tree most"))):
        lines.emit("return", number(FULL))
    place = lines.bind(binary("sub", number(-1), at))
    writing.store("tree", key, tree.entry_place(place, KEY))
    writing.add_to("tree used", number(1))
    lines.emit("return", place)
    return finish_function(function, writing)


def option_key_function(tree: TreeFunctions) -> Function:
    """The key of an option at a node."""
    function, writing = begin_function(tree.steps.plan, "option at", ("node", "option"), NUMBER, is_inner=False)
    key = combine_hashes(Value("local", NUMBER, extra="node"), Value("local", NUMBER, extra="option"))
    writing.lines.emit("return", Value("or", NUMBER, (key, number(1))))
    return finish_function(function, writing)


def kind_key_function(tree: TreeFunctions) -> Function:
    """The key of the action that was taken up last, wherever it is chosen at this question by this player."""
    function, writing = begin_function(tree.steps.plan, "kind", (), NUMBER)
    asked = binary("add", binary("mul", writing.load("pc"), number(1 << 8)), tree.steps.load_chooser(writing))
    key = combine_hashes(combine_hashes(number(KIND), writing.lines.bind(asked)), writing.load("entry"))
    writing.lines.emit("return", Value("or", NUMBER, (key, number(1))))
    return finish_function(function, writing)


def node_key_function(tree: TreeFunctions) -> Function:
    """The key of the position as the seat sees it, or who chooses, and who that is."""
    plan = tree.steps.plan
    seen = [view_hash_function(plan, seat) for seat in range(plan.bench.players + 1)]
    function, writing = begin_function(plan, "node here", (), NUMBER)
    lines = writing.lines
    is_split = compare("=", writing.load("is split"), number(1))
    seat = lines.bind(select(is_split, tree.steps.load_chooser(writing), writing.load("seat")))
    where = binary("add", binary("mul", writing.load("pc"), number(1 << 8)), writing.load("player"))
    for at, one in enumerate(seen):
        with lines.when(compare("=", seat, number(at))):
            lines.emit("return", Value("or", NUMBER, (combine_hashes(lines.bind(where), writing.call(one)), number(1))))
    lines.emit("return", number(1))
    return finish_function(function, writing)


def upper_bound_function(tree: TreeFunctions) -> Function:
    """A mean and how far it may be wrong."""
    function, writing = begin_function(tree.steps.plan, "bound", ("mean", "available", "visits"), NUMBER)
    lines = writing.lines
    mean, available, visits = (Value("local", NUMBER, extra=name) for name in function.parameters)
    doubt = narrow_to_natural(
        lines.bind(
            integer_root(binary("div", binary("mul", fixed_log2(writing, available), number(1 << 16)), visits))
        )
    )
    width = binary(
        "div", narrow_to_natural(binary("mul", writing.load("curiosity"), writing.load("width"))), number(16)
    )
    lines.emit(
        "return", binary("add", mean, binary("div", narrow_to_natural(binary("mul", width, doubt)), number(4096)))
    )
    return finish_function(function, writing)


def fixed_log2(writing: FunctionWriter, available: Value) -> Value:
    """Of one more, to base 2, in parts of 256, straight between powers of two."""
    more = writing.lines.bind(binary("add", available, number(1)))
    bits = writing.lines.bind(Value("highest", NUMBER, (more,)))
    rest = Value("and", NUMBER, (Value("shift_set", NUMBER, (binary("mul", more, number(256)), bits)), number(255)))
    return narrow_to_natural(binary("add", binary("mul", bits, number(256)), rest))


def select_option_function(tree: TreeFunctions) -> Function:
    """The number of the option with the highest bound, of alike ones by their action; -1 when none may be tried."""
    function, writing = begin_function(tree.steps.plan, "choose", ("node", "amount"), NUMBER)
    lines, steps = writing.lines, tree.steps
    node, amount = Value("local", NUMBER, extra="node"), Value("local", NUMBER, extra="amount")
    highest, found = lines.variable(number(NO_MAXIMUM), "h"), AlikeOptions(tree, writing)
    untried = bound_of_untried(tree, writing, node)

    def visit(at: Value) -> None:
        writing.call_procedure(steps.settle, at)
        with lines.block() as left_out:
            with lines.when(compare("=", node, number(ROOT))):
                which = writing.call(tree.functions["root number"], at)
                lines.leave(left_out, compare("<", which, number(0)))
                is_wanted = lines.load(steps.plan.fields["root wanted"], which)
                lines.leave(left_out, compare("=", is_wanted, number(0)))
            bound = bound_of_option(tree, writing, node, untried)
            with lines.when(compare(">", bound, highest)):
                lines.set(highest, bound)
                found.forget()
            with lines.when(compare("=", bound, highest)):
                found.add(at)

    lines.for_range(number(0), binary("sub", amount, number(1)), visit)
    with lines.when(compare("=", found.amount, number(0))):
        lines.emit("return", number(-1))
    lines.emit("return", found.pick())
    return finish_function(function, writing)


@define(eq=False)
class AlikeOptions:
    """The options with the highest bound so far, action by action: `kinds` of them, the `latest` last."""

    tree: TreeFunctions
    writing: FunctionWriter
    amount: Value = field(init=False)
    kinds: Value = field(init=False)
    latest: Value = field(init=False)

    def __attrs_post_init__(self) -> None:
        lines = self.writing.lines
        self.amount, self.kinds = lines.variable(number(0), "n"), lines.variable(number(0), "k")
        self.latest = lines.variable(number(-1), "a")

    def forget(self) -> None:
        for counted, least in ((self.amount, 0), (self.kinds, 0), (self.latest, -1)):
            self.writing.lines.set(counted, number(least))

    def add(self, at: Value) -> None:
        writing, lines, functions = self.writing, self.writing.lines, self.tree.functions
        with lines.when(compare("is not", writing.load("entry"), self.latest)):
            lines.set(self.latest, writing.load("entry"))
            writing.store("kind starts", self.amount, self.kinds)
            entry = writing.call(functions["find"], writing.call(functions["kind"]))
            writing.store("kind entries", entry, self.kinds)
            lines.add_to(self.kinds, number(1))
        writing.store("alike", at, self.amount)
        lines.add_to(self.amount, number(1))

    def pick(self) -> Value:
        """One of the best action; where each can be done in one way alone, any."""
        writing, lines = self.writing, self.writing.lines
        with lines.when(compare("=", self.kinds, self.amount)):
            lines.set(self.kinds, number(1))
        writing.store("kind starts", self.amount, self.kinds)
        kind = pick_kind(self.tree, writing, self.kinds)
        which = lines.variable(writing.load("kind starts", kind), "w")
        after = writing.load("kind starts", binary("add", kind, number(1)))
        amount = lines.bind(binary("sub", after, which))
        with lines.when(compare(">", amount, number(1))):
            lines.add_to(which, writing.random_below(amount))
        return lines.load(self.tree.steps.plan.fields["alike"], which)


def pick_kind(tree: TreeFunctions, writing: FunctionWriter, kinds: Value) -> Value:
    """Which of the actions of the options that are alike: the one that has been worth most so far."""
    lines = writing.lines
    kind, games, highest = (
        lines.variable(number(first), name) for first, name in ((0, "j"), (0, "g"), (NO_MAXIMUM, "m"))
    )
    last = binary("sub", kinds, number(1))

    def count_games(at: Value) -> None:
        entry = writing.load("kind entries", at)
        with lines.when(compare(">=", entry, number(0))):
            lines.add_to(games, tree.load_part(writing, entry, VISITS))

    def compare_kinds(at: Value) -> None:
        entry, bound = writing.load("kind entries", at), lines.variable(number(1 << 62), "b")
        with lines.when(compare(">=", entry, number(0))):
            visits = lines.bind(tree.load_part(writing, entry, VISITS))
            with lines.when(compare(">", visits, number(0))):
                mean = binary("div", tree.load_part(writing, entry, TOTAL), visits)
                lines.set(bound, writing.call(tree.functions["bound"], mean, games, visits))
        with lines.when(compare(">", bound, highest)):
            lines.set(highest, bound)
            lines.set(kind, at)

    with lines.when(compare(">", kinds, number(1))):
        lines.for_range(number(0), last, count_games)
        lines.for_range(number(0), last, compare_kinds)
    return kind


def bound_of_untried(tree: TreeFunctions, writing: FunctionWriter, node: Value) -> Value:
    """One never tried counts as the mean of the node."""
    lines, bound = writing.lines, tree.functions["bound"]
    found = lines.variable(writing.call(bound, number(ONE // 2), number(1), number(1)), "u")
    entry = writing.call(tree.functions["find"], node)
    with lines.when(compare(">=", entry, number(0))):
        visits = tree.load_part(writing, entry, VISITS)
        with lines.when(compare(">", visits, number(0))):
            mean = binary("div", tree.load_part(writing, entry, TOTAL), visits)
            lines.set(found, writing.call(bound, mean, visits, number(1)))
    return found


def bound_of_option(tree: TreeFunctions, writing: FunctionWriter, node: Value, untried: Value) -> Value:
    lines, found = writing.lines, writing.lines.variable(untried, "b")
    key = writing.call(tree.functions["option at"], node, writing.call(tree.steps.option_key))
    entry = writing.call(tree.functions["find"], key)
    with lines.when(compare(">=", entry, number(0))):
        writing.add_to("tree", number(1), tree.entry_place(entry, AVAILABLE))
        visits = tree.load_part(writing, entry, VISITS)
        with lines.when(compare(">", visits, number(0))):
            mean = binary("div", tree.load_part(writing, entry, TOTAL), visits)
            lines.set(
                found, writing.call(tree.functions["bound"], mean, tree.load_part(writing, entry, AVAILABLE), visits)
            )
    return found


def choose_at_once(tree: TreeFunctions, writing: FunctionWriter, amount: Value, asked: Value) -> Value:
    """Who is asked before, at the same moment, chooses in the tree; noted until it is known whether the deal fits."""
    lines, functions, steps = writing.lines, tree.functions, tree.steps
    node, choice = lines.variable(number(0), "node"), lines.variable(number(0), "c")
    with lines.when(compare("<=", amount, number(MOST_OPTIONS))) as searched:
        lines.set(node, writing.call(functions["node here"]))
        lines.set(choice, writing.call(functions["choose"], node, amount))
    with lines.otherwise(searched):
        lines.set(choice, writing.random_below(amount))
    writing.call_procedure(steps.settle, choice)
    key = writing.call(functions["option at"], node, writing.call(steps.option_key))
    kind = writing.call(functions["kind"])
    for name, value in (("chooser", steps.load_chooser(writing)), ("node", node), ("option", key), ("kind", kind)):
        writing.store(f"at once {name}", value, asked)
    return choice


def begin_path(tree: TreeFunctions, writing: FunctionWriter, depth: Value) -> None:
    """With what others have chosen before, at the same moment."""
    lines, note = writing.lines, tree.functions["note"]

    def visit(at: Value) -> None:
        node = lines.bind(writing.load("at once node", at))
        with lines.when(compare("is not", node, number(0))):
            here, tried, kind = (
                writing.call(note, one)
                for one in (node, writing.load("at once option", at), writing.load("at once kind", at))
            )
            with lines.when(are_known(here, tried, kind)):
                for name, value in (
                    ("chooser", writing.load("at once chooser", at)), ("node", here), ("option", tried), ("kind", kind)
                ):
                    writing.store(f"path {name}", value, depth)
                lines.add_to(depth, number(1))

    lines.for_range(number(0), binary("sub", writing.load("at once"), number(1)), visit)


def are_known(here: Value, tried: Value, kind: Value) -> Value:
    """Whether there was room for all of them."""
    return logic("and", *(compare(">=", one, number(0)) for one in (here, binary("min", tried, kind))))


def search_game_function(tree: TreeFunctions, has_others: bool) -> Function:
    """Down the tree to an option that was never tried, a little further, and back with what came of it. `has_others`:
    who may choose at the same moment."""
    function, writing = begin_function(tree.steps.plan, "one game", (), None)
    lines, functions, steps = writing.lines, tree.functions, tree.steps
    with lines.when(compare("=", writing.call(functions["dealt in tree" if has_others else "dealt"]), number(0))):
        lines.emit("return")
    writing.call_procedure(functions["fresh chance"])
    node, depth = lines.variable(number(ROOT), "node"), lines.variable(number(0), "d")
    if has_others:
        begin_path(tree, writing, depth)
    with lines.loop() as leaf:
        lines.leave(leaf, logic("or", compare("=", writing.load("pc"), number(0)),
                                compare(">=", depth, number(MOST_DEPTH))))
        amount = writing.call(steps.amount)
        lines.leave(leaf, compare(">", amount, number(MOST_OPTIONS)))
        choice = writing.call(functions["choose"], node, amount)
        lines.leave(leaf, compare("<", choice, number(0)))
        step_down(tree, writing, node, depth, choice, leaf)
    walked = writing.call(functions["walk"], writing.load("ahead"), writing.load("soon"))
    with lines.when(compare("is not", walked, number(0))):
        update_path(tree, writing, depth)
    lines.emit("return")
    return finish_function(function, writing)


def step_down(
    tree: TreeFunctions, writing: FunctionWriter, node: Value, depth: Value, choice: Value, leaf: str
) -> None:
    lines, functions, steps = writing.lines, tree.functions, tree.steps
    chooser = steps.load_chooser(writing)
    writing.call_procedure(steps.settle, choice)
    key = writing.call(functions["option at"], node, writing.call(steps.option_key))
    here, tried, kind = (writing.call(functions["note"], one) for one in (node, key, writing.call(functions["kind"])))
    with lines.when(compare("<", writing.call(functions["go on"]), number(0))):
        lines.emit("return")
    lines.leave(leaf, Value("not", "i1", (lines.bind(are_known(here, tried, kind)),)))
    for name, value in (("path chooser", chooser), ("path node", here), ("path option", tried), ("path kind", kind)):
        writing.store(name, value, depth)
    lines.add_to(depth, number(1))
    lines.leave(leaf, compare("=", tree.load_part(writing, tried, VISITS), number(0)))
    lines.set(node, writing.call(functions["node here"]))


def update_path(tree: TreeFunctions, writing: FunctionWriter, depth: Value) -> None:
    lines, steps = writing.lines, tree.steps
    note_spread(writing, steps.worth_to(writing, writing.load("seat")))

    def teach(at: Value) -> None:
        worth = steps.worth_to(writing, writing.load("path chooser", at))
        for name in ("path node", "path option", "path kind"):
            entry = writing.load(name, at)
            writing.add_to("tree", number(1), tree.entry_place(entry, VISITS))
            writing.add_to("tree", worth, tree.entry_place(entry, TOTAL))

    lines.for_range(number(0), binary("sub", depth, number(1)), teach)


def note_spread(writing: FunctionWriter, worth: Value) -> None:
    """How far the worths of games lie apart."""
    lines, rough = writing.lines, writing.lines.bind(binary("div", worth, number(64)))
    for name, value in (("games", number(1)), ("sum", rough), ("squares", binary("mul", rough, rough))):
        writing.add_to(name, value)
    games = writing.load("games")
    with lines.when(compare(">", games, number(FEW))):
        mean = lines.bind(binary("div", writing.load("sum"), games))
        apart = binary("sub", binary("div", writing.load("squares"), games), binary("mul", mean, mean))
        width = binary("mul", lines.bind(integer_root(binary("max", lines.bind(apart), number(0)))), number(64))
        writing.store("width", binary("max", lines.bind(width), number(LEAST_SPREAD)))


def search_games_function(tree: TreeFunctions, one: Function) -> Function:
    function, writing = begin_function(tree.steps.plan, "search", ("amount",), None, is_inner=False)
    lines = writing.lines
    lines.for_range(number(1), Value("local", NUMBER, extra="amount"), lambda _: writing.call_procedure(one))
    lines.emit("return")
    return finish_function(function, writing)


def add_search_functions(steps: RolloutSteps, functions: dict[str, Function]) -> None:
    tree = TreeFunctions(steps, functions)
    tree.lay_out_search()
    tree.place_tree()
    functions["find"] = find_function(tree)
    functions["note"] = find_or_add_function(tree, functions["find"])
    functions["option at"] = option_key_function(tree)
    functions["kind"] = kind_key_function(tree)
    functions["node here"] = node_key_function(tree)
    functions["bound"] = upper_bound_function(tree)
    functions["choose"] = select_option_function(tree)
    has_others = bool(together_questions(steps))
    if has_others:
        one = deal_once_function(steps, functions, "one deal in tree", partial(choose_at_once, tree))
        functions["dealt in tree"] = deal_fitting_function(steps, one, "dealt in tree")
    functions["search"] = search_games_function(tree, search_game_function(tree, has_others))
