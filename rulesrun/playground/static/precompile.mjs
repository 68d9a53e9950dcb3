// `node precompile.mjs FOLDER`: turns the sources in FOLDER/python.zip into what the Python in FOLDER/pyodide compiles them to.
import { readFileSync, writeFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { resolve } from "node:path"

const folder = resolve(process.argv[2])
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide/pyodide.mjs`))
const pyodide = await loadPyodide()
pyodide.unpackArchive(new Uint8Array(readFileSync(`${folder}/python.zip`)).buffer, "zip", { extractDir: "/packed" })
pyodide.runPython(`
import compileall, os, pathlib, py_compile, zipfile
root = pathlib.Path("/packed")
checked = py_compile.PycInvalidationMode.UNCHECKED_HASH
assert compileall.compile_dir(root, quiet=1, legacy=True, stripdir="/packed", invalidation_mode=checked)
with zipfile.ZipFile("/packed.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.suffix != ".py":
            named = zipfile.ZipInfo(str(path.relative_to(root)), (2020, 1, 1, 0, 0, 0))
            named.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(named, path.read_bytes())
`)
writeFileSync(`${folder}/python.zip`, pyodide.FS.readFile("/packed.zip"))
