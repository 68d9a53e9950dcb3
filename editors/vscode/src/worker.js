// Python beside the editor: {id, method, …} in, {id, answer} or {id, error} out. The same file in a browser's worker and in Node's.
/* global self, process, require */
const isNode = typeof process === "object" && Boolean(process.versions?.node)
const port = isNode ? require("node:worker_threads").parentPort : self
let ready

// VS Code for the Web starts classic workers alone. Pyodide refuses those, but `import` is all that it needs.
if (!isNode) self.importScripts = () => { throw new TypeError("not here") }

async function start(folder) {
  const { loadPyodide } = await import(`${folder}/pyodide/pyodide.mjs`)
  const packed = isNode
    ? new Uint8Array(require("node:fs").readFileSync(new URL(`${folder}/python.zip`))).buffer
    : await (await fetch(`${folder}/python.zip`)).arrayBuffer()
  const indexURL = `${folder}/pyodide/`
  const pyodide = await loadPyodide({ indexURL: isNode ? require("node:url").fileURLToPath(indexURL) : indexURL, stdin: () => null })
  pyodide.unpackArchive(packed, "zip", { extractDir: "/rulesrun" })
  pyodide.runPython(`
import os, sys
sys.path.insert(0, "/rulesrun")
os.makedirs("/rules", exist_ok=True)
os.chdir("/rules")
from rulesrun.cli import main
from rulesrun.playground.browser import Playground
playground = Playground(main)
`)
  return pyodide.globals.get("playground")
}

async function receive(data) {
  if (data.start) {
    ready = start(data.start)
    ready.then(() => port.postMessage({ state: "ready" }), (reason) => port.postMessage({ state: "failed", reason: String(reason?.stack ?? reason) }))
    return
  }
  port.postMessage(JSON.parse((await ready).answer(JSON.stringify(data))))
}

if (isNode) port.on("message", receive)
else self.onmessage = (event) => receive(event.data)
