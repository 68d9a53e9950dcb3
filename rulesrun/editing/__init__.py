"""What an editor asks of a rules file: text in, plain frozen values out. No protocol, no threads, no processes.

A `Workspace` holds texts and their versions. Every answer is made of ranges, texts and words (`as_json` turns it into
JSON), so that a language server, a browser's worker and a test call the same functions. The last sound program of a
text is kept: what is asked while a line is half written is answered from it.
"""

from rulesrun.editing.code_actions import QuickFix, Refactoring, list_fixes, list_refactorings
from rulesrun.editing.completion import Completion, CompletionItem, complete
from rulesrun.editing.contract import answer_request, as_json
from rulesrun.editing.findings import Finding, Findings, list_findings
from rulesrun.editing.formatting import format_document
from rulesrun.editing.games import GameLens, list_game_lenses, play_games
from rulesrun.editing.hover import Hover, hover
from rulesrun.editing.lenses import Lens, judge_examples
from rulesrun.editing.navigation import (
    FoldingRange,
    Highlight,
    OutlineItem,
    find_definition,
    list_folding,
    list_highlights,
    list_references,
    list_symbols,
)
from rulesrun.editing.positions import Position, Range, TextEdit, TextLines, apply_edits
from rulesrun.editing.renaming import RenamableName, Renaming, find_renamable, rename_symbol
from rulesrun.editing.tokens import SemanticToken, list_tokens
from rulesrun.editing.workspace import Analysis, Document, Location, Workspace

__all__ = [
    "Analysis", "Completion", "CompletionItem", "Document", "Finding", "Findings", "FoldingRange", "GameLens",
    "Highlight", "Hover", "Lens", "Location", "OutlineItem", "Position", "QuickFix", "Range", "Refactoring",
    "RenamableName", "Renaming", "SemanticToken", "TextEdit", "TextLines", "Workspace", "answer_request", "apply_edits",
    "as_json", "complete", "find_definition", "find_renamable", "format_document", "hover", "judge_examples",
    "list_findings", "list_fixes", "list_folding", "list_game_lenses", "list_highlights", "list_refactorings",
    "list_references", "list_symbols", "list_tokens", "play_games", "rename_symbol",
]  # fmt: skip
