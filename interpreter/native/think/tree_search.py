"""Monte-Carlo tree search in machine code: the same games, chances and figures as `bots.search`, to the last one.

The tree is a table of entries found by a number mixed from all that the reference's key holds: key, how often
available, visits, the sum of worths. It lies behind everything else in memory; its size is given for each search.
"""

from __future__ import annotations

from attrs import define

from rulesrun.interpreter.bots.evaluation import ONE
from rulesrun.interpreter.bots.tree_search import FEW, LEAST_SPREAD, MOST_DEPTH, MOST_OPTIONS, UNKNOWN_SPREAD
from rulesrun.interpreter.form.form import NUMBER, Field, Function, X, both, compare, logic, number
from rulesrun.interpreter.native.layout.memory_access import INTEGER_ROOT, Writing, finished, positive, written
from rulesrun.interpreter.native.think.rollouts import Steps
from rulesrun.interpreter.native.views.view_hashes import joined, seen_number

ENTRY = 4  # numbers of an entry
KEY, AVAILABLE, VISITS, TOTAL = range(ENTRY)
ROOT = 0x3C6EF372FE94F82B
FULL = -1
NO_MAXIMUM = -(1 << 62)

__all__ = ["ENTRY", "ROOT", "UNKNOWN_SPREAD", "all_of_search"]


@define(eq=False)
class Tree:
    """The functions of the search; `steps` are those of looking ahead."""

    steps: Steps
    functions: dict[str, Function]

    def lay_out(self) -> None:
        plan = self.steps.plan
        for name in ("tree mask", "tree used", "tree most", "curiosity", "ahead", "soon", "width"):
            plan.scratch(name, 64)
        for name in ("games", "sum", "squares"):
            plan.scratch(name, 64)
        plan.scratch("alike", 32, MOST_OPTIONS)
        for name in ("path chooser", "path node", "path option"):
            plan.scratch(name, 64, MOST_DEPTH)

    def place_tree(self) -> None:
        """Behind all other memory, when all of it is known."""
        plan = self.steps.plan
        plan.scratch_end = (plan.scratch_end + 63) // 64 * 64
        plan.fields["tree"] = Field("tree", 64, 1, plan.scratch_end)

    def part(self, entry: X, which: int) -> X:
        return both("add", both("mul", entry, number(ENTRY)), number(which))

    def read(self, writing: Writing, entry: X, which: int) -> X:
        return writing.load("tree", self.part(entry, which))


def finding(tree: Tree) -> Function:
    """The entry of a key; where there is none, -1 less the place where it would be."""
    function, writing = written(tree.steps.plan, "find", ("key",), NUMBER)
    lines, key = writing.lines, X("local", NUMBER, extra="key")
    mask = writing.load("tree mask")
    at = lines.variable(X("and", NUMBER, (key, mask)), "i")
    with lines.loop():
        there = tree.read(writing, at, KEY)
        with lines.when(compare("=", there, key)):
            lines.add("return", at)
        with lines.when(compare("=", there, number(0))):
            lines.add("return", both("sub", number(-1), at))
        lines.set(at, X("and", NUMBER, (both("add", at, number(1)), mask)))
    return finished(function, writing)


def noting(tree: Tree, find: Function) -> Function:
    """The entry of a key, made when there is none; `FULL` when there is no room."""
    function, writing = written(tree.steps.plan, "note", ("key",), NUMBER, is_inner=False)
    lines, key = writing.lines, X("local", NUMBER, extra="key")
    at = writing.ask(find, key)
    with lines.when(compare(">=", at, number(0))):
        lines.add("return", at)
    with lines.when(compare(">=", writing.load("tree used"), writing.load("tree most"))):
        lines.add("return", number(FULL))
    place = lines.kept(both("sub", number(-1), at))
    writing.store("tree", key, tree.part(place, KEY))
    writing.add("tree used", number(1))
    lines.add("return", place)
    return finished(function, writing)


def option_at(tree: Tree) -> Function:
    """The key of an option at a node."""
    function, writing = written(tree.steps.plan, "option at", ("node", "option"), NUMBER, is_inner=False)
    key = joined(X("local", NUMBER, extra="node"), X("local", NUMBER, extra="option"))
    writing.lines.add("return", X("or", NUMBER, (key, number(1))))
    return finished(function, writing)


