// Python in the background: a message {id, method, …} in, {id, answer} or {id, error} out. Ended by whoever started it.
import { loadPyodide } from "./pyodide/pyodide.mjs"

const packed = fetch(new URL("./python.zip", import.meta.url)).then((found) => {
  if (!found.ok) throw new Error(`python.zip: ${found.status}`)
  return found.arrayBuffer()
})

async function start() {
  const pyodide = await loadPyodide({ stdin: () => null })
  pyodide.unpackArchive(await packed, "zip", { extractDir: "/rulesrun" })
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

const ready = start()
ready.then(() => postMessage({ state: "ready" }), (reason) => postMessage({ state: "failed", reason: String(reason) }))

onmessage = async ({ data }) => {
  const playground = await ready
  postMessage(JSON.parse(playground.answer(JSON.stringify(data))))
}
