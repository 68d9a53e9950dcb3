"""`rulesrun explain CODE`: what a diagnostic means, with a wrong and a right example."""

from __future__ import annotations

from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.locale.language import spoken_language, translate
from rulesrun.terminal.output import print_json, print_text
from rulesrun.terminal.requests import ExplainRequest
from rulesrun.terminal.trouble import Trouble


def run(request: ExplainRequest) -> int:
    from rulesrun.dsl.explain import explain_code, find_nearest_codes, list_codes

    if not request.files:
        if request.json:
            print_json({"codes": list(list_codes())})
        else:
            print_text("\n".join(list_codes()))
        return 0
    code = request.files[0]
    language = None if request.json else spoken_language().code
    text = explain_code(code, language, translate) if language is not None else explain_code(code)
    if text is None:
        near = find_nearest_codes(code)
        missing = message("there is no diagnostic `{code}`", code=code)
        if near:
            missing = join_messages([missing, message("did you mean `{near}`?", near=near[0])], "; ")
        raise Trouble(missing)
    if request.json:
        print_json({"code": code, "text": text})
    else:
        print_text(text.rstrip("\n"))
    return 0