def node_here(tree: Tree) -> Function:
    """The key of the position as the seat sees it, and who chooses."""
    plan = tree.steps.plan
    seen = [seen_number(plan, seat) for seat in range(plan.bench.players + 1)]
    function, writing = written(plan, "node here", (), NUMBER)
    lines, seat = writing.lines, writing.load("seat")
    where = both("add", both("mul", writing.load("pc"), number(1 << 8)), writing.load("player"))
    for at, one in enumerate(seen):
        with lines.when(compare("=", seat, number(at))):
            lines.add("return", X("or", NUMBER, (joined(lines.kept(where), writing.ask(one)), number(1))))
    lines.add("return", number(1))
    return finished(function, writing)


def bounding(tree: Tree) -> Function:
    """A mean and how far it may be wrong."""
    function, writing = written(tree.steps.plan, "bound", ("mean", "available", "visits"), NUMBER)
    lines = writing.lines
    mean, available, visits = (X("local", NUMBER, extra=name) for name in function.parameters)
    doubt = positive(writing.ask(INTEGER_ROOT, both("div", both("mul", logarithm(writing, available), number(1 << 16)),
                                                    visits)))
    width = both("div", positive(both("mul", writing.load("curiosity"), writing.load("width"))), number(16))
    lines.add("return", both("add", mean, both("div", positive(both("mul", width, doubt)), number(4096))))
    return finished(function, writing)


def logarithm(writing: Writing, available: X) -> X:
    """Of one more, to base 2, in parts of 256, straight between powers of two."""
    more = writing.lines.kept(both("add", available, number(1)))
    bits = writing.lines.kept(X("highest", NUMBER, (more,)))
    rest = X("and", NUMBER, (X("shift_set", NUMBER, (both("mul", more, number(256)), bits)), number(255)))
    return positive(both("add", both("mul", bits, number(256)), rest))


def choosing(tree: Tree) -> Function:
    """The number of the option with the highest bound; -1 when none may be tried."""
    function, writing = written(tree.steps.plan, "choose", ("node", "amount"), NUMBER)
    lines, steps = writing.lines, tree.steps
    node, amount = X("local", NUMBER, extra="node"), X("local", NUMBER, extra="amount")
    highest, alike = lines.variable(number(NO_MAXIMUM), "h"), lines.variable(number(0), "n")
    untried = bound_of_untried(tree, writing, node)

    def look(at: X) -> None:
        writing.do(steps.settle, at)
        with lines.block() as left_out:
            with lines.when(compare("=", node, number(ROOT))):
                which = writing.ask(tree.functions["root number"], at)
                lines.leave(left_out, compare("<", which, number(0)))
                is_wanted = lines.load(steps.plan.fields["root wanted"], which)
                lines.leave(left_out, compare("=", is_wanted, number(0)))
            bound = bound_of_option(tree, writing, node, untried)
            with lines.when(compare(">", bound, highest)):
                lines.set(highest, bound)
                lines.set(alike, number(0))
            with lines.when(compare("=", bound, highest)):
                writing.store("alike", at, alike)
                lines.add_to(alike, number(1))

    lines.count_through(number(0), both("sub", amount, number(1)), look)
    with lines.when(compare("=", alike, number(0))):
        lines.add("return", number(-1))
    which = lines.variable(number(0), "w")
    with lines.when(compare(">", alike, number(1))):
        lines.set(which, writing.below(alike))
    lines.add("return", lines.load(steps.plan.fields["alike"], which))
    return finished(function, writing)


