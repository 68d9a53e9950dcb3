"""The language server as editors talk to it: a process of its own, with the abilities of VS Code, Neovim and Emacs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")
pytest_lsp = pytest.importorskip("pytest_lsp")

from lsprotocol import types  # noqa: E402

from tests.editing.test_completion import GAME  # noqa: E402
from tests.editing.texts import bundled_text  # noqa: E402

EDITORS = ("visual-studio-code", "neovim", "emacs")
SERVER = (sys.executable, "-m", "rulesrun", "lsp", "--stdio")
Client = Any
LONGEST = 40  # seconds


@asynccontextmanager
async def editor_with(editor: str, folder: Path | None) -> AsyncIterator[Client]:
    client = pytest_lsp.make_test_lsp_client()
    await client.start_io(*SERVER)
    try:
        await asyncio.wait_for(client.initialize_session(
            types.InitializeParams(
                capabilities=pytest_lsp.client_capabilities(editor),
                workspace_folders=[types.WorkspaceFolder(folder.as_uri(), "rules")] if folder else None,
            )
        ), LONGEST)
        yield client
    finally:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(client.shutdown_session(), 10)
        if client._server.returncode is None:
            client._server.kill()
        await asyncio.wait_for(client.stop(), 10)


def talk(editor: str, said: Callable[[Client], Coroutine[Any, Any, None]], folder: Path | None = None) -> None:
    async def run() -> None:
        async with editor_with(editor, folder) as client:
            await asyncio.wait_for(said(client), LONGEST)

    asyncio.run(run())


def open_text(client: Client, uri: str, text: str, version: int = 1) -> None:
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "rules", version, text))
    )


def change_text(client: Client, uri: str, version: int, *changes: tuple[types.Range, str]) -> None:
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version, uri),
            [types.TextDocumentContentChangePartial(place, text) for place, text in changes],
        )
    )


async def findings(client: Client, uri: str) -> list[types.Diagnostic]:
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(client.diagnostics[uri])


def at(text: str, marked: str) -> types.Position:
    before, behind = marked.split("|")
    offset = text.index(before + behind) + len(before)
    line = text.count("\n", 0, offset)
    column = text[text.rfind("\n", 0, offset) + 1 : offset]
    return types.Position(line, len(column.encode("utf-16-le")) // 2)


@pytest.mark.parametrize("editor", EDITORS)
def test_a_single_file_without_a_folder(editor: str) -> None:
    uri = "file:///somewhere/heap.rules"

    async def said(client: Client) -> None:
        open_text(client, uri, GAME)
        assert await findings(client, uri) == []
        document = types.TextDocumentIdentifier(uri)
        offered = await client.text_document_completion_async(
            types.CompletionParams(document, at(GAME, "move given to |heap"))
        )
        assert {item.label for item in offered.items[:3]} == {"heap", "hand", "stock"}
        shown = await client.text_document_hover_async(types.HoverParams(document, at(GAME, "number pas|ses")))
        assert "number passes: 0..20 = 0" in shown.contents.value
        place = await client.text_document_definition_async(
            types.DefinitionParams(document, at(GAME, "move given to he|ap"))
        )
        assert place.range.start == at(GAME, "zone |heap")
        symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        assert "lay" in [symbol.name for symbol in symbols]
        folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
        assert folds
        edits = await client.text_document_formatting_async(
            types.DocumentFormattingParams(document, types.FormattingOptions(2, True))
        )
        assert edits

    talk(editor, said)


@pytest.mark.parametrize("editor", EDITORS)
def test_a_mistake_is_told_and_mended(editor: str) -> None:
    uri = "file:///somewhere/heap.rules"
    wrong = GAME.replace("move given to heap", 'move given to haep  # 🂡 "куча"')

    async def said(client: Client) -> None:
        open_text(client, uri, wrong, 4)
        (found,) = await findings(client, uri)
        assert found.code == "unknown-zone"
        actions = await client.text_document_code_action_async(
            types.CodeActionParams(types.TextDocumentIdentifier(uri), found.range, types.CodeActionContext([found]))
        )
        (edit,) = actions[0].edit.changes[uri]
        assert (edit.range, edit.new_text) == (found.range, "heap")
        change_text(client, uri, 5, (edit.range, edit.new_text))
        assert await findings(client, uri) == []

    talk(editor, said)


@pytest.mark.parametrize("editor", EDITORS)
def test_examples_are_judged_beside_their_lines(editor: str) -> None:
    uri = "file:///somewhere/heap.rules"
    text = GAME + 'example "twice"\n  given turn of 1\n  when 1: pass\n  then passes = 2\n'

    async def said(client: Client) -> None:
        open_text(client, uri, text)
        assert await findings(client, uri) == []
        document = types.TextDocumentIdentifier(uri)
        (lens,) = await client.text_document_code_lens_async(types.CodeLensParams(document))
        assert lens.command.title.startswith("failed: ")
        whole = types.Range(types.Position(0, 0), types.Position(999, 0))
        (hint,) = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
        assert hint.position.line == lens.range.start.line
        tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
        assert len(tokens.data) % 5 == 0
        assert tokens.data

    talk(editor, said)


def test_games_are_told_of_when_the_editor_rests() -> None:
    uri = "file:///somewhere/heap.rules"
    text = GAME + 'always "nobody passes twice": passes <= 1\n'

    async def said(client: Client) -> None:
        asked = asyncio.Event()
        client.protocol.fm.features[types.WORKSPACE_CODE_LENS_REFRESH] = lambda _: asked.set()
        open_text(client, uri, text)
        assert await findings(client, uri) == []
        document = types.TextDocumentIdentifier(uri)
        assert not await client.text_document_code_lens_async(types.CodeLensParams(document))
        await asyncio.wait_for(asked.wait(), LONGEST / 2)
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
        assert "broken in 100 of 100 games" in [lens.command.title for lens in lenses]
        place = at(text, 'always "nobody| passes')
        context = types.CodeActionContext([])
        actions = await client.text_document_code_action_async(
            types.CodeActionParams(document, types.Range(place, place), context)
        )
        (edit,) = actions[0].edit.changes[uri]
        assert "when 1: pass if possible" in edit.new_text

    talk("visual-studio-code", said)


def test_characters_are_counted_in_utf_16() -> None:
    uri = "untitled:Untitled-1"
    text = GAME + 'words ru\n  game: "🂡🂡 Куча"\n'

    async def said(client: Client) -> None:
        open_text(client, uri, text)
        await findings(client, uri)
        place = at(text, '🂡🂡 Куча|"')
        change_text(client, uri, 2, (types.Range(place, place), " 🂢"), (types.Range(place, place), "!"))
        assert await findings(client, uri) == []
        hover_place = types.HoverParams(types.TextDocumentIdentifier(uri), at(text, "ga|me: "))
        assert "Куча! 🂢" in (await client.text_document_hover_async(hover_place)).contents.value

    talk("neovim", said)


def test_a_name_is_renamed_in_base_and_variants(tmp_path: Path) -> None:
    base, variant = tmp_path / "heap.rules", tmp_path / "ours.rules"
    base.write_text(GAME, "utf-8")
    variant.write_text('rules 1\nvariant "Ours" of "heap.rules"\nchange zone heap: pile of Card, hidden\n', "utf-8")
    uri = base.as_uri()

    async def said(client: Client) -> None:
        open_text(client, uri, GAME)
        await findings(client, uri)
        document, place = types.TextDocumentIdentifier(uri), at(GAME, "zone he|ap")
        ready = await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, place))
        assert ready.placeholder == "heap"
        edit = await client.text_document_rename_async(types.RenameParams(document, place, "pit"))
        assert sorted(edit.changes) == sorted([uri, variant.as_uri()])
        with pytest.raises(Exception, match="declared twice"):
            await client.text_document_rename_async(types.RenameParams(document, place, "stock"))

    talk("visual-studio-code", said, tmp_path)


def test_a_burst_of_keys_is_checked_once_or_twice() -> None:
    path, text = bundled_text("zero")
    uri = Path(path).as_uri()
    end = types.Position(text.count("\n"), 0)

    async def said(client: Client) -> None:
        published: list[types.PublishDiagnosticsParams] = []
        open_text(client, uri, text)
        await findings(client, uri)
        client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = published.append
        for number in range(200):
            change_text(client, uri, number + 2, (types.Range(end, end), "# "))
        while not published or published[-1].version != 201:
            await asyncio.sleep(0.05)
        versions = [one.version or 0 for one in published]
        assert versions == sorted(versions)
        assert len(versions) <= 3

    talk("visual-studio-code", said)


def test_without_the_library_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulesrun.cli import main

    monkeypatch.setitem(sys.modules, "pygls", None)
    for name in [name for name in sys.modules if name.startswith(("rulesrun.lsp", "pygls."))]:
        monkeypatch.delitem(sys.modules, name)
    assert main(["lsp"]) == 2
