// `node precompile.mjs FOLDER`: turns sources of Python in FOLDER into what the Python in FOLDER/pyodide compiles them to:
// all of python.zip, and of Python's own library what a page uses. What remains there is compiled when somebody needs it.
import { readFileSync, writeFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { resolve } from "node:path"

const folder = resolve(process.argv[2])
const archives = { own: `${folder}/python.zip`, library: `${folder}/pyodide/python_stdlib.zip` }
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide/pyodide.mjs`))
const pyodide = await loadPyodide({ stdin: () => null })
for (const [name, path] of Object.entries(archives)) {
  pyodide.unpackArchive(new Uint8Array(readFileSync(path)).buffer, "zip", { extractDir: `/${name}` })
}
pyodide.runPython(`
import compileall, json, os, pathlib, py_compile, sys, zipfile

def use_as_a_page_does():
    sys.path.insert(0, "/own")
    os.chdir("/tmp")
    from rulesrun.cli import main
    from rulesrun.playground.browser import Playground
    page = Playground(main)
    text = pathlib.Path("/own/rulesrun/games/classics/kuhn.rules").read_text("utf-8")
    asked = {"id": 1, "document": "my.rules", "text": text, "version": 1, "language": "ru", "games": 1}
    for more in ({"method": "open"}, {"method": "diagnose"}, {"method": "look"}, {"method": "run"},
                 {"method": "sit", "players": 2, "bot": "greedy", "seed": 1}):
        told = json.loads(page.answer(json.dumps(asked | more)))
        assert "error" not in told, told
        assert more["method"] != "run" or told["answer"]["code"] == 0, told

def compile_modules(root, modules):
    once = py_compile.PycInvalidationMode.UNCHECKED_HASH
    for path in modules:
        assert compileall.compile_file(path, quiet=1, legacy=True, stripdir=root, invalidation_mode=once)
        os.remove(path)

def pack(root, target):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(pathlib.Path(root).rglob("*")):
            if path.is_file():
                named = zipfile.ZipInfo(str(path.relative_to(root)), (2020, 1, 1, 0, 0, 0))
                named.compress_type = zipfile.ZIP_DEFLATED
                packed.writestr(named, path.read_bytes())

sys.dont_write_bytecode = True
compile_modules("/own", sorted(map(str, pathlib.Path("/own").rglob("*.py"))))
use_as_a_page_does()
library = next(path for path in sys.path if path.endswith(".zip"))
used = (getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))
inside = (path.replace(library, "/library") for path in used if path.startswith(library))
compile_modules("/library", sorted({path for path in inside if os.path.isfile(path)}))
for name in ("own", "library"):
    pack(f"/{name}", f"/{name}.zip")
`)
for (const [name, path] of Object.entries(archives)) writeFileSync(path, pyodide.FS.readFile(`/${name}.zip`))
