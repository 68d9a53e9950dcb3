; Made by `python -m rulesrun.highlighting.build`.
(identifier) @variable
(comment) @comment
(quoted) @string
(integer) @number
["action" "add line" "add row" "after" "all" "always" "and" "as" "ask" "at" "at end" "at end of game" "at end of round" "at end of turn" "at least" "at most" "avoid" "because" "becomes" "before" "board" "by" "can" "can happen" "cannot" "card" "chances" "change" "change line" "change row" "choose" "chooses" "clamped" "clear" "combinations of" "component" "count" "deal" "decisions" "decreases" "define" "die" "distinct" "div" "do" "draw" "draw lots for" "each" "else" "empty" "end" "ends within" "every" "example" "examples" "except" "figure" "from" "game" "games" "given" "has" "hexagonal" "hidden" "highest" "how often" "if" "if possible" "in" "in order of" "in reverse order of" "increases" "into" "is" "is a" "is an" "is not a" "is not an" "item" "left" "let" "line" "line of" "list" "look" "look at" "loses" "lowest" "marker" "mean" "memory" "mod" "move" "moves" "needs" "never" "next" "no" "nobody" "not" "nothing" "number" "of" "of each" "one" "opponent" "option" "or" "order of" "otherwise" "over" "persona" "phase" "piece" "pile" "place" "player" "players" "points" "prefer" "private" "property" "public" "public except" "ranking" "reading" "record" "remove" "repeat" "require" "result" "right" "rings" "roll" "round" "rounds" "row" "row of" "rule" "rules" "score" "score at end" "score each round" "secret" "seen by" "set" "set of" "setup" "setup round" "show" "shuffle" "skipping" "small" "some" "sorted" "starter" "step" "still" "sum" "swap" "table" "team" "teams" "teams for" "the" "the first" "the game goes on" "the game is over" "then" "those" "through" "ties share" "tile" "times" "to" "todo" "token" "top" "turn" "turns" "until" "up to" "values" "variant" "when" "where" "wins" "with" "without" "words" "yes" "zone"] @keyword
["*" "+" "-" ".." "/" "<" "<=" "=" ">" ">="] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":"] @punctuation.delimiter
(action . (name) @function.method)
(step . (name) @function.method)
(define . (name) @function)
(table . (name) @function)
(components . (name) @type)
(values . (name) @type)
(values_range . (name) @type)
(zone . (name) @variable.member)
(phase . (name) @label)
