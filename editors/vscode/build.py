"""Builds the extension: `python editors/vscode/build.py FILE.vsix [FOLDER]`. A .vsix is a zip; FOLDER: unpacked.

Needs Node.js and the packages of `editors/package-lock.json`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

from rulesrun.playground.assembly import write_python

HERE = Path(__file__).resolve().parent
DATE = (2020, 1, 1, 0, 0, 0)
TYPES = {
    ".json": "application/json", ".js": "application/javascript", ".mjs": "application/javascript",
    ".md": "text/markdown", ".wasm": "application/wasm", ".zip": "application/zip", ".txt": "text/plain",
    ".vsixmanifest": "text/xml",
}  # fmt: skip
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/>
    <DisplayName>{displayName}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Categories>{categories}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="{engine}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace,web"/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def build_folder(folder: Path) -> None:
    """The extension as it lies on a disk."""
    subprocess.run(["node", str(HERE / "build.mjs"), str(folder)], check=True)
    write_python(folder / "dist", str(HERE.parent / "node_modules/pyodide"))


def pack_extension(folder: Path, file: Path) -> None:
    about = json.loads((folder / "package.json").read_text("utf-8"))
    said = {name: escape(value) for name, value in about.items() if isinstance(value, str)}
    manifest = MANIFEST.format(**said, categories=",".join(about["categories"]), engine=about["engines"]["vscode"])
    kinds = "".join(f'<Default Extension="{end}" ContentType="{kind}"/>' for end, kind in sorted(TYPES.items()))
    types = f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{kinds}</Types>'
    contents = {"[Content_Types].xml": types.encode(), "extension.vsixmanifest": manifest.encode()}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            contents[f"extension/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, content in contents.items():
            packed.writestr(zipfile.ZipInfo(name, DATE), content, zipfile.ZIP_DEFLATED)


def main(words: list[str]) -> int:
    if not 1 <= len(words) <= 2:
        sys.stderr.write(__doc__ or "")
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(words[1] if len(words) == 2 else scratch)
        build_folder(folder)
        pack_extension(folder, Path(words[0]))
    sys.stdout.write(f"{words[0]}: {Path(words[0]).stat().st_size / 1_000_000:.1f} MB\n")
    return 0


if __name__ == "__main__":
    shutil.which("node") or sys.exit("needs Node.js")
    sys.exit(main(sys.argv[1:]))
