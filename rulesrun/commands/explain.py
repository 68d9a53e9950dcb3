"""`rulesrun explain CODE`: what a diagnostic means, with a wrong and a right example."""

from __future__ import annotations

from rulesrun.terminal.arguments import Request
from rulesrun.terminal.output import say, say_json
from rulesrun.terminal.trouble import Trouble


def run(request: Request) -> int:
    from rulesrun.dsl.explain import codes, explain, nearest

    if not request.files:
        if request.json:
            say_json({"codes": list(codes())})
        else:
            say("\n".join(codes()))
        return 0
    code = request.files[0]
    text = explain(code)
    if text is None:
        near = nearest(code)
        raise Trouble(f"there is no diagnostic `{code}`" + (f"; did you mean `{near[0]}`?" if near else ""))
    if request.json:
        say_json({"code": code, "text": text})
    else:
        say(text.rstrip("\n"))
    return 0