def bound_of_untried(tree: Tree, writing: Writing, node: X) -> X:
    """One never tried counts as the mean of the node."""
    lines, bound = writing.lines, tree.functions["bound"]
    found = lines.variable(writing.ask(bound, number(ONE // 2), number(1), number(1)), "u")
    entry = writing.ask(tree.functions["find"], node)
    with lines.when(compare(">=", entry, number(0))):
        visits = tree.read(writing, entry, VISITS)
        with lines.when(compare(">", visits, number(0))):
            mean = both("div", tree.read(writing, entry, TOTAL), visits)
            lines.set(found, writing.ask(bound, mean, visits, number(1)))
    return found


def bound_of_option(tree: Tree, writing: Writing, node: X, untried: X) -> X:
    lines, found = writing.lines, writing.lines.variable(untried, "b")
    key = writing.ask(tree.functions["option at"], node, writing.ask(tree.steps.option_key))
    entry = writing.ask(tree.functions["find"], key)
    with lines.when(compare(">=", entry, number(0))):
        writing.add("tree", number(1), tree.part(entry, AVAILABLE))
        visits = tree.read(writing, entry, VISITS)
        with lines.when(compare(">", visits, number(0))):
            mean = both("div", tree.read(writing, entry, TOTAL), visits)
            lines.set(found, writing.ask(tree.functions["bound"], mean, tree.read(writing, entry, AVAILABLE), visits))
    return found


def one_game(tree: Tree) -> Function:
    """Down the tree to an option that was never tried, a little further, and back with what came of it."""
    function, writing = written(tree.steps.plan, "one game", (), None)
    lines, functions, steps = writing.lines, tree.functions, tree.steps
    with lines.when(compare("=", writing.ask(functions["dealt"]), number(0))):
        lines.add("return")
    writing.do(functions["fresh chance"])
    node, depth = lines.variable(number(ROOT), "node"), lines.variable(number(0), "d")
    with lines.loop() as leaf:
        lines.leave(leaf, logic("or", compare("=", writing.load("pc"), number(0)),
                                compare(">=", depth, number(MOST_DEPTH))))
        amount = writing.ask(steps.amount)
        lines.leave(leaf, compare(">", amount, number(MOST_OPTIONS)))
        choice = writing.ask(functions["choose"], node, amount)
        lines.leave(leaf, compare("<", choice, number(0)))
        step_down(tree, writing, node, depth, choice, leaf)
    walked = writing.ask(functions["walk"], writing.load("ahead"), writing.load("soon"))
    with lines.when(compare("is not", walked, number(0))):
        learn(tree, writing, depth)
    lines.add("return")
    return finished(function, writing)


def step_down(tree: Tree, writing: Writing, node: X, depth: X, choice: X, leaf: str) -> None:
    lines, functions, steps = writing.lines, tree.functions, tree.steps
    chooser = steps.chooser(writing)
    writing.do(steps.settle, choice)
    key = writing.ask(functions["option at"], node, writing.ask(steps.option_key))
    here, tried = writing.ask(functions["note"], node), writing.ask(functions["note"], key)
    with lines.when(compare("<", writing.ask(functions["go on"]), number(0))):
        lines.add("return")
    lines.leave(leaf, logic("or", compare("<", here, number(0)), compare("<", tried, number(0))))
    for name, value in (("path chooser", chooser), ("path node", here), ("path option", tried)):
        writing.store(name, value, depth)
    lines.add_to(depth, number(1))
    lines.leave(leaf, compare("=", tree.read(writing, tried, VISITS), number(0)))
    lines.set(node, writing.ask(functions["node here"]))


def learn(tree: Tree, writing: Writing, depth: X) -> None:
    lines, steps = writing.lines, tree.steps
    note_spread(writing, steps.worth_to(writing, writing.load("seat")))

    def teach(at: X) -> None:
        worth = steps.worth_to(writing, writing.load("path chooser", at))
        for name in ("path node", "path option"):
            entry = writing.load(name, at)
            writing.add("tree", number(1), tree.part(entry, VISITS))
            writing.add("tree", worth, tree.part(entry, TOTAL))

    lines.count_through(number(0), both("sub", depth, number(1)), teach)


def note_spread(writing: Writing, worth: X) -> None:
    """How far the worths of games lie apart."""
    lines, rough = writing.lines, writing.lines.kept(both("div", worth, number(64)))
    for name, value in (("games", number(1)), ("sum", rough), ("squares", both("mul", rough, rough))):
        writing.add(name, value)
    games = writing.load("games")
    with lines.when(compare(">", games, number(FEW))):
        mean = lines.kept(both("div", writing.load("sum"), games))
        apart = both("sub", both("div", writing.load("squares"), games), both("mul", mean, mean))
        width = both("mul", writing.ask(INTEGER_ROOT, both("max", lines.kept(apart), number(0))), number(64))
        writing.store("width", both("max", lines.kept(width), number(LEAST_SPREAD)))


def many_games(tree: Tree, one: Function) -> Function:
    function, writing = written(tree.steps.plan, "search", ("amount",), None, is_inner=False)
    lines = writing.lines
    lines.count_through(number(1), X("local", NUMBER, extra="amount"), lambda _: writing.do(one))
    lines.add("return")
    return finished(function, writing)


def all_of_search(steps: Steps, functions: dict[str, Function]) -> None:
    tree = Tree(steps, functions)
    tree.lay_out()
    tree.place_tree()
    functions["find"] = finding(tree)
    functions["note"] = noting(tree, functions["find"])
    functions["option at"] = option_at(tree)
    functions["node here"] = node_here(tree)
    functions["bound"] = bounding(tree)
    functions["choose"] = choosing(tree)
    functions["search"] = many_games(tree, one_game(tree))
